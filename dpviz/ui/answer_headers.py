"""What every answer of the server tells the browser it may do with it, and how it is packed.

Everything comes from this server, and pages of other sites may show the app in a frame only if the
operator names them. docs/deploy.md says what each line is for.
"""

import gzip
import logging
import os
import re
import zlib
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from queue import SimpleQueue
from threading import Lock, Thread, get_native_id
from typing import Any

from starlette.middleware import Middleware

from dpviz.ui.static_files import FOLDER, MODULES, file_in_memory
from dpviz.ui.streamlit_internals import hashes_of_scripts

_SUFFIXES = (".js", ".css")
# chart.js unpacks what no browser does by itself.
_UNPACKED_BY_SCRIPT, _GZIP = ".js.gz", b"\x1f\x8b"
_REFUSED = re.compile(rb"q=0(\.0*)?", re.IGNORECASE)  # RFC 9110, 12.4.2: a weight of nothing
# All that one version of Streamlit and of dpviz serves.
_MOST_FILES = 512
# One level more takes 8 s of a processor for plotly.js instead of 4, and saves 2 %.
_LEVEL = 10


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


def packing(scope: Any, send: Any) -> Any:
    """Return what sends an answer in place of ``send``: packed, where that is worth it."""
    asked = dict(scope.get("headers", ()))
    path = scope["path"]
    told = [one.partition(b";") for one in asked.get(b"accept-encoding", b"").split(b",")]
    known = {name.strip() for name, _, weight in told if not _REFUSED.fullmatch(weight.strip())}
    if (
        scope.get("method") != "GET"
        or not path.endswith((*_SUFFIXES, _UNPACKED_BY_SCRIPT))
        or b"gzip" not in known
        or b"range" in asked
    ):
        return send
    start: list[Any] = []
    content = bytearray()

    async def send_packed(message: Any) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message["headers"]}
            if message["status"] == 200 and b"content-encoding" not in there:
                start.append(message)
                return
        if not start or message["type"] != "http.response.body":
            await send(message)
            return
        content.extend(message.get("body", b""))
        if message.get("more_body", False):
            return
        plain = bytes(content)
        packed = BEST_PACKED.find(plain) if b"br" in known else None
        encoding = "gzip" if packed is None else "br"
        if packed is None and plain.startswith(_GZIP):  # goes out as it is
            await send(start[0])
        else:
            packed = packed or _packed(plain)
            headers = _with_length(start[0]["headers"], len(packed), encoding)
            await send({**start[0], "headers": headers})
        await send({"type": "http.response.body", "body": packed or plain})

    return send_packed


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


LOGGER = logging.getLogger(__name__)
# Names the sites that may show the app in a frame, apart by blanks.
VARIABLE = "DPVIZ_FRAMED_BY"
_SITE = re.compile(r"https?://(?:\*\.)?[a-z0-9.-]+(?::\d{1,5})?", re.ASCII | re.IGNORECASE)
_HOST = re.compile(
    r"[a-z0-9.-]+(?::\d{1,5})?|\[[0-9a-f:.]+\](?::\d{1,5})?", re.ASCII | re.IGNORECASE
)


def framing_sites() -> tuple[str, ...]:
    """Return the sites that the operator lets show the app in a frame.

    A value that is no list of sites is named in the log, and then none may.
    """
    sites = tuple(os.environ.get(VARIABLE, "").split())
    for site in sites:
        if _SITE.fullmatch(site) is None:
            LOGGER.warning(
                "%s = %r is not allowed: it must be sites such as https://learn.example.org, apart"
                " by blanks; no other site may show the app in a frame.",
                VARIABLE, os.environ[VARIABLE],
            )  # fmt: skip
            return ()
    return sites


def policy(host: str, script_hashes: Iterable[str], sites: Iterable[str]) -> str:
    """Return the content security policy of an answer; the ``sites`` may show it in a frame.

    >>> policy("dpviz.org", ["sha256-abc="], ["https://learn.org"]).split("; ")[-1]
    "frame-ancestors 'self' https://learn.org"
    """
    # 'self' covers the page's own WebSocket only in browsers of 2022 and later.
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    return "; ".join(
        (
            # For what is fetched ahead, of which Firefox asks no other line; all else has its own.
            "default-src 'self'",
            "frame-src 'none'",
            "media-src 'none'",
            "object-src 'none'",
            " ".join(("script-src 'self' blob:", *(f"'{one}'" for one in script_hashes))),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            f"connect-src 'self'{sockets} data: blob:",
            "manifest-src 'self'",
            "base-uri 'self'",
            "form-action 'none'",
            " ".join(("frame-ancestors 'self'", *sites)),
        )
    )


class Answers:
    """Lets every answer say what a browser may do with it, and packs scripts and styles."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._hashes, self._sites = hashes_of_scripts(), framing_sites()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer as ASGI has it."""

        async def sent(message: Any) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower(): value for name, value in message["headers"]}
                host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
                own = {
                    b"content-security-policy": policy(host, self._hashes, self._sites).encode(),
                    b"x-content-type-options": b"nosniff",
                    b"referrer-policy": b"same-origin",
                }
                if not self._sites:  # which this older header cannot name
                    own[b"x-frame-options"] = b"SAMEORIGIN"
                if there.get(b"content-type", b"").startswith(b"text/html"):
                    own[b"link"] = _FETCHED_AHEAD
                added = [(name, value) for name, value in own.items() if name not in there]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        is_answer = scope["type"] == "http"
        app = (file_in_memory(scope) if is_answer else None) or self._app
        await app(scope, receive, packing(scope, sent) if is_answer else sent)


# Of what every page says: which files a browser is to fetch while it has nothing better to do.
# Small ones: plotly.js would hold up the answer by 0.8 s on a slow connection.
_FETCHED_AHEAD = ", ".join(f"<{FOLDER}{file}>; rel=prefetch" for file in MODULES).encode("ascii")
MIDDLEWARE = (Middleware(Answers),)
