"""What an answer rests on: the code, the certificate with a second opinion, and the theory."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial

import streamlit as st

from dpviz.export.code import command_line, python_code
from dpviz.export.table import Table
from dpviz.export.training_script import FILE_NAMES, training_script
from dpviz.jobs import Limits, TooCostlyError
from dpviz.planning import ScenarioCurves
from dpviz.planning.comparison import refusal
from dpviz.scenario import Scenario, ScenarioError
from dpviz.ui.compute import told_curves
from dpviz.ui.filling import is_left_out, result_of
from dpviz.ui.page import folded, folded_part, folded_text, hand_over, say
from dpviz.ui.results import RESULTS, Part
from dpviz.ui.state import page_address
from dpviz.ui.texts import text
from dpviz.ui.turns import draw_again
from dpviz.ui.widgets import menu
from dpviz.wording.certificate import certificate, second_sentence
from dpviz.wording.conditions import COVERED, line_in, training_conditions
from dpviz.wording.glossary import symbols_line
from dpviz.wording.protected_values import NOT_COVERED_BY_EPSILON_ALONE, not_covered

# A script is only looked at: its budget is of no effect.
_ANY_BUDGET = 1.0
_CODE_EPSILONS = (0.1, 1.0, 10.0)
_CODE_OF = "The commands and the program print the numbers of this run."
# The library takes seconds where dpviz takes milliseconds.
_SECOND_LIMITS = Limits(seconds=20.0)


def draw_code(
    runs: Sequence[tuple[str, Scenario]], false_positive_rates: Sequence[float] = ()
) -> None:
    """Draw the command lines and the Python that print the numbers of one of the runs."""
    folded_part("Show the code", "open_code", _draw_code, runs, false_positive_rates)


def _draw_code(runs: Sequence[tuple[str, Scenario]], rates: Sequence[float]) -> None:
    scenarios = dict(runs)
    name = runs[0][0]
    if len(runs) > 1:
        name = chosen_run(list(scenarios), explains=_CODE_OF)
    scenario = scenarios[name]
    hits = "Hits at these false alarms"
    if rates:
        risk = command_line(scenario, "risk", rates)
        _draw_blocks(
            (f"{hits}, and the advantage, from the command line:", risk, "bash"),
            (f"{hits}, from Python:", python_code(scenario, "risk", rates), "python"),
        )
    points = command_line(scenario, "delta", _CODE_EPSILONS)
    _draw_blocks(
        ("ε at this δ, from the command line:", command_line(scenario), "bash"),
        ("Points of the curve, δ at some ε:", points, "bash"),
        ("ε at this δ, from Python:", python_code(scenario), "python"),
    )


def _draw_blocks(*blocks: tuple[str, str, str]) -> None:
    """Draw captions, each with its code and the language of that."""
    for caption, code, language in blocks:
        st.caption(caption)
        st.code(code, language=language)


def folded_code(blocks: Callable[[], Iterable[tuple[str, str, str]]]) -> None:
    """Draw captions, each with its code and its language; made when it is looked at."""
    folded_part("Show the code", "open_code", lambda: _draw_blocks(*blocks()))


def offer_csv(label: str, table: Callable[[], Table], file: str, *, key: str | None = None) -> None:
    """Draw a button that hands over a table of its own, besides the chart's numbers."""
    hand_over(label, lambda: table().csv(), file, key=key)


def chosen_run(names: Sequence[str], explains: str) -> str:
    """Draw the choice of the run whose code is shown; return its name."""
    key = "dpviz_code_of"
    kept = st.session_state.get(key)
    name = kept if kept in names else names[0]
    menu(
        "Of which run",
        value=name,
        options=names,
        name=str,
        chosen=partial(st.session_state.__setitem__, key),
        key="code_of",
        explains=explains,
    )
    return str(name)


