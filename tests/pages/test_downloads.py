"""The tables behind the charts."""

import io

import numpy as np
import pandas as pd
import pytest

from dpviz.planning.budget import budget_counts
from dpviz.wording.numbers import rounded_up
from tests.pages.acts import act, press
from tests.pages.app import TOY, chart, checked, headline, link_of, scenario_of

SHORT = link_of(TOY) | {"steps": "10", "batch_size": "8"}


@pytest.fixture
def opened(open_page, downloads):
    """Return a page and what its button hands out, as a table and as text."""

    def open_with_table(changes=(), page="privacy_curve"):
        app = open_page(SHORT | dict(changes), page, parts=())

        def table() -> tuple[pd.DataFrame, str]:
            text = downloads["Download CSV"]()
            return pd.read_csv(io.StringIO(text), comment="#", float_precision="round_trip"), text

        return app, table

    return open_with_table


def drawn(app, key: str, uid: str) -> dict[float, float]:
    line = next(trace for trace in chart(app, key)["data"] if trace.get("uid") == uid)
    return {x: y for x, y in zip(line["x"], line["y"], strict=True) if y is not None}


def test_curve_s_table_has_the_drawn_points(opened):
    app, table = opened()
    frame, text = table()
    assert set(frame["curve"]) == {"now"}
    assert frame["delta_upper"].is_monotonic_decreasing
    assert (frame["delta_lower"] <= frame["delta_upper"]).all()
    known = dict(zip(frame["epsilon"], frame["delta_upper"], strict=True))
    for epsilon, delta in drawn(app, "privacy_curve", "series-0-upper").items():
        assert known[epsilon] == pytest.approx(delta, rel=1e-5)
    assert "# now: delta_upper: upper bound, Theorem 4.4 composed over 10 steps" in text


def test_table_follows_settings_and_pins(opened):
    app, table = opened()
    press(app, "pin")
    first, _ = table()
    act(app, "noise_multiplier", 2.0)
    frame, _ = table()
    assert set(frame["curve"]) == {"now", "pin A"}
    now, pin = (frame[frame["curve"] == name] for name in ("now", "pin A"))
    before = first[first["curve"] == "now"]["delta_upper"].to_numpy()
    np.testing.assert_array_equal(pin["delta_upper"].to_numpy(), before)
    assert now["delta_upper"].iloc[0] < pin["delta_upper"].iloc[0]
    act(app, "pin_a_shown", False)
    assert set(table()[0]["curve"]) == {"now"}


def test_table_over_training_has_the_drawn_counts_and_tells_the_budget(opened):
    app, table = opened({"chart": "training", "target_epsilon": "6"})
    frame, text = table()
    assert tuple(frame["steps_from"]) == budget_counts(scenario_of(app))
    assert frame["epsilon_upper"].is_monotonic_increasing
    told = next(line for line in text.splitlines() if line.startswith("# target: "))
    assert told.removeprefix("# target: ") == headline(app).replace("**", "")


def test_table_of_windows_per_series_has_every_run(opened):
    app, table = opened(page="subsequences")
    frame, _ = table()
    assert list(frame["curve"].unique()) == [
        "1 window per series", "2 windows per series", "4 windows per series",
        "8 windows per series",
    ]  # fmt: skip
    known = dict(zip(frame["epsilon"], frame["delta_upper"], strict=True))
    assert known
    for at, name in enumerate(frame["curve"].unique()):
        rows = frame[frame["curve"] == name]
        known = dict(zip(rows["epsilon"], rows["delta_upper"], strict=True))
        for epsilon, delta in drawn(app, "subsequences", f"series-{at}-upper").items():
            assert known[epsilon] == pytest.approx(delta, rel=1e-5)


def test_table_over_steps_ends_with_the_headline_s_delta(opened):
    app, table = opened(page="subsequences")
    act(app, "subsequences_view", "training")
    frame, text = table()
    assert "delta at epsilon = 1.0 over training steps" in text
    last = frame[(frame["windows_per_series"] == 1)].iloc[-1]
    assert last["steps"] == 10
    assert f"1 window per series: δ ≤ {rounded_up(last['delta_upper'], 3)} " in (
        headline(checked(app))
    )


def test_table_of_both_ways_follows_the_chosen_length(opened):
    app, table = opened(page="sample_or_walk")
    frame, text = table()
    assert list(frame["curve"].unique()) == [
        "drawn at random",
        "walked through",
        "drawn by coins",
    ]
    assert "composed over 10 steps" in text
    act(app, "compared_length", "step")
    checked(app)
    shorter, text = table()
    assert "composed over 1 step;" in text
    assert shorter["delta_upper"].iloc[0] < frame["delta_upper"].iloc[0]


def test_table_of_refused_settings_says_why(opened):
    _, table = opened({"top_level": "flat"}, "subsequences")
    with pytest.raises(pd.errors.EmptyDataError):  # comments only
        table()


def test_reason_of_refused_settings_is_in_the_file(opened, downloads):
    opened({"top_level": "flat"}, "subsequences")
    text = downloads["Download CSV"]()
    assert text.startswith("# These settings cannot be drawn here. top_level = 'flat' is not")
    assert text.endswith(".\n")
