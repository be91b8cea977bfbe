"""What is shown of a sweep's results; they themselves are in no link."""

from dataclasses import dataclass

from dpviz.settings.grids import round_numbers
from dpviz.settings.scenario import SCENARIO_SETTINGS
from dpviz.settings.setting import ViewPart, choice, number, slider

# Columns of a sweep's results that have an axis: all on which a bound depends, and the bounds.
_OTHER_WORDS = {
    "epsilon_upper": "ε, upper bound",
    "epsilon_lower": "ε, lower bound",
    "count": "Units composed (steps or epochs)",
    "relation": "Where protected values lie",
    "relation_width": "Protected values w",
}
SWEEP_AXES = {
    name: _OTHER_WORDS.get(name) or SCENARIO_SETTINGS[name].title
    for name in (
        *("epsilon_upper", "epsilon_lower", "noise_multiplier", "steps", "epochs", "count"),
        *("batch_size", "num_subsequences", "num_series", "series_length", "context_length"),
        *("forecast_length", "top_level", "bottom_level", "top_rate", "bottom_rate"),
        *("context_noise", "forecast_noise", "relation", "relation_width", "series_per_person"),
        *("max_change", "num_channels", "delta", "longer_series_beyond", "steps_per_epoch"),
        *("forecast_share", "touched_windows", "start_positions"),
    )
}
MOST_SWEEP_ROWS = 200_000


@dataclass(frozen=True, kw_only=True)
class SweepView(ViewPart):
    """The chart of a sweep, and its rows; row 0 is the first that is shown."""

    sweep_chart: str = choice(
        "parallel",
        {"parallel": "All columns side by side", "scatter": "One against another"},
        "Show",
        named="What the chart of a sweep shows",
        help="One line per scenario across all columns that vary, or one column against another.",
        is_looked_at=True,
    )
    sweep_x: str = choice(
        "noise_multiplier",
        SWEEP_AXES,
        "Across",
        named="What is drawn across",
        help="The column on the horizontal axis.",
    )
    sweep_y: str = choice(
        "epsilon_upper",
        SWEEP_AXES,
        "Upwards",
        named="What is drawn upwards",
        help="The column on the vertical axis.",
    )
    sweep_most_epsilon: float = number(
        1e6,
        (1e-4, 1e6),
        "Rows with ε of at most",
        **slider(round_numbers(0.01, 1e6), "few rows", "all rows"),
        help="Rows with a larger upper bound are not drawn.",
        term="epsilon",
    )
    sweep_row: int = number(
        0,
        (0, MOST_SWEEP_ROWS),
        "Row to look at",
        help="Or click a line or a point.",
        is_looked_at=True,
    )
