"""The scale of epsilon on charts: whole decades, with what its sizes mean beside it."""

from collections.abc import Iterable
from math import ceil, floor, inf, log10

from dpviz.figures import parts
from dpviz.figures.parts import Part
from dpviz.wording.proven_epsilon import EPSILON_TIERS

# Titles of axes.
EPSILON_AXIS = "ε (privacy loss; smaller is more private)"
DELTA_AXIS = "δ (failure probability)"
# A name takes this part of an axis that is as short as a phone's.
_ROOM_FOR_NAME = 0.07
# Other words on top of a chart are a line above the names: pixels.
ABOVE_TIERS: Part = {"yshift": 16}
# Of every other tier, so that its neighbours stand out from it.
_SHADE = 0.07


def decades(drawn: Iterable[float | None], least: tuple[int, int] = (0, 1)) -> tuple[int, int]:
    """Return the powers of ten from which to which an axis goes, to hold what is drawn.

    What is 0, missing or infinite has no place there; ``least`` is held in any case.

    >>> decades([2.5, None, 130.0]), decades([2.5], (-1, 2)), decades([0.02, 5e3], (-1, 2))
    ((0, 3), (-1, 2), (-2, 4))
    """
    powers = [log10(one) for one in drawn if one and one < inf]
    low, high = least
    return min([low, *map(floor, powers)]), max([high, *map(ceil, powers)])


def tiers(low: float, high: float, *, is_log: bool = True, upright: bool = False) -> Part:
    """Return the shapes and annotations that mark how strong protection is."""

    def place(epsilon: float) -> float:
        return log10(epsilon) if is_log else epsilon

    across, along = ("x", "y") if upright else ("y", "x")
    beside = ("left", "middle") if upright else ("center", "bottom")
    turned = {"textangle": 90} if upright else {}
    shapes, annotations = [], []
    for at, tier in enumerate(EPSILON_TIERS):
        start, end = max(tier.start, low), min(tier.end, high)
        if start >= end:
            continue
        if at % 2:
            shapes.append(parts.stretch(start, end, density=_SHADE, along=along))
        first, last = place(start), place(end)
        if last - first >= _ROOM_FOR_NAME * (place(high) - place(low)):
            where: Part = {along: (first + last) / 2, across: 1, f"{across}ref": "paper"}
            annotations.append(parts.quiet_note(tier.name, **where, anchor=beside, **turned))
    return {"shapes": shapes, "annotations": annotations}
