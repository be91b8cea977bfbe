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
from typing import Any, NamedTuple

_SUFFIXES = (".js", ".css")
# chart.js unpacks what no browser does by itself.
_UNPACKED_BY_SCRIPT, _GZIP = ".js.gz", b"\x1f\x8b"
_REFUSED = re.compile(rb"q=0(\.0*)?")  # RFC 9110, 12.4.2: a weight of nothing
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
        digest = sha256(content).digest()
        if (packed := self.known(digest)) is not None:
            return packed
        with self._lock:
            if digest not in self._asked and len(self._asked) < _MOST_FILES:
                self._asked.add(digest)
                self._waiting.put((digest, content))
                if len(self._asked) == 1:
                    Thread(target=self._pack, name="dpviz-packing", daemon=True).start()
        return None

    def known(self, digest: bytes) -> bytes | None:
        """Return the content of a SHA-256 packed, if it is by now."""
        return self._packed.get(digest)

    def _pack(self) -> None:
        with suppress(AttributeError, OSError):  # where threads have no priority of their own
            os.setpriority(os.PRIO_PROCESS, get_native_id(), 19)
        from pyarrow import ArrowNotImplementedError, Codec  # costs each start 0.1 s

        try:
            codec = Codec("brotli", compression_level=_LEVEL)
        except ArrowNotImplementedError:
            return
        while True:
            digest, content = self._waiting.get()
            with suppress(OSError, EOFError, zlib.error):  # half of a file goes out as it is
                plain = gzip.decompress(content) if content.startswith(_GZIP) else content
                self._packed[digest] = codec.compress(plain, asbytes=True)


BEST_PACKED = BestPacked()
_Messages = Sequence[dict[str, Any]]
# An answer's path, and by which packings the browser knows how to unpack it.
_Key = tuple[str, frozenset[bytes]]


class _Kept(NamedTuple):
    messages: _Messages
    size: int
    # The answer's start before it was packed, and the digest of what brotli has not packed yet.
    awaited: tuple[dict[str, Any], bytes] | None


class LastingAnswers:
    """Answers that are the same for everybody, for ever: they are read and packed once.

    So are those of files whose names change with what they hold. Not for several threads.

    Args:
        most_bytes: when they take more, the oldest are dropped.
    """

    def __init__(self, most_bytes: int = 32_000_000) -> None:
        self._kept: dict[_Key, _Kept] = {}
        self._most_bytes = self._room = most_bytes

    def find(self, scope: Any) -> _Messages | None:
        """Return the messages that answered the same question before, packed better by now."""
        if b"if-none-match" in dict(scope.get("headers", ())) or (key := _key(scope)) is None:
            return None
        if (kept := self._kept.get(key)) is None:
            return None
        if kept.awaited is not None:
            start, digest = kept.awaited
            if (packed := BEST_PACKED.known(digest)) is not None:
                messages = _packed_answer(start, packed, "br")
                self._room += self._kept.pop(key).size
                self.keep(key, messages)
                return messages
        return kept.messages

    def keep(
        self,
        key: _Key,
        messages: _Messages,
        awaited: tuple[dict[str, Any], bytes] | None = None,
    ) -> None:
        """Keep an answer; the oldest give it room."""
        size = len(messages[-1]["body"]) + len(key[0]) + _BYTES_BESIDE
        if key in self._kept or size > self._most_bytes:
            return
        while size > self._room:
            self._room += self._kept.pop(next(iter(self._kept))).size
        self._room -= size
        self._kept[key] = _Kept(messages, size, awaited)


LASTING = LastingAnswers()


def packing(scope: Any, send: Any) -> Any:
    """Return what sends an answer in place of ``send``: packed, where that is worth it."""
    key = _key(scope)
    if key is None:
        return send
    path, known = key
    is_packable = path.endswith((*_SUFFIXES, _UNPACKED_BY_SCRIPT))
    start: list[dict[str, Any]] = []
    content = bytearray()

    async def send_packed(message: Any) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            headers = _by_name(message)
            if _is_lasting(headers) or (is_packable and b"content-encoding" not in headers):
                start.append(message)
                return
        if not start or message["type"] != "http.response.body":
            await send(message)
            return
        content.extend(message.get("body", b""))
        if message.get("more_body", False):
            return
        plain, headers, awaited = bytes(content), _by_name(start[0]), None
        is_unpacked = b"content-encoding" not in headers
        if is_packable and is_unpacked:
            start[0] = _varying(start[0])
        answer: _Messages = (start[0], {"type": "http.response.body", "body": plain})
        if is_packable and is_unpacked and b"gzip" in known:
            best = BEST_PACKED.find(plain) if b"br" in known else None
            if best is not None:
                answer = _packed_answer(start[0], best, "br")
            elif not plain.startswith(_GZIP):  # else it goes out as it is
                answer = _packed_answer(start[0], _packed(plain), "gzip")
            if best is None and b"br" in known:
                awaited = start[0], sha256(plain).digest()
        # Who packed an answer before it came here read the browser's wishes in another way.
        if _is_lasting(headers) and is_unpacked:
            LASTING.keep(key, answer, awaited)
        for one in answer:
            await send(one)

    return send_packed


def _key(scope: Any) -> _Key | None:
    """Return what a file's answer depends on; ``None`` where not a whole file is asked for."""
    asked = dict(scope.get("headers", ()))
    if scope.get("method") != "GET" or b"range" in asked:
        return None
    wishes = asked.get(b"accept-encoding", b"").lower().split(b",")
    told = [one.partition(b";") for one in wishes]
    known = {name.strip() for name, _, weight in told if not _REFUSED.fullmatch(weight.strip())}
    return scope["path"], frozenset(known & {b"gzip", b"br"})


def _by_name(start: Mapping[str, Any]) -> dict[bytes, bytes]:
    return {name.lower(): value for name, value in start["headers"]}


def _is_lasting(headers: Mapping[bytes, bytes]) -> bool:
    """Return whether an answer is the same for everybody, for ever."""
    return b"immutable" in headers.get(b"cache-control", b"") and b"set-cookie" not in headers


@lru_cache(maxsize=_MOST_FILES)
def _packed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def _varying(start: dict[str, Any]) -> dict[str, Any]:
    """Return the start of an answer that is another one to who unpacks other packings."""
    others = [(name, value) for name, value in start["headers"] if name.lower() != b"vary"]
    varies = [value for name, value in start["headers"] if name.lower() == b"vary"]
    if not any(b"accept-encoding" in value.lower() for value in varies):
        varies.append(b"Accept-Encoding")
    told = b", ".join(varies)
    return {**start, "headers": [*others, (b"vary", told)]}


def _packed_answer(start: dict[str, Any], packed: bytes, encoding: str) -> _Messages:
    """Return the messages of a packed answer; its tag is that of the same words in other bytes."""
    told = [
        (name, b"W/" + value if name.lower() == b"etag" and value[:2] != b"W/" else value)
        for name, value in start["headers"]
        if name.lower() != b"content-length"
    ]
    headers = [
        *told,
        (b"content-length", str(len(packed)).encode()),
        (b"content-encoding", encoding.encode()),
    ]
    return ({**start, "headers": headers}, {"type": "http.response.body", "body": packed})
