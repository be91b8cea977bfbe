"""A control's look-up of its own value finds what a look through the whole session finds."""

import pytest
from streamlit.runtime.state import SafeSessionState
from streamlit.testing.v1 import AppTest

from dpviz.ui import session_lookup
from dpviz.ui.session_lookup import SessionLookup, look_up_single_values
from tests.pages.acts import act
from tests.pages.app import ROOT, WAIT_SECONDS


@pytest.fixture(scope="module")
def session():
    """Return the session of a page with sliders, boxes, menus, buttons and charts, one moved."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=WAIT_SECONDS).run()
    app.switch_page("pages/protection.py").run()
    act(app, "noise_multiplier", 2.0)
    return app.session_state._state


def test_every_value_of_a_page_is_found(session):
    whole = session_lookup._WHOLE.fget(session)
    assert len(whole) > 40
    looked_up = SessionLookup(session)
    assert list(looked_up) == list(whole)
    for key, value in whole.items():
        assert key in looked_up
        found = looked_up[key]
        # A chart's state is made anew at each look.
        assert found is value or found == value or type(found).__name__ == type(value).__name__


def test_what_is_in_no_session_is_not_found(session):
    looked_up = SessionLookup(session)
    assert "nobody's key" not in looked_up
    identities = [key for key in session._state._keys() if key.startswith("$$")]
    assert identities
    assert not any(identity in looked_up for identity in identities)


def test_the_app_looks_up_single_values():
    AppTest.from_file(str(ROOT / "app.py"), default_timeout=WAIT_SECONDS).run()
    look_up_single_values()  # once more changes nothing
    assert SafeSessionState.filtered_state.fget is SessionLookup
