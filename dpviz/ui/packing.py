"""Files as they go out to browsers: packed, and out of memory from the second time on."""

import gzip
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from queue import SimpleQueue
from threading import Lock, Thread, get_native_id
from typing import Any

_SUFFIXES = (".js", ".css")
# chart.js unpacks what no browser does by itself.
_UNPACKED_BY_SCRIPT, _GZIP = ".js.gz", b"\x1f\x8b"
_REFUSED = re.compile(rb"q=0(\.0*)?", re.IGNORECASE)  # RFC 9110, 12.4.2: a weight of nothing
# All that one version of Streamlit and of dpviz serves.
_MOST_FILES = 512
# One level more takes 8 s of a processor for plotly.js instead of 4, and saves 2 %.
_LEVEL = 10
# What the bookkeeping of one answer takes.
_BYTES_BESIDE = 1_000


class BestPacked:
    """Files as brotli packs them with all its pains, a quarter below gzip.

    A thread does so that lets all others go first; until it has, files go out as they would.
    """

    def __init__(self) -> None:
        # By what they hold, whatever they are called.
        self._packed: dict[bytes, bytes] = {}
        self._asked: set[bytes] = set()
        self._waiting: SimpleQueue[tuple[bytes, bytes]] = SimpleQueue()
        self._lock = Lock()

    def find(self, content: bytes) -> bytes | None:
        """Return a content packed, or ``None``; then it is packed for who asks later.

        What gzip has packed is unpacked before.
        """
        key = sha256(content).digest()
        if (packed := self._packed.get(key)) is not None:
            return packed
        with self._lock:
            if key not in self._asked and len(self._asked) < _MOST_FILES:
                self._asked.add(key)
                self._waiting.put((key, content))
                if len(self._asked) == 1:
                    Thread(target=self._pack, name="dpviz-packing", daemon=True).start()
        return None

    def _pack(self) -> None:
        with suppress(AttributeError, OSError):  # where threads have no priority of their own
            os.setpriority(os.PRIO_PROCESS, get_native_id(), 19)
        from pyarrow import ArrowNotImplementedError, Codec  # costs each start 0.1 s

        try:
            codec = Codec("brotli", compression_level=_LEVEL)
        except ArrowNotImplementedError:
            return
        while True:
            key, content = self._waiting.get()
            with suppress(OSError, EOFError, zlib.error):  # half of a file goes out as it is
                plain = gzip.decompress(content) if content.startswith(_GZIP) else content
                self._packed[key] = codec.compress(plain, asbytes=True)


BEST_PACKED = BestPacked()
_Messages = Sequence[dict[str, Any]]
# An answer's path, and by which packings the browser knows how to unpack it.
_Key = tuple[str, frozenset[bytes]]


class LastingAnswers:
    """Answers that are the same for everybody, for ever: nothing is read or packed again.

    So are those of files whose names change with what they hold, packed as well as can be. Not for
    several threads.

    Args:
        most_bytes: when they take so much, no more are kept.
    """

    def __init__(self, most_bytes: int = 32_000_000) -> None:
        self._messages: dict[_Key, _Messages] = {}
        self._room = most_bytes

    def find(self, scope: Any) -> _Messages | None:
        """Return the messages that answered the same question before."""
        if b"if-none-match" in dict(scope.get("headers", ())) or (key := _key(scope)) is None:
            return None
        return self._messages.get(key)

    def keep(self, key: _Key, messages: _Messages) -> None:
        """Keep an answer, where there is room."""
        size = len(messages[-1]["body"]) + _BYTES_BESIDE
        if key not in self._messages and size <= self._room:
            self._room -= size
            self._messages[key] = messages


LASTING = LastingAnswers()


def packing(scope: Any, send: Any) -> Any:
    """Return what sends an answer in place of ``send``: packed, where that is worth it."""
    key = _key(scope)
    if key is None:
        return send
    path, known = key
    is_worth_it = path.endswith((*_SUFFIXES, _UNPACKED_BY_SCRIPT)) and b"gzip" in known
    start: list[dict[str, Any]] = []
    content = bytearray()

    async def send_packed(message: Any) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            headers = _by_name(message)
            if _is_lasting(headers) or (is_worth_it and b"content-encoding" not in headers):
                start.append(message)
                return
        if not start or message["type"] != "http.response.body":
            await send(message)
            return
        content.extend(message.get("body", b""))
        if message.get("more_body", False):
            return
        head, body = start[0], bytes(content)
        is_final = True
        if is_worth_it and b"content-encoding" not in _by_name(head):
            head, body = _best(head, body, known)
            is_final = _by_name(head).get(b"content-encoding") == b"br" or b"br" not in known
        answer = (head, {"type": "http.response.body", "body": body})
        if is_final and _is_lasting(_by_name(head)):
            LASTING.keep(key, answer)
        for one in answer:
            await send(one)

    return send_packed


def _key(scope: Any) -> _Key | None:
    """Return what a file's answer depends on; ``None`` where not a whole file is asked for."""
    asked = dict(scope.get("headers", ()))
    if scope.get("method") != "GET" or b"range" in asked:
        return None
    told = [one.partition(b";") for one in asked.get(b"accept-encoding", b"").split(b",")]
    known = {name.strip() for name, _, weight in told if not _REFUSED.fullmatch(weight.strip())}
    return scope["path"], frozenset(known & {b"gzip", b"br"})


def _by_name(start: Mapping[str, Any]) -> dict[bytes, bytes]:
    return {name.lower(): value for name, value in start["headers"]}


def _is_lasting(headers: Mapping[bytes, bytes]) -> bool:
    """Return whether an answer is the same for everybody, for ever."""
    return b"immutable" in headers.get(b"cache-control", b"") and b"set-cookie" not in headers


def _best(
    start: dict[str, Any], plain: bytes, known: frozenset[bytes]
) -> tuple[dict[str, Any], bytes]:
    """Return an answer as well packed as can be by now."""
    packed = BEST_PACKED.find(plain) if b"br" in known else None
    encoding = "gzip" if packed is None else "br"
    if packed is None:
        if plain.startswith(_GZIP):  # goes out as it is
            return start, plain
        packed = _packed(plain)
    return {**start, "headers": _with_length(start["headers"], len(packed), encoding)}, packed


@lru_cache(maxsize=_MOST_FILES)
def _packed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def _with_length(headers: Any, length: int, encoding: str) -> list[tuple[bytes, bytes]]:
    """Return the headers of what is packed; its tag is that of the same words in other bytes."""
    told = [
        (name, b"W/" + value if name.lower() == b"etag" and value[:2] != b"W/" else value)
        for name, value in headers
        if name.lower() != b"content-length"
    ]
    return [
        *told,
        (b"content-length", str(length).encode()),
        (b"content-encoding", encoding.encode()),
        (b"vary", b"Accept-Encoding"),
    ]
