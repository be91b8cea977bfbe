"""What do several training runs on the same data give away together?"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import count
from typing import Any

import streamlit as st

from dpviz.export.comparison_tables import ledger_table
from dpviz.export.report import ledger_report
from dpviz.export.report_first_page import Request
from dpviz.figures.ledger import ledger_chart
from dpviz.jobs import Limits, TooCostlyError
from dpviz.planning.ledger import ROOM, Ledger, Room, Total, ledger, room_or_why_not, total_of
from dpviz.planning.target import Target
from dpviz.scenario import PRESETS, Scenario, ScenarioError, Training, to_json
from dpviz.scenario import ledger as ledgers
from dpviz.scenario.errors import MissingPackageError
from dpviz.scenario.ledger import MOST_RUNS, NamedRun
from dpviz.settings.view import view_to_query
from dpviz.ui import controls, data_controls, frame
from dpviz.ui.compute import part_of
from dpviz.ui.file_reading import file_box
from dpviz.ui.filling import fill_in, result_of
from dpviz.ui.number_control import view_number
from dpviz.ui.page import draw_progress, folded_part, hand_over, leading_button, say
from dpviz.ui.question import Answer, Question
from dpviz.ui.rests_on import draw_theory, folded_code
from dpviz.ui.sharing import draw_request, typed_request
from dpviz.ui.state import State, change, change_view
from dpviz.ui.texts import plain, text
from dpviz.ui.widgets import act_button, text_box
from dpviz.wording import ledger as words
from dpviz.wording.numbers import counted, joined
from dpviz.wording.proven_epsilon import TIERS_SOURCE
from dpviz.wording.setting_values import labelled

_Runs = Sequence[NamedRun]
_NAME = "ledger_name"
_NEXT = "the next run"
# So long its bar is waited for, which would go and come else.
_NEXT_SECONDS = 0.4
# It searches: of some long runs for more than two seconds.
_ROOM_LIMITS = Limits(seconds=8.0)
_TRAFFIC = PRESETS["traffic"].scenario
# Stands where a ledger has no run so far.
_EXAMPLE = (
    NamedRun(name="pilot", scenario=replace(_TRAFFIC, training=Training(unit="epochs", count=400))),
    NamedRun(name="main", scenario=_TRAFFIC),
)


def shown_runs(state: State) -> tuple[NamedRun, ...]:
    """Return the ledger's runs."""
    return ledgers.ledger_from_query(view_to_query(state.view))


def _change_runs(state: State, make: Callable[[_Runs], _Runs]) -> None:
    def choices() -> dict[str, Any]:
        runs = make(shown_runs(state))
        return dict.fromkeys(ledgers.LEDGER_PARAMETERS, "") | ledgers.ledger_to_query(runs)

    change_view(choices)


def _with_new(scenario: Scenario, before: _Runs, name: str = "") -> _Runs:
    """Return the runs with one more, under a free name if none is given."""
    return ledgers.with_run(before, NamedRun(name=name or _free_name(before), scenario=scenario))


def ledger_button(state: State, scenario: Scenario, what: str) -> None:
    """Draw the button that adds a plan or a run that was trained, and opens the ledger."""
    explains = "Makes it a run of the ledger, beside others on the same data."
    _adding_button(state, f"this {what}", what, partial(_with_new, scenario), explains)


def compared_button(state: State, trained: Mapping[str, Scenario]) -> None:
    """Draw the button that adds what runs cost together, by their names, and opens the ledger.

    A run of the ledger is all that were trained with one setting: there is no room for each.
    """

    def with_all(runs: _Runs) -> _Runs:
        for name, scenario in trained.items():
            free = _not_taken((name, *(f"{name}, {at}" for at in range(2, MOST_RUNS + 2))), runs)
            runs = _with_new(scenario, runs, free)
        return runs

    explains = "Adds a run for each setting, as long as all that were trained with it."
    _adding_button(state, "these runs", "compared", with_all, explains)


def _adding_button(
    state: State, what: str, key: str, make: Callable[[_Runs], _Runs], explains: str
) -> None:
    leading_button(
        f"Add {what} to the ledger",
        "ledger",
        partial(_change_runs, state, make),
        key=f"{key}_to_ledger",
        icon=":material/add:",
        explains=explains,
    )


def _free_name(runs: _Runs) -> str:
    return _not_taken((f"run {at}" for at in count(len(runs) + 1)), runs)


