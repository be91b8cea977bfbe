"""What is proven about one run: the accountant's own numbers; what one step reveals, never more."""

from dataclasses import replace
from math import comb
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
from scipy.stats import hypergeom

from dpviz.accounting import account_for
from dpviz.accounting import second_opinion as library
from dpviz.guarantees import Kind
from dpviz.planning import curves as module
from dpviz.planning import curves_of
from dpviz.planning.curves import (
    EPSILON_DIGITS,
    EPSILON_GRID,
    POINTS_PER_DECADE,
    SMALLEST_DELTA,
    second_look,
)
from dpviz.planning.hit_laws import _least_touched, single_unit_exceeds
from dpviz.scenario import Rates, ScenarioError
from tests.accounting.exact import single_unit_delta
from tests.planning.kinds import RUNS, TOY, curves_of_kind, sampled
from tests.scenario.changes import varied

CHEAP = sorted(set(RUNS) - {"no finite epsilon"})


def sides(curves):
    return [side for side in (curves.upper, curves.lower) if side is not None]


@pytest.mark.parametrize("name", CHEAP)
def test_numbers_are_the_accountants_own(name):
    curves, account = curves_of_kind(name), account_for(RUNS[name])
    assert (curves.lower is None) == (account.lower is None)
    for side, theirs in zip(sides(curves), (account.upper, account.lower), strict=False):
        brackets = theirs.delta_at(curves.epsilon)
        assert np.array_equal(side.delta_low, brackets.low)
        assert np.array_equal(side.delta_high, brackets.high)
        assert side.bracket == theirs.epsilon_at(RUNS[name].delta)
        assert (side.bound, side.interval) == (theirs.bound, theirs.interval)
    assert curves.epsilon_upper == curves.upper.bracket.high
    assert curves.epsilon_lower == (curves.lower.bracket.low if curves.lower else None)


def test_where_no_finite_epsilon_is_known_none_is_quoted():
    curves = curves_of_kind("no finite epsilon")
    assert curves.epsilon_upper is None
    # A lower bound stays one where the bracket is open above.
    assert curves.epsilon_lower > 1e5


@pytest.mark.parametrize("name", RUNS)
def test_curves_are_known_on_the_common_grid_fall_and_are_in_order(name):
    curves = curves_of_kind(name)
    assert curves.epsilon[0] == 0.0
    assert np.all(np.diff(curves.epsilon) > 0)
    assert curves.upper.delta_at(EPSILON_GRID).high.shape == EPSILON_GRID.shape
    for side in sides(curves):
        assert len(side.delta_low) == len(side.delta_high) == len(curves.epsilon)
        assert np.all(side.delta_low <= side.delta_high)
        assert np.all((side.delta_low >= 0) & (side.delta_high <= 1))
        assert np.all(np.diff(side.delta_high) <= 0)
        assert np.all(np.diff(side.delta_low) <= 0)
    if curves.lower is not None:
        assert np.all(curves.lower.delta_low <= curves.upper.delta_high)
    # Digits few enough to be shown as they are.
    shown = [float(f"{epsilon:.{EPSILON_DIGITS}g}") for epsilon in curves.epsilon.tolist()]
    assert shown == curves.epsilon.tolist()


def test_grid_holds_round_numbers_as_they_are_written():
    """10**k in floats is not always 1e<k>."""
    written = {float(f"{digit}e{power}") for power in range(-6, 4) for digit in (1, 2, 5)}
    assert written <= set(EPSILON_GRID.tolist())
    assert EPSILON_GRID[[0, -1]].tolist() == [0.0, 1e4]


def test_grid_is_nowhere_coarser_than_it_says():
    ratios = EPSILON_GRID[2:] / EPSILON_GRID[1:-1]
    assert np.max(ratios) < 10 ** (1.001 / POINTS_PER_DECADE)


def test_a_grid_epsilon_is_found_and_no_other_is_taken_for_it():
    curves = curves_of_kind("drawn")
    assert curves.epsilon[curves.upper.place_of(0.5)] == 0.5
    with pytest.raises(ValueError, match="none of those"):
        curves.upper.place_of(0.123456789)


