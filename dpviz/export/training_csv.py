"""A training run's curve and forecasts as CSV."""

import csv
import io
from collections.abc import Iterable

from dpviz.training.progress import Forecasts, Progress

_CURVE = (
    "step", "steps_accounted", "epsilon_upper_bound", "delta", "validation_crps", "held_out_loss",
)  # fmt: skip


def curve_csv(curve: Iterable[Progress]) -> str:
    """Return a row for each evaluation. Epsilon is an upper bound after these steps.

    Cells are empty where there is no such number: no epsilon without privacy, no errors where no
    held-out windows are looked at.
    """
    rows: list[list[object]] = []
    for point in curve:
        spent = point.spent
        rows.append(
            [
                point.step,
                point.step if spent is None else spent.steps,
                point.epsilon_spent,
                None if spent is None else spent.delta,
                point.validation_crps,
                point.held_out_loss,
            ]
        )
    return _csv(_CURVE, rows)


def forecasts_csv(forecasts: Forecasts, names: tuple[str, ...]) -> str:
    """Return a row for each forecast value: series, time step, what came, and the quantiles.

    Args:
        forecasts: of the test windows.
        names: of all series.
    """
    windows = forecasts.windows
    header = (
        "series",
        "time_step",
        "truth",
        *(f"quantile_{level:g}" for level in forecasts.levels),
    )
    rows = [
        [_no_formula(names[series]), start + step, truth, *quantiles]
        for series, start, truths, of_window in zip(
            windows.series.tolist(),
            windows.starts.tolist(),
            windows.truth.tolist(),
            forecasts.quantiles.tolist(),
            strict=True,
        )
        for step, (truth, quantiles) in enumerate(zip(truths, of_window, strict=True))
    ]
    return _csv(header, rows)


def _no_formula(name: str) -> str:
    """Return a name as a cell that no spreadsheet computes."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name


def _csv(header: tuple[str, ...], rows: list[list[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