def _not_taken(names: Iterable[str], runs: _Runs) -> str:
    taken = {run.name for run in runs}
    return next(name for name in names if name not in taken)


def _add_control(state: State) -> None:
    runs = shown_runs(state)
    proposed = _free_name(runs)
    # A run whose windows nobody has chosen is none.
    is_full = len(runs) >= MOST_RUNS or bool(state.unchosen)

    def with_added(before: _Runs) -> _Runs:
        # Refused under the name by which the page tells what a budget leaves for it.
        ledgers.check_together([*before, _next_run(state, before)])
        return _with_new(state.scenario, before, st.session_state.get(_NAME, "") or proposed)

    def added() -> None:
        _change_runs(state, with_added)
        if not state.problems:
            st.session_state.pop(_NAME, None)  # what was typed is used up with the run

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        text_box(
            "Name of the run",
            shows=st.session_state.get(_NAME, ""),
            key="name_of_run",
            typed=partial(st.session_state.__setitem__, _NAME),
            placeholder=proposed,
            disabled=is_full,
            explains="In the ledger, its link and its files; empty, it is the one shown.",
        )
        act_button(
            "Add to the ledger",
            added,
            key="ledger_add",
            icon=":material/add:",
            primary=True,
            disabled=is_full,
            explains=f"Kept in the link: up to {MOST_RUNS} runs, all on the same data and about "
            "the same individual.",
        )


def _draw_run_rows(state: State) -> None:
    for place, run in enumerate(shown_runs(state)):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            text_box(
                f"Name of run {place + 1}",
                shows=run.name,
                key=f"ledger_rename_{place}",
                typed=partial(_rename, state, run),
                shows_label=False,
            )
            act_button(
                "Open",
                partial(change, partial(_at_same_delta, run.scenario), replaces=True),
                key=f"ledger_open_{place}",
                means=to_json(run.scenario),
                explains="Makes these the current settings, at the current δ; the run stays.",
            )
            act_button(
                "Remove",
                partial(_change_runs, state, partial(_replaced, run)),
                key=f"ledger_remove_{place}",
                # Another run may have come to stand here meanwhile.
                means=f"{run.name} {to_json(run.scenario)}",
                explains=plain(f"Remove {run.name}"),
            )


def _at_same_delta(kept: Scenario, before: Scenario) -> Scenario:
    return replace(kept, delta=before.delta)


def _replaced(run: NamedRun, before: _Runs, *instead: NamedRun) -> _Runs:
    # By what it was called: it may stand elsewhere by now, or be gone.
    return tuple(new for one in before for new in (instead if one == run else (one,)))


def _rename(state: State, run: NamedRun, name: str) -> None:
    def renamed(before: _Runs) -> _Runs:
        after = _replaced(run, before, NamedRun(name=name, scenario=run.scenario))
        ledgers.check_together(after)
        return after

    _change_runs(state, renamed)


def _file_controls(state: State) -> None:
    runs = shown_runs(state)

    def opened(content: bytes, _: str) -> None:
        read = ledgers.ledger_from_json(content, most=MOST_RUNS)
        _change_runs(state, lambda _: read)
        state.notes.append(f"The ledger of {counted(len(read), 'run')} was opened.")

    draw_request()
    hand_over(
        "Report of all runs (HTML, works offline)",
        # A download is made outside of a run of the page, where nothing that was typed is known.
        partial(_report, state, typed_request()),
        "dpviz-ledger-report.html",
        "text/html",
        key="ledger_report",
        disabled=not runs,
    )
    hand_over(
        "Save the ledger (JSON)",
        lambda: ledgers.ledger_to_json(runs),
        "dpviz-ledger.json",
        "application/json",
        key="ledger_save",
        disabled=not runs,
    )
    file_box(
        state,
        "Open a ledger (JSON)",
        ["json"],
        opened,
        name="ledger_file",
        explains="Replaces the runs above. It is read and not stored; "
        f"at most {MOST_RUNS} runs and {ledgers.LONGEST_LEDGER:,} bytes.",
        megabytes=1,
        refused="The ledger was not opened.",
    )


def _report(state: State, request: Request) -> str:
    target = state.view.ledger_budget
    try:
        found = _known_ledger(shown_runs(state), state.scenario.delta)
        return ledger_report(found, target, made_on=date.today(), request=request)
    except (ScenarioError, TooCostlyError, MissingPackageError) as problem:
        return f"There is no report: {labelled(str(problem))}\n"


