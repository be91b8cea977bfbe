"""Which choices of the view are settings, and which page has them.

Undo and reset cover the settings. What is only looked at, such as which chart is drawn, and what
was answered in lessons and games, stays as it is when a change is taken back.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from dpviz.scenario.ledger import LEDGER_PARAMETERS
from dpviz.scenario.private_inference_view import PrivateInferenceView
from dpviz.scenario.protected_forecasts_view import ProtectedForecastsView
from dpviz.scenario.release_view import ReleaseView
from dpviz.scenario.staged_view import StagedView
from dpviz.scenario.sweep_view import SweepView
from dpviz.scenario.training_view import TrainingView
from dpviz.scenario.view import VIEW_PARAMETERS, View
from dpviz.scenario.view_part import ViewPart

_CHARTS = (
    "chart", "noise_chart", "bag_chart", "plan_chart", "training_chart", "sweep_chart",
    "region_layer", "rate_axes",
)  # fmt: skip
# Which figure, table, batch, row or series of many is drawn, of what is there anyway.
_SHOWN = (
    "figure", "panel", "reported_table", "reported_column", "reported_windows", "study_question",
    "study_data", "study_model", "hidden_study", "hidden_study_context", "hidden_study_width",
    "hidden_table", "staged_example", "drawn_batch", "sweep_row", "shown_series",
)  # fmt: skip
_ANSWERS = (
    "lesson", "answers", "revealed", "present", "game_kind", "game_seed", "game_answers",
)  # fmt: skip
LOOKED_AT = frozenset((*_CHARTS, *_SHOWN, *_ANSWERS))
SETTINGS = tuple(name for name in VIEW_PARAMETERS if name not in LOOKED_AT)


def _settings_of(part: type[ViewPart]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(part) if field.name not in LOOKED_AT)


_GOAL = (
    "goal", "target_epsilon", "target_success", "target_false_positive_rate",
    "target_true_positive_rate",
)  # fmt: skip
# By the page's address. The runs of the ledger are nobody's: they are kept by a reset.
PAGE_SETTINGS: dict[str, tuple[str, ...]] = {
    "privacy_curve": ("target_epsilon",),
    "subsequences": ("fixed_epsilon", "compared_steps"),
    "sample_or_walk": ("compared_length",),
    "protection": ("first_date",),
    "multistage": (*_settings_of(StagedView), "fixed_epsilon"),
    "release": _settings_of(ReleaseView),
    "protected_forecasts": _settings_of(ProtectedForecastsView),
    "private_inference": _settings_of(PrivateInferenceView),
    "planner": (*_GOAL, "free_quantity", "region_x", "region_y"),
    "train": (*_settings_of(TrainingView), "target_epsilon"),
    "ledger": ("target_epsilon",),
    "sweep_results": _settings_of(SweepView),
    "epsilon_meaning": ("target_false_positive_rate", "prior"),
    "batch_drawing": ("drawing_seed",),
    "theory_check": ("simulated_runs", "simulated_units", "fixed_epsilon", "drawing_seed"),
}
KEPT_BY_RESET = frozenset(LEDGER_PARAMETERS)
# Nothing on these pages depends on the training scenario.
WITHOUT_SCENARIO = frozenset({"multistage", "release", "protected_forecasts", "private_inference"})


def changed_settings(before: View, now: View) -> dict[str, Any]:
    """Return what the settings that differ were before.

    >>> changed_settings(View(prior=0.25, chart="training"), View())
    {'prior': 0.25}
    """
    if before is now:
        return {}
    old, new = vars(before), vars(now)
    return {name: old[name] for name in SETTINGS if old[name] != new[name]}


def first_settings(page: str, first: View) -> Mapping[str, Any]:
    """Return what a page's own settings are in a view.

    Args:
        page: its address; pages without settings of their own have none.
        first: the view.

    >>> first_settings("sample_or_walk", View())
    {'compared_length': 'run'}
    """
    return {name: getattr(first, name) for name in PAGE_SETTINGS.get(page, ())}
