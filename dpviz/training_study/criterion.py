"""When a claim counts as true, as false, or as left open: fixed before any result was known.

Two settings are compared by runs of the same seeds. The difference of their errors is taken seed by
seed, and divided by the error of the seasonal naive forecast; its mean has a t interval over seeds.
All intervals of a claim together hold with the confidence of the study: each has a larger one of
its own (Bonferroni). A claim is

- *yes* if all values in the intervals make it true,
- *no* if all values in the intervals make it false,
- *cannot tell* otherwise, and with fewer than two seeds.

The seeds decide what is drawn in training. The series stay the same, so an answer is about these
series, and its interval does not tell what others would show.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from dpviz.training_study.common import CONFIDENCE, MARGIN
from dpviz.training_study.question import Kind

YES, NO, CANNOT_TELL = "yes", "no", "cannot tell"


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How much larger one error is than another, in parts of the seasonal naive forecast's.

    Args:
        value: of the setting, whose error was compared.
        mean: over seeds.
        low: lower end of the interval; minus infinity with fewer than two seeds.
        high: upper end.
        seeds: how many.
    """

    value: float
    mean: float
    low: float
    high: float
    seeds: int


def difference(value: float, differences: Sequence[float], compared: int = 1) -> Difference:
    """Return the interval of a difference.

    Args:
        value: of the setting.
        differences: one for each seed, at least one.
        compared: how many differences the claim is about.

    >>> found = difference(1.0, [0.1, 0.2, 0.3])
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3)
    (0.2, -0.048, 0.448)
    """
    mean, number = float(np.mean(differences)), len(differences)
    half = np.inf
    if number > 1:
        quantile = student.ppf(1.0 - (1.0 - CONFIDENCE) / (2 * compared), number - 1)
        half = float(quantile * np.std(differences, ddof=1) / np.sqrt(number))
    return Difference(value=value, mean=mean, low=mean - half, high=mean + half, seeds=number)


def answer(kind: Kind, differences: Sequence[Difference], margin: float = MARGIN) -> str:
    """Return what a claim came to.

    Args:
        kind: of the claim.
        differences: all that it is about, at least one.
        margin: in the differences' unit.

    >>> answer(Kind.NOT_WORSE, [difference(1.0, [0.001, 0.002, 0.003])])
    'yes'
    """
    lows, highs = [one.low for one in differences], [one.high for one in differences]
    if kind is Kind.LOWER:
        return _answer(max(highs) < 0.0, max(lows) >= 0.0)
    if kind is Kind.LOWER_SOMEWHERE:
        return _answer(min(highs) < 0.0, min(lows) >= 0.0)
    if kind is Kind.NOT_WORSE:
        return _answer(max(highs) <= margin, max(lows) > margin)
    if kind is Kind.WORSE_SOMEWHERE:
        return _answer(max(lows) > margin, max(highs) <= margin)
    is_outside = max(lows) > margin or min(highs) < -margin
    return _answer(max(highs) <= margin and min(lows) >= -margin, is_outside)


def _answer(is_true: bool, is_false: bool) -> str:
    if is_true:
        return YES
    return NO if is_false else CANNOT_TELL
