"""A visitor's way through the page about who is protected, in a real browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.visitor import (
    SETTLED,
    downloaded,
    drawn,
    epsilons,
    headline,
    in_link,
    press_button,
    ranges,
    settle,
    shared,
    slide,
    table_in,
    unfold,
    wait_for_description,
    wait_for_link,
    wait_for_other_headline,
    zoom_in,
)

HOURLY = (
    "protection?schema=1&num_series=320&series_length=2000&context_length=6&forecast_length=2"
    "&batch_size=32&noise_multiplier=1&steps=20&time_step=1+hour"
)
WIDTHS = "document.querySelectorAll('.dpviz-chart')[1]"
POINTS = f"""() => {WIDTHS}.data.filter(trace => trace.uid.endsWith("-upper")).map(trace => ({{
  uid: trace.uid, x: Array.from(trace.x._inputArray ?? trace.x),
  y: Array.from(trace.y._inputArray ?? trace.y),
}}))"""
PLACE = f"""([line, width]) => {{
  const chart = {WIDTHS}, layout = chart._fullLayout;
  const trace = chart.data.find(({{ uid }}) => uid === line);
  const at = Array.from(trace.x._inputArray ?? trace.x).indexOf(width);
  const box = chart.getBoundingClientRect();
  const y = Array.from(trace.y._inputArray ?? trace.y)[at];
  return [
    box.x + layout.xaxis._offset + layout.xaxis.l2p(Math.log10(width)),
    box.y + layout.yaxis._offset + layout.yaxis.l2p(Math.log10(y)),
  ];
}}"""


@pytest.mark.slow
def test_presets_slider_and_link_agree(visit: Callable[..., Any]) -> None:
    """Who is protected changes the sentence, the drawing, the chart and the address together."""
    visitor = visit(HOURLY)
    assert "any single value of one series" in headline(visitor)
    weeks = press_button(visitor, "ready_two-weeks")
    assert "any 2 weeks (336 values in a row) of one series" in weeks
    assert in_link(visitor)["relation_width"] == "336"
    wait_for_description(visitor, "343 of 1,999 windows hold any of 336 values")
    assert len([uid for uid in drawn(visitor) if uid.startswith("starts-")]) == 1
    visits = press_button(visitor, "ready_four-visits")
    assert "any 4 values of one series, wherever they lie" in visits
    assert epsilons(visits)[0] < epsilons(weeks)[0]
    assert len([uid for uid in drawn(visitor) if uid.startswith("starts-")]) == 4
    more = slide(visitor, "relation_width")
    assert in_link(visitor)["relation_width"] == "5"
    assert epsilons(more)[0] > epsilons(visits)[0]
    press_button(visitor, "undo")
    press_button(visitor, "undo")
    assert headline(visitor) == weeks
    visitor.reload()
    settle(visitor)
    assert headline(visitor) == weeks


@pytest.mark.slow
def test_first_day_moves_the_dates(visit: Callable[..., Any]) -> None:
    """The drawing's axis and its words follow the date; the numbers do not."""
    visitor = visit(HOURLY + "&relation_width=336")
    before = headline(visitor)
    assert "Monday 8 January 2024" in visitor.locator(".stMain").inner_text()
    first = drawn(visitor)["starts-0"]["x"][0]
    assert first.startswith("2024-01-0")
    visitor.goto(visitor.url + "&first_date=2025-03-01")
    settle(visitor)
    assert "Monday 3 March 2025 to Sunday 16 March 2025" in visitor.locator(".stMain").inner_text()
    assert drawn(visitor)["starts-0"]["x"][0].startswith("2025-03-0")
    assert headline(visitor) == before


def test_point_that_is_clicked_is_protected(visit: Callable[..., Any]) -> None:
    """A click on either line of the second chart chooses its relation and its w."""
    visitor = visit(HOURLY)
    points = {line["uid"]: line for line in visitor.evaluate(POINTS)}
    for line, width, level in (("series-0-upper", 168, "event"), ("series-1-upper", 10, "user")):
        assert width in points[line]["x"]
        before = headline(visitor)
        visitor.locator(".dpviz-chart").nth(1).scroll_into_view_if_needed()
        place = visitor.evaluate(PLACE, [line, width])
        visitor.mouse.move(*place)
        visitor.wait_for_timeout(150)  # a click is on what the pointer hovers over
        visitor.mouse.click(*place)
        after = wait_for_other_headline(visitor, before)
        wait_for_link(visitor, relation=level, relation_width=str(width))
        quoted = points[line]["y"][points[line]["x"].index(width)]
        # The page's own number is found more finely than the line's points.
        assert epsilons(after)[0] == pytest.approx(quoted, rel=0.02)


@pytest.mark.slow
def test_table_zoom_and_folded_parts(visit: Callable[..., Any], tmp_path: Path) -> None:
    """The file has the numbers of the chart; a zoom outlives a slider that moves."""
    visitor = visit(HOURLY + "&relation_width=24")
    quoted = epsilons(headline(visitor))[0]
    button = shared(visitor, "Download CSV")
    rows = table_in(downloaded(visitor, button, tmp_path))
    own = [row for row in rows if row["protected_values"] == "24"]
    assert float(own[0]["epsilon_upper"]) == pytest.approx(quoted, rel=1e-3)
    assert "Theorem 4.4" in own[0]["upper_meaning"]
    zoomed = zoom_in(visitor)
    slide(visitor)
    assert ranges(visitor) == zoomed
    part = unfold(visitor, "What these numbers rest on")
    assert "24 consecutive values (1 day)" in part.inner_text()
    code = unfold(visitor, "Show the code")
    code.get_by_text("--relation-width").first.wait_for()  # code is drawn after the words


def test_rates_offer_the_way_back(visit: Callable[..., Any]) -> None:
    """Without the data's shape who is protected is fixed, until it is given again."""
    visitor = visit(HOURLY)
    before = headline(visitor)
    slide(visitor, "bottom_rate")
    assert "who is protected is fixed" in visitor.locator(".stMain").inner_text()
    visitor.wait_for_function("() => document.querySelectorAll('.dpviz-chart').length === 1")
    visitor.get_by_role("button", name="Back to the data's shape").first.click()
    visitor.wait_for_function("() => document.querySelectorAll('.dpviz-chart').length === 2")
    visitor.wait_for_function(SETTLED)
    assert headline(visitor) == before
