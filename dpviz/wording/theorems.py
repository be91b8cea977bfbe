"""Where the page about the theorems explains which bound."""

from dpviz.wording.scope import named_theorem

# By scheme, the schemes of the main results first. What dpviz adds to a theorem is no theorem: its
# section comes under its own name, and numbers that rest on it say so beside the theorem's.
SECTIONS = {
    "Series drawn at random": ("4.4", "F.1", "F.7", "F.2", "F.8"),
    "Series walked through in order": ("4.2", "E.1", "4.3", "E.8"),
    "Several windows, without amplification by windows": ("Gaussian mechanism",),
    "Noise on context and labels": ("G.1", "extension placement"),
    "Other ways of choosing series": ("extension shuffled", "extension poisson series"),
    "One bag of all windows": ("C.1", "C.2"),
}
_PAGE = "theorems"
_EXTENSION = "extension "


def section_anchor(section: str) -> str:
    """Return the anchor of a section, which is also the name of its text.

    >>> section_anchor("4.4"), section_anchor("extension shuffled")
    ('theorem-4-4', 'extension-shuffled')
    """
    return named_theorem(section).lower().replace(" ", "-").replace(".", "-")


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
    >>> theorem_link("Gaussian mechanism")
    '[Gaussian mechanism](theorems#gaussian-mechanism)'
    """
    if theorem not in THEOREM_ANCHORS:
        explained = ", ".join(THEOREM_ANCHORS)
        raise KeyError(f"theorem = {theorem!r} is not explained: it must be one of {explained}")
    return f"[{named_theorem(theorem)}]({_PAGE}#{THEOREM_ANCHORS[theorem]})"
