"""What a bound rests on: its theorem, its side, what it is composed over, where it is explained."""

import re
from collections.abc import Iterable

from dpviz.guarantees import Bound, Kind, Unit
from dpviz.wording.numbers import counted, listed

# Bounds of dpviz's own have numbers of their own, and their proofs in this file of docs/.
OWN, PROOFS = "dpviz ", "tighter-bounds.md"
_SIDES = {
    Kind.UPPER: "upper bound",
    Kind.LOWER: "lower bound",
    Kind.TIGHT: "tight bound",
    Kind.UNPROVEN: "as in the paper, no proven bound",
}
# By scheme, the schemes of the main results first. What dpviz adds to a theorem is no theorem: its
# section comes under its own name, and numbers that rest on it say so beside the theorem's.
SECTIONS = {
    "Series drawn at random": (
        *("4.4", "dpviz 9", "dpviz 23"),
        *("dpviz 2", "dpviz 7", "F.7", "dpviz 5", "F.2", "F.8"),
    ),
    "Series by coins": ("dpviz 3",),
    "Series walked through in order": ("4.2", "dpviz 1", "4.3", "E.8"),
    "Noise on context and labels": ("G.1", "extension placement", "dpviz 6", "dpviz 22"),
    "Series shuffled": ("extension shuffled", "dpviz 8", "dpviz 25"),
    "Series in bins": ("dpviz 24",),
    "One bag of all windows": ("dpviz 4", "C.1", "C.2"),
    "A person in several series": ("dpviz 20", "dpviz 21"),
}
_PAGE = "theorems"
_IN_MESSAGES = re.compile(r"\btheorem (dpviz \d+|[\w.]*\d)")
_EXTENSION = "extension "


def named_theorem(theorem: str) -> str:
    """Return a bound's source by its name.

    >>> named_theorem("4.4"), named_theorem("C.1"), named_theorem("dpviz 2")
    ('Theorem 4.4', 'Proposition C.1', "dpviz's Proposition 2")
    """
    if theorem.startswith(OWN):
        return f"dpviz's Proposition {theorem.removeprefix(OWN)}"
    return f"{'Proposition' if theorem.startswith('C.') else 'Theorem'} {theorem}"


def with_names(message: str) -> str:
    """Return a message with theorems called by their names.

    >>> with_names("upper bound by theorem dpviz 2"), with_names("no theorem covers it")
    ("upper bound by dpviz's Proposition 2", 'no theorem covers it')
    """
    return _IN_MESSAGES.sub(lambda match: named_theorem(match[1]), message)


def short_name(section: str) -> str:
    """Return a section's name where it is clear that it is about bounds."""
    return "extension" if section.startswith(_EXTENSION) else section.replace(OWN, "Proposition ")


def section_anchor(section: str) -> str:
    """Return the anchor of a section, which is also the name of its text."""
    if section.startswith(OWN):
        return f"proposition-{section.removeprefix(OWN)}"
    name = section if section.startswith(_EXTENSION) else named_theorem(section)
    return name.lower().replace(" ", "-").replace(".", "-")


THEOREM_ANCHORS = {
    section: section_anchor(section)
    for sections in SECTIONS.values()
    for section in sections
    if not section.startswith(_EXTENSION)
}


def named_theorems(bounds: Iterable[Bound]) -> str:
    """Return the sources of several bounds as a list in words, each once."""
    return listed([*dict.fromkeys(named_theorem(bound.theorem) for bound in bounds)])


def theorem_link(theorem: str) -> str:
    """Return a bound's source by its name, linked to its explanation, as Markdown.

    Raises:
        KeyError: no section explains this theorem; names those that are explained.
    """
    if theorem not in THEOREM_ANCHORS:
        explained = ", ".join(THEOREM_ANCHORS)
        raise KeyError(f"theorem = {theorem!r} is not explained: it must be one of {explained}")
    return f"[{named_theorem(theorem)}]({_PAGE}#{THEOREM_ANCHORS[theorem]})"


def composed_units(bound: Bound) -> str:
    """Return what the theorem is applied to and how often, such as "1,000 steps"."""
    return counted(bound.count, "epoch" if bound.unit is Unit.EPOCH else "step")


def composed_source(bound: Bound) -> str:
    """Return theorem, unit and count of a bound whose side is said beside it."""
    return f"{named_theorem(bound.theorem)} composed over {composed_units(bound)}"


def brief_source(bound: Bound) -> str:
    """Return the same in fewer words, for narrow places."""
    return f"{named_theorem(bound.theorem)}, {composed_units(bound)}"


def bound_meaning(bound: Bound) -> str:
    """Return direction, theorem, unit and count of a bound."""
    return f"{_SIDES[bound.kind_after_composition]}, {composed_source(bound)}"


def qualified_meaning(bound: Bound) -> str:
    """Return the meaning with what has to hold, and that dpviz adds to the theorem."""
    return bound_meaning(bound) + qualifier(bound)


def whole_meaning(bound: Bound) -> str:
    """Return the meaning with all that dpviz adds to the theorem, and what has to hold."""
    parts = bound_meaning(bound), bound.extension, bound.condition and f"if {bound.condition}"
    return "; ".join(filter(None, parts))


def bound_label(bound: Bound) -> str:
    """Return the same as :func:`bound_meaning` in fewer words."""
    return f"{_SIDES[bound.kind_after_composition]}, {brief_source(bound)}"


def qualified_label(bound: Bound) -> str:
    """Return the label with what has to hold, and that dpviz adds to the theorem."""
    return bound_label(bound) + qualifier(bound)


def qualifier(bound: Bound) -> str:
    """Return what has to hold, and that dpviz adds to the theorem, as the end of a clause."""
    return condition_clause(bound) + extension_mark(bound)


def condition_clause(bound: Bound) -> str:
    """Return what has to hold for a bound as the end of a clause; empty where nothing has to."""
    return f", if {bound.condition}" if bound.condition else ""


def extension_mark(bound: Bound) -> str:
    """Return that dpviz adds to a bound's theorem, for where there is no room to say what."""
    # What is only not claimed adds nothing.
    return ", with dpviz's extension" if "dpviz's extension" in bound.extension else ""
