"""Pairs of output distributions that a guarantee is stated with."""

from dataclasses import dataclass

# A substitution moves a clipped sum of gradients by at most twice the clipping norm.
SUBSTITUTION_SHIFT = 2.0


@dataclass(frozen=True, kw_only=True)
class ShiftedMixturePair:
    """The pair P = (1 - q) N(0, sigma) + q N(shift, sigma) and Q = N(0, sigma).

    Lengths are in units of the clipping norm.

    Args:
        rate: q in [0, 1], the probability that a step touches what is protected.
        noise_multiplier: sigma > 0.
        shift: distance of the two Gaussians, twice the clipping norm for a substitution.
    """

    rate: float
    noise_multiplier: float
    shift: float = SUBSTITUTION_SHIFT

    @property
    def is_symmetric(self) -> bool:
        """Whether both directions have the same profile, so that the mirrored pair is this one."""
        return self.rate in (0.0, 1.0)

    def __post_init__(self) -> None:
        if not 0.0 <= self.rate <= 1.0:
            raise ValueError(f"rate = {self.rate!r} is not allowed: it must be from 0 to 1")
        if not (self.noise_multiplier > 0.0 and self.shift > 0.0):
            raise ValueError(
                f"noise_multiplier = {self.noise_multiplier!r} and shift = {self.shift!r} "
                "must both be above 0"
            )
