"""The commands and the program that print the numbers of a page."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dpviz.export.code import command_line, python_code
from dpviz.scenario import Scenario
from dpviz.ui.choice import menu
from dpviz.ui.page import folded

_CODE_EPSILONS = (0.1, 1.0, 10.0)
_CODE_OF = "The commands and the program print the numbers of this run."


def draw_code(
    runs: Sequence[tuple[str, Scenario]], false_positive_rates: Sequence[float] = ()
) -> None:
    """Draw the command lines and the Python that print the same numbers.

    Args:
        runs: by the names that the page has for them; one of them is shown.
        false_positive_rates: where the page tells an attacker's true positive rates.
    """
    with folded("Show the code", key="open_code") as is_open:
        if not is_open:
            return
        scenarios = dict(runs)
        name = runs[0][0]
        if len(runs) > 1:
            name = chosen_run(list(scenarios), explains=_CODE_OF)
        scenario = scenarios[name]
        if false_positive_rates:
            st.caption("Hits at these false alarms, and the advantage, from the command line:")
            st.code(command_line(scenario, "risk", false_positive_rates), language="bash")
            st.caption("Hits at these false alarms, from Python:")
            st.code(python_code(scenario, "risk", false_positive_rates), language="python")
        st.caption("ε at this δ, from the command line:")
        st.code(command_line(scenario), language="bash")
        st.caption("Points of the curve, δ at some ε:")
        st.code(command_line(scenario, "delta", _CODE_EPSILONS), language="bash")
        st.caption("ε at this δ, from Python:")
        st.code(python_code(scenario), language="python")


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
