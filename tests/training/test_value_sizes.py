"""Values beyond all computing are refused before training; what was spent is told all the same."""

import json

import numpy as np
import pytest

from dpviz.command_line import main
from dpviz.export.training_answer import training_answer
from dpviz.export.training_tables import run_table
from dpviz.scenario import ScenarioError
from dpviz.training.compared_runs import SmoothedBaseline
from dpviz.training.panel import Panel
from dpviz.training.panel_source import GivenSource, parts_of
from dpviz.training.quantiles import mean_weighted_quantile_loss
from dpviz.training.small_run import small_run, told_by_run
from dpviz.training.split import split
from dpviz.wording.small_run import baselines_table, kept_table, result_headline
from tests.training.small_runs import PRESETS, USUAL

SERIES, LENGTH = 12, 60
EARLY, LATE = 3, LENGTH - 2
ALLOWED = r"series a.*is not allowed.*from 1e-100 to 1e\+100, or 0"


def ones(at: int, value: float = 1e308) -> np.ndarray:
    values = np.ones((SERIES, LENGTH))
    values[:, at] = value
    return values


@pytest.fixture
def file_of(tmp_path):
    def write(values):
        path = tmp_path / "ones.csv"
        rows = [
            f"s{s},{t},{value!r}"
            for s, row in enumerate(values.tolist())
            for t, value in enumerate(row)
        ]
        path.write_text("\n".join(["series,time,value", *rows]))
        return ["train", f"--data={path}", "--period=12", "--steps=5", f"--out={tmp_path / 'out'}"]

    return write


@pytest.fixture
def any_size(monkeypatch):
    monkeypatch.setattr("dpviz.training.panel.LARGEST_SIZE", np.inf)
    parts_of.cache_clear()
    yield
    parts_of.cache_clear()


@pytest.mark.parametrize("value", [1e308, -1e101, 1e-101])
def test_a_value_of_absurd_size_is_named_with_what_is_allowed(value):
    panel = Panel(series=tuple(ones(EARLY, value)), names=tuple("abcdefghijkl"), period=1)
    with pytest.raises(ScenarioError, match=ALLOWED) as told:
        split(panel, 12, 6)
    assert told.value.value == value


@pytest.mark.parametrize("model", ["linear", "naive"])
def test_the_command_refuses_it_before_it_trains(model, file_of, tmp_path, capsys):
    command = file_of(ones(EARLY))
    assert main([*command, f"--model={model}", "--target-epsilon=8"]) == 2
    assert "1e+308 is not allowed: the size of each value" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("as_json", [[], ["--json"]])
@pytest.mark.parametrize("model", ["linear", "naive"])
@pytest.mark.parametrize("at", [EARLY, LATE])
def test_whatever_is_spent_is_written_down(model, at, as_json, file_of, tmp_path, capsys):
    """Though no size were refused: the error of the baseline, or the model's, is no number then."""
    command = file_of(ones(at))
    assert main([*command, f"--model={model}", "--target-epsilon=8", *as_json]) == 0
    said = capsys.readouterr().out
    kept = json.loads((tmp_path / "out" / "result.json").read_text())
    assert kept["baseline_crps"] is None
    assert "is not finite" in kept["error_is_not_finite"]
    assert kept["error_is_not_finite"] in said
    assert (kept["epsilon_spent"] > 0.0) == (model == "linear")


@pytest.mark.usefixtures("any_size")
def test_pages_say_so_in_all_their_words():
    source = GivenSource(
        Panel(series=tuple(ones(EARLY)), names=tuple("abcdefghijkl"), period=12), "ones"
    )
    run = small_run(
        PRESETS["toy"].scenario, parts_of(source, 12, 6), **USUAL | {"batch_size": 4, "steps": 5}
    )
    result = list(told_by_run(run, source))[-1]
    assert not np.isfinite(result.baseline_crps)
    headline = result_headline(result)
    assert "The error of the seasonal naive forecast is not finite" in headline
    assert "at most ε" in headline
    assert "not finite" in kept_table([result])
    assert "worse than" not in headline
    found = SmoothedBaseline(windows=1, of=1, crps=np.nan, naive_crps=np.inf)
    assert baselines_table(found, result, np.inf).count("not finite") == 3
    assert training_answer(result, is_calibrated=True)["baseline_crps"] is None
    assert "inf" in run_table(result, "ones", ()).csv()


def test_an_error_of_sums_that_overflow_is_no_number():
    """It is not 0 either, which any loss divided by an infinite size would be."""
    truth = np.full((2, 1), 1.5e308)
    assert np.isnan(mean_weighted_quantile_loss(np.full((2, 1, 9), 1.4e308), truth))
