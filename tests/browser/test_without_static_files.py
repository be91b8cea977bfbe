"""Where no file can be served the controls come with the page, and still are one queue."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.server import Server
from tests.browser.visitor import box, slider, wait_for_link


@pytest.mark.slow
def test_controls_work_where_nothing_is_served(
    served: Callable[..., Server],
    page: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A slider and a box are used one after the other."""
    monkeypatch.setenv("STREAMLIT_SERVER_ENABLE_STATIC_SERVING", "false")
    visitor = page(served().url + "privacy_curve")
    slider(visitor, "noise_multiplier").wait_for()
    slider(visitor, "noise_multiplier").press("ArrowRight")
    wait_for_link(visitor, noise_multiplier="1.1")
    box(visitor, "steps").fill("500")
    box(visitor, "steps").press("Enter")
    wait_for_link(visitor, noise_multiplier="1.1", steps="500")
