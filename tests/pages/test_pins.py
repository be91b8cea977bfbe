"""Scenarios that a visitor keeps beside the current one, on every page."""

import json
import re
from dataclasses import replace

import pytest

from dpviz.planning import curves_of
from dpviz.planning.calibrate import calibrated
from dpviz.planning.target import Target
from dpviz.scenario import Noise, Pin
from dpviz.settings import View
from dpviz.wording.numbers import rounded_up
from tests.pages.app import FOLDED_PARTS, TOY, link_of
from tests.scenario.changes import varied

SIGMAS = (1.5, 2.0, 3.0, 4.0, 5.0, 7.0)
SHORT = varied(TOY, steps=10)


def with_sigma(sigma: float):
    return replace(TOY, noise=Noise(noise_multiplier=sigma))


def pins_of(sigmas, hidden=""):
    return tuple(
        Pin(slot=slot, scenario=with_sigma(sigma), shown=slot not in hidden)
        for slot, sigma in zip("abcdef", sigmas, strict=False)
    )


def drawn(app) -> set[str]:
    """Return the runs in the chart, by the colours they have."""
    return {trace["legendgroup"] for trace in app.chart("privacy_curve")["data"]}


def labels(app) -> list[str]:
    return [
        one.label for name, one in app.controls.items() if re.fullmatch("pin_[a-f]_shown", name)
    ]


def test_pinned_run_stays_in_chart_and_link_while_the_other_changes(open_page):
    app = open_page()
    app.press("pin")
    assert [pin.scenario for pin in app.state.pins] == [TOY]
    assert app.control("pin").disabled  # these very settings are pinned already
    app.act("noise_multiplier", 2.0)
    assert drawn(app) == {"series-0", "series-1"}
    assert labels(app) == ["A: σ 1 instead of 2 · ε ≤ 19.03"]
    said = app.control("pin_a_shown").help
    assert "ε ≤ 19.03 at δ = 10⁻⁷ (upper bound, Theorem 4.4 composed over 1,000 steps)" in said
    app.press("pin")
    app.act("pin_a_shown", False)
    again = open_page(app.link)
    assert not again.warning
    assert again.state.pins == app.state.pins == pins_of((1.0, 2.0), hidden="a")
    assert drawn(again) == drawn(app)


def test_pin_can_be_hidden_shown_opened_and_removed(open_page):
    """Its row tells its bound while it is shown; the headline is about the current run only."""
    app = open_page(link_of(TOY, pins_of((2.0, 3.0))))
    assert app.headline == open_page().headline
    app.act("pin_a_shown", False)
    assert drawn(app) == {"series-0", "series-2"}
    assert app.query_params["pins_hidden"] == "a"
    shown = rounded_up(curves_of(with_sigma(3.0)).epsilon_upper)
    assert labels(app) == ["A: σ 2 instead of 1", f"B: σ 3 instead of 1 · ε ≤ {shown}"]
    app.act("pin_a_shown", True)
    assert drawn(app) == {"series-0", "series-1", "series-2"}
    app.press("pin_b_open")
    assert app.scenario == with_sigma(3.0)
    assert len(app.state.pins) == 2
    app.press("pin_a_remove")
    # B keeps its letter and its colour.
    assert [pin.slot for pin in app.state.pins] == ["b"]
    assert drawn(app) == {"series-0", "series-2"}
    app.press("undo")
    assert app.scenario == TOY


def test_six_are_kept_and_four_of_them_drawn(open_page):
    app = open_page(link_of(TOY, pins_of(SIGMAS[:5], hidden="e")))
    assert drawn(app) == {f"series-{place}" for place in range(5)}
    assert app.control("pin_e_shown").disabled
    assert labels(app)[-1].endswith(" · not drawn: the chart shows 4 pins")
    assert app.control("pin").label == "Pin"
    app.press("pin")
    assert [pin.slot for pin in app.state.pins] == list("abcdef")
    assert not app.state.pins[-1].shown
    app.act("noise_multiplier", 10.0)
    assert app.control("pin").disabled
    assert app.control("pin").label == "All 6 pins in use"
    app.act("pin_a_shown", False)
    assert not app.control("pin_f_shown").disabled
    app.act("pin_f_shown", True)
    assert drawn(app) == {f"series-{place}" for place in (0, 2, 3, 4, 6)}


