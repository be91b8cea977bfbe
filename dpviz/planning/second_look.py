"""The same numbers by another library, for those who want to see them twice."""

from dataclasses import dataclass
from time import perf_counter

from dpviz.accounting.second_opinion import second_opinion
from dpviz.planning.curves import ProvenCurve, ScenarioCurves

SIDES = ("upper", "lower")
_LARGEST_INTERVAL = 1e-3  # what the main paper uses; the library's own default is 1e-4


@dataclass(frozen=True, kw_only=True)
class SecondEpsilon:
    """Epsilon of one bound as dp-accounting computes it: rounded up, and without a bracket.

    Args:
        epsilon: at the scenario's delta; ``None`` where the library finds none.
        interval: grid distance of the privacy loss, in nats.
        seconds: how long it took.
    """

    epsilon: float | None
    interval: float
    seconds: float


def second_look(curves: ScenarioCurves, side: str) -> SecondEpsilon:
    """Return epsilon of a scenario's upper or lower bound by the other library.

    Args:
        curves: what dpviz itself has found.
        side: "upper" or "lower".

    Raises:
        ValueError: the library cannot express this bound, or there is none, or ``side`` is
            neither of the two.

    >>> from dpviz.planning import curves_of
    >>> from dpviz.scenario import PRESETS
    >>> look = second_look(curves_of(PRESETS["toy"].scenario), "upper")
    >>> f"{look.epsilon:.3f}"
    '19.026'
    """
    if side not in SIDES:
        raise ValueError(f"side = {side!r} is not allowed: it must be 'upper' or 'lower'")
    curve: ProvenCurve | None = curves.upper if side == "upper" else curves.lower
    if curve is None:
        raise ValueError(f"no {side} bound is proven, so there is nothing to compare")
    began = perf_counter()
    interval = min(_LARGEST_INTERVAL, curve.interval)
    while True:
        try:
            opinion = second_opinion(curve.bound, interval=interval)
        except ValueError as problem:
            if "too fine" not in str(problem):
                raise
            interval *= 2.0
        else:
            break
    epsilon = opinion.epsilon_at(curves.scenario.delta)
    return SecondEpsilon(epsilon=epsilon, interval=interval, seconds=perf_counter() - began)
