"""A visitor hides a context, releases more forecasts, and takes the numbers home."""

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
    press_button,
    settle,
    shared,
    slide,
    table_in,
    unfold,
    wait_for_other_headline,
)


@pytest.mark.slow
def test_more_kept_values_and_more_forecasts_take_more_noise(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    """Headline, chart, link and file are those of the settings."""
    visitor = visit("private_inference?hidden_context=4")
    before = headline(visitor)
    assert "Noise of 16.51" in before
    assert {"context", "kept", "hidden", "truth"} <= drawn(visitor).keys()
    after = slide(visitor, "hidden_rate")
    assert "Noise of 16.54" in after
    assert in_link(visitor)["hidden_rate"] == "0.51"
    assert "for 2 released forecasts together" in slide(visitor, "hidden_forecasts")
    seen = drawn(visitor)["kept"]["y"]
    press_button(visitor, "hide_anew")
    settle(visitor)
    assert in_link(visitor)["hidden_seed"] == "2"
    assert drawn(visitor)["kept"]["y"] != seen
    before = headline(visitor)
    choose(visitor, "The noise", hidden_given="noise")
    assert "Noise of 20 (standard deviation)" in wait_for_other_headline(visitor, before)
    button = shared(visitor, "Download CSV")
    rows = table_in(downloaded(visitor, button, tmp_path))
    assert [row["part"] for row in rows] == ["context"] * 4 + ["forecast"] * 6
    unfold(visitor, "What the paper prints")
    choose(visitor, "Table 12: electricity", hidden_table="12")
    visitor.get_by_text("Most spreads are printed equal to the means").wait_for()
