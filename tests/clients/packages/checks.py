"""Checks what the README of the Python package promises, against a scripted server and against Tabularium.

    checks.py ADDRESS
"""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

from tabularium import Client, ProblemError, types

JSON = "application/json"
Reply = Callable[[BaseHTTPRequestHandler, bytes], None]


def answer(body: object, status: int = 200, **headers: str) -> Reply:
    def reply(request: BaseHTTPRequestHandler, _: bytes) -> None:
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        request.send_response(status)
        for name, value in {"Content_Type": JSON, "Content_Length": str(len(data)), "Connection": "close", **headers}.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(data)

    return reply


def hang_up(request: BaseHTTPRequestHandler, _: bytes) -> None:
    """Closes the connection without an answer."""


def events(*chunks: str, is_whole: bool = True) -> Reply:
    """A stream; one that is not whole breaks off."""

    def reply(request: BaseHTTPRequestHandler, _: bytes) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.send_header("Transfer-Encoding", "chunked")
        request.send_header("Connection", "close")
        request.end_headers()
        for data in map(str.encode, chunks):
            request.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        request.wfile.write(b"0\r\n\r\n" if is_whole else b"")

    return reply


def losing_answer_of(address: str) -> Reply:
    """Has a server carry the request out, and hangs up in place of its answer."""

    def reply(request: BaseHTTPRequestHandler, body: bytes) -> None:
        headers = {name: value for name, value in request.headers.items() if name.lower() not in ("host", "content-length")}
        httpx.request(request.command, address + request.path, content=body, headers=headers).raise_for_status()

    return reply


def passing_on_to(address: str) -> Reply:
    def reply(request: BaseHTTPRequestHandler, body: bytes) -> None:
        headers = {name: value for name, value in request.headers.items() if name.lower() not in ("host", "content-length")}
        passed = httpx.request(request.command, address + request.path, content=body, headers=headers)
        answer(passed.text, passed.status_code, Content_Type=passed.headers["Content-Type"])(request, body)

    return reply


