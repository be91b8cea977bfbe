"""The charts of a sweep's results: columns side by side, or one against another."""

from html import escape

import numpy as np
from numpy.typing import NDArray

from dpviz.figures import parts
from dpviz.figures.maps import MAP_PALETTE, ink_note
from dpviz.figures.parts import STYLES, Part, Spec, json_numbers
from dpviz.settings.sweep import SWEEP_AXES
from dpviz.sweeps.results import SweepResults, varying
from dpviz.wording.numbers import counted, in_full, power_of_ten, rounded_down, rounded_up
from dpviz.wording.sweep_results import epsilons_range, short_axis_name, short_word

# More lines than these are one dark mass.
MOST_LINES = 300
MOST_PARALLEL = 7
MOST_POINTS = 3000
_GROUPS = 4
# Values of a column that are named one by one, and the height that each needs.
_MOST_NAMED, _ROOM = 12, 0.05
# Values that are further apart than this are drawn on a logarithmic axis.
_WIDE, _FEW_POWERS = 20.0, 1000.0
Places = NDArray[np.int64]
_LEGEND = parts.titled_legend("ε, upper bound")


def parallel_columns(results: SweepResults, shown: Places) -> list[str]:
    """Return the columns that have an axis of their own, the bound on epsilon last."""
    found = varying(results, shown)
    return [*found[:-1][: MOST_PARALLEL - 1], found[-1]]


def parallel_chart(results: SweepResults, shown: Places, chosen: int) -> Spec:
    """Return one line a scenario across all columns that vary.

    Lines, not Plotly's own parallel coordinates: these need a graphics card's language, cannot be
    printed and have no second cue besides colour. The ``chosen`` place stands out; -1 is none.
    """
    columns = parallel_columns(results, shown)
    drawn = _evenly_chosen(results, shown, MOST_LINES)
    heights = {name: _heights(results.numbers[name], shown) for name in columns}
    traces = [
        _lines(results, columns, heights, group, at) for at, group in enumerate(_groups(drawn))
    ]
    if chosen >= 0:
        traces.append(
            parts.scatter(
                "chosen",
                "lines+markers",
                list(range(len(columns))),
                json_numbers(np.array([heights[name][chosen] for name in columns])),
                name="the row below",
                line={"color": "var(--target)", "width": 5},
                marker={"color": "var(--target)", "size": 11, "symbol": "circle-open"},
                **parts.told([_told(results, columns, chosen)] * len(columns)),
            )
        )
    notes = [
        note
        for at, name in enumerate(columns)
        for note in _value_notes(results, at, name, shown, heights[name][shown])
    ]
    names = parts.ticks("<br>".join(short_axis_name(name)) for name in columns)
    # Each column has a scale of its own: this axis has none.
    bare = dict.fromkeys(("showticklabels", "showline", "showgrid", "zeroline"), False)
    return parts.figure(
        traces,
        _title("line", shown, drawn, len(varying(results, shown)) - len(columns)),
        f"parallel {columns}",
        {**names, "range": [-0.4, len(columns) - 0.6], "zeroline": False},
        {"range": [-0.2, 1.12], "ticks": "", **bare},  # on a phone, too, the numbers clear the axis
        legend=_LEGEND,
        palette=MAP_PALETTE,
        annotations=notes,
    )


def scatter_chart(results: SweepResults, shown: Places, x: str, y: str, chosen: int) -> Spec:
    """Return one point a scenario; arguments as for :func:`parallel_chart`."""
    known = with_values(results, shown, [x, y])
    drawn = _evenly_chosen(results, known, MOST_POINTS)
    traces = [_points(results, x, y, group, at) for at, group in enumerate(_groups(drawn))]
    if chosen >= 0 and chosen in known:
        ring = {"size": 16, "symbol": "circle-open", "color": "var(--target)", "line": {"width": 3}}
        point = _points(results, x, y, np.array([chosen]), 0)
        traces.append(point | {"uid": "chosen", "name": "the row below", "marker": ring})
    return parts.figure(
        traces,
        _title("point", known, drawn, rows_left=len(shown) - len(known)),
        f"scatter {x} {y}",
        _axis(results, drawn, x),
        _axis(results, drawn, y),
        legend=_LEGEND,
    )


def with_values(results: SweepResults, shown: Places, columns: list[str]) -> Places:
    """Return the places whose rows have a value in each of some columns."""
    lacking = [np.isnan(results.numbers[name][shown]) for name in columns]
    return np.asarray(shown[~np.any(lacking, axis=0)])


def _evenly_chosen(results: SweepResults, places: Places, most: int) -> Places:
    """Return at most so many places, evenly spread over the order of the bounds on epsilon."""
    ordered = places[np.argsort(results.numbers["epsilon_upper"][places], kind="stable")]
    if len(ordered) <= most:
        return ordered
    return np.asarray(ordered[np.linspace(0, len(ordered) - 1, most).astype(np.int64)])


def _title(
    mark: str, shown: Places, drawn: Places, columns_left: int = 0, rows_left: int = 0
) -> str:
    if len(shown) == 0:
        return "No scenario has both values" if rows_left else "No scenario is left"
    few = f": {len(drawn):,} of {len(shown):,} drawn" if len(drawn) < len(shown) else ""
    left = f"; {counted(columns_left, 'more column')} not drawn" if columns_left else ""
    lacking = f"; {rows_left:,} without one of both values" if rows_left else ""
    return f"Each {mark} is one scenario{few}{left}{lacking}"


def _groups(drawn: Places) -> list[Places]:
    return [group for group in np.array_split(drawn, _GROUPS) if len(group)]


