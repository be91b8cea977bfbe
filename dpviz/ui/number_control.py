"""A number: a slider with an exact entry and a way back, or the entry alone."""

from collections.abc import Callable, Sequence
from typing import Any

from dpviz.scenario import Scenario, ScenarioError, TimeStep
from dpviz.scenario.errors import checked_integer, checked_real
from dpviz.scenario.number_text import shown_number, written_real, written_whole
from dpviz.settings import SETTINGS
from dpviz.settings.grids import named
from dpviz.ui.acts import draw_control
from dpviz.ui.state import Control, change, change_view, page_address, session_state
from dpviz.wording.glossary import field_help
from dpviz.wording.setting_values import setting_warnings

_PLANNER = "planner"
_IN_A_PLAN = {"more private": "easier to meet"}


def typed_number(field: str, text: str, limits: tuple[float, float], *, whole: bool) -> float:
    """Return the number somebody typed into the box of a field.

    A whole one is returned as an int.

    Raises:
        ScenarioError: the text is no number, or not an allowed one.

    >>> typed_number("epochs", "1e4", (1, 10**7), whole=True)
    10000
    >>> typed_number("noise_multiplier", "2,5", (0.1, 100), whole=False)
    2.5
    >>> typed_number("noise_multiplier", "250", (0.1, 100), whole=False)
    Traceback (most recent call last):
    ...
    dpviz.scenario.errors.ScenarioError: noise_multiplier = 250 is not allowed: it must be a \
number from 0.1 to 100.
    """
    low, high = limits
    try:
        number = written_whole(text) if whole else written_real(text)
    except ValueError:
        allowed = _whole_numbers(limits) if whole else f"a number from {low:,g} to {high:,g}"
        raise ScenarioError(field, text, f"it must be {allowed}") from None
    if whole:
        return checked_integer(field, number, int(low), int(high))
    return checked_real(field, number, low, high)


def _whole_numbers(limits: tuple[float, float]) -> str:
    return f"a whole number from {int(limits[0]):,} to {int(limits[1]):,}"


def typed_values(
    field: str, text: str, limits: tuple[float, float], time_step: TimeStep | None
) -> float:
    """Return how many values somebody typed, as a number or as the time that they cover.

    Raises:
        ScenarioError: as for :func:`typed_number`, or of the time step that a typed time lacks.

    >>> typed_values("relation_width", "2 weeks", (1, 1000), TimeStep(1, "hour"))
    336
    """
    try:
        time = TimeStep.parse(text.strip().lower())
    except ScenarioError:  # a number then, or neither
        return typed_number(field, text, limits, whole=True)
    allowed = _whole_numbers(limits)
    if time_step is None:
        needed = f"it has to be set before {field} can be a time such as {str(time)!r}"
        raise ScenarioError("time_step", None, f"{needed}; until then {field} must be {allowed}")
    covered = time_step.values_in(time.count, time.unit)
    if covered is None:
        problem = f"that is no fixed number of values that are {time_step} apart (time_step)"
        raise ScenarioError(field, text, f"{problem}; it must be {allowed}")
    return checked_integer(field, covered, int(limits[0]), int(limits[1]))


# Takes the new number by a function, which may raise ScenarioError.
_Store = Callable[[Callable[[], Any]], None]


def number_control(
    field: str,
    *,
    value: float,
    apply: Callable[[Scenario, Any], Scenario],
    grid: Sequence[float] = (),
    limits: tuple[float, float] | None = None,
    explanation: str = "",
    has_slider: bool = True,
    **more: Any,
) -> None:
    """Draw the control; a change goes through ``apply``, which may refuse it, to the scenario.

    Grid and limits are those that the setting declares, unless others are given. ``explanation`` is
    told beside what the glossary has on the field. For the rest see :func:`draw_number`.
    """
    setting = SETTINGS[field]
    low, high = setting.ends if has_slider else ("", "")
    if page_address() == _PLANNER:  # where ε is given, and the other settings follow
        low, high = (_IN_A_PLAN.get(end, end) for end in (low, high))
    draw_number(
        field,
        setting.title,
        value,
        limits or setting.limits,
        lambda number: change(lambda before: apply(before, number())),
        grid=(grid or setting.grid) if has_slider else (),
        ends=(low, high),
        explains=field_help(field, explanation),
        warning=setting_warnings(session_state().scenario).get(field, ""),
        **more,
    )


def view_number(
    field: str,
    *,
    grid: Sequence[float] = (),
    limits: tuple[float, float] | None = None,
    ends: tuple[str, str] | None = None,
    explanation: str = "",
) -> Control:
    """Return what draws the control of a number of the view; see :func:`number_control`.

    One that was set while there were higher stops shows as the last one: that is what is drawn.
    """
    setting = SETTINGS[field]
    most = grid[-1] if grid else (limits or setting.limits)[1]
    return lambda state: draw_number(
        field,
        setting.title,
        min(getattr(state.view, field), most),
        limits or setting.limits,
        lambda number: change_view(lambda: {field: number()}),
        grid=grid or setting.grid,
        ends=ends or setting.ends,
        explains=field_help(field, explanation),
        origin=min(getattr(state.first_view, field), most),
    )


def draw_number(
    field: str,
    label: str,
    value: float,
    limits: tuple[float, float],
    store: _Store,
    *,
    key: str = "",
    grid: Sequence[float] = (),
    ends: tuple[str, str] = ("", ""),
    explains: str = "",
    origin: float | None = None,
    takes_time: bool = False,
    disabled: bool = False,
    warning: str = "",
    caption: str = "",
    width: int | str = "stretch",
    other: Callable[[str], Callable[[Scenario], Scenario] | None] | None = None,
) -> None:
    """Draw a number of whatever it is, which messages call ``field`` and the page ``label``.

    ``store`` takes another one or refuses it with a message. ``key`` is its identity in the page
    where that is not the field. Without a ``grid`` there is no slider. An int makes the exact entry
    whole-numbered; it may be typed as a time, such as "2 weeks", where the control ``takes_time``.
    The button beside the box goes back to ``origin``. ``other`` returns what a text does that is no
    number, ``None`` for nothing.
    """
    is_whole = isinstance(value, int)

    def acted(text: object) -> None:
        make = other(text) if other is not None and isinstance(text, str) else None
        if make is not None:
            change(make)
        elif text is None and origin is not None:
            store(lambda: origin)
        elif isinstance(text, str) and takes_time:
            # The time step as it is by then: it may have been set just before.
            now = session_state().scenario.units
            store(lambda: typed_values(field, text, limits, now.time_step))
        elif isinstance(text, str):
            store(lambda: typed_number(field, text, limits, whole=is_whole))

    draw_control(
        key or field,
        "number",
        label,
        acted,
        explains=explains,
        disabled=disabled,
        width=width,
        value=value,
        text=shown_number(value),
        stops=named(grid),
        ends=ends,
        origin=None if origin is None else shown_number(origin),
        first=origin,
        warning=warning,
        caption=caption,
    )
