"""How far one value may change, in the data's own unit."""

from collections.abc import Callable
from dataclasses import replace

from dpviz.scenario import Scenario
from dpviz.settings import SETTINGS
from dpviz.ui.state import State, change
from dpviz.ui.text_box import text_box
from dpviz.ui.typed_number import shown_number, typed_number
from dpviz.wording.hover_help import field_help


def max_change_box(state: State) -> None:
    """Draw the box for v, the largest change of one value; empty where it is not known."""
    now = state.scenario.relation.max_change

    def apply(before: Scenario, text: str) -> Scenario:
        limits = SETTINGS["max_change"].limits
        number = typed_number("max_change", text, limits, whole=False) if text else None
        return replace(before, relation=replace(before.relation, max_change=number))

    _optional_box(
        "max_change",
        "" if now is None else shown_number(now),
        apply,
        placeholder="unknown, or such as 300",
    )


def value_unit_box(state: State) -> None:
    """Draw the box for what the values count or measure; empty where it is not known."""

    def apply(before: Scenario, text: str) -> Scenario:
        return replace(before, units=replace(before.units, value_unit=text or None))

    _optional_box(
        "value_unit",
        state.scenario.units.value_unit or "",
        apply,
        placeholder="unknown, or such as vehicles",
    )


def _optional_box(
    field: str,
    shown: str,
    apply: Callable[[Scenario, str], Scenario],
    *,
    placeholder: str,
) -> None:
    """Draw a box whose text may be empty; ``apply`` may raise ScenarioError, which is told."""
    text_box(
        SETTINGS[field].title,
        shows=shown,
        key=field,
        typed=lambda text: change(lambda before: apply(before, text)),
        placeholder=placeholder,
        explains=field_help(field),
    )
