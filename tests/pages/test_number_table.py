"""The chart's numbers can be read as a table in the page."""

from io import StringIO

import pandas as pd

from dpviz.ui.number_table import MOST_ROWS
from tests.pages.app import TOY, link_of

SHORT = link_of(TOY) | {"steps": "10", "batch_size": "8"}


def test_table_has_the_rows_of_the_file_and_says_what_they_are(open_page, downloads):
    """Digit by digit as in the file, ends included; what the columns mean comes first."""
    app = open_page(SHORT, "privacy_curve", parts=())
    app.button(key="show_table").click().run()
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


def test_where_there_are_no_numbers_the_reason_is_told(open_page):
    """A run that was never started has no rows."""
    app = open_page({}, "train", parts=())
    app.button(key="show_table").click().run()
    assert not app.table
    told = " ".join(markdown.value for markdown in app.markdown)
    assert "Nothing is trained yet with these settings." in told
