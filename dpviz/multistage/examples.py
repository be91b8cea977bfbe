"""Settings to begin with, and settings for which the printed theorem is false."""

from dataclasses import dataclass

from dpviz.multistage.draw import StagedDraw
from dpviz.multistage.one_episode import amplified_epsilon
from dpviz.scenario.levels import levels_in


@dataclass(frozen=True, kw_only=True)
class Example:
    """One episode at one epsilon.

    Args:
        draw: the levels.
        noise_multiplier: sigma.
        epsilon: of the episode, in nats.
    """

    draw: StagedDraw
    noise_multiplier: float
    epsilon: float


def draw_in(text: str) -> StagedDraw:
    """Return the draw that a text names.

    >>> draw_in("5:64,1:20").records
    5
    """
    return StagedDraw(levels=levels_in("levels", text))


# Levels by the name of the preset: what they are called is in dpviz.wording.
PRESET_LEVELS = {"episodes": "5:64,1:20", "schools": "4:50,2:10,3:25"}
_ONE_OF_TWO, _TEN_OF_HUNDRED = draw_in("1:2"), draw_in("10:100")
EXAMPLES = {
    "one-of-two": Example(
        draw=_ONE_OF_TWO,
        noise_multiplier=1.0,
        epsilon=amplified_epsilon(_ONE_OF_TWO.rate, 1.0),
    ),
    "ten-of-hundred": Example(
        draw=_TEN_OF_HUNDRED,
        noise_multiplier=2.0,
        epsilon=amplified_epsilon(_TEN_OF_HUNDRED.rate, 1.0),
    ),
    "two-classes": Example(draw=draw_in("1:2,5:10"), noise_multiplier=1.0, epsilon=1.0),
}
