"""The start page: one live picture, three doors, and the paper's data sets."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.figures.sampling_picture import picture_scenarios
from dpviz.scenario import PRESETS
from tests.pages.acts import act, control, go_back
from tests.pages.app import ROOT, checked


@pytest.fixture
def start() -> AppTest:
    return checked(AppTest.from_file(ROOT / "app.py", default_timeout=120).run())


def test_it_leads_through_three_doors(start):
    doors = [(link.proto.label, link.proto.page) for link in start.main.get("page_link")]
    assert doors == [
        ("Plan a training", "planner"),
        ("Teach or learn", "lessons"),
        ("Check the theory", "theory_check"),
    ]


def test_it_shows_the_picture_with_every_bound_that_the_handles_reach(start):
    [picture] = [
        one.proto
        for one in start.get("bidi_component")
        if one.proto.component_name == "dpviz_sampling_picture"
    ]
    told = json.loads(picture.bytes)
    reached = {
        (length, many) for length in told["windowLengths"] for many in told["windowsPerSeries"]
    }
    bounds = {(one["windowLength"], one["windowsPerSeries"]): one for one in told["costs"]}
    assert set(bounds) == reached
    assert len(picture_scenarios()) == len(reached)
    assert all(one["atMost"] and one["theorem"] for one in bounds.values())


def test_a_data_set_opens_its_curve_and_is_what_the_controls_go_back_to(start):
    start.button(key="start_traffic").click().run()
    assert not start.exception
    assert start.session_state["dpviz_state"].scenario == PRESETS["traffic"].scenario
    assert any("Theorem 4.4 composed over 12,000 steps" in text.value for text in start.markdown)
    assert control(start, "reset_all").disabled
    act(start, "noise_multiplier", 5.0)
    go_back(start, "noise_multiplier")
    assert not start.exception
    assert start.session_state["dpviz_state"].scenario == PRESETS["traffic"].scenario
    assert control(start, "reset_all").disabled
