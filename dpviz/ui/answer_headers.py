"""What every answer of the server tells the browser it may do with it, and how it is packed.

Everything comes from this server, and pages of other sites may show the app in a frame only if the
operator names them. docs/deploy.md says what each line is for.
"""

import gzip
import logging
import os
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

_SUFFIXES = (".js", ".css")
# All that one version of Streamlit and of dpviz serves.
_MOST_FILES = 512


def packing(scope: Any, send: Any) -> Any:
    """Return what sends an answer in place of ``send``: packed, where that is worth it."""
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
    """Return the content security policy of an answer.

    What is no host's name is left out. The ``sites`` may show the app in a frame.

    >>> policy("dpviz.org", ["sha256-abc="], ["https://learn.org"]).split("; ")[-1]
    "frame-ancestors 'self' https://learn.org"
    """
    # 'self' covers the page's own WebSocket only in browsers of 2022 and later.
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    return "; ".join(
        (
            "default-src 'none'",
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


def headers(policy: str, sites: Iterable[str]) -> tuple[tuple[bytes, bytes], ...]:
    """Return what an answer says, as ASGI has it: names in lower case, and values."""
    # The older header cannot name sites.
    frame = () if tuple(sites) else ((b"x-frame-options", b"SAMEORIGIN"),)
    return (
        (b"content-security-policy", policy.encode("ascii")),
        *frame,
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"same-origin"),
    )
