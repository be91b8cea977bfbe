"""What a visitor takes away or hands on: links, codes, statements, reports, training scripts."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any
from urllib.parse import SplitResult, quote, urlencode, urlsplit

import streamlit as st

from dpviz.accounting import Curve
from dpviz.export.qr_code import qr_code
from dpviz.export.report import ReportChart, check_packages, html_report
from dpviz.export.report_first_page import NO_REQUEST, Request
from dpviz.export.statement import privacy_statement
from dpviz.export.training_script import FILE_NAMES, training_script
from dpviz.figures.epsilon_lines import budget_chart
from dpviz.jobs import TooCostlyError
from dpviz.planning import ScenarioCurves
from dpviz.planning.attack_rates import Gain, attackers_gain
from dpviz.planning.target import AttackGoal, Goal, Target, reached_by
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.errors import MissingPackageError
from dpviz.series_file.any_layout import NO_NAMES
from dpviz.settings.destinations import PAGE_NAMES
from dpviz.settings.lessons import LESSONS, OWN
from dpviz.settings.view import VIEW_SETTINGS
from dpviz.ui.address import shared_query
from dpviz.ui.compute import budget_points, exact_curves, part_of
from dpviz.ui.filling import result_of
from dpviz.ui.lesson_links import open_lesson
from dpviz.ui.offered_file import planned_file
from dpviz.ui.page import folded, hand_over
from dpviz.ui.page_style import run_script
from dpviz.ui.results import Part
from dpviz.ui.state import State, page_address, session_state
from dpviz.ui.texts import plain, text
from dpviz.ui.widgets import text_box
from dpviz.wording.budget import budget_description
from dpviz.wording.numbers import capitalised
from dpviz.wording.setting_values import labelled
from dpviz.wording.training_length import too_costly_sentence


def show_drawing(svg: str, *, key: str) -> None:
    """Draw SVG markup. It becomes part of the page: never pass a visitor's words in it."""
    run_script("drawing", svg, key=key, width="stretch")


SHARE_MENU = "share"
# Names that lead somewhere else, or nowhere, in another network (RFC 6761, 6762, 8375 and use).
_OF_A_NETWORK = (".localhost", ".local", ".internal", ".lan", ".home", ".home.arpa", ".test")
# No larger than what is seen without scrolling.
_PLACE = '<div style="max-width: 66vh; margin: auto; background: #fff">{}</div>'
_LESSONS_PATH = "/lessons"


def shut_share_menu() -> None:
    """Shut the menu for what its buttons lead to, from which it would take the Escape key."""
    st.session_state[SHARE_MENU] = False


def public_address(url: str | None) -> str | None:
    """Return the app's address without the page; ``None`` where others could not open it.

    >>> public_address("https://dp.example.org/app/privacy_curve")
    'https://dp.example.org/app/'
    >>> public_address("http://localhost:8501/privacy_curve") is None
    True
    """
    parts = urlsplit(url or "")
    host = parts.hostname or ""
    if (address := _ip_address(host)) is None:
        is_public = "." in host and not host.rstrip(".").endswith(_OF_A_NETWORK)
    else:
        is_public = address.is_global
    return app_address(parts) if is_public and parts.scheme in ("http", "https") else None


def app_address(page: SplitResult) -> str:
    """Return the app's address, of that of a page.

    >>> app_address(urlsplit("http://192.168.0.7:8501/lessons"))
    'http://192.168.0.7:8501/'
    """
    folder = quote(page.path.rpartition("/")[0], safe="/%")
    return f"{page.scheme}://{page.netloc}{folder}/"


def _ip_address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:  # it is a name
        return None


def qr_button(state: State, *, disabled: bool = False) -> None:
    """Draw the button that shows the code."""
    if st.button(
        "QR code",
        key="qr_code",
        icon=":material/qr_code_2:",
        on_click=shut_share_menu,
        disabled=disabled,
    ):
        _show(state)


