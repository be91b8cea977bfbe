"""The amplified pair (epsilon', delta') of one episode, in closed form."""

from dataclasses import dataclass
from math import exp, expm1, inf, log, log1p

from scipy.special import log_ndtr

from dpviz.guarantees import SUBSTITUTION_SHIFT
from dpviz.multistage.draw import StagedDraw
from dpviz.multistage.guarantee import PRINTED_SHIFT

# e^600, also divided by the smallest rate, is a double.
_LARGEST_EXPONENT = 600.0


@dataclass(frozen=True, kw_only=True)
class Amplified:
    """What one episode has, if the mechanism without a draw has (epsilon, delta).

    Args:
        epsilon: after the draw.
        delta: after the draw.
    """

    epsilon: float
    delta: float


def amplified(draw: StagedDraw, noise_multiplier: float, epsilon: float) -> Amplified:
    """Return the proven pair of one episode for the replacement of one record (Prop. 1).

    epsilon' = ln(1 + q (e^epsilon - 1)) and delta' = eta delta_M(epsilon), where delta_M is of the
    Gaussian mechanism that a replaced record moves by 2 C. All levels amplify delta, but only
    those from ``draw.hidden_from`` on amplify epsilon.

    >>> from dpviz.scenario.levels import levels_in
    >>> found = amplified(StagedDraw(levels=levels_in("levels", "1:2")), 1.0, 1.0)
    >>> f"{found.epsilon:.4f} {found.delta:.4f}"
    '0.6201 0.2549'
    """
    delta = draw.rate * gaussian_delta(SUBSTITUTION_SHIFT / noise_multiplier, epsilon)
    return Amplified(epsilon=amplified_epsilon(draw.inner_rate, epsilon), delta=delta)


def printed_amplified(draw: StagedDraw, noise_multiplier: float, epsilon: float) -> Amplified:
    """Return the pair that the print claims for one episode; it is no bound.

    >>> from dpviz.scenario.levels import levels_in
    >>> f"{printed_amplified(StagedDraw(levels=levels_in('levels', '1:2')), 1.0, 1.0).delta:.4f}"
    '0.0635'
    """
    delta = draw.rate * gaussian_delta(PRINTED_SHIFT / noise_multiplier, epsilon)
    return Amplified(epsilon=amplified_epsilon(draw.rate, epsilon), delta=delta)


def amplified_epsilon(rate: float, epsilon: float) -> float:
    """Return ln(1 + rate (e^epsilon - 1)), for any size of epsilon.

    >>> amplified_epsilon(1.0, 2.0), round(amplified_epsilon(0.5, 1000.0), 4)
    (2.0, 999.3069)
    """
    if rate == 1.0:
        return epsilon
    if epsilon < _LARGEST_EXPONENT:
        return log1p(rate * expm1(epsilon))
    return epsilon + log(rate)


def epsilon_before(rate: float, epsilon: float) -> float:
    """Return the epsilon that a draw with this rate amplifies to the given one.

    >>> round(epsilon_before(0.5, amplified_epsilon(0.5, 1.5)), 12)
    1.5
    """
    if rate == 1.0:
        return epsilon
    if epsilon < _LARGEST_EXPONENT:
        return log1p(expm1(epsilon) / rate)
    return epsilon - log(rate)


def gaussian_delta(distance: float, epsilon: float) -> float:
    """Return delta of the Gaussian mechanism.

    Balle and Wang 2018, *Improving the Gaussian Mechanism for Differential Privacy*, Thm 8.

    Args:
        distance: of the two means, in standard deviations, above 0.
        epsilon: at least 0, in nats.

    >>> round(gaussian_delta(2.0, 1.0), 4)
    0.5099
    """
    hit = log_ndtr(distance / 2.0 - epsilon / distance)
    miss = log_ndtr(-distance / 2.0 - epsilon / distance)
    gap = epsilon + miss - hit
    if hit == -inf or gap >= 0.0:  # below what doubles resolve
        return 0.0
    return exp(hit) * -expm1(gap)
