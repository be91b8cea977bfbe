"""Scripts and styles go to browsers packed, and each is packed once for all of them.

Streamlit sends its own as they are, 2.6 MB at a first visit: to pack them for every visitor would
cost more time than it saves. A proxy such as nginx passes on what comes packed.
"""

import gzip
from functools import lru_cache
from typing import Any

_SUFFIXES = (".js", ".css")
# All that one version of Streamlit and of dpviz serves.
_MOST_FILES = 512


def packing(scope: Any, send: Any) -> Any:
    """Return what sends an answer in place of ``send``: packed, where that is worth it.

    Args:
        scope: of the request, as ASGI has it.
        send: takes the answer's messages.
    """
    asked = dict(scope.get("headers", ()))
    if (
        scope.get("method") != "GET"
        or not scope["path"].endswith(_SUFFIXES)
        or b"gzip" not in asked.get(b"accept-encoding", b"")
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
        if not message.get("more_body", False):
            packed = _packed(bytes(content))
            await send({**start[0], "headers": _with_length(start[0]["headers"], len(packed))})
            await send({"type": "http.response.body", "body": packed})

    return send_packed


@lru_cache(maxsize=_MOST_FILES)
def _packed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def _with_length(headers: Any, length: int) -> list[tuple[bytes, bytes]]:
    """Return the headers of what is packed; its tag is that of the same words in other bytes."""
    kept = [(name, value) for name, value in headers if name.lower() != b"content-length"]
    told = [
        (name, b"W/" + value if name.lower() == b"etag" and value[:2] != b"W/" else value)
        for name, value in kept
    ]
    return [
        *told,
        (b"content-length", str(length).encode()),
        (b"content-encoding", b"gzip"),
        (b"vary", b"Accept-Encoding"),
    ]
