"""Epsilon of one bag and of series first against the window length."""

from collections.abc import Sequence
from dataclasses import replace

from dpviz.figures import figure_json
from dpviz.figures.palette import STYLES
from dpviz.figures.sweep import SweepRun, sweep_chart
from dpviz.planning.bag_changes import compared_lengths, with_window_length
from dpviz.planning.proven_epsilon import ProvenEpsilon, proven_by
from dpviz.planning.sweep import SweepPoint
from dpviz.scenario import Scenario
from dpviz.ui import frame
from dpviz.ui.compute import content, curves_part, epsilon_parts, fill_in_whole
from dpviz.ui.filling import Filled, result_of
from dpviz.ui.one_bag_answer import BothSides, both_runs
from dpviz.ui.texts import text
from dpviz.wording import one_bag as words
from dpviz.wording.one_bag_lengths import length_name, lengths_finding, lengths_title
from dpviz.wording.proven_epsilon import sweep_description

Points = list[SweepPoint]
_MOST_TICKS = 7
_FEWER_TICKS = (1, 4, 16, 64, 256, 1024)


def draw_lengths(scenario: Scenario, sides: BothSides) -> Filled:
    """Draw epsilon of both against the window length."""
    filled = fill_in_whole("lengths", epsilon_parts(_scenarios_of_lengths(scenario)))
    known = [proven is not None for proven in filled.results]
    lines = _lines(scenario, sides, filled)
    (_, bag), *others = lines
    first = others[0][1] if others else []
    is_complete = filled.is_complete
    title = lengths_title(bag, is_complete=is_complete)

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
        headline=words.bag_headline(sides.bag, sides.first),
        figure_json=content("bag lengths", [scenario, *sides.runs, known], chart),
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
    own = [result_of(curves_part(run)) for run in both_runs(scenario)]
    bag, first = (*own, None)[:2]
    results = [result_of(part) for part in epsilon_parts(_scenarios_of_lengths(scenario))]
    filled = Filled(results=tuple(results))
    return _lines(scenario, BothSides(bag=bag, first=first, filled=filled), filled)


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
    """Return both runs for each length but the visitor's own, whose curves are there."""
    runs = both_runs(scenario)
    return [with_window_length(run, length) for length in _other_lengths(scenario) for run in runs]


def _lines(scenario: Scenario, sides: BothSides, filled: Filled) -> list[tuple[str, Points]]:
    lengths, ways = _other_lengths(scenario), len(sides.runs)
    lines = []
    for way, (label, curves) in enumerate(sides.runs):
        points = [_point(curves.scenario, proven_by(curves))]
        results: Sequence[ProvenEpsilon | None] = filled.results[way::ways]
        for length, proven in zip(lengths, results, strict=True):
            if proven is not None:
                run = with_window_length(curves.scenario, length)
                points.append(_point(run, _with_same_promise(proven, points[0].proven)))
        lines.append((label, sorted(points, key=lambda point: point.x)))
    return lines


def _point(run: Scenario, proven: ProvenEpsilon) -> SweepPoint:
    length = _own_length(run)
    return SweepPoint(x=length, name=length_name(length), scenario=run, proven=proven)


def _with_same_promise(proven: ProvenEpsilon, own: ProvenEpsilon) -> ProvenEpsilon:
    """Return it with the finer number of its own length, where both bounds are the same one.

    What a stock accountant promises does not depend on the length, and is to look so.
    """
    bound, same = proven.upper_bound, own.upper_bound
    if (bound.pair, bound.count, bound.share) != (same.pair, same.count, same.share):
        return proven
    return replace(proven, upper=own.upper)
