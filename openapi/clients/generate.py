"""Writes the generated part of both client packages, except the types of the schemas.

    generate.py SPECIFICATION FOLDER

Writes to FOLDER: `specification.json`, from which other generators write the types of the schemas;
`python/src/tabularium/client.py`, a method for each operation; `typescript/src/operations.ts`, the events of each
stream and the paths of all pages. Sets the version in `typescript/package.json`.
"""

import json
import keyword
import re
import sys
import textwrap
from pathlib import Path

SCHEMAS = "#/components/schemas/"
UNKNOWN = "a kind that this version does not know"
SUCCESS = ("200", "201", "202", "204", "206")
FORM = "application/x-www-form-urlencoded"
BINARY = ("image/png", "application/vnd.apache.parquet", "application/octet-stream")
LOG = {"message": "EventBody", "begin": "StreamBegin", "undo_request": "UndoRequestChange"}


def stream_events(specification):
    """Names the schema of the data of each named event, by operation. The specification says it in words only."""
    kinds = specification["components"]["schemas"]["NotificationType"]["x-extensible-enum"]
    kinds = [kind for kind in kinds if kind != "webhook_test"]
    notifications = {"begin": "StreamBegin"} | dict.fromkeys(kinds, "Notification")
    return {"list_game_events": LOG, "list_events": LOG, "follow_my_events": notifications, "analyse_position": {"message": "AnalysisBody"}}


def adjust(specification):
    """Changes the specification where types can say more than schemas.

    The schema for unknown kinds, such as `OtherAction`, gets a word that no known kind has. So a comparison with a known
    word narrows a union to one type. Listed actions have the type of actions in requests: each can be sent as it is.
    """
    schemas = specification["components"]["schemas"]
    for schema in schemas.values():
        for member in schema.get("properties", {}).values():
            if "enum" in member.get("not", {}):
                del member["not"]
                member["const"] = UNKNOWN
    schemas["LegalActions"]["properties"]["actions"]["items"] = {"$ref": SCHEMAS + "ActionInput"}
    return without_examples(specification)


def without_examples(value):
    if isinstance(value, dict):
        named = {name: item for name, item in value.items() if name not in ("example", "examples")}
        return {name: without_examples(item) for name, item in named.items()}
    return [without_examples(item) for item in value] if isinstance(value, list) else value


def operations(specification):
    for path, methods in specification["paths"].items():
        for method, operation in methods.items():
            if "operationId" in operation:
                yield path, method.upper(), operation


def answer_schemas(operation):
    """The schemas of successful answers, by media type."""
    answers = {}
    for status in SUCCESS:
        for media, content in operation["responses"].get(status, {}).get("content", {}).items():
            answers.setdefault(media, []).append(content["schema"])
    return answers


def page_schema(specification, operation):
    """The name of the page that an operation answers with, and the type of its items; else None."""
    for schema in answer_schemas(operation).get("application/json", []):
        name = schema.get("$ref", "").removeprefix(SCHEMAS)
        properties = specification["components"]["schemas"].get(name, {}).get("properties", {})
        if {"items", "next"} <= properties.keys():
            return name, python_type(properties["items"]["items"])
    return None


def cursor_name(operation):
    return "cursor" if any(one["name"] == "cursor" for one in operation["parameters"]) else "after"


def python_type(schema):
    if "$ref" in schema:
        return "t." + schema["$ref"].removeprefix(SCHEMAS)
    if "enum" in schema:
        return f"Literal[{', '.join(map(repr, schema['enum']))}]"
    if schema.get("type") == "array":
        return f"list[{python_type(schema['items'])}]"
    return {"string": "str", "integer": "int", "boolean": "bool"}.get(schema.get("type"), "Any")


def python_answer(operation):
    """The type of an answer, how the answer is read, and the media type to ask for."""
    answers = answer_schemas(operation)
    # A file in parts is of any type.
    if "206" in operation["responses"]:
        return "bytes", ".content", "*/*"
    for media, schemas in answers.items():
        if media in ("application/json", "application/json-patch+json"):
            return " | ".join(sorted({python_type(schema) for schema in schemas})), ".json()", media
    text = next((media for media in answers if media not in (*BINARY, "text/event-stream")), None)
    binary = next((media for media in answers if media in BINARY), None)
    return ("str", ".text", text) if text else ("bytes", ".content", binary) if binary else ("None", "", "*/*")


def python_name(name):
    name = name.replace("-", "_").lower()
    return name + "_" if keyword.iskeyword(name) else name


