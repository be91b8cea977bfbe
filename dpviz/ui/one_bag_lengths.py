"""Epsilon of both bags and of series first against the window length."""

from collections.abc import Sequence
from dataclasses import replace

from dpviz.figures import figure_json
from dpviz.figures.palette import STYLES
from dpviz.figures.sweep import SweepRun, sweep_chart
from dpviz.planning.bag_changes import compared_lengths, promise_run, with_window_length
from dpviz.planning.proven import ProvenEpsilon, SweepPoint
from dpviz.scenario import Scenario
from dpviz.ui import frame
from dpviz.ui.compute import content, curves_part, epsilon_parts, fill_in_whole
from dpviz.ui.filling import Filled, result_of
from dpviz.ui.one_bag_answer import Sides, all_runs
from dpviz.ui.texts import text
from dpviz.wording import one_bag as words
from dpviz.wording.one_bag_lengths import length_name, lengths_finding, lengths_title
from dpviz.wording.proven_epsilon import sweep_description

Points = list[SweepPoint]
_MOST_TICKS = 7
_FEWER_TICKS = (1, 4, 16, 64, 256, 1024)


def draw_lengths(scenario: Scenario, sides: Sides) -> Filled:
    """Draw epsilon of all against the window length."""
    filled = fill_in_whole("lengths", epsilon_parts(_scenarios_of_lengths(scenario)))
    known = [proven is not None for proven in filled.results]
    lines = _lines(scenario, sides, filled)
    (_, bag), *others, (_, promise) = lines
    first = others[1][1] if len(others) > 1 else []
    is_complete = filled.is_complete
    title = lengths_title(bag, promise[0].proven, is_complete=is_complete)

    def chart() -> str:
        runs = [
            SweepRun(label=label, style=style, points=points, marks_own=True)
            for (label, points), style in zip(lines, STYLES, strict=False)
        ]
        return figure_json(
            sweep_chart(
                runs,
                title=title,
                identity="bag-lengths",
                x_title="window length L_C + L_F (values)",
                own_x=_own_length(scenario),
                x_ticks=_ticks(scenario),
            )
        )

    frame.draw_answer(
        headline=sides.headline,
        figure_json=content("bag lengths", [scenario, *sides.named, known], chart),
        alt=sweep_description(title, "the window length", lines),
        key="bag_lengths",
        finding=lengths_finding(bag, first) if is_complete else "",
        caption=text("one_bag_caption"),
        progress=filled.progress,
    )
    return filled if filled.missing else sides.filled


def lengths_lines(scenario: Scenario) -> list[tuple[str, Points]]:
    """Return the lines of the chart over window lengths, all points computed.

    Raises:
        ScenarioError: rates are given directly, or no bound covers a run.
    """
    runs = all_runs(scenario)
    curves = [result_of(curves_part(run)) for run in (*runs, *map(promise_run, runs[:2]))]
    results = [result_of(part) for part in epsilon_parts(_scenarios_of_lengths(scenario))]
    filled = Filled(results=tuple(results))
    sides = Sides(runs=curves[: len(runs)], promises=curves[len(runs) :], filled=filled)
    return _lines(scenario, sides, filled)


def _own_length(scenario: Scenario) -> int:
    assert scenario.shape is not None  # what has none was refused
    return scenario.shape.window_length


def _other_lengths(scenario: Scenario) -> list[int]:
    """Return the lengths beside the visitor's own, the ends first, then ever more finely."""
    own, lengths = _own_length(scenario), compared_lengths(scenario)
    ends = (0, len(lengths) - 1)
    # The largest power of two that divides the place tells how coarse it is.
    order = sorted(range(len(lengths)), key=lambda at: (at not in ends, -(at & -at), at))
    return [lengths[at] for at in order if lengths[at] != own]


def _ticks(scenario: Scenario) -> list[tuple[float, str]]:
    """Return the visitor's own length, and others as far as there is room for their numbers."""
    others = compared_lengths(scenario)
    others = others if len(others) <= _MOST_TICKS else _FEWER_TICKS
    own, most = _own_length(scenario), compared_lengths(scenario)[-1]
    apart = [n for n in others if n <= most and not 0.6 < n / own < 1.6]
    return [(float(length), f"{length:,}") for length in sorted({own, *apart})]


def _scenarios_of_lengths(scenario: Scenario) -> list[Scenario]:
    """Return all runs for each length but the visitor's own, whose curves are there."""
    runs = all_runs(scenario)
    return [with_window_length(run, length) for length in _other_lengths(scenario) for run in runs]


def _lines(scenario: Scenario, sides: Sides, filled: Filled) -> list[tuple[str, Points]]:
    """Return a line for each way, and last what is promised about the first bag."""
    lengths, ways = _other_lengths(scenario), len(sides.runs)
    lines = []
    for way, (label, curves) in enumerate(sides.named):
        points = [_point(curves.proven)]
        results: Sequence[ProvenEpsilon | None] = filled.results[way::ways]
        for length, proven in zip(lengths, results, strict=True):
            if proven is not None:
                run = with_window_length(curves.scenario, length)
                points.append(_point(replace(proven, scenario=run)))
        lines.append((label, sorted(points, key=lambda point: point.x)))
    promise = sides.promises[0]
    points = [replace(point, proven=replace(promise.proven, lower=None)) for point in lines[0][1]]
    return [*lines, (words.PROMISE, points)]


def _point(proven: ProvenEpsilon) -> SweepPoint:
    length = _own_length(proven.scenario)
    return SweepPoint(x=length, name=length_name(length), proven=proven)
