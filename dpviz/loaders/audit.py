"""Somebody's own sampler, run on series of canaries: does it draw as was accounted for?"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from traceback import extract_tb
from typing import Any

import numpy as np

from dpviz.loaders.audit_laws import laws
from dpviz.loaders.batch_sampler import LoaderError
from dpviz.loaders.canaries import CHANGES, Canaries, Drawn, ReadBatch, Values, same_windows
from dpviz.loaders.shares import Judged, judged
from dpviz.sampling.scheme import Scheme, scheme_for
from dpviz.scenario import Scenario
from dpviz.scenario.errors import checked_integer, cut_off
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


Sampler = Callable[[list[Values], int], Iterable[Any]]
MOST_BATCHES = 10**6
# What does not depend on chance shows in few batches.
_COMPARED = 50
_LONGEST_ERROR = 300


@dataclass(frozen=True, kw_only=True)
class Check:
    """One property of a sampler.

    Args:
        passed: whether it is as accounted for; ``None`` where it could not be looked at.
        found: what was seen, in words.
    """

    name: str
    passed: bool | None
    found: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Audit:
    """What is known about a sampler.

    Args:
        shares: all observed shares, with limits that hold together.
    """

    batches: int
    checks: Sequence[Check]
    shares: Sequence[Judged]

    @property
    def passed(self) -> bool:
        """Whether nothing was found that is not as accounted for."""
        return all(check.passed is not False for check in self.checks)


def audit(scenario: Scenario, sampler: Sampler, batches: int, seed: int) -> Audit:
    """Run a sampler on canaries, and compare what it draws with the scenario's scheme.

    The canaries are N series of the scenario's lengths; each value says where it stands. A sampler
    that draws by the scheme fails with probability 1/1000 at most, whatever the number of checks.
    One that passes has shown no fault: that is no proof.

    Args:
        scenario: what is accounted for; its data must be a ``DataShape``.
        sampler: called with the series, each of shape (L,), and a seed; yields batches, each of
            shape (windows, L_C + L_F) or a pair of contexts and forecasts, as the model reads
            them before any scale.
        batches: how many batches to look at, if the sampler yields as many.

    Raises:
        ScenarioError: the scenario gives rates, or data too large to make.
        LoaderError: the sampler yields no batches, or no tables of numbers, or stops with an error,
            which is the cause of this one.
    """
    batches = checked_integer("batches", batches, 1, MOST_BATCHES)
    canaries = Canaries(scenario.given_shape)
    scheme = scheme_for(scenario, canaries.lengths)
    reads = _run(sampler, canaries, None, batches, seed)
    if not reads:
        raise LoaderError("the sampler yields no batch", "yield all batches of training")
    checks = [
        Check(name=name, passed=not wrong, found=wrong or right)
        for name, wrong, right in structure(scheme, canaries, reads)
    ]
    checks += _data_checks(sampler, canaries, reads, seed)
    shares: list[Judged] = []
    if any(read.problem for read in reads):
        found = "not looked at: not all windows are known"
        checks.append(Check(name="sizes, shares and independence", passed=None, found=found))
    else:
        drawn = Drawn(scheme, reads, np.random.default_rng(seed))
        width = scenario.relation.width if scenario.relation.level == "event" else 1
        shares = judged(laws(drawn, width))
        checks += _law_checks(shares)
    return Audit(batches=len(reads), checks=checks, shares=shares)


def _run(
    sampler: Sampler,
    canaries: Canaries,
    change: Callable[[Values], Values] | None,
    batches: int,
    seed: int,
) -> list[ReadBatch]:
    drawn = _drawn(sampler, canaries.series(change), seed)
    return [canaries.read(one) for one in islice(drawn, batches)]


def _drawn(sampler: Sampler, series: list[Values], seed: int) -> Iterator[Any]:
    """Yield what a sampler yields; errors of its own are told as such."""
    try:
        yield from sampler(series, seed)
    except LoaderError:
        raise
    except Exception as problem:  # whatever somebody's code raises
        frames = extract_tb(problem.__traceback__)[1:2]
        place = "".join(f" in line {one.lineno} of {Path(one.filename).name}" for one in frames)
        raise LoaderError(f"the sampler stops{place}", error_words(problem)) from problem


def error_words(problem: Exception) -> str:
    r"""Return an error of somebody's code in one line.

    >>> error_words(ValueError("no series\nat all"))
    'ValueError: no series at all'
    """
    said = cut_off(" ".join(str(problem).split()), _LONGEST_ERROR)
    return f"{type(problem).__name__}: {said}" if said else type(problem).__name__


def _data_checks(
    sampler: Sampler, canaries: Canaries, reads: Sequence[ReadBatch], seed: int
) -> list[Check]:
    """Compare with series of other values: the same seed must draw the same windows."""
    name = "same windows whatever the values"
    some = reads[:_COMPARED]
    if not same_windows(some, _run(sampler, canaries, None, len(some), seed)):
        found = "not looked at: the same seed draws other windows; let the seed decide all"
        return [Check(name=name, passed=None, found=found)]
    unlike, stopped = [], []
    for word, change in CHANGES.items():
        # A window before the first value would hold the missing one alone.
        if word == "missing in part" and canaries.shape.forecast_length == 1:
            continue
        try:
            other = _run(sampler, canaries, change, len(some), seed)
        except Exception as problem:  # whatever somebody's code raises
            kind = type(problem.__cause__ or problem).__name__
            stopped.append(f"stops where values are {word} ({kind})")
            continue
        if not same_windows(some, other):
            unlike.append(word)
    if unlike:
        found = f"other windows are drawn where values are {', '.join(unlike)}"
        return [Check(name=name, passed=False, found=found)]
    told = "; ".join(["the same for one seed", *stopped])
    return [Check(name=name, passed=True, found=told)]


def _law_checks(shares: Sequence[Judged]) -> list[Check]:
    """Return one check for each group of shares, told by the one that is furthest off."""
    groups: dict[str, list[Judged]] = {}
    for one in shares:
        groups.setdefault(one.share.check, []).append(one)
    checks = []
    for name, group in groups.items():
        worst = min(group, key=lambda one: one.share.log_p_value)
        share = worst.share
        told = (
            f"{share.event}: {share.count:,} of {share.cases:,}, {share.share:.4g} "
            f"({worst.low:.4g} to {worst.high:.4g}), expected {share.expected:.4g}"
        )
        more = "" if len(group) == 1 else f"; the furthest off of {len(group):,}"
        checks.append(Check(name=name, passed=worst.as_expected, found=told + more))
    return checks
