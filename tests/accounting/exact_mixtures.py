"""Exact profiles of Gaussian mixtures, in 40 digits, written down from the theorems.

Nothing here comes from dpviz: weights are binomial or hypergeometric by their definitions.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import comb

import mpmath
from mpmath import mpf

from tests.accounting.exact import normal_cdf

DIGITS = 40
_BISECTIONS = 75
# Components that change no digit that is compared.
_NEGLIGIBLE = mpf(10) ** -60


@dataclass(frozen=True, kw_only=True)
class Exact:
    """share * H(first || second), mixtures as {mean: weight} with N(., sigma) components."""

    first: dict[float, mpf]
    second: dict[float, mpf]
    sigma: float
    share: float = 1.0

    @property
    def exchanged(self) -> "Exact":
        """The other direction."""
        return replace(self, first=self.second, second=self.first)

    def delta(self, epsilon: float) -> mpf:
        """Return the profile at e^epsilon; the loss must increase or decrease in x."""
        with mpmath.workdps(DIGITS):
            return mpf(self.share) * _divergence(self.first, self.second, self.sigma, epsilon)

    def larger_direction(self, epsilon: float) -> mpf:
        """Return the larger of H(first || second) and H(second || first)."""
        with mpmath.workdps(DIGITS):
            sides = (self.first, self.second)
            return max(_divergence(*one, self.sigma, epsilon) for one in (sides, sides[::-1]))


def binomial(trials: int, probability: float) -> list[mpf]:
    with mpmath.workdps(DIGITS):
        p = mpf(probability)
        return [comb(trials, i) * p**i * (1 - p) ** (trials - i) for i in range(trials + 1)]


def hypergeometric(population: int, marked: int, drawn: int) -> list[mpf]:
    with mpmath.workdps(DIGITS):
        total = mpf(comb(population, drawn))
        unmarked = population - marked
        return [
            comb(marked, i) * comb(unmarked, drawn - i) / total
            for i in range(min(marked, drawn) + 1)
        ]


def mixture(weights: list[mpf], step: int, rate: float = 1.0) -> dict[int, mpf]:
    """Return (1 - rate) N(0) + rate MoG(step i, weights[i])."""
    with mpmath.workdps(DIGITS):
        found = {step * i: mpf(rate) * w for i, w in enumerate(weights) if w > _NEGLIGIBLE}
        if rate < 1.0:
            found[0] = found.get(0, mpf(0)) + 1 - mpf(rate)
        return found


BASE = {0: mpf(1)}


def thm_4_3(windows: int, r: float, sigma: float) -> Exact:
    """At one window Theorem 4.2."""
    return Exact(first=mixture(binomial(windows, r), 2), second=BASE, sigma=sigma)


def thm_f_7(windows: int, r: float, rho: float, sigma: float) -> Exact:
    """At one window Theorem 4.4."""
    return Exact(first=mixture(binomial(windows, r), 2, rho), second=BASE, sigma=sigma)


def thm_f_1(windows: int, r: float, rho: float, sigma: float) -> Exact:
    """At rho = 1 Theorem E.1."""
    law = binomial(windows, r)
    return Exact(first=mixture(law, -2), second=mixture(law, 2), sigma=sigma, share=rho)


def thm_f_2(k: int, p: float, rho: float, sigma: float) -> Exact:
    """At rho = 1 Theorem E.8."""
    law = binomial(k, p)
    return Exact(first=mixture(law, -1), second=mixture(law, 1), sigma=sigma, share=rho)


def thm_f_8(k: int, p: float, rho: float, sigma: float) -> Exact:
    law = binomial(k, p)
    return Exact(first=mixture(law, -1, rho), second=mixture(law, 1, rho), sigma=sigma)


def thm_f_8_as_printed(k: int, p: float, rho: float, sigma: float) -> Exact:
    return Exact(first=mixture(binomial(k, p), -1, rho), second=BASE, sigma=sigma)


def prop_c_2(population: int, k: int, drawn: int, sigma: float) -> Exact:
    return Exact(first=mixture(hypergeometric(population, k, drawn), 2), second=BASE, sigma=sigma)


def _divergence(first: dict[int, mpf], second: dict[int, mpf], sigma: float, epsilon: float) -> mpf:
    """Return the largest first(side) - e^epsilon second(side) over half-lines.

    The half-line where the log-ratio exceeds epsilon. An error of its end counts squared.
    """
    s, eps = mpf(sigma), mpf(epsilon)
    over_normal, under_normal = _over_normal(first, s), _over_normal(second, s)
    factor = mpmath.exp(eps)

    def excess(x: mpf) -> mpf:
        """Return, over the density of N(0), what the first has above e^eps of the second."""
        one = mpmath.exp(x / s**2)
        return _at(over_normal, one) - factor * _at(under_normal, one)

    reach = 60 * s + max(map(abs, [*first, *second]))
    ratio_grows = _ratio(over_normal, under_normal, reach / s**2) > _ratio(
        over_normal, under_normal, -reach / s**2
    )
    sign = 1 if ratio_grows else -1
    end = _crossing(lambda x: excess(sign * x), -reach, reach)
    if end is None:
        return max(mpf(0), 1 - mpmath.exp(eps))
    # Beyond the reach, far below any double, the difference may be of either sign.
    value = _tail(first, s, sign, end) - mpmath.exp(eps) * _tail(second, s, sign, end)
    return max(mpf(0), value)


def _crossing(rising: Callable[[mpf], mpf], low: mpf, high: mpf) -> mpf | None:
    """Return where the function crosses 0; ``high`` where it does not, ``None`` if it is above."""
    if rising(low) >= 0:
        return None
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return high


def _over_normal(weights: dict[int, mpf], sigma: mpf) -> dict[int, mpf]:
    """Return the density over that of N(0) as coefficients of powers of e^(x / sigma^2)."""
    return {m: w * mpmath.exp(-(mpf(m) ** 2) / (2 * sigma**2)) for m, w in weights.items()}


def _at(coefficients: dict[int, mpf], base: mpf) -> mpf:
    """Return the sum of the coefficients times powers of the base, by Horner's rule."""
    total, last = mpf(0), max(coefficients)
    for power in sorted(coefficients, reverse=True):
        total = total * base ** (last - power) + coefficients[power]
        last = power
    return total * base**last


def _ratio(above: dict[int, mpf], below: dict[int, mpf], exponent: mpf) -> mpf:
    base = mpmath.exp(exponent)
    return _at(above, base) / _at(below, base)


def _tail(weights: dict[int, mpf], sigma: mpf, sign: int, end: mpf) -> mpf:
    """Return the probability of sign * x > end."""
    return sum((w * normal_cdf((sign * m - end) / sigma) for m, w in weights.items()), mpf(0))
