"""A person in up to m series: dpviz's Propositions 20 and 21 (docs/tighter-bounds.md)."""

import numpy as np
from scipy.special import logsumexp

from dpviz.guarantees.bound import Guarantee, Unit
from dpviz.guarantees.pairs import DominatingPair, MixturePair
from dpviz.guarantees.weights import binomial_law, drawn_and_kept_law
from dpviz.guarantees.with_replacement import coupled_counts, touched_mixture

# A rough measure needs no more: it chooses between two bounds that both hold.
_TAIL, _POINTS = 8.0, 2000


def several_walked(
    *,
    series: int,
    most_in_a_step: int,
    bottom_rate: float,
    noise_multiplier: float,
    epochs: int,
    subsequences: int,
) -> Guarantee:
    """Return the bounds for walks through the series (Proposition 20).

    Formal guarantee: for one *epoch* the profile is at most that of the coupled counts of
    Binomial(m lambda, r) at distances 2i, and at least H(MoG(2i, B(m' lambda, r)) || N(0)) with
    the m' series that one step may hold.

    Args:
        series: m, or more.
        most_in_a_step: N', or fewer.
    """
    law = binomial_law(series * subsequences, bottom_rate)
    together = binomial_law(min(series, most_in_a_step) * subsequences, bottom_rate)
    return Guarantee.between(
        Unit.EPOCH,
        epochs,
        ("dpviz 20", coupled_counts(law, noise_multiplier)),
        ("dpviz 20", touched_mixture(together, noise_multiplier, reflected=False)),
    )


def several_drawn(
    *,
    series: int,
    num_series: int,
    series_per_batch: int,
    bottom_rate: float,
    noise_multiplier: float,
    steps: int,
) -> Guarantee:
    """Return the bounds for drawing series without replacement, one window of each (Prop. 20).

    Formal guarantee: let i of the windows of a step touch the person, which is how many of m
    among N series are among N' drawn ones and pass a coin r each. Then for one *step* the profile
    is at most that of the coupled counts of i at distances 2i, and at least H(MoG(2i) || N(0)).

    Args:
        series: m, or more.
    """
    law = drawn_and_kept_law(num_series, series, series_per_batch, bottom_rate)
    return Guarantee.between(
        Unit.STEP,
        steps,
        ("dpviz 20", coupled_counts(law, noise_multiplier)),
        ("dpviz 20", touched_mixture(law, noise_multiplier, reflected=False)),
    )


def several_by_coins(
    *,
    series: int,
    top_rate: float,
    bottom_rate: float,
    noise_multiplier: float,
    steps: int,
) -> Guarantee:
    """Return the bounds for drawing each series by a coin, one window of each (Proposition 21).

    Formal guarantee: for one *step* the profile is at most that of the coupled counts of
    B(m, rho r) at distances 2i, and at most H(MoG(-i, B) || MoG(i, B)) with B = B(m, q) and
    q = rho r / (1 - rho + rho r), and at least the latter with rho r for q. Which of the two upper
    bounds is taken goes by a rough measure; either is sound.

    Args:
        series: m, or more.
    """
    rate = top_rate * bottom_rate
    raised = rate / (1.0 - top_rate + rate) if top_rate < 1.0 else 1.0
    raised = min(1.0, raised * (1.0 + 1e-12))  # rounded up: a larger rate is never smaller
    coupled = coupled_counts(binomial_law(series, min(1.0, rate * (1.0 + 1e-15))), noise_multiplier)
    mirrored = touched_mixture(binomial_law(series, raised), noise_multiplier, reflected=True)
    lowered = binomial_law(series, rate * (1.0 - 1e-15))
    attained = touched_mixture(lowered, noise_multiplier, reflected=True)
    # The coupled counts are measured by the pair of their lower bound: they are often equal.
    one_sided = touched_mixture(binomial_law(series, rate), noise_multiplier, reflected=False)
    upper: DominatingPair = mirrored
    if _loss_per_unit(one_sided) < _loss_per_unit(mirrored):
        upper = coupled
    return Guarantee.between(Unit.STEP, steps, ("dpviz 21", upper), ("dpviz 21", attained))


def _loss_per_unit(pair: MixturePair) -> float:
    """Return roughly KL(P || Q) + KL(Q || P): how fast many units tell two data sets apart."""
    sigma = pair.noise_multiplier
    (means, weights), (other_means, other_weights) = pair.components
    ends = min(*means, *other_means) - _TAIL * sigma, max(*means, *other_means) + _TAIL * sigma
    x = np.linspace(*ends, _POINTS)
    one, other = (
        logsumexp(-((x[:, None] - np.array(at)) ** 2) / (2 * sigma**2), axis=1, b=np.array(many))
        for at, many in ((means, weights), (other_means, other_weights))
    )
    return float(np.sum((np.exp(one) - np.exp(other)) * (one - other)) * (x[1] - x[0]) / sigma)
