"""Samplers as people write them: right ones, and five with a fault each."""

import numpy as np

from dpviz.sampling import Batch, batches, windows


def right(scenario, cut=windows):
    """Return dpviz's own sampler of a scenario."""

    def sampler(series, seed):
        rng = np.random.default_rng(seed)
        lengths = [len(one) for one in series]
        for batch in batches(scenario, rng, series_lengths=lengths, endless=True):
            yield cut_of(scenario, series, batch.series, batch.starts)

    return sampler


def cut_of(scenario, series, owners, starts):
    """Return windows as rows."""
    drawn = Batch(series=np.asarray(owners), starts=np.asarray(starts), step=0, epoch=0)
    shape = scenario.data
    cut = windows(series, drawn, shape.context_length, shape.forecast_length)
    return np.concatenate([cut.context, cut.forecast], axis=1)


def _starts(rng, scenario, series, owners):
    ends = [len(series[owner]) - scenario.data.forecast_length + 1 for owner in owners]
    return rng.integers(0, ends)


def reused_shuffle_order(scenario):
    """Shuffle once, before training: every epoch has the first one's order."""
    size = scenario.sampling.series_per_batch

    def sampler(series, seed):
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(series))
        while True:
            for first in range(0, len(order) - size + 1, size):
                owners = order[first : first + size]
                yield cut_of(scenario, series, owners, _starts(rng, scenario, series, owners))

    return sampler


def dropped_ends(scenario):
    """Take windows only where all of the context is there."""
    context = scenario.data.context_length

    def sampler(series, seed):
        rng = np.random.default_rng(seed)
        while True:
            owners = rng.choice(len(series), scenario.sampling.series_per_batch, replace=False)
            ends = [len(series[one]) - scenario.data.forecast_length + 1 for one in owners]
            yield cut_of(scenario, series, owners, rng.integers(context, ends))

    return sampler


def replaced_at_the_top(scenario):
    """Draw series with replacement."""

    def sampler(series, seed):
        rng = np.random.default_rng(seed)
        while True:
            owners = rng.choice(len(series), scenario.sampling.series_per_batch, replace=True)
            yield cut_of(scenario, series, owners, _starts(rng, scenario, series, owners))

    return sampler


def size_by_the_data(scenario):
    """Leave windows out that hold nothing above zero, or a gap."""

    def sampler(series, seed):
        rng = np.random.default_rng(seed)
        while True:
            owners = rng.choice(len(series), scenario.sampling.series_per_batch, replace=False)
            rows = cut_of(scenario, series, owners, _starts(rng, scenario, series, owners))
            yield rows[rows.sum(axis=1) > 0.0]

    return sampler


def padded_to_the_longest(scenario):
    """Pad all windows of a batch to the longest series in it, so that their length tells it."""

    def sampler(series, seed):
        rng = np.random.default_rng(seed)
        while True:
            owners = rng.choice(len(series), scenario.sampling.series_per_batch, replace=False)
            rows = cut_of(scenario, series, owners, _starts(rng, scenario, series, owners))
            longest = max(len(series[one]) for one in owners)
            yield np.pad(rows, ((0, 0), (longest - rows.shape[1], 0)))

    return sampler


FAULTS = (
    reused_shuffle_order,
    dropped_ends,
    replaced_at_the_top,
    size_by_the_data,
    padded_to_the_longest,
)
