"""How the rows relate: which equal each other, and which lie above which."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.accounting import composed_curve
from dpviz.guarantees import (
    Kind,
    as_in_the_paper,
    deterministic_top_level,
    sampled_top_level,
)
from dpviz.guarantees.flat import one_bag
from dpviz.guarantees.poisson import poisson_deterministic, poisson_sampled
from dpviz.guarantees.weights import binomial_law
from dpviz.guarantees.with_replacement import coins_top_level, touched_mixture
from tests.accounting import exact_mixtures as exact

EPSILONS = np.array([0.0, 0.05, 0.3, 1.0, 2.0, 5.0])
# Of the grids chosen by the tolerance of epsilon at delta = 1e-7.
GRID = 0.01
ROUNDING = 1e-14


def epoch(windows, *, r=0.1, sigma=1.0, epochs=1):
    return deterministic_top_level(
        bottom_rate=r, noise_multiplier=sigma, epochs=epochs, subsequences=windows
    )


def step(windows, *, r=0.1, rho=0.1, sigma=1.0, steps=1):
    return sampled_top_level(
        bottom_rate=r, top_rate=rho, noise_multiplier=sigma, steps=steps, subsequences=windows
    )


def coins(windows, *, r=0.1, rho=0.1, sigma=1.0, steps=1):
    return coins_top_level(
        bottom_rate=r, top_rate=rho, noise_multiplier=sigma, steps=steps, subsequences=windows
    )


def poisson_step(k, p, *, rho=0.1, sigma=1.0, steps=1, by_coins=False):
    """Of a series of three times as many windows as touch the individual."""
    return poisson_sampled(
        touched=[(k, 3 * k, p)],
        top_rate=rho,
        noise_multiplier=sigma,
        steps=steps,
        by_coins=by_coins,
    )


def bag(k, *, sigma=1.0, steps=1):
    return one_bag(
        num_windows=100, batch_size=20, touched_windows=k, noise_multiplier=sigma, steps=steps
    )


def low(bound):
    return composed_curve(bound).delta_at(EPSILONS).low


def high(bound):
    return composed_curve(bound).delta_at(EPSILONS).high


def middle(bound):
    brackets = composed_curve(bound).delta_at(EPSILONS)
    return (brackets.low + brackets.high) / 2


@pytest.mark.parametrize(("r", "rho", "sigma"), [(0.1, 0.1, 1.0), (0.8, 0.5, 0.4), (1.0, 1.0, 3)])
def test_f_7_at_one_window_is_4_4(r, rho, sigma):
    """One component weighs rho r, the other the rest."""
    bound = step(1, r=r, rho=rho, sigma=sigma).lower
    of_f_7 = touched_mixture(binomial_law(1, r), sigma, reflected=False, rate=rho)
    assert sum(w for m, w in zip(of_f_7.means, of_f_7.weights, strict=True) if m == 2.0) == (
        pytest.approx(rho * r)
    )
    assert middle(replace(bound, pair=of_f_7)) == pytest.approx(middle(bound), rel=GRID, abs=1e-9)


@pytest.mark.every(4)
@pytest.mark.parametrize("windows", [1, 2, 8])
@pytest.mark.parametrize("r", [1e-6, 0.1, 0.9])
def test_drawing_every_series_is_an_epoch(r, windows):
    """At rho = 1 4.4 turns into 4.2, Proposition 2 into 1 and F.7 into 4.3, for any count."""
    for count in (1, 50):
        drawn = step(windows, r=r, rho=1.0, steps=count)
        walked = epoch(windows, r=r, epochs=count)
        assert drawn.upper.share == 1.0
        # Without a step that lacks the series its distance does not matter.
        same = drawn.upper.pair if windows == 1 else replace(drawn.upper.pair, absence=0.0)
        assert same == walked.upper.pair
        assert middle(drawn.upper) == pytest.approx(middle(walked.upper), rel=1e-12)
        assert drawn.lower.pair == walked.lower.pair


@pytest.mark.parametrize("k", [1, 5])
def test_drawing_every_series_of_poisson_windows_is_an_epoch(k):
    drawn = poisson_sampled(touched=[(k, 5, 0.2)], top_rate=1.0, noise_multiplier=1.0, steps=3)
    walked = poisson_deterministic(touched=[(k, 0.2)], noise_multiplier=1.0, epochs=3)
    assert drawn.upper.pair == drawn.lower.pair == walked.upper.pair
    assert drawn.upper.share == 1.0


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("windows", "r", "rho", "sigma"),
    [(2, 0.1, 0.1, 1.0), (4, 0.5, 0.3, 2.0), (8, 0.01, 0.9, 0.3), (3, 0.999, 0.01, 5.0)],
)
def test_lower_rows_lie_below_upper_rows(windows, r, rho, sigma):
    """As printed (E.1, F.1, F.2) in 40 digits for one unit; as shown for one and for several."""
    p = min(1.0, r)
    exact_pairs = (
        (exact.thm_4_3(windows, r, sigma), exact.thm_f_1(windows, r, 1.0, sigma)),
        (exact.thm_f_7(windows, r, rho, sigma), exact.thm_f_1(windows, r, rho, sigma)),
        (exact.thm_f_8(windows, p, rho, sigma), exact.thm_f_2(windows, p, rho, sigma)),
    )
    for below, above in exact_pairs:
        for epsilon in EPSILONS:
            assert below.delta(epsilon) <= above.delta(epsilon) * (1 + ROUNDING)
    for count in (1, 30):
        for guarantee in (
            epoch(windows, r=r, sigma=sigma, epochs=count),
            step(windows, r=r, rho=rho, sigma=sigma, steps=count),
            coins(windows, r=r, rho=rho, sigma=sigma, steps=count),
            poisson_step(windows, p, rho=rho, sigma=sigma, steps=count),
            bag(windows, sigma=sigma, steps=count),
        ):
            assert np.all(low(guarantee.lower) <= high(guarantee.upper))
            assert np.all(low(as_in_the_paper(guarantee.lower)) <= high(guarantee.upper))


@pytest.mark.parametrize("r", [0.01, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("sigma", [0.5, 1.0, 4.0])
def test_theorem_4_1_one_window_is_the_most_private_epoch(r, sigma):
    """Like with like, one epoch: the profile of 4.2 lies below 4.3's for every order."""
    one = exact.thm_4_3(1, r, sigma)
    for windows in (2, 4, 16):
        several = exact.thm_4_3(windows, r, sigma)
        for epsilon in (0.0, 0.3, 2.0, 8.0):
            assert one.delta(epsilon) <= several.delta(epsilon)
            assert one.delta(-epsilon) <= several.delta(-epsilon)


