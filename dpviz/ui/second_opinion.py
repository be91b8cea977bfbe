"""The same bound by another library, for who asks."""

from contextlib import suppress
from functools import partial

import streamlit as st

from dpviz.jobs import Limits, TooCostlyError
from dpviz.planning import ScenarioCurves
from dpviz.ui.compute import told_curves
from dpviz.ui.filling import draw_again, is_left_out, result_of
from dpviz.ui.shared import RESULTS, Part
from dpviz.wording.certificate import second_sentence

# The library takes seconds where dpviz takes milliseconds.
_SECOND_LIMITS = Limits(seconds=20.0)


def draw_second_opinion(curves: ScenarioCurves, side: str, *, key: str) -> None:
    """Draw what dp-accounting says of a bound, or the button that asks it.

    Args:
        curves: of the run.
        side: "upper" or "lower".
        key: the button's.
    """
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
        help="Composes the same bound with Google's library: seconds, not milliseconds. "
        "Any other click stops it.",
    ):
        with st.spinner("dp-accounting computes the same bound …"), suppress(TooCostlyError):
            result_of(part)
        draw_again()  # the answer takes the button's place
