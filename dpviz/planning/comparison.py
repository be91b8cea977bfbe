"""Runs side by side at one delta: in what they differ, and which is the best in what."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from dpviz.accounting import Bracket
from dpviz.guarantees import guarantee_for
from dpviz.planning.curves import ScenarioCurves
from dpviz.planning.ways import noise_per_gradient
from dpviz.scenario import Rates, Scenario, ScenarioError, from_fields, to_fields
from dpviz.scenario.fields import OF_RATES_FIELDS, RATE_FIELDS, SHAPE_FIELDS
from dpviz.scenario.number_text import number_rounded

_LENGTHS = ("series_length", "longer_series_beyond")
# All that defines the data: half a shape beside half of the rates would be neither.
DATA_FIELDS = (*SHAPE_FIELDS, "longer_series_beyond", *RATE_FIELDS, *OF_RATES_FIELDS)
# Fields that belong together, in the order in which differences are told.
_SHAPE_GROUPS = (("num_series",), _LENGTHS, ("context_length",), ("forecast_length",))
# Which lengths are left out goes by the forecast's.
_GROUPS_OF_SOME_LENGTHS = (
    ("num_series",),
    ("series_length", "forecast_length", "longer_series_beyond"),
    ("context_length",),
)
_RATES_GROUPS = (
    ("bottom_rate", "forecast_share", "touched_windows", "start_positions"),
    ("top_rate",),
    ("steps_per_epoch",),
)
_OTHER_GROUPS = (
    *((name,) for name in ("top_level", "bottom_level", "batch_size", "num_subsequences")),
    *((name,) for name in ("noise_multiplier", "context_noise", "forecast_noise")),
    ("steps", "epochs"),
    *((name,) for name in ("relation", "relation_width", "max_change", "num_channels")),
    ("series_per_person",),
)
# Quoted bounds as near as this, with brackets that overlap, differ by the accountant's grid alone.
_ALIKE = 0.01
# With so many digits numbers are told, rounded up; who has the same ones ties.
_DIGITS = 4


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One thing in which a run differs from the current one.

    Args:
        group: public names of the fields that belong to it.
        fields: those of them whose values differ, such as ``("steps", "epochs")``.
    """

    here: Scenario
    there: Scenario
    group: tuple[str, ...]
    fields: tuple[str, ...]

    @cached_property
    def alone(self) -> Scenario | None:
        """The current scenario with this difference alone; ``None`` where no bound covers that."""
        try:
            alone = with_taken_over(self.here, self.there, self.fields)
        except ScenarioError:
            return None
        return None if refusal(alone) else alone


def differences(here: Scenario, there: Scenario) -> tuple[Difference, ...]:
    """Return what differs, in the order data, sampling, noise, training, relation.

    The delta is no part of a run, and units of the data, or a shape that rates were once taken
    from, change no number: none is told.
    """
    mine, theirs = to_fields(here), to_fields(there)
    found = []
    for group in _groups(here, there):
        fields = tuple(name for name in group if mine.get(name) != theirs.get(name))
        if fields:
            found.append(Difference(here=here, there=there, group=group, fields=fields))
    return tuple(found)


def in_the_same_terms(here: Scenario, there: Scenario) -> Scenario:
    """Return ``there`` by its rates if ``here`` is given by rates that came from the same shape.

    Somebody who moved a rate has left the shape behind; a run from before is then told apart by its
    rates, not by having a shape.

    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> moved = toy.with_rates(bottom_rate=0.05)
    >>> [found.fields for found in differences(moved, in_the_same_terms(moved, toy))]
    [('bottom_rate',)]
    """
    if not isinstance(here.data, Rates) or there.shape is None:
        return there
    if here.data.last_shape != there.shape:
        return there
    try:
        return there.with_rates()
    except ScenarioError:  # rates do not determine its scheme
        return there