def _draw_second_opinion(curves: ScenarioCurves, side: str, *, key: str) -> None:
    """Draw what dp-accounting says of a bound, or the button that asks it."""
    part = Part(
        key=f"second {side} {told_curves(curves)}",
        compute=partial(second_sentence, curves, side),
        limits=_SECOND_LIMITS,
        is_long=True,
    )
    if is_left_out(part):
        st.markdown(
            f"dp-accounting takes more than {_SECOND_LIMITS.seconds:g} s for the {side} bound, "
            "which is more than this server gives one visitor."
        )
    elif (known := RESULTS.peek(part.key)) is not None:
        st.markdown(known)
    elif st.button(
        f"Check the {side} bound with dp-accounting",
        key=key,
        help="Google's library composes the same bound; it takes seconds.",
    ):
        with st.spinner("dp-accounting computes the same bound …"), suppress(TooCostlyError):
            result_of(part)
        draw_again()  # the answer takes the button's place


def draw_certificate(curves: ScenarioCurves, name: str = "", *, at: int = 0) -> None:
    """Draw what the numbers of a run rest on, and offer to see them by another library."""
    label = "What these numbers rest on" + (f": {name}" if name else "")
    which = f"_{at}" if at else ""
    with folded(label, key=f"open_certificate{which}") as is_open:
        if is_open:
            say(certificate(curves))
            for side in ("upper", "lower") if curves.lower is not None else ("upper",):
                _draw_second_opinion(curves, side, key=f"second_{side}{which}")


def draw_reading(name: str) -> None:
    """Draw a text on how to read a page, folded at first."""
    folded_text("How to read this, and where it comes from", "open_reading", lambda: text(name))


def draw_conditions(scenarios: Sequence[Scenario]) -> None:
    """Draw, folded, the conditions of what is proven of runs, if of any."""
    held = training_conditions(one for one in scenarios if not refusal(one))
    if not held:
        return

    def told() -> str:
        script = ""
        with suppress(ScenarioError):
            script = training_script(scenarios[0], kind="numpy", target_epsilon=_ANY_BUDGET)
        lines = []
        for key in sorted(held, key=COVERED.__contains__):
            lines.append(held[key] if key in COVERED else f"- {held[key]}")
            if (number := line_in(script, key)) is not None:  # where a script meets it
                line = script.splitlines()[number - 1].strip()
                lines[-1] += f" *{FILE_NAMES['numpy']}, line {number}:* `{line}`"
        return "\n\n".join(lines)

    # As statement and report count them: who is covered is no matter of the training.
    count = sum(key not in COVERED for key in held)
    label = f"Holds if your training meets {count} conditions"
    folded_text(label, "open_conditions", told)


def folded_conditions(told: Callable[[], str]) -> None:
    """Draw, folded, the conditions of what is proven of no training run."""
    folded_text("Conditions for these guarantees", "open_held", told)


def draw_theory() -> None:
    """Draw what symbols mean that no control has, and where all is from."""
    more = "All symbols: [Glossary](glossary). Sources and rounding: [Theorems](theorems)."
    folded_text(
        "What the symbols mean, and sources",
        "open_symbols",
        lambda: f"{symbols_line(page_address())}\n\n{more}",
    )


def draw_not_covered(curves: ScenarioCurves) -> None:
    """Draw who and what a run does not cover, a sentence each."""
    st.header("Who is not covered", anchor=False)
    say("\n".join(f"- {one}" for one in _sentences(curves)))


def draw_not_covered_line(curves: ScenarioCurves | None = None) -> None:
    """Draw the same as one line; of an epsilon alone, nobody has said what it protects."""
    if curves is None:
        names, link = [text(f"not_covered/{one}") for one in NOT_COVERED_BY_EPSILON_ALONE], ""
    else:
        names, link = list(_sentences(curves)), " [Why](protection)"
    leads = (one.split("**")[1].removesuffix(".") for one in names)
    told = "; ".join(f"{lead[0].lower()}{lead[1:]}" for lead in leads)
    st.markdown(f"**Not covered:** {told}.{link}")


def _sentences(curves: ScenarioCurves) -> Iterable[str]:
    for name, filled in not_covered(curves.scenario, curves.upper.bound):
        yield text(f"not_covered/{name}").strip().format(**filled)
