"""What became of a computation."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcome:
    """A result, or the error in its place.

    Args:
        result: what was computed; meaningless where there is an error.
        error: what was raised instead.
        size: of the result, in bytes, about.
    """

    result: Any = None
    error: Exception | None = None
    size: int = 0

    def get(self) -> Any:
        """Return the result, or raise the error."""
        if self.error is not None:
            # Several threads may raise the same one: each begins a traceback of its own.
            raise self.error.with_traceback(None)
        return self.result
