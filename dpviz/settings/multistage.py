"""A draw in stages, and training on it."""

from dataclasses import dataclass

from dpviz.scenario.levels import levels_in, levels_text
from dpviz.scenario.mechanism import MOST_STEPS, NOISE_MULTIPLIER_RANGE
from dpviz.settings.grids import COUNTS, NOISE_MULTIPLIERS
from dpviz.settings.setting import ViewPart, choice, number, slider, text

LEAST_STAGES = 2


@dataclass(frozen=True, kw_only=True)
class StagedView(ViewPart):
    """The levels of a draw, and the episodes that are trained on."""

    staged_levels: str = text(
        "5:64,1:20",
        lambda field, value: levels_text(levels_in(field, value, LEAST_STAGES)),
        "Levels",
        help="Units drawn without replacement, of how many, in each unit drawn one level "
        "above. Of different sizes, give the smallest.",
        term="amplification",
    )
    staged_noise: float = number(
        1.0,
        NOISE_MULTIPLIER_RANGE,
        "Noise multiplier σ on an episode's sum",
        **slider(NOISE_MULTIPLIERS, "more accurate", "more private"),
        help="Standard deviation of the noise, in clipping norms.",
        term="sigma",
    )
    staged_episodes: int = number(
        1000,
        (1, MOST_STEPS),
        "Episodes K",
        **slider(COUNTS, "more private", "longer training"),
        help="Drawn anew, one noisy gradient each.",
        term="steps",
    )
    staged_example: str = choice(
        "two-classes",
        {
            "own": "my levels",
            "one-of-two": "1 of 2",
            "ten-of-hundred": "10 of 100",
            "two-classes": "1 of 2 classes, 5 of its 10",
        },
        "One episode of",
        help="Your levels and noise, or settings that refute the printed theorem.",
        term="amplification",
        is_looked_at=True,
    )