@pytest.mark.parametrize("touched", [[(1, 0.1)], [(8, 0.02)], [(5, 0.3), (9, 0.01)]])
@pytest.mark.parametrize("epochs", [1, 2, 100])
def test_e_8_is_tight_after_any_number_of_epochs(epochs, touched):
    """The pair is attained and mirrored at once: both curves bracket one value."""
    guarantee = poisson_deterministic(touched=touched, noise_multiplier=1.0, epochs=epochs)
    assert guarantee.upper.kind_after_composition is Kind.TIGHT
    assert guarantee.lower.kind_after_composition is Kind.TIGHT
    upper, lower = (composed_curve(bound) for bound in (guarantee.upper, guarantee.lower))
    above, below = upper.delta_at(EPSILONS), lower.delta_at(EPSILONS)
    assert np.all(np.maximum(above.low, below.low) <= np.minimum(above.high, below.high))
    quoted = [curve.quoted_epsilon_at(1e-7) for curve in (lower, upper)]
    assert quoted[0] <= quoted[1] <= quoted[0] * 1.005


@pytest.mark.parametrize(("k", "p", "rho"), [(1, 0.1, 0.1), (4, 0.3, 0.5), (8, 0.02, 0.9)])
def test_printed_f_8_is_weaker_than_the_one_shown(k, p, rho):
    """Against N(0) instead of the reflection: valid, but always below."""
    bound = poisson_step(k, p, rho=rho).lower
    printed = exact.thm_f_8_as_printed(k, p, rho, 1.0)
    shown = composed_curve(bound, interval=2e-3).delta_at(EPSILONS).low
    for epsilon, delta in zip(EPSILONS, shown, strict=True):
        assert delta > printed.larger_direction(epsilon)
