"""What a scheme's batches are like on average, and how often each thing was seen."""

from collections.abc import Iterator

import numpy as np
from scipy.stats import binom, hypergeom

from dpviz.loaders.canaries import Drawn
from dpviz.loaders.shares import Share
from dpviz.sampling.hits import middle_position, touching_starts
from dpviz.sampling.scheme import IntArray
from dpviz.scenario.mechanism import BINS, COINS, FIXED_NUMBER, IN_ORDER, ONE_BAG, SHUFFLED, WALKS

_CHUNKS = 8
_MOST_HITS = 3


def laws(drawn: Drawn, width: int) -> list[Share]:
    """Return all shares that the scheme has a probability for.

    Args:
        width: how many values in a row one individual has, to count hits of.
    """
    found = [*_hits(drawn, width), *_series(drawn), *_sizes(drawn), *_starts(drawn)]
    uses = _differences("windows of a series from use to use", *drawn.pairs_of_uses(), drawn)
    found += [*_steps(drawn), *uses, *_across(drawn)]
    scheme = drawn.scheme
    if scheme.num_subsequences > 1 and scheme.bottom_level == FIXED_NUMBER:
        found += _differences("windows of a series in a batch", *drawn.pairs_within(), drawn)
    return [one for one in found if one.cases]


def _window_rate(drawn: Drawn) -> np.ndarray:
    """Return p = min(1, lambda / T) of each series' windows."""
    return np.minimum(1.0, drawn.scheme.num_subsequences / drawn.positions)


def _seen_rate(drawn: Drawn) -> np.ndarray:
    """Return for each series the probability that a draw of it shows, by a window at least."""
    if drawn.scheme.bottom_level != COINS:
        return np.ones(len(drawn.positions))
    return np.asarray(
        -np.expm1(drawn.positions * np.log1p(-np.minimum(_window_rate(drawn), 1 - 1e-16)))
    )


def _top_rate(drawn: Drawn) -> float:
    if drawn.scheme.top_level == BINS:
        return 1.0 / drawn.scheme.steps_per_epoch
    return drawn.scheme.series_per_batch / len(drawn.positions)


def _used_rate(drawn: Drawn) -> float:
    """Return the share of series that a shuffled epoch uses; with bins it uses all."""
    return min(1.0, drawn.scheme.steps_per_epoch * _top_rate(drawn))


def _hits(drawn: Drawn, width: int) -> Iterator[Share]:
    """Count windows with the protected values, in the middle of one series."""
    scheme, shape, steps = drawn.scheme, drawn.scheme.shape, drawn.scheme.steps_per_epoch
    target = (
        int(drawn.series_sets[0][0])
        if scheme.top_level == IN_ORDER and len(drawn.series_sets[0])
        else 0
    )
    positions = int(drawn.positions[target])
    touched = touching_starts(middle_position(shape, positions, width), shape, positions, width)
    hits = np.array(
        [
            np.count_nonzero(
                (read.series == target)
                & (read.starts >= touched.start)
                & (read.starts < touched.stop)
            )
            for read in drawn.reads
        ]
    )
    unit = "batch"
    if scheme.top_level in WALKS:
        unit, whole = "epoch", len(hits) // steps
        hits = hits[: whole * steps].reshape(whole, steps).sum(axis=1)
    k, by_coins = len(touched), scheme.bottom_level == COINS
    if scheme.top_level == ONE_BAG:
        total, size, rate = int(drawn.positions.sum()), scheme.series_per_batch, 1.0
        law = binom(k, size / total) if by_coins else hypergeom(total, k, size)
    else:
        windows = scheme.num_subsequences
        law = binom(k, _window_rate(drawn)[target]) if by_coins else binom(windows, k / positions)
        rate = {IN_ORDER: 1.0, BINS: 1.0, SHUFFLED: _used_rate(drawn)}.get(
            scheme.top_level, _top_rate(drawn)
        )
    check = f"hits of one individual in each {unit}"
    for many in range(_MOST_HITS + 1):
        expected = rate * float(law.pmf(many)) + (1.0 - rate) * (many == 0)
        yield _share(check, f"{many} hit{'' if many == 1 else 's'}", hits == many, expected)


