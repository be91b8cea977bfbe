"""A visitor's way through the page on what epsilon means, in a real browser."""

import re

import pytest

SHORT = "epsilon_meaning?" + "&".join((
    "num_series=320", "series_length=20", "context_length=1", "forecast_length=1",
    "batch_size=32", "noise_multiplier=1", "steps=10", "delta=1e-7",
))  # fmt: skip

# The chart is drawn a moment after the page has settled.
IS_LOG = "() => document.querySelector('.js-plotly-plot')._fullLayout.xaxis.type === 'log'"


def found(text):
    """Return how many an attacker finds at most, and some attacker at least."""
    most, least = (
        float(re.search(words + r" ([\d.,]+\d)", text)[1].replace(",", ""))
        for words in ("at most", "at least")
    )
    return most, least


@pytest.mark.slow
def test_headline_charts_link_and_table_follow_the_sliders(visit, tmp_path):
    """Noise, false alarms and prior: people found, marks, beliefs, CSV and reload agree."""
    visitor = visit(SHORT)
    most, least = found(visitor.headline)
    assert least <= most
    quieter = found(visitor.slide())
    assert quieter[0] < most
    bolder = found(visitor.slide("target_false_positive_rate"))
    assert visitor.link["target_false_positive_rate"] == "0.012"
    assert bolder[0] > quieter[0]
    visitor.wait_for_description("at 1.2\N{NO-BREAK SPACE}% false alarms at most")
    [mark] = visitor.drawn["told"]["y"]
    assert bolder[0] >= 1000 * mark >= 0.999 * bolder[0]
    visitor.slider("prior").press("ArrowLeft")
    visitor.settle()
    visitor.get_by_text("From 48\N{NO-BREAK SPACE}% beforehand to at most").first.wait_for()
    assert visitor.link["prior"] == "0.48"
    rows = visitor.csv(tmp_path)
    [own] = [row for row in rows if row["false_positive_rate"] == "0.012"]
    assert float(own["true_positive_rate_upper"]) == pytest.approx(mark)
    visitor.choose("Careful attackers (log axes)", rate_axes="log")
    visitor.wait_for_function(IS_LOG)
    assert min(visitor.drawn["series-0-upper"]["x"]) == 1e-6
    assert "dpviz risk" in visitor.unfold("Show the code").locator("code").first.inner_text()
    visitor.assert_kept()
