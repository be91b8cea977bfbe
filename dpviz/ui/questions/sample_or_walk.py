"""Sample series, or walk through them?"""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.export.curve_tables import curves_table
from dpviz.figures import Band, Shade, bands_chart
from dpviz.figures.palette import STYLES
from dpviz.figures.parts import Spec
from dpviz.planning import Order, ScenarioCurves, proven_order
from dpviz.planning.over_steps import after, under_top_level
from dpviz.scenario import Scenario
from dpviz.scenario.mechanism import AT_RANDOM, COINS, IN_ORDER, MOST_STEPS, WALKS
from dpviz.settings import SETTINGS
from dpviz.ui import controls, frame
from dpviz.ui.compute import content, exact_curves, figure_of, known_curves
from dpviz.ui.data_controls import comparison_settings
from dpviz.ui.filling import Filled, together
from dpviz.ui.frame import Answer, Question
from dpviz.ui.pins import draw_pin_rows, named_curves, pinned_bands
from dpviz.ui.rests_on import draw_certificate, draw_code
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.ui.widgets import view_choice
from dpviz.wording import top_levels as words
from dpviz.wording.epsilon_tiers import TIERS_SOURCE
from dpviz.wording.findings import curves_description
from dpviz.wording.numbers import joined
from dpviz.wording.scope import run_length
from dpviz.wording.top_levels import BY_COINS, LABELS

LENGTHS = SETTINGS["compared_length"].choices
_WINS = {Order.FIRST: "random draws beat the walk", Order.SECOND: "the walk beats random draws"}
NAMES = (*LABELS, BY_COINS)


def all_ways(state: State, length: str) -> list[Scenario]:
    """Return the run of this length with series drawn at random, walked through, and by coins."""
    base = after(state.scenario, length)
    return [under_top_level(base, way) for way in (AT_RANDOM, IN_ORDER, COINS)]


def possible_lengths(state: State) -> list[str]:
    """Return the lengths to compare at; one epoch alone may be longer than any training."""
    has_epochs = state.scenario.steps_per_epoch <= MOST_STEPS
    return [length for length in LENGTHS if has_epochs or "epoch" not in length]


def compared_length(state: State) -> str:
    """Return the chosen length or, where that is not possible, the run's."""
    chosen = state.view.compared_length
    return chosen if chosen in possible_lengths(state) else "run"


def length_control(state: State) -> None:
    """Choose after how much training they are compared."""

    def name(length: str) -> str:
        if length != "run":
            return LENGTHS[length]
        return run_length(all_ways(state, length)[0])

    view_choice(
        "compared_length",
        options=possible_lengths(state),
        name=name,
        value=lambda _: compared_length(state),
    )(state)


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
    filled: Filled[Any]

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
    drawn, walked, coins = known.at_once
    runs = zip(*(known.curves[at::3] for at in range(3)), strict=True)
    after = dict(zip(lengths, runs, strict=True))
    return AllWays(drawn=drawn, walked=walked, coins=coins, after=after, filled=known.filled)


def draw_order(state: State, ways: AllWays) -> Filled[Any]:
    """Draw who wins, at the chosen delta and over epsilon."""
    drawn, walked, coins = ways.drawn, ways.walked, ways.coins
    pins, pins_filled = pinned_bands(state)
    title, headline, finding = content(
        "order words",
        ways.runs,
        lambda: (
            words.order_title(drawn, walked, coins),
            f"{words.order_headline(drawn, walked)} {words.coins_sentence(coins, drawn, walked)}",
            words.order_by_epsilon(drawn, walked),
        ),
    )

    def chart() -> Spec:
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
        return bands_chart([*bands, *pins], identity="sample-or-walk", shaded=shades)

    frame.draw_answer(
        headline=headline,
        figure_json=figure_of("order chart", [*ways.runs, *named_curves(pins)], chart),
        alt=curves_description(title, [*ways.runs, *named_curves(pins)]),
        key="sample_or_walk",
        finding=finding,
        caption=joined(text("order_caption").strip(), TIERS_SOURCE),
        handle=controls.delta_handle(drawn.scenario.delta),
        progress=ways.filled.progress,
    )
    return together(ways.filled, pins_filled)


def draw_table(state: State, ways: AllWays) -> None:
    """Draw who wins after each length."""
    rows = [(LENGTHS[length], *ways.after[length]) for length in possible_lengths(state)]
    st.markdown(content("orders table", rows, lambda: words.orders_table(rows)))
    if note := words.short_epoch_note(state.scenario):
        st.caption(note)


def answer(state: State) -> Answer:
    """Draw who wins, then after each length."""
    length_control(state)
    ways = known_ways(state)
    yield draw_order(state, ways)
    draw_pin_rows(state, state.scenario, {})
    draw_table(state, ways)
    name, curves = ways.under(state.scenario.sampling.top_level)
    draw_certificate(curves, name)
    draw_code([(label, one.scenario) for label, one in ways.runs])


def csv(state: State) -> str:
    """Return the numbers of the chart."""
    runs = all_ways(state, compared_length(state))
    return curves_table(list(zip(NAMES, map(exact_curves, runs), strict=True))).csv()


QUESTION = Question(
    settings=comparison_settings(sampling=(controls.subsequence_controls,)),
    answer=answer,
    csv=csv,
    file="dpviz-sample-or-walk.csv",
    shows_pins=lambda _: True,
    held=lambda state: all_ways(state, "run"),
)
