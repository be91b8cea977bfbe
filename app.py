"""The dashboard: ``streamlit run app.py``.

The server imports this file once, before its port opens; then it is what every visitor's page runs.
"""

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.acts import PAGE, answering_acts
from dpviz.ui.answer_headers import MIDDLEWARE
from dpviz.ui.head import navigate
from dpviz.ui.page_style import tighten_layout
from dpviz.ui.server import prepare_server, prepared
from dpviz.ui.streamlit_internals import is_run_of_a_page
from dpviz.ui.turns import turn

app = st.App(__file__, middleware=MIDDLEWARE, lifespan=prepared)

if is_run_of_a_page():
    st.set_page_config(page_icon="🛡️", layout="wide")
    prepare_server()
    tighten_layout()
    page = navigate()
    with turn(), answering_acts(PAGE):
        page.run()
