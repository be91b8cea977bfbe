"""A figure as plain data, in the words of Plotly's JSON schema.

Building ``plotly.graph_objects`` costs ten times as much as all that a figure is made of, at every
new scenario, and needs a package that a server can do without: the browser draws, not Python. Who
wants to go on in Python calls ``plotly.graph_objects.Figure(spec)``.
"""

import json
from typing import Any

from dpviz.accounting.buckets import FloatArray

Spec = dict[str, Any]


def json_numbers(values: FloatArray) -> list[float | None]:
    """Return numbers as JSON can hold them: what is not one becomes a gap.

    >>> import numpy as np
    >>> json_numbers(np.array([0.5, np.nan]))
    [0.5, None]
    """
    return [number if number == number else None for number in values.tolist()]


def figure_json(spec: Spec) -> str:
    """Return a figure as JSON for the browser.

    Raises:
        ValueError: a number in it is not finite.
    """
    return json.dumps(spec, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
