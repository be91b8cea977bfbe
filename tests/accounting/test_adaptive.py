"""Directions chosen anew: small games by all strategies, large ones by brackets."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dpviz.accounting import account_for, composed_curve
from dpviz.accounting.adaptive import AdaptiveGame
from dpviz.accounting.loss_distribution import LossDistribution, Rounding
from dpviz.accounting.new_directions import _stages, with_new_directions
from dpviz.guarantees import Composition, guarantee_for
from tests.accounting.divergences import masses
from tests.accounting.rows import drawn, walked
from tests.scenario.changes import TOY

# Losses that are multiples of ln 2: ratios of both distributions are powers of 2.
BIT = float(np.log(2.0))


def unit(masses):
    """Return the loss distribution with these masses at whole numbers of bits."""
    indices = np.array(sorted(masses))
    return LossDistribution(
        interval=BIT,
        origin=0.0,
        indices=indices,
        mass=np.array([float(masses[at]) for at in indices.tolist()]),
        infinity=0.0,
    )


def exchanged(masses):
    """Return the masses of the pair with its distributions exchanged."""
    return {-at: mass / Fraction(2) ** at for at, mass in masses.items()}


def exact_value(choices, stages, alpha):
    """Return V_k at ln alpha, in exact arithmetic."""
    if not stages:
        return max(Fraction(0), 1 - alpha)
    *others, units = stages
    values = []
    for choice in choices:
        sums = {0: Fraction(1)}
        for _ in range(units):
            sums = _convolved(sums, choice)
        values.append(
            sum(
                mass * exact_value(choices, others, alpha / Fraction(2) ** at)
                for at, mass in sums.items()
            )
        )
    return max(values)


def _convolved(sums, masses):
    found = {}
    for (a, p), (b, q) in product(sums.items(), masses.items()):
        found[a + b] = found.get(a + b, Fraction(0)) + p * q
    return found


def best_strategy(choices, steps, alpha):
    """Return the largest divergence that any strategy reaches, all of them tried.

    A strategy names a choice for each sequence of outcomes so far. For each, the outputs'
    probabilities under both data sets are added up test by test.
    """
    histories = [past for length in range(steps) for past in product(range(3), repeat=length)]
    listed = [sorted(masses.items()) for masses in choices]
    best = Fraction(0)
    for plan in product(range(len(choices)), repeat=len(histories)):
        choose = dict(zip(histories, plan, strict=True))
        total = Fraction(0)
        for outcome in product(range(3), repeat=steps):
            p = q = Fraction(1)
            for at, one in enumerate(outcome):
                loss, mass = listed[choose[outcome[:at]]][one]
                p, q = p * mass, q * mass / Fraction(2) ** loss
            total += max(Fraction(0), p - alpha * q)
        best = max(best, total)
    return best


def made_pair(weights):
    """Return masses at -1, 0 and 2 bits, of two distributions that both sum to 1."""
    low = Fraction(weights, 40)  # first mass at -1; the second's are low * 2, rest, high / 4
    high = low * 4 / 3  # 2 low + (1 - low - high) + high / 4 = 1
    return {-1: low, 0: 1 - low - high, 2: high}


@pytest.mark.parametrize("weights", [1, 5, 12])
@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(4)])
def test_no_strategy_beats_the_recursion_and_one_attains_it(weights, alpha):
    """All 16 strategies of two steps, in exact arithmetic."""
    forward = made_pair(weights)
    assert sum(forward.values()) == sum(exchanged(forward).values()) == 1
    choices = [forward, exchanged(forward)]
    value = exact_value(choices, [1, 1], alpha)
    assert best_strategy(choices, 2, alpha) == value


@pytest.mark.slow
def test_no_strategy_of_three_steps_beats_the_recursion_and_one_attains_it():
    """All 8,192."""
    choices = [made_pair(5), exchanged(made_pair(5))]
    value = exact_value(choices, [1, 1, 1], Fraction(3, 2))
    assert best_strategy(choices, 3, Fraction(3, 2)) == value


def game_of(choices, stages, rounding, tilt=1.0):
    game = AdaptiveGame(
        [unit(masses) for masses in choices],
        rounding,
        tilt=tilt,
        furthest=30 * BIT,
        longest=max(stages),
    )
    for stage in stages:
        game.play(stage)
    return game.profile()


@pytest.mark.every(4)
@pytest.mark.parametrize("stages", [[1], [1, 2], [2, 2, 1], [1, 1, 1, 3]])
@pytest.mark.parametrize(("weights", "tilt"), [(1, 1.0), (5, 0.4), (12, 1.5)])
def test_both_sides_enclose_the_exact_recursion(weights, stages, tilt):
    """At the grid's points, where from above it is exact, and between them."""
    forward = made_pair(weights)
    choices = [forward, exchanged(forward)]
    low, high = (game_of(choices, stages, side, tilt) for side in (Rounding.DOWN, Rounding.UP))
    for alpha in (Fraction(1), Fraction(5, 4), Fraction(2), Fraction(11, 2), Fraction(32)):
        exact = float(exact_value(choices, stages, alpha))
        at = np.array([np.log(float(alpha))])
        below, above = float(low.delta_at(at)[0]), float(high.delta_at(at)[0])
        assert below <= exact <= above
        if alpha in (1, 2, 32):
            assert above - exact <= 1e-9


