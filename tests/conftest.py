"""Settings and fixtures of all tests."""

import os
from pathlib import Path

# Before anything imports streamlit: the app shows visitors no details of an error, and AppTest
# would not see them either.
os.environ["STREAMLIT_CLIENT_SHOW_ERROR_DETAILS"] = "full"

import pytest
from hypothesis import settings

# The same examples at each run, and no failure because a machine was busy.
settings.register_profile("dpviz", derandomize=True, deadline=None)
settings.load_profile("dpviz")


@pytest.fixture(scope="session")
def reference_dir() -> Path:
    """Return the folder of the published reference values, or skip the test without it."""
    name = os.environ.get("DPVIZ_REFERENCE_DIR")
    if not name:
        pytest.skip("DPVIZ_REFERENCE_DIR does not name the folder of reference values")
    folder = Path(name)
    if not folder.is_dir():
        pytest.skip(f"DPVIZ_REFERENCE_DIR names {folder}, which does not exist")
    return folder
