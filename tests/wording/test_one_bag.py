"""The sentences about one bag: right in every order of the numbers, each with its meaning."""

from dataclasses import replace
from functools import lru_cache

import pytest

from dpviz.accounting import Bracket
from dpviz.planning import curves_of
from dpviz.planning.bag_changes import with_window_length
from dpviz.planning.one_bag import bag_run, series_first_run
from dpviz.scenario import PRESETS, Noise, Relation, Sampling, Training
from dpviz.wording.one_bag import (
    bag_headline,
    bag_title,
    exceeds_promise,
    individual,
    order_by_epsilon,
    series_first_label,
)
from tests.planning.test_one_bag import of_figure_13
from tests.wording.reading import jargon_in, numbers_after

TOY = PRESETS["toy"].scenario
SEVERAL = replace(TOY, data=replace(TOY.data, series_lengths=(20, 30)))
BAG = Sampling(batch_size=640, top_level="flat")
CASES = {
    "more than promised": TOY,
    "many steps": PRESETS["traffic"].scenario,
    "one record": with_window_length(TOY, 1),
    "epsilon 0": replace(of_figure_13(10**4, 0.1, 8), delta=0.5),
    "one step": of_figure_13(10**4, 0.1, 8),
    "large delta": replace(TOY, delta=0.3),
    "several lengths": SEVERAL,
    "noise on labels": replace(TOY, noise=Noise(noise_multiplier=1.0, forecast_noise=1.0)),
    "two each": replace(TOY, sampling=BAG, training=Training(unit="steps", count=10)),
    "no other side": replace(
        TOY,
        data=replace(TOY.data, series_lengths=(2000,)),
        sampling=Sampling(batch_size=64_000, top_level="flat"),
        training=Training(unit="steps", count=1),
    ),
    "wide": replace(TOY, relation=Relation(level="user", width=3)),
}


@lru_cache(maxsize=32)
def sides(name):
    scenario = CASES[name]
    first = series_first_run(scenario)
    return curves_of(bag_run(scenario)), None if first is None else curves_of(first)


def words(name):
    return bag_headline(*sides(name))


@pytest.mark.parametrize("name", CASES)
def test_every_number_is_on_its_sound_side_and_has_its_scope(name):
    (bag, first), text = sides(name), words(name)
    steps = f"{bag.scenario.num_steps:,} step"
    assert text.startswith(f"After {steps}")
    assert ", at δ = " in text
    assert "Proposition C.1 composed over" in text
    assert " of one series, " in text  # who the individual is
    uppers = numbers_after("ε ≤ ", text)
    known = [side.epsilon_upper for side in (bag, first) if side is not None]
    known = [epsilon for epsilon in known if epsilon is not None]
    assert len(uppers) == len(known)
    for told, exact in zip(uppers, known, strict=True):
        assert exact <= told <= 1.001 * exact
    lowers = numbers_after("ε ≥ ", text) + numbers_after("at least ε = ", text)
    for told in lowers:
        assert 0.999 * bag.epsilon_lower <= told <= bag.epsilon_lower
    assert jargon_in(text) == []
    assert jargon_in(bag_title(bag)) == []


@pytest.mark.parametrize("name", CASES)
def test_harm_is_claimed_exactly_where_it_is_proven(name):
    bag, _ = sides(name)
    proven = bag.epsilon_lower is not None and bool(bag.epsilon_lower > bag.epsilon_upper)
    assert exceeds_promise(bag) is proven
    claimed = "what was promised" in words(name) or "than was promised" in words(name)
    assert claimed is proven
    assert ("is true" in bag_title(bag)) is proven
    if claimed:
        assert "dpviz offers no upper bound for it" in words(name)


@pytest.mark.parametrize("name", CASES)
def test_order_of_the_two_ways_is_claimed_exactly_where_it_is_proven(name):
    bag, first = sides(name)
    if first is None or first.epsilon_upper is None:
        assert "proven more private" not in words(name)
        return
    least = bag.epsilon_lower
    proven = least is not None and bool(first.epsilon_upper < least)
    assert ("**proven more private** than one bag" in words(name)) is proven
    assert ("which of the two ways is more private is not proven" in words(name)) is not proven


def test_promise_and_truth_are_told_apart():
    text = words("more than promised")
    assert "would promise **ε ≤ 11.55 for one window** (Proposition C.1 composed over 1,000" in text
    assert "in up to 2 of the bag's 6,400 windows) **at least ε = 20.11 is true**" in text
    assert "(Proposition C.2, attained lower bound), more than 1.7 times what was promised" in text
    assert "1 window each, **guarantees the individual ε ≤ 19.03** (upper bound, Theorem" in text
    assert "more than 130 times what was promised" in words("many steps")