def _next_run(state: State, runs: _Runs) -> NamedRun:
    """Return the current settings as a run under a name that none of the ledger's has."""
    name = _not_taken((_NEXT + "'" * at for at in count()), runs)
    return NamedRun(name=name, scenario=state.scenario)


def _with_next(state: State, runs: _Runs) -> Total | None:
    """Return the total with the next run, once it is known."""
    following = _next_run(state, runs)
    try:
        part = part_of(total_of, [*runs, following], state.scenario.delta)
        return fill_in([part], budget=_NEXT_SECONDS).results[0]
    except ScenarioError:  # told below, with what the budget leaves
        return None


def _draw_ledger(state: State, own: _Runs) -> bool:
    """Draw the total and the runs; return whether one is stated."""
    runs = own or _EXAMPLE
    # A link may hold runs that do not belong together: they can be removed all the same.
    try:
        found = _known_ledger(runs, state.scenario.delta)
    except (ScenarioError, TooCostlyError) as problem:
        is_stated = False
        st.error(plain(f"No total is stated. {labelled(str(problem))}"))
    else:
        is_stated = True
        budget = state.view.ledger_budget
        # Beside the example's runs the settings are nobody's next run.
        with_next = _with_next(state, own) if own else None
        headline = joined(
            words.ledger_headline(found, budget), words.next_sentence(found, with_next)
        )
        frame.draw_answer(
            headline=headline if own else f"{words.EXAMPLE}{headline}\n\n{words.EMPTY}",
            figure=lambda: ledger_chart(found, budget, with_next),
            made_of=[ledgers.ledger_to_json(runs), found.delta, budget, repr(with_next)],
            alt=words.ledger_description(found, with_next),
            key="ledger",
            finding=words.ledger_finding(found),
            caption=joined(text("ledger_caption").strip(), TIERS_SOURCE),
            height=max(300, 175 + 45 * len(runs)),
        )
        say(words.ledger_table(found))
    if own:
        st.header("The runs", anchor=False)
        _draw_run_rows(state)
    folded_part("Report, save or open the ledger", "open_ledger_file", _file_controls, state)
    return is_stated


def _draw_room(state: State, runs: _Runs) -> None:
    """Draw how long, or with how little noise, the current settings may train beside the runs."""
    target = Target(epsilon=state.view.ledger_budget, delta=state.scenario.delta)
    following = _next_run(state, runs)
    parts = [part_of(room_or_why_not, runs, following, quantity, target) for quantity in ROOM]
    filled = fill_in([replace(part, limits=_ROOM_LIMITS, is_long=True) for part in parts])
    st.header("What the budget leaves for the next run", anchor=False)
    lines = words.room_sentences(filled.results, target.epsilon, target.delta, len(runs))
    say(lines[0])
    for at, (quantity, line) in enumerate(zip(ROOM, lines[1:], strict=True)):
        room = filled.results[at]
        with st.container():  # always there, so that what is below stays the same
            say(line)
            if isinstance(room, Room):
                act_button(
                    "Use this as the next plan",
                    partial(change, partial(_at_same_delta, room.scenario)),
                    key=f"ledger_use_{quantity}",
                    means=to_json(room.scenario),
                    explains="Makes these the settings of all pages; *Add to the ledger* then "
                    "makes them its next run.",
                )
    draw_progress(filled.progress, "Searching …")


def _known_ledger(runs: _Runs, delta: float) -> Ledger:
    return result_of(replace(part_of(ledger, runs, delta), is_long=True))


def _answer(state: State) -> Answer:
    runs = shown_runs(state)
    if _draw_ledger(state, runs):
        _draw_room(state, runs)
    yield
    command = f"python -m dpviz ledger dpviz-ledger.json --delta {state.scenario.delta!r} --json"
    told = "Save the ledger as JSON; the command prints its total, and each run's:"
    folded_code(lambda: [(told, command, "bash")])
    draw_theory()


# Its runs are saved below them: the settings of the next one alone are not what the page is about.
QUESTION = Question(
    introduction="ledger_introduction",
    settings=(
        _add_control,
        view_number("ledger_budget"),
        lambda _: st.markdown("**The current settings, as the next run**"),
        controls.preset_control,
        controls.noise_control,
        controls.training_control,
        controls.folded_sampling,
        *data_controls.FOLDED,
    ),
    answer=_answer,
    table=lambda state: ledger_table(_known_ledger(shown_runs(state), state.scenario.delta)),
    file="dpviz-ledger.csv",
    is_saved=False,
    held=None,
)
