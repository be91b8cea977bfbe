"""What of a bag was compared, and claims over window lengths only where bounds prove them."""

from dataclasses import replace
from functools import cache

import pytest

from dpviz.planning.hit_laws import hit_law
from dpviz.planning.one_bag import bag_run, promise_run, series_first_run, with_window_length
from dpviz.planning.proven import SweepPoint, proven_epsilon
from dpviz.wording.one_bag import (
    bag_hits_explanation,
    bag_hits_title,
    bag_notes,
    length_name,
    lengths_finding,
    lengths_title,
    loader_label,
    shape_note,
)
from tests.planning.brackets import with_bracket
from tests.planning.test_one_bag import TOY, TRAFFIC, in_bag, of_figure_13
from tests.scenario.changes import varied
from tests.wording.reading import jargon_in

SEVERAL = varied(TOY, series_lengths=(20, 30))
TEN = "A series has only 10 windows, all of which can hold one individual"


@pytest.mark.parametrize(
    ("scenario", "told"),
    [
        (TOY, []),  # the usual comparison
        (varied(TOY, top_level="deterministic"), ["walked through in order; the comparison"]),
        (varied(TOY, top_level="shuffled"), ["shuffled anew each epoch; the comparison"]),
        (varied(TOY, top_level="poisson"), ["drawn by coins (Poisson); the comparison"]),
        (varied(TOY, num_subsequences=4), ["first has the 4 windows per series of your"]),
        (varied(TOY, bottom_level="poisson"), ["first has the 1 window per series on average of"]),
        (TRAFFIC, ["Both make 12,000 steps: 4,000 epochs of your settings"]),
        (SEVERAL, ["lower bound counts all as in the longest"]),
        (varied(TOY, longer_series_beyond=100), ["of an individual as in one of any length."]),
        # Rates above 1 do not exist in Fig. 13; here all windows of a series are the individual's.
        (of_figure_13(10**4, 0.1, 16), ["Λ (L_C + L_F) / N_total = 1.6 is above 1", TEN]),
        (of_figure_13(10**4, 0.1, 32), ["Λ (L_C + L_F) / N_total = 3.2 is above 1", TEN]),
        (
            in_bag(641),
            [
                "out of 320 series needs at least 3 of each",
                "With 3 windows per series a batch holds 639 windows, not 641",
            ],
        ),
    ],
)
def test_what_is_compared_is_told_where_it_is_not_the_usual(scenario, told):
    notes = bag_notes(scenario, series_first_run(scenario))
    assert len(notes) == len(told)
    for note, words in zip(notes, told, strict=True):
        assert words in note
        assert jargon_in(note.replace("L_C", "").replace("L_F", "").replace("N_total", "")) == []
        assert note.endswith(".")


def test_a_rate_of_less_than_one_and_more_windows_than_are_tried_are_told_as_such():
    small = of_figure_13(10**4, 0.1, 8)
    assert "above 1" not in " ".join(bag_notes(small, series_first_run(small)))
    assert "needs more than 1,024 windows of each" in " ".join(bag_notes(TOY, None))
    assert "at least 20 windows each = at least 6,400 windows" in shape_note(SEVERAL)


# Why: how many windows share a batch.


def laws(scenario):
    bag, first = bag_run(scenario), series_first_run(scenario)
    return bag, first, [("one bag", hit_law(bag)), (loader_label(first), hit_law(first))]


ONE = "One window of an individual at most is in a batch"
SHARED = "Several windows of one individual can share a batch"


@pytest.mark.parametrize(
    ("scenario", "title"),
    [
        (varied(TOY, num_subsequences=4), SHARED),
        (with_window_length(TOY, 1), ONE),
        (varied(TOY, batch_size=1), ONE),
        (
            with_window_length(in_bag(641), 1),
            "Series first, several draws can hit one individual; from one bag, one at most",
        ),
        (varied(TOY, bottom_level="poisson"), SHARED),
    ],
)
def test_title_says_where_windows_can_share_a_batch(scenario, title):
    bag, first, named = laws(scenario)
    assert bag_hits_title(bag, first) == title
    both = [law.at_least(2) > 0.0 for _, law in named]
    assert any(both) == ("everal" in title)


def test_one_record_needs_no_word_on_the_promise():
    bag, _, named = laws(with_window_length(TOY, 1))
    assert "promise" not in bag_hits_explanation(bag, named)


def test_chance_that_is_too_small_to_be_listed_is_not_called_none():
    rare = varied(TOY, num_series=10**9, series_lengths=(10**9,), batch_size=2)
    bag, _, named = laws(rare)
    assert 0.0 < named[0][1].at_least(2) < 1e-30
    tiny = replace(named[0][1], weights=named[0][1].weights[:2], remainder=1e-41)
    text = bag_hits_explanation(bag, [("one bag", tiny)])
    assert "one bag: below 10⁻⁴⁰." in text


def test_batch_that_is_not_filled_hits_less_often():
    bag, _, named = laws(in_bag(641, steps=1))
    text = bag_hits_explanation(bag, named)
    assert "Either way" not in text
    assert "Hits of one individual per batch, on average: one bag: " in text


@cache
def points(way, own=TOY, lengths=(1, 2, 4, 8)):
    runs = {length: way(with_window_length(own, length)) for length in lengths}
    return [
        SweepPoint(x=at, name=length_name(at), proven=proven_epsilon(run, tolerance=1e-2))
        for at, run in runs.items()
    ]


PROMISE = proven_epsilon(promise_run(bag_run(TOY)), tolerance=1e-2)


def with_lower(point, epsilon):
    lower = with_bracket(point.proven.lower, epsilon, epsilon)
    return replace(point, proven=replace(point.proven, lower=lower))


def test_title_claims_nothing_where_nothing_is_proven():
    low = [with_lower(point, 0.5 * PROMISE.epsilon_upper) for point in points(bag_run)]
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
        for point in reversed(points(bag_run))
    ]
    assert words in lengths_title(changed, PROMISE)


def test_before_all_lengths_are_there_none_is_claimed():
    title = lengths_title(points(bag_run)[:2], PROMISE, is_complete=False)
    assert title == "At δ = 10⁻⁷: not all window lengths are computed"


def test_finding_says_where_series_first_is_proven_better():
    text = lengths_finding(points(bag_run), points(series_first_run))
    proven = {
        bag.x
        for bag, first in zip(points(bag_run), points(series_first_run), strict=True)
        if first.proven.epsilon_upper < bag.proven.epsilon_lower
    }
    assert proven == {2, 4, 8}
    assert "**provably more private for one individual with windows of 2 to 8 values**" in text
    assert "No order is proven for the other lengths." in text
    assert jargon_in(text) == []


def test_finding_says_where_the_bag_is_proven_better():
    """Who is in one window of the bag is in three draws from its series, where it has to be."""
    own = in_bag(641, steps=10)
    text = lengths_finding(*(points(way, own, (1, 2, 16)) for way in (bag_run, series_first_run)))
    assert (
        "drawing series first is **provably more private for one individual with windows of 16 "
        in text
    )
    assert "one bag (fixed batch size) is **provably more private for one individual" in text
    assert "with windows of 1 to 2 values**" in text
    assert "other lengths" not in text


def test_finding_where_no_order_is_proven():
    low = [with_lower(point, 0.1) for point in points(bag_run)]
    assert lengths_finding(low, points(series_first_run)).startswith(
        "At δ = 10⁻⁷ no order of the two ways is proven"
    )
    every = [with_lower(point, 1e3) for point in points(bag_run)]
    assert "other lengths" not in lengths_finding(every, points(series_first_run))
    assert lengths_finding(low, []) == ""
