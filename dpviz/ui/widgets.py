"""Choices between a few words, a text to type, and a button to press."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from dpviz.scenario import Scenario, ScenarioError, to_json
from dpviz.settings import SETTINGS
from dpviz.settings.setting import SEEDS
from dpviz.ui.acts import draw_control
from dpviz.ui.state import Control, State, change, change_view, session_state
from dpviz.ui.texts import unmarked
from dpviz.wording.glossary import field_help
from dpviz.wording.numbers import capitalised

# What no name, unit or search is longer than; a browser could send any length.
_MOST_CHARACTERS = 1000


def choice(
    field: str,
    *,
    value: str,
    options: Mapping[str, str],
    apply: Callable[[Scenario, str], Scenario],
) -> None:
    """Draw a choice for a field of the scenario, changed by ``apply``, which may refuse it."""
    setting_menu(
        field,
        value=value,
        options=list(options),
        name=lambda one: capitalised(options[one]),
        chosen=lambda new: change(lambda before: apply(before, new)),
    )


def setting_menu(
    field: str,
    *,
    value: Any,
    chosen: Callable[[Any], None],
    options: Sequence[Any] = (),
    name: Callable[[Any], str] | None = None,
    label: str = "",
    key: str = "",
    **look: Any,
) -> None:
    """Draw the options of a setting: as it declares them, or as given; ``look`` as in ``menu``."""
    setting = SETTINGS[field]
    menu(
        label or setting.title,
        value=value,
        options=options or tuple(setting.choices),
        name=name or setting.choices.__getitem__,
        chosen=chosen,
        key=key or field,
        explains=field_help(field),
        **look,
    )


def view_choice(
    field: str,
    *,
    value: Callable[[State], Any] | None = None,
    of: Callable[[], Any] = lambda: None,
    in_sight: bool = True,
    **look: Any,
) -> Control:
    """Return what draws a choice for a field of the view; see :func:`setting_menu`.

    ``value`` returns the current one, where it is not what the view has; ``of`` returns what the
    options are of: a choice among those of something else, which has been left meanwhile, is none.
    """

    def draw(state: State) -> None:
        drawn_of = of()
        now = getattr(state.view, field) if value is None else value(state)

        def chosen(new: Any) -> None:
            if of() == drawn_of:
                change_view(lambda: {field: new})

        setting_menu(field, value=now, chosen=chosen, in_sight=in_sight, **look)

    return draw


def view_menu(field: str, *, name: Callable[[str], str] | None = None) -> Control:
    """Return what draws a menu for a field of the view; see :func:`view_choice`."""
    name = name or (lambda one: capitalised(SETTINGS[field].choices[one]))
    return view_choice(field, name=name, in_sight=False)


def draw_anew(field: str, key: str, explains: str) -> Control:
    """Return what draws the button that takes the next seed of a field of the view."""

    def draw(state: State) -> None:
        act_button(
            f"Draw anew (seed {getattr(state.view, field):,})",
            lambda: change_view(lambda: {field: next_seed(getattr(state.view, field))}),
            key=key,
            icon=":material/casino:",
            explains=explains,
        )

    return draw


def menu(
    label: str,
    *,
    value: Any,
    options: Sequence[Any],
    name: Callable[[Any], str],
    chosen: Callable[[Any], None],
    key: str,
    explains: str = "",
    placeholder: str = "",
    disabled: bool = False,
    in_sight: bool = False,
    shows_label: bool = True,
    is_list: bool = False,
) -> None:
    """Draw a menu of options, told apart by their text, or options that are all ``in_sight``.

    Of these the label is for screen readers only unless ``shows_label``; with ``is_list`` each has
    a line of its own, as sentences do.
    """
    by_token = {str(option): option for option in options}

    def store(token: object) -> None:
        if isinstance(token, str) and token in by_token:
            chosen(by_token[token])

    look = {"hidesLabel": not shows_label, "listed": is_list}
    draw_control(
        key,
        "segments" if in_sight else "select",
        label,
        store,
        explains=explains,
        disabled=disabled,
        options=_named(options, name),
        value=None if value is None else str(value),
        **(look if in_sight else {"placeholder": placeholder}),
    )


def several(
    label: str,
    *,
    values: Sequence[Any],
    options: Sequence[Any],
    name: Callable[[Any], str],
    chosen: Callable[[list[Any]], None],
    key: str,
    explains: str = "",
) -> None:
    """Draw options of which any can be chosen; ``chosen`` takes others, in the options' order."""

    def store(tokens: object) -> None:
        if isinstance(tokens, list):
            chosen([option for option in options if str(option) in tokens])

    draw_control(
        key,
        "segments",
        label,
        store,
        explains=explains,
        options=_named(options, name),
        value=[str(value) for value in values],
        multiple=True,
    )


