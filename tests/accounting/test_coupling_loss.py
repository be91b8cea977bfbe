"""Coupled counts: thresholds and loss against 40 digits, brackets and the prototype's numbers."""

from dataclasses import dataclass, replace

import mpmath as mp
import numpy as np
import pytest

from dpviz.accounting import composed_curve
from dpviz.accounting.buckets import UNIT_ROUNDOFF
from dpviz.accounting.coupling_thresholds import ThresholdSolver
from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.losses import CouplingLoss, loss_of
from dpviz.guarantees import Bound, CoupledPair, deterministic_top_level, sampled_top_level
from dpviz.guarantees.flat import one_bag
from dpviz.guarantees.weights import binomial_law, hypergeometric_law
from dpviz.guarantees.with_replacement import coins_top_level, coupled_counts
from tests.accounting import exact_coupling as exact
from tests.accounting import exact_mixtures


@dataclass(frozen=True, kw_only=True)
class Case:
    """A law of counts, sigma, rho and D."""

    pair: CoupledPair
    name: str


def drawn(windows, r, sigma, rho=1.0, absence=2.0):
    law = binomial_law(windows, r)
    pair = coupled_counts(law, sigma, rate=rho, absence=absence * windows)
    return Case(pair=pair, name=f"{windows}-{r}-{sigma}-{rho}-{absence}")


def bag(total, touched, size, sigma):
    pair = coupled_counts(hypergeometric_law(total, touched, size), sigma)
    return Case(pair=pair, name=f"bag-{total}-{touched}-{size}-{sigma}")


CASES = [
    drawn(1, 0.1, 1.0),
    drawn(1, 0.1, 1.0, 0.1),
    drawn(1, 0.1, 1.0, 0.1, absence=1.0),
    drawn(4, 0.1, 2.0),
    drawn(4, 0.01, 4.0, 0.3),
    drawn(4, 0.01, 4.0, 0.3, absence=1.0),
    drawn(8, 0.5, 0.3, 0.01),
    drawn(8, 1.0, 1.0, 0.1),
    drawn(3, 1e-8, 50.0, 1e-3, absence=1.0),
    drawn(6, 0.9, 20.0, 0.9),
    drawn(16, 0.05, 0.1),
    bag(12, 4, 3, 1.0),
    bag(9, 7, 5, 2.0),  # at least three touched
]


def edges_of(pair):
    largest = loss_of(pair, Rounding.UP).largest_resolved
    return np.append(0.0, np.geomspace(1e-4 * largest, largest, 199))


def numbers(row):
    return [mp.mpf(float(value)) for value in row]


def beyond(pair, outcomes):
    """Return both masses beyond located thresholds, with all digits."""
    absence = mp.inf if pair.rate == 1.0 else mp.mpf(float(outcomes[-1]))
    return exact.masses(pair, numbers(outcomes[:-1]), absence)


@pytest.mark.every(4)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_exact_test_is_the_best_one(case):
    """By weak duality: a value that a test has, and one that none exceeds, are the same."""
    for loss in edges_of(case.pair)[[0, 60, 120, 180]]:
        best = exact.best_test(case.pair, float(loss))
        assert exact.is_feasible(case.pair, best, 1e-30)
        dual = exact.dual_value(case.pair, float(loss), best)
        assert abs(dual - best.value) <= dual * mp.mpf(10) ** -12 + mp.mpf(10) ** -33


@pytest.mark.every(4)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_located_thresholds_certify_the_profile(case):
    """P beyond them - e^(loss - errors) Q beyond them is at least the profile, and no test's above.

    The first with all digits and no room but at loss 0, where no threshold can be taken lower.
    """
    edges, pair = edges_of(case.pair), case.pair
    loss_function = loss_of(pair, Rounding.UP)
    lowered, nearest = loss_function.located(edges, -1), loss_function.located(edges)
    with mp.workdps(exact.DIGITS):
        for at in (0, 1, 60, 120, 160, 190):
            loss = float(edges[at])
            best = exact.best_test(pair, loss).value
            first, second = beyond(pair, lowered.outcomes[:, at])
            error = 2 * mp.mpf(float(lowered.errors[at]))
            certified = first - mp.exp(mp.mpf(loss) - error) * second
            assert certified >= best * (1 - (at == 0) * mp.mpf(10) ** -20) - mp.mpf(10) ** -36
            first, second = beyond(pair, nearest.outcomes[:, at])
            reached = first - mp.exp(mp.mpf(loss)) * second
            assert reached <= best * (1 + mp.mpf(10) ** -11) + mp.mpf(10) ** -36
            assert reached >= best - 1e-11 * mp.exp(mp.mpf(loss)) * second


def absence_errors(pair, move=0.0):
    """Return losses, moved caps c of the thresholds, and what is said of R's weight there."""
    losses, solver = edges_of(pair)[[1, 40, 80, 120, 160, 190]], CouplingLoss(pair)._solver
    shared, begins = solver._unhindered(losses, solver._last(losses))
    c = solver._balanced(losses, shared, begins) + move
    spare = solver._spare(losses, shared, c)
    return losses, c, solver._absence_error(losses, spare, c)


