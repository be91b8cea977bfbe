"""Windows drawn independently of each other (Poisson): Theorems E.8, F.8 and Proposition 5."""

import math
from dataclasses import replace

import numpy as np

from dpviz.guarantees.bound import Guarantee, Unit
from dpviz.guarantees.pairs import AbsentPoissonPair
from dpviz.guarantees.weights import binomial_law
from dpviz.guarantees.with_replacement import listed_counts, touched_mixture

# Numbers of untouched windows of less probability are put together.
_RARE = 1e-12
# Untouched windows that hide no more than this part of what the touched ones hide.
_NEGLIGIBLE = 1e-17


def poisson_deterministic(
    *, touched: list[tuple[int, float]], noise_multiplier: float, epochs: int
) -> Guarantee:
    """Return the bounds for walking through the series in order (Thm E.8).

    Formal guarantee: for one *epoch* the profile equals
    H(MoG(-i, B(k, p)) || MoG(i, B(k, p))). The second distribution is the first one's
    reflection, so the pair is attained and mirrored at once: it stays tight under composition.

    Args:
        touched: for each length that may be the worst, k and p = min(1, lambda / T).
    """
    pairs = (
        touched_mixture(binomial_law(k, p), noise_multiplier, reflected=True) for k, p in touched
    )
    return Guarantee.tight("E.8", Unit.EPOCH, epochs, *pairs)


def poisson_sampled(
    *,
    touched: list[tuple[int, int, float]],
    top_rate: float,
    noise_multiplier: float,
    steps: int,
    by_coins: bool = False,
    is_one_length: bool = True,
) -> Guarantee:
    """Return the bounds for drawing series, without replacement or each by a coin of its own.

    Formal guarantee: for one *step* the profile is at most that of Proposition 5, and so at most
    rho times that of E.8 (Thm F.2), and at least
    H((1 - rho) N(0) + rho MoG(-i, B(k, p)) || (1 - rho) N(0) + rho MoG(i, B(k, p))), the outputs
    under the gradient +C on one data set, -C on the other and 0 elsewhere (Thm F.8, whose print
    has N(0) in second place, which is weaker). Both are symmetric pairs.

    Args:
        touched: for each length that may be the worst, k, T and p = min(1, lambda / T).
        by_coins: whether nothing takes the place of a series that is not drawn.
        is_one_length: whether all series are of one length; else F.2 is the bound.
    """
    laws = [binomial_law(k, p) for k, _, p in touched]
    attained = [
        touched_mixture(law, noise_multiplier, reflected=True, rate=top_rate) for law in laws
    ]
    if top_rate == 1.0 or not is_one_length:
        # A longer series has fewer windows that touch and more that do not: any may be the worst.
        pairs = [touched_mixture(law, noise_multiplier, reflected=True) for law in laws]
        found = Guarantee.between(
            Unit.STEP, steps, ("F.2", pairs[0]), ("F.8", attained[0]), *attained[1:]
        )
        upper = replace(found.upper, other_pairs=tuple(pairs[1:]), share=top_rate)
        return replace(found, upper=upper)
    [(k, positions, p)] = touched
    untouched = (positions - k,) if by_coins else (positions - k, positions)
    absent = absent_pair(k, p, noise_multiplier, top_rate, untouched)
    return Guarantee.between(Unit.STEP, steps, ("dpviz 5", absent), ("F.8", attained[0]))


def absent_pair(
    touched_windows: int,
    probability: float,
    noise_multiplier: float,
    rate: float,
    untouched_windows: tuple[int, ...],
) -> AbsentPoissonPair:
    """Return the pair of Proposition 5.

    Args:
        probability: p, of each window.
        untouched_windows: how many others may be drawn by p where it is, and in its place.
    """
    counts, unlisted = listed_counts(binomial_law(touched_windows, probability))
    others = [binomial_law(windows, probability) for windows in untouched_windows]
    first, weights = 0, np.ones(1)
    for other in others:
        first, weights = first + other.first, np.convolve(weights, np.array(other.weights))
    # More untouched windows make the bound larger: few go to the first number that is listed, and
    # many, with what rounding may have lost, to infinity.
    seen = np.cumsum(weights)
    start = int(np.searchsorted(seen, _RARE))
    end = int(np.searchsorted(seen, 1.0 - _RARE)) + 1
    end = max(min(end, _many(counts, noise_multiplier, rate) - first), start + 1)
    listed = weights[start:end].copy()
    listed[0] += weights[:start].sum()
    listed *= 1.0 - _RARE
    return AbsentPoissonPair(
        touched=tuple(count for count, _ in counts),
        touched_weights=tuple(weight for _, weight in counts),
        untouched=(*(float(first + i) for i in range(start, end)), np.inf),
        untouched_weights=(*listed.tolist(), max(1.0 - float(listed.sum()), _RARE)),
        noise_multiplier=noise_multiplier,
        rate=rate,
        unlisted=rate * unlisted,
    )


def _many(counts: list[tuple[int, float]], noise_multiplier: float, rate: float) -> int:
    """Return from how many untouched windows on there is as good as no end to them.

    In (5) the last term is then at most that part of the one before, alpha times the first of its
    summands: thresholds x are below 0, where Phi(x - m s) / Phi(x - i s) is at most
    exp(-(m^2 - i^2) s^2 / 2). So epsilon of a step grows by no more.
    """
    count, weight = counts[0]
    size = math.log((1.0 - rate) / (rate * weight * _NEGLIGIBLE))
    return math.ceil(math.sqrt(count**2 + max(2.0 * noise_multiplier**2 * size, 0.0)))
