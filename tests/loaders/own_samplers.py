"""Samplers as people write them: a right one, and such as draw in another way."""

from itertools import count

import numpy as np

from dpviz.sampling import Batch, batches, windows


def right(scenario):
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


def any_start(rng, T, _step):
    """Return a start of each series, each with the same probability."""
    return rng.integers(0, T)


def drawing(scenario, *, starts=any_start, owners=None, replace=False, changed=None):
    """Draw series and a window of each for ever, each in the way that is given.

    Args:
        starts: of the generator, the number of start positions of each series, and the step.
        owners: of the generator and how many series there are.
        changed: what becomes of the windows, given the longest drawn series.
    """
    size = scenario.sampling.series_per_batch

    def sampler(series, seed):
        rng = np.random.default_rng(seed)
        for step in count():
            if owners is None:
                drawn = rng.choice(len(series), size, replace=replace)
            else:
                drawn = owners(rng, len(series))
            lengths = np.array([len(series[owner]) for owner in drawn])
            T = lengths - scenario.data.forecast_length + 1
            rows = cut_of(scenario, series, drawn, starts(rng, T, step))
            yield rows if changed is None else changed(rows, lengths.max())

    return sampler


def reused_shuffle_order(scenario):
    """Shuffle once, before training: every epoch has the first one's order."""
    size = scenario.sampling.series_per_batch

    def sampler(series, seed):
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(series))
        while True:
            for first in range(0, len(order) - size + 1, size):
                owners = order[first : first + size]
                T = np.array([len(series[at]) for at in owners]) - scenario.data.forecast_length + 1
                yield cut_of(scenario, series, owners, rng.integers(0, T))

    return sampler
