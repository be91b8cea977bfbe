"""How to read the chart of one run."""

from dpviz.planning import ScenarioCurves
from dpviz.wording.texts import wording_text


def how_to_read(curves: ScenarioCurves) -> str:
    """Return what the lines of a run mean, as Markdown.

    >>> from dpviz.planning import curves_of
    >>> from dpviz.scenario import PRESETS
    >>> how_to_read(curves_of(PRESETS["toy"].scenario)).partition(". ")[0]
    'Thick line: upper bound on what training leaks'
    """
    return wording_text("reading_upper" if curves.lower is None else "reading_band").strip()
