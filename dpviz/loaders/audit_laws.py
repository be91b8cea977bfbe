"""What a scheme's batches are like on average, and how often each thing was seen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import pandas as pd
from scipy.special import rel_entr
from scipy.stats import binom, hypergeom

from dpviz.loaders.canaries import Drawn, Pairs
from dpviz.sampling.hits import middle_position, touching_starts
from dpviz.sampling.scheme import IntArray
from dpviz.scenario.number_text import counted

# Probability that a sampler that is right fails an audit, at most.
FALSE_ALARM = 1e-3
_HALVINGS = 60
_CHUNKS = 8
_MOST_HITS = 3


@dataclass(frozen=True, kw_only=True)
class Share:
    """How often something happened, and how often it should.

    The cases are independent, or further apart than independent ones are (drawn without
    replacement), with a mean probability that is known: then

        Pr[the share is x or further from p on its side] <= exp(-cases KL(x || p))

    by Chernoff's bound (Hoeffding 1956 for unequal probabilities, 1963 for draws without
    replacement).

    Args:
        expected: p, its probability.
    """

    check: str
    event: str
    count: int
    cases: int
    expected: float

    @property
    def share(self) -> float:
        """The observed share; the expected one where there was no case."""
        return self.count / self.cases if self.cases else self.expected

    @property
    def log_p_value(self) -> float:
        """Logarithm of a bound on the probability of what is as far off, on either side."""
        return min(0.0, log(2.0) - self.cases * _divergence(self.share, self.expected))

    def limits(self, error: float) -> tuple[float, float]:
        """Return probabilities between which the true one is, but for this probability."""
        if not self.cases:
            return 0.0, 1.0
        budget = log(2.0 / error) / self.cases
        return _limit(self.share, budget, 0.0), _limit(self.share, budget, 1.0)

    def is_as_expected(self, error: float) -> bool:
        """Return whether the expected probability is between these limits.

        >>> [Share(check="coin", event="heads", count=heads, cases=1000, expected=0.5)
        ...     .is_as_expected(FALSE_ALARM) for heads in (530, 620)]
        [True, False]
        """
        return self.log_p_value > log(error)


def error_of_each(shares: Sequence[Share]) -> float:
    """Return the error at which limits of all shares hold together but for ``FALSE_ALARM``."""
    return FALSE_ALARM / max(1, len(shares))


def _divergence(x: float, p: float) -> float:
    """Return KL(Bernoulli(x) || Bernoulli(p)); infinite where p is 0 or 1 and x is not."""
    return max(0.0, float(rel_entr(x, p) + rel_entr(1.0 - x, 1.0 - p)))


def _limit(x: float, budget: float, end: float) -> float:
    """Return the probability towards ``end`` at which the divergence reaches the budget."""
    inside, outside = x, end
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2.0
        if _divergence(x, middle) <= budget:
            inside = middle
        else:
            outside = middle
    return outside


def laws(drawn: Drawn, width: int) -> list[Share]:
    """Return all shares that the scheme has a probability for, those of one check together.

    Args:
        width: how many values in a row one individual has, to count hits of.
    """
    found = [*_hits(drawn, width), *_series(drawn), *_sizes(drawn), *_starts(drawn)]
    uses = _differences("windows of a series from use to use", drawn.pairs_of_uses(), drawn)
    found += [*_steps(drawn), *uses, *_across(drawn)]
    sampling = drawn.scenario.sampling
    if sampling.num_subsequences > 1 and not sampling.takes_windows_by_coins:
        found += _differences("windows of a series in a batch", drawn.pairs_within(), drawn)
    return [one for one in found if one.cases]


def _window_rate(drawn: Drawn) -> np.ndarray:
    """Return p = min(1, lambda / T) of each series' windows."""
    return np.minimum(1.0, drawn.scenario.sampling.num_subsequences / drawn.positions)


def _seen_rate(drawn: Drawn) -> np.ndarray:
    """Return for each series the probability that a draw of it shows, by a window at least."""
    if not drawn.scenario.sampling.takes_windows_by_coins:
        return np.ones(len(drawn.positions))
    return np.asarray(
        -np.expm1(drawn.positions * np.log1p(-np.minimum(_window_rate(drawn), 1 - 1e-16)))
    )


