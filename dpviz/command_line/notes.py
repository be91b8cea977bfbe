"""What a user should know about his own numbers: what they mean, and which change nothing."""

from collections.abc import Collection

from dpviz.scenario import DataShape, Rates, Scenario
from dpviz.settings import option_of
from dpviz.wording.numbers import rounded


def notes_on(scenario: Scenario, given: Collection[str] = ()) -> list[str]:
    """Return sentences about a scenario that its bounds do not say, without full stops.

    Args:
        given: the fields that the user gave as options; of a file, where a field may just have
            to be there, none.

    >>> from dataclasses import replace
    >>> from dpviz.scenario import PRESETS, Noise
    >>> noise = Noise(noise_multiplier=1.0, forecast_noise=2.0)
    >>> notes_on(replace(PRESETS["toy"].scenario, noise=noise))
    ['forecast-noise 2 means 2 x the largest change of one value, which the data must not exceed']
    """
    data = scenario.data
    notes = [*_noise_notes(scenario), *_change_notes(scenario)]
    if isinstance(data, Rates):
        return notes + _rate_notes(scenario, data, given)
    return notes + _reach_notes(scenario, data) + _epoch_notes(scenario, data)


def _noise_notes(scenario: Scenario) -> list[str]:
    if not _uses_window_noise(scenario):
        return []
    notes, change = [], scenario.relation.max_change
    for field, place in (("context_noise", "contexts"), ("forecast_noise", "labels")):
        sigma = getattr(scenario.noise, field)
        if sigma == 0.0:
            continue
        name = f"{_name(field)} {sigma:g}"
        if change is None:
            notes.append(
                f"{name} means {sigma:g} x the largest change of one value, which the data must "
                "not exceed"
            )
        else:
            notes.append(
                f"noise of standard deviation {sigma * change:.6g} on {place} = {name} x "
                f"{_name('max_change')} {change:g}"
            )
    return notes


def _change_notes(scenario: Scenario) -> list[str]:
    relation = scenario.relation
    unused = [f"{_name('max_change')} {relation.max_change:g}"] if relation.max_change else []
    if relation.num_channels > 1:
        unused.append(f"{_name('num_channels')} {relation.num_channels:,}")
    if not unused or _uses_window_noise(scenario):
        return []
    noise = scenario.noise
    why = "there is no noise on contexts or labels"
    if noise.is_on_windows:
        why = "no bound here makes use of noise on contexts or labels"
    verb = "changes" if len(unused) == 1 else "change"
    return [
        f"{' and '.join(unused)} {verb} nothing, as {why}: the bounds hold for any change of a "
        "value in any channels"
    ]


def _rate_notes(scenario: Scenario, rates: Rates, given: Collection[str]) -> list[str]:
    notes = []
    counts_steps = scenario.training.unit == "steps"
    if counts_steps and not scenario.sampling.is_walk:
        if "steps_per_epoch" in given:
            notes.append(_without_effect("steps_per_epoch", rates.steps_per_epoch, "steps count"))
    elif rates.steps_per_epoch > scenario.steps_per_epoch:
        notes.append(
            f"{_name('steps_per_epoch')} {rates.steps_per_epoch:,} counts as "
            f"{scenario.steps_per_epoch:,}, the most that one pass has with "
            f"{_name('top_rate')} {rates.top_rate:g}"
        )
    if "batch_size" in given:
        size = scenario.sampling.batch_size
        notes.append(_without_effect("batch_size", size, f"{_name('top_rate')} counts"))
    if "forecast_share" in given and not _uses_window_noise(scenario):
        why = "it is for noise on contexts or labels"
        notes.append(_without_effect("forecast_share", rates.forecast_share or 0.0, why))
    return notes


def _reach_notes(scenario: Scenario, shape: DataShape) -> list[str]:
    notes, relation = [], scenario.relation
    shortest, series = shape.series_lengths[0], "the series"
    if len(shape.series_lengths) > 1:
        series = "the shortest series"
    if relation.width > shortest:
        notes.append(
            f"{_name('relation_width')} {relation.width:,} is more than the {shortest:,} values of "
            f"{series}: all of them may change"
        )
    if scenario.touched_windows == shape.start_positions:
        notes.append(
            f"every window contains a protected value (r = 1): one individual reaches all "
            f"{shape.start_positions:,} windows of {series}"
        )
    return notes


def _epoch_notes(scenario: Scenario, shape: DataShape) -> list[str]:
    sampling, steps = scenario.sampling, scenario.steps_per_epoch
    if sampling.is_bag:
        if scenario.training.unit == "steps":
            return []
        return [
            f"an epoch of one bag is a pass over all {sampling.largest_batch(shape):,} windows "
            f"({steps:,} steps), not over all series"
        ]
    left_out = shape.num_series - steps * sampling.series_per_batch
    if sampling.is_walk_in_order and left_out > 0:
        return [
            f"the walk leaves the last {left_out:,} of {shape.num_series:,} series out of every "
            "epoch: they are never used"
        ]
    if sampling.has_bins and left_out > 0:
        return [
            f"bins leave no series out: a batch has {shape.num_series:,} / {steps:,} = "
            f"{rounded(shape.num_series / steps, 4)} series on average, and the sum is divided by "
            f"the fixed batch size {sampling.batch_size:,}"
        ]
    return []


def _uses_window_noise(scenario: Scenario) -> bool:
    """Return whether there is noise on windows that a bound makes use of."""
    noise, sampling = scenario.noise, scenario.sampling
    return (
        max(noise.context_noise, noise.forecast_noise) > 0.0
        and sampling.num_subsequences == 1
        and not sampling.takes_windows_by_coins
        and not sampling.is_bag
    )


def _without_effect(field: str, value: float, why: str) -> str:
    shown = f"{value:,}" if isinstance(value, int) else f"{value:g}"
    return f"{_name(field)} {shown} changes nothing here: {why}"


def _name(field: str) -> str:
    return option_of(field).removeprefix("--")
