"""What holds in each batch of a scheme, without any chance."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from dpviz.loaders.canaries import Canaries, ReadBatch
from dpviz.sampling.scheme import Scheme
from dpviz.scenario.mechanism import BINS, COINS, ONE_BAG, WALKS

Finding = tuple[str, str, str]


def structure(scheme: Scheme, canaries: Canaries, reads: Sequence[ReadBatch]) -> Iterator[Finding]:
    """Return of each property its name, what is wrong ('' for nothing), and what is right."""
    shape = canaries.shape
    yield (
        "windows",
        _first(reads, lambda read: read.problem),
        f"{shape.window_length} values of one series in a row, zeros before its beginning",
    )
    if any(read.problem for read in reads):
        return
    by_coins = scheme.bottom_level == COINS
    fixed = not by_coins and scheme.top_level not in (COINS, BINS)
    size = scheme.series_per_batch * scheme.num_subsequences
    if fixed:
        yield (
            "batch size",
            _first(reads, lambda read: _other_size(read, size)),
            f"{size:,} windows in each batch",
        )
    if by_coins or scheme.top_level == ONE_BAG:
        yield "no window twice in a batch", _first(reads, _twice), "each at most once"
    else:
        many = scheme.num_subsequences
        yield (
            "windows of a drawn series",
            _first(reads, lambda read: _other_number(read, many)),
            f"{many:,} of each; no series is drawn twice in a batch",
        )
    if scheme.top_level in WALKS:
        times = "exactly" if _uses_all(scheme) else "at most"
        yield (
            "one use of a series in an epoch",
            _not_used_once(scheme, reads),
            f"each series {times} once in {scheme.steps_per_epoch:,} batches",
        )


def _first(reads: Sequence[ReadBatch], problem_of: Callable[[ReadBatch], str]) -> str:
    for at, read in enumerate(reads):
        if problem := problem_of(read):
            return f"batch {at:,}: {problem}"
    return ""


def _other_size(read: ReadBatch, size: int) -> str:
    found = len(read.series)
    return "" if found == size else f"{found:,} windows instead of {size:,}"


def _other_number(read: ReadBatch, many: int) -> str:
    series, counts = np.unique(read.series, return_counts=True)
    unlike = np.flatnonzero(counts != many)
    if not unlike.size:
        return ""
    at = unlike[0]
    return f"series {series[at]} has {counts[at]:,} windows instead of {many:,}"


def _twice(read: ReadBatch) -> str:
    windows, counts = np.unique(np.stack([read.series, read.starts]), axis=1, return_counts=True)
    if not counts.size or counts.max() == 1:
        return ""
    series, start = windows[:, np.argmax(counts)]
    return f"the window of series {series} that starts at {start} is in it {counts.max():,} times"


def _uses_all(scheme: Scheme) -> bool:
    """Return whether a window of each series is in some batch of an epoch, for certain."""
    return scheme.top_level == BINS and scheme.bottom_level != COINS


def _not_used_once(scheme: Scheme, reads: Sequence[ReadBatch]) -> str:
    for first in range(0, len(reads), scheme.steps_per_epoch):
        sets = [np.unique(read.series) for read in reads[first : first + scheme.steps_per_epoch]]
        series, counts = np.unique(np.concatenate(sets), return_counts=True)
        if counts.size and counts.max() > 1:
            again = series[np.argmax(counts)]
            return (
                f"series {again} is in {counts.max():,} batches of the epoch that begins with "
                f"batch {first:,}"
            )
        if _uses_all(scheme) and len(sets) == scheme.steps_per_epoch:
            left_out = np.setdiff1d(np.arange(len(scheme.start_positions)), series)
            if left_out.size:
                return (
                    f"series {left_out[0]} is in no batch of the epoch that begins with "
                    f"batch {first:,}"
                )
    return ""
