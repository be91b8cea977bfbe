"""The dashboard: ``streamlit run app.py``."""

import streamlit as st

from dpviz.ui.page import mark_as_routed, prepare_server, tighten_layout

st.set_page_config(page_title="dpviz", page_icon="🛡️", layout="wide")
prepare_server()
tighten_layout()

navigation = st.navigation(
    [
        st.Page("pages/start.py", title="Start", icon=":material/home:", default=True),
        st.Page(
            "pages/privacy_curve.py",
            title="Privacy curve",
            icon=":material/show_chart:",
            url_path="privacy_curve",
        ),
        st.Page(
            "pages/subsequences.py",
            title="Windows per series",
            icon=":material/view_week:",
            url_path="subsequences",
        ),
        st.Page(
            "pages/sample_or_walk.py",
            title="Sample or walk",
            icon=":material/shuffle:",
            url_path="sample_or_walk",
        ),
        st.Page(
            "pages/label_noise.py",
            title="Noise on windows",
            icon=":material/blur_on:",
            url_path="label_noise",
        ),
        st.Page(
            "pages/one_bag.py",
            title="Standard DP-SGD",
            icon=":material/inventory_2:",
            url_path="one_bag",
        ),
        st.Page(
            "pages/protection.py",
            title="Who is protected",
            icon=":material/person:",
            url_path="protection",
        ),
        st.Page(
            "pages/paper_figures.py",
            title="The paper's figures",
            icon=":material/insert_chart:",
            url_path="paper_figures",
        ),
        st.Page(
            "pages/theorems.py",
            title="Theorems",
            icon=":material/menu_book:",
            url_path="theorems",
        ),
    ],
    position="top",
)
mark_as_routed(navigation.title)
navigation.run()
