"""What every answer of the app tells the browser it may do with it.

Everything comes from this server, and pages of other sites may show the app in a frame only if the
operator names them. docs/deploy.md says what each line is for.
"""

import logging
import os
import re
from functools import lru_cache
from typing import Any

from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse

from dpviz.ui.packing import LASTING, packing
from dpviz.ui.static_files import FOLDER, MODULES, file_in_memory
from dpviz.ui.streamlit_internals import hashes_of_scripts

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


@lru_cache(maxsize=32)  # hosts are few, but for those that somebody makes up
def policy(host: str, script_hashes: tuple[str, ...], sites: tuple[str, ...]) -> str:
    """Return the content security policy of an answer; the ``sites`` may show it in a frame.

    >>> policy("dpviz.org", ("sha256-abc=",), ("https://learn.org",)).split("; ")[-1]
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
    """Lets every answer say what a browser may do with it; files go out packed."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._hashes, self._sites = hashes_of_scripts(), framing_sites()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer as ASGI has it."""
        is_begun = False

        async def sent(message: Any) -> None:
            nonlocal is_begun
            if message["type"] == "http.response.start":
                is_begun = True
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

        if scope["type"] != "http":
            await self._app(scope, receive, sent)
        elif (messages := LASTING.find(scope)) is not None:
            for message in messages:
                await sent(message)
        else:
            try:
                await (file_in_memory(scope) or self._app)(scope, receive, packing(scope, sent))
            except Exception:  # of which Starlette would tell around this class
                if not is_begun:
                    failed = PlainTextResponse("Internal Server Error", status_code=500)
                    await failed(scope, receive, sent)
                raise


# Of what every page says: which files a browser is to fetch while it has nothing better to do.
# Small ones: plotly.js would hold up the answer by 0.8 s on a slow connection.
_FETCHED_AHEAD = ", ".join(f"<{FOLDER}{file}>; rel=prefetch" for file in MODULES).encode("ascii")
MIDDLEWARE = (Middleware(Answers),)
