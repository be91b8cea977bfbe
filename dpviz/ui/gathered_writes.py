"""What a page is sent in one go leaves the server in one piece.

An answer is some fifty messages, and uvloop would hand each to the system by itself: fifty calls,
in each of which no other visitor's page goes on.
"""

import asyncio
from typing import Any

# Turns of the loop without another message: Streamlit sends one a turn.
_QUIET_TURNS = 3
# Bytes that are sent at once, and as much is held besides what the system takes.
_MOST_HELD = 64 * 1024


class GatheringTransport:
    """Holds what is written for as long as more comes; all else is the transport's own."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport
        self._held: list[bytes] = []
        self._is_watched = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send it, and what is held, when nothing more comes."""
        self._held.append(data)
        if sum(map(len, self._held)) >= _MOST_HELD:
            self._send()
        elif not self._is_watched:
            self._is_watched = True
            self._watch(len(self._held), 0)

    def close(self) -> None:
        """Send what is held, and no more."""
        self._send()
        self._transport.close()

    def _watch(self, before: int, quiet: int) -> None:
        quiet = quiet + 1 if len(self._held) == before else 0
        if self._held and quiet <= _QUIET_TURNS:
            asyncio.get_running_loop().call_soon(self._watch, len(self._held), quiet)
        else:
            self._is_watched = False
            self._send()

    def _send(self) -> None:
        held, self._held = self._held, []
        if held and not self._transport.is_closing():
            self._transport.write(b"".join(held))
