"""Who is protected, what a bound is about and what it needs, for one run or for several."""

from collections.abc import Sequence

from dpviz.guarantees import Bound
from dpviz.planning import ScenarioCurves
from dpviz.scenario import Relation, Sampling, Scenario, Units
from dpviz.scenario.data import RATE_ROUNDING
from dpviz.settings import SETTINGS
from dpviz.wording.numbers import capitalised, counted, joined, listed, rounded_down
from dpviz.wording.theorems import named_theorem

TOP_LEVEL_NAMES = {
    "without-replacement": "series drawn at random",
    "deterministic": "series walked through in order",
    "shuffled": "series walked through, shuffled anew each epoch",
    "bins": "series each in one batch of an epoch, at random (bins)",
    "poisson": "series drawn by coins (Poisson)",
    "flat": "windows drawn from one bag",
}

# Where protected values lie.
PLACES = {
    level: name.removeprefix("values ") for level, name in SETTINGS["relation"].choices.items()
}
BOTTOM_LEVEL_NAMES = {
    "with-replacement": "a fixed number, with replacement",
    "poisson": "each by itself (Poisson)",
}
# For which runs noise on windows is credited (Theorem G.1).
CREDITED_NOISE = (
    f"one window per series (λ = 1), “{BOTTOM_LEVEL_NAMES['with-replacement']}”, of series, not of "
    "one bag, and a person in one series"
)
BAG_NAMES = {
    "with-replacement": "fixed batch size",
    "poisson": "each window by a coin (Poisson, Opacus's default)",
}


def scheme_name(sampling: Sampling) -> str:
    """Return how series, or windows of one bag, are drawn."""
    if sampling.is_bag:
        return f"one bag, {BAG_NAMES[sampling.bottom_level]}"
    return TOP_LEVEL_NAMES[sampling.top_level]


def protected_unit(relation: Relation, units: Units) -> str:
    """Return what one individual may change, as in "hides ..."."""
    where = of_series(relation)
    if relation.width == 1:
        return f"any single value {where}"
    if relation.level == "user":
        return f"any {relation.width:,} values {where}"
    duration = "" if units.time_step is None else f" ({units.time_step.duration(relation.width)})"
    return f"any {relation.width:,} consecutive values{duration} {where}"


def of_series(relation: Relation) -> str:
    """Return in how many series values may change."""
    many = relation.series_per_person
    return "of one series" if many == 1 else f"of each of up to {many:,} series"


def per_series(scenario: Scenario) -> list[str]:
    """Return that hits are counted in one series, where a person is in several."""
    many = scenario.relation.series_per_person
    return [] if many == 1 else [f"Counted are those in one of up to {many:,} series of a person."]


def protected_in(scenario: Scenario) -> str:
    """Return what one individual may change in a scenario."""
    relation = scenario.relation
    if relation.width > 1 and is_everything(scenario):  # a series may have fewer values than w
        return f"the whole {of_series(relation)}"
    return protected_unit(relation, scenario.units)


def is_everything(scenario: Scenario) -> bool:
    """Return whether all values of any one series may change."""
    shape = scenario.shape
    if shape is None or shape.longer_series_beyond is not None:
        return False
    return scenario.relation.width >= shape.series_lengths[-1]


def relation_name(relation: Relation) -> str:
    """Return the neighbouring relation in the field's words."""
    values, where = counted(relation.width, "value"), of_series(relation)
    if relation.width > 1 and relation.level == "user":
        values, where = f"{values} anywhere", where.replace("of", "in", 1)
    elif relation.width > 1:
        values += " in a row"
    name = f"{relation.width:,}-{relation.level} privacy"
    return f"{name}: substitution of at most {values} {where}"


def run_length(scenario: Scenario, step: str = "training step") -> str:
    """Return the length of training as the user set it, and what it comes to."""
    if scenario.training.unit == "steps":
        return counted(scenario.num_steps, step)
    return f"{counted(scenario.num_epochs, 'epoch')} ({counted(scenario.num_steps, 'step')})"


def batches_of_an_epoch(scenario: Scenario) -> str:
    """Return into which batches an epoch puts its series, where each is in one of them."""
    number = scenario.steps_per_epoch
    return "its only batch" if number == 1 else f"one of its {number:,} batches"


_LARGE_DELTA = 0.1

Runs = Sequence[tuple[str, ScenarioCurves]]


def named_protected_unit(curves: ScenarioCurves) -> str:
    """Return what one individual may change, with the relation's name."""
    return f"{protected_in(curves.scenario)} ({relation_name(curves.scenario.relation)})"


