"""Scenarios and windows to draw from, and the one test of drawn counts against an exact law."""

import numpy as np
from scipy import stats

from dpviz.sampling import Batch, windows
from tests.scenario.changes import TOY, varied

# Chance of failing a sampler that is right. Seeds are fixed, so it is taken only when a seed or
# the order of draws changes: some 250 checks then fail by chance in one change out of 40.
SIGNIFICANCE = 1e-4
# Below that the chi-square law of the statistic is a poor approximation: cells are pooled.
SMALLEST_EXPECTED_COUNT = 5.0


def assert_counts_follow(counts, probabilities):
    """Fail if the counts of categories are not those of independent draws with this law."""
    counts, probabilities = np.asarray(counts), np.asarray(probabilities)
    assert len(counts) == len(probabilities)
    assert abs(probabilities.sum() - 1) < 1e-9
    assert not counts[probabilities == 0].any()
    order = np.argsort(probabilities)
    counts, expected = counts[order], counts.sum() * probabilities[order]
    pooled = int(np.searchsorted(np.cumsum(expected), SMALLEST_EXPECTED_COUNT))
    counts = np.append(counts[: pooled + 1].sum(), counts[pooled + 1 :])
    expected = np.append(expected[: pooled + 1].sum(), expected[pooled + 1 :])
    assert len(counts) > 1, "nothing is tested: draw more"
    assert stats.chisquare(counts, expected).pvalue > SIGNIFICANCE


SMALL = varied(
    TOY, num_series=10, series_lengths=(30,), context_length=3, forecast_length=2, batch_size=4
)
_LONG_NAMES = {
    "lengths": "series_lengths",
    "context": "context_length",
    "forecast": "forecast_length",
    "batch": "batch_size",
    "windows": "num_subsequences",
    "top": "top_level",
    "bottom": "bottom_level",
    "sigma": "noise_multiplier",
}


def scenario_of(*, steps=100, unit="steps", **changes):
    """Return a small scenario with changes, some of which have shorter names."""
    named = {_LONG_NAMES.get(name, name): value for name, value in changes.items()}
    return varied(SMALL, **{unit: steps}, **named)


def law_of_hits(scenario, top_rate, most):
    """Return the exact probabilities of 0, 1, ..., most hits (Thms 4.4, E.8, F.7, F.8)."""
    positions = scenario.data.start_positions
    # Of values in a row, counted here anew.
    k = min(scenario.data.window_length + scenario.relation.width - 1, positions)
    windows = scenario.sampling.num_subsequences
    if scenario.sampling.bottom_level == "poisson":
        within = stats.binom(k, min(1.0, windows / positions))
    else:
        within = stats.binom(windows, k / positions)
    law = top_rate * within.pmf(np.arange(most + 1))
    law[0] += 1 - top_rate
    return law


def batch_of(series, starts):
    """Return a batch of some windows."""
    series, starts = np.array(series, dtype=np.int64), np.array(starts, dtype=np.int64)
    return Batch(series=series, starts=starts, step=0, epoch=0)


def all_windows(series, context, forecast):
    """Return every window of one series, in order."""
    starts = np.arange(len(series) - forecast + 1)
    return windows([series], batch_of(0 * starts, starts), context, forecast)
