"""Opens the privacy-curve page, with its folded parts open."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import checked

ROOT = Path(__file__).parents[2]
WAIT_SECONDS = 60
FOLDED_PARTS = ("open_data", "open_relation", "open_deltas", "open_reading")
OpenPage = Callable[..., AppTest]


@pytest.fixture
def open_page() -> OpenPage:
    """Return a function that opens the page, by a link if one is given."""

    def opened(query: dict[str, str] | None = None) -> AppTest:
        app = AppTest.from_file(ROOT / "app.py", default_timeout=WAIT_SECONDS)
        for name, value in (query or {}).items():
            app.query_params[name] = value
        for part in FOLDED_PARTS:
            app.session_state[part] = True
        app.switch_page("pages/privacy_curve.py")
        return checked(app.run())

    return opened
