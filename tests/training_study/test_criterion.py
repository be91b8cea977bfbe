"""A claim is answered by its intervals alone: yes, no, or cannot tell."""

import math

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from dpviz.training_study.findings import CANNOT_TELL, NO, YES, Difference, answer, difference
from dpviz.training_study.questions import CONFIDENCE, MARGIN, Kind


def between(low: float, high: float) -> Difference:
    return Difference(value=1.0, mean=(low + high) / 2, low=low, high=high, seeds=5)


CASES = [
    (Kind.LOWER, [(-2, -1), (-3, -2)], YES),
    (Kind.LOWER, [(-2, -1), (0.1, 2)], NO),
    (Kind.LOWER, [(-2, -1), (-1, 2)], CANNOT_TELL),
    (Kind.LOWER_SOMEWHERE, [(-2, -1), (0.1, 2)], YES),
    (Kind.LOWER_SOMEWHERE, [(0.1, 1), (0.1, 2)], NO),
    (Kind.LOWER_SOMEWHERE, [(-1, 1), (0.1, 2)], CANNOT_TELL),
    (Kind.NOT_WORSE, [(-2, -1), (-1, 0.9)], YES),
    (Kind.NOT_WORSE, [(-2, -1), (1.1, 2)], NO),
    (Kind.NOT_WORSE, [(-2, -1), (0.9, 2)], CANNOT_TELL),
    (Kind.WORSE_SOMEWHERE, [(-2, -1), (1.1, 2)], YES),
    (Kind.WORSE_SOMEWHERE, [(-2, -1), (-1, 0.9)], NO),
    (Kind.WORSE_SOMEWHERE, [(-2, -1), (0.9, 2)], CANNOT_TELL),
    (Kind.WITHIN, [(-1, 1), (-0.5, 0.5)], YES),
    (Kind.WITHIN, [(-1, 1), (-3, -1.1)], NO),
    (Kind.WITHIN, [(-1, 1), (1.1, 3)], NO),
    (Kind.WITHIN, [(-1, 1), (0.5, 3)], CANNOT_TELL),
    (Kind.WITHIN, [(-1.1, 1), (0.5, 1)], CANNOT_TELL),
]


@pytest.mark.parametrize(("kind", "intervals", "expected"), CASES)
def test_answer_follows_from_where_the_intervals_lie(kind, intervals, expected):
    """Intervals in units of the margin."""
    found = [between(low, high) for low, high in intervals]
    assert answer(kind, found, margin=1.0) == expected


@pytest.mark.parametrize("kind", Kind)
def test_one_seed_never_decides(kind):
    assert answer(kind, [difference(1.0, [-0.5])]) == CANNOT_TELL
    assert answer(kind, [difference(1.0, [0.0])]) == CANNOT_TELL


def test_interval_is_that_of_a_t_test():
    values = np.array([0.3, -0.1, 0.25, 0.4, 0.05])
    found = difference(1.0, values.tolist())
    expected = ttest_1samp(values, 0.0).confidence_interval(CONFIDENCE)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_intervals_of_several_differences_are_wider_as_bonferroni_has_it():
    values = np.array([0.3, -0.1, 0.25, 0.4, 0.05])
    found = difference(1.0, values.tolist(), compared=4)
    expected = ttest_1samp(values, 0.0).confidence_interval(1.0 - (1.0 - CONFIDENCE) / 4)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_equal_differences_have_an_interval_of_no_width():
    found = difference(1.0, [MARGIN / 2] * 3)
    assert found.low == found.high == MARGIN / 2
    assert math.isfinite(found.mean)
    assert answer(Kind.WITHIN, [found]) == YES
