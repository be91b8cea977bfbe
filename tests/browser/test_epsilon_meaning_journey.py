"""A visitor's way through the page on what epsilon means, in a real browser."""

import re
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
    settle,
    shared,
    slide,
    slider,
    table_in,
    unfold,
    wait_for_description,
)

SHORT = "epsilon_meaning?" + "&".join((
    "num_series=320", "series_length=20", "context_length=1", "forecast_length=1",
    "batch_size=32", "noise_multiplier=1", "steps=10", "delta=1e-7",
))  # fmt: skip

# The chart is drawn a moment after the page has settled.
IS_LOG = "() => document.querySelector('.js-plotly-plot')._fullLayout.xaxis.type === 'log'"


def found(text: str) -> tuple[float, float]:
    """Return how many an attacker finds at most, and some attacker at least."""
    most, least = (
        float(re.search(words + r" ([\d.,]+\d)", text)[1].replace(",", ""))
        for words in ("at most", "at least")
    )
    return most, least


@pytest.mark.slow
def test_headline_charts_link_and_table_follow_the_sliders(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    """Noise, false alarms and prior: people found, marks, beliefs, CSV and reload agree."""
    visitor = visit(SHORT)
    most, least = found(headline(visitor))
    assert least <= most
    quieter = found(slide(visitor))
    assert quieter[0] < most
    bolder = found(slide(visitor, "target_false_positive_rate"))
    assert in_link(visitor)["target_false_positive_rate"] == "0.012"
    assert bolder[0] > quieter[0]
    wait_for_description(visitor, "at 1.2\N{NO-BREAK SPACE}% false alarms at most")
    [mark] = drawn(visitor)["told"]["y"]
    assert bolder[0] >= 1000 * mark >= 0.999 * bolder[0]
    slider(visitor, "prior").press("ArrowLeft")
    settle(visitor)
    visitor.get_by_text("From 48\N{NO-BREAK SPACE}% beforehand to at most").first.wait_for()
    assert in_link(visitor)["prior"] == "0.48"
    csv = shared(visitor, "Download CSV")
    rows = table_in(downloaded(visitor, csv, tmp_path))
    [own] = [row for row in rows if row["false_positive_rate"] == "0.012"]
    assert float(own["true_positive_rate_upper"]) == pytest.approx(mark)
    choose(visitor, "Careful attackers (log axes)", rate_axes="log")
    visitor.wait_for_function(IS_LOG)
    assert min(drawn(visitor)["series-0-upper"]["x"]) == 1e-6
    assert "dpviz risk" in unfold(visitor, "Show the code").locator("code").first.inner_text()
    before = headline(visitor)
    visitor.reload()
    settle(visitor)
    assert headline(visitor) == before
