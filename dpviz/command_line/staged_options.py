"""What options ``python -m dpviz multistage`` has."""

from dpviz.command_line.option import Group, Option
from dpviz.command_line.options import EPSILON_RANGE
from dpviz.scenario.levels import MOST_LEVELS
from dpviz.scenario.mechanism import MOST_STEPS, NOISE_MULTIPLIER_RANGE

_LOW_NOISE, _HIGH_NOISE = NOISE_MULTIPLIER_RANGE
_LOW_EPSILON, _HIGH_EPSILON = EPSILON_RANGE
STAGED: list[Group] = [
    (
        "",
        [
            Option(
                field="level",
                metavar="DRAWN:SIZE",
                help="units drawn without replacement, and how many there are, in each unit of "
                f"the level above; once for each of 1 to {MOST_LEVELS} levels, the primary units "
                "first. Of several sizes: the smallest",
                allowed="DRAWN:SIZE, two whole numbers",
                many=True,
                is_text=True,
                repeats=True,
            ),
            Option(
                field="noise_multiplier",
                metavar="SIGMA",
                help="noise on the sum of clipped gradients: standard deviation in clipping norms",
                allowed=f"a number from {_LOW_NOISE:g} to {_HIGH_NOISE:g}",
            ),
            Option(
                field="episodes",
                metavar="K",
                help="how many episodes are composed (1 if absent)",
                allowed=f"a whole number from 1 to {MOST_STEPS:,}",
            ),
            Option(
                field="reading",
                metavar="HOW",
                help="sound: what is proven (if absent), or printed: the paper's claim, which is "
                "false for fixed numbers of units",
                allowed="one of sound, printed",
                is_text=True,
            ),
            Option(
                field="epsilon",
                metavar="E",
                help="one or more epsilons",
                allowed=f"a number from {_LOW_EPSILON:g} to {_HIGH_EPSILON:g}",
                many=True,
            ),
        ],
    )
]
