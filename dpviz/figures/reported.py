"""The chart of the forecast errors that a table of the paper reports."""

from math import isfinite
from typing import Any

from dpviz.figures import parts
from dpviz.figures.parts import STYLES, Part, Spec
from dpviz.reported.table import ReportedLine, ReportedTable
from dpviz.wording.numbers import power_of_ten
from dpviz.wording.paper_tables import SPREAD, column_name, kept_values, line_name

# Columns are one apart; models stand side by side, so that their spreads can be told apart.
_GROUP_WIDTH = 0.36
# A baseline beyond this multiple of the largest error would press all others together.
_FAR = 1.6
# What is told above the lines in place of such a baseline needs room there.
_ROOM = 0.12
_RATE_DASHES = {1.0: "solid", 0.75: "dash", 0.5: "dot"}


def reported_chart(table: ReportedTable, chosen: int) -> Spec:
    """Return the chart: errors with their spreads by column, and the baselines as lines."""
    is_log = table.mechanism == "forecasting"
    largest = max(cell.number for line in table.trained for cell in line.cells)
    far = [line for line in table.baselines if line.cells[0].number > _FAR * largest and not is_log]
    models = list(dict.fromkeys(line.model for line in table.lines))
    baselines = [line for line in table.baselines if line not in far]
    count = len(table.trained)
    traces = [
        _trained(line, table, models.index(line.model), _GROUP_WIDTH * (at / (count - 1) - 0.5))
        for at, line in enumerate(table.trained)
    ] + [_baseline(table, line, models.index(line.model)) for line in baselines]
    room: Part = {}
    notes: list[Part] = []
    if far:
        cells = [cell for line in (*table.trained, *baselines) for cell in line.cells]
        low = min(cell.number - (cell.deviation or 0.0) for cell in cells)
        high = max(cell.number + (cell.deviation or 0.0) for cell in cells)
        room = {"range": [low - 0.5 * _ROOM * (high - low), high + _ROOM * (high - low)]}
        told = ", ".join(f"{line.model} (baseline): {line.cells[0].mean}" for line in far)
        words, corner = f"↑ {told}, above the chart", ("right", "top")
        notes = [parts.note(words, 1.0, 1.0, corner, xref="paper", yref="paper")]
    return parts.figure(
        [*traces, *_rates_key(table)],
        f"Reported by the paper: Table {table.number}, {table.data_name}",
        f"table-{table.number}",
        parts.axis(
            _x_title(table),
            **parts.ticks(f"{at:g}" if isfinite(at) else "∞" for at in table.columns),
            range=[-0.5, len(table.columns) - 0.5],
            zeroline=False,
        ),
        parts.axis(
            "CRPS (smaller is better)",
            zeroline=False,
            **(_log_axis(table) if is_log else {}),
            **room,
        ),
        annotations=notes,
        shapes=[parts.stretch(chosen - 0.5, chosen + 0.5) | {"xref": "x"}],
    )


def _trained(line: ReportedLine, table: ReportedTable, style: int, offset: float) -> Part:
    look = STYLES[style]
    dash = look.dash if line.rate is None else _RATE_DASHES[line.rate]
    points: list[tuple[Any, ...]] = []
    for place, cell in enumerate(line.cells):
        if not isfinite(cell.at):  # training without privacy is no point of the same line
            points.append((None, None, None, ""))
        points.append((place + offset, cell.number, cell.deviation, _hover(table, line, place)))
    xs, ys, spreads, texts = map(list, zip(*points, strict=True))
    # Which line keeps how many values is told by dashes, for all models at once.
    listed = {"legendgroup": line.model, "showlegend": line.rate in (None, 1.0)}
    uid = f"reported-{line.model}-{_without_dot(line.rate)}"
    drawn = parts.line(uid, line.model, xs, ys, look, 1.5, texts, dots=9, dash=dash)
    return drawn | listed | {"error_y": parts.error_bars(look, spreads)}


def _baseline(table: ReportedTable, line: ReportedLine, style: int) -> Part:
    """Return a line through the whole chart, or by column where noise makes it differ."""
    look = STYLES[style]
    places = [*map(float, range(len(line.cells)))]
    numbers = [cell.number for cell in line.cells]
    texts = [_hover(table, line, place) for place in range(len(line.cells))]
    is_level = len(set(numbers)) == 1
    if is_level:
        places = [-0.5, *places, places[-1] + 0.5]
        numbers = [numbers[0], *numbers, numbers[-1]]
        texts = [texts[0], *texts, texts[-1]]
    name = f"{line.model} (baseline{'' if is_level else ', noise alike'})"
    drawn = parts.line(f"reported-{line.model}", name, places, numbers, look, 2.5, texts, dots=8)
    if is_level:
        return drawn | {"mode": "lines"}
    short = {"meta": {"short": f"{line.model} (baseline)"}}
    return (
        drawn | short | {"error_y": parts.error_bars(look, [cell.deviation for cell in line.cells])}
    )


def _without_dot(rate: float | None) -> str:
    """Return a rate as a part of a name: Plotly takes a dot for the start of a class."""
    return str(rate).replace(".", "_")


def _rates_key(table: ReportedTable) -> list[Part]:
    rates = sorted({line.rate for line in table.trained if line.rate is not None}, reverse=True)
    return [
        parts.key(
            f"reported-rate-{_without_dot(rate)}",
            kept_values(rate),
            {"color": "var(--target)", "width": 1.5, "dash": _RATE_DASHES[rate]},
        )
        for rate in rates
    ]


def _log_axis(table: ReportedTable) -> Part:
    """Return a logarithmic axis whose ticks are whole numbers: Plotly cuts them to digits."""
    numbers = [cell.number for line in table.lines for cell in line.cells]
    ticks = [digit * 10.0**decade for decade in range(-3, 4) for digit in (1, 2, 5)]
    shown = [tick for tick in ticks if min(numbers) / 2.0 < tick < 2.0 * max(numbers)]
    words = [f"{tick:g}" for tick in shown]
    return {"type": "log", "tickmode": "array", "tickvals": shown, "ticktext": words}


def _hover(table: ReportedTable, line: ReportedLine, place: int) -> str:
    cell = line.cells[place]
    spread = ""
    if cell.repeats_mean:
        spread = "; ± is printed equal to the mean and not drawn"
    elif cell.deviation is not None:
        spread = f"; ±: {SPREAD}"
    where = "" if line.is_baseline and table.mechanism == "training" else (
        f" at {column_name(table, cell.at)}" if isfinite(cell.at) else ", not private"
    )  # fmt: skip
    return (
        f"{line_name(line)}{where}: CRPS {cell.printed}<br>"
        f"reported by the paper (Table {table.number}){spread}"
    )


def _x_title(table: ReportedTable) -> str:
    if table.varied == "relation_width":
        return f"protected values w, at ε = {table.epsilon:g}"
    if table.varied == "forecast_noise":
        return f"noise on labels σ_F, in v = {table.max_change:g}"
    return f"budget ε at δ = {power_of_ten(table.delta)}"
