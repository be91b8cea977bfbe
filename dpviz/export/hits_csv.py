"""The laws of sensitive windows in one batch as CSV, with a header that explains the columns."""

import io
from collections.abc import Sequence

import pandas as pd

import dpviz
from dpviz.planning.hit_laws import HitCounts, HitLaw


def hits_csv(laws: Sequence[HitLaw]) -> str:
    """Return the probabilities as CSV text; lines that begin with # describe it.

    Args:
        laws: one for each number of windows per series.

    >>> from dpviz.planning.hit_laws import hit_law
    >>> from dpviz.scenario import PRESETS
    >>> print(hits_csv([hit_law(PRESETS["toy"].scenario)]).splitlines()[-2])
    1,0,0.99
    """
    named = [(law.windows, law) for law in laws]
    return _csv(named, "windows_per_series", "lambda")


def hit_counts_csv(named: Sequence[tuple[str, HitCounts]]) -> str:
    """Return the same for laws with names instead of windows per series.

    >>> from dpviz.planning.hit_laws import bag_hits
    >>> from dpviz.scenario import PRESETS
    >>> hit_counts_csv([("one bag", bag_hits(PRESETS["toy"].scenario))]).splitlines()[5][:15]
    'one bag,0,0.990'
    """
    return _csv(named, "sampling", "how a batch is drawn")


def _csv(named: Sequence[tuple[int | str, HitCounts]], column: str, meaning: str) -> str:
    in_its_step = named[0][1].in_its_step
    place = "the step of a pass that uses the series" if in_its_step else "one batch"
    lines = [
        f"dpviz {dpviz.__version__}: drawn windows that contain what is protected, in {place}",
        f"{column}: {meaning}",
        "hits: number of such windows",
        "probability: of so many; numbers of hits that are too rare are not listed",
    ]
    rows = [
        {column: name, "hits": hits, "probability": weight}
        for name, law in named
        for hits, weight in enumerate(law.weights.tolist())
        if weight > 0.0
    ]
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    pd.DataFrame(rows).to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()
