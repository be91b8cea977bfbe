"""How the context of a forecast is hidden, and what is shown of it."""

from dataclasses import dataclass

from dpviz.settings.attacker import SEEDS
from dpviz.settings.grids import evenly, round_counts, round_numbers
from dpviz.settings.setting import ViewPart, choice, number, themselves
from dpviz.settings.training import MODELS


@dataclass(frozen=True, kw_only=True)
class PrivateInferenceView(ViewPart):
    """The mechanism that hides what forecasts read, an example, and tables of results."""

    hidden_given: str = choice(
        "budget",
        {"budget": "A budget ε", "noise": "The noise"},
        "Given is",
        help="Whether the budget is given and the noise looked for, or the noise is given "
        "and epsilon looked for.",
    )

    hidden_rate: float = number(
        0.5,
        (0.01, 1.0),
        "Share of values kept r",
        grid=evenly(0.05, 1.0, 0.01),
        ends=("few values", "all"),
    )

    hidden_epsilon: float = number(
        2.0,
        (0.01, 100.0),
        "Budget ε of the forecasts",
        grid=round_numbers(0.1, 32.0),
        ends=("more private", "more accurate"),
        help="Privacy loss of all forecasts that are released of a series, together. It "
        "covers what they read; the model's training has a budget of its own.",
        term="epsilon",
    )

    hidden_noise: float = number(
        20.0,
        (0.001, 1e6),
        "Noise on each kept value",
        grid=round_numbers(1.0, 200.0),
        ends=("more accurate", "more private"),
        help="Standard deviation of the noise on each value that is kept, in the unit of the data.",
        term="hidden-context",
    )

    hidden_delta: float = number(
        0.0001,
        (1e-12, 0.01),
        "Failure probability δ of the forecasts",
        grid=round_numbers(1e-9, 1e-3),
        ends=("more private", "more accurate"),
        help="The chance with which the privacy loss may be larger than epsilon, for all "
        "forecasts together.",
        term="delta",
    )

    hidden_level: str = choice(
        "event",
        {"event": "values in a row", "user": "any values"},
        "Values that change together",
        help="Whether one individual changes values that follow each other, or any values "
        "of the series. For one forecast both cost the same.",
        term="changed-values",
    )

    hidden_width: int = number(
        1,
        (1, 1000),
        "How many values change, w",
        grid=round_counts(1, 48),
        ends=("one value", "many"),
    )

    hidden_change: float = number(
        10.0,
        (0.001, 1e6),
        "Largest change of each v",
        grid=round_numbers(0.1, 100.0),
        ends=("small", "large"),
        help="The most by which one individual changes a value, in the unit of the data. "
        "It must be known beforehand, not read off the series.",
        term="changed-values",
    )

    hidden_context: int = number(
        8,
        (1, 48),
        "Context that is read L_C",
        grid=round_counts(1, 48),
        ends=("short", "long"),
        help="How many values one forecast reads.",
        term="hidden-context",
    )

    hidden_forecasts: int = number(
        1,
        (1, 365),
        "Forecasts released K",
        grid=round_counts(1, 365),
        ends=("one", "many"),
        help="How many forecasts of the same series are released. Each hides its context "
        "with a mask and noise of its own; epsilon is for all of them.",
        term="hidden-context",
    )

    hidden_stride: int = number(
        1,
        (0, 100),
        "Time steps from forecast to forecast",
        grid=round_counts(0, 24),
        ends=("same context", "far apart"),
        help="Time steps between one forecast and the next; with 0 all of them read the "
        "same context. Overlapping contexts read a value several times.",
        term="hidden-context",
    )

    hidden_model: str = choice(
        "linear",
        MODELS,
        "Who forecasts",
        help="The model of the example. It is trained without privacy on 100 made-up "
        "series, and forecasts 100 others.",
    )

    hidden_series: int = number(
        1,
        (1, 100),
        "Context of series number",
        grid=range(1, 101),
        ends=("first", "last"),
        help="Which of the 100 made-up series is drawn.",
    )

    hidden_seed: int = number(
        1,
        SEEDS,
        "Seed of the values kept and the noise",
        help="The same seed keeps the same values and draws the same noise. For real data "
        "there is none.",
    )

    hidden_study: str = choice(
        "generated",
        {"generated": "Made-up series", "m3": "M3, monthly micro"},
        "Data",
        help="Data of the study that was computed before. Half of the series are trained "
        "on, the other half forecast.",
        is_looked_at=True,
    )

    hidden_study_context: str = choice(
        "8",
        themselves("2", "8", "24"),
        "Context length L_C",
        help="How many values each forecast of the study reads.",
        term="hidden-context",
        is_looked_at=True,
    )

    hidden_study_width: str = choice(
        "one",
        {"one": "one value (w = 1)", "all": "the whole context (w = L_C)"},
        "Protected",
        help="Whether one value of a context may change, or all of them.",
        term="changed-values",
        is_looked_at=True,
    )

    hidden_table: str = choice(
        "11",
        {
            "11": "Table 11: traffic",
            "12": "Table 12: electricity",
            "13": "Table 13: solar",
        },
        "Table of the paper",
        help="Which of the paper's tables on private forecasts is shown, as it is printed.",
        is_looked_at=True,
    )
