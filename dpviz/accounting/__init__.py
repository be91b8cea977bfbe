"""From a pair of distributions to delta(epsilon) after many compositions.

Privacy losses, and the distances (``interval``) of grids of them, are in nats. What is rounded UP
bounds from above, DOWN from below.
"""

from dpviz.accounting.account import (
    Account,
    account_for,
    attained_curve,
    best_upper,
    takes_new_directions,
)
from dpviz.accounting.curve import (
    DEFAULT_TOLERANCE,
    Bracket,
    Brackets,
    Curve,
    composed_curve,
)

__all__ = [
    "DEFAULT_TOLERANCE",
    "Account",
    "Bracket",
    "Brackets",
    "Curve",
    "account_for",
    "attained_curve",
    "best_upper",
    "composed_curve",
    "takes_new_directions",
]
