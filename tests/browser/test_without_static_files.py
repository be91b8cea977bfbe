"""Where no file can be served the controls come with the page, and still are one queue."""

import pytest


@pytest.mark.slow
def test_controls_work_where_nothing_is_served(served, page, monkeypatch):
    """A slider and a box are used one after the other."""
    monkeypatch.setenv("STREAMLIT_SERVER_ENABLE_STATIC_SERVING", "false")
    visitor = page(served().url + "privacy_curve")
    visitor.slider("noise_multiplier").wait_for()
    visitor.slider("noise_multiplier").press("ArrowRight")
    visitor.wait_for_link(noise_multiplier="1.1")
    visitor.box("steps").fill("500")
    visitor.box("steps").press("Enter")
    visitor.wait_for_link(noise_multiplier="1.1", steps="500")
