"""Over window lengths: claims only where the bounds prove them, and only of what was computed."""

from dataclasses import replace
from functools import lru_cache

import pytest

from dpviz.planning.one_bag import bag_run, promise_run, series_first_run, with_window_length
from dpviz.planning.proven import SweepPoint, proven_epsilon
from dpviz.scenario import Sampling, Training
from dpviz.wording.one_bag import length_name, lengths_finding, lengths_title
from tests.planning.brackets import with_bracket
from tests.planning.test_one_bag import TOY
from tests.wording.reading import jargon_in

LENGTHS = (1, 2, 4, 8)


@lru_cache(maxsize=2)
def points(way):
    made = []
    for length in LENGTHS:
        run = (bag_run, series_first_run)[way](with_window_length(TOY, length))
        proven = proven_epsilon(run, tolerance=1e-2)
        made.append(SweepPoint(x=length, name=length_name(length), proven=proven))
    return made


PROMISE = proven_epsilon(promise_run(bag_run(TOY)), tolerance=1e-2)


def with_lower(point, epsilon):
    lower = with_bracket(point.proven.lower, epsilon, epsilon)
    return replace(point, proven=replace(point.proven, lower=lower))


def test_title_names_the_lengths_at_which_more_is_true():
    title = lengths_title(points(0), PROMISE)
    assert title == (
        "Windows of 2 to 8 values: one individual's loss exceeds the promise, at δ = 10⁻⁷"
    )
    assert jargon_in(title) == []
    # Two lines of a phone.
    assert len(title) < 88


def test_title_claims_nothing_where_nothing_is_proven():
    low = [with_lower(point, 0.5 * PROMISE.epsilon_upper) for point in points(0)]
    assert "no bound contradicts the promise" in lengths_title(low, PROMISE)
    none = [replace(p, proven=replace(p.proven, lower=None)) for p in low]
    assert "no bound contradicts the promise" in lengths_title(none, PROMISE)


@pytest.mark.parametrize(
    ("above", "words"),
    [({4}, "of 4 values:"), ({1}, "of 1 value:"), ({1, 4}, "of 1 and 4 values:"),
     ({4, 8}, "of 4 to 8 values:"), ({1, 2, 4, 8}, "of 1 to 8 values:")],
)  # fmt: skip
def test_lengths_are_told_as_a_range_where_they_are_neighbours(above, words):
    changed = [
        with_lower(point, (2.0 if point.x in above else 0.5) * PROMISE.epsilon_upper)
        for point in reversed(points(0))
    ]
    assert words in lengths_title(changed, PROMISE)


def test_before_all_lengths_are_there_none_is_claimed():
    title = lengths_title(points(0)[:2], PROMISE, is_complete=False)
    assert title == "At δ = 10⁻⁷: more window lengths are being computed"


def test_finding_says_where_series_first_is_proven_better():
    text = lengths_finding(points(0), points(1))
    proven = {
        bag.x
        for bag, first in zip(points(0), points(1), strict=True)
        if first.proven.epsilon_upper < bag.proven.epsilon_lower
    }
    assert proven == {2, 4, 8}
    assert "**provably more private for one individual with windows of 2 to 8 values**" in text
    assert "No order is proven for the other lengths." in text
    assert jargon_in(text) == []


def test_finding_says_where_the_bag_is_proven_better():
    """Who is in one window of the bag is in three draws from its series, where it has to be."""
    own = replace(TOY, sampling=Sampling(batch_size=641, top_level="flat"))
    own = replace(own, training=Training(unit="steps", count=10))
    lines = []
    for way in (bag_run, series_first_run):
        runs = [way(with_window_length(own, length)) for length in (1, 2, 16)]
        lines.append(
            [
                SweepPoint(
                    x=run.data.window_length,
                    name="",
                    proven=proven_epsilon(run, tolerance=1e-2),
                )
                for run in runs
            ]
        )
    text = lengths_finding(*lines)
    assert (
        "drawing series first is **provably more private for one individual with windows of 16 "
        in text
    )
    assert "one bag (fixed batch size) is **provably more private for one individual" in text
    assert "with windows of 1 to 2 values**" in text
    assert "With the other lengths" not in text


def test_finding_where_no_order_is_proven():
    low = [with_lower(point, 0.1) for point in points(0)]
    assert lengths_finding(low, points(1)).startswith(
        "At δ = 10⁻⁷ no order of the two ways is proven"
    )
    every = [with_lower(point, 1e3) for point in points(0)]
    assert "other lengths" not in lengths_finding(every, points(1))
    assert lengths_finding(low, []) == ""
