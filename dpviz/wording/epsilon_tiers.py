"""What sizes of epsilon mean in plain words: the same on every chart and in every warning."""

from dataclasses import dataclass
from math import inf

# e^20 is 500 million: whatever was unlikely beforehand may be all but certain afterwards.
HARDLY_ANY_PROTECTION = 20.0


@dataclass(frozen=True, kw_only=True)
class EpsilonTier:
    """A stretch of epsilon.

    Args:
        name: how strong the protection is.
        start: from above this epsilon.
        end: to this one.
    """

    name: str
    start: float
    end: float


# Ponomareva et al., "How to DP-fy ML" (2023), section 5.2: up to 1 strong, up to 10 reasonable,
# above weak to none. They have no border beyond 10.
EPSILON_TIERS = (
    EpsilonTier(name="strong", start=0.0, end=1.0),
    EpsilonTier(name="moderate", start=1.0, end=10.0),
    EpsilonTier(name="weak", start=10.0, end=HARDLY_ANY_PROTECTION),
    EpsilonTier(name="hardly any", start=HARDLY_ANY_PROTECTION, end=inf),
)
TIERS_SOURCE = (
    "Strong to hardly any: protection after Ponomareva et al. 2023, *How to DP-fy ML*, who call "
    f"ε ≤ 10 reasonable; the border at {HARDLY_ANY_PROTECTION:g} is dpviz's own."
)
