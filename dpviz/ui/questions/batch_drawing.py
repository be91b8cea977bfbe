"""How is a batch drawn, and how often does it hold a protected value?"""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpviz.export.drawing_tables import batch_table, counted_hits_table
from dpviz.export.programs import batch_code
from dpviz.export.table import Table
from dpviz.figures import batch_drawing as charts
from dpviz.figures.densities import step_outputs_chart
from dpviz.figures.parts import Spec
from dpviz.guarantees import guarantee_for
from dpviz.jobs import TooCostlyError
from dpviz.planning.drawn_batches import DrawnRun, drawable_batches, drawn_run, epoch_partition
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.placement import placement
from dpviz.planning.step_outputs import StepOutputs, step_outputs
from dpviz.scenario import Noise, Rates, Scenario, ScenarioError, Training, Units, to_json
from dpviz.settings.attacker import MOST_DRAWN_BATCHES
from dpviz.settings.grids import round_counts
from dpviz.ui import controls, frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import part_of
from dpviz.ui.data_controls import DRAWN, folded_augmentation, way_back_to_batches
from dpviz.ui.filling import fill_in, result_of
from dpviz.ui.number_control import view_number
from dpviz.ui.page import folded_part, say
from dpviz.ui.question import Answer, Question
from dpviz.ui.rests_on import folded_code, offer_csv
from dpviz.ui.results import Part
from dpviz.ui.state import PLAYS, State, change_view
from dpviz.ui.widgets import act_button, next_seed
from dpviz.wording import batch_drawing as hit_words
from dpviz.wording.batch_drawing import coupled_description, coupled_sentence, rows_caption
from dpviz.wording.numbers import joined

PLAYED = 20
_ONE_STEP = Training(unit="steps", count=1)
_NEXT_HIT = "To the next batch with a hit: a drawn window that holds a protected value."
_PLAY = (
    f"Shows the next {PLAYED} batches one after the other; where your system asks for little "
    "motion, only the last."
)


class Shown:
    """Which batch a visitor looks at, and the run it belongs to.

    Its ``number`` is from 1; of the run ``total`` batches are drawn. The scenario ``drawn`` is
    without what decides nothing about them, ``placed`` tells which windows hold a protected value,
    and ``whole`` is the part of a page that is the hits of all batches.
    """

    def __init__(self, state: State) -> None:
        self.scenario, self.seed = state.scenario, state.view.drawing_seed
        self.total = drawable_batches(state.scenario)
        self.number = min(state.view.drawn_batch, self.total)
        noise = Noise(noise_multiplier=1.0)
        self.drawn = replace(self.scenario, noise=noise, training=_ONE_STEP, units=Units())
        self.placed = placement(self.scenario.given_shape, self.scenario.relation)
        self.whole = self.run(self.total)

    def run(self, last: int, shown_from: int | None = None) -> Part[DrawnRun]:
        """Return the part of a page that is the first batches of the run."""
        return part_of(drawn_run, self.drawn, self.seed, last, shown_from)


def _plays() -> bool:
    return bool(st.session_state.get(PLAYS))


def _play(*, is_on: bool) -> None:
    """Show the next batches one after the other, from the next run of the page on, or no more."""
    st.session_state[PLAYS] = is_on


def _next_hit(shown: Shown) -> int | None:
    hits = np.flatnonzero(result_of(shown.whole).hits[shown.number :])
    return shown.number + 1 + int(hits[0]) if len(hits) else None


def _batch_control(state: State) -> None:
    if isinstance(state.scenario.data, Rates):
        way_back_to_batches(state)
        return
    try:
        total = drawable_batches(state.scenario)
    except ScenarioError:  # told in the answer's place
        total = MOST_DRAWN_BATCHES
    view_number("drawn_batch", grid=round_counts(1, total), limits=(1, total))(state)


def _steps_bar(state: State, shown: Shown) -> None:
    is_playing = _plays()

    def go(step: int) -> None:
        _play(is_on=False)
        # From where the visitor is by now: two quick presses are two batches on.
        now = min(state.view.drawn_batch, shown.total)
        change_view(lambda: {"drawn_batch": min(max(now + step, 1), shown.total)})

    def go_to_hit() -> None:
        _play(is_on=False)
        try:
            found = _next_hit(shown)
        except TooCostlyError as problem:
            change_view(dict)  # what was said before is taken back
            state.problems.append(f"The next hit is not known: {problem}.")
            return
        change_view(lambda: {} if found is None else {"drawn_batch": found})
        if found is None:
            state.notes.append("No later batch of this run has a hit: draw anew.")

    def other_run() -> None:
        _play(is_on=False)
        change_view(lambda: {"drawing_seed": next_seed(state.view.drawing_seed)})

    play = partial(_play, is_on=True)
    other = f"Draws another run. This one has seed {shown.seed:,}."
    is_first, is_last = shown.number <= 1, shown.number >= shown.total
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for label, act, key, icon, is_at_end, explains in (
            ("Previous", lambda: go(-1), "previous_batch", ":material/chevron_left:", is_first, ""),
            ("Next", lambda: go(1), "next_batch", ":material/chevron_right:", is_last, ""),
            ("Next hit", go_to_hit, "next_hit", ":material/skip_next:", is_last, _NEXT_HIT),
            (f"Play {PLAYED}", play, "play_batches", ":material/play_arrow:", is_last, _PLAY),
            ("Draw anew", other_run, "other_run", ":material/casino:", False, other),
        ):
            act_button(
                label, act, key=key, icon=icon, disabled=is_playing or is_at_end, explains=explains
            )


_AT_ONCE = 20  # batches that are kept as they are shown, so that the next one is there


