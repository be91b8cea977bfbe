"""What a link opens, and what has to be said of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpviz.scenario import DataShape, Pin, Scenario, ScenarioError, scenario_from_link, to_fields
from dpviz.scenario.errors import MISSING, shown_name
from dpviz.scenario.fields import FIELD_NAMES
from dpviz.scenario.pins import PIN_PARAMETERS, pins_from_query
from dpviz.settings import View
from dpviz.settings.view import VIEW_PARAMETERS, view_from_query

_MOST_UNKNOWN = 5
_KNOWN = FIELD_NAMES.union(PIN_PARAMETERS, VIEW_PARAMETERS)


@dataclass(frozen=True, kw_only=True)
class OpenedLink:
    """A link's state.

    Args:
        scenario: the link's, or the one before where the link has none.
        pins: those in the link.
        view: likewise.
        problems: what could not be used as given, one sentence each.
        notes: what else has to be known of it.
    """

    scenario: Scenario
    pins: tuple[Pin, ...]
    view: View
    problems: list[str]
    notes: list[str]


def opened_link(given: Mapping[str, Sequence[str]], before: Scenario) -> OpenedLink:
    """Return what a link opens beside the scenario that was there before.

    Args:
        given: the values of each parameter, in their order.
        before: takes the place of what the link lacks.
    """
    single = {name: values[-1] for name, values in given.items()}
    others = [name for name in (*PIN_PARAMETERS, *VIEW_PARAMETERS) if name in single]
    beside = {name: single.pop(name) for name in others}
    # A hostile link may hold thousands: what is too much is counted, not read.
    unknown = [name for name in single if name not in FIELD_NAMES]
    for name in unknown[_MOST_UNKNOWN:]:
        del single[name]
    scenario, problems = before, list[ScenarioError]()
    if single:  # a link may open pins beside whatever is there
        scenario, problems = scenario_from_link(single, before)
    pins, pin_problems = pins_from_query(beside)
    view, view_problems = view_from_query(beside)
    said = _on_scenario(scenario, problems)
    said += [f"From the link: {problem}" for problem in pin_problems]
    said += [f"From the link: {problem}{_used_instead(view, problem)}" for problem in view_problems]
    if len(unknown) > _MOST_UNKNOWN:
        more = len(unknown) - _MOST_UNKNOWN
        said.append(f"From the link: {more:,} more parameters have no such field.")
    return OpenedLink(
        scenario=scenario,
        pins=pins,
        view=view,
        problems=said + _on_repeated(given),
        notes=_on_file(scenario),
    )


def _on_scenario(scenario: Scenario, problems: list[ScenarioError]) -> list[str]:
    used = to_fields(scenario)
    shown = used.keys() - {"schema"}
    missing = [problem.field for problem in problems if problem.allowed == MISSING]
    said = [
        f"From the link: {problem}"
        + (f" {problem.field} = {used[problem.field]} is used." if problem.field in shown else "")
        for problem in problems
        if problem.field not in missing
    ]
    if missing:
        said.append(f"The link lacks {', '.join(missing)}: these keep the values that they had.")
    return said


def _used_instead(view: View, problem: ScenarioError) -> str:
    used = getattr(view, problem.field)
    return "" if used == "" else f" {problem.field} = {used} is used."


def _on_file(scenario: Scenario) -> list[str]:
    """Return what to say of a shape of which the file held more than a link does."""
    shape = scenario.data
    if not isinstance(shape, DataShape) or shape.longer_series_beyond is None:
        return []
    return [
        "These series come from a file, and only those lengths that decide are in the link: open "
        "the file again before you make windows longer or protect more values."
    ]


def _on_repeated(given: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what to say of parameters that a link has more than once, known ones first."""
    repeated = [name for name, values in given.items() if len(values) > 1]
    repeated.sort(key=_KNOWN.__contains__, reverse=True)
    told, others = repeated[:_MOST_UNKNOWN], repeated[_MOST_UNKNOWN:]
    sentences = [
        f"From the link: {shown_name(name)} is given {len(given[name]):,} times; the last one is "
        "used."
        for name in told
    ]
    if others:
        known = [name for name in others if name in _KNOWN]
        unknown = len(others) - len(known)
        names = ", ".join(known + [f"{unknown:,} that have no such field"] * bool(unknown))
        sentences.append(f"From the link: also given several times, the last one is used: {names}.")
    return sentences
