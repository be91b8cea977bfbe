"""Somebody's own sampler, run on series of canaries: does it draw as was accounted for?"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from traceback import extract_tb
from typing import Any

import numpy as np

from dpviz.loaders.audit_laws import Share, error_of_each, laws
from dpviz.loaders.batch_sampler import LoaderError
from dpviz.loaders.canaries import CHANGES, Canaries, Drawn, ReadBatch, Values, windows_of
from dpviz.sampling.scheme import scheme_for
from dpviz.scenario import Scenario
from dpviz.scenario.errors import checked_integer, cut_off
from dpviz.scenario.number_text import counted

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
    """

    name: str
    passed: bool | None
    found: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Audit:
    """What is known about a sampler: its checks, and all observed shares."""

    batches: int
    checks: Sequence[Check]
    shares: Sequence[Share]

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
            them before any scale, in floating-point numbers of 32 or 64 bits.

    Raises:
        ScenarioError: the scenario gives rates, or data too large to make.
        LoaderError: the sampler yields no batches, or no tables of numbers, or stops with an error,
            which is the cause of this one.
    """
    batches = checked_integer("batches", batches, 1, MOST_BATCHES)
    canaries = Canaries(scenario.given_shape)
    scheme = scheme_for(scenario, canaries.lengths)
    reads = _run(sampler, canaries, batches, seed)
    if not reads:
        raise LoaderError("the sampler yields no batch", "yield all batches of training")
    drawn = Drawn(scheme, reads, np.random.default_rng(seed))
    checks = [*_structure(drawn, reads), *_data_checks(sampler, canaries, reads, seed)]
    shares: list[Share] = []
    if any(read.problem for read in reads):
        found = "not looked at: not all windows are known"
        checks.append(Check(name="sizes, shares and independence", passed=None, found=found))
    else:
        width = scenario.relation.width if scenario.relation.level == "event" else 1
        shares = laws(drawn, width)
        error = error_of_each(shares)
        for name, group in groupby(shares, key=lambda share: share.check):
            alike = list(group)  # told by the one that is furthest off
            worst = min(alike, key=lambda share: share.log_p_value)
            low, high = worst.limits(error)
            told = (
                f"{worst.event}: {worst.count:,} of {worst.cases:,}, {worst.share:.4g} "
                f"({low:.4g} to {high:.4g}), expected {worst.expected:.4g}"
            )
            more = "" if len(alike) == 1 else f"; the furthest off of {len(alike):,}"
            checks.append(Check(name=name, passed=worst.is_as_expected(error), found=told + more))
    return Audit(batches=len(reads), checks=checks, shares=shares)


def _structure(drawn: Drawn, reads: Sequence[ReadBatch]) -> Iterator[Check]:
    """Yield the properties that the scheme leaves nothing to chance in."""

    def check(name: str, wrong: str, right: str) -> Check:
        return Check(name=name, passed=not wrong, found=wrong or right)

    scenario, sampling = drawn.scenario, drawn.scenario.sampling
    problems = (f"batch {at:,}: {read.problem}" for at, read in enumerate(reads) if read.problem)
    wrong, width = next(problems, ""), scenario.given_shape.window_length
    yield check(
        "windows", wrong, f"{width} values of one series in a row, zeros before its beginning"
    )
    if wrong:
        return
    many, by_coins = sampling.num_subsequences, sampling.takes_windows_by_coins
    if not (by_coins or sampling.takes_series_by_coins or sampling.has_bins):
        size = sampling.windows_per_batch
        right = f"{counted(size, 'window')} in each batch"
        yield check("batch size", _other_size(drawn, size), right)
    if by_coins or sampling.is_bag:
        yield check("no window twice in a batch", _twice(drawn), "each at most once")
    else:
        right = f"{many:,} of each; no series is drawn twice in a batch"
        yield check("windows of a drawn series", _other_number(drawn, many), right)
    if sampling.is_walk:
        # Whether a window of each series is in some batch of an epoch, for certain.
        uses_all = sampling.has_bins and not by_coins
        times = "exactly" if uses_all else "at most"
        right = f"each series {times} once"
        wrong = _not_used_once(drawn, uses_all=uses_all)
        yield check("one use of a series in an epoch", wrong, right)


def _other_size(drawn: Drawn, size: int) -> str:
    sizes = drawn.sizes(drawn.windows)
    unlike = np.flatnonzero(sizes != size)
    if not unlike.size:
        return ""
    return f"batch {unlike[0]:,}: {counted(sizes[unlike[0]], 'window')} instead of {size:,}"


def _other_number(drawn: Drawn, many: int) -> str:
    counts = drawn.windows.groupby(["batch", "series"]).size()
    unlike = counts[counts != many]
    if unlike.empty:
        return ""
    batch, series = unlike.index[0]
    found = f"{counted(unlike.iloc[0], 'window')} instead of {many:,}"
    return f"batch {batch:,}: series {series} has {found}"


def _twice(drawn: Drawn) -> str:
    counts = drawn.windows.groupby(["batch", "series", "start"]).size()
    again = counts[counts > 1]
    if again.empty:
        return ""
    of_a_batch = again.loc[[again.index[0][0]]]
    batch, series, start = of_a_batch.idxmax()
    window = f"the window of series {series} that starts at {start}"
    return f"batch {batch:,}: {window} is in it {of_a_batch.max():,} times"


def _not_used_once(drawn: Drawn, *, uses_all: bool) -> str:
    steps, many = drawn.scenario.steps_per_epoch, len(drawn.positions)
    ends = np.searchsorted(drawn.uses["batch"], np.arange(steps, drawn.batches, steps))
    for epoch, series in enumerate(np.split(drawn.uses["series"].to_numpy(), ends)):
        counts, first = np.bincount(series, minlength=many), epoch * steps
        where = f"of the epoch that begins with batch {first:,}"
        if counts.max() > 1:
            return f"series {np.argmax(counts)} is in {counts.max():,} batches {where}"
        if uses_all and first + steps <= drawn.batches and counts.min() == 0:
            return f"series {np.argmin(counts)} is in no batch {where}"
    return ""


def _run(sampler: Sampler, canaries: Canaries, batches: int, seed: int) -> list[ReadBatch]:
    return [*map(canaries.read, islice(_drawn(sampler, canaries.series(), seed), batches))]


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

    def draws_the_same(**change: Any) -> bool:
        other = _run(sampler, Canaries(canaries.shape, **change), len(some), seed)
        return len(other) == len(some) and bool(windows_of(other).equals(windows_of(some)))

    if not draws_the_same():
        found = "not looked at: the same seed draws other windows; let the seed decide all"
        return [Check(name=name, passed=None, found=found)]
    unlike, same = [], ["the same for one seed"]
    for word, change in CHANGES.items():
        # A window before the first value would hold the missing one alone.
        if word == "missing in part" and canaries.shape.forecast_length == 1:
            continue
        try:
            if not draws_the_same(**change):
                unlike.append(word)
        except Exception as problem:  # whatever somebody's code raises
            kind = type(problem.__cause__ or problem).__name__
            same.append(f"stops where values are {word} ({kind})")
    other = f"other windows are drawn where values are {', '.join(unlike)}"
    return [Check(name=name, passed=not unlike, found=other if unlike else "; ".join(same))]