def _used_rate(drawn: Drawn) -> float:
    """Return the share of series that a shuffled epoch uses; with bins it uses all."""
    return min(1.0, drawn.scenario.steps_per_epoch * drawn.scenario.top_rate)


def _hits(drawn: Drawn, width: int) -> Iterator[Share]:
    """Count windows with the protected values, in the middle of one series."""
    scenario, sampling, shape = drawn.scenario, drawn.scenario.sampling, drawn.scenario.given_shape
    begun = drawn.uses["series"][drawn.uses["batch"] == 0]
    target = int(begun.iloc[0]) if sampling.is_walk_in_order and len(begun) else 0
    positions = int(drawn.positions[target])
    touched = touching_starts(middle_position(shape, positions, width), shape, positions, width)
    own = drawn.windows[drawn.windows["series"] == target]
    hits = drawn.sizes(own[own["start"].between(touched.start, touched.stop - 1)])
    if sampling.is_walk:
        whole = len(hits) // (steps := scenario.steps_per_epoch)
        hits = hits[: whole * steps].reshape(whole, steps).sum(axis=1)
    k, by_coins = len(touched), sampling.takes_windows_by_coins
    if sampling.is_bag:
        total, size, rate = int(drawn.positions.sum()), sampling.batch_size, 1.0
        law = binom(k, size / total) if by_coins else hypergeom(total, k, size)
    else:
        windows = sampling.num_subsequences
        law = binom(k, _window_rate(drawn)[target]) if by_coins else binom(windows, k / positions)
        rate = 1.0 if sampling.is_walk else scenario.top_rate
        rate = _used_rate(drawn) if sampling.is_shuffled else rate
    check = f"hits of one individual in each {'epoch' if sampling.is_walk else 'batch'}"
    for many in range(_MOST_HITS + 1):
        expected = rate * float(law.pmf(many)) + (1.0 - rate) * (many == 0)
        yield _share(check, counted(many, "hit"), hits == many, expected)


def _series(drawn: Drawn) -> Iterator[Share]:
    """Count how often each series is drawn."""
    sampling, rows, event = drawn.scenario.sampling, drawn.uses, "series {} is"
    cases, rates = drawn.batches, drawn.scenario.top_rate * _seen_rate(drawn)
    if sampling.is_walk_in_order:
        return
    if sampling.is_bag:
        rows, event = drawn.windows, "a window is of series {}"
        cases, rates = len(drawn.windows), drawn.positions / drawn.positions.sum()
    elif sampling.is_walk:
        steps = drawn.scenario.steps_per_epoch
        cases = drawn.batches // steps
        rows = drawn.uses[drawn.uses["batch"] < cases * steps]
        begun = rows[rows["batch"] % steps == 0]
        check = "how often each series is in the first batch of an epoch"
        yield from _each(check, event, begun, cases, rates)
        rates = _used_rate(drawn) * _seen_rate(drawn)
    yield from _each("how often each series is drawn", event, rows, cases, rates)


def _each(
    check: str, event: str, rows: pd.DataFrame, cases: int, rates: np.ndarray
) -> Iterator[Share]:
    """Yield the share of each series."""
    counts = np.bincount(rows["series"], minlength=len(rates)).tolist()
    for at, (count, rate) in enumerate(zip(counts, np.minimum(1.0, rates).tolist(), strict=True)):
        yield Share(check=check, event=event.format(at), count=count, cases=cases, expected=rate)


