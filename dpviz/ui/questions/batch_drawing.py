"""How is a batch drawn, and how often does it hold a sensitive value?"""

from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.export.drawing_tables import batch_table, counted_hits_table
from dpviz.export.programs import batch_code
from dpviz.figures.batch_drawing import Counted, batch_drawing, epoch_partition_chart, frames
from dpviz.figures.densities import step_outputs_chart
from dpviz.figures.parts import Spec
from dpviz.planning.drawn_batches import DrawnRun, epoch_partition
from dpviz.planning.hit_laws import batch_law
from dpviz.planning.placement import placement
from dpviz.planning.step_outputs import StepOutputs, step_outputs
from dpviz.scenario import Scenario, Training, Units, to_json
from dpviz.settings.attacker import MOST_DRAWN_BATCHES
from dpviz.ui import frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import figure_of, part_of, shape_of
from dpviz.ui.filling import NOTHING, Filled, fill_in, result_of
from dpviz.ui.frame import Answer, Question
from dpviz.ui.lesson_links import viewed_lesson
from dpviz.ui.questions import drawn_batch
from dpviz.ui.rests_on import folded_code, offer_csv
from dpviz.ui.state import State, change_view
from dpviz.wording import batch_drawing as hit_words
from dpviz.wording.numbers import joined

KEY, OUTPUTS, PARTITION = "batch_drawing", "step_outputs", "epoch_partition"
_AT_ONCE = 20  # batches that are kept as they are shown, so that the next one is there
_HEIGHT = 760


def known_outputs(scenario: Scenario) -> StepOutputs:
    """Return what one noisy gradient tells.

    Raises:
        ScenarioError: no bound covers the scenario.
        TooCostlyError: it would cost too much.
    """
    once = replace(scenario, training=Training(unit="steps", count=1), units=Units())
    return result_of(part_of(step_outputs, once))


def draw_batch(shown: drawn_batch.Shown, headline: str) -> Filled[Any]:
    """Draw the batch, and how often the batches up to it hit."""
    scenario, number = shown.scenario, shown.number
    is_playing = drawn_batch.plays() and number < shown.total
    first = number if is_playing else (number - 1) // _AT_ONCE * _AT_ONCE + 1
    last = min(number + drawn_batch.PLAYED if is_playing else first + _AT_ONCE - 1, shown.total)
    run = result_of(shown.run(last, first))
    filled = fill_in([shown.whole()])
    (whole,) = filled.results
    batch = run.shown[number - first]
    placed = placement(shape_of(scenario), scenario.relation)

    def chart() -> Spec:
        spec = _chart(shown, run, whole, number, first)
        if is_playing:
            spec["frames"] = frames(
                spec,
                [
                    (
                        _chart(shown, run, whole, at, first),
                        hit_words.batch_description(run.shown[at - first], placed),
                    )
                    for at in range(number, last + 1)
                ],
            )
        return spec

    def stopped(at: Any) -> None:
        drawn_batch.stop_playing()
        if isinstance(at, int) and 0 <= at <= last - number:
            change_view(lambda: {"drawn_batch": number + at})

    inputs = [drawn_batch.as_drawn(scenario), shown.seed, number, last, is_playing, whole is None]
    title = hit_words.batch_description(batch, placed)
    frame.draw_answer(
        headline=headline,
        figure_json=figure_of("batch drawing", inputs, chart),
        alt=title,
        key=KEY,
        height=_HEIGHT,
        finding=_counted(shown, whole),
        caption=joined(
            "" if is_playing else hit_words.batch_place(scenario, batch),
            hit_words.rows_caption(scenario),
            hit_words.drawn_note(scenario, shown.total, MOST_DRAWN_BATCHES),
        ),
        progress=filled.progress,
        on_stop=stopped,
    )
    return filled


def _counted(shown: drawn_batch.Shown, whole: DrawnRun | None) -> str:
    if whole is None:
        return ""
    law = batch_law(shown.scenario)
    counts = whole.counts(in_its_step=law.in_its_step)
    return hit_words.hits_sentence(shown.scenario, counts, shown.seed)


