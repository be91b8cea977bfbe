"""A visitor trains a small forecaster in the background, and may end it."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.visitor import SETTLED, drawn, headline, settle

# A seed of its own: what another visitor of the server has trained is there at once.
PATH = "train?panel_series=60&trained_batch=32&trained_seed=72"
LONG = "train?training_chart=compare&compared_seeds=5&trained_seed=71"
START = ".st-key-train_start button:visible"
CANCEL = ".st-key-train_cancel button:visible"


def test_a_visitor_trains_sees_the_result_and_finds_it_again(visit: Callable[..., Any]) -> None:
    """Nothing begins by itself; then there are a result, its certificate and a forecast."""
    visitor = visit(PATH)
    assert "Not trained yet" in headline(visitor)
    visitor.locator(START).first.click()
    visitor.wait_for_function(
        "() => document.querySelector('.st-key-answer')?.innerText.includes('seasonal naive')",
        timeout=60_000,
    )
    settle(visitor)
    assert "upper bound, Theorem 4.4 composed over 500 steps" in headline(visitor)
    assert visitor.locator(START).count() == 0
    assert {"error", "spent"} <= drawn(visitor).keys()
    before = headline(visitor)
    visitor.reload()
    settle(visitor)
    assert headline(visitor) == before


@pytest.mark.slow
def test_a_run_under_way_tells_how_far_it_is_and_can_be_ended(visit: Callable[..., Any]) -> None:
    """Progress is drawn while it runs; controls answer meanwhile; Cancel leaves what was told."""
    visitor = visit(LONG)
    visitor.locator(START).first.click()
    visitor.locator(CANCEL).first.wait_for()
    assert visitor.locator(START).first.is_disabled()
    visitor.get_by_test_id("stProgress").get_by_text("runs are done").wait_for(timeout=60_000)
    visitor.locator(CANCEL).first.click()
    visitor.locator(CANCEL).first.wait_for(state="detached")
    visitor.wait_for_function(SETTLED)  # no chart: there may be no line yet
    assert visitor.locator(START).first.is_enabled()
