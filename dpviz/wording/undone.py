"""What was taken back, or done again: which setting, from what to what, and on which page."""

from typing import Any

from dpviz.scenario import Scenario, to_fields
from dpviz.scenario.data import DataShape
from dpviz.scenario.fields import OF_RATES_FIELDS, RATE_FIELDS, SHAPE_FIELDS
from dpviz.scenario.ledger import LEDGER_PARAMETERS
from dpviz.scenario.levels import levels_in
from dpviz.settings import SETTINGS, View
from dpviz.settings.destinations import PAGE_NAMES
from dpviz.settings.history import Undone
from dpviz.settings.multistage import LEAST_STAGES
from dpviz.settings.pages import changed_settings
from dpviz.wording.numbers import counted, rounded
from dpviz.wording.setting_values import values_of

_MOST_TOLD = 3
_DIGITS = 6
_LENGTHS = ("steps", "epochs")
_UNITS = ("time_step", "value_unit")
_OF_DATA = frozenset((*SHAPE_FIELDS, "longer_series_beyond", *RATE_FIELDS, *OF_RATES_FIELDS))
# A setting's name, and its values before and after; these are empty where they are too long.
_Change = tuple[str, str, str]


RESET_SENTENCE = "All settings of this page are reset. Undo brings back those before."


def undone_sentence(undone: Undone, here: str) -> str:
    """Return what was taken back."""
    return _sentence("Undone", undone, here, "back to")


def redone_sentence(undone: Undone, here: str) -> str:
    """Return what was done again."""
    return _sentence("Done again", undone, here, "to")


def _sentence(verb: str, undone: Undone, here: str, to: str) -> str:
    left, now = undone.left, undone.now
    changes = [*_scenario_changes(left.scenario, now.scenario), *_view_changes(left.view, now.view)]
    if left.unchosen != now.unchosen and not changes:
        changes = [("what your file leaves open", "", "")]
    told = [
        f"{label}, from {old} {to} {new}" if old != new else label
        for label, old, new in changes[:_MOST_TOLD]
    ]
    if len(changes) > _MOST_TOLD:
        told.append(f"and {counted(len(changes) - _MOST_TOLD, 'more setting')}")
    where = f" on {PAGE_NAMES[undone.page]}" if undone.page and undone.page != here else ""
    return f"{verb}{where}: {'; '.join(told)}."


def _scenario_changes(left: Scenario, now: Scenario) -> list[_Change]:
    if left is now:
        return []
    old, new = to_fields(left), to_fields(now)
    differ = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    if left.training.unit != now.training.unit:  # one setting under two names
        differ = [name for name in differ if name != left.training.unit]
    found: list[_Change] = []
    if isinstance(left.data, DataShape) != isinstance(now.data, DataShape):
        differ = [name for name in differ if name not in _OF_DATA]
        kinds = "the data's shape", "rates set by hand"
        before, after = kinds if isinstance(left.data, DataShape) else kinds[::-1]
        found.append(("What r and ρ follow from", before, after))
    for name in differ:
        label = "Training length" if name in _LENGTHS else SETTINGS[name].called
        if name in _UNITS:
            before, after = (str(fields.get(name, "unknown")) for fields in (old, new))
        else:
            before, after = values_of(name, [left, now])
        found.append((label, before, after))
    return found


def _view_changes(left: View, now: View) -> list[_Change]:
    before, after = changed_settings(left, now), changed_settings(now, left)
    found: list[_Change] = []
    for name in (one for one in before if one not in LEDGER_PARAMETERS):
        old, new = _text(name, before[name]), _text(name, after[name])
        if old == new:  # numbers that differ further down
            old, new = repr(before[name]), repr(after[name])
        found.append((SETTINGS[name].called, old, new))
    if len(found) < len(before):
        runs, others = (
            counted(sum(bool(getattr(view, name)) for name in LEDGER_PARAMETERS), "run")
            for view in (left, now)
        )
        found.append(("The ledger", runs, others))
    return found


def _text(field: str, value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return rounded(value, _DIGITS)
    if field == "staged_levels":
        levels = levels_in(field, value, LEAST_STAGES)
        return ", ".join(f"{level.drawn:,} of {level.size:,}" for level in levels)
    if words := SETTINGS[field].choices:
        return words[value]
    return str(value).replace(",", ", ")
