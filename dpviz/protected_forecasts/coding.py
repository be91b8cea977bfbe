"""Top and bottom coding: the highest or lowest values of a series are cut off."""

from dataclasses import dataclass

import numpy as np

from dpviz.protected_forecasts.data import Series
from dpviz.scenario.errors import checked_real
from dpviz.settings.protected_forecasts import CODED_SHARE_RANGE


@dataclass(frozen=True)
class TopCoding:
    """The highest values of each series become its 1 - p quantile (Bale et al., Table 1).

    The print has the quantile's level as ``F(x) <= p``; 1 - p is meant, as its text says, and its
    numbers come out with. No privacy guarantee: all other values are released as they are.

    Args:
        coded_share: p, the share of values that are cut off.

    >>> values = np.arange(1.0, 12.0)
    >>> TopCoding(0.2).protected((values,), np.random.default_rng())[0].tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 9.0, 9.0]
    """

    coded_share: float

    def __post_init__(self) -> None:
        checked_real("coded_share", self.coded_share, *CODED_SHARE_RANGE)

    def protected(self, series: Series, rng: np.random.Generator) -> Series:
        """Return the released series; nothing is drawn."""
        del rng
        return tuple(
            np.minimum(values, np.quantile(values, 1.0 - self.coded_share)) for values in series
        )


@dataclass(frozen=True)
class BottomCoding:
    """The lowest values of each series become its p quantile (Bale et al., Table 1).

    No privacy guarantee: all other values are released as they are.

    Args:
        coded_share: p, the share of values that are cut off.

    >>> values = np.arange(1.0, 12.0)
    >>> BottomCoding(0.2).protected((values,), np.random.default_rng())[0].tolist()
    [3.0, 3.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]
    """

    coded_share: float

    def __post_init__(self) -> None:
        checked_real("coded_share", self.coded_share, *CODED_SHARE_RANGE)

    def protected(self, series: Series, rng: np.random.Generator) -> Series:
        """Return the released series; nothing is drawn."""
        del rng
        return tuple(np.maximum(values, np.quantile(values, self.coded_share)) for values in series)
