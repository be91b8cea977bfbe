"""Pairs of outputs that lie in a plane: of gradients that point in more than one direction."""

from dataclasses import dataclass

from dpviz.guarantees.weights import binomial_law

Point = tuple[float, float]
# Gradients on touched windows (x' has the negative), and on other series; untouched windows of the
# individual's own series have (1, 0). Binary fractions of norm at most 1, at about 120 and 180
# degrees, and at 160 and -60: so means are exact. Chosen by trying 30 in eight settings: no matter
# what they are, the bound is one.
_UNIT = 2.0**-20
CROSSED_DIRECTIONS: tuple[tuple[Point, Point], ...] = (
    ((-0.5, 908_093 * _UNIT), (-1.0, 0.0)),
    ((-985_339 * _UNIT, 358_634 * _UNIT), (0.5, -908_093 * _UNIT)),
)


@dataclass(frozen=True, kw_only=True)
class PlanarPair:
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

    @property
    def is_symmetric(self) -> bool:
        """Whether both directions have the same profile; it is not looked for."""
        return False

    def __post_init__(self) -> None:
        if not len(self.means) == len(self.other_means) == len(self.weights) > 0:
            raise ValueError("a planar pair needs two means for each weight, and at least one")
        if min(self.weights) <= 0.0 or abs(sum(self.weights) + self.unlisted - 1.0) > 1e-9:
            raise ValueError(f"weights must be above 0 and sum to 1, not to {sum(self.weights)!r}")
        if not self.noise_multiplier > 0.0:
            raise ValueError(f"noise_multiplier = {self.noise_multiplier!r} must be above 0")


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