# Where R counts for much: elsewhere, counts make up for what it has left over.
ABSENT = [case for case in CASES if case.pair.rate < 1.0]
R_COUNTS = [case for case in ABSENT if case.pair.noise_multiplier in (1.0, 50.0)]
R_COUNTS.append(drawn(4, 0.9, 2.0, 0.5))  # as much as the steps with the series


@pytest.mark.parametrize("case", ABSENT, ids=lambda case: case.name)
def test_something_is_lost_by_rounding_wherever_the_series_may_be_absent(case):
    assert (absence_errors(case.pair)[2] > 0.0).all()


@pytest.mark.parametrize("case", R_COUNTS, ids=lambda case: case.name)
def test_weight_of_the_absence_that_is_left_over_counts_twice(case):
    """Where the cap is as good as doubles are, that of rounding is covered, but for units of it.

    Of these all thresholds are given some. What is twice as much is more by what steps without any
    touched window have of the second distribution.
    """
    for loss, c, error in zip(*absence_errors(case.pair), strict=True):
        assert abs(exact.unused_absence(case.pair, loss, c)) <= error + 4.0 * UNIT_ROUNDOFF
        assert error <= 1e-11
    for move in (-1e-3, 1e-3):
        for loss, c, error in zip(*absence_errors(case.pair, move), strict=True):
            left = abs(exact.unused_absence(case.pair, loss, c))
            assert left * (2 - 1e-6) <= error <= 2.25 * left


@pytest.mark.every(4)
@pytest.mark.parametrize("move", [-1e-2, -1e-5, 1e-5, 1e-2])
@pytest.mark.parametrize("case", ABSENT, ids=lambda case: case.name)
def test_thresholds_that_are_off_tell_by_how_much(case, move, monkeypatch):
    """No test is better at the loss that they may have than they are at the one given."""
    balanced = ThresholdSolver._balanced
    monkeypatch.setattr(ThresholdSolver, "_balanced", lambda *args: balanced(*args) + move)
    losses, pair = edges_of(case.pair)[[1, 40, 80, 120, 160, 190]], case.pair
    thresholds, errors = CouplingLoss(pair)._solver.thresholds(losses)
    for loss, error, outcomes in zip(losses, errors, thresholds.T, strict=True):
        with mp.workdps(exact.DIGITS):
            first, second = beyond(pair, outcomes)
            told = first - mp.exp(mp.mpf(loss) - mp.mpf(error)) * second
            best = exact.best_test(pair, float(loss + error)).value
            assert told >= best * (1 - mp.mpf(10) ** -25) - mp.mpf(10) ** -60


@pytest.mark.parametrize("absence", [0.5, 1.0, 10.0, 100.0])
@pytest.mark.parametrize("ratio", [0.4, 0.7])
def test_thresholds_are_found_however_far_apart_the_counts_are(ratio, absence):
    """Where what single counts need of R, or have, is beyond the largest number."""
    distances = 12.9 * np.arange(41.0)
    weights = ratio ** np.arange(41.0)
    solver = ThresholdSolver(distances, weights / weights.sum(), 0.999, absence * distances[1])
    losses = np.append(0.0, np.geomspace(1e-6, 1e4, 160))
    for some in (losses, losses[[150]]):
        thresholds, errors = solver.thresholds(some)
        assert np.isfinite(thresholds).all()
        assert (errors <= 1e-8).all()


@pytest.mark.every(4)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_one_unit_lies_around_the_exact_profile(case):
    """Both ends of the bracket, after one step."""
    top = sampled_top_level(bottom_rate=0.1, top_rate=0.1, noise_multiplier=1.0, steps=1)
    curve = composed_curve(replace(top.upper, theorem="dpviz 2", pair=case.pair))
    losses = edges_of(case.pair)[[0, 60, 120]]
    bracket = curve.delta_at(losses)
    for low, high, loss in zip(bracket.low, bracket.high, losses, strict=True):
        best = exact.best_test(case.pair, float(loss)).value
        assert low <= best * (1 + mp.mpf(10) ** -11)
        assert high >= best * (1 - mp.mpf(10) ** -11)


@pytest.mark.parametrize(("r", "rho", "sigma"), [(0.1, 0.1, 1.0), (0.8, 0.5, 0.4), (1e-4, 0.3, 5)])
def test_one_window_without_replacement_is_theorem_4_4(r, rho, sigma):
    pair = coupled_counts(binomial_law(1, r), sigma, rate=rho, absence=2.0)
    q = mp.mpf(rho) * mp.mpf(r)
    closed = exact_mixtures.Exact(first={0: 1 - q, 2: q}, second={0: mp.mpf(1)}, sigma=sigma)
    for loss in (0.01, 0.3, 2.0):
        assert mp.almosteq(exact.best_test(pair, loss).value, closed.delta(loss), 1e-18)


