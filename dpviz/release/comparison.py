"""Every mechanism's noise, its error, and what remains of the budget for heavier participation."""

import math
from dataclasses import dataclass

from dpviz.release.accuracy import ErrorSummary
from dpviz.release.calibration import Calibration, calibrated_all
from dpviz.scenario.release_settings import ReleaseSettings


@dataclass(frozen=True, kw_only=True)
class Weighed:
    """A mechanism, and what holds for who takes part more often.

    Args:
        calibration: mechanism and noise.
        more_steps: in how many steps somebody takes part who is in more than planned.
        more_epsilon: the least epsilon known for them at the same delta; infinity if there is none.
    """

    calibration: Calibration
    more_steps: int
    more_epsilon: float


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the page's table.

    Args:
        weighed: the mechanism.
        error: over repetitions; ``None`` while it is to come.
    """

    weighed: Weighed
    error: ErrorSummary | None


def weighed_all(settings: ReleaseSettings, factor: float) -> tuple[Weighed, ...]:
    """Return every mechanism that has an answer, for ``factor`` times as many steps.

    >>> found = weighed_all(ReleaseSettings(length=1800, participation=180), 2.0)
    >>> len(found), found[0].more_steps
    (8, 360)
    """
    # Nobody is in more steps than there are; the small number takes back what rounding added.
    steps = min(settings.length, math.ceil(settings.participation * factor - 1e-9))
    return tuple(
        Weighed(calibration=one, more_steps=steps, more_epsilon=one.epsilon_at(steps))
        for one in calibrated_all(settings)
    )


def proposition_1_epsilon(calibration: Calibration, more_steps: int) -> float | None:
    """Return the epsilon that Proposition 1 prints, the square root of c times the planned one.

    Its delta grows, too. Printed for the bounds of the paper with a filter; ``None`` for others.

    Args:
        calibration: mechanism and noise.
        more_steps: c I.
    """
    if (calibration.mechanism, calibration.accounting) != ("filter-subsample", "paper"):
        return None
    settings = calibration.settings
    return settings.epsilon * math.sqrt(more_steps / settings.participation)
