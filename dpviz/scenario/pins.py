"""Scenarios that a visitor keeps beside the current one, and their form in a link."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.link import as_parameter, from_query
from dpviz.scenario.scenario import Scenario

PIN_SLOTS = ("a", "b", "c", "d", "e", "f")
MOST_SHOWN = 4
_PREFIX = "pin_"
_HIDDEN = "pins_hidden"
PIN_PARAMETERS = (*(_PREFIX + slot for slot in PIN_SLOTS), _HIDDEN)


@dataclass(frozen=True, kw_only=True)
class Pin:
    """One kept scenario.

    Args:
        slot: its letter, one of ``PIN_SLOTS``, which it keeps while others come and go.
        shown: whether charts draw it.
    """

    slot: str
    scenario: Scenario
    shown: bool = True

    @property
    def name(self) -> str:
        """What the pages call it."""
        return self.slot.upper()


def pinned(pins: Sequence[Pin], scenario: Scenario) -> tuple[Pin, ...]:
    """Return the pins with one more, in the first free slot; it is shown if four are not yet.

    Raises:
        ScenarioError: all slots are taken, or the scenario is among them.
    """
    taken = {pin.slot for pin in pins}
    # At whatever delta it was pinned: all are compared at the current one.
    delta = scenario.delta
    same = next((pin for pin in pins if replace(pin.scenario, delta=delta) == scenario), None)
    if same is not None:
        raise ScenarioError("pins", None, f"these settings are pinned already, as {same.name}")
    free = [slot for slot in PIN_SLOTS if slot not in taken]
    if not free:
        most = len(PIN_SLOTS)
        raise ScenarioError("pins", None, f"at most {most} scenarios can be pinned: remove one")
    shown = sum(pin.shown for pin in pins) < MOST_SHOWN
    new = Pin(slot=free[0], scenario=scenario, shown=shown)
    return tuple(sorted((*pins, new), key=lambda pin: pin.slot))


def pins_to_query(pins: Sequence[Pin]) -> dict[str, str]:
    """Return the parameters of a link that reopen the pins."""
    query = {_PREFIX + pin.slot: as_parameter(pin.scenario) for pin in pins}
    hidden = [pin.slot for pin in pins if not pin.shown]
    return query | ({_HIDDEN: ",".join(hidden)} if hidden else {})


def pins_from_query(query: Mapping[str, str]) -> tuple[tuple[Pin, ...], list[str]]:
    """Return a link's pins, and a sentence for each that cannot be used."""
    pins, problems = [], []
    hidden = set(filter(None, query.get(_HIDDEN, "").split(",")))
    for slot in PIN_SLOTS:
        if (text := query.get(_PREFIX + slot)) is None:
            continue
        try:
            pins.append(Pin(slot=slot, scenario=from_query(text), shown=slot not in hidden))
        except ScenarioError as problem:
            problems.append(f"Pin {slot.upper()} was left out: {problem}")
    unknown = hidden - {pin.slot for pin in pins}
    if unknown:
        allowed = "it must be letters of this link's pins, such as a,b"
        problems.append(str(ScenarioError(_HIDDEN, query[_HIDDEN], allowed)))
    shown = [pin.slot for pin in pins if pin.shown]
    if len(shown) > MOST_SHOWN:
        problems.append(f"Only {MOST_SHOWN} pins can be shown: the others are hidden.")
    return tuple(replace(pin, shown=pin.slot in shown[:MOST_SHOWN]) for pin in pins), problems
