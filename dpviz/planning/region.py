"""Which settings meet a goal, where two quantities vary and all else stays: a map, cell by cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from zlib import crc32

from dpviz.accounting import DEFAULT_TOLERANCE, best_upper
from dpviz.guarantees import Bound
from dpviz.planning.proven import Proven, epsilon_of
from dpviz.planning.quantities import MAPPED, QUANTITIES, fixed_quantities, value_of, with_value
from dpviz.planning.target import Goal, Target, excess
from dpviz.planning.ways import noise_per_gradient
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.errors import checked_choice

REGION_TOLERANCE = 1e-2
# What is quoted alone is hardly ever more than this many times the bound's own value: measured 1.05
# at most below epsilon = 1000, but 1.4 at delta = 0.9.
_MOST_EXCESS = 1.1
_STRIDES = (4, 2, 1)
# A column and a row.
Place = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One side of the map: increasing ``values`` of one of ``MAPPED``; ``own`` is a place."""

    quantity: str
    values: tuple[float, ...]
    own: int


@dataclass(frozen=True, kw_only=True)
class RegionPoint:
    """What is proven of one place of the map.

    Args:
        upper: the upper bound on epsilon at the scenario's delta.
        only_quoted: whether nothing but the end to quote was computed: the bracket's other end is
            then 0, and how close the quoted one is to the exact value is not known.
    """

    scenario: Scenario
    upper: Proven
    meets: bool
    only_quoted: bool = False

    @property
    def bound(self) -> Bound:
        """Theorem, unit and count of the upper bound."""
        return self.upper.bound

    @property
    def noise_per_gradient(self) -> float:
        """Sigma / Lambda, in clipping norms."""
        return noise_per_gradient(self.scenario)


def possible_axes(scenario: Scenario) -> tuple[str, ...]:
    """Return the quantities that can vary."""
    fixed = fixed_quantities(scenario)
    return tuple(name for name in MAPPED if name not in fixed)


def region_axis(scenario: Scenario, quantity: str, kept: Sequence[float] = ()) -> Axis:
    """Return values around the scenario's own, at even ratios, as far as any is allowed.

    Values that were there before are ``kept`` as long as the own one lies within them.
    """
    checked_choice("axis", quantity, possible_axes(scenario))
    own, around = value_of(scenario, quantity), QUANTITIES[quantity].around
    values = tuple(kept)
    if own not in kept[1:-1]:
        values = tuple(sorted({*(around(scenario) if around else ()), own}))
    return Axis(quantity=quantity, values=values, own=values.index(own))


def region_scenario(scenario: Scenario, x: Axis, y: Axis, at: tuple[int, int]) -> Scenario:
    """Return the settings of a place (column, row)."""
    across = x.quantity, x.values[at[0]]
    up = y.quantity, y.values[at[1]]
    try:
        return with_value(with_value(scenario, *across), *up)
    except ScenarioError:
        # Two values may fit each other where the first does not fit what the second replaces.
        return with_value(with_value(scenario, *up), *across)


def region_point(
    scenario: Scenario,
    goal: Goal,
    *,
    tolerance: float = REGION_TOLERANCE,
    only_quoted: bool = False,
) -> RegionPoint:
    """Return what is proven of some settings.

    Coarsely, to a relative ``tolerance``, but where that leaves open whether the goal is met, as
    finely as a plan is searched: one that just meets a goal is not said to miss it.
    """
    if only_quoted:
        upper = best_upper(scenario, tolerance=tolerance, only_quoted=True)
        quoted = epsilon_of(upper, scenario.delta)
        if quoted.quoted is not None:
            meets = goal.excess(upper) <= 0.0
            return RegionPoint(scenario=scenario, upper=quoted, meets=meets, only_quoted=True)
    upper = best_upper(scenario, tolerance=tolerance)
    meets = goal.excess(upper) <= 0.0
    if not meets and goal.least_excess(upper) <= 0.0:
        upper = best_upper(scenario)
        meets = excess(scenario, goal, DEFAULT_TOLERANCE) <= 0.0
    return RegionPoint(scenario=scenario, upper=epsilon_of(upper, scenario.delta), meets=meets)


