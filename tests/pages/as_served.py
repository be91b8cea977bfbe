"""Let AppTest run pages as a server does; imported for that alone."""

from functools import cache

import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import app_test

# AppTest would forget at each run that app.py runs around pages.
app_test.PagesManager = type("Pages", (PagesManager,), {})  # type: ignore[attr-defined]
PagesManager.uses_pages_directory = False
# Of a mock of the server, they take a tenth of a page's time.
type(st.context).cookies = {}  # type: ignore[assignment, method-assign]
# The installed packages are searched for components once, not at each opened page.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
