"""Windows of canaries are read back, whatever was done to all values; others are told."""

import re

import numpy as np
import pytest

from dpviz.loaders import LoaderError
from dpviz.loaders.canaries import CHANGES, Canaries
from dpviz.sampling import Batch, windows
from dpviz.scenario import DataShape, ScenarioError

SHAPE = DataShape(num_series=5, series_lengths=(9, 30), context_length=4, forecast_length=3)
CANARIES = Canaries(SHAPE)


def all_windows():
    series = np.repeat(np.arange(5), CANARIES.start_positions)
    starts = np.concatenate([np.arange(many) for many in CANARIES.start_positions])
    return Batch(series=series, starts=starts, step=0, epoch=0)


@pytest.mark.parametrize("change", [None, *CHANGES], ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_every_window_is_read_back(change, dtype):
    values = CANARIES.series(None if change is None else CHANGES[change])
    batch = all_windows()
    cut = windows(values, batch, 4, 3, dtype)
    pair = (cut.context, cut.forecast)
    rows = np.concatenate(pair, axis=1)
    for given in (pair, [*pair], rows, rows.tolist()):
        read = CANARIES.read(given)
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


def test_too_few_digits_are_refused():
    many = Canaries(
        DataShape(num_series=300, series_lengths=(10,), context_length=1, forecast_length=1)
    )
    with pytest.raises(LoaderError, match="64-bit"):
        many.read(np.ones((2, 2), dtype=np.float16))


def test_more_values_than_fit_are_refused():
    with pytest.raises(ScenarioError, match="fewer or shorter"):
        Canaries(
            DataShape(num_series=10**6, series_lengths=(1000,), context_length=1, forecast_length=1)
        )
