"""One draw from two neighbouring data sets, in words: a coupling and its distance."""

from dpviz.planning.drawn_batches import ShownBatch, ShownSeries, ShownWindow
from dpviz.planning.placement import Placement
from dpviz.scenario import Scenario
from dpviz.wording.batch_rows import window_words
from dpviz.wording.numbers import counted

MOST_PAIRS = 12

Pair = tuple[ShownSeries, ShownWindow]


def pairs_of(batch: ShownBatch) -> list[Pair]:
    """Return the windows that are shown of a batch, those that differ in x and x′ first."""
    pairs = [(one, window) for one in batch.series for window in one.windows]
    return sorted(pairs, key=lambda pair: not pair[1].is_hit)[:MOST_PAIRS]


def pair_words(placed: Placement, one: ShownSeries, window: ShownWindow) -> str:
    """Return what a window holds, and whether it is the same in both data sets."""
    same = "not the same in x and x′" if window.is_hit else "the same in x and x′"
    return f"{window_words(placed, one, window)}; {same}"


def coupled_title(batch: ShownBatch) -> str:
    """Return the distance of the two batches, as a finding.

    >>> from dpviz.planning.drawn_batches import drawn_run
    >>> from dpviz.scenario import PRESETS
    >>> run = drawn_run(PRESETS["toy"].scenario, 1, 1, shown_from=1)
    >>> coupled_title(run.shown[0])
    'Batch 1, drawn from x and from x′: distance 0, none of 32 windows differs'
    """
    of_all = f"of {counted(batch.num_windows, 'window')}"
    differ = {0: f"none {of_all} differs", 1: f"1 {of_all} differs"}.get(
        batch.hits, f"{batch.hits:,} {of_all} differ"
    )
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
        "these are the hits, with the law above. Each exchange moves the sum of clipped gradients "
        "by at most 2 C."
    )
    if left := batch.num_windows - len(pairs):
        differing = batch.hits - sum(window.is_hit for _, window in pairs)
        which = "the same in both"
        if differing:
            which = f"{differing:,} of them {'differs' if differing == 1 else 'differ'}"
        parts.append(f"Not shown: {counted(left, 'window')}, {which}.")
    return " ".join(parts)


def coupled_description(batch: ShownBatch) -> str:
    """Return the chart in words, for those who cannot see it."""
    pairs = pairs_of(batch)
    told = "; ".join(
        f"series {one.series + 1:,} from value {window.start + 1:,} on, "
        + ("differs" if window.is_hit else "the same")
        for one, window in pairs
    )
    return f"{coupled_title(batch)}. Windows side by side, forecasts by their series: {told}."
