"""Sample series, or walk through them?"""

from functools import partial

import streamlit as st

from dpviz.figures import styled_bands
from dpviz.guarantees import covers_bins
from dpviz.planning import Order, ScenarioCurves, Stretch, proven_order
from dpviz.planning.over_steps import after, under_top_level
from dpviz.scenario import Scenario
from dpviz.scenario.mechanism import AT_RANDOM, BINS, COINS, IN_ORDER, MOST_STEPS, SHUFFLED
from dpviz.settings import SETTINGS
from dpviz.ui import controls
from dpviz.ui.bands import draw_bands, exact_table
from dpviz.ui.compute import content, known_curves
from dpviz.ui.data_controls import comparison_settings
from dpviz.ui.page import say
from dpviz.ui.pins import draw_pin_rows
from dpviz.ui.question import Answer, Question
from dpviz.ui.rests_on import draw_certificate, draw_code
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.ui.widgets import view_choice
from dpviz.wording import top_levels as words
from dpviz.wording.findings import band_words
from dpviz.wording.numbers import joined
from dpviz.wording.proven_epsilon import TIERS_SOURCE
from dpviz.wording.scope import run_length
from dpviz.wording.subsequences import CHECKED
from dpviz.wording.top_levels import BY_BINS, BY_COINS, LABELS
from dpviz.wording.training_length import BEGUN_EPOCHS, breaks_off

LENGTHS = SETTINGS["compared_length"].choices
_WINS = {Order.FIRST: "random draws beat the walk", Order.SECOND: "the walk beats random draws"}
NAMES = dict(zip((AT_RANDOM, IN_ORDER, COINS, BINS), (*LABELS, BY_COINS, BY_BINS), strict=True))


def _of_series(state: State) -> Scenario:
    """Return the run with series drawn at random: one bag has epochs of its own."""
    return under_top_level(state.scenario, AT_RANDOM)


def _all_ways(state: State, length: str) -> list[Scenario]:
    """Return the run of this length in each way; in bins where these have a bound of their own."""
    base = after(_of_series(state), length)
    runs = [under_top_level(base, way) for way in NAMES]
    return runs if covers_bins(runs[-1]) else runs[:-1]


def _possible_lengths(state: State) -> list[str]:
    """Return the lengths to compare at; one epoch alone may be longer than any training."""
    has_epochs = _of_series(state).steps_per_epoch <= MOST_STEPS
    return [length for length in LENGTHS if has_epochs or "epoch" not in length]


def _compared_length(state: State) -> str:
    """Return the chosen length or, where that is not possible, the run's."""
    chosen = state.view.compared_length
    return chosen if chosen in _possible_lengths(state) else "run"


# After the chosen length: drawn at random, walked through, by coins and, where covered, in bins.
Ways = dict[str, ScenarioCurves]
Row = tuple[str, tuple[ScenarioCurves | None, ...]]  # after one length


def _known_ways(state: State) -> tuple[Ways, list[Row]]:
    """Return the ways by name, and a row of all of them for each length."""
    chosen, possible = _compared_length(state), _possible_lengths(state)
    lengths = [chosen, *(length for length in possible if length != chosen)]
    runs = {length: _all_ways(state, length) for length in lengths}
    names = [NAMES[run.sampling.top_level] for run in runs[chosen]]
    many = len(names)  # of each length
    known = known_curves([run for ways in runs.values() for run in ways], first=many)
    after = {length: known.curves[at * many : (at + 1) * many] for at, length in enumerate(lengths)}
    rows = [(LENGTHS[length], after[length]) for length in possible]
    return dict(zip(names, known.at_once, strict=True)), rows


def _draw_order(state: State, ways: Ways) -> None:
    runs, own = list(ways.items()), state.scenario.sampling.top_level
    drawn, walked, coins, *bins = ways.values()
    asked = [words.WHAT_COINS_ASK] if coins.scenario.has_coins_for_series else []
    asked += [words.WHAT_BINS_ASK for one in bins if one.scenario.has_several_bins]
    title, headline, finding = content(
        "order words",
        runs,
        lambda: (
            words.order_title(*ways.values()),
            words.order_headline(*ways.values()),
            words.order_by_epsilon(drawn, walked),
        ),
    )

    def shades() -> list[tuple[Stretch, str]]:
        stretches = proven_order(drawn, walked)
        won = [one for one in stretches if one.order in _WINS and len(stretches) > 1]
        return [(one, _WINS[one.order]) for one in won]

    draw_bands(
        styled_bands(runs),
        key="sample_or_walk",
        headline=headline,
        title=title,
        finding=joined(
            finding, words.INSTEAD_OF.get(own, "") if NAMES.get(own) not in ways else ""
        ),
        caption=joined(
            text("order_caption").strip(),
            band_words(*ways.values()),
            "" if breaks_off(state.scenario) else BEGUN_EPOCHS,  # that stands beside the length
            f"Orders are {CHECKED}.",
            *asked,
            TIERS_SOURCE,
        ),
        beside=state,
        shaded=shades,
    )


def _answer(state: State) -> Answer:
    names = {**LENGTHS, "run": run_length(_all_ways(state, "run")[0])}
    view_choice(
        "compared_length",
        options=_possible_lengths(state),
        name=names.__getitem__,
        value=_compared_length,
    )(state)
    ways, rows = _known_ways(state)
    _draw_order(state, ways)
    yield
    draw_pin_rows(state, state.scenario, {})
    say(content("orders table", rows, lambda: words.orders_table([*ways], rows)))
    if note := words.short_epoch_note(state.scenario):
        st.caption(note)
    own = state.scenario.sampling.top_level  # for one bag the first way
    name = NAMES.get(own, "")
    if name not in ways:  # of bins that are not covered only what holds for a walk is proven
        name = NAMES[IN_ORDER if own in (SHUFFLED, BINS) else AT_RANDOM]
    draw_certificate(ways[name], name)
    own_first = sorted(ways.items(), key=lambda way: way[0] != name)
    draw_code([(label, one.scenario) for label, one in own_first])


QUESTION = Question(
    settings=comparison_settings(
        rates=(partial(controls.rate_controls, compares_bins=True),),
        sampling=(controls.subsequence_controls,),
    ),
    answer=_answer,
    table=lambda state: exact_table(
        (NAMES[run.sampling.top_level], run) for run in _all_ways(state, _compared_length(state))
    ),
    file="dpviz-sample-or-walk.csv",
    shows_pins=lambda _: True,
    held=lambda state: _all_ways(state, "run"),
)
