"""What is released, hidden or protected, series by series, as tables."""

from collections.abc import Mapping, Sequence
from math import isinf

import numpy as np
import pandas as pd

from dpviz.accounting.buckets import FloatArray
from dpviz.export.table import Table, cells_of
from dpviz.private_inference.example import Example
from dpviz.private_inference.noise import NoiseAtRate
from dpviz.private_inference.plan import HidingPlan
from dpviz.protected_forecasts import FEATURES
from dpviz.protected_forecasts.study import ProtectedSeries
from dpviz.protected_forecasts.study_tables import guarantee_note
from dpviz.release.mechanisms import Row
from dpviz.scenario.number_text import shown_number
from dpviz.training.quantiles import LEVELS
from dpviz.wording.numbers import counted, number_rounded_up
from dpviz.wording.release import epsilon_text, kind_of, short_name, theorem_of, unit_of

_QUANTILES = [f"q{round(100 * level)}" for level in LEVELS]
_HIDDEN = [
    *("part", "number", "as_it_is", "seen", "kept"),
    *_QUANTILES,
    *(f"{name}_from_context_as_it_is" for name in _QUANTILES),
]
_SIDES = ("original", "protected")
_PROTECTED = [
    *("series", "forecaster"),
    *(f"forecast_of_{side}" for side in _SIDES),
    *(f"absolute_error_of_{side}" for side in _SIDES),
    *(f"{name}_of_{side}" for side in _SIDES for name in FEATURES),
]


def release_table(
    rows: list[Row], chosen: Row, columns: dict[str, FloatArray], *, series: str, seed: int
) -> Table:
    """Return the release by the chosen mechanism, with what is known of every one.

    ``columns`` have shape (length,), in counts.
    """
    calibration = chosen.calibration
    settings = calibration.settings
    length = len(next(iter(columns.values())))
    return Table(
        title=f"one release of {series}, seed {seed}",
        about=[
            "NOT FOR PUBLICATION: the table has the original counts, and who knows the seed can "
            "take the noise off; python -m dpviz release writes a file that may be published",
            f"{short_name(calibration)}: epsilon {settings.epsilon!r} at delta {settings.delta!r} "
            f"for {unit_of(calibration)}; {kind_of(calibration)}; {theorem_of(calibration)}",
            f"p = {shown_number(settings.rate)} (a step is kept), filter of width "
            f"{shown_number(settings.filter_width)} steps",
            "noise: standard deviation in counts of what is drawn for a step (Fourier: before all "
            "but the lowest frequencies are removed; kept steps: for these alone); error: mean "
            "absolute error in counts over repetitions, with half of its 95 % interval",
            *map(_mechanism_line, rows),
        ],
        cells=pd.DataFrame({"step": np.arange(1, length + 1), **columns}),
        float_format="%.6f",
    )


def _mechanism_line(row: Row) -> str:
    one, error = row.calibration, row.error
    tried = "error to come"
    if error is not None:
        half = number_rounded_up(error.half_width, 2)
        tried = f"error {error.mean:.6g} +- {half:g} ({error.repetitions})"
    more = epsilon_text(row.more_epsilon, 6)
    epsilon = "no finite epsilon" if more == "none" else f"epsilon at most {more}"
    return (
        f"{short_name(one)}: noise {one.noise!r}; {tried}; {kind_of(one)}; {theorem_of(one)}; "
        f"{epsilon} for who is in {counted(row.more_steps, 'step')}"
    )


def hidden_context_table(
    plan: HidingPlan,
    noise: float,
    epsilon: float,
    example: Example,
    at_rates: Sequence[NoiseAtRate],
    *,
    model: str,
    seed: int,
) -> Table:
    """Return a row for each value of the context and of the forecast, of a made-up series."""
    context = [
        ["context", example.first + at, value, float(example.seen[at]), int(example.kept[at])]
        for at, value in enumerate(example.context.tolist())
    ]
    forecasts = [one for one in (example.hidden, example.clear) if one is not None]
    ahead = [
        ["forecast", example.first + len(context) + at, value, None, None]
        + [number for forecast in forecasts for number in forecast[at].tolist()]
        for at, value in enumerate(example.truth.tolist())
    ]
    rows = [dict(zip(_HIDDEN, row, strict=False)) for row in (*context, *ahead)]
    known = f"epsilon: {epsilon!r}, upper bound"
    if isinf(epsilon):
        known = "no finite epsilon is proven"
    apart = f", {counted(plan.stride, 'time step')} apart" if plan.forecasts > 1 else ""
    trained = "trained on other made-up series without privacy"
    if model == "naive":
        trained = "of which nothing is trained"
    noises = [
        [one.rate, *(one.by(name) for name in ("exact", "failure", "paper"))] for one in at_rates
    ]
    return Table(
        title="a forecast that reads a hidden context (made-up series)",
        about=[
            f"{known} at delta {plan.delta!r}, exact accounting (tight), "
            f"of {counted(plan.forecasts, 'released forecast')}{apart}",
            f"protected: {plan.level} level, {counted(plan.width, 'value')} of one series "
            f"changed by at most {plan.max_change!r}; read at most "
            f"{counted(plan.readings, 'time')} in all",
            f"rate: {plan.rate!r}; noise: {noise!r} (standard deviation on each kept value)",
            f"model: {model}, {trained}",
            f"seed {seed}: a simulation, not private; who knows the seed can take the noise off",
            "noise by rate: rate, exact, Theorem 2 with tight Gaussian noise, Theorem 2 as printed",
            *(
                "noise by rate: " + ", ".join("" if noise is None else repr(noise) for noise in one)
                for one in noises
            ),
        ],
        cells=cells_of(rows, _HIDDEN),
    )


def protected_forecasts_table(
    shown: ProtectedSeries,
    protection: str,
    seed: int,
    forecasts: Mapping[str, tuple[FloatArray, FloatArray]],
) -> Table:
    """Return errors and forecasts by the number of a series, and none of the series' values."""
    rows = []
    for name, (before, after) in forecasts.items():
        for at in range(len(shown.names)):
            pair = np.array([before[at], after[at]])
            errors = np.abs(pair - shown.next_values[at])
            features = (shown.features[side][at] for side in (0, 1))
            numbers = np.concatenate([pair, errors, *features])
            rows.append([at + 1, name, *np.where(np.isfinite(numbers), numbers, np.nan).tolist()])
    return Table(
        title="forecasts of the value after each series",
        about=[
            f"data: {shown.source}",
            f"protection: {protection}, seed {seed}",
            f"note: {guarantee_note([protection])}",
        ],
        cells=cells_of(rows, _PROTECTED),
    )