def _chart(
    shown: drawn_batch.Shown, run: DrawnRun, whole: DrawnRun | None, number: int, first: int
) -> Spec:
    scenario = shown.scenario
    law = batch_law(scenario)
    return batch_drawing(
        placement(shape_of(scenario), scenario.relation),
        run.shown[number - first],
        Counted(counts=run.counts(in_its_step=law.in_its_step, batches=number)),
        law=law,
        whole=None if whole is None else Counted(counts=whole.counts(in_its_step=law.in_its_step)),
        identity=f"batches {to_json(drawn_batch.as_drawn(scenario))}",
    )


def draw_outputs(scenario: Scenario, outputs: StepOutputs) -> None:
    """Draw the two densities of one noisy gradient, and say what they are."""
    title = hit_words.outputs_title(outputs)
    chart = figure_of(
        "step outputs chart",
        [replace(scenario, training=Training(unit="steps", count=1))],
        lambda: step_outputs_chart(outputs),
    )
    st.header("What one noisy gradient tells", anchor=False)
    draw_chart(
        chart,
        key=OUTPUTS,
        alt=hit_words.outputs_description(title, outputs),
        height=380,
        file_name="dpviz-one-noisy-gradient",
    )
    st.markdown(hit_words.outputs_sentence(scenario, outputs))


def draw_partition(shown: drawn_batch.Shown) -> None:
    """Draw which series the epoch uses in which step, where series are walked through."""
    scenario = shown.scenario
    if not scenario.sampling.is_walk:
        return
    drawn, steps = drawn_batch.as_drawn(scenario), scenario.steps_per_epoch
    epoch = (shown.number - 1) // steps
    first = epoch * steps + 1  # the same for each batch of the epoch
    partition = result_of(part_of(epoch_partition, drawn, shown.seed, first, shown.total))
    st.header("What an epoch does with the series", anchor=False)
    sentence = hit_words.partition_sentence(scenario, partition)
    draw_chart(
        figure_of(
            "partition chart", [drawn, shown.seed, first], lambda: epoch_partition_chart(partition)
        ),
        key=PARTITION,
        alt=f"{hit_words.partition_title(partition)}. {sentence}",
        height=380,
        file_name="dpviz-epoch",
    )
    st.markdown(sentence)


def counts_csv(shown: drawn_batch.Shown) -> str:
    """Return how often batches hit, up to the shown one and over all, as CSV."""
    run = result_of(shown.whole())
    in_its_step = batch_law(shown.scenario).in_its_step
    counted = [
        (f"batches 1 to {batches}", run.counts(in_its_step=in_its_step, batches=batches))
        for batches in sorted({shown.number, shown.total})
    ]
    return counted_hits_table(shown.scenario, shown.seed, counted).csv()


def answer(state: State) -> Answer:
    """Draw the batch and the hits up to it, then what one gradient tells."""
    outputs = known_outputs(state.scenario)
    headline = hit_words.batch_headline(state.scenario, outputs)
    if viewed_lesson(state) is not None:
        headline = hit_words.hits_headline(state.scenario)
    if state.scenario.shape is None:
        with st.container(key="answer"):
            st.markdown(headline)
        draw_outputs(state.scenario, outputs)
        yield NOTHING
        return
    shown = drawn_batch.Shown.of(state)
    drawn_batch.steps_bar(state, shown)
    yield draw_batch(shown, headline)
    draw_outputs(state.scenario, outputs)
    draw_partition(shown)
    offer_csv("Download the counted hits as CSV", lambda: counts_csv(shown), "dpviz-hits.csv")
    told = f"Batch {shown.number:,} of the run with seed {shown.seed:,}, from Python:"
    folded_code(lambda: [(told, batch_code(shown.scenario, shown.seed, shown.number), "python")])


def csv(state: State) -> str:
    """Return the windows of the shown batch."""
    shown = drawn_batch.Shown.of(state)
    return batch_table(shown.scenario, shown.seed, shown.number).csv()


QUESTION = Question(
    settings=drawn_batch.CONTROLS,
    in_lessons={"leak": (drawn_batch.batch_control,)},
    answer=answer,
    csv=csv,
    file="dpviz-batch.csv",
)