def shared_link(state: State, url: str) -> str:
    """Return the link for others: without what this visitor answered, and not presented.

    ``url`` is the page's address as the visitor's browser shows it, without its query.
    """
    lesson = open_lesson(state)
    if urlsplit(url).path.endswith(_LESSONS_PATH):
        told = {"class": state.view.class_code, "lesson": "" if lesson is None else lesson.name}
        query = urlencode({name: value for name, value in told.items() if value})
    else:
        own = {name: VIEW_SETTINGS[name].default for name in OWN}
        view = replace(state.view, present=0, **own)
        query = shared_query(state, view)
    return f"{url}?{query}" if query else url


def qr_drawing(link: str) -> str:
    """Return a link's code as markup for a page; arguments and errors as for :func:`qr_code`."""
    return _PLACE.format(qr_code(link))


def is_own_machine(url: str) -> bool:
    """Return whether nobody else can open an address.

    >>> is_own_machine("http://[::1]:8501/"), is_own_machine("http://localhost.example.org/")
    (True, False)
    """
    host = (urlsplit(url).hostname or "").rstrip(".")
    if (address := _ip_address(host)) is None:
        return f".{host}".endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def warn_of_own_machine(url: str) -> None:
    """Say so where nobody else can open an address."""
    if is_own_machine(url):
        st.warning(
            "This address is that of your own machine: others cannot open it. Open dpviz at the "
            "network address that it printed when it started, and show the code from there."
        )


@st.dialog("Open this page on your own device", width="medium")
def _show(state: State) -> None:
    url = st.context.url
    if url is None:
        st.info("Your browser has not told its address: copy the link instead.")
        return
    link = shared_link(state, url)
    try:
        show_drawing(qr_drawing(link), key="qr_drawing")
    except MissingPackageError as problem:
        st.info(f"This server makes no QR codes, as {problem}.")
    except ValueError as problem:
        st.info(str(problem))
    warn_of_own_machine(url)
    st.code(link, language=None, wrap_lines=True)
    if state.view.lesson in LESSONS:
        st.caption("Your own answers are not part of this link.")


_SCRIPT_NAMES = {
    "pytorch": "Training script, PyTorch",
    "opacus": "Training script, Opacus",
    "numpy": "Training script, NumPy",
}
_REQUEST = "dpviz_request"
_REQUEST_LABELS = {
    "organisation": "Organisation",
    "data_set": "Data set",
    "author": "Author",
    "series_word": "Your word for one series",
}
# While a script is only looked at for whether there is one, its budget is of no effect.
_ANY_BUDGET = 1.0
_NO_BUDGET = "No finite ε is proven of this training that it could stop at."


def gain_part(scenario: Scenario) -> Part[Gain]:
    """Return the part of a page that is what an attacker gains."""
    return part_of(attackers_gain, scenario)


def draw_take_away(curves: ScenarioCurves, *, closer: Curve | None = None) -> None:
    """Offer statement, report and scripts for a run; all are made when they are asked for."""
    with folded("Export: statement, report, training script", key="open_take_away") as is_open:
        if is_open:
            draw_request()
            no_budget = None if curves.epsilon_upper is not None else _NO_BUDGET
            draw_files(curves.scenario, closer=closer, no_budget=no_budget)


