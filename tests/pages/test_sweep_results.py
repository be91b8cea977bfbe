"""The page about the results of a sweep: an example, a file, its charts, and a row to adopt."""

import io
import json

import pandas as pd
import pytest

from dpviz.scenario import from_fields
from dpviz.sweeps.answer import answered
from dpviz.sweeps.read_results import example_rows
from dpviz.sweeps.results import csv_text, parquet_bytes, results_table
from dpviz.sweeps.run import run_sweep
from tests.pages.acts import act, controls, press
from tests.pages.app import (
    TOY,
    assert_sound,
    chart,
    checked,
    control_specs,
    described,
    headline,
    keyed,
    link_of,
    notes,
    scenario_of,
    state_of,
    texts,
    warnings,
)
from tests.sweeps.grids import toy_rows

PAGE = KEY = "sweep_results"
ROWS = toy_rows(batch_size=[8, 16], noise_multiplier=[1.0, 2.0], steps=[1, 3], delta=1e-5)


@pytest.fixture(scope="module")
def table():
    answers = run_sweep(ROWS, compute=lambda chunks: map(answered, chunks))
    return results_table(ROWS, answers, ())


@pytest.fixture
def opened(open_page):
    return lambda **changes: open_page(link_of(TOY) | changes, PAGE, parts=("open_sweep_code",))


def with_file(app, table, name="results.csv"):
    content = csv_text(table).encode() if name.endswith("csv") else parquet_bytes(table)
    app.file_uploader(key="sweep_file_0").set_value((name, content, "text/csv")).run()
    return checked(app)


def said(app) -> str:
    return " ".join(texts(app)).replace("\\", "")


def lines(app) -> list[dict]:
    return [trace for trace in chart(app, KEY)["data"] if trace["uid"].startswith("group")]


def test_the_example_is_drawn_without_a_file(opened):
    app = opened()
    assert_sound(app, KEY)
    assert headline(app).startswith(f"**{len(example_rows())} scenarios: ε ≤ ")
    assert "**Example:** the toy data set" in said(app)
    assert {"noise<br>σ", "batch<br>Λ"} <= set(chart(app, KEY)["layout"]["xaxis"]["ticktext"])
    drawn = sum(trace["x"].count(None) for trace in lines(app))
    assert drawn == len(example_rows())


@pytest.mark.parametrize("name", ["results.csv", "results.parquet"])
def test_a_file_takes_the_example_s_place_for_the_session_only(opened, table, name):
    app = with_file(opened(), table, name)
    assert "8 scenarios of the file are shown." in notes(app)
    assert headline(app).startswith("**8 scenarios: ε ≤ ")
    assert "at δ = 10⁻⁵" in headline(app)
    link = link_of(scenario_of(app), (), state_of(app).view)
    assert headline(opened(**link)).startswith(f"**{len(example_rows())} scenarios")
    press(app, "sweep_close")
    assert headline(checked(app)).startswith(f"**{len(example_rows())} scenarios")


def test_a_row_is_told_with_its_meaning_and_adopted_and_undone(opened, table):
    app = with_file(opened(), table)
    act(app, "sweep_row", 8)
    assert "**Row 8:** by the file, ε ≤ " in said(checked(app))
    assert "(Theorem 4.4)" in said(app)
    assert "after 3 steps" in said(app)
    assert state_of(app).view.sweep_row == 8
    before = scenario_of(app)
    press(app, "sweep_adopt")
    assert scenario_of(checked(app)) == ROWS[7].scenario
    press(app, "undo")
    assert scenario_of(app) == before


def test_rows_of_a_larger_epsilon_are_left_out(opened, table):
    limit = sorted(table["epsilon_upper"])[3]
    app = with_file(opened(), table)
    act(app, "sweep_most_epsilon", repr(float(limit)))
    assert headline(checked(app)).startswith("**4 scenarios: ε ≤ ")
    assert "4 of 8 scenarios exceed your limit" in headline(app)
    assert sum(trace["x"].count(None) for trace in lines(app)) == 4


def test_one_column_against_another(opened, table):
    app = with_file(opened(sweep_chart="scatter", sweep_x="steps"), table)
    assert chart(app, KEY)["layout"]["xaxis"]["title"]["text"] == "Training length in steps"
    points = {number for trace in lines(app) for number in trace["customdata"]}
    assert points == {*range(1, 9)}
    act(app, "sweep_y", "noise_multiplier")
    assert chart(checked(app), KEY)["layout"]["yaxis"]["title"]["text"] == "Noise multiplier σ"
    assert "Noise multiplier σ" in described(app, KEY)


def test_no_row_left_is_said(opened, table):
    app = opened(sweep_most_epsilon="0.0001")
    assert headline(app).startswith("**None of 60 scenarios has ε ≤ 0.0001.**")
    # A file that is opened is shown whole.
    assert headline(with_file(app, table)).startswith("**8 scenarios")


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"PAR1xxxxPAR1", b"\x00" * 99])
def test_a_hostile_file_is_refused_and_what_was_shown_stays(opened, content):
    app = opened()
    app.file_uploader(key="sweep_file_0").set_value(("r.csv", content, "text/csv")).run()
    assert "The file was not used." in warnings(checked(app))
    assert headline(app).startswith(f"**{len(example_rows())} scenarios")


def test_a_row_with_settings_that_are_not_allowed_can_not_be_adopted(opened, table):
    app = with_file(opened(), {**table, "batch_size": [99999] * 8})
    assert "This row's settings cannot be read." in " ".join(e.value for e in app.error)
    assert "sweep_adopt" not in controls(app)


def test_downloads_are_the_rows_shown_and_the_row_s_scenario(open_page, downloads):
    open_page(link_of(TOY), PAGE)
    table = pd.read_csv(
        io.StringIO(downloads["Download CSV"]()), comment="#", float_precision="round_trip"
    )
    assert len(table) == len(example_rows())
    saved = from_fields(json.loads(downloads["Save scenario"]()))
    best = table.loc[table["epsilon_upper"].idxmin()]
    assert saved.noise.noise_multiplier == best["noise_multiplier"]


def test_downloads_are_of_the_file_that_is_open(open_page, downloads, table):
    """Not of the example that is there without one."""
    with_file(open_page(link_of(TOY), PAGE), table)
    rows = pd.read_csv(
        io.StringIO(downloads["Download CSV"]()), comment="#", float_precision="round_trip"
    )
    assert len(rows) == 8 != len(example_rows())
    saved = from_fields(json.loads(downloads["Save scenario"]()))
    assert saved.noise.noise_multiplier in set(rows["noise_multiplier"])


def test_the_command_that_makes_such_a_file_is_shown(opened):
    assert keyed(opened(), "expander", "open_sweep_code")


def test_the_slider_ends_where_all_rows_are_shown(opened, table):
    app = with_file(opened(), table)
    (spec,) = [one for one in control_specs(app) if one["name"] == "sweep_most_epsilon"]
    largest = max(table["epsilon_upper"])
    assert largest <= spec["stops"][-1] == spec["value"] <= 1.5 * largest
    act(app, "sweep_most_epsilon", repr(spec["value"]))
    assert headline(checked(app)).startswith(f"**{len(table['epsilon_upper'])} scenarios: ε ≤ ")
