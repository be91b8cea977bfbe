"""One drawn batch in words: what is in it, and where a sensitive value lies."""

from dpviz.planning.drawn_batches import (
    SENSITIVE_SERIES,
    SHOWN_SERIES,
    EpochPartition,
    ShownBatch,
    ShownSeries,
    ShownWindow,
)
from dpviz.planning.placement import Placement
from dpviz.scenario import Scenario
from dpviz.wording.numbers import counted


def counted_batches(hits: int) -> str:
    """Return what a batch with so many hits has.

    >>> counted_batches(0), counted_batches(2)
    ('no sensitive window', '2 sensitive windows')
    """
    return counted(hits, "sensitive window") if hits else "no sensitive window"


def series_label(one: ShownSeries) -> str:
    """Return the name of a row, which numbers series from 1.

    >>> series_label(ShownSeries(series=0, is_drawn=False, windows=(), more=0))
    'series 1'
    >>> series_label(ShownSeries(series=4, is_drawn=True, windows=(), more=12))
    'series 5<br>+ 12 more'
    """
    more = f"<br>+ {one.more:,} more" if one.more else ""
    return f"series {one.series + 1:,}{more}"


def window_words(placed: Placement, one: ShownSeries, window: ShownWindow) -> str:
    """Return what a window holds, values counted from 1."""
    start = window.start
    first = start - placed.context_length + 1
    context = f"reads values {max(first, 1):,} to {start:,}" if start > 0 else "reads no value"
    if placed.context_length == 0:
        context = "reads no context"
    elif first < 1:
        context += f" and {counted(min(1 - first, placed.context_length), 'zero')} before them"
    last = start + placed.forecast_length
    predicted = f"value {last:,}" if last == start + 1 else f"values {start + 1:,} to {last:,}"
    said = {
        (True, True): "sensitive values in context and forecast",
        (True, False): "a sensitive value in its context",
        (False, True): "a sensitive value in its forecast",
        (False, False): "no sensitive value",
    }[window.in_context, window.in_forecast]
    return f"window of series {one.series + 1:,}: {context}, predicts {predicted}; {said}"


def batch_title(batch: ShownBatch, placed: Placement) -> str:
    """Return what the batch shows, as a finding."""
    one = "the red value" if placed.count * placed.run_length == 1 else "a red value"
    return f"Batch {batch.step + 1:,}, {batch_size_words(batch)}: {_hits(batch, one)}"


def _hits(batch: ShownBatch, one: str) -> str:
    if not batch.series[0].is_drawn:
        return "the series with the red value is not in it"
    if batch.hits == 0:
        return f"its series is in it, but no drawn window holds {one}"
    parts = [
        f"{number:,} in the {part}"
        for part, number in (("context", batch.in_context), ("forecast", batch.in_forecast))
        if number
    ]
    verb = "holds" if batch.hits == 1 else "hold"
    windows = counted(batch.hits, "drawn window")
    if len(parts) > 1:
        return f"{windows} {verb} {one}: {' and '.join(parts)}"
    whose = "its" if batch.hits == 1 else "their"
    return f"{windows} {verb} {one}, in {whose} {parts[0].rpartition(' ')[2]}"


def rows_heading(batch: ShownBatch) -> str:
    """Return how many of the drawn series the rows show."""
    drawn = sum(one.is_drawn for one in batch.series)
    return f"Shown: {drawn:,} of the batch's {batch.num_series:,} series"


def batch_size_words(batch: ShownBatch) -> str:
    """Return how large a batch is.

    >>> batch_size_words(ShownBatch(step=0, epoch=0, num_series=2, num_windows=1, series=(),
    ...                             hits=0, in_context=0, in_forecast=0))
    '1 window of 2 series'
    """
    return f"{counted(batch.num_windows, 'window')} of {batch.num_series:,} series"


def batch_description(batch: ShownBatch, placed: Placement) -> str:
    """Return the chart in words, for those who cannot see it."""
    series = "; ".join(
        f"series {one.series + 1:,}: "
        + (counted(len(one.windows) + one.more, "window") if one.is_drawn else "not in the batch")
        for one in batch.series
    )
    return (
        f"{batch_title(batch, placed)}. {rows_heading(batch)}. {series}. Below, the share of "
        "batches with 0, 1, 2 and more sensitive windows: drawn so far, drawn in all, and theory."
    )


def batch_place(scenario: Scenario, batch: ShownBatch) -> str:
    """Return where in training a batch is, and what chose it."""
    steps = scenario.steps_per_epoch
    number = f"Step {batch.step + 1:,}"
    if scenario.sampling.is_walk:
        number += f", step {batch.step % steps + 1:,} of {steps:,} in epoch {batch.epoch + 1:,}"
    if batch.step >= scenario.num_steps:
        number += f" (the run itself ends after {counted(scenario.num_steps, 'step')})"
    return f"{number}."


def rows_caption(scenario: Scenario) -> str:
    """Return how to read the rows."""
    shape = scenario.shape
    assert shape is not None  # only such scenarios are drawn
    if scenario.relation.width == 1:
        place = "The sensitive value lies in series 1, where the most windows hold it"
    else:
        place = "The sensitive values lie in series 1, where the most windows touch them"
    some = "" if shape.num_series <= SHOWN_SERIES else f" At most {SHOWN_SERIES} series are shown."
    return (
        f"Windows are those that dpviz's own samplers drew. The lines are made up. {place}.{some}"
    )


def partition_title(partition: EpochPartition) -> str:
    """Return what an epoch's partition shows."""
    own = partition.step_in_epoch[partition.series == SENSITIVE_SERIES]
    if len(own):
        place = f"series 1 is in step {int(own[0]) + 1:,} of {partition.steps:,}, and in no other"
    elif partition.drawn_steps == partition.steps:
        place = "series 1 is left out"
    else:
        place = f"series 1 is in none of the first {counted(partition.drawn_steps, 'step')}"
    return f"Epoch {partition.epoch + 1:,}: {place}"


def partition_sentence(scenario: Scenario, partition: EpochPartition) -> str:
    """Return what a pass does with the series, and how much of it is drawn."""
    how = (
        "in their order, the same in each epoch"
        if scenario.sampling.is_walk_in_order
        else "in an order that is new in each epoch"
    )
    parts = [f"An epoch walks through the series {how}: each is in one step at most."]
    if partition.drawn_steps < partition.steps:
        parts.append(
            f"Drawn are the first {partition.drawn_steps:,} of its {partition.steps:,} steps."
        )
    elif left := partition.num_series - len(partition.series):
        parts.append(f"{left:,} series do not fill a batch and are left out of this epoch.")
    return " ".join(parts)
