"""The rows of a drawn batch in words: each series, each window, and how to read them."""

from dpviz.planning.drawn_batches import SHOWN_SERIES, ShownBatch, ShownSeries, ShownWindow
from dpviz.planning.placement import Placement
from dpviz.scenario import Scenario
from dpviz.wording.numbers import counted


def series_label(one: ShownSeries) -> str:
    """Return the name of a row, which numbers series from 1.

    >>> series_label(ShownSeries(series=0, is_drawn=False, windows=(), more=0))
    'series 1'
    >>> series_label(ShownSeries(series=4, is_drawn=True, windows=(), more=12))
    'series 5<br>+ 12 more'
    """
    more = f"<br>+ {one.more:,} more" if one.more else ""
    return f"series {one.series + 1:,}{more}"


def short_series_label(one: ShownSeries) -> str:
    """Return the same in one line, for rows that have no room for two.

    >>> short_series_label(ShownSeries(series=4, is_drawn=True, windows=(), more=12))
    'series 5 +12'
    """
    return f"series {one.series + 1:,}" + (f" +{one.more:,}" if one.more else "")


def window_words(placed: Placement, one: ShownSeries, window: ShownWindow) -> str:
    """Return what a window holds, values counted from 1."""
    start = window.start
    first = start - placed.context_length + 1
    context = f"reads {_values(max(first, 1), start)}" if start > 0 else "reads no value"
    if placed.context_length == 0:
        context = "reads no context"
    elif first < 1:
        context += f" and {counted(min(1 - first, placed.context_length), 'zero')} before them"
    last = start + placed.forecast_length
    predicted = _values(start + 1, last)
    said = {
        (True, True): "protected values in context and forecast",
        (True, False): "a protected value in its context",
        (False, True): "a protected value in its forecast",
        (False, False): "no protected value",
    }[window.in_context, window.in_forecast]
    return f"window of series {one.series + 1:,}: {context}, predicts {predicted}; {said}"


def rows_heading(batch: ShownBatch) -> str:
    """Return how many of the drawn series the rows show."""
    return f"Shown: {_shown(batch):,} of the batch's {batch.num_series:,} series"


def shown_words(batch: ShownBatch) -> str:
    """Return the same in few words."""
    return f"Shown: {_shown(batch):,} of {batch.num_series:,} series"


def _shown(batch: ShownBatch) -> int:
    return sum(one.is_drawn for one in batch.series)


def enlarged_heading(placed: Placement) -> str:
    """Return what an enlarged window consists of."""
    parts = [("context", placed.context_length), ("forecast", placed.forecast_length)]
    return f"Enlarged: {', '.join(f'{part} {length:,}' for part, length in parts if length)}"


def missing_words(one: ShownSeries) -> str:
    """Return why no window of a series is drawn.

    >>> missing_words(ShownSeries(series=0, is_drawn=False, windows=(), more=0))
    'not in the batch'
    """
    return "no window drawn" if one.is_drawn else "not in the batch"


def rows_caption(scenario: Scenario, placed: Placement, batch: ShownBatch) -> str:
    """Return how to read the rows."""
    shape = scenario.given_shape
    if scenario.relation.width == 1:
        place = "The protected value is in series 1, where most windows hold it"
    else:
        place = "The protected values are in series 1, where most windows touch them"
    some = "" if shape.num_series <= SHOWN_SERIES else f" At most {SHOWN_SERIES} series are shown."
    where = ""
    if not placed.has_readable_windows:
        where = " Left: where each window lies in its series. Right: the windows, enlarged"
        hidden = next((one.more for one in batch.series if one.more), 0)
        where += f"; +{hidden:,}: so many more are not shown." if hidden else "."
    return f"Windows are drawn by dpviz's samplers; the lines are made up.{where} {place}.{some}"


def _values(first: int, last: int) -> str:
    return f"value {last:,}" if first == last else f"values {first:,} to {last:,}"
