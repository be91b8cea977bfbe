"""What has to be known about a comparison of one bag with series first, one sentence each."""

from dpviz.planning.one_bag import bag_size, formula_rate, has_one_length, shape_of
from dpviz.scenario import Scenario
from dpviz.scenario.mechanism import AT_RANDOM, MOST_SUBSEQUENCES
from dpviz.wording.numbers import counted, rounded
from dpviz.wording.scope import scheme_name
from dpviz.wording.subsequences import batch_notes, scenario_label

PER_STEP = "Both bounds on one bag are per step; Proposition C.2 is printed per epoch."


def bag_notes(scenario: Scenario, first: Scenario | None) -> list[str]:
    """Return what was compared, and where the settings do not fit the paper's comparison.

    Args:
        scenario: the visitor's settings.
        first: the compared run that draws series first; ``None`` where there is none.
    """
    notes = [_own_scheme(scenario, first), _steps(scenario), _lengths(scenario), _rate(scenario)]
    if first is None:
        most = counted(MOST_SUBSEQUENCES, "window")
        notes.append(f"Series cannot come first: such a batch needs more than {most} of each.")
    else:
        notes += [_fewest(scenario, first), *batch_notes([first])]
    notes += [_saturated(scenario), PER_STEP]
    return [note for note in notes if note]


def shape_note(scenario: Scenario) -> str:
    """Return what bag and batch are made of, in numbers.

    >>> from dpviz.scenario import PRESETS
    >>> shape_note(PRESETS["toy"].scenario)
    'N_total = 320 series · 20 windows each = 6,400 windows; Λ = 32 of them in a batch, \
Λ / N_total = 0.005; L_C + L_F = 1 + 1 values'
    """
    shape, size = shape_of(scenario), scenario.sampling.batch_size
    total = bag_size(shape)
    least = "" if has_one_length(scenario) else "at least "
    return (
        f"N_total = {shape.num_series:,} series · {least}{counted(shape.start_positions, 'window')}"
        f" each = {least}{total:,} windows; Λ = {size:,} of them in a batch, Λ / N_total = "
        f"{rounded(size / total)}; L_C + L_F = {shape.context_length:,} + "
        f"{shape.forecast_length:,} values"
    )


def _own_scheme(scenario: Scenario, first: Scenario | None) -> str:
    own = scenario.sampling
    if own.is_bag or first is None:
        return ""
    parts = []
    if own.top_level != AT_RANDOM:
        parts.append(
            f"The settings have {scheme_name(own)}; compared are series drawn at "
            "random, whose bound is per step as the bag's are."
        )
    if own.num_subsequences > 1 or own.takes_windows_by_coins:
        parts.append(
            f"Series first is compared with the settings' {scenario_label(first)}; a bag has no "
            "such choice."
        )
    return " ".join(parts)


def _steps(scenario: Scenario) -> str:
    if scenario.training.unit == "steps":
        return ""
    return (
        f"Both make {counted(scenario.num_steps, 'step')}, which is what "
        f"{counted(scenario.num_epochs, 'epoch')} of the settings come to; a pass over all windows "
        "of the bag is longer."
    )


def _lengths(scenario: Scenario) -> str:
    if has_one_length(scenario):
        return ""
    return (
        "The series have several lengths. The bag is counted as if all had the shortest: it has "
        "more windows, and upper bounds stay upper bounds. No lower bound is stated."
    )


def _rate(scenario: Scenario) -> str:
    rate = formula_rate(scenario)
    if rate <= 1.0:
        return ""
    return (
        f"Λ (L_C + L_F) / N_total = {rounded(rate, 3)} is above 1. With one window per series such "
        "a setting does not exist in the paper's Fig. 13: a series has fewer windows than one "
        "individual would be in, or a batch is larger than the number of series. What is compared "
        "here instead is what this data set allows."
    )


def _fewest(scenario: Scenario, first: Scenario) -> str:
    windows = first.sampling.num_subsequences
    if not scenario.sampling.is_bag or windows == 1:
        return ""
    size, series = first.sampling.batch_size, shape_of(scenario).num_series
    return (
        f"A batch of {size:,} windows cannot take one window each of {series:,} series: "
        f"{windows:,} each are the fewest that fit."
    )


def _saturated(scenario: Scenario) -> str:
    shape = shape_of(scenario)
    k, positions = scenario.touched_windows, shape.start_positions
    if k != positions or not has_one_length(scenario):
        return ""
    has = f"A series has only {counted(positions, 'window')}"
    return f"{has}, and one individual can be in all of them: longer windows change nothing."
