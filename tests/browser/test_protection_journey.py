"""A visitor's way through the page about who is protected, in a real browser."""

import pytest

from tests.browser.visitor import SETTLED, epsilons

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
def test_presets_slider_and_link_agree(visit):
    """Who is protected changes the sentence, the drawing, the chart and the address together."""
    visitor = visit(HOURLY)
    assert "any single value of one series" in visitor.headline
    weeks = visitor.press_button("ready_two-weeks")
    assert "any 2 weeks (336 values in a row) of one series" in weeks
    assert visitor.link["relation_width"] == "336"
    visitor.wait_for_description("343 of 1,999 windows hold any of 336 values")
    assert len([uid for uid in visitor.drawn if uid.startswith("starts-")]) == 1
    visits = visitor.press_button("ready_four-visits")
    assert "any 4 values of one series, wherever they lie" in visits
    assert epsilons(visits)[0] < epsilons(weeks)[0]
    assert len([uid for uid in visitor.drawn if uid.startswith("starts-")]) == 4
    more = visitor.slide("relation_width")
    assert visitor.link["relation_width"] == "5"
    assert epsilons(more)[0] > epsilons(visits)[0]
    visitor.press_button("undo")
    visitor.press_button("undo")
    assert visitor.headline == weeks
    visitor.reload()
    visitor.settle()
    assert visitor.headline == weeks


@pytest.mark.slow
def test_first_day_moves_the_dates(visit):
    """The drawing's axis and its words follow the date; the numbers do not."""
    visitor = visit(HOURLY + "&relation_width=336")
    before = visitor.headline
    assert "Monday 8 January 2024" in visitor.locator(".stMain").inner_text()
    first = visitor.drawn["starts-0"]["x"][0]
    assert first.startswith("2024-01-0")
    visitor.goto(visitor.url + "&first_date=2025-03-01")
    visitor.settle()
    assert "Monday 3 March 2025 to Sunday 16 March 2025" in visitor.locator(".stMain").inner_text()
    assert visitor.drawn["starts-0"]["x"][0].startswith("2025-03-0")
    assert visitor.headline == before


def test_point_that_is_clicked_is_protected(visit):
    """A click on either line of the second chart chooses its relation and its w."""
    visitor = visit(HOURLY)
    points = {line["uid"]: line for line in visitor.evaluate(POINTS)}
    for line, width, level in (("series-0-upper", 168, "event"), ("series-1-upper", 10, "user")):
        assert width in points[line]["x"]
        before = visitor.headline
        visitor.locator(".dpviz-chart").nth(1).scroll_into_view_if_needed()
        place = visitor.evaluate(PLACE, [line, width])
        visitor.mouse.move(*place)
        visitor.wait_for_timeout(150)  # a click is on what the pointer hovers over
        visitor.mouse.click(*place)
        after = visitor.wait_for_other_headline(before)
        visitor.wait_for_link(relation=level, relation_width=str(width))
        quoted = points[line]["y"][points[line]["x"].index(width)]
        # The page's own number is found more finely than the line's points.
        assert epsilons(after)[0] == pytest.approx(quoted, rel=0.02)


@pytest.mark.slow
def test_table_and_folded_parts(visit, tmp_path):
    """The file has the numbers of the chart."""
    visitor = visit(HOURLY + "&relation_width=24")
    quoted = epsilons(visitor.headline)[0]
    rows = visitor.csv(tmp_path)
    own = [row for row in rows if row["protected_values"] == "24"]
    assert float(own[0]["epsilon_upper"]) == pytest.approx(quoted, rel=1e-3)
    assert "Theorem 4.4" in own[0]["upper_meaning"]
    part = visitor.unfold("What these numbers rest on")
    assert "24 consecutive values (1 day)" in part.inner_text()
    code = visitor.unfold("Show the code")
    code.get_by_text("--relation-width").first.wait_for()  # code is drawn after the words


def test_rates_offer_the_way_back(visit):
    """Without the data's shape who is protected is fixed, until it is given again."""
    visitor = visit(HOURLY)
    before = visitor.headline
    visitor.slide("bottom_rate")
    assert "who is protected is fixed" in visitor.locator(".stMain").inner_text()
    visitor.wait_for_function("() => document.querySelectorAll('.dpviz-chart').length === 1")
    visitor.get_by_role("button", name="Back to the data's shape").first.click()
    visitor.wait_for_function("() => document.querySelectorAll('.dpviz-chart').length === 2")
    visitor.wait_for_function(SETTLED)
    assert visitor.headline == before
