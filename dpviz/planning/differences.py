"""What differs between two training runs, and each difference by itself."""

from collections.abc import Iterable
from dataclasses import dataclass

from dpviz.guarantees import guarantee_for
from dpviz.scenario import Rates, Scenario, ScenarioError, from_fields, to_fields
from dpviz.scenario.fields import OF_RATES_FIELDS, RATE_FIELDS, SHAPE_FIELDS

_LENGTHS = ("series_length", "longer_series_beyond")
# All that defines the data: half a shape beside half of the rates would be neither.
DATA_FIELDS = (*SHAPE_FIELDS, "longer_series_beyond", *RATE_FIELDS, *OF_RATES_FIELDS)
_SHAPE_GROUPS = (("num_series",), _LENGTHS, ("context_length",), ("forecast_length",))
_RATES_GROUPS = (
    ("bottom_rate", "forecast_share", "touched_windows", "start_positions"),
    ("top_rate",),
    ("steps_per_epoch",),
)
_OTHER_GROUPS = (
    ("top_level",),
    ("bottom_level",),
    ("batch_size",),
    ("num_subsequences",),
    ("noise_multiplier",),
    ("context_noise",),
    ("forecast_noise",),
    ("steps", "epochs"),
    ("relation",),
    ("relation_width",),
    ("max_change",),
    ("num_channels",),
)
# Fields that belong together, in the order in which differences are told.
GROUPS = (DATA_FIELDS, *_SHAPE_GROUPS, *_RATES_GROUPS, *_OTHER_GROUPS)


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One thing in which a run differs from the current one.

    Args:
        fields: public names of the fields that make it up and whose values differ, such as
            ``("steps", "epochs")``.
        alone: the current scenario with this difference alone; ``None`` where that is not
            allowed, or no bound covers it.
    """

    fields: tuple[str, ...]
    alone: Scenario | None

    @property
    def group(self) -> tuple[str, ...]:
        """The one of ``GROUPS`` that it is about."""
        smallest = sorted(GROUPS, key=len)
        return next(group for group in smallest if set(self.fields) <= set(group))


def differences(here: Scenario, there: Scenario) -> tuple[Difference, ...]:
    """Return what differs, in the order data, sampling, noise, training, relation.

    The delta is no part of a run, and units of the data change no number: neither is told. A
    shape that rates were once taken from is not in use, and is not told either.

    Args:
        here: the current scenario.
        there: the one to compare it with.

    >>> from dataclasses import replace
    >>> from dpviz.scenario import PRESETS, Noise
    >>> toy = PRESETS["toy"].scenario
    >>> [found.fields for found in differences(toy, replace(toy, noise=Noise(noise_multiplier=2)))]
    [('noise_multiplier',)]
    """
    mine, theirs = to_fields(here), to_fields(there)
    found = []
    for group in _groups(here, there):
        fields = tuple(name for name in group if mine.get(name) != theirs.get(name))
        if fields:
            found.append(Difference(fields=fields, alone=_alone(here, there, fields)))
    return tuple(found)


def in_the_same_terms(here: Scenario, there: Scenario) -> Scenario:
    """Return ``there`` by its rates if ``here`` is given by rates that came from the same shape.

    Somebody who moved a rate has left the shape behind; a run from before is then told apart by
    its rates, not by having a shape.

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

    With the fields of all :func:`differences` it is the run of ``there``, at the delta and in
    the units of ``here``.

    Raises:
        ScenarioError: these values are not allowed together.

    >>> from dpviz.scenario import PRESETS
    >>> toy, traffic = PRESETS["toy"].scenario, PRESETS["traffic"].scenario
    >>> with_taken_over(toy, traffic, ("steps", "epochs")).training
    Training(unit='epochs', count=4000)
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
        return (*_SHAPE_GROUPS, *_OTHER_GROUPS)
    return (DATA_FIELDS, *_OTHER_GROUPS)


def _both_by_rates(here: Scenario, there: Scenario) -> bool:
    return isinstance(here.data, Rates) and isinstance(there.data, Rates)


def _alone(here: Scenario, there: Scenario, fields: tuple[str, ...]) -> Scenario | None:
    try:
        alone = with_taken_over(here, there, fields)
        guarantee_for(alone)
    except ScenarioError:
        return None
    return alone
