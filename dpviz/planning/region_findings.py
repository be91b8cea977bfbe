"""What a map of settings says: how far one may go alone, and where a number is smallest."""

from dataclasses import dataclass

from dpviz.planning.region import Axis, Place, RegionMap, RegionPoint


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """How far one quantity may go alone, all else as it is, by the computed cells.

    Args:
        first: the smallest value of those that meet the goal, without a gap up to the own one.
        last: the largest.
        before: the computed value below them, which has no answer that meets it; ``None`` where
            the map ends.
        after: likewise above them.
    """

    axis: Axis
    first: int
    last: int
    before: int | None
    after: int | None


def alone(shown: RegionMap, axis: Axis) -> Stretch | None:
    """Return how far a quantity may go alone; ``None`` where the own place does not meet the goal.

    Args:
        shown: the map, as far as it is known.
    """
    if not meets(shown, shown.own):
        return None
    known = computed_along(shown, axis)
    own = known.index(axis.own)
    first = last = own
    while first > 0 and meets(shown, place_along(shown, axis, known[first - 1])):
        first -= 1
    while last + 1 < len(known) and meets(shown, place_along(shown, axis, known[last + 1])):
        last += 1
    return Stretch(
        axis=axis,
        first=known[first],
        last=known[last],
        before=known[first - 1] if first > 0 else None,
        after=known[last + 1] if last + 1 < len(known) else None,
    )


def nearest_that_meet(shown: RegionMap, axis: Axis) -> tuple[int, ...]:
    """Return the nearest computed values that alone meet the goal: one below, one above."""
    met = [at for at in computed_along(shown, axis) if meets(shown, place_along(shown, axis, at))]
    below, above = [at for at in met if at < axis.own], [at for at in met if at > axis.own]
    return (*below[-1:], *above[:1])


def computed_along(shown: RegionMap, axis: Axis) -> list[int]:
    """Return the values of a quantity that are computed with all else as it is, increasing."""
    return [at for at in range(len(axis.values)) if place_along(shown, axis, at) in shown.cells]


def place_along(shown: RegionMap, axis: Axis, at: int) -> Place:
    """Return the place of a quantity's value with all else as it is."""
    return (at, shown.y.own) if axis == shown.x else (shown.x.own, at)


def meets(shown: RegionMap, place: Place) -> bool:
    """Return whether a computed place is proven to meet the goal."""
    cell = shown.cells[place]
    return isinstance(cell, RegionPoint) and cell.meets


def most_private(shown: RegionMap) -> Place | None:
    """Return where the smallest epsilon is; ``None`` where no finite one is known."""
    finite = {at: p.upper.quoted for at, p in shown.points.items() if p.upper.quoted is not None}
    return min(finite, key=finite.__getitem__) if finite else None


def least_noise(shown: RegionMap) -> Place | None:
    """Return where the noise per gradient is least among what meets the goal."""
    met = {at: point.noise_per_gradient for at, point in shown.points.items() if point.meets}
    return min(met, key=met.__getitem__) if met else None
