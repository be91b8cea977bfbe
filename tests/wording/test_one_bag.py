"""The sentences about one bag: right in every order of the numbers, each with its meaning."""

import re
from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations, permutations

import pytest

from dpviz.planning import Order, curves_of, proven_order_at_delta
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.one_bag import bag_run, promise_run, series_first_run, with_window_length
from dpviz.planning.proven import SweepPoint, proven_epsilon
from dpviz.scenario import PRESETS
from dpviz.scenario.mechanism import COINS, FIXED_NUMBER
from dpviz.wording.batch_drawing import weights_source
from dpviz.wording.one_bag import (
    bag_headline,
    bag_hits_explanation,
    bag_hits_title,
    bag_notes,
    bag_title,
    length_name,
    lengths_finding,
    lengths_title,
    loader_label,
    loaders_order,
    loaders_table,
    order_by_epsilon,
    shape_note,
)
from tests.planning.brackets import with_bracket
from tests.planning.test_one_bag import TOY, TRAFFIC, in_bag, of_figure_13
from tests.scenario.changes import varied
from tests.wording.reading import cells_of, jargon_in, numbers_after

SEVERAL = varied(TOY, series_lengths=(20, 30))
CASES = {
    "all noised": varied(SEVERAL, context_noise=1.0, forecast_noise=1.0),
    "more than promised": TOY,
    "many steps": PRESETS["traffic"].scenario,
    "by coins": bag_run(TOY, COINS),
    "one record": with_window_length(TOY, 1),
    "epsilon 0": replace(of_figure_13(10**4, 0.1, 8), delta=0.5),
    "one step": of_figure_13(10**4, 0.1, 8),
    "large delta": replace(TOY, delta=0.3),
    "several lengths": SEVERAL,
    "longer ones": varied(TOY, longer_series_beyond=2),
    "noise on labels": varied(TOY, forecast_noise=1.0),
    "two each": in_bag(640, steps=10),
    "no other side": in_bag(3000, num_series=2, series_lengths=(2000,), steps=1),
    "wide": varied(TOY, level="user", width=3),
}


@lru_cache(maxsize=32)
def sides(name):
    """Return the own bag, its promise, and the other ways by name."""
    own, first = bag_run(CASES[name]), series_first_run(CASES[name])
    other = FIXED_NUMBER if own.sampling.bottom_level == COINS else COINS
    others = [bag_run(CASES[name], other), *([] if first is None else [first])]
    return (
        curves_of(own),
        curves_of(promise_run(own)),
        [(loader_label(run), curves_of(run)) for run in others],
    )


def words(name):
    bag, promise, _ = sides(name)
    return bag_headline(bag, promise)


@pytest.mark.every(2)
@pytest.mark.parametrize("name", CASES)
def test_every_number_is_on_its_sound_side_and_has_its_scope(name):
    (bag, promise, others), text = sides(name), words(name)
    assert text.startswith("A standard accountant promises **")
    assert f" composed over {bag.scenario.num_steps:,} step" in text
    assert " at δ = " in text
    assert f" of one series, in {'' if name == 'one record' else 'up to '}" in text or (
        "in several windows of the bag" in text
    )
    for told, exact in zip(
        numbers_after("ε ≤ ", text), (promise.epsilon_upper, bag.epsilon_upper), strict=True
    ):
        assert exact <= told <= 1.001 * exact
    for told in numbers_after("less than ε = ", text):
        assert 0.999 * bag.epsilon_lower <= told <= bag.epsilon_lower
    title = bag_title(bag, promise)
    assert jargon_in(text) == jargon_in(title) == []
    own = loader_label(bag.scenario)
    table = loaders_table([(own, bag), *others], [(own, promise)])
    assert jargon_in(table) == []
    for cells, (label, curves) in zip(cells_of(table)[2:], [(own, bag), *others], strict=True):
        assert cells[0] == label
        assert numbers_after("ε ≤ ", cells[1])[0] >= curves.epsilon_upper
        assert all(told <= curves.epsilon_lower for told in numbers_after("≥ ", cells[2]))
        promised = numbers_after("ε ≤ ", cells[3])
        assert promised >= [promise.epsilon_upper] if curves is bag else cells[3] == "not made"


@pytest.mark.parametrize("name", CASES)
def test_harm_is_claimed_exactly_where_it_is_proven(name):
    bag, promise, _ = sides(name)
    proven = bag.epsilon_lower is not None and bool(bag.epsilon_lower > promise.epsilon_upper)
    assert ("the promise" in words(name)) is proven


@pytest.mark.parametrize("name", CASES)
def test_orders_are_claimed_exactly_where_they_are_proven(name):
    bag, _, others = sides(name)
    runs = [(loader_label(bag.scenario), bag), *others]
    told = loaders_order(runs)
    assert "at this δ" not in loaders_order(runs, tells_order=False)
    claimed = set()
    if chain := re.search(r"the most private first: \*\*(.*?)\*\*", told):
        labels = sorted((label for label, _ in runs), key=chain[1].index)
        claimed = set(combinations(labels, 2))
    elif pairs := re.search(r"Provably more private at this δ: \*\*(.*?)\*\*", told):
        for part in pairs[1].split("; "):
            better, _, worse = part.partition(" before ")
            claimed |= {(better, one) for one in worse.split(" and ")}
    else:
        assert "No order is proven at this δ." in told
    for (one, here), (other, there) in permutations(runs, 2):
        proven = proven_order_at_delta(here, there) is Order.FIRST
        assert ((one, other) in claimed) is proven


