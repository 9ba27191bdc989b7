"""Sends requests: sign-in, retries, problems, pages and streams."""

from __future__ import annotations

import copy
import email.utils
import itertools
import json
import os
import random
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast
from urllib.parse import quote, urlencode

import httpx
from typing_extensions import Self

from .types import FieldError, Problem

RETRIED = (429, 502, 503, 504)
LOST = (httpx.NetworkError, httpx.TimeoutException, httpx.RemoteProtocolError)
SAFE = ("GET", "HEAD", "OPTIONS")
FILE = "/"
# The server sends something on each stream at least every 10 seconds.
STREAM_SILENCE = 30.0
LONGEST_WAIT = 60.0

Page = TypeVar("Page")
Item = TypeVar("Item")
Name = TypeVar("Name", covariant=True)
Data = TypeVar("Data", covariant=True)


class ProblemError(Exception):
    """The server refused a request. `problem` is the whole answer (RFC 9457)."""

    def __init__(self, status: int, problem: Problem) -> None:
        super().__init__(status, problem)
        self.status = status
        self.problem = problem
        self.code = problem.get("code", "")
        self.detail = problem.get("detail", "")
        self.rule: str | None = problem.get("rule")
        self.errors: list[FieldError] = problem.get("errors", [])
        self.location: str | None = problem.get("location")

    def __str__(self) -> str:
        rule = f" (rule {self.rule})" if self.rule else ""
        return f"{self.status} {self.code}: {self.detail}{rule}"

    @classmethod
    def from_response(cls, response: httpx.Response) -> ProblemError:
        """Reads the problem. An answer of a proxy, which is no problem document, has the code `""`."""
        text = response.read().decode(errors="replace")
        try:
            document = json.loads(text)
        except ValueError:
            document = None
        is_problem = isinstance(document, dict) and "code" in document
        return cls(response.status_code, cast(Problem, document if is_problem else {"detail": text[:1000]}))


@dataclass(frozen=True)
class StreamEvent(Generic[Name, Data]):
    """A server-sent event. `event` is its name, `message` if the server gave none."""

    event: Name
    data: Data
    id: str | None


class Pages(Generic[Page, Item]):
    """All items of a list. Loads each page when iteration reaches it."""

    def __init__(self, load: Callable[[str | None], Page]) -> None:
        self._load = load

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from cast("dict[str, list[Item]]", page)["items"]

    def pages(self) -> Iterator[Page]:
        """The pages themselves, for what stands beside the items."""
        cursor = None
        while True:
            page = self._load(cursor)
            yield page
            cursor = cast("dict[str, str | None]", page)["next"]
            if cursor is None:
                return