def with_taken_over(here: Scenario, there: Scenario, fields: Iterable[str]) -> Scenario:
    """Return ``here`` with some fields as they are ``there``, also where they are absent.

    With the fields of all :func:`differences` it is the run of ``there``, at the delta and in the
    units of ``here``. Raises ``ScenarioError`` where these values are not allowed together.
    """
    mine, theirs, names = to_fields(here), to_fields(there), set(fields)
    if "relation_width" in names and _both_by_rates(here, there):
        # The shape behind the rates is what allows a relation wider than one value.
        names |= {*SHAPE_FIELDS, "longer_series_beyond"}
    kept = {name: value for name, value in mine.items() if name not in names}
    return from_fields(kept | {name: theirs[name] for name in names if name in theirs})


def _groups(here: Scenario, there: Scenario) -> tuple[tuple[str, ...], ...]:
    if _both_by_rates(here, there):
        return (*_RATES_GROUPS, *_OTHER_GROUPS)
    if here.shape is not None and there.shape is not None:
        has_all = here.shape.longer_series_beyond is there.shape.longer_series_beyond is None
        return (*(_SHAPE_GROUPS if has_all else _GROUPS_OF_SOME_LENGTHS), *_OTHER_GROUPS)
    return (DATA_FIELDS, *_OTHER_GROUPS)


def _both_by_rates(here: Scenario, there: Scenario) -> bool:
    return isinstance(here.data, Rates) and isinstance(there.data, Rates)


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparedRun:
    """One row of a comparison.

    Args:
        scenario: its settings, with the delta at which runs are compared.
        curves: what is proven about it; ``None`` while that is not known, and where nothing is.
        is_exact: whether ``curves`` are as narrow as they get; coarse ones bound soundly too.
        is_left_out: whether what is lacking is not to come, as it costs too much.
        refusal: why no bound covers it; empty where one does.
    """

    name: str
    scenario: Scenario
    curves: ScenarioCurves | None
    is_exact: bool = True
    is_left_out: bool = False
    refusal: str = ""

    def __post_init__(self) -> None:
        if self.curves is not None and self.curves.scenario.delta != self.scenario.delta:
            only = f"it must be that of the comparison, {self.scenario.delta!r}"
            raise ScenarioError("delta", self.curves.scenario.delta, only)

    @property
    def noise_per_gradient(self) -> float:
        """Sigma / Lambda: noise on the averaged gradient, its deviation in clipping norms."""
        return noise_per_gradient(self.scenario)

    @property
    def is_settled(self) -> bool:
        """Whether what is proven about it is known, as narrow as it gets."""
        return bool(self.refusal) or (self.curves is not None and self.is_exact)

    @property
    def individuals_epsilon(self) -> float | None:
        """The upper bound on an individual's epsilon; ``None`` where no finite one is proven."""
        return None if self.curves is None else self.curves.epsilon_upper


class WhyNone(Enum):
    """Why no run is the best."""

    ONE_RUN = "one run"
    COMPUTING = "computing"
    LEFT_OUT = "left out"
    NO_BOUND = "no bound"
    ALL_ALIKE = "all alike"
    OTHER_PROTECTION = "other protection"


@dataclass(frozen=True, kw_only=True)
class Best:
    """The runs that are the best in one column (several if they tie), or why none is.

    Runs tie whose numbers are told with the same digits.
    """

    names: tuple[str, ...] = ()
    why_none: WhyNone | None = None


def refusal(scenario: Scenario) -> str:
    """Return why no bound covers a scenario, naming the field; empty where one does."""
    try:
        guarantee_for(scenario)
    except ScenarioError as problem:
        return str(problem)
    return ""


