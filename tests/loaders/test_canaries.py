"""Windows of canaries are read back, whatever was done to all values; others are told."""

import re
import tracemalloc

import numpy as np
import pytest

from dpviz.loaders import LoaderError
from dpviz.loaders.canaries import CHANGES, Canaries, Drawn, ReadBatch
from dpviz.sampling import Batch, windows
from dpviz.sampling.scheme import scheme_for
from dpviz.scenario import DataShape, ScenarioError
from tests.sampling.laws import scenario_of

SHAPE = DataShape(num_series=5, series_lengths=(9, 30), context_length=4, forecast_length=3)
CANARIES = Canaries(SHAPE)


def all_windows():
    positions = CANARIES.lengths - SHAPE.forecast_length + 1
    series = np.repeat(np.arange(5), positions)
    starts = np.concatenate([np.arange(many) for many in positions])
    return Batch(series=series, starts=starts, step=0, epoch=0)


@pytest.mark.parametrize("change", [None, *CHANGES], ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_every_window_is_read_back(change, dtype):
    canaries = Canaries(SHAPE, **CHANGES.get(change, {}))
    batch = all_windows()
    cut = windows(canaries.series(), batch, 4, 3, dtype)
    pair = (cut.context, cut.forecast)
    rows = np.concatenate(pair, axis=1)
    for given in (pair, [*pair], rows, rows.tolist()):
        read = canaries.read(given)
        assert read.problem == ""
        np.testing.assert_array_equal(read.series, batch.series)
        np.testing.assert_array_equal(read.starts, batch.starts)


def test_an_empty_batch_is_one():
    read = CANARIES.read(np.zeros((0, 7)))
    assert (len(read.series), read.problem) == (0, "")


ROW = np.arange(1.0, 8.0)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (np.append(ROW[1:], 0.0), r"\[0:1, 0:2, 0:3, 0:4, 0:5, 0:6, 0\]"),  # padded behind
        (np.concatenate([[1.0, 1.0], ROW[:5]]), "0:0, 0:0, 0:0, 0:1"),  # padded by the first value
        (np.arange(7.0, 14.0), "0:6, 0:7, 0:8, 1:0"),  # on from one series to the next
        (ROW[::-1], "0:6, 0:5"),
        (ROW + 0.5, r"1\.5"),
        (np.zeros(7), r"\[0, 0, 0, 0, 0, 0, 0\]"),
    ],
)
def test_what_is_no_window_is_told(row, said):
    good = np.concatenate([np.zeros(4), np.arange(10.0, 13.0)])
    assert CANARIES.read(good[None]).problem == ""
    read = CANARIES.read(np.stack([good, row]))
    assert len(read.series) == 1
    assert re.search(said, read.problem)


def test_windows_of_another_length_are_told():
    assert "6 values instead of 7" in CANARIES.read(np.ones((3, 6))).problem


NO_TABLES = [np.ones(7), [["a"] * 7], np.ones((2, 7), dtype=object), [np.ones((2, 4)), np.ones(3)]]


@pytest.mark.parametrize("batch", NO_TABLES)
def test_what_is_no_table_of_numbers_is_refused(batch):
    with pytest.raises(LoaderError, match="yield arrays"):
        CANARIES.read(batch)


@pytest.mark.parametrize(("dtype", "many"), [(np.float16, 300), (np.float16, 2), (np.int64, 2)])
def test_numbers_that_do_not_hold_all_changed_values_are_refused(dtype, many):
    """Else their rounding would be told as other windows."""
    few = Canaries(
        DataShape(num_series=many, series_lengths=(10,), context_length=1, forecast_length=1)
    )
    with pytest.raises(LoaderError, match="64-bit"):
        few.read(np.ones((2, 2), dtype=dtype))


def test_more_values_than_fit_are_refused_before_anything_is_made_of_them():
    shape = DataShape(
        num_series=10**7, series_lengths=(90, 100), context_length=1, forecast_length=1
    )
    tracemalloc.start()
    try:
        with pytest.raises(ScenarioError, match=r"950,000,000 values, .* fewer or shorter"):
            Canaries(shape)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10**6  # bytes; one number for each series would have 80,000,000


def test_pairs_within_a_batch_are_of_one_series_however_many_windows_of_it_there_are():
    scenario = scenario_of(num_series=5, lengths=(9, 30), context=4, batch=6, windows=2)
    batch = ReadBatch(series=np.array([0, 1, 3, 1, 3]), starts=np.array([0, 5, 3, 9, 4]))
    scheme = scheme_for(scenario, CANARIES.lengths)
    drawn = Drawn(scheme, [batch, batch], np.random.default_rng(1))
    first, second = drawn.pairs_within()
    for pairs in (first, second):
        assert pairs["batch"].tolist() == [0, 0, 1, 1]
        assert pairs["series"].tolist() == [1, 3, 1, 3]
    assert {*zip(first["start"], second["start"], strict=True)} <= {(5, 9), (9, 5), (3, 4), (4, 3)}
