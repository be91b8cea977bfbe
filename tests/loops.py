"""What runs an event loop in a test."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def run_apart(steps: Coroutine[Any, Any, Any]) -> Any:
    """Run in a thread of its own: playwright leaves an event loop in the one it was used in."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, steps).result()
