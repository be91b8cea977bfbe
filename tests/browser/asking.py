"""Asks a server as no browser would: by any path, from any page, with any header."""

import http.client
import ssl
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

WAIT_SECONDS = 30
# Servers of tests have certificates of their own.
_TRUSTING = ssl._create_unverified_context()


def asked(
    url: str, path: str = "", method: str = "GET", body: bytes | None = None, **headers: str
) -> Any:
    """Return the answer to a request, with its bytes as ``content`` and its words as ``text``.

    Args:
        url: the server's.
        path: goes out behind it as it is written.
        method: what is asked for.
        body: what is sent.
        headers: their names have _ for -.
    """
    parts = urlsplit(url)
    connection = (
        http.client.HTTPSConnection(parts.netloc, timeout=WAIT_SECONDS, context=_TRUSTING)
        if parts.scheme == "https"
        else http.client.HTTPConnection(parts.netloc, timeout=WAIT_SECONDS)
    )
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, parts.path + path, body=body, headers=named)
    answer: Any = connection.getresponse()
    answer.content = answer.read()
    answer.text = answer.content.decode(errors="replace")
    connection.close()
    return answer


def open_stream(url: str, origin: str) -> ClientConnection:
    """Open the connection of a page that comes from an origin."""
    return connect(
        url.replace("http", "ws", 1) + "_stcore/stream",
        origin=origin,
        subprotocols=["streamlit"],
        ssl=_TRUSTING if url.startswith("https") else None,
        open_timeout=WAIT_SECONDS,
        max_size=None,
    )
