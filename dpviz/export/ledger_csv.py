"""A budget ledger as CSV, with a header that says what every column means."""

import io

import pandas as pd

import dpviz
from dpviz.export.json_in_csv import json_in_csv
from dpviz.planning.ledger import Ledger
from dpviz.wording.ledger import ADAPTIVITY, lower_words
from dpviz.wording.scope import protected_in, relation_name

_COLUMNS = {
    "place": "of the run in the ledger, or all",
    "epsilon_upper": "proven to be at most this, in nats, at the delta above; empty where no "
    "finite one is certified",
    "epsilon_lower": "some gradients attain at least this; in the row of all runs only",
    "epsilon_upper_of_all_others": "upper bound on all runs but this one",
    "share_of_loss_variance": "part of the variance of the privacy loss, about",
    "theorem": "of the upper bound",
    "unit": "what that theorem is about",
    "count": "of units that are composed",
    "scenario": "the run's set-up, to be read by dpviz; its name is in the JSON of the ledger",
}


def ledger_csv(found: Ledger) -> str:
    """Return the total and each run as CSV text; lines that begin with # describe it.

    Names are left out: what somebody typed could be a formula to a spreadsheet.
    """
    scenario = found.rows[0].scenario
    individual = protected_in(scenario)
    lines = [
        f"dpviz {dpviz.__version__}: {len(found.rows)} training runs on the same data, at delta = "
        f"{found.delta!r}",
        f"protected: {individual}; {relation_name(scenario.relation)}",
        *(f"condition: {condition}" for condition in found.conditions),
        f"adaptivity: {ADAPTIVITY}",
        *(
            f"run {place}: {row.bound.extension}"
            for place, row in enumerate(found.rows, start=1)
            if row.bound.extension
        ),
        f"epsilon_lower: {lower_words(found)}",
        *(f"{name}: {meaning}" for name, meaning in _COLUMNS.items()),
    ]
    total = ["all", found.upper.high, None if found.lower is None else found.lower.low]
    rows: list[list[object]] = [[*total, *[None] * (len(_COLUMNS) - len(total))]]
    rows += [
        [
            place,
            row.alone.quoted,
            None,
            row.without,
            row.share,
            row.bound.theorem,
            row.bound.unit.value,
            row.bound.count,
            json_in_csv(row.scenario),
        ]
        for place, row in enumerate(found.rows, start=1)
    ]
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    table = pd.DataFrame(rows, columns=list(_COLUMNS)).astype({"count": "Int64"})
    table.to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()