def _series(drawn: Drawn) -> Iterator[Share]:
    """Count how often each series is drawn."""
    scheme, many, event = drawn.scheme, len(drawn.positions), "series {} is"
    if scheme.top_level == IN_ORDER:
        return
    in_a_batch = _top_rate(drawn) * _seen_rate(drawn)
    if scheme.top_level == ONE_BAG:
        counts, event = np.bincount(drawn.all_series, minlength=many), "a window is of series {}"
        cases, rates = int(counts.sum()), drawn.positions / drawn.positions.sum()
    elif scheme.top_level in (SHUFFLED, BINS):
        steps = scheme.steps_per_epoch
        cases = len(drawn.reads) // steps
        counts = _counts(drawn.series_sets[: cases * steps], many)
        rates = _used_rate(drawn) * _seen_rate(drawn)
        begun = _counts(drawn.series_sets[: cases * steps : steps], many)
        check = "how often each series is in the first batch of an epoch"
        yield from _each(check, event, begun, cases, in_a_batch)
    else:
        cases, rates = len(drawn.reads), in_a_batch
        counts = _counts(drawn.series_sets, many)
    yield from _each("how often each series is drawn", event, counts, cases, rates)


def _each(
    check: str, event: str, counts: IntArray, cases: int, rates: np.ndarray
) -> Iterator[Share]:
    """Yield the share of each series, given how often it was counted."""
    for at, (count, rate) in enumerate(zip(counts.tolist(), rates.tolist(), strict=True)):
        expected = min(1.0, rate)
        yield Share(
            check=check, event=event.format(at), count=count, cases=cases, expected=expected
        )


def _counts(sets: list[IntArray], many: int) -> IntArray:
    together = np.concatenate(sets) if sets else np.zeros(0, dtype=np.int64)
    return np.bincount(together, minlength=many)


