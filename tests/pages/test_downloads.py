"""The tables behind the charts, as files and on the page."""

import re
from io import StringIO
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from dpviz.ui.head import MOST_ROWS
from tests.csv_text import table_of
from tests.pages.app import TOY, link_of

SHORT = link_of(TOY) | {"steps": "10", "batch_size": "8"}
# States that between them draw every bound that has rows of its own, point by point.
DRAWN = [
    ("privacy_curve", {}),
    ("privacy_curve", {"chart": "training", "target_epsilon": "6"}),
    ("subsequences", {"compared_steps": "2"}),
    ("subsequences", {"chart": "training", "fixed_epsilon": "0.5"}),
    ("sample_or_walk", {"compared_length": "epoch"}),
    ("label_noise", {"forecast_noise": "2", "max_change": "300"}),
    ("one_bag", {"bag_chart": "curve"}),
    ("one_bag", {"bag_chart": "lengths"}),
    ("protection", {"time_step": "1 hour"}),
    ("epsilon_meaning", {"rate_axes": "log"}),
    ("multistage", {"staged_example": "one-of-two"}),
]
BOUND = re.compile(r"(series-\d+|budget)-(upper|lower)|upper|lower|printed")


def is_in_file(trace: dict, table: pd.DataFrame) -> bool:
    """Return whether two columns have all points of a line."""
    points = [(x, y) for x, y in zip(trace["x"], trace["y"], strict=True) if y is not None]
    columns = [table[name].to_numpy() for name in table.select_dtypes("number")]
    return any(
        all(np.isclose(down[across == x], y, rtol=1e-5, atol=0.0).any() for x, y in points)
        for across, down in permutations(columns, 2)
    )


@pytest.mark.every(3)
@pytest.mark.parametrize(("page", "state"), DRAWN, ids=str)
def test_bounds_are_drawn_as_they_stand_in_the_file(open_page, downloads, page, state):
    app = open_page(SHORT | state, page, ("open_every_rate",))
    table = table_of(downloads["Download CSV"]())
    traces = [trace for key in app.chart_keys for trace in app.chart(key)["data"]]
    bounds = [trace for trace in traces if BOUND.fullmatch(trace.get("uid", ""))]
    assert bounds
    lacking = {one["uid"] for one in bounds if not is_in_file(one, table)}
    # What a standard accountant promises is the level of a line there, and in the sentence.
    assert lacking <= ({"series-3-upper"} if page == "one_bag" else set())


def test_table_follows_settings_and_pins(open_page, downloads):
    def table() -> pd.DataFrame:
        return table_of(downloads["Download CSV"]())

    app = open_page(SHORT, parts=()).press("pin")
    first = table()
    app.act("noise_multiplier", 2.0)
    frame = table()
    assert set(frame["curve"]) == {"now", "pin A"}
    now, pin = (frame[frame["curve"] == name] for name in ("now", "pin A"))
    before = first[first["curve"] == "now"]["delta_upper"].to_numpy()
    np.testing.assert_array_equal(pin["delta_upper"].to_numpy(), before)
    assert now["delta_upper"].iloc[0] < pin["delta_upper"].iloc[0]
    app.act("pin_a_shown", False)
    assert set(table()["curve"]) == {"now"}


def test_table_has_the_rows_of_the_file_and_says_what_they_are(open_page, downloads):
    """Digit by digit as in the file, ends included; what the columns mean comes with it.

    The settings as JSON stay in the file: a screen reader would read out all of its marks.
    """
    app = open_page(SHORT, "privacy_curve", parts=())
    app.click("show_table")
    file = downloads["Download CSV"]()
    rows = pd.read_csv(StringIO(file), comment="#", dtype=str, keep_default_na=False)
    shown = app.table[0].value.map(lambda cell: cell.replace("\\", ""))
    assert len(shown) <= MOST_ROWS + 2 < len(rows)
    written = set(map(tuple, rows.to_numpy()))
    assert set(map(tuple, shown.to_numpy())) <= written
    for end in (0, -1):
        assert tuple(shown.iloc[end]) == tuple(rows.iloc[end])
    told = " ".join(markdown.value for markdown in app.markdown).replace("\\", "")
    assert "delta_upper: upper bound, Theorem 4.4 composed over 10 steps" in told
    assert f"of {len(rows)} rows, and the first with the headline's δ or less" in told
    assert "in `_bracket_low` are the least that a bound's exact value can be" in told
    quoted = rows[rows["delta_upper"].astype(float) <= app.scenario.delta].iloc[0]
    assert tuple(quoted) in set(map(tuple, shown.to_numpy()))
    assert "scenario: {" in file
    assert "scenario: {" not in told


def test_settings_of_each_row_stay_in_the_file(open_page, downloads, made_up_map):
    app = open_page(SHORT, "planner", parts=())
    app.click("show_table")
    rows = pd.read_csv(StringIO(downloads["Download CSV"]()), comment="#", dtype=str)
    shown = [name.replace("\\", "") for name in app.table[0].value.columns]
    assert [*shown, "scenario"] == [*rows]
