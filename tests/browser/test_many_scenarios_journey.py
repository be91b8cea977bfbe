"""A visitor's way through the budget ledger and the results of a sweep, in a real browser."""

import pytest

from dpviz.sweeps.answer import answered
from dpviz.sweeps.results import csv_text, results_table
from dpviz.sweeps.run import run_sweep
from tests.sweeps.grids import toy_rows

RUNS = (
    "run_1=name%3Done%26schema%3D1%26num_series%3D320%26series_length%3D20%26context_length%3D1"
    "%26forecast_length%3D1%26batch_size%3D32%26noise_multiplier%3D1.0%26steps%3D50"
)


@pytest.mark.slow
def test_a_run_is_added_outlives_a_reload_and_is_taken_away(visit, tmp_path):
    """The ledger is in the address: what is reloaded is what was there."""
    visitor = visit(f"ledger?{RUNS}")
    first = visitor.headline
    assert first.startswith("1 run: ε ≤ ")
    visitor.box("name_of_run").fill("night run")
    visitor.box("name_of_run").press("Tab")
    both = visitor.press_button("ledger_add")
    assert both.startswith("2 runs together: ε ≤ ")
    assert "night+run" in visitor.link["run_2"]
    visitor.reload()
    visitor.settle()
    assert visitor.headline == both
    rows = visitor.csv(tmp_path)
    assert [row["place"] for row in rows] == ["all", "1", "2"]
    assert visitor.press_button("ledger_remove_1") == first
    visitor.wait_for_link(run_2=None)


@pytest.mark.slow
def test_results_are_opened_looked_at_and_adopted(visit):
    """A file of results takes the example's place until a reload; a row becomes the scenario."""
    rows = toy_rows(noise_multiplier=[1.0, 2.0], steps=[1, 3])
    answers = run_sweep(rows, compute=lambda chunks: map(answered, chunks))
    content = csv_text(results_table(rows, answers, ())).encode()
    visitor = visit("sweep_results")
    example = visitor.headline
    file = {"name": "results.csv", "mimeType": "text/csv", "buffer": content}
    visitor.locator("[data-testid=stFileUploaderDropzoneInput]").set_input_files(file)
    assert visitor.wait_for_other_headline(example).startswith("4 scenarios: ε ≤ ")
    visitor.choose("One against another", sweep_chart="scatter")
    visitor.locator(".st-key-sweep_adopt button:visible").first.press("Enter")
    visitor.wait_for_link(noise_multiplier="2.0", steps="1")
    visitor.reload()
    visitor.settle()
    assert visitor.headline == example
    assert visitor.link["sweep_chart"] == "scatter"