def _sizes(drawn: Drawn) -> Iterator[Share]:
    """Compare sizes of batches that are left to chance with their law."""
    scheme, positions = drawn.scheme, drawn.positions
    equal = bool((positions == positions[0]).all())
    sizes, what, total = drawn.sizes, "windows", int(positions.sum())
    if scheme.top_level == ONE_BAG and scheme.bottom_level == COINS:
        law = binom(total, scheme.series_per_batch / total)
    elif scheme.top_level in (COINS, BINS) and (equal or scheme.bottom_level != COINS):
        sizes, what = np.array([len(one) for one in drawn.series_sets]), "series"
        if scheme.top_level == BINS:  # batches of one epoch depend on each other: one of each
            epochs = np.arange(len(sizes) // scheme.steps_per_epoch)
            sizes = sizes[epochs * scheme.steps_per_epoch + epochs % scheme.steps_per_epoch]
        law = binom(len(positions), _top_rate(drawn) * _seen_rate(drawn)[0])
    elif scheme.bottom_level == COINS and scheme.top_level != ONE_BAG and equal:
        law = binom(scheme.series_per_batch * int(positions[0]), _window_rate(drawn)[0])
    else:
        return
    low, middle, high = (int(law.ppf(q)) for q in (0.25, 0.5, 0.75))
    check = "sizes of batches"
    yield _share(check, f"at most {low} {what}", sizes <= low, law.cdf(low))
    yield _share(check, f"{middle} {what}", sizes == middle, law.pmf(middle))
    yield _share(check, f"at least {high} {what}", sizes >= high, law.sf(high - 1))


def _starts(drawn: Drawn) -> Iterator[Share]:
    """Compare where windows start with a uniform law: at both ends and in eighths of a series."""
    shape, starts = drawn.scheme.shape, drawn.all_starts
    T = drawn.positions[drawn.all_series]
    from_the_end = T - 1 - starts
    for event, place, width in (
        ("the first start position", starts, 1),
        ("starts whose context is padded", starts, max(1, shape.context_length)),
        ("the last start position", from_the_end, 1),
        ("starts in the last forecast's length", from_the_end, shape.forecast_length),
    ):
        many = np.minimum(width, T)
        yield _share("where windows start", event, place < many, many / T)
    yield from _eighths("where windows start", "starts", starts, T)


def _eighths(check: str, what: str, values: IntArray, T: IntArray) -> Iterator[Share]:
    """Compare numbers from 0 to T - 1 with a uniform law."""
    for at in range(_CHUNKS):
        first, after = -(-at * T // _CHUNKS), -(-(at + 1) * T // _CHUNKS)
        inside = (values >= first) & (values < after)
        event = f"{what} in eighth {at + 1} of {_CHUNKS}"
        yield _share(check, event, inside, (after - first) / T)


def _share(check: str, event: str, happened: np.ndarray, rate: float | np.ndarray) -> Share:
    """Return in how many of all cases something happened, given its probability in each."""
    return Share(
        check=check,
        event=event,
        count=int(np.count_nonzero(happened)),
        cases=len(happened),
        expected=min(1.0, float(np.mean(rate))) if len(happened) else 0.0,
    )


def _steps(drawn: Drawn) -> Iterator[Share]:
    """Compare what batches have in common with what independent draws have."""
    scheme = drawn.scheme
    check, a_pass = "independence of steps", scheme.steps_per_epoch
    if scheme.top_level == IN_ORDER:
        return
    if scheme.top_level in (SHUFFLED, BINS):
        rates = np.minimum(1.0, _top_rate(drawn) * _seen_rate(drawn))
        for place, word in ((0, "first"), (a_pass - 1, "last")):
            sets = drawn.series_sets[place::a_pass]
            yield _common(check, f"series of the {word} batch of two epochs", sets, 1, rates)
        return
    rates, sets, what = _top_rate(drawn) * _seen_rate(drawn), drawn.series_sets, "series"
    if scheme.top_level == ONE_BAG:
        longest, total = int(drawn.positions.max()), drawn.positions.sum()
        sets = [np.unique(read.series * longest + read.starts) for read in drawn.reads]
        rates, what = np.array([scheme.series_per_batch / total]), "windows"
    for lag in sorted({1, 2, a_pass}):
        if 2 * lag <= len(sets):
            yield _common(
                check,
                f"{what} in common, {lag:,} step{'' if lag == 1 else 's'} apart",
                sets,
                lag,
                rates,
            )


def _common(check: str, event: str, sets: list[IntArray], lag: int, rates: np.ndarray) -> Share:
    """Count members of a batch that are in the one ``lag`` later, in disjoint pairs of batches."""
    count, before = 0, []
    for at in range(len(sets) - lag):
        if at % (2 * lag) < lag:
            count += len(np.intersect1d(sets[at], sets[at + lag], assume_unique=True))
            before.append(sets[at])
    members = np.concatenate(before) if before else np.zeros(0, dtype=np.int64)
    expected = rates if len(rates) == 1 else rates[members]
    return Share(
        check=check,
        event=event,
        count=count,
        cases=len(members),
        expected=float(np.mean(expected)) if len(members) else 0.0,
    )


def _differences(
    check: str, T: IntArray, first: IntArray, second: IntArray, drawn: Drawn
) -> Iterator[Share]:
    """Compare differences of two starts, around the ring of T, with a uniform law."""
    apart = (second - first) % T
    near = np.minimum(drawn.scheme.shape.window_length, (T - 1) // 2)
    yield _share(check, "the same start", apart == 0, 1 / T)
    yield _share(check, "a start shortly after", (apart > 0) & (apart <= near), near / T)
    yield _share(check, "a start shortly before", apart >= T - near, near / T)
    yield from _eighths(check, "differences", apart, T)


def _across(drawn: Drawn) -> Iterator[Share]:
    """Compare windows of two series of one batch."""
    check = "windows of two series in a batch"
    apart = np.concatenate([*drawn.places_across(), np.zeros(0)])
    close = 1.0 / float(drawn.positions.max())
    near = np.minimum(apart, 1.0 - apart) < close
    yield _share(check, "the same place", near, 2.0 * close)
    for at in range(_CHUNKS):
        inside = (apart * _CHUNKS).astype(np.int64) == at
        yield _share(check, f"differences in eighth {at + 1} of {_CHUNKS}", inside, 1.0 / _CHUNKS)
