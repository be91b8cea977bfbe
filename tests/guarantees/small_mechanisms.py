"""One unit of training on a few windows, with all draws written out, whatever the gradients are.

Nothing here comes from dpviz. A window's gradient on x and on x' is given; the two differ in the
individual's windows only, which are the first ones of series 0. Outcomes are sums of the gradients
of what is drawn, each with its probability.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from tests.accounting.divergences import divergences, masses

FloatArray = NDArray[np.float64]
# A number of times that each window is drawn, and how likely that is.
Draw = tuple[tuple[int, ...], float]


@dataclass(frozen=True, kw_only=True)
class Small:
    """A few series.

    Args:
        windows: of each series.
        touched: k, windows of series 0 that the individual touches.
        drawn: lambda or, of one bag, Lambda.
        series: N', drawn without replacement.
        coin: rho of coins, or p of one bag's coins.
    """

    windows: tuple[int, ...]
    touched: int
    drawn: int = 1
    series: int = 1
    coin: float = 1.0

    def multisets(self, size: int) -> list[Draw]:
        """Return what lambda draws with replacement from ``size`` windows may give."""
        counts = [c for c in product(range(self.drawn + 1), repeat=size) if sum(c) == self.drawn]
        return [(c, _orders(c) / size**self.drawn) for c in counts]

    def coins(self, size: int) -> list[Draw]:
        """Return what a coin of min(1, lambda / size) for each window may give."""
        p = min(1.0, self.drawn / size)
        subsets = product((0, 1), repeat=size)
        return [(c, p ** sum(c) * (1.0 - p) ** (size - sum(c))) for c in subsets]

    def of_series(self, included: tuple[bool, ...], *, poisson: bool = False) -> Iterator[Draw]:
        parts: list[list[Draw]] = []
        for size, is_in in zip(self.windows, included, strict=True):
            some = self.coins(size) if poisson else self.multisets(size)
            parts.append(some if is_in else [((0,) * size, 1.0)])
        for chosen in product(*parts):
            yield sum((c for c, _ in chosen), ()), prod(q for _, q in chosen)

    def walk(self) -> Iterator[Draw]:
        """Draw lambda windows of series 0, with replacement; the rest of an epoch is the same."""
        yield from self.of_series((True,) + (False,) * (len(self.windows) - 1))

    def without_replacement(self, *, poisson: bool = False) -> Iterator[Draw]:
        """Draw N' series, and windows of each."""
        subsets = list(combinations(range(len(self.windows)), self.series))
        for subset in subsets:
            included = tuple(s in subset for s in range(len(self.windows)))
            for draw, weight in self.of_series(included, poisson=poisson):
                yield draw, weight / len(subsets)

    def by_coins(self, *, poisson: bool = False) -> Iterator[Draw]:
        """Draw each series by a coin, and windows of each."""
        for included in product((False, True), repeat=len(self.windows)):
            weight = prod(self.coin if is_in else 1.0 - self.coin for is_in in included)
            for draw, given in self.of_series(included, poisson=poisson):
                yield draw, weight * given

    def bag(self) -> Iterator[Draw]:
        """Draw Lambda of all windows, each at most once."""
        total = sum(self.windows)
        for subset in combinations(range(total), self.drawn):
            yield tuple(int(t in subset) for t in range(total)), 1.0 / comb(total, self.drawn)

    def bag_by_coins(self) -> Iterator[Draw]:
        for subset in product((0, 1), repeat=sum(self.windows)):
            chosen = sum(subset)
            yield subset, self.coin**chosen * (1.0 - self.coin) ** (len(subset) - chosen)


def divergence(
    draws: list[Draw], gradients: FloatArray, changed: FloatArray, sigma: float, alphas: FloatArray
) -> FloatArray:
    """Return the hockey-stick divergence from x to x' in one to three dimensions.

    Args:
        draws: with their probabilities.
        gradients: on x, shape (windows, dimensions).
        changed: on x', of the individual's windows, shape (touched, dimensions).
        sigma: the noise.
        alphas: orders.
    """
    other = gradients.copy()
    other[: len(changed)] = changed
    return divergence_from(draws, gradients, other, sigma, alphas)


def divergence_from(
    draws: list[Draw], gradients: FloatArray, other: FloatArray, sigma: float, alphas: FloatArray
) -> FloatArray:
    """Return the same for any windows that differ: all gradients on x, and all on x'."""
    counts = np.array([draw for draw, _ in draws], dtype=np.float64)
    weights = [weight for _, weight in draws]
    step, margin = ((0.01, 9.0), (0.15, 9.0), (0.3, 6.5))[gradients.shape[1] - 1]
    laws = [(counts @ one, weights) for one in (gradients, other)]
    return divergences(*masses(*laws, sigma, step=step, margin=margin), alphas)


def _orders(counts: tuple[int, ...]) -> int:
    """Return in how many orders a multiset may be drawn."""
    left, orders = sum(counts), 1
    for count in counts:
        orders *= comb(left, count)
        left -= count
    return orders
