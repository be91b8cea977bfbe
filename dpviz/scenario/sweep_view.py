"""The choices of the page about the results of a sweep."""

from dataclasses import dataclass
from typing import ClassVar

from dpviz.scenario.view_part import ViewPart

SWEEP_CHARTS = ("parallel", "scatter")
# Columns of a sweep's results that are numbers, and worth an axis.
SWEEP_AXES = (
    "epsilon_upper",
    "epsilon_lower",
    "noise_multiplier",
    "steps",
    "epochs",
    "count",
    "batch_size",
    "num_subsequences",
    "num_series",
    "context_length",
    "forecast_length",
    "top_rate",
    "bottom_rate",
    "context_noise",
    "forecast_noise",
    "relation_width",
    "delta",
)
MOST_SWEEP_ROWS = 200_000
SWEEP_EPSILONS = (1e-4, 1e6)


@dataclass(frozen=True, kw_only=True)
class SweepView(ViewPart):
    """What is shown of a sweep; the results themselves are in no link.

    Args:
        sweep_chart: all columns side by side, or one against another.
        sweep_x: the column across.
        sweep_y: the column upwards.
        sweep_most_epsilon: rows whose upper bound on epsilon is larger are left out.
        sweep_row: number of the row that is looked at; 0 for the first that is shown.

    Raises:
        ScenarioError: a value is not allowed.
    """

    CHOICES: ClassVar = {
        "sweep_chart": SWEEP_CHARTS,
        "sweep_x": SWEEP_AXES,
        "sweep_y": SWEEP_AXES,
    }
    RANGES: ClassVar = {"sweep_most_epsilon": SWEEP_EPSILONS}
    INTEGERS: ClassVar = {"sweep_row": (0, MOST_SWEEP_ROWS)}

    sweep_chart: str = "parallel"
    sweep_x: str = "noise_multiplier"
    sweep_y: str = "epsilon_upper"
    sweep_most_epsilon: float = 1e6
    sweep_row: int = 0