class Transport:
    """Sends requests to a server. `Client` adds a method for each operation.

    Without `url` and `token` the environment variables TABULARIUM_URL and TABULARIUM_TOKEN count; the token `""` stands
    for none. `retries` limits how often a request is repeated. `sleep` waits for some seconds.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        retries: int = 5,
        timeout: float = 30.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = (url or os.environ.get("TABULARIUM_URL") or "http://127.0.0.1:8080").rstrip("/")
        self.token = os.environ.get("TABULARIUM_TOKEN", "") if token is None else token
        self.retries = retries
        self._timeout = timeout
        self._sleep = sleep
        self._http = httpx.Client(timeout=timeout)

    def with_token(self, token: str | None) -> Self:
        """The same server with another token, such as that of a seat. Both share their connections."""
        other = copy.copy(self)
        other.token = token or ""
        return other

    def close(self) -> None:
        """Closes all connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        form: Mapping[str, object] | None = None,
        if_match: int | str | None = None,
        idempotency_key: str | None = None,
        accept: str = "application/json",
        headers: Mapping[str, str] | None = None,
        stream: bool = False,
    ) -> httpx.Response:
        """Sends a request, repeats it while that may help, and returns the successful answer.

        Raises `ProblemError` if the server refuses, and an error of httpx if the connection still fails after `retries`.
        """
        sent = {"Accept": accept, **(headers or {})}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        if method not in SAFE:
            # One key for all attempts: the server carries the request out once.
            sent["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if if_match is not None:
            sent["If-Match"] = f'"{if_match}"' if isinstance(if_match, int) else if_match
        content = None
        if body is not None:
            content = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        if form is not None:
            fields = {name: value for name, value in form.items() if value is not None}
            content = urlencode(fields).encode()
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        sent_query = {name: parameter(value) for name, value in (query or {}).items() if value is not None}
        silence = max(self._timeout, STREAM_SILENCE) if stream else self._timeout
        request = self._http.build_request(
            method,
            self.url + path,
            params=sent_query or None,
            content=content,
            headers=sent,
            timeout=httpx.Timeout(self._timeout, read=silence),
        )
        for attempt in itertools.count():
            wait = backoff(attempt)
            try:
                response = self._http.send(request, stream=stream)
                if response.is_success:
                    return response
                problem = ProblemError.from_response(response)
            except LOST:
                if attempt >= self.retries:
                    raise
            else:
                asked_to_wait = retry_after(response)
                wait = wait if asked_to_wait is None else asked_to_wait
                if response.status_code not in RETRIED or attempt >= self.retries or wait > LONGEST_WAIT:
                    raise problem
            self._sleep(wait)
        raise AssertionError("the loop ends by return or raise")

    def pages(self, cursor_name: str, method: str, path: str, *, query: Mapping[str, object]) -> Pages[Any, Any]:
        """A list that is answered page by page; `cursor_name` is the parameter that continues it."""

        def load(cursor: str | None) -> Any:
            continued = {cursor_name: cursor} if cursor is not None else {}
            return self.request(method, path, query={**query, **continued}).json()

        return Pages(load)

    def stream(
        self, method: str, path: str, *, query: Mapping[str, object] | None = None, body: object = None
    ) -> Iterator[StreamEvent[Any, Any]]:
        """Server-sent events. After a lost connection the stream resumes behind the last event."""
        last_id: str | None = None
        retry, failures = 0.0, 0
        while True:
            resumed_from = last_id
            headers = {} if last_id is None else {"Last-Event-ID": last_id}
            response = self.request(
                method, path, query=query, body=body, accept="text/event-stream", headers=headers, stream=True
            )
            try:
                if response.status_code == 204:
                    return
                for fields in blocks(response.iter_bytes()):
                    failures = 0
                    last_id = fields.get("id", last_id)
                    if fields.get("retry", "").isdecimal():
                        retry = int(fields["retry"]) / 1000
                    if "data" in fields:
                        name = fields.get("event") or "message"
                        yield StreamEvent(name, json.loads(fields["data"]), fields.get("id"))
                # Only a stream that can be read again has more to say after its end.
                if method not in SAFE:
                    return
            except LOST:
                if failures >= self.retries or method not in SAFE:
                    raise
            finally:
                response.close()
            if last_id == resumed_from:
                self._sleep(max(retry, backoff(failures)))
                failures += 1


def blocks(chunks: Iterable[bytes]) -> Iterator[dict[str, str]]:
    """The fields of each block of a stream. A block that is cut off is dropped."""
    rest, fields = b"", dict[str, str]()
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            name, _, value = line.rstrip(b"\r").decode().partition(":")
            value = value.removeprefix(" ")
            if not line.rstrip(b"\r"):
                yield fields
                fields = {}
            elif name == "data" and name in fields:
                fields[name] += "\n" + value
            else:
                fields[name] = value


def backoff(attempt: int) -> float:
    """Seconds before the next attempt: half a second, doubled each time, less a random part."""
    return float(min(30.0, 0.5 * 2**attempt)) * random.uniform(0.5, 1.0)


def retry_after(response: httpx.Response) -> float | None:
    """The seconds that the server asks to wait; it may name a number or a date."""
    value = response.headers.get("Retry-After", "")
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def parameter(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def part(value: object, safe: str = "") -> str:
    """A part of a path."""
    return quote(str(value), safe=safe)
