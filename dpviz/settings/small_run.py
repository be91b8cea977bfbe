"""What is trained on the page that trains a small forecaster, on which data."""

from dataclasses import dataclass

from dpviz.settings.grids import round_counts, round_numbers
from dpviz.settings.setting import ViewPart, choice, number, seed, slider

PANEL_PERIOD = (1, 200)
NETWORKS = {"recurrent": "recurrent network", "attention": "attention network"}
"""Models that need PyTorch."""
MODELS = {
    "linear": "linear",
    "dlinear": "DLinear",
    "feedforward": "feed-forward network",
    **NETWORKS,
    "naive": "seasonal naive (nothing is trained)",
}


@dataclass(frozen=True, kw_only=True)
class SmallRunView(ViewPart):
    """The data, model, budget and noise of a small run, and what is shown of it."""

    trained_on: str = choice(
        "generated",
        {"generated": "made up here", "m3": "M3 competition", "file": "a file"},
        "Data to train on",
        help="M3: monthly microeconomic series, where installed.",
        term="series",
    )
    panel_series: int = number(
        200,
        (10, 500),
        "Series in the panel N",
        **slider(round_counts(50, 500), "few", "many"),
        help="More series hide each one better.",
        term="series",
    )
    panel_length: int = number(
        144,
        (20, 1000),
        "Values of each series",
        **slider(round_counts(50, 1000), "short", "long"),
        help="The last two forecasts of each are kept from training.",
        term="series-length",
    )
    panel_period: int = number(
        12,
        PANEL_PERIOD,
        "Time steps of a season",
        **slider(round_counts(1, 52), "none", "long"),
        help="12 for months, 1 for none. The seasonal naive forecast repeats the last season.",
    )
    panel_seed: int = seed(
        "Seed of the panel", "The same seed gives the same series.", grid=round_counts(0, 100)
    )
    trained_model: str = choice(
        "linear",
        MODELS | {"naive": "seasonal naive"},
        "Model",
        help="Linear: a weighted sum of the context. DLinear: of its trend and the rest. "
        "Networks are small. Seasonal naive repeats the last season.",
    )
    trained_privacy: str = choice(
        "private",
        {"private": "within a budget", "none": "without privacy"},
        "Train",
        help="Within a budget, training ends before ε is exceeded. Without privacy: no "
        "clipping, no noise, no ε.",
        term="epsilon",
    )
    trained_noise: str = choice(
        "fit",
        {"fit": "as the budget needs", "set": "σ as set"},
        "Noise on gradients",
        help="The smallest σ that lasts for all steps, or your σ: training then ends with the "
        "budget.",
        term="sigma",
    )
    trained_context: int = number(
        24,
        (1, 2000),
        "Context of a window L_C",
        **slider((1, 6, 12, 24, 48, 96, 168, 336), "more private", "longer windows"),
        help="Values that one window reads; of this page alone.",
        term="context-length",
    )
    trained_forecast: int = number(
        6,
        (1, 500),
        "Forecast of a window L_F",
        **slider(round_counts(1, 48), "more private", "longer windows"),
        help="Values that one window predicts; of this page alone.",
        term="forecast-length",
    )
    trained_batch: int = number(
        64,
        (1, 10_000),
        "Batch size Λ",
        **slider(round_counts(16, 512), "more private", "less noise each"),
        help="Windows per batch; of this page alone.",
        term="batch-size",
    )
    trained_change: float = number(
        10.0,
        (1e-6, 1e6),
        "Largest change v in these data",
        **slider(round_numbers(0.1, 1000.0), "less", "more"),
        help="For noise on context and labels only, in the data's unit. Made-up values are "
        "about 20 to 500.",
        term="max-change",
    )
    trained_steps: int = number(
        500,
        (1, 100_000),
        "Training steps asked for",
        **slider(round_counts(50, 5000), "shorter", "longer"),
        help="How many batches are trained on, if the budget allows.",
        term="steps",
    )
    learning_rate: float = number(
        0.01,
        (1e-5, 1.0),
        "Learning rate",
        **slider(round_numbers(1e-4, 1.0), "slow", "fast"),
        help="Of Adam. Trying several on private data costs privacy.",
    )
    trained_seed: int = seed(
        "Seed of the training",
        "Who knows it can subtract the noise: for made-up or public data only. A file has none.",
        grid=round_counts(0, 100),
    )
    training_chart: str = choice(
        "run",
        {"run": "One run", "compare": "Compare runs"},
        "Show",
        named="What is trained",
        help="One run, or several that differ in one setting.",
        is_looked_at=True,
    )
    compared_setting: str = choice(
        "num_subsequences",
        {
            "num_subsequences": "λ = 1, 4, 16",
            "forecast_noise": "σ_F = 0, 1, 2, 5",
            "top_level": "how series are chosen",
            "noise_multiplier": "half σ, σ, twice σ",
        },
        "Compare",
        help="What differs between the runs.",
    )
    compared_seeds: int = number(
        3,
        (1, 5),
        "Runs of each (seeds)",
        **slider((1, 2, 3, 4, 5), "one", "surer"),
        help="Each with other batches and noise; shown are mean and range.",
    )
    shown_series: int = number(
        1,
        (1, 10_000),
        "Forecast of series number",
        ends=("first", "last"),
        help="Whose forecast is drawn. The error is of all series.",
        term="series",
        is_looked_at=True,
    )
