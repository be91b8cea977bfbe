"""The answer to how series are chosen: its chart, sentence and table."""

from dataclasses import dataclass

import streamlit as st

from dpviz.figures import Band, Shade, bands_chart, figure_json
from dpviz.figures.palette import STYLES
from dpviz.planning import Order, ScenarioCurves, proven_order
from dpviz.planning.top_levels import COINS
from dpviz.scenario.mechanism import WALKS
from dpviz.ui import frame
from dpviz.ui.compute import content, known_curves
from dpviz.ui.filling import Filled
from dpviz.ui.order_controls import LENGTHS, all_ways, compared_length, possible_lengths
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.wording.findings import curves_description
from dpviz.wording.top_levels import (
    BY_COINS,
    LABELS,
    coins_sentence,
    order_by_epsilon,
    order_headline,
    order_title,
    orders_table,
    short_epoch_note,
)

_WINS = {Order.FIRST: "random draws beat the walk", Order.SECOND: "the walk beats random draws"}
NAMES = (*LABELS, BY_COINS)
_Runs = tuple[ScenarioCurves | None, ScenarioCurves | None, ScenarioCurves | None]


@dataclass(frozen=True, kw_only=True, eq=False)
class AllWays:
    """What is known of the ways of choosing series.

    Args:
        drawn: after the chosen length, series drawn at random.
        walked: after the chosen length, series walked through.
        coins: after the chosen length, series drawn by coins.
        after: all after each length, as far as they are computed.
        filled: what is still to come.
    """

    drawn: ScenarioCurves
    walked: ScenarioCurves
    coins: ScenarioCurves
    after: dict[str, _Runs]
    filled: Filled

    @property
    def runs(self) -> list[tuple[str, ScenarioCurves]]:
        """All after the chosen length, by name."""
        return list(zip(NAMES, (self.drawn, self.walked, self.coins), strict=True))

    def under(self, top_level: str) -> tuple[str, ScenarioCurves]:
        """Return the run of a way that series are chosen in, by name; one bag has the first."""
        drawn, walked, coins = self.runs
        return walked if top_level in WALKS else coins if top_level == COINS else drawn


def known_ways(state: State) -> AllWays:
    """Return what is known, the chosen length first."""
    chosen = compared_length(state)
    lengths = [chosen, *(length for length in possible_lengths(state) if length != chosen)]
    known = known_curves([run for length in lengths for run in all_ways(state, length)], first=3)
    drawn, walked, coins = known.curves[:3]
    assert drawn is not None  # the first ones are there at once, be they coarse
    assert walked is not None
    assert coins is not None
    runs = zip(*(known.curves[at::3] for at in range(3)), strict=True)
    after = dict(zip(lengths, runs, strict=True))
    return AllWays(drawn=drawn, walked=walked, coins=coins, after=after, filled=known.filled)


def draw_order(ways: AllWays) -> None:
    """Draw who wins, at the chosen delta and over epsilon."""
    drawn, walked, coins = ways.drawn, ways.walked, ways.coins
    title, headline, finding = content(
        "order words",
        ways.runs,
        lambda: (
            order_title(drawn, walked, coins),
            f"{order_headline(drawn, walked)} {coins_sentence(coins, drawn, walked)}",
            order_by_epsilon(drawn, walked),
        ),
    )

    def chart() -> str:
        stretches = proven_order(drawn, walked)
        shades = [
            Shade(start=stretch.start, end=stretch.end, label=_WINS[stretch.order])
            for stretch in stretches
            if stretch.order in _WINS and len(stretches) > 1
        ]
        bands = [
            Band(curves=curves, label=label, style=style)
            for (label, curves), style in zip(ways.runs, STYLES, strict=False)
        ]
        return figure_json(
            bands_chart(bands, title=title, identity="sample-or-walk", shaded=shades)
        )

    frame.draw_answer(
        headline=headline,
        figure_json=content("order chart", ways.runs, chart),
        alt=curves_description(title, ways.runs),
        key="sample_or_walk",
        finding=finding,
        caption=text("order_caption"),
        progress=ways.filled.progress,
    )


def draw_table(state: State, ways: AllWays) -> None:
    """Draw who wins after each length."""
    rows = [(LENGTHS[length], *ways.after[length]) for length in possible_lengths(state)]
    st.markdown(content("orders table", rows, lambda: orders_table(rows)))
    if note := short_epoch_note(state.scenario):
        st.caption(note)
