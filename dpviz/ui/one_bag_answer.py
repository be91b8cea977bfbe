"""The answer to one bag or series first: its charts, sentences and notes."""

from dataclasses import dataclass

import streamlit as st

from dpviz.export import hit_counts_csv
from dpviz.figures import Band, Shade, bands_chart, figure_json
from dpviz.figures.hit_weights import hit_counts_chart
from dpviz.figures.palette import STYLES
from dpviz.planning import Order, ScenarioCurves, proven_order
from dpviz.planning.one_bag import (
    bag_hits,
    bag_run,
    series_first_run,
)
from dpviz.planning.subsequences import HitCounts, hit_law
from dpviz.scenario import Scenario
from dpviz.ui import frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import content, known_curves
from dpviz.ui.filling import Filled
from dpviz.ui.texts import text
from dpviz.wording import one_bag as words
from dpviz.wording import one_bag_hits as hit_words
from dpviz.wording.findings import curves_description
from dpviz.wording.one_bag_notes import bag_notes


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
    """Return what is known of both."""
    runs = both_runs(scenario)
    known = known_curves(runs, first=len(runs))
    bag, first = (*known.curves, None)[:2]
    assert bag is not None  # the first ones are there at once, be they coarse
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


def draw_why(scenario: Scenario) -> None:
    """Draw how many of one individual's windows share a batch, either way."""
    bag, first = bag_run(scenario), series_first_run(scenario)
    named: list[tuple[str, HitCounts]] = [(words.BAG, bag_hits(bag))]
    if first is not None:
        named.append((words.series_first_label(first), hit_law(first)))
    title = hit_words.bag_hits_title(bag, first)
    st.header("Why: how many of one individual's windows share a batch", anchor=False)
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
