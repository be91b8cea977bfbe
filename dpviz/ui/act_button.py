"""A button that changes something of the visitor's."""

from collections.abc import Callable

from dpviz.ui.acts import draw_control
from dpviz.ui.markup import paragraphs, spans, unmarked


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
    stretches: bool = False,
) -> None:
    """Draw a button.

    Args:
        label: what it says, one line of Markdown.
        act: called before the next run of the page when it was pressed.
        key: its identity in the page.
        means: what pressing it does, where that changes with the answer beside it: a button that
            was pressed while it still meant something else does nothing.
        icon: name of a Material symbol.
        explains: what pointing at it tells, as Markdown.
        disabled: whether it cannot be pressed.
        primary: whether it is what most visitors press.
        quiet: whether it has no edge.
        shortcut: a letter that presses it.
        stretches: whether it takes all the room there is.
    """

    def pressed(meant: object) -> None:
        if meant == means and not disabled:
            act()

    spec = {
        "kind": "button",
        "label": spans(label),
        "plainLabel": unmarked(label),
        "means": means,
        "icon": icon,
        "help": paragraphs(explains),
        "disabled": disabled,
        "primary": primary,
        "quiet": quiet,
        "shortcut": shortcut,
    }
    draw_control(key, spec, pressed, width="stretch" if stretches else "content")
