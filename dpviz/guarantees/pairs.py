"""Pairs of output distributions that a guarantee is stated with, on a line or in a plane."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from dpviz.guarantees.weights import binomial_law

Point = tuple[float, float]
Mixture = tuple[tuple[float, ...], tuple[float, ...]]
# Gradients on touched windows (x' has the negative), and on other series; untouched windows of the
# individual's own series have (1, 0). Binary fractions of norm at most 1, at about 120 and 180
# degrees, and at 160 and -60: so means are exact. Chosen by trying 30 in eight settings: no matter
# what they are, the bound is one.
_UNIT = 2.0**-20
CROSSED_DIRECTIONS: tuple[tuple[Point, Point], ...] = (
    ((-0.5, 908_093 * _UNIT), (-1.0, 0.0)),
    ((-985_339 * _UNIT, 358_634 * _UNIT), (0.5, -908_093 * _UNIT)),
)


def _check_law(weights: Sequence[float], unlisted: float = 0.0) -> None:
    total = sum(weights) + unlisted
    if min(weights) <= 0.0 or abs(total - 1.0) > 1e-9:
        raise ValueError(f"weights must be above 0 and sum to 1, not to {total!r}")


def _check_rate(rate: float) -> None:
    if not 0.0 <= rate <= 1.0:
        raise ValueError(f"rate = {rate!r} is not allowed: it must be from 0 to 1")


def _check_positive(**numbers: float) -> None:
    for name, number in numbers.items():
        if not number > 0.0:
            raise ValueError(f"{name} = {number!r} is not allowed: it must be above 0")


class _OneSided:
    """A pair that is looked at in one direction, or stands for the mirrored pair only."""

    @property
    def is_symmetric(self) -> bool:
        """Whether both directions have the same profile; it is not looked for."""
        return False


@dataclass(frozen=True, kw_only=True)
class PlanarPair(_OneSided):
    """The pair of sums over weights[i] N(means[i], sigma^2 I) and N(other_means[i], sigma^2 I).

    In units of the clipping norm. What is accounted for is who sees of an output only in which cell
    of a grid it lies, or a group of cells: by data processing a lower bound on the pair itself.

    Args:
        means: of the first mixture, in the plane.
        other_means: of the second one, with the same weights.
        weights: above 0.
        noise_multiplier: sigma > 0.
        unlisted: at least the weight that is not listed, of either mixture.
    """

    means: tuple[Point, ...]
    other_means: tuple[Point, ...]
    weights: tuple[float, ...]
    noise_multiplier: float
    unlisted: float = 0.0

    @property
    def is_trivial(self) -> bool:
        """Whether the two distributions are the same."""
        return self.means == self.other_means

    def __post_init__(self) -> None:
        if not len(self.means) == len(self.other_means) == len(self.weights) > 0:
            raise ValueError("a planar pair needs two means for each weight, and at least one")
        _check_law(self.weights, self.unlisted)
        _check_positive(noise_multiplier=self.noise_multiplier)


def crossed_pairs(
    windows: int, bottom_rate: float, top_rate: float, noise_multiplier: float
) -> tuple[PlanarPair, ...]:
    """Return what gradients in two directions attain in a step (Proposition 7).

    Args:
        windows: lambda, per series.
        top_rate: rho, of series drawn without replacement.

    >>> crossed_pairs(1, 0.5, 0.5, 1.0)[0].means
    ((2.0, 0.0), (0.5, 0.8660249710083008), (0.0, 0.0))
    """
    law = binomial_law(windows, bottom_rate)
    found = []
    for (along, across), (other_along, other_across) in CROSSED_DIRECTIONS:
        means, others, weights = [], [], []
        for place, weight in enumerate(law.weights):
            touched = law.first + place
            start = windows - touched - windows * other_along, -windows * other_across
            if top_rate * weight > 0.0:
                means.append((start[0] + touched * along, start[1] + touched * across))
                others.append((start[0] - touched * along, start[1] - touched * across))
                weights.append(top_rate * weight)
        if top_rate < 1.0:
            # The sum of all other batches is taken to be 0.
            means.append((0.0, 0.0))
            others.append((0.0, 0.0))
            weights.append(1.0 - top_rate)
        pair = PlanarPair(
            means=tuple(means),
            other_means=tuple(others),
            weights=tuple(weights),
            noise_multiplier=noise_multiplier,
            # With room for products that are too small for doubles.
            unlisted=1e-280 + law.below + law.above,
        )
        found.append(pair)
    return tuple(found)


# A substitution moves a clipped sum of gradients by at most twice the clipping norm.
SUBSTITUTION_SHIFT = 2.0


@dataclass(frozen=True, kw_only=True)
class ShiftedMixturePair:
    """The pair P = (1 - q) N(0, sigma) + q N(shift, sigma) and Q = N(0, sigma).

    Lengths are in units of the clipping norm.

    Args:
        rate: q in [0, 1], the probability that a step touches what is protected.
        shift: distance of the two Gaussians, twice the clipping norm for a substitution.
    """

    rate: float
    noise_multiplier: float
    shift: float = SUBSTITUTION_SHIFT

    @property
    def is_trivial(self) -> bool:
        """Whether the two distributions are the same."""
        return self.rate == 0.0

    @property
    def is_symmetric(self) -> bool:
        """Whether both directions have the same profile, so that the mirrored pair is this one."""
        return self.rate in (0.0, 1.0)

    @property
    def components(self) -> tuple[Mixture, Mixture]:
        """Means and weights of P and of Q."""
        return ((0.0, self.shift), (1.0 - self.rate, self.rate)), ((0.0,), (1.0,))

    def __post_init__(self) -> None:
        _check_rate(self.rate)
        _check_positive(noise_multiplier=self.noise_multiplier, shift=self.shift)


@dataclass(frozen=True, kw_only=True)
class MixturePair:
    """The pair P = sum of weights[i] N(means[i], sigma) and Q = N(0, sigma), or P's reflection.

    Or Q has the same means with weights of its own. Lengths are in units of the clipping norm. The
    likelihood ratio increases in the outcome, so each hockey-stick divergence is a largest
    difference P(X > x) - alpha Q(X > x) over x: it grows when weight moves to larger means. Weight
    that is not listed is therefore rounded to the safe side by moving it to a larger mean (upper
    bounds) or a smaller one (lower bounds).

    Args:
        means: of the listed components, increasing, the first at least 0. (Reflected, it may be
            below: where no larger mean has a smaller quotient of its weight and its negative's the
            likelihood ratio increases all the same.)
        weights: of the listed components, above 0; each off by rounding only, so that of mean 0 is
            taken to be what the others leave.
        reflected: whether Q is P with all means negated; otherwise it is N(0, sigma).
        other_weights: of Q's components at P's means, where Q is neither of these. The quotient
            weights[i] / other_weights[i] must not fall as i grows: the likelihood ratio then
            increases (docs/tighter-bounds.md, Lemma 4). No weight may be unlisted.
        weight_below: weight of components with means from 0 to below the first.
        weight_between: weight of components with means between the first and the second.
        weight_above: weight of components with means above the last.
        largest_mean: no component has a larger mean.
    """

    means: tuple[float, ...]
    weights: tuple[float, ...]
    noise_multiplier: float
    reflected: bool
    weight_below: float = 0.0
    weight_between: float = 0.0
    weight_above: float = 0.0
    largest_mean: float
    other_weights: tuple[float, ...] = ()

    @property
    def is_trivial(self) -> bool:
        """Whether the two distributions are the same."""
        if self.other_weights:
            return self.other_weights == self.weights
        return self.means[-1] == 0.0 and self.weight_above == 0.0

    @property
    def is_symmetric(self) -> bool:
        """Whether both directions have the same profile, so that the mirrored pair is this one."""
        return self.reflected or self.largest_mean == 0.0 or self.weights == (1.0,)

    @property
    def components(self) -> tuple[Mixture, Mixture]:
        """Means and weights of P and of Q; weight that is not listed one by one is left out."""
        if self.other_weights:
            other = self.means, self.other_weights
        elif self.reflected:
            other = tuple(-mean for mean in self.means[::-1]), self.weights[::-1]
        else:
            other = (0.0,), (1.0,)
        return (self.means, self.weights), other

    def __post_init__(self) -> None:
        if not self.means or len(self.means) != len(self.weights):
            raise ValueError("a mixture needs one weight for each mean, and at least one")
        increasing = all(one < other for one, other in pairwise(self.means))
        is_too_low = self.means[0] < 0.0 and not (self.reflected or self.other_weights)
        if not increasing or is_too_low or self.means[-1] > self.largest_mean:
            raise ValueError(
                f"means = {self.means[:3]}... must increase from at least 0 to largest_mean"
            )
        if self.weight_between > 0.0 and len(self.means) < 2:
            raise ValueError("weight_between needs a first and a second listed mean")
        _check_law(self.weights, self.weight_below + self.weight_between + self.weight_above)
        _check_positive(noise_multiplier=self.noise_multiplier)
        if self.other_weights:
            self._check_other_weights()

    def _check_other_weights(self) -> None:
        unlisted = self.weight_below + self.weight_between + self.weight_above
        if self.reflected or unlisted > 0.0 or len(self.other_weights) != len(self.weights):
            raise ValueError("other_weights need one for each mean, of a mixture with all listed")
        if min(self.other_weights) <= 0.0 or abs(sum(self.other_weights) - 1.0) > 1e-9:
            raise ValueError(f"other_weights = {self.other_weights[:3]}... must sum to 1")
        both = list(zip(self.weights, self.other_weights, strict=True))
        if any(p * above_q > above_p * q for (p, q), (above_p, above_q) in pairwise(both)):
            raise ValueError("weights must not fall in proportion to other_weights")


@dataclass(frozen=True, kw_only=True)
class CoupledPair(_OneSided):
    """The pair whose profile, from order 1 on, is the best test's against coupled counts.

    With probability ``rate`` the series is drawn, and then with weights[i] the outputs P_i and Q_i
    of a step in which i windows touch the individual; else the output is R on both sides. P_i and
    Q_j lie at most distances[max(i, j)] apart, R at most ``absence`` from each. Whatever they are,
    the profile is at most this pair's (docs/tighter-bounds.md). It is used mirrored only.

    Lengths are in units of the clipping norm.

    Args:
        distances: of the counts that are listed, increasing; 0 for the count 0.
        weights: of the listed counts, above 0.
        rate: rho in (0, 1], the probability that the series is drawn.
        absence: distance between an output with the series and one without.
        unlisted: at least the probability of all other counts; taken to reveal everything.
    """

    distances: tuple[float, ...]
    weights: tuple[float, ...]
    noise_multiplier: float
    rate: float = 1.0
    absence: float = 0.0
    unlisted: float = 0.0

    @property
    def is_trivial(self) -> bool:
        """Whether the two distributions are the same."""
        return self.distances[-1] == 0.0 and self.unlisted == 0.0

    def __post_init__(self) -> None:
        if not self.distances or len(self.distances) != len(self.weights):
            raise ValueError("coupled counts need one weight for each distance, and at least one")
        if self.distances[0] < 0.0 or any(a >= b for a, b in pairwise(self.distances)):
            raise ValueError(f"distances = {self.distances[:3]}... must increase from at least 0")
        _check_law(self.weights, self.unlisted)
        _check_rate(self.rate)
        _check_positive(rate=self.rate, noise_multiplier=self.noise_multiplier)
        if self.rate < 1.0:
            _check_positive(absence=self.absence)


@dataclass(frozen=True, kw_only=True)
class AbsentPoissonPair(_OneSided):
    """The pair of Poisson windows of a series that is drawn with probability ``rate``.

    Given m untouched windows the outputs are i and -i with touched_weights[i] where the series is
    drawn, and -m where it is not; who knows m has the best test for it (docs/tighter-bounds.md,
    Proposition 5). It is used mirrored only.

    Args:
        touched: numbers of windows that touch the individual, increasing.
        touched_weights: of each, above 0.
        untouched: numbers m of the others, increasing; infinity for all above.
        untouched_weights: of each, above 0.
        rate: rho in (0, 1).
        unlisted: at least the probability of all other numbers; taken to reveal everything.
    """

    touched: tuple[int, ...]
    touched_weights: tuple[float, ...]
    untouched: tuple[float, ...]
    untouched_weights: tuple[float, ...]
    noise_multiplier: float
    rate: float
    unlisted: float = 0.0

    @property
    def is_trivial(self) -> bool:
        """Whether the two distributions are the same."""
        return self.touched == (0,)

    def __post_init__(self) -> None:
        for weights in (self.touched_weights, self.untouched_weights):
            _check_law(weights)
        if len(self.touched) != len(self.touched_weights):
            raise ValueError("touched needs one weight for each number")
        if len(self.untouched) != len(self.untouched_weights):
            raise ValueError("untouched needs one weight for each number")
        _check_positive(
            rate=self.rate, rest=1.0 - self.rate, noise_multiplier=self.noise_multiplier
        )


@dataclass(frozen=True, kw_only=True)
class AllocatedPair:
    """The pair P = (1 - r) V + r U and Q = V, where one of all batches holds the series.

    U and V are uniform mixtures over the batches t of Gaussians N(u e_t, sigma^2 I) and
    N(v e_t, sigma^2 I): u = 1 and v = -1 where nothing takes the series' place in other batches
    (Proposition 24), u = 2 and v = 0 where another series does (Proposition 25).

    Args:
        batches: K, of which the series is in one; at least 2.
        rate: r in [0, 1], the probability that the series' window touches what is protected.
        is_replaced: whether another series takes the place in all other batches.
    """

    batches: int
    noise_multiplier: float
    rate: float
    is_replaced: bool = False

    @property
    def is_trivial(self) -> bool:
        """Whether the two distributions are the same."""
        return self.rate == 0.0

    @property
    def is_symmetric(self) -> bool:
        """Whether both directions have the same profile, so that the mirrored pair is this one."""
        return self.rate == 0.0 or (self.rate == 1.0 and not self.is_replaced)

    def __post_init__(self) -> None:
        _check_rate(self.rate)
        _check_positive(noise_multiplier=self.noise_multiplier)
        if self.batches < 2:
            raise ValueError(f"batches = {self.batches!r} is not allowed: it must be at least 2")


DominatingPair = (
    ShiftedMixturePair | MixturePair | CoupledPair | AbsentPoissonPair | PlanarPair | AllocatedPair
)