def covers(one: ScenarioCurves, other: ScenarioCurves) -> bool:
    """Return whether one upper bound is about every change of data that the other is about.

    Values anywhere in a series include values in a row, and more of them fewer. A bound without a
    condition is about changes of any size, in all channels; one for changes of at most v never
    covers that, whatever v either relation names: v is what its noise is measured in. A v that is
    not given is the same v of both. All are read as bounds for an individual.
    """
    mine, theirs = one.scenario.relation, other.scenario.relation
    if (mine.level, theirs.level) == ("event", "user") and theirs.width > 1:
        return False
    if mine.width < theirs.width or mine.series_per_person < theirs.series_per_person:
        return False
    if not one.upper.bound.condition:
        return True
    if not other.upper.bound.condition or mine.num_channels < theirs.num_channels:
        return False
    if mine.max_change is None or theirs.max_change is None:
        return mine.max_change == theirs.max_change
    in_one_unit = one.scenario.units.value_unit == other.scenario.units.value_unit
    return in_one_unit and mine.max_change >= theirs.max_change


def are_about_as_large(one: ScenarioCurves, other: ScenarioCurves) -> bool:
    """Return whether two finite upper bounds differ by at most 1 %."""
    smaller, larger = sorted(_quoted(curves.upper.bracket) for curves in (one, other))
    return larger <= smaller * (1.0 + _ALIKE)


def are_alike(one: ScenarioCurves, other: ScenarioCurves) -> bool:
    """Return whether no difference of two finite upper bounds is resolved at their delta."""
    smaller, larger = sorted((one.upper.bracket, other.upper.bracket), key=_quoted)
    return (larger.low or 0.0) <= _quoted(smaller) and are_about_as_large(one, other)


def best_epsilon(runs: Sequence[ComparedRun]) -> Best:
    """Return whose upper bound on an individual's epsilon is the smallest, all at one delta.

    It has to protect at least what every other bound in the comparison does: a small number for one
    value is no better than a larger one for a week of them. Which run *is* the most private is
    another question, see :func:`dpviz.planning.order.proven_order_at_delta`.

    Raises:
        ScenarioError: two runs have different deltas.
    """
    check_same_delta(runs)
    if len(runs) < 2:
        return Best(why_none=WhyNone.ONE_RUN)
    if lacking := [run for run in runs if not run.is_settled]:
        are_left_out = all(run.is_left_out for run in lacking)
        return Best(why_none=WhyNone.LEFT_OUT if are_left_out else WhyNone.COMPUTING)
    candidates = {
        run.name: run.curves
        for run in runs
        if run.curves is not None and run.individuals_epsilon is not None
    }
    if not candidates:
        return Best(why_none=WhyNone.NO_BOUND)
    smallest = min(candidates.values(), key=lambda curves: _quoted(curves.upper.bracket))
    told = {name: _told(_quoted(curves.upper.bracket)) for name, curves in candidates.items()}
    least = min(told.values())
    covering = [
        name
        for name, curves in candidates.items()
        if all(covers(curves, other) for other in candidates.values())
    ]
    if len(covering) == len(runs) and all(
        told[name] == least or are_alike(smallest, candidates[name]) for name in covering
    ):
        return Best(why_none=WhyNone.ALL_ALIKE)
    names = tuple(name for name in covering if told[name] == least)
    return Best(names=names) if names else Best(why_none=WhyNone.OTHER_PROTECTION)


def best_noise(runs: Sequence[ComparedRun]) -> Best:
    """Return which run puts the least noise on an averaged gradient."""
    if len(runs) < 2:
        return Best(why_none=WhyNone.ONE_RUN)
    told = {run.name: _told(run.noise_per_gradient) for run in runs}
    names = tuple(name for name, noise in told.items() if noise == min(told.values()))
    return Best(why_none=WhyNone.ALL_ALIKE) if len(names) == len(runs) else Best(names=names)


def check_same_delta(runs: Sequence[ComparedRun]) -> None:
    """Raise :class:`ScenarioError` where runs are not at one delta: they cannot be compared."""
    deltas = {run.scenario.delta: None for run in runs}
    if len(deltas) > 1:
        first, other, *_ = deltas
        raise ScenarioError("delta", other, f"it must be that of the comparison, {first!r}")


def _told(value: float) -> float:
    return number_rounded(value, _DIGITS, up=True)


def _quoted(bracket: Bracket) -> float:
    assert bracket.high is not None  # the caller has looked
    return bracket.high
