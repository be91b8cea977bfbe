"""The dashboard: ``streamlit run app.py``."""

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.acts import PAGE, answering_acts
from dpviz.ui.page import mark_as_routed, tighten_layout
from dpviz.ui.server import prepare_server
from dpviz.ui.turns import turn

st.set_page_config(page_title="dpviz", page_icon="🛡️", layout="wide")
prepare_server()
tighten_layout()


def page(name: str, title: str, icon: str) -> st.Page:
    """Return the page of one question, at the address that is its file's name."""
    return st.Page(f"pages/{name}.py", title=title, icon=f":material/{icon}:", url_path=name)


navigation = st.navigation(
    {
        "": [st.Page("pages/start.py", title="Start", icon=":material/home:", default=True)],
        "Explore": [
            page("privacy_curve", "Privacy curve", "show_chart"),
            page("subsequences", "Windows per series", "view_week"),
            page("sample_or_walk", "Sample or walk", "shuffle"),
            page("label_noise", "Noise on windows", "blur_on"),
            page("one_bag", "Standard DP-SGD", "inventory_2"),
            page("protection", "Who is protected", "person"),
            page("multistage", "Sampling in stages", "account_tree"),
        ],
        "Release": [
            page("release", "Release one series", "publish"),
            page("protected_forecasts", "Protect the data itself", "shield"),
            page("private_inference", "Hide the context", "visibility_off"),
        ],
        "Plan": [
            page("planner", "Plan your training", "tune"),
            page("train", "Train a small one", "model_training"),
            page("ledger", "Budget ledger", "receipt_long"),
            page("sweep_results", "Sweep results", "grid_on"),
            page("how_to_choose", "How to choose", "signpost"),
        ],
        "Learn": [
            page("lessons", "Lessons", "school"),
            page("epsilon_meaning", "What epsilon means", "quiz"),
            page("batch_drawing", "How a batch is drawn", "casino"),
            page("theory_check", "Does the theory hold?", "fact_check"),
            page("paper_figures", "The paper's figures", "insert_chart"),
            page("paper_tables", "What training reported", "table_chart"),
            page("training_study", "What privacy costs", "paid"),
            page("theorems", "Theorems", "menu_book"),
            page("glossary", "Glossary", "dictionary"),
        ],
    },
    position="top",
)
mark_as_routed(navigation.title, navigation.url_path)
with turn(), answering_acts(PAGE):
    navigation.run()
