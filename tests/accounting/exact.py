"""Exact values by other means: closed forms and 40-digit arithmetic."""

import mpmath
from mpmath import mpf

from dpviz.accounting.loss_distribution import Direction
from dpviz.guarantees import SUBSTITUTION_SHIFT

DIGITS = 60


def exact_gaussian_delta(epsilon: float | mpf, mu: float | mpf) -> mpf:
    """Return delta of N(mu, 1) against N(0, 1) (Balle and Wang 2018), epsilon of either sign."""
    with mpmath.workdps(DIGITS):
        eps, mu = mpf(epsilon), mpf(mu)
        second = mpmath.exp(eps) * normal_cdf(-eps / mu - mu / 2)
        return normal_cdf(-eps / mu + mu / 2) - second


def gaussian_delta(epsilon: float, sigma: float, steps: int) -> mpf:
    """Return delta of so many Gaussian mechanisms of sensitivity 2: mu = 2 sqrt(steps) / sigma."""
    with mpmath.workdps(DIGITS):
        return exact_gaussian_delta(epsilon, SUBSTITUTION_SHIFT * mpmath.sqrt(steps) / mpf(sigma))


def single_unit_delta(
    rate: float, sigma: float, epsilon: float, direction: Direction = Direction.FORWARD
) -> mpf:
    """Return delta of one unit at e^epsilon, epsilon of either sign.

    FORWARD is H(MoG([0, 2], [1 - q, q]) || N(0)): below ln(1 - q) every outcome has a larger
    loss, and H = 1 - e^epsilon. BACKWARD exchanges the two; MIRRORED is the pair whose profile
    below 0 mirrors the one above, H(alpha) = 1 - alpha + alpha H(1 / alpha).
    """
    with mpmath.workdps(DIGITS):
        q, s, eps = map(mpf, (rate, sigma, epsilon))
        if direction is Direction.MIRRORED and eps < 0:
            return 1 - mpmath.exp(eps) * (1 - single_unit_delta(rate, sigma, -eps))
        loss = -eps if direction is Direction.BACKWARD else eps
        excess = mpmath.exp(loss) - (1 - q)
        if excess <= 0:
            return mpf(0) if direction is Direction.BACKWARD else 1 - mpmath.exp(eps)
        x = s**2 / 2 * mpmath.log(excess / q) + 1
        side = 1 if direction is Direction.BACKWARD else -1
        base = normal_cdf(side * x / s)
        mixture = (1 - q) * base + q * normal_cdf(side * (x - 2) / s)
        if direction is Direction.BACKWARD:
            return base - mpmath.exp(eps) * mixture
        return mixture - mpmath.exp(eps) * base


def normal_cdf(x: mpf) -> mpf:
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2
