"""Where the page about the theorems explains which bound."""

from dpviz.wording.scope import OWN, named_theorem

# By scheme, the schemes of the main results first. What dpviz adds to a theorem is no theorem: its
# section comes under its own name, and numbers that rest on it say so beside the theorem's.
SECTIONS = {
    "Series drawn at random": ("4.4", "dpviz 2", "F.7", "dpviz 5", "F.8"),
    "Each series by a coin of its own": ("dpviz 3",),
    "Series walked through in order": ("4.2", "dpviz 1", "4.3", "E.8"),
    "Noise on context and labels": ("G.1", "extension placement", "dpviz 6"),
    "Series shuffled": ("extension shuffled",),
    "One bag of all windows": ("dpviz 4", "C.1", "C.2"),
    "Bounds of the paper that are never smaller": ("E.1", "F.1", "F.2"),
}
# What takes the place of theorems that still have a section.
IN_THEIR_PLACE = {"E.1": "dpviz 1", "F.1": "dpviz 2"}
_PAGE = "theorems"
_EXTENSION = "extension "


def section_anchor(section: str) -> str:
    """Return the anchor of a section, which is also the name of its text.

    >>> section_anchor("4.4"), section_anchor("dpviz 3"), section_anchor("extension shuffled")
    ('theorem-4-4', 'proposition-3', 'extension-shuffled')
    """
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


def theorem_link(theorem: str) -> str:
    """Return a bound's source by its name, linked to its explanation, as Markdown.

    Args:
        theorem: as in :class:`dpviz.guarantees.Bound`.

    Raises:
        KeyError: no section explains this theorem; names those that are explained.

    >>> theorem_link("4.4")
    '[Theorem 4.4](theorems#theorem-4-4)'
    >>> theorem_link("dpviz 2")
    "[dpviz's Proposition 2](theorems#proposition-2)"
    """
    if theorem not in THEOREM_ANCHORS:
        explained = ", ".join(THEOREM_ANCHORS)
        raise KeyError(f"theorem = {theorem!r} is not explained: it must be one of {explained}")
    return f"[{named_theorem(theorem)}]({_PAGE}#{THEOREM_ANCHORS[theorem]})"
