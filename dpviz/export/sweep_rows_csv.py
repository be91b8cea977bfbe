"""The shown rows of a sweep as CSV."""

import io

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import dpviz
from dpviz.sweeps.read_results import SweepResults


def sweep_rows_csv(results: SweepResults, shown: NDArray[np.int64]) -> str:
    """Return the numbers of some rows as CSV text; lines that begin with # describe it."""
    lines = [
        f"dpviz {dpviz.__version__}: {len(shown)} rows of a sweep, as its file has them",
        "epsilon_upper: proven to be at most this, in nats, at the row's delta",
        "epsilon_lower: some gradients attain at least this; empty where none is proven",
    ]
    columns = {"row": results.rows[shown]} | {
        name: values[shown] for name, values in results.numbers.items()
    }
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    pd.DataFrame(columns).to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()
