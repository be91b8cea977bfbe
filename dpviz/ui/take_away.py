"""What a visitor takes away from a run: a statement, a report, a script to train with."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

import streamlit as st

from dpviz.accounting import Curve
from dpviz.export.report import ReportChart, check_packages, html_report
from dpviz.export.report_first_page import NO_REQUEST, Request
from dpviz.export.statement import privacy_statement
from dpviz.export.training_script import FILE_NAMES, training_script
from dpviz.figures.epsilon_lines import budget_chart
from dpviz.jobs import TooCostlyError
from dpviz.planning import ScenarioCurves
from dpviz.planning.attack_rates import Gain, attackers_gain
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.missing_package import MissingPackageError
from dpviz.settings import View
from dpviz.ui.compute import budget_points, exact_curves, part_of
from dpviz.ui.filling import result_of
from dpviz.ui.page import folded
from dpviz.ui.shared import Part
from dpviz.ui.sharing import public_address
from dpviz.ui.state import session_state
from dpviz.ui.texts import plain, text
from dpviz.ui.widgets import text_box
from dpviz.wording.budget import budget_description
from dpviz.wording.labels import labelled
from dpviz.wording.training_length import too_costly_sentence

_SCRIPT_NAMES = {"pytorch": "Training script, PyTorch", "numpy": "Training script, NumPy"}
_WHERE_CHANGE_IS_SET = (
    'It is set on the pages "Noise on windows" and "Who is protected", and on "Plan" '
    'under "Noise on context and labels".'
)
_REQUEST = "dpviz_request"
_REQUEST_LABELS = {
    "organisation": "Organisation",
    "data_set": "Data set",
    "author": "Author",
    "series_word": "Your word for one series",
}
# While a script is only looked at for whether there is one, its budget is of no effect.
_ANY_BUDGET = 1.0


def gain_part(scenario: Scenario) -> Part[Gain]:
    """Return the part of a page that is what an attacker gains."""
    return part_of(attackers_gain, scenario)


def draw_take_away(scenario: Scenario, *, closer: Curve | None = None) -> None:
    """Offer statement, report and scripts for a run; all are made when they are asked for.

    Args:
        scenario: the run.
        closer: its closer upper bound, where that is known.
    """
    with folded("Export: statement, report, training script", key="open_take_away") as opens:
        if opens:
            draw_request()
            draw_files(scenario, closer=closer)


def draw_files(
    scenario: Scenario, *, target_epsilon: float | None = None, closer: Curve | None = None
) -> None:
    """Draw the buttons that hand the files over.

    Args:
        scenario: the run.
        target_epsilon: the budget that a script stops at; what the whole run costs if absent.
        closer: see :func:`draw_take_away`.
    """
    address = public_address(st.context.url)
    # The one that pages begin with is nobody's requirement.
    goal = None if target_epsilon == View().target_epsilon else target_epsilon
    request = replace(typed_request(), epsilon=goal)
    with st.container(horizontal=True):
        st.download_button(
            "Privacy statement (Markdown)",
            lambda: _or_why_not(
                scenario,
                lambda: privacy_statement(
                    exact_curves(scenario),
                    result_of(gain_part(scenario)),
                    closer=closer,
                    request=request,
                    base_url=address,
                ),
            ),
            "dpviz-statement.md",
            "text/markdown",
            key="take_statement",
            on_click="ignore",
        )
        refusals = {_report_button(scenario, request, address, closer): "No report"}
        for kind, name in _SCRIPT_NAMES.items():
            refusals[_script_button(scenario, kind, name, target_epsilon)] = "No script"
    for refusal, lacks in refusals.items():  # those of both scripts are mostly one
        if refusal is not None:
            st.caption(f"{lacks}: {plain(refusal)}")
    st.caption(text("take_away"))


def typed_request() -> Request:
    """Return for whom the visitor's documents are, as far as it was typed."""
    kept: Request = st.session_state.get(_REQUEST, NO_REQUEST)
    return kept


def draw_request() -> None:
    """Draw the boxes for whom the documents are; no link holds what is typed there."""
    kept = typed_request()

    def typed(name: str, words: Any) -> None:
        try:
            st.session_state[_REQUEST] = replace(kept, **{name: words})
        except ScenarioError as problem:
            session_state().problems.append(labelled(str(problem)))

    with st.container(horizontal=True):
        for name, label in _REQUEST_LABELS.items():
            text_box(
                label, shows=getattr(kept, name), key=f"request_{name}", typed=partial(typed, name)
            )


def _report_button(
    scenario: Scenario, request: Request, address: str | None, closer: Curve | None
) -> str | None:
    """Draw the button; returns why there is no report, if so."""
    try:
        check_packages()
        refusal = None
    except MissingPackageError as problem:
        refusal = f"This server makes none, as {problem}"
    st.download_button(
        "Report (HTML, works offline)",
        lambda: _or_why_not(
            scenario, lambda: _report(exact_curves(scenario), request, address, closer)
        ),
        "dpviz-report.html",
        "text/html",
        key="take_report",
        disabled=refusal is not None,
        on_click="ignore",
    )
    return refusal


def _script_button(
    scenario: Scenario, kind: str, name: str, target_epsilon: float | None
) -> str | None:
    """Draw the button; returns why there is no such script, if so."""
    try:
        training_script(scenario, kind=kind, target_epsilon=_ANY_BUDGET)
        refusal = None
    except ScenarioError as problem:
        refusal = labelled(str(problem))
        if problem.field == "max_change":
            refusal += f" {_WHERE_CHANGE_IS_SET}"
    make: Callable[[], str] = partial(
        training_script, scenario, kind=kind, target_epsilon=target_epsilon
    )
    st.download_button(
        name,
        make,
        FILE_NAMES[kind],
        "text/x-python",
        key=f"take_{kind}",
        disabled=refusal is not None,
        on_click="ignore",
    )
    return refusal


def _or_why_not(scenario: Scenario, make: Callable[[], str]) -> str:
    """Return a document or, where it would cost too much, a sentence in its place."""
    try:
        return make()
    except TooCostlyError as problem:
        return f"{too_costly_sentence(scenario, str(problem))}\n"


def _report(
    curves: ScenarioCurves, request: Request, address: str | None, closer: Curve | None
) -> str:
    scenario = curves.scenario
    points = budget_points(scenario)
    over_training = ReportChart(
        figure=budget_chart(scenario, points),
        alt=budget_description(scenario, points),
        caption=text("training_caption"),
    )
    return html_report(
        curves,
        result_of(gain_part(scenario)),
        closer=closer,
        made_on=date.today(),
        request=request,
        base_url=address,
        more_charts=[over_training],
    )