def toggle(
    label: str,
    *,
    value: bool,
    switched: Callable[[bool], None],
    key: str,
    explains: str = "",
    disabled: bool = False,
) -> None:
    """Draw a box to tick; see :func:`menu`."""

    def store(new: object) -> None:
        if isinstance(new, bool):
            switched(new)

    draw_control(key, "toggle", label, store, explains=explains, disabled=disabled, value=value)


def _named(options: Sequence[Any], name: Callable[[Any], str]) -> list[list[str]]:
    return [[str(option), unmarked(name(option))] for option in options]


def text_box(
    label: str,
    *,
    shows: str,
    key: str,
    typed: Callable[[str], None],
    explains: str = "",
    placeholder: str = "",
    disabled: bool = False,
    shows_label: bool = True,
    kind: str = "text",
    limits: tuple[str, str] | None = None,
    warning: str = "",
) -> None:
    """Draw a box; ``typed`` takes what was typed, without spaces around it, or refuses it.

    ``kind`` is one of HTML's: ``text`` or ``date``, of which ``limits`` are the first and the last.
    """

    def store(text: object) -> None:
        if not isinstance(text, str):
            return
        if len(text) <= _MOST_CHARACTERS:
            typed(text.strip())
        else:
            allowed = f"it must be at most {_MOST_CHARACTERS:,} characters; the one before was kept"
            session_state().problems.append(str(ScenarioError(label, text, allowed)))

    draw_control(
        key,
        "text",
        label,
        store,
        explains=explains,
        disabled=disabled,
        type=kind,
        value=shows,
        placeholder=placeholder,
        warning=warning,
        hidesLabel=not shows_label,
        **({} if limits is None else dict(zip(("min", "max"), limits, strict=True))),
    )


def act_button(
    label: str,
    act: Callable[[], None],
    *,
    key: str,
    means: str = "",
    icon: str = "",
    explains: str = "",
    disabled: bool = False,
    primary: bool = False,
    quiet: bool = False,
    shortcut: str = "",
) -> None:
    """Draw a button, which acts before the next run of the page.

    ``means`` is what pressing it does, where that changes with the answer beside it: a button that
    was pressed while it still meant something else does nothing. A ``shortcut`` is a letter that
    presses it; a ``quiet`` one has no edge.
    """
    draw_control(
        key,
        "button",
        label,
        lambda meant: act() if meant == means else None,
        explains=explains,
        disabled=disabled,
        width="content",
        means=means,
        icon=icon,
        primary=primary,
        quiet=quiet,
        shortcut=shortcut,
    )


def next_seed(seed: int) -> int:
    """Return the seed of the next draws.

    >>> next_seed(1), next_seed(SEEDS[1])
    (2, 0)
    """
    return seed + 1 if seed < SEEDS[1] else 0


def adopt_button(
    label: str,
    scenario: Scenario,
    *,
    key: str,
    explains: str,
    icon: str = ":material/input:",
    replaces: bool = False,
    view: Mapping[str, float] | None = None,
) -> None:
    """Draw a button that makes ``scenario`` the current settings; see :func:`change`."""
    now, chosen = session_state(), view or {}
    is_view = all(getattr(now.view, name) == value for name, value in chosen.items())
    act_button(
        label,
        lambda: change(lambda _: scenario, replaces=replaces, view=view),
        key=key,
        means=" ".join([to_json(scenario), *(f"{name}={chosen[name]!r}" for name in chosen)]),
        icon=icon,
        disabled=scenario == now.scenario and is_view,
        explains=explains,
    )


def neighbour_buttons(noun: str, ways: Sequence[Mapping[str, Any]], now: int) -> None:
    """Draw the buttons that lead to the one before and after, by what the view has at each."""
    for which, icon, way in (
        ("previous", ":material/chevron_left:", ways[:now][-1:]),
        ("next", ":material/chevron_right:", ways[now + 1 :][:1]),
    ):
        act_button(
            f"{which.capitalize()} {noun}",
            partial(change_view, partial(dict, *way)),
            key=f"{which}_{noun}",
            icon=icon,
            disabled=not way,
        )
