"""Epsilon against something varied as CSV, with a header that says what every column means."""

import io
from collections.abc import Sequence

import pandas as pd

import dpviz
from dpviz.export.json_in_csv import json_in_csv
from dpviz.planning.proven import SweepPoint
from dpviz.wording.scope import conditions, protected_unit, relation_name
from dpviz.wording.theorems import bound_meaning

_COLUMNS = """run: which line
{x}: {meaning}
epsilon_upper: epsilon is proven to be at most this, in nats, at the delta above; empty where no \
finite epsilon is certified
epsilon_upper_bracket_low: the exact value of that bound lies between this and epsilon_upper
upper_meaning: direction, theorem, unit and count of that bound
epsilon_lower: some gradients attain at least this epsilon; empty where no lower bound is proven
epsilon_lower_bracket_high: the exact value of that bound lies between epsilon_lower and this
lower_meaning: direction, theorem, unit and count of that bound
individual: whom both bounds are about
scenario: the whole training set-up, to be read by dpviz"""


def sweep_csv(
    runs: Sequence[tuple[str, Sequence[SweepPoint]]], *, x_name: str, x_meaning: str
) -> str:
    """Return the lines as CSV text; lines that begin with # describe it.

    Numbers have all their digits; ``pandas.read_csv(path, comment="#")`` reads the table.

    Args:
        runs: for each line its label and points, at least one point in all, of equal delta.
        x_name: the column of what is varied.
        x_meaning: what it is, and in which unit.
    """
    points = [point for _, line in runs for point in line]
    needed = conditions([point.proven.upper.bound for point in points])
    lines = [
        f"dpviz {dpviz.__version__}: epsilon at delta = {points[0].scenario.delta!r} against "
        f"{x_name}",
        *([f"conditions: {needed}"] if needed else []),
        *_COLUMNS.format(x=x_name, meaning=x_meaning).splitlines(),
    ]
    names = [line.partition(":")[0] for line in lines[-len(_COLUMNS.splitlines()) :]]
    rows = [_row(label, point) for label, line in runs for point in line]
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    table = pd.DataFrame(rows, columns=names)
    table.to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()


def _row(label: str, point: SweepPoint) -> list[object]:
    proven, relation = point.proven, point.scenario.relation
    individual = f"{protected_unit(relation, point.scenario.units)}; {relation_name(relation)}"
    lower = proven.lower
    return [
        label,
        point.x,
        proven.upper.bracket.high,
        proven.upper.bracket.low,
        bound_meaning(proven.upper.bound),
        None if lower is None else lower.bracket.low,
        None if lower is None else lower.bracket.high,
        None if lower is None else bound_meaning(lower.bound),
        individual,
        json_in_csv(point.scenario),
    ]
