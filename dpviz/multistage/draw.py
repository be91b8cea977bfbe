"""One draw in stages, as far as the amplification depends on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from dpviz.scenario.levels import Level


@dataclass(frozen=True, kw_only=True)
class StagedDraw:
    """Units drawn at each level, without replacement, within every unit drawn one level above.

    Args:
        levels: from the primary units down to the records.

    >>> draw = StagedDraw(levels=(Level(drawn=1, size=2), Level(drawn=5, size=10)))
    >>> draw.rate, draw.outer_rate, draw.inner_rate, draw.records
    (0.25, 0.5, 0.5, 5)
    """

    levels: tuple[Level, ...]

    @property
    def rate(self) -> float:
        """Return eta, the probability that an episode contains a given record."""
        return _chance(self.levels)

    @property
    def records(self) -> int:
        """Return how many records an episode has."""
        return prod(level.drawn for level in self.levels)

    @property
    def hidden_from(self) -> int:
        """Return the first level, from 0, below which every drawn unit gives one record.

        A unit that is not drawn is replaced by another one. From this level on that exchanges a
        single record; above it, several at once, which the noise may not hide.
        """
        first = len(self.levels) - 1
        while first > 0 and self.levels[first].drawn == 1:
            first -= 1
        return first

    @property
    def outer_rate(self) -> float:
        """Return the probability that the levels above ``hidden_from`` draw a record's unit."""
        return _chance(self.levels[: self.hidden_from])

    @property
    def inner_rate(self) -> float:
        """Return the probability that the others draw the record, if its unit is drawn."""
        return _chance(self.levels[self.hidden_from :])

    @property
    def hides_units(self) -> bool:
        """Whether the noise hides every level, so that all of them amplify epsilon."""
        return self.outer_rate == 1.0

    def records_of_unit(self, level: int) -> int:
        """Return how many records one drawn unit of a level, from 0, gives an episode.

        >>> StagedDraw(levels=(Level(drawn=1, size=2), Level(drawn=5, size=10))).records_of_unit(0)
        5
        """
        return prod(one.drawn for one in self.levels[level + 1 :])


def _chance(levels: Sequence[Level]) -> float:
    """Return the product of drawn / size, rounded once."""
    return prod(level.drawn for level in levels) / prod(level.size for level in levels)