def draw_files(
    scenario: Scenario,
    *,
    goal: Goal | None = None,
    closer: Curve | None = None,
    no_budget: str | None = None,
) -> None:
    """Draw the buttons that hand the files over.

    Statement and report name the ``goal``. A script stops at its epsilon, or without one at what
    the whole run costs; ``no_budget`` is why there is neither.
    """
    target_epsilon = goal.epsilon if isinstance(goal, Target) else None
    attack = None if isinstance(goal, Target) else goal
    told: dict[str, Any] = {"closer": closer, "base_url": public_address(st.context.url)}
    request = replace(typed_request(), epsilon=target_epsilon)
    made = partial(_or_why_not, scenario, request, attack)
    used, no_report = planned_file(session_state()), _refusal(check_packages)
    refusals = {no_report: "report"}
    with st.container(horizontal=True):
        hand_over(
            "Privacy statement (Markdown)",
            partial(made, partial(privacy_statement, **told)),
            "dpviz-statement.md",
            "text/markdown",
            key="take_statement",
        )
        hand_over(
            "Report (HTML, works offline)",
            partial(made, partial(_report, **told)),
            "dpviz-report.html",
            "text/html",
            key="take_report",
            disabled=no_report is not None,
        )
        for kind, name in _SCRIPT_NAMES.items():
            script = partial(training_script, scenario, kind=kind)
            no_script = _refusal(partial(script, target_epsilon=_ANY_BUDGET)) or no_budget
            refusals[no_script] = "training script"
            hand_over(
                name,
                partial(
                    script,
                    target_epsilon=target_epsilon,
                    layout="auto" if used is None else used.lengths.layout,
                    columns=NO_NAMES if used is None else used.columns,
                ),
                FILE_NAMES[kind],
                "text/x-python",
                key=f"take_{kind}",
                disabled=no_script is not None,
            )
    for refusal, lacks in refusals.items():  # those of both scripts are mostly one
        if refusal is not None:
            st.caption(f"There is no {lacks}. {refusal}")
    st.caption(text("take_away"))


def _refusal(check: Callable[[], object]) -> str | None:
    """Return why there is no such file, if so."""
    try:
        check()
    except MissingPackageError as problem:
        return plain(f"This server makes none, as {problem}")
    except ScenarioError as problem:
        if problem.field == "max_change":
            return f"{plain(labelled(str(problem)))} {_where_change_is_set()}"
        # What names no value is about no setting of these: rates have no number of series.
        is_of_all = problem.value is None
        return plain(f"{capitalised(problem.allowed)}." if is_of_all else labelled(str(problem)))
    return None


def _where_change_is_set() -> str:
    name = PAGE_NAMES["label_noise"]
    if page_address() == "planner":
        return f"Set it here, under “{name}”."
    return f"Set it on [{name}](label_noise)."


def typed_request() -> Request:
    """Return for whom the visitor's documents are, as far as it was typed."""
    kept: Request = st.session_state.get(_REQUEST, NO_REQUEST)
    return kept


def draw_request() -> None:
    """Draw the boxes for whom the documents are; no link holds what is typed there."""
    kept = typed_request()

    def typed(name: str, words: Any) -> None:
        try:
            # Beside what is typed by now: another box may have been left just before.
            st.session_state[_REQUEST] = replace(typed_request(), **{name: words})
        except ScenarioError as problem:
            session_state().problems.append(labelled(str(problem)))

    with st.container(horizontal=True):
        for name, label in _REQUEST_LABELS.items():
            text_box(
                label, shows=getattr(kept, name), key=f"request_{name}", typed=partial(typed, name)
            )


def _or_why_not(
    scenario: Scenario, request: Request, attack: AttackGoal | None, make: Callable[..., str]
) -> str:
    """Return what is made of a run's curves and what an attacker gains, or why there is none."""
    try:
        if attack is not None:
            request = replace(request, attack=result_of(part_of(reached_by, scenario, attack)))
        return make(exact_curves(scenario), result_of(gain_part(scenario)), request=request)
    except TooCostlyError as problem:
        return f"{too_costly_sentence(scenario, str(problem))}\n"


def _report(curves: ScenarioCurves, gain: Gain, **told: Any) -> str:
    scenario = curves.scenario
    points = budget_points(scenario)
    over_training = ReportChart(
        figure=budget_chart(scenario, points),
        alt=budget_description(scenario, points),
        caption=text("training_caption"),
    )
    return html_report(curves, gain, made_on=date.today(), more_charts=[over_training], **told)
