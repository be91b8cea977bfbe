"""The best test against coupled counts with 40 digits, by other means than dpviz's own.

Equation (3) of docs/tighter-bounds.md: for a fixed c the thresholds are an isotonic regression with
bounds from below, since phi(y) is a factor of all slopes; pooled here from the first count on. The
c is where the slope in c is 0. What comes out is checked to be within the constraints, and its
value is one that a test has; :func:`dual_value` is above all of them.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import mpmath as mp

from dpviz.guarantees import CoupledPair

DIGITS = 40
# mpmath has no types.
Number = Any


@dataclass(frozen=True, kw_only=True)
class BestTest:
    """Thresholds y of the counts, c, and the value of (3)."""

    y: list[Number]
    c: Number
    value: Number


@dataclass(frozen=True, kw_only=True)
class _Problem:
    d: list[Number]
    w: list[Number]
    rho: Number
    absence: Number
    alpha: Number


def normal(x: Number) -> Number:
    """Return Phi(x)."""
    return mp.erfc(-x / mp.sqrt(2)) / 2


def best_test(pair: CoupledPair, loss: float) -> BestTest:
    """Return the best test at ln alpha = ``loss`` >= 0 against the listed counts."""
    with mp.workdps(DIGITS):
        problem = _problem(pair, loss)
        if pair.rate == 1.0:
            c = mp.inf
            y = _thresholds(problem, c)[0]
        else:
            c = _cap(problem)
            y = _thresholds(problem, c)[0]
        return BestTest(y=y, c=c, value=value_of(pair, loss, y, c))


def value_of(pair: CoupledPair, loss: float, y: list[Number], c: Number) -> Number:
    """Return (3) for given thresholds."""
    with mp.workdps(DIGITS):
        first, second = masses(pair, y, mp.mpf(pair.absence) / pair.noise_multiplier - c)
        return first - mp.exp(mp.mpf(loss)) * second


def masses(pair: CoupledPair, y: list[Number], z: Number) -> tuple[Number, Number]:
    """Return the masses beyond thresholds y and z under the first and second distribution."""
    with mp.workdps(DIGITS):
        p = _problem(pair, 0.0)
        present = list(zip(p.d, p.w, y, strict=True))
        absent = mp.mpf(0) if pair.rate == 1.0 else (1 - p.rho) * normal(-z)
        first = absent + p.rho * sum(w * normal(d - at) for d, w, at in present)
        second = absent + p.rho * sum(w * normal(-at) for _, w, at in present)
        return first, second


def is_feasible(pair: CoupledPair, test: BestTest, room: float = 0.0) -> bool:
    """Return whether thresholds obey the constraints of (3)."""
    with mp.workdps(DIGITS):
        p = _problem(pair, 0.0)
        ordered = all(a <= b + room for a, b in pairwise(test.y))
        return ordered and all(d - y <= test.c + room for d, y in zip(p.d, test.y, strict=True))


def dual_value(pair: CoupledPair, loss: float, test: BestTest) -> Number:
    """Return the right side of (4), with a and b from a test's stationarity.

    No value of (3) is larger, for any a and b that obey the two conditions: they are lowered until
    they do.
    """
    with mp.workdps(DIGITS):
        p = _problem(pair, loss)
        none = p.w[0] if p.d[0] == 0 else mp.mpf(0)
        counts = [i for i, d in enumerate(p.d) if d > 0]
        a: dict[int, Number] = {}
        used, weight = none, none
        for i in counts:
            weight += p.w[i]
            density = mp.exp(p.d[i] * test.y[i] - p.d[i] ** 2 / 2)
            a[i] = min(density, (p.alpha * weight - used) / p.w[i])
            if test.y[i] > test.y[counts[0]]:
                a[i] = min(a[i], p.alpha)
            used += p.w[i] * a[i]
        b = dict.fromkeys(counts, mp.mpf(0))
        if pair.rate < 1.0:
            for i in counts:
                x = p.d[i] - test.y[i]
                if x < test.c - mp.mpf(10) ** (10 - DIGITS):
                    continue
                rest = 1 - a[i] * mp.exp(p.d[i] * x - p.d[i] ** 2 / 2)
                b[i] = max(rest, 0) * mp.exp(p.absence**2 / 2 - p.absence * x)
            need, has = p.rho * sum(p.w[i] * b[i] for i in counts), (p.alpha - 1) * (1 - p.rho)
            if need > has:
                b = {i: b[i] * has / need for i in counts}
        return p.rho * sum(p.w[i] * _largest(p.d[i], a[i], b[i], p.absence) for i in counts)


def unused_absence(pair: CoupledPair, loss: float, c: float) -> Number:
    """Return what the best thresholds up to c leave of the weight of R, or lack, as a loss.

    It is a share of the mass that these thresholds have under the second distribution.
    """
    with mp.workdps(DIGITS):
        p, c = _problem(pair, loss), mp.mpf(c)
        y, gain = _thresholds(p, c)
        left = (p.alpha - 1) * (1 - p.rho) - p.rho * gain
        _, second = masses(pair, y, p.absence - c)
        return left * normal(c - p.absence) / (p.alpha * second)


def _largest(d: Number, a: Number, b: Number, absence: Number) -> Number:
    """Return the largest Phi(x) - a Phi(x - d) - b Phi(x - absence), by bisection of its slope."""
    low, high = mp.mpf(-300), mp.mpf(300)
    for _ in range(150):
        x = (low + high) / 2
        slope = 1 - a * mp.exp(d * x - d * d / 2)
        slope -= b * mp.exp(absence * x - absence**2 / 2) if b else 0
        low, high = (x, high) if slope > 0 else (low, x)
    return normal(low) - a * normal(low - d) - (b * normal(low - absence) if b else 0)


def _problem(pair: CoupledPair, loss: float) -> _Problem:
    sigma = mp.mpf(pair.noise_multiplier)
    return _Problem(
        d=[mp.mpf(d) / sigma for d in pair.distances],
        w=[mp.mpf(w) for w in pair.weights],
        rho=mp.mpf(pair.rate),
        absence=mp.mpf(pair.absence) / sigma,
        alpha=mp.exp(mp.mpf(loss)),
    )


def _thresholds(p: _Problem, c: Number) -> tuple[list[Number], Number]:
    """Return y for a fixed c, and the slope in c that they allow, over phi(c - absence)."""
    blocks: list[tuple[list[int], Number]] = []
    first = 1 if p.d[0] == 0 else 0
    for i in range(first, len(p.d)):
        block = [i]
        y = _block_threshold(p, block, c)
        while blocks and blocks[-1][1] >= y:
            block = blocks.pop()[0] + block
            y = _block_threshold(p, block, c)
        blocks.append((block, y))
    every = [mp.mpf(0)] * len(p.d)
    gain = mp.mpf(0)
    for block, y in blocks:
        for i in block:
            every[i] = y
        if y == p.d[block[-1]] - c:
            # Of phi(y) / phi(c - absence), with y = d - c.
            scale = mp.exp((c - p.absence) ** 2 / 2 - y**2 / 2)
            gain += _slope(p, block, y) * scale
    if first:
        every[0] = every[1]
    return every, gain


def _block_threshold(p: _Problem, block: list[int], c: Number) -> Number:
    """Return where the sum of slopes of a block is 0, or the least that c allows."""
    low, high = mp.mpf(-200), mp.mpf(4000)
    least = p.d[block[-1]] - c
    if least > low and _slope(p, block, least) >= 0:
        return least
    d, total = [p.d[i] for i in block], sum(p.w[i] for i in block) + _credit(p, block)
    goal = mp.log(p.alpha * total)
    y = min((goal - mp.log(p.w[i])) / p.d[i] + p.d[i] / 2 for i in block)
    for _ in range(200):  # from the right: ln of a sum of exponentials is convex
        terms = [p.w[i] * mp.exp(p.d[i] * y - p.d[i] ** 2 / 2) for i in block]
        step = (mp.log(sum(terms)) - goal) * sum(terms)
        step /= sum(a * b for a, b in zip(d, terms, strict=True))
        y -= step
        if abs(step) < mp.mpf(10) ** (3 - DIGITS) * (1 + abs(y)):
            break
    assert low < y < high
    return y


def _credit(p: _Problem, block: list[int]) -> Number:
    has_none = p.d[0] == 0 and block[0] == 1
    return p.w[0] * (1 - 1 / p.alpha) if has_none else mp.mpf(0)


def _slope(p: _Problem, block: list[int], y: Number) -> Number:
    """Return the sum of w (e^(d y - d^2 / 2) - alpha), over phi(y): above 0 beyond the best y."""
    own = sum(p.w[i] * (mp.exp(p.d[i] * y - p.d[i] ** 2 / 2) - p.alpha) for i in block)
    return own - p.alpha * _credit(p, block)


def _cap(p: _Problem) -> Number:
    """Return the c at which what raising it gains on the counts equals what it costs on R."""
    cost = (p.alpha - 1) * (1 - p.rho)
    free = _thresholds(p, mp.inf)[0]
    high = max(d - y for d, y in zip(p.d, free, strict=True))
    low = high - 1
    while p.rho * _thresholds(p, low)[1] <= cost:
        low = high - 2 * (high - low)
    for _ in range(10):
        c = (low + high) / 2
        low, high = (c, high) if p.rho * _thresholds(p, c)[1] > cost else (low, c)
    values = [p.rho * _thresholds(p, c)[1] - cost for c in (low, high)]
    for _ in range(60):  # Illinois: false positions that do not stay at one end
        if high - low < mp.mpf(10) ** (4 - DIGITS):
            break
        c = high - values[1] * (high - low) / (values[1] - values[0])
        now = p.rho * _thresholds(p, c)[1] - cost
        if now > 0:
            low, values = c, [now, values[1] / 2]
        else:
            high, values = c, [values[0] / 2, now]
        if now == 0:
            break
    return high
