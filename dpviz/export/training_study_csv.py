"""The runs of the training study as CSV, with what made them."""

from collections.abc import Sequence

import dpviz
from dpviz.training_study.questions import CONFIDENCE, MARGIN
from dpviz.training_study.results import Results, Row, rows_csv

_NOTES = (
    "crps: mean weighted quantile loss of the last months, smaller is better, no unit; computed "
    "from held-out values, which no epsilon covers",
    "epsilon: the budget that the noise was fitted to, inf without privacy; epsilon_spent: proven "
    "upper bound after all steps, at delta, by the theorem of the main paper, for one value of one "
    "series (question width: value times)",
    "untrained_crps: of the same model before its first step",
)


def training_study_csv(results: Results, rows: Sequence[Row]) -> str:
    """Return rows as CSV text with all their digits.

    Lines that begin with # describe it; ``pandas.read_csv(path, comment="#")`` reads the table.

    Args:
        results: that they are of.
        rows: some of its rows.
    """
    about = results.about
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    head = (
        f"dpviz {dpviz.__version__}: runs of python -m dpviz training-study, plan {about['plan']}",
        f"made on {about['date']} by {versions}",
        f"margin: {MARGIN:g} of baseline_crps; confidence of a claim: {CONFIDENCE:g}",
        *_NOTES,
    )
    return "".join(f"# {line}\n" for line in head) + rows_csv(rows)