def test_a_smaller_delta_than_the_usual_last_one_is_followed():
    curves = curves_of(replace(TOY, delta=1e-15))
    assert curves.smallest_delta == 1e-15
    assert curves_of_kind("drawn").smallest_delta == SMALLEST_DELTA
    delta = curves.upper.delta_high
    assert 1e-15 <= delta[delta >= 1e-15][-1] < 1.01e-15


@pytest.mark.parametrize("name", ["one step", "tight for many"])
def test_a_tight_bound_leaves_no_room(name):
    """Brackets of both sides overlap at every epsilon."""
    curves = curves_of_kind(name)
    assert curves.upper.bound.kind_after_composition is Kind.TIGHT
    assert np.all(curves.lower.delta_high >= curves.upper.delta_low)
    assert curves.lower.bracket.low <= curves.upper.bracket.high
    assert curves.lower.bracket.high >= curves.upper.bracket.low


@pytest.mark.parametrize(
    ("top_level", "theorem"), [("without-replacement", "4.4"), ("deterministic", "4.2")]
)
def test_a_coarse_tolerance_gives_a_wider_bracket(top_level, theorem):
    run = sampled(top_level=top_level)
    exact, coarse = curves_of(run), curves_of(run, tolerance=1e-2)
    for fine, wide in zip(sides(exact), sides(coarse), strict=True):
        assert fine.bracket.relative_gap <= 1e-3 < wide.bracket.relative_gap <= 1e-2
        assert wide.interval > fine.interval
        assert wide.bracket.low <= fine.bracket.high
    # A first answer keeps to one direction, so its lower bound is another one.
    assert exact.upper.bracket.low <= coarse.upper.bracket.high
    assert [curves.lower.bound.theorem for curves in (exact, coarse)] == ["dpviz 9", theorem]


def test_what_no_bound_covers_is_refused_with_the_field():
    rates = varied(
        TOY, data=Rates(bottom_rate=0.5, top_rate=0.5, steps_per_epoch=2), forecast_noise=1.0
    )
    with pytest.raises(ScenarioError, match=r"^forecast_noise\b"):
        curves_of(rates)


# Rounded up on the library's own grid, with noise that it does not bound.
LIBRARY = 1e-3


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("name", "side"),
    [("drawn", "upper"), ("walked", "upper")]
    + [
        (name, side)
        for name in ("Poisson windows", "one bag", "one step")
        for side in ("upper", "lower")
    ],
)
def test_it_lies_inside_the_bracket_or_beside_it(name, side):
    curves = curves_of_kind(name)
    bracket = getattr(curves, side).bracket
    look = second_look(curves, side)
    assert bracket.low * (1 - 1e-6) <= look.epsilon <= bracket.high * (1 + LIBRARY)
    assert look.interval <= 1e-3
    assert look.seconds > 0.0


def test_sides_are_not_mixed_up():
    """The bag's two bounds are 6 % apart."""
    curves = curves_of_kind("one bag")
    upper, lower = (second_look(curves, side).epsilon for side in ("upper", "lower"))
    assert lower < 0.95 * upper


def test_a_grid_that_is_too_fine_for_the_library_is_made_coarser(monkeypatch):
    curves = curves_of_kind("one step")
    monkeypatch.setattr(library, "MOST_GRID_POINTS", 8_000)
    look = second_look(curves, "upper")
    assert look.interval > 1e-3
    assert look.epsilon == pytest.approx(curves.epsilon_upper, rel=1e-2)


def test_where_the_library_finds_no_epsilon_none_is_told(monkeypatch):
    opinion = SimpleNamespace(epsilon_at=lambda _: None)
    monkeypatch.setattr(module, "second_opinion", lambda *_, **__: opinion)
    assert second_look(curves_of_kind("drawn"), "upper").epsilon is None


@pytest.mark.parametrize(
    ("name", "side", "named"),
    [
        *((name, "lower", "directions that are chosen anew") for name in ("drawn", "walked")),
        *(("several lengths", side, "several lengths") for side in ("upper", "lower")),
        ("no lower bound", "lower", "no lower bound is proven"),
        # Also where the curves have something else of that name.
        *(
            ("drawn", side, f"side = '{side}' is not allowed: it must be 'upper' or")
            for side in ("epsilon", "Upper", "", "scenario")
        ),
    ],
)
def test_what_the_library_cannot_check_is_refused(name, side, named):
    with pytest.raises(ValueError, match=named):
        second_look(curves_of_kind(name), side)


