"""The laws of sensitive windows in one batch as CSV, with a header that explains the columns."""

import io
from collections.abc import Sequence

import pandas as pd

import dpviz
from dpviz.planning.subsequences import HitLaw


def hits_csv(laws: Sequence[HitLaw]) -> str:
    """Return the probabilities as CSV text; lines that begin with # describe it.

    Args:
        laws: one for each number of windows per series.

    >>> from dpviz.planning.subsequences import hit_law
    >>> from dpviz.scenario import PRESETS
    >>> print(hits_csv([hit_law(PRESETS["toy"].scenario)]).splitlines()[-2])
    1,0,0.99
    """
    place = "the step of a pass that uses the series" if laws[0].in_its_step else "one batch"
    lines = [
        f"dpviz {dpviz.__version__}: drawn windows that contain what is protected, in {place}",
        "windows_per_series: lambda",
        "hits: number of such windows",
        "probability: of so many; numbers of hits that are too rare are not listed",
    ]
    rows = [
        {"windows_per_series": law.windows, "hits": hits, "probability": weight}
        for law in laws
        for hits, weight in enumerate(law.weights.tolist())
    ]
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    pd.DataFrame(rows).to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()