def _draw_batch(shown: Shown) -> None:
    scenario, number = shown.scenario, shown.number
    is_playing = _plays() and number < shown.total
    first = number if is_playing else (number - 1) // _AT_ONCE * _AT_ONCE + 1
    last = min(number + PLAYED if is_playing else first + _AT_ONCE - 1, shown.total)
    run = result_of(shown.run(last, first))
    (whole,) = fill_in([shown.whole]).results
    counts = None if whole is None else whole.counts()
    batch, placed = run.shown[number - first], shown.placed

    def drawn(at: int) -> tuple[Spec, str]:
        one, law, identity = run.shown[at - first], hit_law(scenario), to_json(shown.drawn)
        spec = charts.batch_drawing(
            placed, one, run.counts(at), law=law, whole=counts, identity=f"batches {identity}"
        )
        return spec, hit_words.batch_description(one, placed)

    def chart() -> Spec:
        spec, _ = drawn(number)
        if is_playing:
            spec["frames"] = charts.frames(spec, [drawn(at) for at in range(number, last + 1)])
        return spec

    def stopped(at: Any) -> None:
        _play(is_on=False)
        if isinstance(at, int) and 0 <= at <= last - number:
            change_view(lambda: {"drawn_batch": number + at})

    frame.draw_answer(
        headline=hit_words.hits_headline(scenario),
        figure=chart,
        made_of=[shown.drawn, shown.seed, number, last, is_playing, whole is None],
        alt=hit_words.batch_description(batch, placed),
        key="batch_drawing",
        height=590,
        finding="" if counts is None else hit_words.hits_sentence(scenario, counts, shown.seed),
        caption=joined(
            "" if is_playing else hit_words.batch_place(scenario, batch),
            rows_caption(scenario, placed, batch),
            hit_words.drawn_note(scenario, shown.total, MOST_DRAWN_BATCHES),
        ),
        on_stop=stopped,
        lead=("drawn_batch", range(number, last + 1) if is_playing else [number]),
    )


def _draw_coupled(shown: Shown) -> None:
    """Draw the shown batch, or the next that hits, as drawn from two neighbouring data sets."""
    whole = result_of(shown.whole)
    number = shown.number if whole.hits[shown.number - 1] else _next_hit(shown) or shown.number
    (batch,) = result_of(shown.run(number, number)).shown
    draw_chart(
        lambda: charts.coupled_batches_chart(shown.placed, batch),
        made_of=[shown.drawn, shown.seed, number],
        key="coupled_batches",
        alt=coupled_description(batch),
        height=300,
        file_name="dpviz-coupling",
    )
    say(coupled_sentence(shown.scenario, batch, is_next=number != shown.number))


def _outputs(scenario: Scenario) -> StepOutputs:
    return result_of(part_of(step_outputs, replace(scenario, training=_ONE_STEP, units=Units())))


def _draw_outputs(scenario: Scenario) -> None:
    outputs = _outputs(scenario)
    draw_chart(
        lambda: step_outputs_chart(outputs),
        made_of=[replace(scenario, training=_ONE_STEP)],
        key="step_outputs",
        alt=hit_words.outputs_description(hit_words.outputs_title(outputs), outputs),
        height=380,
        file_name="dpviz-one-noisy-gradient",
    )
    say(hit_words.outputs_sentence(scenario, outputs))


def _draw_partition(shown: Shown) -> None:
    drawn, steps = shown.drawn, shown.scenario.steps_per_epoch
    first = (shown.number - 1) // steps * steps + 1  # the same for each batch of the epoch
    partition = result_of(part_of(epoch_partition, drawn, shown.seed, first, shown.total))
    sentence = hit_words.partition_sentence(shown.scenario, partition)
    draw_chart(
        lambda: charts.epoch_partition_chart(partition),
        made_of=[drawn, shown.seed, first],
        key="epoch_partition",
        alt=f"{hit_words.partition_title(partition)}. {sentence}",
        height=380,
        file_name="dpviz-epoch",
    )
    say(sentence)


def _counts_table(shown: Shown) -> Table:
    run, ends = result_of(shown.whole), sorted({shown.number, shown.total})
    counted = [(f"batches 1 to {last}", run.counts(last)) for last in ends]
    return counted_hits_table(shown.scenario, shown.seed, counted)


def _answer(state: State) -> Answer:
    guarantee_for(state.scenario)  # what no bound covers is refused, though none is told at first
    if state.scenario.shape is None:
        frame.draw_headline(hit_words.batch_headline(state.scenario, _outputs(state.scenario)))
        _draw_outputs(state.scenario)
        yield
        return
    shown = Shown(state)
    _steps_bar(state, shown)
    _draw_batch(shown)
    yield
    if state.scenario.sampling.is_walk:
        folded_part("What an epoch does with the series", "open_epoch", _draw_partition, shown)
    folded_part("What one noisy gradient reveals", "open_gradient", _draw_outputs, state.scenario)
    label = "The same draw from two neighbouring data sets"
    folded_part(label, "open_coupled", _draw_coupled, shown)
    offer_csv("Download the counted hits as CSV", lambda: _counts_table(shown), "dpviz-hits.csv")
    told = f"Batch {shown.number:,} of the run with seed {shown.seed:,}, from Python:"
    folded_code(lambda: [(told, batch_code(shown.scenario, shown.seed, shown.number), "python")])


QUESTION = Question(
    settings=(controls.preset_control, _batch_control, *DRAWN, folded_augmentation),
    in_lessons={"leak": (_batch_control,)},
    answer=_answer,
    table=lambda state: batch_table(state.scenario, state.view.drawing_seed, Shown(state).number),
    file="dpviz-batch.csv",
)
