"""A visitor's way through the budget ledger and the results of a sweep, in a real browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpviz.sweeps.answer import answered
from dpviz.sweeps.results import csv_text, results_table
from dpviz.sweeps.run import run_sweep
from tests.browser.visitor import (
    box,
    choose,
    downloaded,
    headline,
    in_link,
    press_button,
    settle,
    shared,
    table_in,
    wait_for_link,
    wait_for_other_headline,
)
from tests.sweeps.grids import toy_rows

RUNS = (
    "run_1=name%3Done%26schema%3D1%26num_series%3D320%26series_length%3D20%26context_length%3D1"
    "%26forecast_length%3D1%26batch_size%3D32%26noise_multiplier%3D1.0%26steps%3D50"
)


@pytest.mark.slow
def test_a_run_is_added_outlives_a_reload_and_is_taken_away(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    """The ledger is in the address: what is reloaded is what was there."""
    visitor = visit(f"ledger?{RUNS}")
    first = headline(visitor)
    assert first.startswith("1 run: ε ≤ ")
    box(visitor, "name_of_run").fill("night run")
    box(visitor, "name_of_run").press("Tab")
    both = press_button(visitor, "ledger_add")
    assert both.startswith("2 runs together: ε ≤ ")
    assert "night+run" in in_link(visitor)["run_2"]
    visitor.reload()
    settle(visitor)
    assert headline(visitor) == both
    csv = shared(visitor, "Download CSV")
    rows = table_in(downloaded(visitor, csv, tmp_path))
    assert [row["place"] for row in rows] == ["all", "1", "2"]
    assert press_button(visitor, "ledger_remove_1") == first
    wait_for_link(visitor, run_2=None)


@pytest.mark.slow
def test_results_are_opened_looked_at_and_adopted(visit: Callable[..., Any]) -> None:
    """A file of results takes the example's place until a reload; a row becomes the scenario."""
    rows = toy_rows(noise_multiplier=[1.0, 2.0], steps=[1, 3])
    answers = run_sweep(rows, compute=lambda chunks: map(answered, chunks))
    content = csv_text(results_table(rows, answers, ())).encode()
    visitor = visit("sweep_results")
    example = headline(visitor)
    file = {"name": "results.csv", "mimeType": "text/csv", "buffer": content}
    visitor.locator("[data-testid=stFileUploaderDropzoneInput]").set_input_files(file)
    assert wait_for_other_headline(visitor, example).startswith("4 scenarios: ε ≤ ")
    choose(visitor, "One against another", sweep_chart="scatter")
    visitor.locator(".st-key-sweep_adopt button:visible").first.press("Enter")
    wait_for_link(visitor, noise_multiplier="2.0", steps="1")
    visitor.reload()
    settle(visitor)
    assert headline(visitor) == example
    assert in_link(visitor)["sweep_chart"] == "scatter"
