"""A box to type into."""

from collections.abc import Callable

from dpviz.ui.acts import draw_control
from dpviz.ui.markup import paragraphs, spans, unmarked

# What no name, unit or search is longer than; a browser could send any length.
_MOST_CHARACTERS = 1000


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
    """Draw a box; ``typed`` is called with what was typed, without spaces around it.

    Args:
        label: what is typed, one line of Markdown.
        shows: the text that stands in it.
        key: its identity in the page.
        typed: takes the text, or refuses it with a message.
        explains: what the question mark tells, as Markdown.
        placeholder: stands in it while it is empty.
        disabled: whether nothing can be typed.
        shows_label: whether the label is for more than screen readers.
        kind: of HTML's: ``text`` or ``date``.
        limits: the first and the last date.
        warning: what has to be known of what stands there, as a sentence.
    """

    def store(text: object) -> None:
        if not disabled and isinstance(text, str) and len(text) <= _MOST_CHARACTERS:
            typed(text.strip())

    spec = {
        "kind": "text",
        "type": kind,
        "label": spans(label),
        "plainLabel": unmarked(label),
        "value": shows,
        "help": paragraphs(explains),
        "placeholder": placeholder,
        "disabled": disabled,
        "warning": warning,
        "hidesLabel": not shows_label,
    }
    if limits is not None:
        spec["min"], spec["max"] = limits
    draw_control(key, spec, store)
