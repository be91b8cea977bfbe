"""The choices of the page that trains a small forecaster."""

from dataclasses import dataclass
from typing import ClassVar

from dpviz.scenario.view_part import ViewPart

TRAINED_DATA = ("generated", "m3", "file")
TRAINED_MODELS = ("linear", "dlinear", "feedforward", "naive")
TRAINED_PRIVACY = ("private", "none")
TRAINED_NOISE = ("fit", "set")
TRAINING_CHARTS = ("run", "compare")
COMPARED_SETTINGS = ("num_subsequences", "forecast_noise", "top_level")
PANEL_SERIES = (10, 500)
PANEL_LENGTH = (20, 1000)
PANEL_PERIOD = (1, 200)
TRAINED_CONTEXT = (1, 400)
TRAINED_FORECAST = (1, 100)
TRAINED_BATCH = (1, 2000)
TRAINED_STEPS = (1, 20_000)
LEARNING_RATES = (1e-5, 1.0)
TRAINED_CHANGES = (1e-6, 1e6)
LARGEST_TRAINED_SEED = 10**9
COMPARED_SEEDS = (1, 5)
MOST_SHOWN_SERIES = 10_000


@dataclass(frozen=True, kw_only=True)
class TrainingView(ViewPart):
    """What is trained, on which data, and what is shown of it.

    Args:
        trained_on: a generated panel, the M3 competition's series, or a file.
        panel_series: number of generated series.
        panel_length: values of each of them.
        panel_period: time steps of a season; of a file's series, too.
        panel_seed: the same seed generates the same panel.
        trained_model: name of the forecaster.
        trained_privacy: whether noise is added and a budget kept to.
        trained_noise: whether the noise on gradients is fitted to the budget, or the scenario's.
        trained_context: L_C of the windows that are trained on.
        trained_forecast: L_F, likewise.
        trained_batch: Lambda, likewise.
        trained_change: v of the data that are trained on, in their unit.
        trained_steps: training steps asked for.
        learning_rate: of Adam.
        trained_seed: of batches and noise; of a file's series, none is used.
        training_chart: one run, or several beside each other.
        compared_setting: what they differ in.
        compared_seeds: how often each of them is trained.
        shown_series: which series' forecast is drawn, from 1; beyond the last one, the last.

    Raises:
        ScenarioError: a value is not allowed.
    """

    CHOICES: ClassVar = {
        "trained_on": TRAINED_DATA,
        "trained_model": TRAINED_MODELS,
        "trained_privacy": TRAINED_PRIVACY,
        "trained_noise": TRAINED_NOISE,
        "training_chart": TRAINING_CHARTS,
        "compared_setting": COMPARED_SETTINGS,
    }
    INTEGERS: ClassVar = {
        "panel_series": PANEL_SERIES,
        "panel_length": PANEL_LENGTH,
        "panel_period": PANEL_PERIOD,
        "panel_seed": (0, LARGEST_TRAINED_SEED),
        "trained_context": TRAINED_CONTEXT,
        "trained_forecast": TRAINED_FORECAST,
        "trained_batch": TRAINED_BATCH,
        "trained_steps": TRAINED_STEPS,
        "trained_seed": (0, LARGEST_TRAINED_SEED),
        "compared_seeds": COMPARED_SEEDS,
        "shown_series": (1, MOST_SHOWN_SERIES),
    }
    RANGES: ClassVar = {
        "trained_change": TRAINED_CHANGES,
        "learning_rate": LEARNING_RATES,
    }

    trained_on: str = "generated"
    panel_series: int = 200
    panel_length: int = 144
    panel_period: int = 12
    panel_seed: int = 1
    trained_model: str = "linear"
    trained_privacy: str = "private"
    trained_noise: str = "fit"
    trained_context: int = 24
    trained_forecast: int = 6
    trained_batch: int = 64
    trained_change: float = 10.0
    trained_steps: int = 500
    learning_rate: float = 0.01
    trained_seed: int = 1
    training_chart: str = "run"
    compared_setting: str = "num_subsequences"
    compared_seeds: int = 3
    shown_series: int = 1
