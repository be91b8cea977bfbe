"""What a number of released forecasts gives away together."""

from dataclasses import dataclass, replace

from dpviz.private_inference.noise import epsilon_of, exact_noise
from dpviz.private_inference.plan import HidingPlan
from dpviz.scenario.errors import ScenarioError

COUNTS = (1, 2, 7, 30, 365)


@dataclass(frozen=True, kw_only=True)
class AfterForecasts:
    """So many forecasts together.

    Args:
        forecasts: K.
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

    Args:
        plan: of one or more forecasts.
        noise: standard deviation on each kept value, in the data's unit.
        counts: other numbers of forecasts.
    """
    return tuple(
        _after(replace(plan, forecasts=count), noise) for count in sorted({*counts, plan.forecasts})
    )


def _after(plan: HidingPlan, noise: float) -> AfterForecasts:
    try:
        needed = exact_noise(plan).noise
    except ScenarioError:
        needed = None
    return AfterForecasts(
        forecasts=plan.forecasts,
        readings=plan.readings,
        epsilon=epsilon_of(plan, noise),
        noise=needed,
    )