def _sizes(drawn: Drawn) -> Iterator[Share]:
    """Compare sizes of batches that are left to chance with their law."""
    sampling, positions = drawn.scenario.sampling, drawn.positions
    by_coins = sampling.takes_windows_by_coins
    equal = bool((positions == positions[0]).all())
    sizes, what, total = drawn.sizes(drawn.windows), "windows", int(positions.sum())
    if sampling.is_bag and by_coins:
        law = binom(total, sampling.batch_size / total)
    elif (sampling.takes_series_by_coins or sampling.has_bins) and (equal or not by_coins):
        sizes, what = drawn.sizes(drawn.uses), "series"
        if sampling.has_bins:  # batches of one epoch depend on each other: one of each
            steps = drawn.scenario.steps_per_epoch
            epochs = np.arange(len(sizes) // steps)
            sizes = sizes[epochs * steps + epochs % steps]
        law = binom(len(positions), drawn.scenario.top_rate * _seen_rate(drawn)[0])
    elif by_coins and not sampling.is_bag and equal:
        law = binom(sampling.series_per_batch * int(positions[0]), _window_rate(drawn)[0])
    else:
        return
    low, middle, high = (int(law.ppf(q)) for q in (0.25, 0.5, 0.75))
    check = "sizes of batches"
    yield _share(check, f"at most {low} {what}", sizes <= low, law.cdf(low))
    yield _share(check, f"{middle} {what}", sizes == middle, law.pmf(middle))
    yield _share(check, f"at least {high} {what}", sizes >= high, law.sf(high - 1))


def _starts(drawn: Drawn) -> Iterator[Share]:
    """Compare where windows start with a uniform law: at both ends and in eighths of a series."""
    shape, starts = drawn.scenario.given_shape, drawn.windows["start"].to_numpy()
    T = drawn.positions[drawn.windows["series"]]
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
    sampling, uses, batches = drawn.scenario.sampling, drawn.uses, drawn.batches
    check, a_pass = "independence of steps", drawn.scenario.steps_per_epoch
    if sampling.is_walk_in_order:
        return
    rates, what = drawn.scenario.top_rate * _seen_rate(drawn), "series"
    if sampling.is_walk:
        for place, word in ((0, "first"), (a_pass - 1, "last")):
            in_place = uses[uses["batch"] % a_pass == place]
            by_epoch = in_place.assign(batch=in_place["batch"] // a_pass)
            event = f"series of the {word} batch of two epochs"
            epochs = len(range(place, batches, a_pass))
            yield _common(check, event, by_epoch, epochs, 1, np.minimum(1.0, rates))
        return
    if sampling.is_bag:
        uses, what = drawn.windows.drop_duplicates(), "windows"
        rates = np.array([sampling.batch_size / drawn.positions.sum()])
    for lag in sorted({1, 2, a_pass}):
        if 2 * lag <= batches:
            apart = f"{counted(lag, 'step')} apart"
            yield _common(check, f"{what} in common, {apart}", uses, batches, lag, rates)


def _common(
    check: str, event: str, members: pd.DataFrame, batches: int, lag: int, rates: np.ndarray
) -> Share:
    """Count members of a batch that are in the one ``lag`` later, in disjoint pairs of batches."""
    batch = members["batch"]
    before = members[(batch % (2 * lag) < lag) & (batch + lag < batches)]
    expected = rates if len(rates) == 1 else rates[before["series"]]
    return Share(
        check=check,
        event=event,
        count=len(before.assign(batch=before["batch"] + lag).merge(members)),
        cases=len(before),
        expected=float(np.mean(expected)) if len(before) else 0.0,
    )


def _differences(check: str, pairs: Pairs, drawn: Drawn) -> Iterator[Share]:
    """Compare differences of two starts, around the ring of T, with a uniform law."""
    first, second = pairs
    T = drawn.positions[first["series"]]
    apart = (second["start"].to_numpy() - first["start"].to_numpy()) % T
    near = np.minimum(drawn.scenario.given_shape.window_length, (T - 1) // 2)
    yield _share(check, "the same start", apart == 0, 1 / T)
    yield _share(check, "a start shortly after", (apart > 0) & (apart <= near), near / T)
    yield _share(check, "a start shortly before", apart >= T - near, near / T)
    yield from _eighths(check, "differences", apart, T)


def _across(drawn: Drawn) -> Iterator[Share]:
    """Compare windows of two series of one batch."""
    check, apart = "windows of two series in a batch", drawn.places_across()
    close = 1.0 / float(drawn.positions.max())
    near = np.minimum(apart, 1.0 - apart) < close
    yield _share(check, "the same place", near, 2.0 * close)
    for at in range(_CHUNKS):
        inside = (apart * _CHUNKS).astype(np.int64) == at
        yield _share(check, f"differences in eighth {at + 1} of {_CHUNKS}", inside, 1.0 / _CHUNKS)
