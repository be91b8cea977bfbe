"""A map of settings as far as it is known, cell by cell, and what it shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpviz.accounting import DEFAULT_TOLERANCE
from dpviz.planning.region import (
    REGION_TOLERANCE,
    Axis,
    RegionPoint,
    region_point,
    region_scenario,
    region_stages,
)
from dpviz.planning.target import Goal
from dpviz.scenario import Scenario, ScenarioError

# A column and a row.
Place = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """Why a place of the map has no answer.

    Args:
        problem: the field, its value, and what is allowed or covered.
    """

    problem: str


Cell = RegionPoint | Refusal


@dataclass(frozen=True, kw_only=True)
class RegionMap:
    """What is known of a map.

    Args:
        scenario: the settings around which it is drawn.
        goal: what has to be met.
        x: what varies across.
        y: what varies upwards.
        cells: those that are computed, by column and row; the scenario's own is among them.
    """

    scenario: Scenario
    goal: Goal
    x: Axis
    y: Axis
    cells: Mapping[Place, Cell]

    @property
    def own(self) -> Place:
        """Where the scenario's own settings are."""
        return self.x.own, self.y.own

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.y.values), len(self.x.values)

    @property
    def is_complete(self) -> bool:
        """Whether every cell is computed."""
        return len(self.cells) == len(self.x.values) * len(self.y.values)

    def values_at(self, at: Place) -> tuple[float, float]:
        """Return the two values of a place."""
        return self.x.values[at[0]], self.y.values[at[1]]

    @property
    def points(self) -> dict[Place, RegionPoint]:
        """The cells that have an answer."""
        return {at: cell for at, cell in self.cells.items() if isinstance(cell, RegionPoint)}


def region_cell(scenario: Scenario, x: Axis, y: Axis, at: Place, goal: Goal) -> Cell:
    """Return what is proven at a place, or why nothing is.

    The scenario's own place is computed as finely as its curves are, so that both say the same.

    >>> from dpviz.planning.region import region_axis
    >>> from dpviz.planning.target import Target
    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> x, y = region_axis(toy, "num_subsequences"), region_axis(toy, "noise_multiplier")
    >>> region_cell(toy, x, y, (6, y.own), Target(epsilon=4.0, delta=1e-7))
    Refusal(problem='num_subsequences = 64 is not allowed: it must be at most batch_size (32).')
    """
    tolerance = DEFAULT_TOLERANCE if at == (x.own, y.own) else REGION_TOLERANCE
    try:
        return region_point(region_scenario(scenario, x, y, at), goal, tolerance=tolerance)
    except ScenarioError as problem:
        return Refusal(problem=str(problem))


def places_coarse_to_fine(x: Axis, y: Axis) -> list[Place]:
    """Return every place once: the scenario's own, then a coarse map, a finer one, and the rest."""
    own = (x.own, y.own)
    stages = region_stages(x, y)
    places = [(column, row) for columns, rows in stages for row in rows for column in columns]
    return list(dict.fromkeys([own, *places]))


def sources(shown: RegionMap) -> dict[Place, Place]:
    """Return for each place the computed one that stands for it: itself, or the nearest coarse one.

    Places that nothing stands for yet are left out. A coarse map has larger cells of the same
    axes; no number is guessed between two of them.
    """
    stages = [
        (_nearest(columns, len(shown.x.values)), _nearest(rows, len(shown.y.values)))
        for columns, rows in region_stages(shown.x, shown.y)
    ]
    rows, columns = shown.shape
    found: dict[Place, Place] = {}
    for row in range(rows):
        for column in range(columns):
            finest_first = [(across[column], up[row]) for across, up in reversed(stages)]
            source = next((place for place in finest_first if place in shown.cells), None)
            if source is not None:
                found[column, row] = source
    return found


def _nearest(stops: Sequence[int], length: int) -> list[int]:
    return [min(stops, key=lambda stop: abs(stop - at)) for at in range(length)]


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """How far one quantity may go alone, all else as it is, by the computed cells.

    Args:
        axis: the quantity's.
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
        axis: one of its two.
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
    """Return the nearest computed values of a quantity, alone, that meet the goal: below and above.

    Args:
        shown: the map, whose own place does not meet it.
        axis: one of its two.
    """
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
