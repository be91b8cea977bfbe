"""Windows that are cut all at once are those of the sampler."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.sampling import Batch, windows
from dpviz.training import mechanism
from dpviz.training.mechanism import WindowReader


@given(
    lengths=st.lists(st.integers(3, 12), min_size=1, max_size=5),
    context_length=st.integers(1, 15),
    draws=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 11)), max_size=8),
)
def test_each_window_is_the_one_that_the_sampler_cuts(lengths, context_length, draws):
    """Whatever the lengths: before a series begins there are zeros, not its neighbour's end."""
    ends = np.cumsum(lengths)
    series = [np.arange(end - size, end) + 1.0 for end, size in zip(ends, lengths, strict=True)]
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
