"""The tables behind the charts, as files and on the page."""

from io import StringIO

import numpy as np
import pandas as pd

from dpviz.scenario import Pin
from dpviz.ui.head import MOST_ROWS
from tests.csv_text import table_of
from tests.pages.app import TOY, link_of
from tests.scenario.changes import varied

SHORT = link_of(TOY) | {"steps": "10", "batch_size": "8"}


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
    assert len(shown) <= MOST_ROWS + 1 < len(rows)
    written = set(map(tuple, rows.to_numpy()))
    assert set(map(tuple, shown.to_numpy())) <= written
    for end in (0, -1):
        assert tuple(shown.iloc[end]) == tuple(rows.iloc[end])
    told = " ".join(markdown.value for markdown in app.markdown).replace("\\", "")
    assert "delta_upper: upper bound, Theorem 4.4 composed over 10 steps" in told
    assert f"of {len(rows)} rows" in told
    assert "scenario: {" in file
    assert "scenario: {" not in told


def test_where_there_are_no_numbers_the_reason_is_told(open_page):
    """A run that was never started has no rows."""
    app = open_page({}, "train", parts=())
    app.click("show_table")
    assert not app.table
    told = " ".join(markdown.value for markdown in app.markdown)
    assert "Not trained yet with these settings." in told


def test_of_many_curves_the_numbers_come_before_what_was_run(open_page):
    """One sentence says which columns are upper and lower bounds; the rest is folded."""
    pins = tuple(
        Pin(slot=slot, scenario=varied(TOY, noise_multiplier=sigma))
        for slot, sigma in zip("abcd", (1.5, 2.0, 3.0, 4.0), strict=True)
    )
    app = open_page(link_of(TOY, pins), "privacy_curve", parts=())
    before = {text.value for text in app.markdown}
    app.click("show_table")
    (folded,) = [part for part in app.expander if part.label == "What each column is, in full"]
    assert not folded.proto.expanded
    inside = {text.value for text in folded.markdown}
    told = [text.value for text in app.markdown if text.value not in before | inside]
    (sentence,) = told
    assert "in `_upper` are upper bounds (at most this), in `_lower` are lower bounds" in sentence
    assert len(sentence) < 250
    words = " ".join(inside).replace("\\", "")
    assert words.count("delta_upper: upper bound, Theorem 4.4") == 1 + len(pins)