def test_lower_bound_of_zero_proves_nothing():
    bag, promise, _ = sides("epsilon 0")
    assert bag.epsilon_lower == 0.0
    assert "no analysis" not in words("epsilon 0")
    assert "is proven for one individual" in bag_title(bag, promise)


def test_one_window_is_one_record_and_the_promise_holds():
    bag, promise, _ = sides("one record")
    assert bag.epsilon_upper == pytest.approx(promise.epsilon_upper, rel=1e-3)
    assert "which holds for an individual in one window" in bag_title(bag, promise)


def test_missing_lower_bound_is_told_by_its_reason():
    assert "and no lower bound: series of several lengths leave" in words("longer ones")
    assert "and no lower bound." in words("all noised")  # all lengths are known
    assert "no analysis can promise less" in words("several lengths")
    bag, promise, _ = sides("longer ones")
    assert "is proven for one individual" in bag_title(bag, promise)


def test_names_have_no_comma():
    """They stand in tables."""
    names = [loader_label(run) for run in (TOY, bag_run(TOY), bag_run(TOY, COINS))]
    poisson = varied(TOY, bottom_level="poisson")
    assert loader_label(poisson) == "series first (1 window each on average)"
    assert "," not in "".join(names)
    assert len(sides("no other side")[2]) == 1


def test_without_a_finite_promise_none_is_compared():
    bag, promise, _ = sides("more than promised")
    endless = replace(promise, upper=with_bracket(promise.upper, None, None))
    text = bag_headline(bag, endless)
    assert "promises **no finite ε for one replaced window**" in text
    assert "no analysis can promise less than ε = 20.11" in text
    assert "the promise" not in text
    assert bag_title(bag, endless).startswith(
        "At δ = 10⁻⁷ a standard accountant promises no finite ε"
    )


# Of all rates and lengths tests/findings tells it.
@pytest.mark.parametrize(("ratio", "length", "start"), [(0.1, 8, 1.75), (0.001, 32, 0.18)])
def test_figure_13_holds_from_some_epsilon_on(ratio, length, start):
    own = of_figure_13(10**4, ratio, length)
    bag, first = curves_of(bag_run(own)), curves_of(series_first_run(own))
    text = order_by_epsilon(bag, first)
    [_, after] = text.split("drawing series first is **provably more private for one individual")
    begin = (numbers_after("above ε = ", after) or numbers_after("from ε = ", after))[0]
    assert start < begin < 1.8 * start


def test_no_order_at_any_epsilon_is_said():
    bag, _, others = sides("many steps")
    assert order_by_epsilon(bag, others[1][1]).endswith("is proven the more private.")
    assert order_by_epsilon(bag, None) == ""


def test_bag_that_is_proven_better_is_said_to_be():
    """One window each of the bag against three draws of every series."""
    own = with_window_length(in_bag(641, steps=1), 1)
    text = order_by_epsilon(curves_of(bag_run(own)), curves_of(series_first_run(own)))
    assert "one bag (fixed batch size) is **provably more private for one individual above" in text


TEN = "A series has only 10 windows, all of which can hold one individual"


@pytest.mark.parametrize(
    ("scenario", "told"),
    [
        (TOY, []),  # the usual comparison
        (varied(TOY, top_level="deterministic"), ["walked through in order; the comparison"]),
        (varied(TOY, top_level="shuffled"), ["shuffled anew each epoch; the comparison"]),
        (
            varied(TOY, top_level="poisson"),
            ["by coins, which may be far more private"],
        ),
        (varied(TOY, num_subsequences=4), ["first has the 4 windows per series of your"]),
        (varied(TOY, bottom_level="poisson"), ["first has the 1 window per series on average of"]),
        (
            TRAFFIC,
            ["All make 12,000 steps: 4,000 epochs of your settings, each of 3 steps. An epoch"],
        ),
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
    third = varied(SEVERAL, num_series=3, batch_size=20, top_level="flat")  # 20 / 60 at most
    assert "Λ / N_total = at most 0.3334; " in shape_note(third)


def test_one_window_and_one_epoch_are_told_in_the_singular():
    alone = varied(TOY, num_series=1, series_lengths=(1,), context_length=0, batch_size=1)
    single = varied(alone, epochs=1, top_level="flat")
    assert " 1 window each = 1 window; " in shape_note(single)
    bag, first, named = laws(single)
    assert "a batch has 1 hit of one individual on average" in bag_hits_explanation(bag, named)
    steps, *_, last = bag_notes(single, first)
    assert steps == "All make 1 step: 1 epoch of your settings. An epoch over the series has 1."
    assert last.startswith("A series has only 1 window, which can hold one individual: ")


# Why: how many windows share a batch.


def laws(scenario):
    bag, first = bag_run(scenario), series_first_run(scenario)
    return bag, first, [("one bag", hit_law(bag)), (loader_label(first), hit_law(first))]


ONE = "At most one window of one individual is in a batch"
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
        (
            varied(with_window_length(TOY, 1), series_per_person=3),
            ONE.replace("individual", "series of a person"),
        ),
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
        "At δ = 10⁻⁷ neither drawing series first nor one bag (fixed batch size) is proven "
    )
    every = [with_lower(point, 1e3) for point in points(bag_run)]
    assert "other lengths" not in lengths_finding(every, points(series_first_run))
    assert lengths_finding(low, []) == ""


def test_hits_of_a_bag_of_several_lengths_are_no_theorem_s():
    """They count each series as the shortest, the lower bound each as the longest."""
    for level in (FIXED_NUMBER, COINS):
        several = bag_run(varied(TOY, series_lengths=(20, 30)), level)
        assert "no theorem has these weights" in weights_source(several)
        assert weights_source(bag_run(TOY, level)).startswith("the weights of ")
