"""One drawn batch in words, row by row, how often batches hit, and what a noisy gradient tells."""

from dataclasses import replace

from dpviz.guarantees import Bound, Kind, Unit, guarantee_for, in_one_direction
from dpviz.planning.drawn_batches import (
    SENSITIVE_SERIES,
    EpochPartition,
    ShownBatch,
    ShownSeries,
    ShownWindow,
)
from dpviz.planning.hit_laws import HitCheck, hit_check, hit_law
from dpviz.planning.one_bag import has_one_length
from dpviz.planning.placement import Placement
from dpviz.planning.proven import Proven
from dpviz.planning.step_outputs import StepOutputs
from dpviz.sampling.scheme import IntArray
from dpviz.scenario import Noise, Scenario
from dpviz.wording.numbers import counted, in_full, joined, rounded, rounded_down, rounded_up
from dpviz.wording.protected_values import protected_change, span_words
from dpviz.wording.scope import caveats
from dpviz.wording.theorems import extension_mark, named_theorem

# Below this a probability is easier to grasp as one in so many.
_RARE = 0.1


def counted_batches(hits: int) -> str:
    """Return what a batch with so many hits has."""
    return counted(hits, "hit") if hits else "no hit"


def batch_title(batch: ShownBatch, placed: Placement) -> str:
    """Return what the batch shows, as a finding."""
    one = "the red value" if placed.count * placed.run_length == 1 else "a red value"
    size = f"{counted(batch.num_windows, 'window')} of {batch.num_series:,} series"
    return f"Batch {batch.step + 1:,} ({size}): {_hits(batch, one)}"


def _hits(batch: ShownBatch, one: str) -> str:
    if not batch.series[0].is_drawn:
        return "the series with the red value is not in it"
    if batch.hits == 0:
        return f"its series is in it, but no drawn window holds {one}"
    verb, whose = ("holds", "its") if batch.hits == 1 else ("hold", "their")
    said = f"{counted(batch.hits, 'drawn window')} {verb} {one}"
    if batch.in_context and batch.in_forecast:
        return (
            f"{said}: {batch.in_context:,} in the context and {batch.in_forecast:,} in the forecast"
        )
    return f"{said}, in {whose} {'context' if batch.in_context else 'forecast'}"


