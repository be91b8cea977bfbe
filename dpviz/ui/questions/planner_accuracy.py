"""What a plan's noise is likely to cost in accuracy, and a trial at three noise levels."""

import streamlit as st

from dpviz.planning import ScenarioCurves
from dpviz.ui.page import page_file
from dpviz.ui.questions.planner_taken import budget_of, run_view
from dpviz.ui.questions.train_runs import START_AT_ONCE
from dpviz.ui.state import State, change
from dpviz.wording.accuracy_cost import accuracy_sentence

# Twelve runs are trained.
_MOST_STEPS, _SEEDS = 500, 3


def draw_accuracy(state: State, curves: ScenarioCurves) -> None:
    """Draw what the noise costs in accuracy, as far as it is known, and the button that tries it.

    Args:
        state: the visitor's.
        curves: what is proven of the plan.
    """
    found = curves.scenario
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(accuracy_sentence(found), width="stretch")
        if st.button(
            "Train at three noise levels",
            key="train_noise_levels",
            icon=":material/model_training:",
            help=f"Half σ, σ, twice σ and no privacy, {_SEEDS} seeds each, on made-up series, or "
            "on your file once you open it there. Makes the plan your settings; undo takes it "
            "back.",
        ):
            view = run_view(state, found, curves.epsilon_upper, budget_of(state))
            view |= {
                "training_chart": "compare",
                "compared_setting": "noise_multiplier",
                "compared_seeds": _SEEDS,
                "trained_steps": min(view["trained_steps"], _MOST_STEPS),
            }
            change(lambda _: found, view=view)
            # Made-up series are nobody's: there is nothing to ask before.
            st.session_state[START_AT_ONCE] = view["trained_on"] != "file"
            st.switch_page(page_file("train"))