def judged_anew(
    point: RegionPoint, target: Target, *, is_exact: bool = False
) -> RegionPoint | None:
    """Return a place under another target at the same delta; ``None`` where it is too near to tell.

    ``is_exact`` says that it was computed as finely as a plan is searched, so that it always tells.
    """
    low, high = point.upper.bracket.low, point.upper.quoted
    meets = high is not None and high <= target.epsilon
    if point.only_quoted and high is not None:
        low = high / _MOST_EXCESS  # no bound; "meets" says what is proven in any case
    misses = low is not None and low > target.epsilon
    return replace(point, meets=meets) if meets or misses or is_exact else None


def region_stages(x: Axis, y: Axis) -> tuple[tuple[Sequence[int], Sequence[int]], ...]:
    """Return the columns and rows of a coarse map, a finer one, and the whole.

    Each holds those before it, the ends and the scenario's own values.
    """

    def every(axis: Axis, stride: int) -> tuple[int, ...]:
        last = len(axis.values) - 1
        return tuple(sorted({*range(0, last + 1, stride), last, axis.own}))

    return tuple(dict.fromkeys((every(x, stride), every(y, stride)) for stride in _STRIDES))


# What is proven of a place, or why nothing is: a field, its value, and what is allowed or covered.
Cell = RegionPoint | str


@dataclass(frozen=True, kw_only=True)
class RegionMap:
    """What is known of a map around a scenario: the computed cells, by column and row.

    The scenario's own is among them.
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
    def axes_key(self) -> int:
        """Tells maps of other axes, or other values on them, from this one."""
        axes = [(axis.quantity, *map(float, axis.values)) for axis in (self.x, self.y)]
        return crc32(repr(axes).encode())

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


def region_cell(
    scenario: Scenario, x: Axis, y: Axis, at: Place, goal: Goal, *, only_quoted: bool = False
) -> Cell:
    """Return what is proven at a place, or why nothing is.

    The scenario's own place is computed as finely as its curves are, and both ends on the coarse
    map in any case, so that it is known how far they are apart.
    """
    tolerance = DEFAULT_TOLERANCE if at == (x.own, y.own) else REGION_TOLERANCE
    columns, rows = region_stages(x, y)[0]
    if at[0] in columns and at[1] in rows:
        only_quoted = False
    try:
        place = region_scenario(scenario, x, y, at)
        return region_point(place, goal, tolerance=tolerance, only_quoted=only_quoted)
    except ScenarioError as problem:
        return str(problem)


def region_cells(
    scenario: Scenario,
    x: Axis,
    y: Axis,
    places: Sequence[Place],
    goal: Goal,
    *,
    only_quoted: bool = False,
) -> tuple[Cell, ...]:
    """Return :func:`region_cell` of some places, in their order.

    Those of a column have most of their losses in common, and are cheaper together.
    """
    found = {
        at: region_cell(scenario, x, y, at, goal, only_quoted=only_quoted) for at in sorted(places)
    }
    return tuple(found[at] for at in places)


def places_coarse_to_fine(x: Axis, y: Axis) -> list[Place]:
    """Return every place once: the scenario's own, then a coarse map, a finer one, and the rest."""
    stages = region_stages(x, y)
    places = [(column, row) for columns, rows in stages for row in rows for column in columns]
    return list(dict.fromkeys([(x.own, y.own), *places]))


def sources(shown: RegionMap) -> dict[Place, Place]:
    """Return for each place the computed one that stands for it: itself, or the nearest coarse one.

    Places that nothing stands for yet are left out. No number is guessed between two of them.
    """
    stages = [
        (_nearest(columns, len(shown.x.values)), _nearest(rows, len(shown.y.values)))
        for columns, rows in region_stages(shown.x, shown.y)
    ]
    found: dict[Place, Place] = {}
    for row, column in product(*map(range, shown.shape)):
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
        first: the smallest value that meets the goal without a gap up to the own one.
        last: the largest.
        before: the computed value below them, without an answer that meets it; ``None`` where the
            map ends.
        after: likewise above them.
    """

    axis: Axis
    first: int
    last: int
    before: int | None
    after: int | None


def alone(shown: RegionMap, axis: Axis) -> Stretch | None:
    """Return how far a quantity may go alone; ``None`` where the own place misses the goal."""
    if not meets(shown, shown.own):
        return None
    known = computed_along(shown, axis)
    met = [meets(shown, place_along(shown, axis, at)) for at in known]
    first = last = known.index(axis.own)
    while first > 0 and met[first - 1]:
        first -= 1
    while last + 1 < len(known) and met[last + 1]:
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
