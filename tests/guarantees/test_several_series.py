"""A person in several series (Propositions 20 and 21): against all draws written out."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from mpmath import mp, mpf

from dpviz.accounting import account_for, composed_curve
from dpviz.guarantees import CoupledPair, Kind, MixturePair, guarantee_for
from dpviz.guarantees.several_series import several_by_coins, several_drawn, several_walked
from dpviz.guarantees.weights import drawn_and_kept_law, hypergeometric_law
from dpviz.scenario import Noise, Relation, ScenarioError
from tests.accounting.divergences import divergences, masses
from tests.accounting.exact_mixtures import DIGITS, binomial, hypergeometric
from tests.guarantees.small_mechanisms import Small, divergence_from
from tests.guarantees.test_guarantees import HALF_UNIT
from tests.scenario.changes import TOY, TRAFFIC, varied

EPSILONS = np.array([0.0, 0.1, 0.5, 1.0, 2.0, 4.0])
ALPHAS = np.exp(EPSILONS)
# What sums on grids of densities may be off by, in one and in two dimensions.
GRID, GRIDS = 2e-6, (2e-6, 5e-5)


def exact_law(population, marked, drawn, probability):
    weights = [mpf(0)] * (min(marked, drawn) + 1)
    for j, chance in enumerate(hypergeometric(population, marked, drawn)):
        for i, kept in enumerate(binomial(j, probability)):
            weights[i] += chance * kept
    return weights


@pytest.mark.parametrize("probability", [0.3, 1e-6, 0.999, 120 / 17521])
@pytest.mark.parametrize(
    ("population", "marked", "drawn"),
    [
        (5, 3, 2),
        (10, 1, 10),
        (10, 10, 3),
        (862, 20, 256),
        (40, 39, 30),
        (2000, 300, 50),
        (90, 90, 90),
    ],
)
def test_the_law_of_touched_windows_is_correctly_rounded(population, marked, drawn, probability):
    law = drawn_and_kept_law(population, marked, drawn, probability)
    end = law.first + len(law.weights)
    with mp.workdps(DIGITS):
        exact = exact_law(population, marked, drawn, probability)
        for weight, right in zip(law.weights, exact[law.first : end], strict=True):
            assert abs(mpf(weight) - right) <= right * HALF_UNIT
        # What is not listed is rounded up.
        for told, left_out in ((law.below, exact[: law.first]), (law.above, exact[end:])):
            assert sum(left_out) <= told <= 1e-39
            assert bool(told) == bool(left_out)
    assert law.largest == len(exact) - 1


def test_a_coin_that_always_or_never_keeps():
    assert drawn_and_kept_law(10, 4, 5, 1.0) == hypergeometric_law(10, 4, 5)
    assert drawn_and_kept_law(10, 4, 5, 0.0).weights == (1.0,)


def upper_of(guarantee):
    return composed_curve(guarantee.upper).delta_at(EPSILONS).high


def assert_attained(guarantee, seen):
    brackets = composed_curve(guarantee.lower).delta_at(EPSILONS)
    assert np.all(np.asarray(seen) >= brackets.low - GRID)
    assert np.all(np.asarray(seen) <= brackets.high + GRID)


def gradients_of(small, series, rng, dimensions, kind):
    """Return gradients on x and x', of norm at most 1; windows that touch are the first of each."""
    total = sum(small.windows)
    firsts = np.cumsum([0, *small.windows[:-1]])[:series]
    touched = np.concatenate([first + np.arange(small.touched) for first in firsts])
    one = rng.normal(size=(total, dimensions))
    if kind == "signs":
        one = np.sign(one)
    one /= np.maximum(1.0, np.linalg.norm(one, axis=1, keepdims=True))
    if kind == "attack":
        one = np.tile(-np.eye(dimensions)[0], (total, 1))
    other = one.copy()
    if kind == "attack":
        one[touched] *= -1.0
    else:
        other[touched] = -one[touched] if kind == "signs" else rng.permutation(one)[: len(touched)]
    return one, other


def assert_not_beaten(guarantee, draws, small, many, sigma):
    """Check random gradients in one and two dimensions, signs, and the attack."""
    above = upper_of(guarantee)
    rng = np.random.default_rng(many)
    for kind, dimensions in [("attack", 1), *product(("random", "signs"), (1, 2))] * 2:
        one, other = gradients_of(small, many, rng, dimensions, kind)
        seen = np.maximum(
            divergence_from(draws, one, other, sigma, ALPHAS),
            divergence_from(draws, other, one, sigma, ALPHAS),
        )
        assert np.all(seen <= above + GRIDS[dimensions - 1]), kind
    return gradients_of(small, many, rng, 1, "attack")


