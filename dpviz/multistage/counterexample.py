"""What an attacker really sees of one episode, for gradients that are bad for privacy."""

from collections.abc import Iterator
from dataclasses import dataclass

from dpviz.guarantees import SUBSTITUTION_SHIFT
from dpviz.multistage.draw import StagedDraw
from dpviz.multistage.guarantee import PRINTED_SHIFT
from dpviz.multistage.hockey_stick import Mixture, hockey_stick
from dpviz.multistage.one_episode import epsilon_before, gaussian_delta

WHOLE = -1


@dataclass(frozen=True, kw_only=True)
class Attained:
    """delta that some gradients give one episode: the worst case is no better.

    Args:
        delta: exact for those gradients, apart from rounding.
        crowd: level, from 0, of the unit within which the other records' gradients equal the
            one that the record is replaced by, while all outside of it are opposite; ``WHOLE``
            where all are the same.
    """

    delta: float
    crowd: int


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One episode at one epsilon: claims beside the truth.

    Args:
        epsilon: of the episode, in nats.
        printed: delta as printed. No bound.
        corrected_distance: delta of the printed formula if the record is replaced, with 2 C for
            C. No bound where a drawn unit gives several records.
        proven: delta by Proposition 1, an upper bound.
        attained: the largest delta of the gradients tried, a lower bound.
    """

    epsilon: float
    printed: float
    corrected_distance: float
    proven: float
    attained: Attained


def comparison(draw: StagedDraw, noise_multiplier: float, epsilon: float) -> Comparison:
    """Return claims beside the truth, for one episode and the replacement of one record.

    >>> from dpviz.scenario.levels import levels_in
    >>> draw = StagedDraw(levels=levels_in("levels", "1:2,5:10"))
    >>> found = comparison(draw, 1.0, 1.0)
    >>> f"{found.corrected_distance:.4f} < {found.attained.delta:.5f} < {found.proven:.5f}"
    '0.0803 < 0.10522 < 0.10525'
    """
    return Comparison(
        epsilon=epsilon,
        printed=_claimed(draw, noise_multiplier, epsilon, draw.rate, PRINTED_SHIFT),
        corrected_distance=_claimed(draw, noise_multiplier, epsilon, draw.rate, SUBSTITUTION_SHIFT),
        proven=proven_delta(draw, noise_multiplier, epsilon),
        attained=attained(draw, noise_multiplier, epsilon),
    )


def proven_delta(draw: StagedDraw, noise_multiplier: float, epsilon: float) -> float:
    """Return delta of one episode at its own epsilon by Proposition 1, an upper bound."""
    return _claimed(draw, noise_multiplier, epsilon, draw.inner_rate, SUBSTITUTION_SHIFT)


def _claimed(
    draw: StagedDraw, noise_multiplier: float, epsilon: float, rate: float, shift: float
) -> float:
    """Return eta delta_M at the epsilon that a draw with the given rate amplifies to this one."""
    return draw.rate * gaussian_delta(shift / noise_multiplier, epsilon_before(rate, epsilon))


def attained(draw: StagedDraw, noise_multiplier: float, epsilon: float) -> Attained:
    """Return the largest delta among the gradients that are tried."""
    found = [
        Attained(
            delta=max(
                hockey_stick(first, second, noise_multiplier, epsilon),
                hockey_stick(second, first, noise_multiplier, epsilon),
            ),
            crowd=crowd,
        )
        for crowd, first, second in _candidates(draw)
    ]
    return max(found, key=lambda one: one.delta)


def _candidates(draw: StagedDraw) -> Iterator[tuple[int, Mixture, Mixture]]:
    """Yield the laws of the noiseless sum on both data sets, in units of C, from some origin.

    The record's gradient is +C on the first data set and -C on the second, where all records of
    its crowd have -C and all others +C.
    """
    yield WHOLE, _law({0.0: 1.0 - draw.rate, SUBSTITUTION_SHIFT: draw.rate}), {0.0: 1.0}
    for level in range(len(draw.levels) - 1):
        drawn = StagedDraw(levels=draw.levels[: level + 1]).rate
        if drawn == 1.0:
            continue
        within = StagedDraw(levels=draw.levels[level + 1 :]).rate
        elsewhere = SUBSTITUTION_SHIFT * draw.records_of_unit(level)
        with_record = _law({0.0: drawn * (1.0 - within), SUBSTITUTION_SHIFT: drawn * within})
        with_record[elsewhere] = with_record.get(elsewhere, 0.0) + (1.0 - drawn)
        yield level, with_record, {0.0: drawn, elsewhere: 1.0 - drawn}


def _law(weights: dict[float, float]) -> dict[float, float]:
    return {mean: weight for mean, weight in weights.items() if weight > 0.0}
