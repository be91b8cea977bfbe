"""The answer to one bag or series first: its charts, sentences and notes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from dpviz.export import hit_counts_csv
from dpviz.figures import Band, Shade, bands_chart, figure_json
from dpviz.figures.hit_weights import hit_counts_chart
from dpviz.figures.palette import STYLES
from dpviz.figures.sweep import SweepRun, sweep_chart
from dpviz.planning import Order, ScenarioCurves, proven_order
from dpviz.planning.one_bag import (
    bag_hits,
    bag_run,
    compared_lengths,
    series_first_run,
    with_window_length,
)
from dpviz.planning.proven_epsilon import ProvenEpsilon, plain_bracket
from dpviz.planning.subsequences import HitCounts, hit_law
from dpviz.planning.sweep import SweepPoint
from dpviz.scenario import Scenario
from dpviz.ui import frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import content, epsilon_parts, known_curves
from dpviz.ui.shared import RESULTS, Filled, fill_in, go_on
from dpviz.ui.texts import text
from dpviz.wording import one_bag as words
from dpviz.wording import one_bag_hits as hit_words
from dpviz.wording.findings import curves_description
from dpviz.wording.one_bag_lengths import length_name, lengths_finding, lengths_title
from dpviz.wording.one_bag_notes import bag_notes
from dpviz.wording.proven_epsilon import sweep_description

Points = list[SweepPoint]
_MOST_TICKS = 7
_FEWER_TICKS = (1, 4, 16, 64, 256, 1024)


@dataclass(frozen=True, kw_only=True, eq=False)
class BothSides:
    """What is known of both ways at the visitor's own window length.

    Args:
        bag: batches from one bag.
        first: series first; ``None`` where no number of windows per series is enough.
        filled: what is still to come.
    """

    bag: ScenarioCurves
    first: ScenarioCurves | None
    filled: Filled

    @property
    def runs(self) -> list[tuple[str, ScenarioCurves]]:
        """Those that there are, by name."""
        named = [(words.BAG, self.bag)]
        if self.first is not None:
            named.append((words.series_first_label(self.first.scenario), self.first))
        return named


def both_runs(scenario: Scenario) -> list[Scenario]:
    """Return the run from one bag and, where there is one, the run that draws series first.

    Raises:
        ScenarioError: rates are given directly.
    """
    first = series_first_run(scenario)
    return [bag_run(scenario)] + ([] if first is None else [first])


def known_sides(scenario: Scenario) -> BothSides:
    """Return what is known of both; ends this run of the page if one is not there yet."""
    runs = both_runs(scenario)
    known = known_curves(runs, first=len(runs))
    if None in known.curves:
        go_on(known.filled)
    bag, first = (*known.curves, None)[:2]
    assert bag is not None  # nothing is missing, or the run has ended
    return BothSides(bag=bag, first=first, filled=known.filled)


def draw_curves(sides: BothSides) -> Filled:
    """Draw delta against epsilon of both."""
    title = words.bag_title(sides.bag)

    def chart() -> str:
        shades = []
        if sides.first is not None:
            shades = [
                Shade(start=stretch.start, end=stretch.end, label="series first wins")
                for stretch in proven_order(sides.first, sides.bag)
                if stretch.order is Order.FIRST
            ]
        bands = [
            Band(curves=curves, label=label, style=style)
            for (label, curves), style in zip(sides.runs, STYLES, strict=False)
        ]
        return figure_json(bands_chart(bands, title=title, identity="one-bag", shaded=shades))

    frame.draw_answer(
        headline=words.bag_headline(sides.bag, sides.first),
        figure_json=content("bag curves", sides.runs, chart),
        alt=curves_description(title, sides.runs),
        key="one_bag",
        finding=words.order_by_epsilon(sides.bag, sides.first),
        caption=text("one_bag_caption"),
        progress=sides.filled.progress,
    )
    return sides.filled


def draw_lengths(scenario: Scenario, sides: BothSides) -> Filled:
    """Draw epsilon of both against the window length."""
    filled = fill_in(epsilon_parts(_scenarios_of_lengths(scenario)))
    known = [proven is not None for proven in filled.results]
    lines = _lines(scenario, sides, filled)
    (_, bag), *others = lines
    first = others[0][1] if others else []
    is_complete = not filled.missing
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
    known = known_curves(both_runs(scenario), first=2)
    results = [RESULTS.get(part) for part in epsilon_parts(_scenarios_of_lengths(scenario))]
    bag, first = (*(curves for curves in known.curves), None)[:2]
    assert bag is not None  # two were to be there at once
    sides = BothSides(bag=bag, first=first, filled=known.filled)
    return _lines(scenario, sides, Filled(results=tuple(results)))


def draw_why(scenario: Scenario) -> None:
    """Draw how many of one individual's windows share a batch, either way."""
    bag, first = bag_run(scenario), series_first_run(scenario)
    named: list[tuple[str, HitCounts]] = [(words.BAG, bag_hits(bag))]
    if first is not None:
        named.append((words.series_first_label(first), hit_law(first)))
    title = hit_words.bag_hits_title(bag, first)
    st.subheader("Why: how many of one individual's windows share a batch", anchor=False)
    st.markdown(hit_words.bag_hits_explanation(bag, named))
    draw_chart(
        content(
            "bag hits",
            [bag, first],
            lambda: figure_json(hit_counts_chart(named, title=title, identity="bag-hits")),
        ),
        key="bag_hits",
        alt=hit_words.bag_hits_description(title, named),
        height=340,
        file_name="dpviz-bag-hits",
    )
    st.download_button(
        "Download these chances as CSV",
        lambda: hit_counts_csv(named),
        "dpviz-bag-hits.csv",
        "text/csv",
        on_click="ignore",
    )


def draw_notes(scenario: Scenario) -> None:
    """Draw what was compared, and where that differs from the settings or from the paper."""
    for note in bag_notes(scenario, series_first_run(scenario)):
        st.caption(note)


def _own_length(scenario: Scenario) -> int:
    assert scenario.shape is not None  # what has none was refused
    return scenario.shape.window_length


def _other_lengths(scenario: Scenario) -> list[int]:
    own = _own_length(scenario)
    return [length for length in compared_lengths(scenario) if length != own]


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
        points = [_point(curves.scenario, _proven(curves))]
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


def _proven(curves: ScenarioCurves) -> ProvenEpsilon:
    lower = curves.lower
    return ProvenEpsilon(
        upper=plain_bracket(curves.upper.epsilon),
        lower=None if lower is None else plain_bracket(lower.epsilon),
        upper_bound=curves.upper.bound,
        lower_bound=None if lower is None else lower.bound,
    )


def _with_same_promise(proven: ProvenEpsilon, own: ProvenEpsilon) -> ProvenEpsilon:
    """Return it with the finer number of its own length, where both bounds are the same one.

    What a stock accountant promises does not depend on the length, and is to look so.
    """
    bound, same = proven.upper_bound, own.upper_bound
    if (bound.pair, bound.count, bound.share) != (same.pair, same.count, same.share):
        return proven
    return replace(proven, upper=own.upper)