@pytest.mark.parametrize(("many", "series"), [(2, 1), (2, 2), (3, 2), (4, 2), (3, 3)])
@pytest.mark.parametrize("sigma", [0.7, 2.0])
def test_no_gradients_beat_the_bound_on_drawn_series(many, series, sigma):
    """N = 4, two windows of each, one of them touched; and some attain the lower bound."""
    small = Small(windows=(2, 2, 2, 2), touched=1, series=series)
    draws = list(small.without_replacement())
    rates = {"bottom_rate": 0.5, "noise_multiplier": sigma, "steps": 1}
    guarantee = several_drawn(series=many, num_series=4, series_per_batch=series, **rates)
    one, other = assert_not_beaten(guarantee, draws, small, many, sigma)
    both = [divergence_from(draws, *way, sigma, ALPHAS) for way in ((one, other), (other, one))]
    assert_attained(guarantee, np.maximum(*both))


@pytest.mark.every(2)
@pytest.mark.parametrize("many", [2, 3])
@pytest.mark.parametrize("coin", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("sigma", [0.7, 2.0])
def test_no_gradients_beat_the_bound_on_series_by_coins(many, coin, sigma):
    """Attained: 0 on what does not touch, +1 and -1 on what does."""
    small = Small(windows=(2, 2, 2, 2), touched=1, coin=coin)
    draws = list(small.by_coins())
    rates = {"bottom_rate": 0.5, "noise_multiplier": sigma, "steps": 1}
    guarantee = several_by_coins(series=many, top_rate=coin, **rates)
    one, other = assert_not_beaten(guarantee, draws, small, many, sigma)
    one, other = np.where(one == other, 0.0, one), np.where(one == other, 0.0, other)
    assert_attained(guarantee, divergence_from(draws, one, other, sigma, ALPHAS))


def test_both_bounds_on_coins_hold_whichever_is_taken():
    """Little noise: by reflection; much noise or a large rate: by coupled counts."""
    kinds = {
        (rho, sigma): type(
            several_by_coins(
                series=3, top_rate=rho, bottom_rate=0.1, noise_multiplier=sigma, steps=1
            ).upper.pair
        )
        for rho in (0.1, 1.0)
        for sigma in (1.0, 20.0)
    }
    assert kinds[0.1, 1.0] is MixturePair
    assert kinds[1.0, 1.0] is CoupledPair
    assert set(kinds.values()) == {MixturePair, CoupledPair}


@pytest.mark.parametrize("many", [2, 3])
@pytest.mark.parametrize("windows", [1, 2])
def test_a_walk_has_all_series_in_one_step_at_worst(many, windows):
    """Spread over two steps, the second one's gradients may depend on what the first one gave."""
    sigma, r = 1.0, 0.5
    guarantee = several_walked(
        series=many,
        most_in_a_step=many,
        bottom_rate=r,
        noise_multiplier=sigma,
        epochs=1,
        subsequences=windows,
    )
    above = upper_of(guarantee)
    law = binomial(many * windows, r)
    sums = [2.0 * hits for hits in range(len(law))], [float(weight) for weight in law]
    p, q = masses(sums, ([0.0], [1.0]), sigma, step=0.005, margin=12.0)
    attained = divergences(p, q, ALPHAS)
    assert_attained(guarantee, attained)
    rng = np.random.default_rng(windows)
    for _ in range(4):
        seen = _adaptive_divergence(many, windows, r, sigma, rng)
        assert np.all(seen <= above + 1e-4)


def _adaptive_divergence(many, windows, r, sigma, rng):
    """Return the divergence of a walk whose last series is in a second step.

    Gradients of touched windows are +-g on the two data sets, those of others h; in the second step
    all depend on whether the first output was large.
    """
    axis = np.arange(-14.0, 14.0, 0.1)
    first, second = np.meshgrid(axis, axis, indexing="ij")
    limit = rng.normal()
    g1, h1 = rng.uniform(-1, 1, 2)
    g2, h2 = rng.uniform(-1, 1, (2, 2))
    densities = []
    for sign in (1.0, -1.0):
        density = np.zeros_like(first)
        early, late = (many - 1) * windows, windows
        for i, w in enumerate(binomial(early, r)):
            for j, v in enumerate(binomial(late, r)):
                mean = sign * g1 * i + h1 * (early - i)
                high = (first > limit).astype(int)
                then = sign * g2[high] * j + h2[high] * (late - j)
                density += float(w * v) * np.exp(
                    -((first - mean) ** 2 + (second - then) ** 2) / (2 * sigma**2)
                )
        densities.append(density / (2 * np.pi * sigma**2) * 0.01)
    return divergences(*densities, ALPHAS)


SCHEMES = [
    {},
    {"top_level": "deterministic"},
    {"top_level": "shuffled"},
    {"top_level": "poisson"},
    {"top_level": "flat"},
    {"top_level": "flat", "bottom_level": "poisson"},
    {"top_level": "deterministic", "num_subsequences": 4},
    {"top_level": "deterministic", "bottom_level": "poisson"},
    {"top_level": "shuffled", "bottom_level": "poisson"},
]


def scenario(many, *, lengths=(20,), noise=None, batch_size=32, **sampling):
    return varied(
        TOY,
        series_lengths=lengths,
        batch_size=batch_size,
        noise=noise or Noise(noise_multiplier=2.0),
        steps=30,
        series_per_person=many,
        delta=1e-5,
        **sampling,
    )


def epsilons(one):
    account = account_for(one)
    below = 0.0 if account.lower is None else account.lower.quoted_epsilon_at(1e-5)
    return below, account.upper.quoted_epsilon_at(1e-5)


@pytest.mark.every(2)
@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_more_series_cost_more_and_bounds_stay_in_order(scheme):
    found = [epsilons(scenario(many, **scheme)) for many in (1, 2, 5)]
    for below, above in found:
        assert 0.0 < below <= above
    assert found[0][1] < found[1][1] < found[2][1]
    assert found[0][0] <= found[1][0] <= found[2][0]


@pytest.mark.parametrize(
    ("scheme", "said"),
    [
        (
            {"top_level": "deterministic", "num_subsequences": 600, "batch_size": 600},
            "at most 1,024",
        ),
        ({"num_subsequences": 2}, "num_subsequences is above 1"),
        ({"top_level": "poisson", "num_subsequences": 2}, "num_subsequences is above 1"),
        ({"bottom_level": "poisson"}, "come by coins"),
        (
            {"top_level": "deterministic", "bottom_level": "poisson", "lengths": (20, 30)},
            "one length",
        ),
    ],
)
def test_what_is_not_proven_is_refused(scheme, said):
    with pytest.raises(ScenarioError, match=said) as refused:
        guarantee_for(scenario(2, **scheme))
    assert refused.value.field == "series_per_person"
    guarantee_for(scenario(1, **scheme))


def test_series_of_several_lengths_attain_what_one_series_does():
    """What is exact of one series is not of three."""
    both = scenario(3, lengths=(20, 40))
    alone = guarantee_for(replace(both, relation=Relation())).lower
    assert alone.kind is Kind.TIGHT
    assert guarantee_for(both).lower == replace(alone, kind=Kind.LOWER)
    assert guarantee_for(both).upper == guarantee_for(scenario(3)).upper


@pytest.mark.parametrize(("many", "kind"), [(2, Kind.TIGHT), (3, Kind.LOWER)])
def test_poisson_windows_of_a_walk_are_exact_if_one_step_may_hold_all_series(many, kind):
    found = guarantee_for(
        scenario(many, top_level="deterministic", bottom_level="poisson", batch_size=2)
    )
    assert found.lower.kind_after_composition is kind
    assert (found.upper.kind is Kind.TIGHT) == (kind is Kind.TIGHT)


def test_noise_on_windows_amplifies_nothing_for_several_series():
    noisy = scenario(3, noise=Noise(noise_multiplier=2.0, forecast_noise=1.0))
    bound = guarantee_for(noisy)
    assert bound.lower == guarantee_for(replace(noisy, relation=Relation())).lower
    assert bound.upper.pair == guarantee_for(scenario(3)).upper.pair
    assert "no amplification by noise" in bound.upper.extension


def test_there_are_no_more_series_than_there_are():
    with pytest.raises(ScenarioError, match="it must be at most 320, the number of series"):
        scenario(321)
    with pytest.raises(ScenarioError, match="series_per_person"):
        scenario(2).with_rates()


def test_the_traffic_set_up_of_600_epochs():
    """As said in docs/tighter-bounds.md."""
    traffic = TRAFFIC
    run = varied(traffic, epochs=600)
    for many, below, above in ((1, 0.2032, 0.2345), (5, 1.1170, 1.2892), (20, 5.0481, 5.8468)):
        one = varied(run, series_per_person=many)
        account = account_for(one)
        assert account.upper.quoted_epsilon_at(1e-7) == pytest.approx(above, abs=1e-4)
        assert account.lower.quoted_epsilon_at(1e-7) == pytest.approx(below, abs=1.1e-4)


def test_hits_of_several_series_in_batches_of_the_sampler():
    """The count law by drawing, within five standard errors."""
    from dpviz.sampling import batches

    one = varied(scenario(4), steps=4000)
    hits = np.array(
        [
            np.count_nonzero((batch.series < 4) & (batch.starts >= 9) & (batch.starts <= 10))
            for batch in batches(one, np.random.default_rng(2))
        ]
    )
    assert one.relation.touched_windows(one.data) == 2
    weights = drawn_and_kept_law(320, 4, 32, 0.1).weights
    for count, weight in enumerate(weights[:3]):
        seen = np.mean(hits == count)
        assert abs(seen - weight) <= 5 * np.sqrt(weight * (1 - weight) / len(hits)) + 1e-9
