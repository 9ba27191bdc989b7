"""Has a generated client read answers with words, kinds and members that its specification does not have.

The answers are the examples of the specification, changed wherever a later version may say something new.

new_words.py SPECIFICATION openapi_python_client|openapi_generator|pydantic
"""

import importlib
import json
import sys

WORD = "a_word_to_come"
SCHEMAS = "#/components/schemas/"


def resolve(schema, schemas):
    """What a reference refers to; of a value that can be null, the value."""
    if "$ref" in schema:
        return resolve(schemas[schema["$ref"].removeprefix(SCHEMAS)], schemas)
    values = [other for other in schema.get("oneOf", []) if other.get("type") != "null"]
    return resolve(values[0], schemas) if len(values) == 1 else schema


def variant(value, variants, schemas):
    """The variant of a choice that a value is: it has what must be there, and its word."""
    for schema in (resolve(one, schemas) for one in variants):
        if not isinstance(value, dict) or schema.get("type") != "object":
            continue
        told = {name: member["const"] for name, member in schema.get("properties", {}).items() if "const" in member}
        if all(name in value for name in schema.get("required", [])) and told.items() <= value.items():
            return schema
    return {}


def change(value, schema, schemas, kinds):
    """An answer with new words and members; with `kinds`, what is one of several kinds is of another."""
    schema = resolve(schema, schemas)
    choice = schema.get("anyOf", schema.get("oneOf"))
    if choice and value is not None:
        schema = variant(value, choice, schemas)
        if kinds and schema:
            # The last variant is the one for kinds to come.
            kept = {name: value[name] for name in resolve(choice[-1], schemas).get("required", []) if name in value}
            tags = [name for name, member in schema["properties"].items() if "const" in member]
            return {**kept, **dict.fromkeys(tags, WORD), "a_member_to_come": [{"of": 1}]}
    if isinstance(value, list):
        return [change(item, schema.get("items", {}), schemas, kinds) for item in value]
    if isinstance(value, dict):
        own = schema.get("properties", {})
        others = schema.get("additionalProperties")
        others = others if isinstance(others, dict) else {}
        changed = {name: change(item, own.get(name, others), schemas, kinds) for name, item in value.items()}
        return {**changed, "a_member_to_come": {"of": 1}} if own else changed
    listed = "enum" in schema or "x-extensible-enum" in schema
    return WORD if listed and isinstance(value, str) else value


def reader(client):
    """Reads an answer as a component, and writes what was read; none when the component has no class."""
    module = {"openapi_python_client": "tabularium_client.models", "openapi_generator": "openapi_client.models"}
    models = importlib.import_module(module.get(client, "tabularium_models"))

    def read(name, answer):
        model = getattr(models, name, None)
        if client == "pydantic":
            return model and model.model_validate_json(json.dumps(answer)).model_dump_json()
        return model and str(model.from_dict(answer).to_dict())

    return read


def main(path, client):
    with open(path, encoding="utf-8") as file:
        components = json.load(file)["components"]
    schemas = components["schemas"]
    read = reader(client)
    answers, words = 0, 0
    for name, example in components["examples"].items():
        name = name if name in schemas else "Problem"
        for kinds in False, True:
            answer = change(example["value"], {"$ref": SCHEMAS + name}, schemas, kinds)
            try:
                was_read = read(name, answer)
            except Exception as error:
                sys.exit(f"{client} fails on {name}: {json.dumps(answer)[:1000]}\n{type(error).__name__}: {str(error)[:1000]}")
            if was_read is None:
                continue
            answers += 1
            if WORD in json.dumps(answer):
                assert WORD in was_read, f"{client} drops the new word of {name}: {was_read}"
                words += 1
    assert answers > 150 and words > 100, (answers, words)
    print(f"{client} reads {answers} answers, {words} of them with new words")


main(*sys.argv[1:])