class Script:
    """A server that gives its replies in order and remembers the requests."""

    def __init__(self, *replies: Reply) -> None:
        self.waits: list[float] = []
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        remaining, requests = list(replies), self.requests

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def reply(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                headers = {name.lower(): value for name, value in self.headers.items()}
                requests.append((f"{self.command} {self.path}", headers, body))
                self.close_connection = True
                remaining.pop(0)(self, body)

            do_GET = do_POST = do_DELETE = reply

            def log_message(self, *_: object) -> None:
                """Prints nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def client(self, **options: Any) -> Client:
        return Client(f"http://127.0.0.1:{self.server.server_port}", sleep=self.waits.append, **options)

    def header(self, name: str) -> list[str | None]:
        return [headers.get(name) for _, headers, _ in self.requests]


@contextmanager
def refused(status: int, code: str) -> Iterator[list[ProblemError]]:
    """Expects a problem, which the list then holds."""
    problems: list[ProblemError] = []
    try:
        yield problems
    except ProblemError as problem:
        problems.append(problem)
        assert (problem.status, problem.code) == (status, code), problem
    assert problems, f"expected {status} {code}"


def check_retries() -> None:
    busy = {"type": "about:blank", "title": "", "status": 503, "detail": "too busy", "instance": "/", "code": "overloaded"}
    date = formatdate(time.time() + 5, usegmt=True)
    script = Script(hang_up, answer(busy, 503, Retry_After="7"), answer(busy, 429, Retry_After=date), answer("{}", 503), answer({"id": "1"}, 201))
    client = script.client(token="secret")
    assert client.create_game({"edition": "antike", "board": "antike-east", "seats": []})["id"] == "1"
    assert len(set(script.header("idempotency-key"))) == 1 and script.header("idempotency-key")[0]
    assert len({body for _, _, body in script.requests}) == 1
    assert set(script.header("authorization")) == {"Bearer secret"}
    lost, seconds, until, last = script.waits
    assert 0.25 <= lost <= 0.5 and seconds == 7 and 3 <= until <= 5 and 2 <= last <= 4, script.waits

    script = Script(*[answer(busy, 503)] * 3, answer(busy, 503, Retry_After="3600"), answer({}), answer({}))
    client = script.client(retries=2)
    with refused(503, "overloaded"):
        client.get_index()
    assert len(script.waits) == 2
    with refused(503, "overloaded"):
        client.get_index()
    assert len(script.waits) == 2, "an hour is too long to wait"
    client.create_rematch("1")
    client.create_rematch("1")
    one, other = script.header("idempotency-key")[-2:]
    assert one and other and one != other

    script.server.shutdown()
    script.server.server_close()
    try:
        client.get_index()
    except httpx.ConnectError:
        assert len(script.waits) == 4
    else:
        raise AssertionError("the server is closed")


def check_streams() -> None:
    event = 'id: {0}\ndata: {{"seq": {0}, "kind": "a_word_to_come", "notation": "a\u2028b", "to_come": 1}}\n\n'
    script = Script(
        events("retry: 1\n: hello\n", event.format(4) + "id: 5\nda", 'ta: {"cut', is_whole=False),
        events("event: to_come\ndata: [1,\ndata: 2]\n\n", event.format(5)),
        hang_up,
        answer("", 204),
    )
    client = script.client()
    seen = list(client.stream_game_events("1", after="3"))
    assert [(one.event, one.id) for one in seen] == [("message", "4"), ("to_come", None), ("message", "5")]
    first, unknown = seen[0].data, json.dumps(seen[1].data)
    assert first == {"seq": 4, "kind": "a_word_to_come", "notation": "a\u2028b", "to_come": 1} and unknown == "[1, 2]"
    assert script.header("last-event-id") == [None, "4", "5", "5"]
    assert {request for request, _, _ in script.requests} == {"GET /v1/games/1/events?after=3"}

    script = Script(events(), events(), answer({"code": "unauthenticated"}, 401))
    with refused(401, "unauthenticated"):
        list(script.client().stream_my_events())
    assert len(script.waits) == 2, "a stream that sends nothing must not be asked for without pause"

    analysis = Script(events('data: {"done": false}\n\ndata: {"done": true}\n\n')).client()
    assert [one.data["done"] for one in analysis.stream_analyse_position({"budget": {"playouts": 1}})] == [False, True]


def check_pages() -> None:
    games = Script(
        answer({"items": [{"id": "1", "status": "paused"}], "next": "a b&c"}),
        answer({"items": [], "next": "d"}),
        answer({"items": [{"id": "2", "to_come": {}}], "next": None}),
    )
    found = list(games.client().list_games(status="running", limit=1))
    assert [game["id"] for game in found] == ["1", "2"] and found[0]["status"] == "paused"
    query = "GET /v1/games?status=running"
    cursors = ["", "&cursor=a+b%26c", "&cursor=d"]
    assert [request for request, _, _ in games.requests] == [f"{query}{cursor}&limit=1" for cursor in cursors]
    log = Script(answer({"items": [{"seq": 1}], "next": "1"}), answer({"items": [{"seq": 2}], "next": None}))
    assert [page["items"][0]["seq"] for page in log.client().list_game_events("a/b").pages()] == [1, 2]
    assert [request for request, _, _ in log.requests] == ["GET /v1/games/a%2Fb/events", "GET /v1/games/a%2Fb/events?after=1"]


def check_problems() -> None:
    with refused(502, "") as problems:
        Script(answer("<html>Bad gateway", 502)).client(retries=0).get_index()
    assert problems[0].detail == "<html>Bad gateway"
    with refused(418, "to_come"):
        Script(answer({"code": "to_come", "to_come": 1}, 418)).client().get_index()


def check_types(action: types.Action) -> str:
    """Known kinds have their members; the type for all others remains at the end."""
    if action["type"] == "move_stone":
        return action["field"]
    if action["type"] == "build_temple":
        action["field"]  # type: ignore[typeddict-item]
        return action["region"]
    return action["type"]


def check_server(address: str) -> None:
    client = Client(address)
    bot: types.NewSeat = {"player": {"bot": "random"}}
    new: types.NewGame = {"edition": "antike", "board": "antike-east", "seats": [{"player": "open"}, bot, bot, bot]}
    with refused(422, "invalid_body") as problems:
        client.create_game({**new, "bord": "x", "max_rounds": 0})  # type: ignore[typeddict-unknown-key]
    assert {error["field"] for error in problems[0].errors} >= {"max_rounds", "bord"}, problems[0].errors
    with refused(401, "unauthenticated"):
        client.with_token("wrong").get_index()

    # A lost answer: what holds a secret is not repeated, everything else is.
    game = client.create_game(new)["id"]
    lossy = Script(losing_answer_of(address), passing_on_to(address)).client()
    with refused(409, "already_done") as problems:
        lossy.claim_seat(game, 0)
    assert problems[0].location == f"/v1/games/{game}", problems[0].location
    created = client.create_game({**new, "first": 0})
    player = client.with_token(client.claim_seat(created["id"], 0)["token"])
    legal = player.list_legal_actions(created["id"])
    with refused(422, "illegal_action") as problems:
        player.submit_action(created["id"], {"type": "conquer", "region": "alexandria", "legions": 1})
    assert problems[0].rule == "A11", problems[0].rule
    with refused(412, "stale_view"):
        player.submit_action(created["id"], legal["actions"][0], if_match=legal["seq"] - 1)
    lossy = Script(losing_answer_of(address), passing_on_to(address)).client(token=player.token)
    acted = lossy.submit_action(created["id"], legal["actions"][0], if_match=legal["seq"])
    assert acted["seq"] == client.get_game(created["id"])["seq"]

    listed = [one["id"] for one in client.list_games(limit=1)]
    assert len(listed) >= 2 and {game, created["id"]} <= set(listed)
    logged = list(client.list_game_events(created["id"], limit=1))
    streamed = client.stream_game_events(created["id"], after="0")
    for event, one in zip(logged[1:], streamed):
        assert one.event == "message" and one.data == event
    assert client.draw_state_svg(created["id"], 0).startswith("<svg")
    assert client.request("GET", f"/v1/games/{created['id']}/record", accept="text/plain").text


def main(address: str) -> None:
    check_retries()
    check_streams()
    check_pages()
    check_problems()
    check_server(address)
    print("the package in Python keeps what it promises")


main(*sys.argv[1:])