def batch_description(batch: ShownBatch, placed: Placement) -> str:
    """Return the chart in words, for those who cannot see it."""
    series = "; ".join(
        f"series {one.series + 1:,}: "
        + (counted(len(one.windows) + one.more, "window") if one.is_drawn else "not in the batch")
        for one in batch.series
    )
    beside = ""
    if not placed.has_readable_windows:
        beside = f"Beside each series, its windows. {enlarged_heading(placed)}. "
    return (
        f"{batch_title(batch, placed)}. {rows_heading(batch)}. {series}. {beside}Below, the share "
        "of batches with 0, 1, 2 and more hits: drawn so far, drawn in all, and theory."
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
    how = "in an order that is new in each epoch"
    if scenario.sampling.is_walk_in_order:
        how = "in their order, the same in each epoch"
    opening = f"An epoch walks through the series {how}: each is in one step at most."
    if scenario.sampling.has_bins and partition.steps > 1:
        opening = (
            "An epoch puts each series into one of its steps, at random and by itself. A batch has "
            f"{rounded(partition.num_series / partition.steps, 3)} series on average; how many it "
            "has must stay secret."
        )
    if partition.drawn_steps < partition.steps:
        shown = f"Shown: the first {partition.drawn_steps:,} of its {partition.steps:,} steps."
        return f"{opening} {shown}"
    left = partition.num_series - len(partition.series)
    omitted = f"This epoch omits {left:,} series, which would not fill a batch."
    return joined(opening, omitted if left else "")


def weights_source(scenario: Scenario) -> str:
    """Return which theorem's mixture has the weights of the hits, or why none has."""
    sampling, noise = scenario.sampling, scenario.noise
    many = scenario.relation.series_per_person
    plain = replace(
        scenario,
        noise=Noise(noise_multiplier=noise.noise_multiplier),
        relation=replace(scenario.relation, series_per_person=1),
    )
    guarantee = guarantee_for(plain)
    if sampling.is_shuffled or sampling.has_bins:
        theorem = named_theorem(guarantee.upper.theorem)
        source = f"the weights of {theorem}, given that the step uses the series"
    elif guarantee.lower is None or (sampling.is_bag and not has_one_length(scenario)):
        source = "every series counted as the shortest; no theorem has these weights"
    else:
        source = f"the weights of {named_theorem(in_one_direction(guarantee.lower).theorem)}"
    if noise.is_on_windows:
        source += "; without noise on windows"
    return source if many == 1 else f"in one of up to {many:,} series of a person; {source}"


def batch_headline(scenario: Scenario, outputs: StepOutputs) -> str:
    """Return how often a batch hits and what its noisy gradient tells, as Markdown."""
    drawn, bound = outputs.drawn, outputs.drawn.bound
    whose, relation = "The noisy gradients of some models", "at least"
    if bound.bounds_from_above:
        whose, relation = "The noisy gradients", "at most"
    return (
        f"{hits_headline(scenario)} **{whose} with and without a change are {relation} "
        f"{_distance(drawn)} apart** (total variation distance, {_meaning(bound)}). The change: "
        f"{protected_change(scenario, bound)}."
    )


def hits_headline(scenario: Scenario) -> str:
    """Return how often a batch hits, as Markdown."""
    law = hit_law(scenario)
    one = "the protected value" if scenario.relation.width == 1 else "a protected value"
    several, chance = "", law.at_least(1)
    if law.at_least(2) > 0.0:
        several = f"; twice or more: {rounded(law.at_least(2), 3)}"
    place = "The one step of an epoch that uses the series" if law.in_its_step else "One batch"
    said = f"**{place} holds {one} with probability {rounded(chance, 4)}**"
    if not law.in_its_step and 0.0 < chance <= _RARE:
        rare = f"About 1 batch in {rounded(1.0 / chance, 3)}"
        said = f"**{rare} holds {one}**: probability {rounded(chance, 4)}"
    return f"{said}{several} ({weights_source(scenario)})."


def _distance(advantage: Proven) -> str:
    """Return a distance, rounded to the side on which it is bounded."""
    return (rounded_up if advantage.bound.bounds_from_above else rounded_down)(advantage.share)


def _side(bound: Bound) -> str:
    side = "upper" if bound.bounds_from_above else "lower"
    attained = ", attained by some gradients" if bound.kind is Kind.TIGHT else ""
    return f"{side} bound, {named_theorem(bound.theorem)}{attained}"


def _meaning(bound: Bound) -> str:
    """Return direction and theorem of a bound, and what one unit of it is."""
    is_epoch = bound.unit is Unit.EPOCH
    unit = "epoch, which uses the series in one step" if is_epoch else "step"
    return f"{_side(bound)}, for one {unit}"


def hits_sentence(scenario: Scenario, counts: IntArray, seed: int) -> str:
    """Return whether counted hits agree with the theory, and how much chance allows."""
    law = hit_law(scenario)
    check = hit_check(counts, law)
    steps = "steps that use the series" if law.in_its_step else "batches"
    if check.batches == 1:
        steps = "step that uses the series" if law.in_its_step else "batch"
    if check.batches == 0:
        return f"None of the drawn steps uses the series: with seed {seed:,} nothing is counted."
    verdict = ". This run is outside, as at most one seed in twenty is by chance: draw anew."
    if check.is_likely:
        verdict = ", so this run agrees."
    several, twice = "", hit_check(counts, law, hits=2)
    if twice.chance or twice.counted:
        several = (
            f"Two hits or more: {twice.counted:,}, expected {rounded(twice.expected, 3)} (95 % "
            f"range {_spread(twice)})."
        )
    hold = "holds" if 1 in (check.counted, check.batches) else "hold"
    return joined(
        f"**{check.counted:,} of {check.batches:,} {steps} {hold} a protected value; expected: "
        f"{rounded(check.expected, 4)}.** Exact range of at least 95 %: {_spread(check)}{verdict}",
        several,
    )


def _spread(check: HitCheck) -> str:
    return f"{check.low:,}" if check.low == check.high else f"{check.low:,} to {check.high:,}"


def outputs_title(outputs: StepOutputs) -> str:
    """Return what the two densities show, as a finding."""
    of = "for some models its outputs are at least"
    if outputs.drawn.bound.bounds_from_above:
        of = "its outputs are at most"
    return f"One noisy gradient: {of} {_distance(outputs.drawn)} apart"


def outputs_sentence(scenario: Scenario, outputs: StepOutputs) -> str:
    """Return which bound the two densities belong to, for whom, and what they mean."""
    drawn = outputs.drawn
    bound, change = drawn.bound, protected_change(scenario, drawn.bound)
    parts = [
        f"Output densities along the most revealing direction, with and without the change "
        f"({_meaning(bound)}; σ = {in_full(scenario.noise.noise_multiplier)}): {change}.",
        caveats(bound),
    ]
    if bound.share < 1.0:
        parts.append(
            f"Drawn for a batch with the series, which has probability {rounded(bound.share)}; the "
            "distance is multiplied by it."
        )
    if bound.other_pairs and scenario.noise.is_on_windows and not bound.bounds_from_above:
        parts.append("Drawn is one of several attacks; the best of them has the distance.")
    elif bound.other_pairs:
        parts.append("Drawn for the shortest series.")
    parts.append(_guess(drawn))
    for other in (outputs.upper, outputs.lower):
        if other is not None and other is not drawn and other.bound.theorem != bound.theorem:
            parts.append(_other(scenario, other, change))
    if outputs.lower is None:
        parts.append("No lower bound is proven for this one gradient.")
    parts.append("Privacy loss accumulates over training.")
    return joined(*parts)


def _guess(advantage: Proven) -> str:
    success = (1.0 + min(advantage.share, 1.0)) / 2.0
    if advantage.bound.bounds_from_above:
        return (
            "From that gradient alone, at even odds, nobody guesses right with probability above "
            f"{rounded_up(success)}."
        )
    if (least := rounded_down(success)) == "0.5":
        return ""  # a coin does as well
    return (
        "For some models, that gradient alone allows a right guess at even odds with probability "
        f"at least {least}."
    )


def _other(scenario: Scenario, other: Proven, change: str) -> str:
    """Return another bound on the distance, and for which change if not for the one told."""
    relation = "at most" if other.bound.bounds_from_above else "for some models at least"
    own = protected_change(scenario, other.bound)
    whom = "" if own == change else f", for {own}"
    source = f"{_side(other.bound)}{extension_mark(other.bound)}"
    return f"By {source}, the distance is {relation} {_distance(other)}{whom}."


def outputs_description(title: str, outputs: StepOutputs) -> str:
    """Return the chart of the densities for those who cannot see it."""
    shown = (
        f"{title}. Two curves, the densities of one noisy gradient with and without the change, "
        f"with their common part shaded: {_meaning(outputs.drawn.bound)}."
    )
    return joined(shown, _guess(outputs.drawn))


def drawn_note(scenario: Scenario, batches: int, most: int) -> str:
    """Return that fewer batches than usual are drawn, and why; empty where it is not so."""
    if batches >= most:
        return ""
    return (
        f"Only {batches:,} of {most:,} batches are drawn: batches of "
        f"{scenario.sampling.batch_size:,} windows take long here."
    )


MOST_PAIRS = 12


def series_label(one: ShownSeries, more: str = "<br>+ {:,} more") -> str:
    """Return the name of a row, which numbers series from 1, and how many windows are left out."""
    return f"series {one.series + 1:,}" + (more.format(one.more) if one.more else "")


def window_words(placed: Placement, window: ShownWindow) -> str:
    """Return what a window holds, values counted from 1."""
    start = window.start
    first = start - placed.context_length
    context = "reads no value"
    if placed.context_length == 0:
        context = "reads no context"
    elif start > 0:
        context = f"reads {span_words(max(first, 0), start - 1, None)}"
    if first < 0:
        context += f" and {counted(min(-first, placed.context_length), 'zero')} before them"
    predicted = span_words(start, start + placed.forecast_length - 1, None)
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
