"""The page about the results of a sweep: an example, a file, its charts, and a row to adopt."""

import json
from unittest.mock import Mock

import numpy as np
import pytest

from dpviz.figures.sweep_results import MOST_PARALLEL
from dpviz.jobs import Limits, TooCostlyError
from dpviz.scenario import from_fields
from dpviz.sweeps.results import (
    csv_text,
    example_rows,
    parquet_bytes,
    read_results,
    results_table,
)
from dpviz.sweeps.run import run_sweep
from dpviz.ui.questions import sweep_results
from dpviz.wording.numbers import rounded_up
from dpviz.wording.sweep_results import results_headline
from tests.csv_text import table_of
from tests.pages.app import TOY, link_of
from tests.sweeps.grids import toy_rows

PAGE = KEY = "sweep_results"
ROWS = toy_rows(batch_size=[8, 16], noise_multiplier=[1.0, 2.0], steps=[1, 3], delta=1e-5)


@pytest.fixture(scope="module")
def table():
    answers = run_sweep(ROWS, compute=map)
    return results_table(ROWS, answers, ())


@pytest.fixture
def opened(open_page):
    return lambda **changes: open_page(link_of(TOY) | changes, PAGE, parts=("open_sweep_code",))


def with_file(app, table, name="results.csv"):
    content = csv_text(table).encode() if name.endswith("csv") else parquet_bytes(table)
    app.upload("sweep_file_0", name, content)
    return app


def lines(app) -> list[dict]:
    return [trace for trace in app.chart(KEY)["data"] if trace["uid"].startswith("group")]


def test_every_value_of_a_column_of_few_can_be_read_off(opened):
    app, rows = opened(), example_rows()
    notes = app.chart(KEY)["layout"]["annotations"]
    columns = app.chart(KEY)["layout"]["xaxis"]["ticktext"]
    at = next(at for at, name in enumerate(columns) if "σ" in name)
    named = [note["text"] for note in notes if note["x"] == at]
    assert len(named) == len({row.scenario.noise.noise_multiplier for row in rows}) == 5
    assert len([note for note in notes if note["x"] == len(columns) - 1]) == 2


def test_where_the_example_is_not_done_in_time_the_answer_says_so(opened, downloads, monkeypatch):
    too_costly = Mock(side_effect=TooCostlyError(Limits(), "time"))
    monkeypatch.setattr(sweep_results, "result_of", too_costly)
    app = opened(sweep_chart="scatter")
    assert "it takes more than 2 s of computing" in app.errors
    assert "sweep_chart" in app.controls
    assert not {"sweep_x", "sweep_most_epsilon"} & {*app.controls}
    assert "it takes more than 2 s" in downloads["Save scenario"]()


@pytest.mark.parametrize("name", ["results.csv", "results.parquet"])
def test_a_file_takes_the_example_s_place_for_the_session_only(opened, table, name):
    app = with_file(opened(), table, name)
    assert app.headline.startswith("**8 scenarios: ε ≤ ")
    assert (
        "(upper bounds, Theorem 4.4) at δ = 10⁻⁵, for any single value of one series."
    ) in app.headline
    assert "hold" not in app.headline
    link = link_of(app.scenario, (), app.state.view)
    assert opened(**link).headline.startswith(f"**{len(example_rows())} scenarios")
    app.press("sweep_close")
    assert app.headline.startswith(f"**{len(example_rows())} scenarios")


def results_of(rows):
    table = results_table(rows, list(run_sweep(rows, compute=map)), ())
    return read_results(csv_text(table).encode(), "results.csv")


def test_the_headline_says_for_whom_and_what_has_to_hold_and_which_rows_are_left_out():
    lists = {"batch_size": [8, 999], "relation_width": [1, 2], "forecast_noise": [0.0, 2.0]}
    results = results_of(toy_rows(steps=1, delta=1e-5, **lists))
    assert results.others == 4
    narrow = results.fields["relation_width"] == "1"
    noise = results.numbers["forecast_noise"]
    told = results_headline(results, np.arange(4), 1e6)
    assert "at δ = 10⁻⁵, each for those whom its row names. Some hold only if no value" in told
    assert told.endswith(
        "4 rows of the file are left out: refused, failed, or without a finite ε (column `status`)."
    )
    plain, noisy = (np.flatnonzero(narrow & (noise == sigma)) for sigma in (0.0, 2.0))
    told = results_headline(results, plain, 1e6)
    assert "for any single value of one series; 3 of 4 scenarios exceed your limit. 4 rows" in told
    told = results_headline(results, noisy, 1e6)
    assert "for any single value of one series" in told
    assert "It holds only if no value changes by more than v" in told


def test_values_that_are_the_whole_of_the_first_row_s_series_are_not_that_of_all():
    results = results_of(toy_rows(steps=1, series_length=[20, 200], relation_width=20))
    told = results_headline(results, np.arange(2), 1e6)
    assert "for any 20 consecutive values of one series." in told


def test_bands_end_where_their_scenarios_do(opened, table):
    app = with_file(opened(), table)
    ends = [rounded_up(epsilon) for epsilon in sorted(table["epsilon_upper"])]
    bands = [f"{ends[at]} to {ends[at + 1]}" for at in range(0, len(ends), 2)]
    assert [trace["name"] for trace in lines(app)] == bands