@pytest.mark.parametrize("offset", [-0.45, -0.2, 0.2, 0.45])
@pytest.mark.parametrize("stages", [[1], [1, 1], [2, 1]])
def test_losses_beside_the_grid_are_enclosed_where_nearly_all_is_told(stages, offset):
    """Of a single choice, by all sequences of outcomes: V is near its largest value, 1."""
    one = replace(unit({-1: 0.02, 2: 0.08, 4: 0.9}), origin=offset * BIT)
    every = list(product(zip(one.losses, one.mass, strict=True), repeat=sum(stages)))
    sums = np.array([sum(loss for loss, _ in outcome) for outcome in every])
    weights = np.array([np.prod([mass for _, mass in outcome]) for outcome in every])
    epsilons = np.linspace(0.0, 4.0, 33)
    exact = np.maximum(-np.expm1(epsilons[:, None] - sums), 0.0) @ weights
    found = {}
    for side in Rounding:
        game = AdaptiveGame([one], side, tilt=0.7, furthest=30 * BIT, longest=max(stages))
        for stage in stages:
            game.play(stage)
        found[side] = game.profile().delta_at(epsilons)
    assert exact[0] > 0.85
    assert np.all(found[Rounding.DOWN] <= exact)
    assert np.all(exact <= found[Rounding.UP])
    assert np.all(found[Rounding.UP] - found[Rounding.DOWN] <= 0.05)


def test_what_is_infinite_from_above_counts_as_often_as_it_may_happen():
    masses = {0: Fraction(1)}
    one = unit(masses)
    revealing = LossDistribution(
        interval=one.interval, origin=0.0, indices=one.indices, mass=one.mass, infinity=1e-3
    )
    game = AdaptiveGame([revealing], Rounding.UP, tilt=1.0, furthest=5.0, longest=2)
    game.play(2)
    game.play(1)
    found = float(game.profile().delta_at(np.array([1.0]))[0])
    assert 3e-3 <= found <= 3.1e-3


@pytest.mark.parametrize(("count", "shortest"), [(1, 1), (2, 3), (1000, 1), (997, 4), (12_000, 2)])
def test_stages_have_all_units_and_only_the_last_is_odd(count, shortest):
    stages = _stages(count, shortest)
    assert sum(stages) == count
    assert all(stage % shortest == 0 for stage in stages[:-1])
    assert len(stages) < 120