def python_methods(specification, path, method, operation):
    """The methods of an operation: one for its answer, and one for its stream."""
    name, answers = operation["operationId"], answer_schemas(operation)
    by_place = {place: [one for one in operation.get("parameters", []) if one["in"] == place] for place in ("path", "query")}
    positional = [f"{python_name(one['name'])}: {python_type(one['schema'])}" for one in by_place["path"]]
    arguments = []
    if body := operation.get("requestBody"):
        media = "application/json" if "application/json" in body["content"] else FORM
        kind = python_type(body["content"][media]["schema"])
        positional.append(f"body: {kind}" if body.get("required") else f"body: {kind} | None = None")
        arguments.append("form=body" if media == FORM else "body=body")
    headers = {one["name"] for one in operation.get("parameters", [])} & {"If-Match", "Idempotency-Key"}
    arguments += [f"{python_name(header)}={python_name(header)}" for header in sorted(headers)]
    terms = {"If-Match": "if_match: int | str | None = None", "Idempotency-Key": "idempotency_key: str | None = None"}
    target = re.sub(r"\{(\w+)\}", lambda match: f"{{part({python_name(match[1])}{', FILE' * (match[1] == 'path')})}}", path)
    about = "\n\n".join(filter(None, (re.sub(r"(\w)$", r"\1.", operation["summary"]), operation.get("description"))))
    about = textwrap.indent(about.replace("\\", "\\\\") + "\n", " " * 8).strip(" ")

    def text(method_name, result, statement, left_out=("follow",)):
        query = [one for one in by_place["query"] if one["name"] not in left_out]
        named = [f"{python_name(one['name'])}: {python_type(one['schema'])} | None = None" for one in query]
        named += [terms[header] for header in sorted(headers)]
        parameters = ", ".join(["self", *positional, *(["*"] if named else []), *named])
        asked = ", ".join(f"{one['name']!r}: {python_name(one['name'])}" for one in query)
        call = f'"{method}", f"{target}"' + (f", query={{{asked}}}" if query else "")
        return (f'    def {method_name}({parameters}) -> {result}:\n        """{about}        """\n'
                f'        {statement(", ".join([call, *arguments]))}\n')

    page, answer = page_schema(specification, operation), python_answer(operation)
    if page:
        yield text(name, f"Pages[t.{page[0]}, {page[1]}]", lambda call: f'return self.pages("{cursor_name(operation)}", {call})')
    elif list(answers) != ["text/event-stream"]:
        result, read, media = answer
        send = f'self.request({{}}, accept="{media}"){read}'
        yield text(name, result, lambda call: ("return " if read else "") + send.format(call))
    if "text/event-stream" in answers:
        events = stream_events(specification).get(name, {})
        kinds = [f'StreamEvent[Literal["{event}"], t.{schema}]' for event, schema in events.items()] or ["StreamEvent[str, Any]"]
        stream = "stream_" + re.sub("^(list|follow)_", "", name)
        yield text(stream, f"Iterator[{' | '.join(kinds)}]", lambda call: f"return self.stream({call})", ("follow", "limit"))


def python_client(specification):
    methods = [text for one in operations(specification) for text in python_methods(specification, *one)]
    return f'''"""A method for each operation of the API, generated from its specification."""
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from . import types as t
from .transport import FILE, Pages, StreamEvent, Transport, part

__version__ = "{specification["info"]["version"]}"


class Client(Transport):
    """A server and the token with which the client signs in."""

''' + "\n".join(methods)


def typescript_operations(specification):
    streams, cursors = [], []
    for path, _, operation in operations(specification):
        if "text/event-stream" in answer_schemas(operation):
            events = stream_events(specification).get(operation["operationId"], {})
            kinds = [f'StreamEvent<"{event}", Schemas["{schema}"]>' for event, schema in events.items()]
            streams.append(f'  "{path}": {" | ".join(kinds or ["StreamEvent<string, unknown>"])};\n')
        if page_schema(specification, operation):
            cursors.append(f'  "{path}": "{cursor_name(operation)}",\n')
    return f"""// Generated from the specification.
import type {{ Schemas, StreamEvent }} from "./index.js";

/** The events of each stream that are known, by path. Later servers may send others. */
export interface Streams {{
{"".join(streams)}}}

/** The parameter that continues each list of pages, by path. */
export const cursors = {{
{"".join(cursors)}}} as const;
"""


def main(source, folder):
    specification = adjust(json.loads(Path(source).read_text(encoding="utf-8")))
    package = json.loads((Path(folder) / "typescript/package.json").read_text(encoding="utf-8"))
    package["version"] = specification["info"]["version"]
    texts = {
        "specification.json": json.dumps(specification),
        "python/src/tabularium/client.py": python_client(specification),
        "typescript/src/operations.ts": typescript_operations(specification),
        "typescript/package.json": json.dumps(package, indent=2) + "\n",
    }
    for name, text in texts.items():
        (Path(folder) / name).write_text(text, encoding="utf-8")


main(*sys.argv[1:])
