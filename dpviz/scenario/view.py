"""What the pages show of a scenario: part of the link, but of no number's meaning.

New pages bring their choices as a part of their own (:mod:`dpviz.scenario.view_part`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any, ClassVar

from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.game_answers import answers_to
from dpviz.scenario.ledger_view import LedgerView
from dpviz.scenario.lesson_answers import (
    ALL_LESSONS,
    LESSONS,
    NO_LESSON,
    answers_by_lesson,
    lessons_in,
)
from dpviz.scenario.mechanism import MOST_STEPS
from dpviz.scenario.number_text import real_number
from dpviz.scenario.private_inference_view import PrivateInferenceView
from dpviz.scenario.protected_forecasts_view import ProtectedForecastsView
from dpviz.scenario.release_view import ReleaseView
from dpviz.scenario.staged_view import StagedView
from dpviz.scenario.sweep_view import SweepView
from dpviz.scenario.training_study_view import TrainingStudyView
from dpviz.scenario.training_view import TrainingView

CHARTS = ("curve", "training")
LENGTHS = ("step", "epoch", "ten-epochs", "run")
NOISE_CHARTS = ("curve", "map")
BAG_CHARTS = ("lengths", "curve")
FIGURES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "13")
MOST_PANELS = 32
GOALS = ("epsilon", "success", "hits")
SUCCESS_RANGE = (0.5001, 0.9999)
RATE_RANGE = (1e-6, 0.9999)
PRIOR_RANGE = (1e-6, 0.999999)
RATE_AXES = ("linear", "log")
REPORTED_TABLES = (*map(str, range(1, 14)), "figure-11", "figure-12")
MOST_REPORTED_COLUMNS = 16
REPORTED_WINDOWS = ("stated", "lags")
FREE_QUANTITIES = (
    "noise_multiplier",
    "training",
    "batch_size",
    "num_subsequences",
    "forecast_noise",
)
PLAN_CHARTS = ("curve", "map", "compare")
REGION_AXES = (
    "noise_multiplier",
    "training",
    "batch_size",
    "num_subsequences",
    "relation_width",
    "context_length",
    "forecast_noise",
)
REGION_LAYERS = ("epsilon", "noise")
EPSILON_RANGE = (1e-4, 1e3)
MOST_DRAWN_BATCHES = 2000
LARGEST_SEED = 10**9
SIMULATED_RUNS = (1000, 100_000)
MOST_SIMULATED_UNITS = 10
GAME_KINDS = ("certain", "drawn")
FIRST_DATES = (date(1800, 1, 1), date(2200, 12, 31))


@dataclass(frozen=True, kw_only=True)
class View(
    TrainingView,
    TrainingStudyView,
    ReleaseView,
    StagedView,
    ProtectedForecastsView,
    LedgerView,
    SweepView,
    PrivateInferenceView,
):
    """Choices of the pages beside the scenario.

    Args:
        chart: what the first page draws: delta against epsilon, or epsilon over training.
        target_epsilon: the budget whose end is looked for.
        fixed_epsilon: where delta is followed over training steps.
        compared_steps: after how many steps windows per series are compared; 0 for the run's.
        compared_length: after how much training the ways of choosing series are compared.
        noise_chart: what is drawn of noise on context and labels: curves, or a map of epsilon.
        bag_chart: how one bag of windows is compared: over window lengths, or over epsilon.
        first_date: the day that a drawn series begins on, such as ``2024-01-01``.
        figure: number of a figure of Schuchardt et al.
        panel: which part of that figure, from 0; beyond the last one, the last.
        goal: what a plan has to meet: the target epsilon, or a limit of an attacker's gain.
        target_success: how often an attacker may be right who finds both data sets equally likely.
        target_false_positive_rate: at this share of false alarms ...
        target_true_positive_rate: ... an attacker may have this share of hits.
        free_quantity: what a plan leaves open.
        plan_chart: what the plan is shown by: its curve, a map around it, or pinned runs.
        region_x: what varies across the map.
        region_y: what varies up the map.
        region_layer: what the map shows: epsilon, or the noise on a gradient.
        drawn_batch: number of the batch that is shown of a drawn run, from 1.
        drawing_seed: of the run that batches are shown of; the same seed gives the same batches.
        prior: how likely an attacker holds it beforehand that certain values are there.
        rate_axes: whether false alarms and hits are drawn on linear or logarithmic axes.
        simulated_runs: how many runs an attack is simulated on.
        simulated_units: how many steps each of them has; of walks, epochs.
        game_kind: whether what is guessed is in every batch, or drawn as in training.
        game_seed: of the guessing game; the same seed gives the same rounds.
        game_answers: what was guessed; see :mod:`dpviz.scenario.game_answers`.
        reported_table: number of a table of Schuchardt et al., or the name of a figure.
        reported_column: which column of that table, from 0; beyond the last one, the last.
        reported_windows: whether its models read the stated context, or DeepAR's lags, too.
        lesson: the lesson that is open: pages lead back to it; or all of them, to be printed.
        answers: what was predicted in lessons; see :mod:`dpviz.scenario.lesson_answers`.
        revealed: lessons whose truth has been looked at, likewise.
        present: 1 where pages are shown to a room: large, and without controls.

    Raises:
        ScenarioError: a value is not allowed.
    """

    CHOICES: ClassVar = {
        "chart": CHARTS,
        "compared_length": LENGTHS,
        "noise_chart": NOISE_CHARTS,
        "bag_chart": BAG_CHARTS,
        "figure": FIGURES,
        "goal": GOALS,
        "free_quantity": FREE_QUANTITIES,
        "plan_chart": PLAN_CHARTS,
        "region_x": REGION_AXES,
        "region_y": REGION_AXES,
        "region_layer": REGION_LAYERS,
        "rate_axes": RATE_AXES,
        "game_kind": GAME_KINDS,
        "reported_table": REPORTED_TABLES,
        "reported_windows": REPORTED_WINDOWS,
        "lesson": (NO_LESSON, *LESSONS, ALL_LESSONS),
    }
    INTEGERS: ClassVar = {
        "compared_steps": (0, MOST_STEPS),
        "panel": (0, MOST_PANELS),
        "drawn_batch": (1, MOST_DRAWN_BATCHES),
        "drawing_seed": (0, LARGEST_SEED),
        "simulated_runs": SIMULATED_RUNS,
        "simulated_units": (1, MOST_SIMULATED_UNITS),
        "game_seed": (0, LARGEST_SEED),
        "reported_column": (0, MOST_REPORTED_COLUMNS),
        "present": (0, 1),
    }
    RANGES: ClassVar = {
        "target_epsilon": EPSILON_RANGE,
        "fixed_epsilon": EPSILON_RANGE,
        "target_success": SUCCESS_RANGE,
        "target_false_positive_rate": RATE_RANGE,
        "target_true_positive_rate": RATE_RANGE,
        "prior": PRIOR_RANGE,
    }

    chart: str = "curve"
    target_epsilon: float = 10.0
    fixed_epsilon: float = 1.0
    compared_steps: int = 0
    compared_length: str = "run"
    noise_chart: str = "curve"
    bag_chart: str = "lengths"
    first_date: str = "2024-01-01"
    figure: str = "2"
    panel: int = 0
    goal: str = "epsilon"
    target_success: float = 0.6
    target_false_positive_rate: float = 0.01
    target_true_positive_rate: float = 0.02
    free_quantity: str = "noise_multiplier"
    plan_chart: str = "curve"
    region_x: str = "batch_size"
    region_y: str = "training"
    region_layer: str = "epsilon"
    drawn_batch: int = 1
    drawing_seed: int = 1
    prior: float = 0.5
    rate_axes: str = "linear"
    simulated_runs: int = 20_000
    simulated_units: int = 1
    game_kind: str = "certain"
    game_seed: int = 1
    game_answers: str = ""
    reported_table: str = "2"
    reported_column: int = 1
    reported_windows: str = "stated"
    lesson: str = NO_LESSON
    answers: str = ""
    revealed: str = ""
    present: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "first_date", _checked_date("first_date", self.first_date))
        answers_to(self.game_answers, "")  # refuses
        answers_by_lesson(self.answers)
        lessons_in(self.revealed)


def _checked_date(name: str, value: object) -> str:
    """Return a day as it is written in a link; a drawn series has to end before the year 10000."""
    try:
        day = date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        day = None
    # Python reads other spellings of a day, too, which a link would not give back.
    if day is None or day.isoformat() != value or not FIRST_DATES[0] <= day <= FIRST_DATES[1]:
        first, last = (limit.isoformat() for limit in FIRST_DATES)
        raise ScenarioError(name, value, f'it must be a day from {first} to {last}, "2024-01-31"')
    return day.isoformat()


_DEFAULT = View()
VIEW_PARAMETERS = tuple(field.name for field in fields(View))


def view_to_query(view: View) -> dict[str, str]:
    """Return the parameters of a link for what is not as at first."""
    return {
        name: str(getattr(view, name))
        for name in VIEW_PARAMETERS
        if getattr(view, name) != getattr(_DEFAULT, name)
    }


def view_from_query(query: Mapping[str, str]) -> tuple[View, list[ScenarioError]]:
    """Return a link's view, and an error for each parameter that is not used.

    >>> view, problems = view_from_query({"fixed_epsilon": "2", "chart": "pie"})
    >>> view.fixed_epsilon, [problem.field for problem in problems]
    (2.0, ['chart'])
    """
    values: dict[str, Any] = {}
    problems: dict[str, ScenarioError] = {}
    for name in VIEW_PARAMETERS:
        if (text := query.get(name)) is not None:
            try:
                values[name] = _read(name, text)
            except ScenarioError as problem:
                problems[name] = problem
    while True:
        try:
            view = replace(_DEFAULT, **values)
            break
        except ScenarioError as problem:  # of one field, whatever the others are
            problems[problem.field] = problem
            del values[problem.field]
    return view, [problems[name] for name in VIEW_PARAMETERS if name in problems]


def _read(name: str, text: str) -> Any:
    if isinstance(getattr(_DEFAULT, name), str):
        return text
    try:
        return real_number(text)
    except ValueError:
        raise ScenarioError(name, text, "it must be a number") from None
