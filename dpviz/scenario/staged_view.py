"""The choices of the page about draws in stages."""

from dataclasses import dataclass
from typing import Any, ClassVar

from dpviz.scenario.levels import levels_in, levels_text
from dpviz.scenario.mechanism import MOST_STEPS, NOISE_MULTIPLIER_RANGE
from dpviz.scenario.view_part import ViewPart

STAGED_EXAMPLES = ("own", "one-of-two", "ten-of-hundred", "two-classes")
LEAST_STAGES = 2


def _checked_levels(field: str, value: Any) -> str:
    return levels_text(levels_in(field, value, LEAST_STAGES))


@dataclass(frozen=True, kw_only=True)
class StagedView(ViewPart):
    """A draw in stages, and training on it.

    Args:
        staged_levels: see :func:`dpviz.scenario.levels.levels_text`.
        staged_noise: sigma, in clipping norms.
        staged_episodes: how many are composed.
        staged_example: of which settings one episode is shown beside the printed claim.

    Raises:
        ScenarioError: a value is not allowed.
    """

    CHOICES: ClassVar = {"staged_example": STAGED_EXAMPLES}
    RANGES: ClassVar = {"staged_noise": NOISE_MULTIPLIER_RANGE}
    INTEGERS: ClassVar = {"staged_episodes": (1, MOST_STEPS)}
    TEXTS: ClassVar = {"staged_levels": _checked_levels}

    staged_levels: str = "5:64,1:20"
    staged_noise: float = 1.0
    staged_episodes: int = 1000
    staged_example: str = "two-classes"
