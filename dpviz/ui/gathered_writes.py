"""What a page is sent within a moment leaves the server in one piece.

An answer is some fifty messages, and uvloop would hand each to the system by itself: fifty calls,
in each of which no other visitor's page goes on.
"""

import asyncio
from typing import Any

_MOMENT_SECONDS = 0.003
# Bytes that are sent at once, and as much is held besides what the system takes.
_MOST_HELD = 64 * 1024


class GatheringTransport:
    """Holds what is written for a moment; all else is the transport's own."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport
        self._held: list[bytes] = []
        self._size = 0
        self._timer: asyncio.TimerHandle | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send it, and what is held, within a moment."""
        self._held.append(data)
        self._size += len(data)
        if self._size >= _MOST_HELD:
            self._send()
        elif self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(_MOMENT_SECONDS, self._send)

    def close(self) -> None:
        """Send what is held, and no more."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        held, self._held, self._size, self._timer = self._held, [], 0, None
        if held and not self._transport.is_closing():
            self._transport.write(b"".join(held))