def _group_name(results: SweepResults, group: Places) -> str:
    return epsilons_range(results.numbers["epsilon_upper"][group])


def _is_log(values: NDArray[np.float64]) -> bool:
    known = values[~np.isnan(values)]
    return len(known) > 0 and bool(known.min() > 0.0 and known.max() > _WIDE * known.min())


def _heights(values: NDArray[np.float64], shown: Places) -> NDArray[np.float64]:
    """Return where each value lies between the smallest and the largest that is shown, 0 to 1."""
    scaled = values
    if _is_log(values[shown]):
        with np.errstate(divide="ignore", invalid="ignore"):
            scaled = np.log(values)
    known = scaled[shown][~np.isnan(scaled[shown])]
    if len(known) == 0 or known.max() == known.min():
        return np.where(np.isnan(scaled), np.nan, 0.5)
    return np.asarray((scaled - known.min()) / (known.max() - known.min()))


def _value_notes(
    results: SweepResults, at: int, name: str, shown: Places, heights: NDArray[np.float64]
) -> list[Part]:
    """Return the ends of a column in numbers, and beside it each value between, if there is room.

    A column of many values, such as epsilon, has its ends alone.
    """
    values = results.numbers[name][shown]
    found, first = np.unique(values[~np.isnan(values)], return_index=True)
    if len(found) == 0:
        return []
    places = heights[~np.isnan(values)][first]
    small: Part = {"font": {"size": 11}}
    if len(found) == 1:  # as beside rows that have none
        return [
            parts.note(_value(results, float(found[0]), name), at, 1.02, yanchor="bottom", **small)
        ]
    notes = [
        parts.note(_value(results, float(end), name), at, y, yanchor=anchor, **small)
        for end, y, anchor in ((found[0], -0.02, "top"), (found[-1], 1.02, "bottom"))
    ]
    if len(found) > _MOST_NAMED:
        return notes
    last = 0.0
    for value, place in zip(found[1:-1].tolist(), places[1:-1].tolist(), strict=True):
        if min(place - last, 1.0 - place) >= _ROOM:
            words = _value(results, value, name)
            on_paper = ink_note(words, at, place, ("left", "middle"))
            look = {"name": "value", "xshift": 7, "font": on_paper["font"] | small["font"]}
            notes.append(on_paper | look)
            last = place
    return notes


def _lines(
    results: SweepResults,
    columns: list[str],
    heights: dict[str, NDArray[np.float64]],
    group: Places,
    at: int,
) -> Part:
    style, repeats = STYLES[at], len(columns) + 1
    gap = np.full(len(group), np.nan)
    ys = np.stack([*(heights[name][group] for name in columns), gap], axis=1)
    texts = [_told(results, columns, int(place)) for place in group]
    return parts.scatter(
        f"group-{at}",
        "lines+markers",
        [*range(len(columns)), None] * len(group),
        json_numbers(ys.reshape(-1)),
        name=_group_name(results, group),
        connectgaps=False,
        line=parts.stroke(style, 1.5, color=parts.color(style.role, 0.7)),
        marker=parts.marker(style, 6),
        **parts.told(text for text in texts for _ in range(repeats)),
        customdata=[int(results.rows[place]) for place in group for _ in range(repeats)],
    )


def _points(results: SweepResults, x: str, y: str, group: Places, at: int) -> Part:
    return parts.points(
        f"group-{at}",
        _group_name(results, group),
        json_numbers(results.numbers[x][group]),
        json_numbers(results.numbers[y][group]),
        parts.marker(STYLES[at], 8),
        (_told(results, [x, y, "epsilon_upper"], int(place)) for place in group),
        customdata=[int(results.rows[place]) for place in group],
    )


def _told(results: SweepResults, columns: list[str], place: int) -> str:
    told = [f"row {int(results.rows[place]):,}"]
    for name in dict.fromkeys(columns):
        value = float(results.numbers[name][place])
        if not np.isnan(value):
            told.append(f"{SWEEP_AXES[name]}: {_value(results, value, name)}")
    return "<br>".join(told)


def _value(results: SweepResults, value: float, name: str) -> str:
    """Return a value of a column, or the word that it stands for."""
    if name not in results.names:
        return _short(value, name)
    return escape(short_word(name, results.names[name][int(value)]), quote=False)


def _short(value: float, name: str) -> str:
    if name == "epsilon_upper":
        return rounded_up(value)
    if name == "epsilon_lower":
        return rounded_down(value)
    return power_of_ten(value) if 0.0 < value < 1e-3 else in_full(value)


def _axis(results: SweepResults, drawn: Places, name: str) -> Part:
    if name in results.names:
        there = np.unique(results.numbers[name][drawn])
        there = there[~np.isnan(there)]
        if len(there) > _MOST_NAMED:  # hovering tells the others
            there = there[np.linspace(0, len(there) - 1, _MOST_NAMED).astype(np.int64)]
        words = [_value(results, at, name) for at in there.tolist()]
        named = {"tickmode": "array", "tickvals": there.tolist(), "ticktext": words}
        return parts.axis(SWEEP_AXES[name], zeroline=False, automargin=True, **named)
    values = results.numbers[name][drawn]
    if not _is_log(values):
        return parts.axis(SWEEP_AXES[name], zeroline=False)
    # Over few powers of ten 2 and 5 are named, too: all digits would lie on top of each other.
    has_few = np.nanmax(values) < _FEW_POWERS * np.nanmin(values)
    return parts.log_axis(SWEEP_AXES[name], zeroline=False, dtick="D2" if has_few else 1)
