"""A drawn batch in words, row by row, and the same draw from a neighbouring data set."""

from dpviz.planning.drawn_batches import ShownBatch, ShownSeries, ShownWindow
from dpviz.planning.placement import Placement
from dpviz.scenario import Scenario
from dpviz.wording.numbers import counted

MOST_PAIRS = 12


def series_label(one: ShownSeries, more: str = "<br>+ {:,} more") -> str:
    """Return the name of a row, which numbers series from 1, and how many windows are left out."""
    return f"series {one.series + 1:,}" + (more.format(one.more) if one.more else "")


def window_words(placed: Placement, window: ShownWindow) -> str:
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
    said = "no protected value"
    if window.in_context and window.in_forecast:
        said = "protected values in context and forecast"
    elif window.in_context or window.in_forecast:
        said = f"a protected value in its {'context' if window.in_context else 'forecast'}"
    return f"window of series {window.series + 1:,}: {context}, predicts {predicted}; {said}"


def rows_heading(batch: ShownBatch, whose: str = "the batch's ") -> str:
    """Return how many of the drawn series the rows show."""
    shown = sum(one.is_drawn for one in batch.series)
    return f"Shown: {shown:,} of {whose}{batch.num_series:,} series"


def enlarged_heading(placed: Placement) -> str:
    """Return what an enlarged window consists of."""
    parts = [("context", placed.context_length), ("forecast", placed.forecast_length)]
    return f"Enlarged: {', '.join(f'{part} {length:,}' for part, length in parts if length)}"


def rows_caption(scenario: Scenario, placed: Placement, batch: ShownBatch) -> str:
    """Return how to read the rows."""
    place = "The protected values are in series 1, placed so that the most windows touch them"
    if scenario.relation.width == 1:
        place = "The protected value is in series 1, placed so that the most windows hold it"
    where = ""
    if not placed.has_readable_windows:
        where = " Left: where each window lies in its series. Right: the windows, enlarged"
        hidden = next((one.more for one in batch.series if one.more), 0)
        where += f"; +{hidden:,}: so many more are not shown." if hidden else "."
    return f"Windows are drawn by dpviz's samplers; the lines are made up.{where} {place}."


def _values(first: int, last: int) -> str:
    return f"value {last:,}" if first == last else f"values {first:,} to {last:,}"


def pairs_of(batch: ShownBatch) -> list[ShownWindow]:
    """Return the windows that are shown of a batch, those that differ in x and x′ first."""
    windows = [window for one in batch.series for window in one.windows]
    return sorted(windows, key=lambda window: not window.is_hit)[:MOST_PAIRS]


def pair_words(placed: Placement, window: ShownWindow) -> str:
    """Return what a window holds, and whether it is the same in both data sets."""
    same = "not the same in x and x′" if window.is_hit else "the same in x and x′"
    return f"{window_words(placed, window)}; {same}"


def coupled_title(batch: ShownBatch) -> str:
    """Return the distance of the two batches, as a finding."""
    differ = f"{batch.hits:,}" if batch.hits else "none"
    differ += f" of {counted(batch.num_windows, 'window')} differ{'s' if batch.hits < 2 else ''}"
    return f"Batch {batch.step + 1:,}, drawn from x and from x′: distance {batch.hits:,}, {differ}"


def coupled_sentence(scenario: Scenario, batch: ShownBatch, *, is_next: bool = False) -> str:
    """Return what is coupled, what the distance is, and why it counts, as Markdown.

    With ``is_next``, it is not the batch of the page's drawing, but the next that hits.
    """
    values = "value" if scenario.relation.width == 1 else "values"
    pairs = pairs_of(batch)
    parts = [f"Batch {batch.step + 1:,} is the next with a hit."] if is_next else []
    parts.append(
        f"x′ differs from x in series 1's protected {values}. One draw serves both: each batch "
        "keeps its own law, and the two together are a *coupling* (Definition 3.4)."
    )
    if scenario.noise.is_on_windows:
        parts.append("Windows are compared without their noise.")
    parts.append(
        f"Its *distance*, here {batch.hits:,}, counts the windows to exchange (Definition D.5); "
        "these are the hits, as likely as above. Each exchange moves the sum of clipped gradients "
        "by at most 2 C."
    )
    if left := batch.num_windows - len(pairs):
        differing = batch.hits - sum(window.is_hit for window in pairs)
        which = "the same in both"
        if differing:
            which = f"{differing:,} of them {'differs' if differing == 1 else 'differ'}"
        parts.append(f"Not shown: {counted(left, 'window')}, {which}.")
    return " ".join(parts)


def coupled_description(batch: ShownBatch) -> str:
    """Return the chart in words, for those who cannot see it."""
    told = "; ".join(
        f"series {window.series + 1:,} from value {window.start + 1:,} on, "
        + ("differs" if window.is_hit else "the same")
        for window in pairs_of(batch)
    )
    return f"{coupled_title(batch)}. Windows side by side, forecasts by their series: {told}."
