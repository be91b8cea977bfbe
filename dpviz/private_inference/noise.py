"""The noise that hides contexts, by the exact accounting and by what the papers print."""

import math
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from dpviz.private_inference.plan import HidingPlan
from dpviz.release import analytic_noise, calibrated, change_on_grid, subsampled_delta
from dpviz.release.gaussian import smallest_epsilon
from dpviz.scenario.errors import ScenarioError, checked_real

NOISE_RANGE = (1e-12, 1e15)
ACCOUNTINGS = ("exact", "failure", "paper")
"""By the exact mean over the kept values; by Theorem 2 of Koga et al. with the tight noise of Balle
and Wang; by Theorem 2 with Corollary 3 as corrected, and the classical noise."""
# Numerical error of the chances below, relative; they are rounded up by it.
_TAIL_ERROR = 1e-9
# Where so small a part of delta is left to a failure, less of it gains no noise.
_NEGLIGIBLE = 1e-3
_TRIED = 21
# More than products and quotients of doubles lose to rounding.
_UP = 1.0 + 2.0**-50
COUNTS = (1, 2, 7, 30, 365)
RATES = tuple(step / 20 for step in range(1, 21))


@dataclass(frozen=True, kw_only=True)
class NeededNoise:
    """The noise on each kept value that one accounting asks for, in the data's unit, if any."""

    noise: float | None
    reason: str = ""


def exact_noise(plan: HidingPlan) -> NeededNoise:
    """Return the least noise that keeps to the budget.

    Raises:
        ScenarioError: delta is so large that no noise would be needed.

    >>> plan = HidingPlan(context_length=8, rate=0.5, max_change=10.0, epsilon=1, delta=1e-4)
    >>> round(exact_noise(plan).noise, 2), round(exact_noise(plain(plan)).noise, 2)
    (30.1, 31.86)
    """
    unit = calibrated(plan.unit_release, "subsample", "exact").noise
    return NeededNoise(noise=_scaled(unit, plan))


def plain(plan: HidingPlan) -> HidingPlan:
    """Return the plan with every value kept: the Gaussian mechanism."""
    return replace(plan, rate=1.0)


def noise_by_each(plan: HidingPlan) -> dict[str, NeededNoise]:
    """Return what each of :data:`ACCOUNTINGS` asks for; errors as of :func:`exact_noise`."""
    needed = exact_noise(plan), _with_failure(plan), _as_printed(plan)
    return dict(zip(ACCOUNTINGS, needed, strict=True))


def delta_of(plan: HidingPlan, noise: float, epsilon: float | None = None) -> float:
    """Return the delta that holds with a noise, rounded up; it is attained (exact accounting).

    The plan's delta has no effect, nor has its epsilon beside another one.
    """
    noise = checked_real("noise", noise, *NOISE_RANGE)
    at = plan.epsilon if epsilon is None else epsilon
    # Values are rounded to the noise's grid before noise is added, and may change by a part of its
    # step more then (docs/release.md, lemma 1). Less noise means more delta: rounded down.
    in_units = math.nextafter(noise / change_on_grid(plan.max_change, noise), 0.0)
    return subsampled_delta(at, plan.readings, plan.rate, in_units)


def epsilon_of(plan: HidingPlan, noise: float) -> float:
    """Return the least epsilon that holds with a noise at the plan's delta; infinity for none."""
    return smallest_epsilon(lambda epsilon: delta_of(plan, noise, epsilon), plan.delta)


def _with_failure(plan: HidingPlan) -> NeededNoise:
    """Let delta pay for more than I' kept readings, and noise hide I' (Koga et al., Theorem 2).

    By the definition of delta as a supremum over events, the failure counts with its whole chance:
    no corollary and no limit on epsilon is needed. The best of some I' is taken; none depends on
    data.
    """
    from scipy.stats import binom  # half a second, which pages need not wait for

    # I' from where the failure takes all of delta to where it takes little of it.
    first, last = (
        max(1, int(binom.isf(chance, plan.readings, plan.rate)))
        for chance in (plan.delta, _NEGLIGIBLE * plan.delta)
    )
    best = math.inf
    for kept in {*np.linspace(first, last, _TRIED).astype(int).tolist(), plan.readings}:
        failure = float(binom.sf(kept, plan.readings, plan.rate)) * (1.0 + _TAIL_ERROR)
        if failure < plan.delta:
            noise = analytic_noise(plan.epsilon, plan.delta - failure, math.sqrt(kept))
            best = min(best, noise)
    return NeededNoise(noise=_scaled(best, plan))


def _as_printed(plan: HidingPlan) -> NeededNoise:
    try:
        unit = calibrated(plan.unit_release, "subsample", "paper").noise
    except ScenarioError as problem:
        return NeededNoise(noise=None, reason=problem.allowed.split(";")[0])
    return NeededNoise(noise=_scaled(unit, plan))


def _scaled(unit: float, plan: HidingPlan) -> float:
    """Return noise in the data's unit that is at least ``unit`` in units of the largest change."""
    # The answer is less than twice as much, whose grid is no finer, and charges no less.
    change = change_on_grid(plan.max_change, 2.0 * unit * plan.max_change)
    # More noise than is needed hides more.
    return max(unit * change * _UP, NOISE_RANGE[0])


@dataclass(frozen=True, kw_only=True)
class AfterForecasts:
    """So many forecasts together.

    Args:
        readings: how often changed values are read, at most.
        epsilon: that holds with a given noise, at the plan's delta; infinity for none.
        noise: that the plan's epsilon takes; ``None`` where none would be needed, which hides
            nobody.
    """

    forecasts: int
    readings: int
    epsilon: float
    noise: float | None


def after_forecasts(
    plan: HidingPlan, noise: float, counts: tuple[int, ...] = COUNTS
) -> tuple[AfterForecasts, ...]:
    """Return what several numbers of forecasts cost, the plan's own among them.

    Numbers whose contexts cover, or read, more values than a plan may are left out.
    """
    found = []
    for count in sorted({*counts, plan.forecasts}):
        try:
            one = replace(plan, forecasts=count)
        except ScenarioError:
            continue
        epsilon = epsilon_of(one, noise)
        needed: float | None = None
        with suppress(ScenarioError):
            needed = exact_noise(one).noise
        found.append(
            AfterForecasts(forecasts=count, readings=one.readings, epsilon=epsilon, noise=needed)
        )
    return tuple(found)


@dataclass(frozen=True, kw_only=True)
class NoiseAtRate:
    """What each of :data:`ACCOUNTINGS` asks for at one rate.

    None does where delta is so large that no noise would be needed, which hides nobody.
    """

    rate: float
    noises: dict[str, NeededNoise]

    def by(self, accounting: str) -> float | None:
        """Return the noise of one accounting, in the data's unit; ``None`` where there is none."""
        return self.noises[accounting].noise if self.noises else None


def noise_over_rates(plan: HidingPlan, rates: tuple[float, ...] = RATES) -> tuple[NoiseAtRate, ...]:
    """Return the noise that each rate needs at a plan's budget, in increasing order of rates.

    Raises:
        ScenarioError: a rate is no probability above 0.
    """
    found = []
    for one in (replace(plan, rate=rate) for rate in sorted({*rates, plan.rate})):
        noises: dict[str, NeededNoise] = {}
        with suppress(ScenarioError):
            noises = noise_by_each(one)
        found.append(NoiseAtRate(rate=one.rate, noises=noises))
    return tuple(found)
