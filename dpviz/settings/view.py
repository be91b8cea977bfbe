"""What all pages show beside the scenario: part of the link, but of no number's meaning."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.ledger import checked_run
from dpviz.scenario.number_text import real_number
from dpviz.settings.attacker import AttackerView
from dpviz.settings.curves import CurvesView
from dpviz.settings.lessons import LessonsView
from dpviz.settings.multistage import StagedView
from dpviz.settings.paper import PaperFiguresView, PaperTablesView, TrainingStudyView
from dpviz.settings.planner import PlannerView
from dpviz.settings.private_inference import PrivateInferenceView
from dpviz.settings.protected_forecasts import ProtectedForecastsView
from dpviz.settings.release import ReleaseView
from dpviz.settings.scenario import SCENARIO_SETTINGS
from dpviz.settings.setting import Setting, ViewPart, settings_of, text
from dpviz.settings.small_run import SmallRunView
from dpviz.settings.sweep import SweepView


@dataclass(frozen=True, kw_only=True)
class LedgerView(ViewPart):
    """A place for each run, empty or as :func:`dpviz.scenario.ledger.ledger_to_query` has it."""

    run_1: str = text("", checked_run, "Run 1 of the ledger")
    run_2: str = text("", checked_run, "Run 2 of the ledger")
    run_3: str = text("", checked_run, "Run 3 of the ledger")
    run_4: str = text("", checked_run, "Run 4 of the ledger")
    run_5: str = text("", checked_run, "Run 5 of the ledger")
    run_6: str = text("", checked_run, "Run 6 of the ledger")
    run_7: str = text("", checked_run, "Run 7 of the ledger")
    run_8: str = text("", checked_run, "Run 8 of the ledger")
    run_9: str = text("", checked_run, "Run 9 of the ledger")
    run_10: str = text("", checked_run, "Run 10 of the ledger")


@dataclass(frozen=True, kw_only=True)
class View(  # links name the settings of the last part first
    LessonsView,
    PaperTablesView,
    AttackerView,
    PlannerView,
    PaperFiguresView,
    CurvesView,
    SmallRunView,
    TrainingStudyView,
    ReleaseView,
    StagedView,
    ProtectedForecastsView,
    LedgerView,
    SweepView,
    PrivateInferenceView,
):
    """The settings of all pages; what concerns one page takes its part alone.

    Raises:
        ScenarioError: a value is not allowed.
    """


VIEW_SETTINGS = {one.name: one for one in settings_of(View)}
SETTINGS: Mapping[str, Setting] = SCENARIO_SETTINGS | VIEW_SETTINGS
_DEFAULT = View()
VIEW_PARAMETERS = tuple(VIEW_SETTINGS)


def view_to_query(view: View) -> dict[str, str]:
    """Return the parameters of a link for what is not as a link without it has it.

    >>> view_to_query(View(target_epsilon=4.0, ledger_budget=4.0))
    {'target_epsilon': '4.0'}
    """
    return {
        name: str(getattr(view, name))
        for name, one in VIEW_SETTINGS.items()
        if getattr(view, name) != getattr(view if one.instead else _DEFAULT, one.instead or name)
    }


def view_from_query(query: Mapping[str, str]) -> tuple[View, list[ScenarioError]]:
    """Return a link's view, and an error for each parameter that is not used.

    >>> view, problems = view_from_query({"fixed_epsilon": "2", "chart": "pie"})
    >>> view.fixed_epsilon, [problem.field for problem in problems]
    (2.0, ['chart'])
    >>> view_from_query({"target_epsilon": "4"})[0].ledger_budget
    4.0
    """
    values: dict[str, Any] = {}
    problems: list[ScenarioError] = []
    for name, one in VIEW_SETTINGS.items():
        if (text := query.get(name)) is not None:
            try:
                values[name] = one.checked(_read(one, text))
            except ScenarioError as problem:
                problems.append(problem)
    view = replace(_DEFAULT, **values)
    unnamed = {
        name: getattr(view, one.instead)
        for name, one in VIEW_SETTINGS.items()
        if one.instead and name not in values
    }
    return replace(view, **unnamed), problems


def _read(setting: Setting, text: str) -> Any:
    if isinstance(setting.default, str):
        return text
    try:
        return real_number(text)
    except ValueError:
        raise ScenarioError(setting.name, text, "it must be a number") from None


def option_of(name: str) -> str:
    """Return the option for a field of a scenario or a command's own setting.

    >>> option_of("num_subsequences"), option_of("batch_size")
    ('--subsequences', '--batch-size')
    """
    return SETTINGS.get(name, Setting(name=name)).option_name
