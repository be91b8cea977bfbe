"""The answer about one bag and series first: its charts, sentences and notes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from dpviz.export import hit_counts_csv
from dpviz.figures import Band, Shade, bands_chart, figure_json
from dpviz.figures.hit_weights import hit_counts_chart
from dpviz.figures.palette import STYLES
from dpviz.planning import Order, ScenarioCurves, proven_order
from dpviz.planning.bag_changes import promise_run
from dpviz.planning.one_bag import COINS, FIXED, bag_hits, bag_run, series_first_run
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
class Sides:
    """What is known of all ways to draw batches at the visitor's own window length.

    Args:
        runs: the visitor's own bag (or one of fixed size), the other one, and series first, where
            a number of windows per series is enough.
        promises: the two bags as a stock accountant counts them.
        filled: what is still to come.
    """

    runs: Sequence[ScenarioCurves]
    promises: Sequence[ScenarioCurves]
    filled: Filled

    @property
    def first(self) -> ScenarioCurves | None:
        """The run that draws series first."""
        return self.runs[2] if len(self.runs) > 2 else None

    @property
    def named(self) -> list[tuple[str, ScenarioCurves]]:
        """All ways by name."""
        return [(words.loader_label(run.scenario), run) for run in self.runs]

    @property
    def named_promises(self) -> list[tuple[str, ScenarioCurves]]:
        """What stock accountants promise, by the bag's name."""
        return [(words.loader_label(run.scenario), run) for run in self.promises]

    @property
    def headline(self) -> str:
        """The promise, and what is proven."""
        return words.bag_headline(self.runs[0], self.promises[0], self.named[1:])


def bag_runs(scenario: Scenario) -> list[Scenario]:
    """Return the visitor's own bag, or one of fixed size, and the other one.

    Raises:
        ScenarioError: rates are given directly.
    """
    own = bag_run(scenario)
    other = FIXED if own.sampling.bottom_level == COINS else COINS
    return [own, bag_run(scenario, other)]


def all_runs(scenario: Scenario) -> list[Scenario]:
    """Return both bags and, where there is one, the run that draws series first.

    Raises:
        ScenarioError: rates are given directly.
    """
    first = series_first_run(scenario)
    return bag_runs(scenario) + ([] if first is None else [first])


def known_sides(scenario: Scenario) -> Sides:
    """Return what is known of all."""
    runs = all_runs(scenario)
    scenarios = [*runs, *map(promise_run, runs[:2])]
    known = known_curves(scenarios, first=len(scenarios))
    curves = [one for one in known.curves if one is not None]  # the first ones are there at once
    return Sides(runs=curves[: len(runs)], promises=curves[len(runs) :], filled=known.filled)


def draw_curves(sides: Sides) -> Filled:
    """Draw delta against epsilon of all, and of what is promised about the first bag."""
    bag, promise = sides.runs[0], sides.promises[0]
    title = words.bag_title(bag, promise)

    def chart() -> str:
        shades = []
        if sides.first is not None:
            shades = [
                Shade(start=stretch.start, end=stretch.end, label="series first wins")
                for stretch in proven_order(sides.first, bag)
                if stretch.order is Order.FIRST
            ]
        drawn = [*sides.named, (words.PROMISE, replace(promise, lower=None))]
        bands = [
            Band(curves=curves, label=label, style=style)
            for (label, curves), style in zip(drawn, STYLES, strict=False)
        ]
        return figure_json(bands_chart(bands, title=title, identity="one-bag", shaded=shades))

    frame.draw_answer(
        headline=sides.headline,
        figure_json=content("bag curves", [sides.named, promise], chart),
        alt=curves_description(title, sides.named),
        key="one_bag",
        finding=words.order_by_epsilon(bag, sides.first),
        caption=text("one_bag_caption"),
        progress=sides.filled.progress,
    )
    return sides.filled


def draw_loaders(sides: Sides) -> None:
    """Draw what the choice of a loader is worth."""
    st.header("What the loader is worth", anchor=False)
    st.markdown(words.loaders_table(sides.named, sides.named_promises))


def draw_why(scenario: Scenario) -> None:
    """Draw how many of one individual's windows share a batch, each way."""
    bag, first = bag_run(scenario), series_first_run(scenario)
    named: list[tuple[str, HitCounts]] = [
        (words.loader_label(run), bag_hits(run)) for run in bag_runs(scenario)
    ]
    if first is not None:
        named.append((words.loader_label(first), hit_law(first)))
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
