"""What is pinned is drawn on every page that compares ways of sampling."""

import json

import pytest

from dpviz.scenario import Pin
from tests.pages.acts import act, press
from tests.pages.app import TOY, chart, described, link_of, state_of

PINS = (Pin(slot="a", scenario=TOY), Pin(slot="b", scenario=TOY.with_rates(bottom_rate=0.2)))
PAGES = {page: {} for page in ("subsequences", "sample_or_walk", "label_noise")}
PAGES["one_bag"] = {"bag_chart": "curve"}


@pytest.mark.parametrize("page", PAGES)
def test_pins_are_drawn_by_name_in_one_look(open_page, page):
    app = open_page(link_of(TOY, PINS) | {"steps": "10"} | PAGES[page], page, parts=())
    assert not app.error
    traces = {trace["uid"]: trace for trace in chart(app, page)["data"]}
    looks = {json.dumps(traces[f"pin-{slot}-upper"]["line"]) for slot in "ab"}
    assert len(looks) == 1
    assert traces["pin-a-upper"]["name"] == "pin A"
    assert traces["pin-a-target"]["x"] != traces["pin-b-target"]["x"]
    assert "Pin A" in described(app, page)
    act(app, "pin_a_shown", False)
    assert "Pin A" not in described(app, page)
    press(app, "pin_b_remove")
    assert [pin.slot for pin in state_of(app).pins] == ["a"]
