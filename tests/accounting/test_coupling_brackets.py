"""Coupled counts: brackets close over the whole domain, and hold the numbers of the prototype."""

import pytest

from dpviz.accounting import composed_curve
from dpviz.guarantees import Bound, deterministic_top_level, sampled_top_level
from dpviz.guarantees.flat import one_bag
from dpviz.guarantees.with_replacement import coins_top_level

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


def bag(windows, touched, batch, sigma, steps):
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
        (bag(6400, 2, 32, 1.0, 1000), 21.51),
        (bag(SERIES * POSITIONS, TOUCHED, BATCH, 4.0, STEPS), 0.638),
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
