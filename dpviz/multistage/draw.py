"""One draw in stages, also from units of unequal sizes, as far as the amplification needs it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from dpviz.scenario.data import LARGEST_COUNT
from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.levels import MOST_LEVELS, Level, check_rate


@dataclass(frozen=True, kw_only=True)
class StagedDraw:
    """Units drawn at each level, without replacement, within every unit drawn one level above.

    ``levels`` go from the primary units down to the records.

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
        """Return how many records one drawn unit of a level, from 0, gives an episode."""
        return prod(one.drawn for one in self.levels[level + 1 :])


def _chance(levels: Sequence[Level]) -> float:
    """Return the product of drawn / size, rounded once."""
    return prod(level.drawn for level in levels) / prod(level.size for level in levels)


_FORM = "it must be numbers of records in nested lists, as deep everywhere, such as [[4,2,3],[4,5]]"
_FIELD = "tree"


@dataclass(frozen=True, kw_only=True)
class TreeDraw(StagedDraw):
    """Units drawn without replacement, as many everywhere, from units of unequal sizes.

    Its levels have the smallest size of each. ``largest_rate`` is the largest chance that one
    record has of being in an episode, ``largest_inner`` that if its unit above ``hidden_from`` is
    drawn.
    """

    largest_rate: Fraction
    largest_inner: Fraction

    @property
    def rate(self) -> float:
        """Return the largest chance of any record."""
        return float(self.largest_rate)

    @property
    def inner_rate(self) -> float:
        """Return the largest chance of any record, if its unit above ``hidden_from`` is drawn."""
        return float(self.largest_inner)

    @property
    def outer_rate(self) -> float:
        """Return the quotient of both, with which ``inner_rate`` bounds every record's profile."""
        return float(self.largest_rate / self.largest_inner)


def tree_draw(text: str, drawn: Sequence[int]) -> TreeDraw:
    """Return the draw from a tree of units.

    Args:
        text: numbers of records in nested lists, one list for each unit that has units.
        drawn: how many units each level takes within a unit, the primary units first.

    Raises:
        ScenarioError: the text is no tree, some unit has fewer than are drawn, or records are drawn
            so rarely that the accountant does not resolve it.

    >>> found = tree_draw("[[4,2,3],[4,5]]", [1, 1, 2])
    >>> found.largest_rate, found.largest_inner, found.outer_rate
    (Fraction(1, 6), Fraction(1, 1), 0.16666666666666666)
    """
    paths = _paths(text)
    depth = len(paths[0])
    if len(drawn) != depth:
        allowed = f"it must be {depth} numbers, one for each level of the tree"
        raise ScenarioError("drawn", " ".join(map(str, drawn)), allowed)
    sizes = [min(path[at] for path in paths) for at in range(depth)]
    levels = tuple(Level(drawn=n, size=size) for n, size in zip(drawn, sizes, strict=True))
    inner = slice(StagedDraw(levels=levels).hidden_from, None)
    rate, largest_inner = (
        max(Fraction(prod(drawn[part]), prod(path[part])) for path in paths)
        for part in (slice(None), inner)
    )
    check_rate(_FIELD, text, rate)
    return TreeDraw(levels=levels, largest_rate=rate, largest_inner=largest_inner)


def _paths(text: str) -> list[tuple[int, ...]]:
    """Return the sizes along the path to the records of each last unit."""
    try:
        paths = list(_paths_of(json.loads(text), ()))
    except (ValueError, RecursionError):
        raise ScenarioError(_FIELD, text, _FORM) from None
    if len({len(path) for path in paths}) != 1:
        raise ScenarioError(_FIELD, text, _FORM)
    return paths


def _paths_of(node: object, above: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if isinstance(node, list) and node and len(above) < MOST_LEVELS - 1:
        for one in node:
            yield from _paths_of(one, (*above, len(node)))
    elif above and type(node) is int and 1 <= node <= LARGEST_COUNT:
        yield (*above, node)
    else:
        raise ValueError("no size, and no list of such")