def test_lengths_persons_and_schemes_that_vary_have_axes_and_stand_in_the_row_s_sentence(opened):
    lists = {"series_length": [[20, 30], 40], "series_per_person": [1, 2]}
    lists["top_level"] = ["poisson", "without-replacement"]
    rows = toy_rows(batch_size=8, steps=1, delta=1e-5, **lists)
    app = with_file(opened(), results_table(rows, run_sweep(rows, compute=map), ()))
    columns = app.chart(KEY)["layout"]["xaxis"]["ticktext"]
    assert columns == ["length<br>L", "series<br>chosen", "series<br>m", "ε<br>at most"]
    notes = app.chart(KEY)["layout"]["annotations"]
    assert {note["text"] for note in notes if note["x"] == 1} == {"at random", "by coins"}
    app.act("sweep_row", 3)
    assert "**Row 3, L = 20 / 30, series drawn at random:** by the file, ε ≤ " in app.all_words
    app.act("sweep_chart", "scatter").act("sweep_x", "series_length")
    axis = app.chart(KEY)["layout"]["xaxis"]
    assert (axis["ticktext"], axis["tickvals"]) == (["40", "20 / 30"], [0, 1])


def test_columns_beyond_those_that_have_room_are_counted(opened):
    lists = {"batch_size": 8, "noise_multiplier": 1.0, "steps": 1, "delta": [1e-5, 1e-6]}
    lists |= {"context_length": [1, 2], "forecast_length": [1, 2], "relation_width": [1, 2]}
    lists |= {"num_series": [320, 640], "series_length": [20, 40], "num_subsequences": [1, 2]}
    rows = toy_rows(**lists)
    answer = {"status": "answered", "epsilon_upper": 2.0, "epsilon_lower": 1.0, "unit": "step"}
    app = with_file(opened(), results_table(rows, [answer] * len(rows), ()))
    assert len(app.chart(KEY)["layout"]["xaxis"]["ticktext"]) == MOST_PARALLEL
    assert app.chart(KEY)["layout"]["title"]["text"].endswith("scenario; 1 more column not drawn")


def test_axes_are_of_columns_with_values_and_rows_without_one_are_counted(opened):
    rows = toy_rows(steps=[1, 3], max_change=[None, 1.0])
    answers = run_sweep(rows, compute=map)
    app = with_file(opened(sweep_chart="scatter"), results_table(rows, answers, ()))
    assert "Training length in steps" in app.control("sweep_y").options
    assert "Training length in epochs" not in app.control("sweep_y").options
    app.act("sweep_y", "max_change")
    title = app.chart(KEY)["layout"]["title"]["text"]
    assert title == "Each point is one scenario; 2 without one of both values"
    assert app.described(KEY).startswith("2 scenarios on the axes ")


def test_a_row_is_told_with_its_meaning_and_adopted_and_undone(opened, table):
    app = with_file(opened(), table)
    app.act("sweep_row", 8)
    assert "**Row 8, σ = 2, Λ = 16:** by the file, ε ≤ " in app.all_words
    assert app.state.view.sweep_row == 8
    before = app.scenario
    app.press("sweep_adopt")
    assert app.scenario == ROWS[7].scenario
    app.press("undo")
    assert app.scenario == before


def test_rows_of_a_larger_epsilon_are_left_out_and_the_slider_ends_where_none_is(opened, table):
    app = with_file(opened(), table)
    slider, largest = app.control("sweep_most_epsilon"), max(table["epsilon_upper"])
    assert largest <= slider.stops[-1] == slider.value <= 1.5 * largest
    app.act("sweep_most_epsilon", repr(float(sorted(table["epsilon_upper"])[3])))
    assert app.headline.startswith("**4 scenarios: ε ≤ ")
    assert "4 of 8 scenarios exceed your limit" in app.headline
    assert sum(trace["x"].count(None) for trace in lines(app)) == 4
    app.act("sweep_most_epsilon", repr(slider.value))
    assert app.headline.startswith("**8 scenarios: ε ≤ ")


def test_no_row_left_is_said(opened, table, downloads):
    app = opened(sweep_most_epsilon="0.0001")
    assert app.headline.startswith("**None of 60 scenarios has ε ≤ 0.0001.**")
    assert "no row is shown" in downloads["Save scenario"]()
    # A file that is opened is shown whole.
    assert with_file(app, table).headline.startswith("**8 scenarios")


def test_a_row_with_settings_that_are_not_allowed_can_not_be_adopted(opened, table):
    app = with_file(opened(), {**table, "batch_size": [99999] * 8})
    assert "This row's settings cannot be read." in " ".join(e.value for e in app.error)
    assert "sweep_adopt" not in app.controls


@pytest.mark.parametrize("has_file", [False, True])
def test_downloads_are_the_rows_shown_and_the_row_s_scenario(opened, downloads, table, has_file):
    """With a file those of the file, not of the example that is there without one."""
    app = opened()
    if has_file:
        with_file(app, table)
    rows = table_of(downloads["Download CSV"]())
    assert len(rows) == (8 if has_file else len(example_rows()))
    saved = from_fields(json.loads(downloads["Save scenario"]()))
    best = rows.loc[rows["epsilon_upper"].idxmin()]
    assert saved.noise.noise_multiplier == best["noise_multiplier"]
