"""Which choices of the view are settings, and which page has them.

Undo and reset cover the settings. What is only looked at, such as which chart is drawn, and what
was answered in lessons and games, stays as it is when a change is taken back.
"""

from collections.abc import Mapping
from typing import Any

from dpviz.scenario.ledger import LEDGER_PARAMETERS
from dpviz.settings.lessons import ANSWERED
from dpviz.settings.multistage import StagedView
from dpviz.settings.private_inference import PrivateInferenceView
from dpviz.settings.protected_forecasts import ProtectedForecastsView
from dpviz.settings.release import ReleaseView
from dpviz.settings.setting import ViewPart, settings_of
from dpviz.settings.small_run import SmallRunView
from dpviz.settings.sweep import SweepView
from dpviz.settings.view import VIEW_SETTINGS, View

LOOKED_AT = frozenset(name for name, one in VIEW_SETTINGS.items() if one.is_looked_at)
CHANGEABLE = tuple(name for name in VIEW_SETTINGS if name not in LOOKED_AT)


def _settings_of(part: type[ViewPart]) -> tuple[str, ...]:
    return tuple(one.name for one in settings_of(part) if one.name not in LOOKED_AT)


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
    "train": (*_settings_of(SmallRunView), "target_epsilon"),
    "ledger": ("ledger_budget",),
    "sweep_results": _settings_of(SweepView),
    "epsilon_meaning": ("meant_epsilon", "typed_epsilon", "target_false_positive_rate", "prior"),
    "batch_drawing": ("drawing_seed",),
    "theory_check": (
        *("tested_settings", "simulated_runs", "simulated_units", "fixed_epsilon", "drawing_seed"),
    ),
}
# What stays as it is when a lesson opens settings of its own, and when it is left.
KEPT_BY_LESSONS = (*ANSWERED, *LEDGER_PARAMETERS)
# Nothing on these pages depends on the training scenario.
WITHOUT_SCENARIO = frozenset({"multistage", "release", "protected_forecasts", "private_inference"})


def changed_settings(before: View, now: View) -> dict[str, Any]:
    """Return what the settings that differ were before.

    >>> changed_settings(View(prior=0.25, chart="training"), View())
    {'prior': 0.25}
    """
    old, new = vars(before), vars(now)
    return {name: old[name] for name in CHANGEABLE if old[name] != new[name]}


def first_settings(page: str, first: View) -> Mapping[str, Any]:
    """Return what a page's own settings are in a view.

    >>> first_settings("sample_or_walk", View())
    {'compared_length': 'run'}
    """
    return {name: getattr(first, name) for name in PAGE_SETTINGS.get(page, ())}
