"""What gradients answer on noised windows (docs/tighter-bounds.md, Propositions 6 and 22).

Laws are computed in decimals: a sum of many answers may have weights too small for doubles.
"""

from decimal import Decimal, localcontext
from itertools import pairwise
from math import comb

from dpviz.guarantees.pairs import SUBSTITUTION_SHIFT, MixturePair
from dpviz.guarantees.weights import DECIMALS, drawn_weights
from dpviz.guarantees.with_replacement import WINDOW_NORM

# At either end weights are moved inwards until the ends have these, on the two data sets.
_LEAST_OF_LIKELIER, _LEAST_OF_OTHER = Decimal("1e-40"), Decimal("1e-250")

Law = list[Decimal]


def sign_of_one_window(share: float, right: float, wrong: float, sigma: float) -> MixturePair:
    """Return the outputs of gradients that are +1 where a window says x, and -1 where not.

    Of series by coins: a step without the series has a window less. Other series' gradients are 0.

    Args:
        share: probability that the series is drawn.
        right: of its windows, the part that say x on x.
        wrong: the part that say x on x'.
        sigma: the noise multiplier.
    """
    means = [-WINDOW_NORM, 0.0, WINDOW_NORM]
    weights, others = ([share * (1.0 - rate), 1.0 - share, share * rate] for rate in (right, wrong))
    return MixturePair(
        means=tuple(means),
        weights=tuple(weights),
        noise_multiplier=sigma,
        reflected=False,
        largest_mean=WINDOW_NORM,
        other_weights=tuple(others),
    )


def sums_of_guesses(
    windows: int, right: float, wrong: float, share: float, noise_multiplier: float
) -> MixturePair:
    """Return the outputs of gradients that are +1 or -1 on touched windows, and 0 on others.

    Formal guarantee: composed, the pair tells at most what these outputs do; sums beyond the
    listed ones are moved inwards.

    Args:
        windows: n, each drawn, touched and answered independently of the others.
        right: s, the probability of an answer that is right, on each data set.
        wrong: f, of a wrong one; above 0, and at most s.
        share: rho, the probability that the series is drawn.
    """
    with localcontext(DECIMALS):
        s = Decimal(right)
        f = min(Decimal(wrong), 1 - s)  # by rounding the two may be above 1
        none, part = 1 - s - f, Decimal(share)
        # Coefficients of (f + none z + s z^2)^n up to z^n: its derivative gives the recurrence.
        law, before = [f**windows], Decimal(0)
        for k in range(windows):
            both = none * (windows - k) * law[k] + s * (2 * windows - k + 1) * before
            before = law[k]
            law.append(both / (f * (k + 1)))
        low = [part * weight for weight in reversed(law)]  # of the sums 0, -1, ..., -n
        return _reflected(low, s / f, noise_multiplier)


def sums_of_guesses_in_bag(
    population: int, windows: int, drawn: int, wrong: float, noise_multiplier: float
) -> MixturePair:
    """Return the same outputs where the batch is drawn from one bag of all windows.

    Formal guarantee: as for guesses.

    Args:
        population: all windows.
        windows: n of them are touched and answered.
        wrong: probability of a wrong answer of one that is drawn, above 0 and at most 1/2.
    """
    first, hits = drawn_weights(population, windows, drawn)
    with localcontext(DECIMALS):
        f = Decimal(wrong)
        odds = (1 - f) / f
        low = [Decimal(0)] * (first + len(hits))
        for i, weight in enumerate(hits, first):
            answers = weight * f**i
            for right in range(i // 2 + 1):
                low[i - 2 * right] += answers
                answers = answers * odds * (i - right) / (right + 1)
        return _reflected(low, odds, noise_multiplier)


def _reflected(low: Law, odds: Decimal, noise_multiplier: float) -> MixturePair:
    """Return the pair of a law with those weights of the sums 0, -1, ..., and of its reflection.

    Args:
        low: weights; only a sum's parity may leave some at 0, but for the last.
        odds: how much likelier a sum of 1 is than one of -1; of j to the power of j.
    """
    with localcontext(DECIMALS):
        high = [weight * odds**j for j, weight in enumerate(low)]
        most = _moved_inwards(high, low)
        rest = 1 - sum(high[1:]) - sum(low[1:])
        weights = [*map(float, reversed(low[1:])), float(rest), *map(float, high[1:])]
    listed = [
        (WINDOW_NORM * j, weight)
        for j, weight in zip(range(-most, most + 1), weights, strict=True)
        if weight > 0.0
    ]
    return MixturePair(
        means=tuple(mean for mean, _ in listed),
        weights=tuple(weight for _, weight in listed),
        noise_multiplier=noise_multiplier,
        reflected=True,
        largest_mean=WINDOW_NORM * most,
    )


def sums_of_signs(
    windows: int, right: float, wrong: float, share: float, noise_multiplier: float
) -> MixturePair | None:
    """Return the outputs of gradients that are +1 where a window says x, and -1 on all others.

    Other series' are -1 as well; the sum is counted from a step of them alone. ``None`` where the
    likelihood ratio does not grow with the number of windows that say x.

    Formal guarantee: as for guesses.

    Args:
        windows: lambda, each drawn, touched and answered independently of the others.
        right: s, the probability that a window is touched and says x, on x.
        wrong: f, on x'.
        share: rho, the probability that the series is drawn.
    """
    with localcontext(DECIMALS):
        first, second = (_drawn_hits(windows, rate, share) for rate in (right, wrong))
        end = _moved_inwards(first, second)
        kept = _moved_inwards(second[::-1], first[::-1])
        start = end - kept
        for law in (first, second):
            law[: start + 1] = [sum(law[: start + 1], Decimal(0))]
        weights, others = ([float(weight) for weight in law] for law in (first, second))
        exact = [(Decimal(p), Decimal(q)) for p, q in zip(weights, others, strict=True)]
        if any(p * next_q > next_p * q for (p, q), (next_p, next_q) in pairwise(exact)):
            return None
    return MixturePair(
        means=tuple(SUBSTITUTION_SHIFT * i for i in range(start, end + 1)),
        weights=tuple(weights),
        noise_multiplier=noise_multiplier,
        reflected=False,
        largest_mean=SUBSTITUTION_SHIFT * end,
        other_weights=tuple(others),
    )


def _drawn_hits(windows: int, rate: float, share: float) -> Law:
    """Return the law of a binomial number, or 0 where the series is not drawn."""
    hit, part = Decimal(rate), Decimal(share)
    law = [
        part * comb(windows, i) * hit**i * (1 - hit) ** (windows - i) for i in range(windows + 1)
    ]
    law[0] += 1 - part
    return law


def _moved_inwards(likelier: Law, other: Law) -> int:
    """Move the last weights inwards until the last two are not tiny; return the last place.

    Args:
        likelier: on the data set of which the last place speaks; it is shortened.
        other: on the other data set, likewise.
    """
    while len(other) > 1 and (likelier[-1] < _LEAST_OF_LIKELIER or other[-1] < _LEAST_OF_OTHER):
        for law in (likelier, other):
            last = law.pop()
            law[-1] += last
    return len(other) - 1
