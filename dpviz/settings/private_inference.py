"""How the context of a forecast is hidden, and what is shown of it."""

from dataclasses import dataclass

from dpviz.settings.grids import evenly, round_counts, round_numbers
from dpviz.settings.setting import ViewPart, choice, number, seed, slider, themselves
from dpviz.settings.small_run import MODELS, NETWORKS


@dataclass(frozen=True, kw_only=True)
class PrivateInferenceView(ViewPart):
    """The mechanism that hides what forecasts read, an example, and tables of results."""

    hidden_given: str = choice(
        "budget",
        {"budget": "The noise for an ε", "noise": "The ε of a noise"},
        "Solve for",
        help="Whether the noise follows from ε, or ε from the noise.",
    )
    hidden_rate: float = number(
        0.5,
        (0.01, 1.0),
        "Share of values kept r",
        **slider(evenly(0.05, 1.0, 0.01), "few values", "all"),
    )
    hidden_epsilon: float = number(
        2.0,
        (0.01, 100.0),
        "Budget ε of the forecasts",
        **slider(round_numbers(0.1, 32.0), "more private", "more accurate"),
        help="Of all released forecasts of a series together, for what they read. Training "
        "has its own budget.",
        term="epsilon",
    )
    hidden_noise: float = number(
        20.0,
        (0.001, 1e6),
        "Noise on each kept value",
        **slider(round_numbers(1.0, 200.0), "more accurate", "more private"),
        help="Standard deviation, in the data's unit.",
        term="hidden-context",
    )
    hidden_delta: float = number(
        0.0001,
        (1e-12, 0.01),
        "Failure probability δ of the forecasts",
        **slider(round_numbers(1e-9, 1e-3), "more private", "more accurate"),
        help="For all forecasts together.",
        term="delta",
    )
    hidden_level: str = choice(
        "event",
        {"event": "values in a row", "user": "any values"},
        "Values that change together",
        help="Values of one individual. For one forecast both cost the same.",
        term="changed-values",
    )
    hidden_width: int = number(
        1, (1, 1000), "Values that change w", **slider(round_counts(1, 48), "one value", "many")
    )
    hidden_change: float = number(
        10.0,
        (0.001, 1e6),
        "Largest change of a value v",
        **slider(round_numbers(0.1, 100.0), "small", "large"),
        help="In the data's unit; known beforehand, not read off the series.",
        term="changed-values",
    )
    hidden_context: int = number(
        8,
        (1, 48),
        "Context that is read L_C",
        **slider(round_counts(1, 48), "short", "long"),
        help="How many values one forecast reads.",
        term="hidden-context",
    )
    hidden_forecasts: int = number(
        1,
        (1, 365),
        "Forecasts released K",
        **slider(round_counts(1, 365), "one", "many"),
        help="Each with a mask and noise of its own; ε is for all together.",
        term="hidden-context",
    )
    hidden_stride: int = number(
        1,
        (0, 100),
        "Time steps from forecast to forecast",
        **slider(round_counts(0, 24), "same context", "far apart"),
        help="0: all read the same context. Overlapping contexts read a value several times.",
        term="hidden-context",
    )
    hidden_model: str = choice(
        "linear",
        {name: words for name, words in MODELS.items() if name not in NETWORKS},
        "Who forecasts",
        help="Trained without privacy on 100 made-up series; forecasts 100 others.",
    )
    hidden_series: int = number(
        1,
        (1, 100),
        "Context of series number",
        **slider(range(1, 101), "first", "last"),
        help="Which of the 100 made-up series is drawn.",
    )
    hidden_seed: int = seed(
        "Seed of the values kept and the noise",
        "The same seed gives the same values and noise. Real data have none.",
    )
    hidden_study: str = choice(
        "generated",
        {"generated": "Made-up series", "m3": "M3, monthly micro"},
        "Data",
        help="Half of the series are trained on, the other half forecast.",
        is_looked_at=True,
    )
    hidden_study_context: str = choice(
        "8",
        themselves("2", "8", "24"),
        "Context length L_C",
        help="Values that each forecast of the study reads.",
        term="hidden-context",
        is_looked_at=True,
    )
    hidden_study_width: str = choice(
        "one",
        {"one": "one value (w = 1)", "all": "the whole context (w = L_C)"},
        "Protected",
        help="One value of a context, or all of them.",
        term="changed-values",
        is_looked_at=True,
    )
    hidden_table: str = choice(
        "11",
        {"11": "Table 11: traffic", "12": "Table 12: electricity", "13": "Table 13: solar"},
        "Table of the paper",
        help="Each is of one data set; numbers are as printed.",
        is_looked_at=True,
    )
