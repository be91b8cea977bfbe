"""A visitor's way through the paper's figures, in a real browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.visitor import (
    choose,
    downloaded,
    drawn,
    headline,
    in_link,
    menu,
    press_button,
    ranges,
    settle,
    shared,
    table_in,
    unfold,
    wait_for_description,
    zoom_in,
)

OWN = "noise_multiplier=2.5"


def choose_figure(visitor: Any, name: str) -> None:
    """Choose a figure by its name."""
    menu(visitor, "paper_figure").select_option(label=name)
    visitor.wait_for_timeout(300)
    settle(visitor)


def test_figure_and_panel_are_chosen_downloaded_and_reopened(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    """The chart, the link and the table are those of the panel; a reload shows it again."""
    visitor = visit(f"paper_figures?{OWN}")
    assert "After 1 step, 1 window per series" in headline(visitor)
    choose_figure(visitor, "Figure 8: sample series, or walk through them, 4 pairs of rates")
    choose(visitor, "1 epoch", figure="8", panel="1")
    wait_for_description(visitor, "(exact, Theorem 4.2, 1 epoch)")
    assert "less private above ε = " in headline(visitor)
    assert {"series-0-line", "series-0-attained", "series-1-line"} <= drawn(visitor).keys()
    csv = shared(visitor, "Download CSV")
    rows = table_in(downloaded(visitor, csv, tmp_path))
    at = next(row for row in rows if row["curve"] == "drawn at random" and row["epsilon"] == "1.0")
    line = drawn(visitor)["series-0-line"]
    assert line["y"][line["x"].index(1.0)] == float(at["delta_as_in_paper"])
    assert in_link(visitor)["noise_multiplier"] == "2.5"
    told = headline(visitor)
    visitor.reload()
    settle(visitor)
    assert headline(visitor) == told


@pytest.mark.slow
def test_zoom_is_kept_from_panel_to_panel(visit: Callable[..., Any]) -> None:
    """What was zoomed to after one step is what is seen after ten epochs."""
    visitor = visit("paper_figures?figure=3")
    zoomed = zoom_in(visitor)
    press_button(visitor, "next_panel")
    press_button(visitor, "next_panel")
    assert in_link(visitor)["panel"] == "2"
    assert "After 10 epochs" in headline(visitor)
    assert ranges(visitor) == pytest.approx(zoomed)


@pytest.mark.slow
def test_panel_opens_in_its_explorer_and_undo_brings_the_own_settings_back(
    visit: Callable[..., Any],
) -> None:
    """From Figure 4 to noise on windows and back to what the visitor had."""
    visitor = visit(f"paper_figures?{OWN}&figure=4")
    unfold(visitor, "Show the code")
    visitor.locator(".st-key-open_in_explorer button:visible").first.click()
    visitor.wait_for_url("**/label_noise?**")
    settle(visitor)
    link = in_link(visitor)
    assert (link["forecast_noise"], link["noise_multiplier"]) == ("1.0", "1.0")
    press_button(visitor, "undo")
    assert in_link(visitor)["noise_multiplier"] == "2.5"