BAG = sampled(top_level="flat")
KINDS = RUNS | {
    "many windows": sampled(TOY.with_rates(bottom_rate=0.6, top_rate=0.3), num_subsequences=16),
    "all windows": sampled(TOY.with_rates(bottom_rate=1.0, top_rate=0.3), num_subsequences=4),
    "many walked": sampled(
        TOY.with_rates(bottom_rate=0.3), num_subsequences=9, top_level="deterministic"
    ),
    "Poisson walked": sampled(
        bottom_level="poisson", top_level="deterministic", num_subsequences=8
    ),
    "Poisson all": sampled(bottom_level="poisson", top_level="poisson", num_subsequences=32),
    "wide bag": varied(BAG, width=7),
    "whole bag": varied(BAG, batch_size=6400),
}
EXACT = ["drawn", "walked", "one step", "tight for many", "negligible", "epsilon 0"]


@pytest.mark.parametrize("delta", [1e-9, 1e-5, 0.02])
@pytest.mark.parametrize("sigma", [0.1, 0.4, 1.5])
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.every(12)
def test_a_step_exceeds_no_epsilon_that_the_accountant_denies(name, sigma, delta):
    scenario = varied(KINDS[name], noise_multiplier=sigma, steps=1, delta=delta)
    curves = curves_of(scenario)
    if curves.lower is None:
        assert not single_unit_exceeds(scenario, 0.0)
        return
    most = curves.lower.bracket.high
    if most is not None:
        assert not single_unit_exceeds(scenario, most * (1.0 + 1e-9))
    least = curves.lower.bracket.low
    if name in EXACT and least:
        assert single_unit_exceeds(scenario, least * (1.0 - 1e-9))


def test_longer_training_changes_nothing():
    for count in (1, 10**6):
        long = varied(TOY, noise_multiplier=0.3, steps=count)
        assert single_unit_exceeds(long, 20.0)


@pytest.mark.parametrize("rate", [1.0, 0.1, 1e-3])
@pytest.mark.parametrize("delta", [1e-5, 1e-7, 1e-12])
def test_it_is_the_exact_profile_in_forty_digits(rate, delta):
    """Thm 4.4 for one step: just below the noise at which its delta is that, and just above."""
    with mpmath.workdps(40):
        low, high = mpmath.mpf("0.1"), mpmath.mpf(3)
        for _ in range(60):
            middle = (low + high) / 2
            too_much = single_unit_delta(rate, middle, 20.0) > delta
            low, high = (middle, high) if too_much else (low, middle)
    for factor, exceeds in ((1.0 - 1e-6, True), (1.0 + 1e-6, False)):
        drawn = TOY.with_rates(bottom_rate=1.0, top_rate=rate)
        scenario = varied(drawn, noise_multiplier=float(low) * factor, delta=delta)
        assert single_unit_exceeds(scenario, 20.0) is exceeds


@pytest.mark.parametrize("windows", [1, 2, 3, 5, 16, 33, 64])
def test_counts_of_touching_windows_have_at_least_the_chance_that_is_used(windows):
    """Enumerated."""
    for rate in (1e-9, 0.01, 0.1, 0.25, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 0.9, 0.999, 1.0):
        scenario = sampled(
            TOY.with_rates(bottom_rate=rate, top_rate=1.0), num_subsequences=windows, batch_size=64
        )
        law = [comb(windows, i) * rate**i * (1 - rate) ** (windows - i) for i in range(windows + 1)]
        for touching, chance in _least_touched(scenario):
            assert chance <= sum(law[touching:]) * (1 + 1e-7)


@pytest.mark.parametrize("batch", [1, 32, 5000, 6399, 6400])
def test_a_bag_is_drawn_from_without_replacement(batch):
    for width in (1, 7, 50):
        bag = varied(BAG, width=width, batch_size=batch)
        for touching, chance in _least_touched(bag):
            exact = hypergeom(6400, bag.touched_windows, batch).sf(touching - 1)
            assert chance <= exact * (1 + 1e-9)