@pytest.mark.parametrize(
    ("rate", "sigma", "count"),
    [(0.01, 1.0, 100), (0.2, 2.0, 50), (0.5, 0.8, 12), (0.01, 0.5, 300), (0.9, 3.0, 200)],
)
def test_it_lies_between_one_direction_and_the_mirrored_pair(rate, sigma, count):
    guarantee = drawn(rate, sigma, count)
    fixed, upper = composed_curve(guarantee.lower), composed_curve(guarantee.upper)
    anew = with_new_directions(fixed, 1e-7)
    assert anew.bound.theorem == "dpviz 9"
    assert anew.bound.composition is Composition.ADAPTIVE
    for delta in (1e-3, 1e-5, 1e-7, 1e-9):
        one, two, three = (curve.epsilon_at(delta) for curve in (fixed, anew, upper))
        assert one.low <= two.low <= two.high <= three.high
        assert one.high <= two.high
        assert (two.high - two.low) <= 2e-3 * two.high
        assert two.low > one.low
    assert anew.bound_at(1e-7).theorem == "dpviz 9"


@pytest.mark.parametrize(("rate", "sigma"), [(0.02, 0.3), (0.3, 0.05), (0.2, 0.5)])
def test_no_more_is_told_than_how_often_steps_touch(rate, sigma):
    """Coarse grids, on which who chooses for whole cells has less at a cell's end than beyond."""
    lower = drawn(rate, sigma, 2).lower
    for delta in (1e-3, 1e-5):
        anew = with_new_directions(composed_curve(lower), delta)
        at = np.linspace(0.0, 3.0 * anew.interval, 31)
        assert anew.delta_at(at).low.max() <= 1.0 - (1.0 - rate) ** 2


def test_two_steps_agree_with_quadrature():
    """V_2 by one integral over the first output, of the larger of both directions' profiles."""
    rate, sigma = 0.3, 1.0
    lower = drawn(rate, sigma, 2).lower
    anew = with_new_directions(composed_curve(lower, tolerance=1e-4), 1e-4)
    laws = ([0.0, 2.0], [1 - rate, rate]), ([0.0], [1.0])
    mixture, base = masses(*laws, sigma, step=5e-4, margin=14.0)
    loss = np.log(mixture / base)

    def profile(threshold):
        """One step's larger profile at each threshold, by sums over sorted losses."""
        up = np.concatenate([np.cumsum(mixture[::-1])[::-1], [0.0]])
        down = np.concatenate([np.cumsum(base[::-1])[::-1], [0.0]])
        at = np.searchsorted(loss, threshold)
        forward = up[at] - np.exp(threshold) * down[at]
        back = np.searchsorted(loss, -threshold)
        backward = (1.0 - down[back]) - np.exp(threshold) * (1.0 - up[back])
        return np.maximum(np.maximum(forward, backward), np.maximum(-np.expm1(threshold), 0.0))

    for epsilon in (0.2, 1.0, 2.5, 4.0):
        value = max(
            float(np.sum(mixture * profile(epsilon - loss))),
            float(np.sum(base * profile(epsilon + loss))),
        )
        found = anew.delta_at(np.array([epsilon]))
        assert float(found.low[0]) <= value * (1 + 1e-6)
        assert float(found.high[0]) >= value * (1 - 1e-6)
        assert float(found.low[0]) >= 0.99 * value


def test_an_epoch_is_a_unit_of_its_own():
    walk = walked(0.05, 1.0, 60).lower
    step = drawn(0.05, 1.0, 60).lower
    one, other = (with_new_directions(composed_curve(bound), 1e-7) for bound in (walk, step))
    assert one.epsilon_at(1e-7) == other.epsilon_at(1e-7)
    assert one.bound.unit is walk.unit


def test_what_has_one_direction_or_one_unit_stays_as_it_is():
    for bound in (
        drawn(1.0, 1.0, 9).lower,
        drawn(0.1, 1.0, 1).lower,
        drawn(0.0, 1.0, 9).lower,
        drawn(0.1, 1.0, 9, 2, 0.5).lower,
    ):
        curve = composed_curve(bound)
        assert with_new_directions(curve, 1e-7) is curve


def test_first_answers_do_not_wait_for_it():
    quick = account_for(TOY, only_quoted=True).lower
    assert quick.bound == guarantee_for(TOY).lower
    assert account_for(TOY, tolerance=3e-2).lower.bound == guarantee_for(TOY).lower
    exact = account_for(TOY).lower
    assert exact.bound.theorem == "dpviz 9"
    assert 17.59 < exact.quoted_epsilon_at(1e-7) < 17.60
