"""What runs an event loop in a test."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def run_apart(steps: Coroutine[Any, Any, Any]) -> Any:
    """Run in a thread of its own: playwright leaves an event loop in the one it was used in."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, steps).result()


Send = Callable[[dict[str, Any]], Coroutine[Any, Any, None]]


def answered(serve: Callable[[Send], Coroutine[Any, Any, Any]]) -> tuple[dict[str, Any], bytes]:
    """Return the start and the body of what an ASGI application sends."""
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    run_apart(serve(send))
    start, *bodies = sent
    return start, b"".join(one["body"] for one in bodies)
