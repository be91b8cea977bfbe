"""The dashboard: ``streamlit run app.py``."""

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.acts import PAGE, answering_acts
from dpviz.ui.head import navigate
from dpviz.ui.page import tighten_layout
from dpviz.ui.server import prepare_server
from dpviz.ui.turns import turn

st.set_page_config(page_icon="🛡️", layout="wide")
prepare_server()
tighten_layout()
page = navigate()
with turn(), answering_acts(PAGE):
    page.run()