def test_lower_bound_of_zero_proves_nothing():
    bag, _ = sides("epsilon 0")
    assert bag.epsilon_lower == 0.0
    assert "nothing is proven against it" in bag_title(bag)
    assert "**no ε above 0 is proven** (Proposition C.2" in words("epsilon 0")
    assert "dpviz offers no upper bound" in words("epsilon 0")


def test_lower_bound_below_the_promise_is_said_to_prove_nothing():
    """As that of one record is after many steps, were the individual in more windows."""
    bag, first = sides("one record")
    several = replace(bag, scenario=bag_run(TOY))
    assert 0.0 < several.epsilon_lower < several.epsilon_upper
    text = bag_headline(several, first)
    assert "which is not more: **at this δ nothing is proven against the promise**" in text
    assert "without an upper bound nothing for it" in text
    assert "is true" not in text
    assert "nothing is proven against it" in bag_title(several)


def test_one_window_is_one_record_and_the_promise_holds():
    text = words("one record")
    assert "It **holds for one individual (any single value of one series, in 1 of the" in text
    assert "no upper bound" not in text
    assert "which holds for an individual in one window" in bag_title(sides("one record")[0])


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("several lengths", "the series have several lengths"),
        ("noise on labels", "does not cover noise on context or labels"),
    ],
)
def test_missing_lower_bound_is_told_by_its_reason(name, reason):
    assert "**nothing is proven**: " in words(name)
    assert reason in words(name)
    assert "dpviz offers no upper bound either" in words(name)
    assert order_by_epsilon(*sides(name)) == ""


def test_other_side_is_named_by_its_windows_or_said_not_to_exist():
    assert "Drawing series first, 2 windows each, **guarantees" in words("two each")
    assert "Theorem F.1" in words("two each")
    assert "**No structured side exists**" in words("no other side")
    poisson = replace(TOY, sampling=Sampling(batch_size=32, bottom_level="poisson"))
    assert series_first_label(poisson) == "series first (1 window each on average)"
    assert "," not in series_first_label(TOY)


def test_without_a_finite_promise_none_is_compared():
    bag, first = sides("more than promised")
    unbounded = Bracket(low=None, high=None)
    endless = replace(bag, upper=replace(bag.upper, epsilon=unbounded))
    text = bag_headline(endless, replace(first, upper=replace(first.upper, epsilon=unbounded)))
    assert "would promise **no finite ε for one window**" in text
    assert "at least ε = 20.11 is true" in text
    assert "promised" not in text
    assert "no finite ε is proven for the individual either" in text
    assert bag_title(endless).startswith("At δ = 10⁻⁷ a stock accountant promises no finite ε")


def test_individual_s_windows_are_counted():
    assert "in up to 6 of the bag's 6,400 windows" in individual(CASES["wide"])
    assert "in several windows of the bag" in individual(SEVERAL)


@pytest.mark.parametrize("total", [10**4, 10**6])
@pytest.mark.parametrize(
    ("ratio", "length", "start"),
    [(0.1, 2, 0.76), (0.1, 8, 1.75), (0.001, 8, 0.035), (0.001, 32, 0.18)],
)
def test_figure_13_holds_from_some_epsilon_on_only(total, ratio, length, start):
    own = of_figure_13(total, ratio, length)
    bag, first = curves_of(bag_run(own)), curves_of(series_first_run(own))
    text = order_by_epsilon(bag, first)
    assert "series first is **proven more private for one individual" in text
    assert "Elsewhere no order is proven" in text
    [begin] = numbers_after("from about ε = ", text) or numbers_after("ε from about ", text)
    assert start < begin < 1.8 * start


def test_no_order_at_any_epsilon_is_said():
    assert order_by_epsilon(*sides("many steps")).endswith("at any ε.")
    bag, _ = sides("no other side")
    assert order_by_epsilon(bag, None) == ""


def test_bag_that_is_proven_better_is_said_to_be():
    """One window each of the bag against three draws of every series."""
    one = with_window_length(replace(TOY, training=Training(unit="steps", count=1)), 1)
    own = replace(one, sampling=Sampling(batch_size=641, top_level="flat"))
    bag, first = curves_of(bag_run(own)), curves_of(series_first_run(own))
    assert "one bag is proven more private at this δ" in bag_headline(bag, first)
    text = order_by_epsilon(bag, first)
    assert "drawing from one bag is **proven more private for one individual" in text
    assert "drawing series first is" not in text
    assert "is a lower bound only" not in text
