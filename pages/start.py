"""What is structured subsampling?"""

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.figures.sampling_picture import sampling_panels
from dpviz.scenario import PRESETS
from dpviz.ui.address import current
from dpviz.ui.drawing import show_drawing
from dpviz.ui.page import require_router, show_messages
from dpviz.ui.state import START, change
from dpviz.ui.texts import text

QUESTIONS = {
    "how_to_choose": "How do I choose the settings?",
    "epsilon_meaning": "What does epsilon mean?",
    "glossary": "What does a symbol mean?",
    "lessons": "How do I learn or teach this?",
    "batch_drawing": "How is a batch drawn?",
    "protection": "Who is protected?",
    "subsequences": "How many windows per series?",
    "sample_or_walk": "Sample series, or walk through them?",
    "label_noise": "What does noise on context and labels buy?",
    "one_bag": "Is a stock accountant's promise true?",
    "multistage": "What does drawing in stages buy?",
    "train": "How accurate is a small model within my budget?",
    "ledger": "What do several runs cost together?",
    "sweep_results": "What do many settings show?",
    "release": "What does releasing one series give away?",
    "protected_forecasts": "What if the data themselves are protected?",
    "private_inference": "What does a forecast tell about what it reads?",
    "theory_check": "Does the theory hold?",
    "paper_figures": "What do the paper's figures say?",
    "paper_tables": "How well did private models forecast?",
    "training_study": "What did privacy cost in a thousand runs?",
    "theorems": "What do the theorems say?",
}

require_router()
state = current()

st.title("What does a forecasting model give away?", anchor=False)
show_messages(state)
st.markdown(text("start"))
for column, panel in zip(st.columns(3, border=True), sampling_panels(), strict=True):
    with column:
        st.markdown(f"**{panel.title}**")
        show_drawing(panel.svg, key=panel.title)
        st.caption(panel.caption)

with st.container(horizontal=True):
    if st.button("Plan your training", type="primary", icon=":material/tune:"):
        st.switch_page("pages/planner.py")
    if st.button("See how private a training run is", icon=":material/show_chart:"):
        st.switch_page("pages/privacy_curve.py")
st.markdown("Or ask one question:")
with st.container(horizontal=True):
    for page, question in QUESTIONS.items():
        st.page_link(f"pages/{page}.py", label=question)
st.markdown("Or start from one of the main paper's data sets:")
with st.container(horizontal=True):
    for name, preset in PRESETS.items():
        if preset.scenario != START and st.button(preset.title, key=f"start_{name}"):
            change(lambda _, chosen=preset.scenario: chosen, is_origin=True)
            st.switch_page("pages/privacy_curve.py")
