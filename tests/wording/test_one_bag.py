"""The sentences about one bag: right in every order of the numbers, each with its meaning."""

import re
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, permutations

import pytest

from dpviz.planning import Order, curves_of, proven_order_at_delta
from dpviz.planning.one_bag import bag_run, promise_run, series_first_run, with_window_length
from dpviz.scenario import PRESETS
from dpviz.scenario.mechanism import COINS, FIXED_NUMBER
from dpviz.wording.one_bag import (
    bag_headline,
    bag_title,
    loader_label,
    loaders_order,
    loaders_table,
    order_by_epsilon,
)
from tests.planning.brackets import with_bracket
from tests.planning.test_one_bag import TOY, in_bag, of_figure_13
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
