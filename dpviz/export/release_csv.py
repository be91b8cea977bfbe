"""A released series as CSV, with a header that explains the columns."""

import io

import numpy as np
import pandas as pd

import dpviz
from dpviz.accounting.buckets import FloatArray
from dpviz.release.mechanisms import Row
from dpviz.wording.release import epsilon_text, kind_of, short_name, theorem_of, unit_of


def release_csv(
    rows: list[Row],
    chosen: Row,
    columns: dict[str, FloatArray],
    *,
    series: str,
    seed: int,
) -> str:
    """Return the page's numbers as CSV text; lines that begin with # describe them.

    Args:
        rows: every mechanism.
        chosen: the one whose release is in the table.
        columns: by their names, each of shape (length,), in counts.
        series: what was released.
        seed: of the noise.
    """
    calibration = chosen.weighed.calibration
    settings = calibration.settings
    lines = [
        f"dpviz {dpviz.__version__}: one release of {series}, seed {seed}",
        "NOT FOR PUBLICATION: the table has the original counts, and who knows the seed can take "
        "the noise off; python -m dpviz release writes a file that may be published",
        f"{short_name(calibration)}: epsilon {settings.epsilon!r} at delta {settings.delta!r} for "
        f"{unit_of(calibration)}; {kind_of(calibration)}; {theorem_of(calibration)}",
        f"p = {settings.rate:g} (a step is kept), filter of width {settings.filter_width:g} steps",
        "noise: standard deviation in counts on each released value; error: mean absolute error "
        "in counts over repetitions, with half of its 95 % interval",
    ]
    for row in rows:
        one, error = row.weighed.calibration, row.error
        tried = "error to come"
        if error is not None:
            tried = f"error {error.mean:.6g} +- {error.half_width:.2g} ({error.repetitions})"
        lines.append(
            f"{short_name(one)}: noise {one.noise!r}; {tried}; {kind_of(one)}; {theorem_of(one)}; "
            f"epsilon at most {epsilon_text(row.weighed.more_epsilon, 6)} for who is in "
            f"{row.weighed.more_steps} steps"
        )
    length = len(next(iter(columns.values())))
    table = pd.DataFrame({"step": np.arange(1, length + 1), **columns})
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    table.to_csv(text, index=False, lineterminator="\n", float_format="%.6f")
    return text.getvalue()
