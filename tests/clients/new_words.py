"""Lets a generated client read answers with words, kinds and members that are missing in its specification.

The answers are the examples of the specification, changed wherever a later version may add something.

new_words.py SPECIFICATION openapi_python_client|openapi_generator|pydantic
"""

import importlib
import json
import sys

WORD = "a_word_to_come"
SCHEMAS = "#/components/schemas/"


def resolve(schema, schemas):
    """Resolves references, and values that can be null to the value itself."""
    if "$ref" in schema:
        return resolve(schemas[schema["$ref"].removeprefix(SCHEMAS)], schemas)
    values = [other for other in schema.get("oneOf", []) if other.get("type") != "null"]
    return resolve(values[0], schemas) if len(values) == 1 else schema


def variant(value, variants, schemas):
    """Returns the variant of a value: the one whose required members and constants the value has."""
    for schema in (resolve(one, schemas) for one in variants):
        if not isinstance(value, dict) or schema.get("type") != "object":
            continue
        constants = {name: member["const"] for name, member in schema.get("properties", {}).items() if "const" in member}
        if all(name in value for name in schema.get("required", [])) and constants.items() <= value.items():
            return schema
    return {}


def change(value, schema, schemas, kinds):
    """Returns an answer with new words and members; with `kinds`, also with new variants of choices."""
    schema = resolve(schema, schemas)
    choice = schema.get("anyOf", schema.get("oneOf"))
    if choice and value is not None:
        schema = variant(value, choice, schemas)
        if kinds and schema:
            # The last variant is the one for future kinds.
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
    """Returns a function that reads an answer as a component and writes it again; None without a class for it."""
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
