"""What became of a computation."""

from copy import copy
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
            # The one that is kept stays as it is: its traceback would keep the page of whoever
            # was told last, and several threads may raise it at once.
            raise _another(self.error)
        return self.result


def _another(error: Exception) -> Exception:
    try:
        return copy(error)
    except Exception:  # it cannot be made again from its arguments
        return error.with_traceback(None)
