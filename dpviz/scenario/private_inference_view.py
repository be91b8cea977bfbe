"""The choices of the page that hides what a forecast reads."""

from dataclasses import dataclass
from typing import ClassVar

from dpviz.scenario.relation import LEVELS
from dpviz.scenario.view_part import ViewPart

HIDDEN_GIVEN = ("budget", "noise")
HIDDEN_MODELS = ("linear", "dlinear", "feedforward", "naive")
HIDDEN_RATES = (0.01, 1.0)
HIDDEN_EPSILONS = (0.01, 100.0)
HIDDEN_NOISES = (1e-3, 1e6)
HIDDEN_DELTAS = (1e-12, 0.01)
HIDDEN_WIDTHS = (1, 1000)
HIDDEN_CHANGES = (1e-3, 1e6)
HIDDEN_CONTEXTS = (1, 48)
HIDDEN_FORECASTS = (1, 365)
HIDDEN_STRIDES = (0, 100)
HIDDEN_SERIES = (1, 100)
LARGEST_HIDDEN_SEED = 10**9
HIDDEN_STUDIES = ("generated", "m3")
HIDDEN_STUDY_CONTEXTS = ("2", "8", "24")
HIDDEN_STUDY_WIDTHS = ("one", "all")
HIDDEN_TABLES = ("11", "12", "13")


@dataclass(frozen=True, kw_only=True)
class PrivateInferenceView(ViewPart):
    """How the context of a forecast is hidden, and what is shown of it.

    Args:
        hidden_given: whether a budget is given and noise is looked for, or the other way round.
        hidden_rate: r, the probability with which each value of the context is kept.
        hidden_epsilon: the budget of all forecasts together.
        hidden_noise: standard deviation on each kept value, where that is given.
        hidden_delta: failure probability.
        hidden_level: ``event`` or ``user``.
        hidden_width: w, values that one individual changes.
        hidden_change: v, by how much at most.
        hidden_context: L_C.
        hidden_forecasts: K, how many forecasts of the series are released.
        hidden_stride: time steps from one forecast to the next.
        hidden_model: who forecasts the example.
        hidden_series: which made-up series is drawn, from 1.
        hidden_seed: of values kept and noise.
        hidden_study: data of the table that was computed before.
        hidden_study_context: its L_C.
        hidden_study_width: its w: one value, or the whole context.
        hidden_table: number of the paper's table beside it.

    Raises:
        ScenarioError: a value is not allowed.
    """

    CHOICES: ClassVar = {
        "hidden_given": HIDDEN_GIVEN,
        "hidden_level": LEVELS,
        "hidden_model": HIDDEN_MODELS,
        "hidden_study": HIDDEN_STUDIES,
        "hidden_study_context": HIDDEN_STUDY_CONTEXTS,
        "hidden_study_width": HIDDEN_STUDY_WIDTHS,
        "hidden_table": HIDDEN_TABLES,
    }
    INTEGERS: ClassVar = {
        "hidden_width": HIDDEN_WIDTHS,
        "hidden_context": HIDDEN_CONTEXTS,
        "hidden_forecasts": HIDDEN_FORECASTS,
        "hidden_stride": HIDDEN_STRIDES,
        "hidden_series": HIDDEN_SERIES,
        "hidden_seed": (0, LARGEST_HIDDEN_SEED),
    }
    RANGES: ClassVar = {
        "hidden_rate": HIDDEN_RATES,
        "hidden_epsilon": HIDDEN_EPSILONS,
        "hidden_noise": HIDDEN_NOISES,
        "hidden_delta": HIDDEN_DELTAS,
        "hidden_change": HIDDEN_CHANGES,
    }

    hidden_given: str = "budget"
    hidden_rate: float = 0.5
    hidden_epsilon: float = 2.0
    hidden_noise: float = 20.0
    hidden_delta: float = 1e-4
    hidden_level: str = "event"
    hidden_width: int = 1
    hidden_change: float = 10.0
    hidden_context: int = 8
    hidden_forecasts: int = 1
    hidden_stride: int = 1
    hidden_model: str = "linear"
    hidden_series: int = 1
    hidden_seed: int = 1
    hidden_study: str = "generated"
    hidden_study_context: str = "8"
    hidden_study_width: str = "one"
    hidden_table: str = "11"
