"""The comparison as visitors meet it: table, marks, pins and download."""

import math
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
import streamlit as st

from dpviz.planning import curves_of
from dpviz.scenario import Noise, Pin
from dpviz.ui.compute import Known, curves_part, known_curves
from dpviz.ui.filling import fill_in
from dpviz.ui.questions import comparison
from dpviz.ui.results import Part
from tests.pages.app import TOY, Page, link_of
from tests.planning.kinds import sampled
from tests.scenario.changes import varied

PART = Part(key="pin A", compute=int)
APP = Path(__file__).parent / "comparison_app.py"
QUIET = varied(TOY, noise_multiplier=2.0)
LARGE = replace(sampled(batch_size=128), noise=Noise(noise_multiplier=1.25))
ONE_BAG = sampled(top_level="flat")
SHORT = varied(TOY, steps=100)
UNCOVERED = varied(TOY, longer_series_beyond=1, noise_multiplier=1.0, forecast_noise=1.0)


def pins_of(*scenarios, shown=True):
    return tuple(
        Pin(slot=slot, scenario=scenario, shown=shown and slot in "abcd")
        for slot, scenario in zip("abcdef", scenarios, strict=False)
    )


def opened(*scenarios, now=TOY, parts=()) -> Page:
    return Page(APP, link=link_of(now, pins_of(*scenarios)), parts=parts).run()


def table(app) -> pd.DataFrame:
    return app.dataframe[0].value.set_index("run")


def test_table_has_all_runs_and_marks_the_best():
    app = opened(QUIET, LARGE, ONE_BAG, sampled(num_subsequences=4), SHORT, UNCOVERED)
    shown = table(app)
    assert list(shown.index) == ["now", *(f"pin {letter}" for letter in "ABCDEF")]
    assert shown["best"].to_dict() == dict.fromkeys(shown.index, "") | {
        "pin A": "★ ε",
        "pin B": "★ noise",
    }
    for name, scenario in (("now", TOY), ("pin A", QUIET), ("pin E", SHORT)):
        curves = curves_of(scenario)
        assert shown.loc[name, "epsilon_upper"] == pytest.approx(curves.epsilon_upper, rel=1e-3)
        assert shown.loc[name, "epsilon_upper"] >= curves.epsilon_upper
        assert shown.loc[name, "epsilon_lower"] <= curves.epsilon_lower
    assert shown.loc["pin C", "kind"] == "upper"  # of one bag, too, for an individual
    assert shown.loc["pin F", "kind"] == "no bound covers it"
    assert shown.loc["pin F", "epsilon_upper"] == math.inf  # no sorting puts it first
    assert "no bound covers pin F (All series lengths listed up to" in app.words
    # By which the browser sorts by size.
    numbers = ["epsilon_upper", "epsilon_lower", "noise_per_gradient", "noise_multiplier"]
    numbers += ["batch_size", "num_subsequences", "steps", "epochs", "top_rate", "bottom_rate"]
    assert all(pd.api.types.is_numeric_dtype(shown[name]) for name in numbers)


def test_pins_are_opened_hidden_and_removed_beside_the_table():
    app = opened(QUIET, SHORT, parts=("open_differences",))
    assert "With only this from A" in app.words
    app.act("pin_a_shown", False)
    assert not app.state.pins[0].shown
    assert "pin A" in table(app).index
    app.press("pin_b_open")
    assert app.scenario == SHORT
    app.press("pin_a_remove")
    assert list(table(app).index) == ["now", "pin B"]


def test_without_pins_the_visitor_is_told_how_to_pin():
    app = opened()
    assert "*Pin*, beside *Undo*, keeps this run" in app.info[0].value
    assert not app.dataframe


def test_what_is_still_computed_is_shown_as_such_and_nothing_is_called_the_best(monkeypatch):
    drawn, progress = [], []
    frame, bar = st.dataframe, st.progress

    def slow(scenarios):
        known = known_curves(scenarios)
        if drawn:
            return known
        first, *_ = known.curves
        filled = fill_in([curves_part(scenarios[0]), PART], only_known=True)
        return Known(at_once=(first,), curves=(first, None), filled=filled)

    monkeypatch.setattr(comparison, "known_curves", slow)
    monkeypatch.setattr(
        st, "dataframe", lambda data, **more: drawn.append(data) or frame(data, **more)
    )
    monkeypatch.setattr(
        st, "progress", lambda part, **more: progress.append(part) or bar(part, **more)
    )
    app = opened(QUIET)
    before = drawn[0].set_index("run")
    assert before.loc["pin A", "kind"] == "being computed"
    assert math.isnan(before.loc["pin A", "epsilon_upper"])
    assert not before["best"].str.contains("ε").any()
    assert progress == [0.5]
    assert table(app).loc["pin A", "best"] == "★ ε"
