"""The noise that each rate of kept values needs."""

from dataclasses import dataclass, replace

from dpviz.private_inference.noise import NeededNoise, noise_by_each
from dpviz.private_inference.plan import HidingPlan
from dpviz.scenario.errors import ScenarioError

RATES = tuple(step / 20 for step in range(1, 21))


@dataclass(frozen=True, kw_only=True)
class NoiseAtRate:
    """What the accountings ask for at one rate.

    Args:
        rate: r.
        noises: by each of :data:`dpviz.private_inference.noise.ACCOUNTINGS`; empty where delta is
            so large that no noise would be needed, which hides nobody.
    """

    rate: float
    noises: tuple[NeededNoise, ...]

    def by(self, accounting: str) -> float | None:
        """Return the noise of one accounting, in the data's unit; ``None`` where there is none."""
        return next((one.noise for one in self.noises if one.accounting == accounting), None)


def noise_over_rates(plan: HidingPlan, rates: tuple[float, ...] = RATES) -> tuple[NoiseAtRate, ...]:
    """Return the noise that each rate needs at a plan's budget, in increasing order of rates.

    >>> plan = HidingPlan(context_length=8, rate=0.5, max_change=1.0, epsilon=1, delta=1e-4)
    >>> [round(one.by("exact"), 2) for one in noise_over_rates(plan, (0.5, 1.0))]
    [3.01, 3.19]
    """
    return tuple(_at(replace(plan, rate=rate)) for rate in sorted({*rates, plan.rate}))


def _at(plan: HidingPlan) -> NoiseAtRate:
    try:
        return NoiseAtRate(rate=plan.rate, noises=noise_by_each(plan))
    except ScenarioError:
        return NoiseAtRate(rate=plan.rate, noises=())
