"""What a promise does not cover: a sentence on each, or all of it in one line."""

from collections.abc import Iterable

import streamlit as st

from dpviz.planning import ScenarioCurves
from dpviz.ui.texts import text
from dpviz.wording.protected_values import NOT_COVERED_BY_ANY, not_covered

_MARK = "**"


def draw_not_covered(curves: ScenarioCurves) -> None:
    """Draw who and what a run does not cover, a sentence each."""
    st.header("Who is not covered", anchor=False)
    st.markdown("\n".join(f"- {one}" for one in _sentences(curves)))


def draw_not_covered_line(curves: ScenarioCurves | None = None) -> None:
    """Draw the same as one line.

    Args:
        curves: of a run; ``None`` for what no epsilon covers, whatever it was promised of.
    """
    if curves is None:
        names, link = [text(f"not_covered/{name}") for name in NOT_COVERED_BY_ANY], ""
    else:
        names, link = list(_sentences(curves)), " [Why](protection)"
    leads = (one.split(_MARK)[1].removesuffix(".") for one in names)
    told = "; ".join(f"{lead[0].lower()}{lead[1:]}" for lead in leads)
    st.markdown(f"**Not covered:** {told}.{link}")


def _sentences(curves: ScenarioCurves) -> Iterable[str]:
    for name, filled in not_covered(curves.scenario, curves.upper.bound):
        yield text(f"not_covered/{name}").strip().format(**filled)
