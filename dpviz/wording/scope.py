"""Who is protected, and what a bound is about, in words."""

from dpviz.scenario import Relation, Sampling, Scenario, Units
from dpviz.wording.numbers import counted

TOP_LEVEL_NAMES = {
    "without-replacement": "series drawn at random",
    "deterministic": "series walked through in order",
    "shuffled": "series walked through, shuffled anew each epoch",
    "poisson": "series drawn by coins (Poisson)",
    "flat": "windows drawn from one bag",
}

BOTTOM_LEVEL_NAMES = {
    "with-replacement": "a fixed number, with replacement",
    "poisson": "each by itself (Poisson)",
}
BAG_NAMES = {
    "with-replacement": "fixed batch size",
    "poisson": "each window by a coin (Poisson, Opacus's default)",
}


def scheme_name(sampling: Sampling) -> str:
    """Return how series, or windows of one bag, are drawn.

    >>> scheme_name(Sampling(batch_size=32, top_level="flat"))
    'one bag, fixed batch size'
    """
    if sampling.is_bag:
        return f"one bag, {BAG_NAMES[sampling.bottom_level]}"
    return TOP_LEVEL_NAMES[sampling.top_level]


def protected_unit(relation: Relation, units: Units) -> str:
    """Return what one individual may change, as in "hides ...".

    >>> from dpviz.scenario import TimeStep
    >>> protected_unit(Relation(width=24), Units(time_step=TimeStep(1, "hour")))
    'any 24 consecutive values (1 day) of one series'
    >>> protected_unit(Relation(), Units())
    'any single value of one series'
    """
    if relation.width == 1:
        return "any single value of one series"
    if relation.level == "user":
        return f"any {relation.width:,} values of one series"
    duration = "" if units.time_step is None else f" ({units.time_step.duration(relation.width)})"
    return f"any {relation.width:,} consecutive values{duration} of one series"


def protected_in(scenario: Scenario) -> str:
    """Return what one individual may change in a scenario."""
    return protected_unit(scenario.relation, scenario.units)


def relation_name(relation: Relation) -> str:
    """Return the neighbouring relation in the field's words.

    >>> relation_name(Relation(level="user", width=4))
    '4-user privacy: substitution of at most 4 values anywhere in one series'
    """
    place = "anywhere in" if relation.level == "user" else "in a row of"
    values = f"{counted(relation.width, 'value')} {place}" if relation.width > 1 else "1 value of"
    name = f"{relation.width:,}-{relation.level} privacy"
    return f"{name}: substitution of at most {values} one series"


def run_length(scenario: Scenario) -> str:
    """Return the length of training as the user set it, and what it comes to.

    >>> from dpviz.scenario import PRESETS
    >>> run_length(PRESETS["traffic"].scenario)
    '4,000 epochs (12,000 steps)'
    """
    if scenario.training.unit == "steps":
        return counted(scenario.num_steps, "training step")
    return f"{counted(scenario.num_epochs, 'epoch')} ({counted(scenario.num_steps, 'step')})"