@pytest.mark.parametrize(("r", "rho", "sigma"), [(0.1, 0.1, 1.0), (0.8, 0.5, 0.4), (1e-4, 0.3, 5)])
def test_one_window_by_coins_is_attained(r, rho, sigma):
    """By +1 and -1 on the individual's windows, -1 on the others of the series, 0 elsewhere."""
    pair = coupled_counts(binomial_law(1, r), sigma, rate=rho, absence=1.0)
    r, rho = mp.mpf(r), mp.mpf(rho)
    closed = exact_mixtures.Exact(
        first={-1: rho * (1 - r), 0: 1 - rho, 1: rho * r}, second={-1: rho, 0: 1 - rho}, sigma=sigma
    )
    for loss in (0.01, 0.3, 2.0):
        assert mp.almosteq(exact.best_test(pair, loss).value, closed.delta(loss), 1e-18)


DELTA = 1e-7
# Traffic: N, start positions, k, Lambda, steps.
SERIES, POSITIONS, TOUCHED, BATCH, STEPS = 862, 17_521, 120, 256, 12_000


def toy(build, windows):
    rate = (32 // windows) / 320
    return build(
        bottom_rate=0.1, top_rate=rate, noise_multiplier=1.0, steps=1000, subsequences=windows
    ).upper


def traffic(build, windows):
    return build(
        bottom_rate=TOUCHED / POSITIONS,
        top_rate=(BATCH // windows) / SERIES,
        noise_multiplier=4.0,
        steps=STEPS,
        subsequences=windows,
    ).upper


def one_bag_bound(windows, touched, batch, sigma, steps):
    return one_bag(
        num_windows=windows,
        batch_size=batch,
        touched_windows=touched,
        noise_multiplier=sigma,
        steps=steps,
    ).upper


def bracket_of(bound: Bound) -> tuple[float, float | None]:
    bracket = composed_curve(bound, at_delta=DELTA).epsilon_at(DELTA)
    return bracket.low, bracket.high


@pytest.mark.parametrize(
    ("bound", "epsilon"),
    [
        (toy(coins_top_level, 1), 3.73),
        (traffic(coins_top_level, 1), 0.531),
        (traffic(coins_top_level, 4), 1.088),
        (one_bag_bound(6400, 2, 32, 1.0, 1000), 21.51),
        (one_bag_bound(SERIES * POSITIONS, TOUCHED, BATCH, 4.0, STEPS), 0.638),
        (traffic(sampled_top_level, 2), 1.009),
        (traffic(sampled_top_level, 4), 2.242),
        (toy(sampled_top_level, 2), 55.5),
        (toy(sampled_top_level, 8), 199.3),
    ],
    ids=lambda value: str(value) if isinstance(value, float) else "",
)
def test_the_prototype_has_the_same_epsilon(bound, epsilon):
    """Computed in plain doubles, by dp-accounting, before any of dpviz's code was written."""
    low, high = bracket_of(bound)
    assert high is not None
    assert high - low <= 1e-3 * high
    assert (low + high) / 2 == pytest.approx(epsilon, rel=2e-3)


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("build", "windows", "r", "rho", "sigma"),
    [
        (sampled_top_level, 4, 1e-4, 0.3, 1.0),
        (sampled_top_level, 4, 1e-5, 0.01, 1.0),
        (sampled_top_level, 2, 1e-6, 0.3, 1.0),
        (sampled_top_level, 16, 1e-2, 0.01, 4.0),
        (coins_top_level, 16, 1e-3, 0.3, 2.0),
        (coins_top_level, 16, 1e-4, 0.01, 1.0),
        (sampled_top_level, 16, 1e-4, 0.1, 0.9),  # what a count needs of R overflows on the way
    ],
)
def test_brackets_close_at_small_rates(build, windows, r, rho, sigma):
    """Where a count that is rare is kept down by the step without the series."""
    bound = build(
        bottom_rate=r, top_rate=rho, noise_multiplier=sigma, steps=1000, subsequences=windows
    ).upper
    low, high = bracket_of(bound)
    assert high is not None
    assert high - low <= 1e-3 * high


@pytest.mark.every(3)
@pytest.mark.parametrize("windows", [64, 1000])
@pytest.mark.parametrize("r", [0.9, 1.0])
def test_the_least_noise_has_an_answer(windows, r):
    """Losses beyond any epsilon that is asked for count as revealing everything."""
    for bound in (
        deterministic_top_level(
            bottom_rate=r, noise_multiplier=0.1, epochs=1, subsequences=windows
        ).upper,
        sampled_top_level(
            bottom_rate=r, top_rate=0.1, noise_multiplier=0.1, steps=1, subsequences=windows
        ).upper,
    ):
        low, high = bracket_of(bound)
        assert low > 1000.0
        assert high is None or high >= low