def briefly_protected(scenario: Scenario) -> str:
    """Return what one individual may change, with the relation's short name."""
    return _briefly(protected_in(scenario), scenario.relation)


def _briefly(whom: str, relation: Relation) -> str:
    return f"{whom} ({relation_name(relation).partition(':')[0]}, substitution)"


def protection_sentence(runs: Runs) -> str:
    """Return who is protected in all runs, or in which of them where they differ."""
    scenarios, labels = [curves.scenario for _, curves in runs], dict[str, list[str]]()
    whom = [briefly_protected(one) for one in scenarios]
    units = [_briefly(protected_unit(one.relation, one.units), one.relation) for one in scenarios]
    if len(set(units)) == 1 < len(set(whom)):  # they are the whole of the shorter series alone
        whom = units
    for (label, _), words in zip(runs, whom, strict=True):
        labels.setdefault(words, []).append(label)
    if len(labels) == 1:
        return f"Protected is {next(iter(labels))}."
    each = " ".join(f"{capitalised(listed(of))}: {words}." for words, of in labels.items())
    return f"The runs differ in who is protected. {each}"


def conditions(bounds: Sequence[Bound], names: Sequence[str] = ()) -> str:
    """Return what several bounds need, and what dpviz adds to them, each once.

    Of those with a name it is said to which alone something belongs that others by the same
    theorem do not have. What several theorems have alike is said of them together.
    """
    # By what each sentence begins with: its parts, and of whom each is said.
    said: dict[tuple[str, str], dict[str, list[str]]] = {}
    named = list(zip(bounds, names or [""] * len(bounds), strict=True))
    for bound, name in named:
        # Of extensions that add to each other, several bounds may share one.
        parts = [
            (" holds if", bound.condition),
            *((":", one) for one in bound.extension.split("; ")),
        ]
        for verb, part in parts:
            if part:
                said.setdefault((bound.theorem, verb), {}).setdefault(part, []).append(name)
    of_theorems: dict[tuple[str, str], list[str]] = {}
    for (theorem, verb), of_parts in said.items():
        every = [name for bound, name in named if bound.theorem == theorem]
        for part, of in of_parts.items():
            told = part if not names or of == every else f"{part} ({listed(of)} only)"
            of_theorems.setdefault((verb, told), []).append(named_theorem(theorem))
    sentences: dict[str, list[str]] = {}
    for (verb, told), theorems in of_theorems.items():
        verb = verb if len(theorems) == 1 else verb.replace("holds", "hold")
        sentences.setdefault(f"{listed(theorems)}{verb}", []).append(told)
    return " ".join(f"{start} {'; '.join(told)}." for start, told in sentences.items())


def rates_by_hand(scenario: Scenario) -> str:
    """Return that nothing vouches for rates that were given directly; empty where none were."""
    if scenario.shape is not None:
        return ""
    return "r and ρ were set by hand: that they are those of the training has to be shown."


def caveats(bound: Bound) -> str:
    """Return what one bound needs, and what dpviz adds to it, as sentences."""
    return joined(*caveat_sentences(bound))


def caveat_sentences(bound: Bound) -> list[str]:
    """Return the same one by one."""
    needed = f"it holds if {bound.condition}" if bound.condition else ""
    # dpviz's own name stays small.
    return [
        f"{said if said.startswith('dpviz') else capitalised(said)}."
        for said in filter(None, (needed, bound.extension))
    ]


def weak_delta(scenario: Scenario) -> str:
    """Return what is wrong with a large delta; nothing where it is small.

    To publish one of N series, drawn at random, gives an individual in up to m of them away with
    a chance of m / N: that keeps every delta from m / N on, at any epsilon. To publish all with the
    chance delta keeps it, too, which is told where it is large though series are few, or not
    counted.
    """
    num_series = None if scenario.shape is None else scenario.shape.num_series
    return large_delta(scenario.delta, num_series, scenario.relation.series_per_person)


def large_delta(delta: float, num_series: int | None = None, series_per_person: int = 1) -> str:
    """Return the same of a delta by itself, or of so many series."""
    # 1 / 49 times 49 is a little below 1 in doubles.
    least = series_per_person * (1.0 - RATE_ROUNDING)
    if num_series is not None and delta * num_series >= least:
        published = f"one of the {num_series:,} series, drawn at random,"
    elif delta >= _LARGE_DELTA:
        published = f"everything with a probability of {rounded_down(delta)}"
    else:
        return ""
    return f"So large a δ promises little: who publishes {published} keeps it."