@pytest.mark.parametrize("page", ["protection", "epsilon_meaning"])
def test_other_pages_say_that_the_link_has_pins_and_remove_them(open_page, page):
    app = open_page(link_of(SHORT, pins_of((2.0, 3.0))), page, parts=())
    app.press("pin")
    assert [pin.scenario for pin in app.state.pins][2:] == [SHORT]
    assert app.control("pin").disabled
    assert app.control("remove_pins").label == "Remove 3 pins"
    app.press("remove_pins")
    assert app.state.pins == ()
    assert not app.control("pin").disabled
    assert not any(name.startswith("pin") for name in app.query_params)
    assert app.scenario == SHORT
    assert "remove_pins" not in app.controls


def test_pins_are_compared_and_opened_at_the_current_delta_and_kept_as_they_were(open_page):
    pins = tuple(
        Pin(slot=slot, scenario=replace(one, delta=1e-3))
        for slot, one in (("a", TOY), ("b", with_sigma(2.0)))
    )
    app = open_page(link_of(TOY, pins))
    words = app.described("privacy_curve")
    assert words.count("at most 19.03") == 2
    assert "at delta 0.001" not in words
    assert app.control("pin").disabled  # it would be the same run once more
    app.press("pin_b_open")
    assert app.scenario == with_sigma(2.0)
    assert app.state.pins == pins


def test_pin_that_cannot_be_read_is_named_and_the_rest_is_kept(open_page):
    link = link_of(with_sigma(4.0), pins_of((2.0, 3.0)))
    app = open_page(link | {"pin_a": "schema=1&noise_multiplier=loud", "pins_hidden": "z"})
    assert "Pin A was left out: noise_multiplier = 'loud' is not allowed" in app.warnings
    assert "pins_hidden = 'z' is not allowed" in app.warnings
    assert [pin.slot for pin in app.state.pins] == ["b"]
    assert app.scenario == with_sigma(4.0)
    assert drawn(app) == {"series-0", "series-2"}


@pytest.mark.parametrize("chart", ["curve", "training"])
def test_a_pin_that_no_bound_covers_takes_no_answer_away(open_page, downloads, chart):
    uncovered = varied(SHORT, num_subsequences=2, series_per_person=2)
    quiet = varied(SHORT, noise_multiplier=2.0)
    pins = (Pin(slot="a", scenario=uncovered), Pin(slot="b", scenario=quiet))
    app = open_page(link_of(SHORT, pins, View(chart=chart)), parts=FOLDED_PARTS)
    assert not app.error
    assert app.headline
    first, second = labels(app)
    assert first.endswith(" · no bound covers it")
    assert "ε ≤" in second
    if chart == "curve":
        assert drawn(app) == {"series-0", "series-2"}
        assert "pin B" in downloads["Download CSV"]()
    app.press("pin_a_remove")
    assert [pin.slot for pin in app.state.pins] == ["b"]


PAGES = {page: {} for page in ("subsequences", "sample_or_walk", "label_noise")}
PAGES["one_bag"] = {"bag_chart": "curve"}


@pytest.mark.slow
def test_what_the_planner_pins_is_the_plan(open_page):
    app = open_page(link_of(TOY), page="planner", parts=())
    app.press("pin")
    [pin] = app.state.pins
    assert pin.scenario == calibrated(TOY, "noise_multiplier", Target(epsilon=10.0, delta=1e-7))
    assert app.control("pin").disabled


PINS = (Pin(slot="a", scenario=TOY), Pin(slot="b", scenario=TOY.with_rates(bottom_rate=0.2)))


@pytest.mark.every(4)
@pytest.mark.parametrize("page", PAGES)
def test_pins_are_drawn_by_name_in_one_look(open_page, page):
    app = open_page(link_of(TOY, PINS) | {"steps": "10"} | PAGES[page], page, parts=())
    assert not app.error
    traces = app.traces(page)
    looks = {json.dumps(traces[f"pin-{slot}-upper"]["line"]) for slot in "ab"}
    assert len(looks) == 1
    assert traces["pin-a-upper"]["name"] == "pin A"
    assert traces["pin-a-target"]["x"] != traces["pin-b-target"]["x"]
    assert "Pin A" in app.described(page)
    app.act("pin_a_shown", False)
    assert "Pin A" not in app.described(page)
