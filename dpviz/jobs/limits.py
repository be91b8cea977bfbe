"""What one computation may cost, and the error that says it would cost more."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a computation may use before it is given up.

    Args:
        seconds: processor time, so that a busy machine refuses nothing that an idle one allows.
        megabytes: memory beyond what the process needs anyway.
    """

    seconds: float = 2.0
    megabytes: int = 500


class TooCostlyError(Exception):
    """A computation was given up because it used more than its limits allow.

    Attributes:
        limits: those that it was given.
        what: "time" or "memory".
    """

    def __init__(self, limits: Limits, what: str) -> None:
        self.limits = limits
        self.what = what
        super().__init__(limits, what)

    def __str__(self) -> str:
        """Return what was exceeded, as a clause."""
        if self.what == "memory":
            return f"it needs more than {self.limits.megabytes} MB of memory"
        return f"it takes more than {self.limits.seconds:g} s of computing"
