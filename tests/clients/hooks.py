"""Gives the fuzzer the id of a game and the token of a seat."""

import os

import schemathesis
from schemathesis.core.parameters import ParameterLocation

# Lines are sent as they are.
schemathesis.serializer.alias("application/x-ndjson", "text/plain")

GAME = os.environ.get("FUZZ_GAME")
TOKEN = os.environ.get("FUZZ_TOKEN")


@schemathesis.hook
def filter_body(context, body):
    """Sends no null as a body: for an optional body, null means no body."""
    required = context.operation.definition.raw.get("requestBody", {}).get("required")
    return body is not None or bool(required)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Requests pages, and replaces random games by the player's own; deliberately wrong paths stay."""
    if case.path.endswith("/events"):
        # Other forms are streams, which have no end.
        case.headers = {**(case.headers or {}), "Accept": "application/json"}
    part = case.meta and case.meta.components.get(ParameterLocation.PATH)
    wrong = part is not None and part.mode.is_negative
    if GAME and not wrong and "game" in case.path_parameters and "/games/" in case.path:
        case.path_parameters["game"] = GAME


if TOKEN:

    @schemathesis.auth()
    class Player:
        """Sends the token."""

        def get(self, case, context):
            return TOKEN

        def set(self, case, data, context):
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}
