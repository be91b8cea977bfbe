"""Errors of forecasts in words, also those that no number stands for."""

import math

from dpviz.wording.numbers import rounded

NOT_FINITE = "not finite"


def error_text(error: float | None, digits: int = 3) -> str:
    """Return an error of forecasts rounded, or that it is not finite; ``None`` is no number either.

    >>> error_text(0.51234), error_text(float("inf")), error_text(None)
    ('0.512', 'not finite', 'not finite')
    """
    return rounded(error, digits) if is_finite(error) and error is not None else NOT_FINITE


def is_finite(error: float | None) -> bool:
    """Return whether an error is a number to compare with."""
    return error is not None and math.isfinite(error)


def not_finite_note(crps: float | None, baseline_crps: float | None) -> str:
    """Return which error is not finite, and what of it follows; empty where both are numbers.

    >>> not_finite_note(0.5, 0.6)
    ''
    >>> not_finite_note(0.5, float("inf"))[:44]
    'The error of the seasonal naive forecast is '
    """
    which = [
        name
        for name, error in (
            ("of the model's own forecasts", crps),
            ("of the seasonal naive forecast", baseline_crps),
        )
        if not is_finite(error)
    ]
    if not which:
        return ""
    return (
        f"The error {' and that '.join(which)} is not finite: values or forecasts are too large to "
        "add up, so there is nothing to compare. What was spent is spent all the same."
    )
