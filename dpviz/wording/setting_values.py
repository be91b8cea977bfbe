"""Settings in words: values, messages about them, what to mind, and what was taken back."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from dpviz.planning import ScenarioCurves
from dpviz.planning.hit_laws import single_unit_exceeds
from dpviz.planning.protection import length_with_clean_windows
from dpviz.scenario import DataShape, Scenario, to_fields
from dpviz.scenario.fields import (
    OF_RATES_FIELDS,
    RATE_FIELDS,
    SCHEMA_1_DEFAULTS,
    SHAPE_FIELDS,
    Field,
)
from dpviz.scenario.ledger import LEDGER_PARAMETERS
from dpviz.scenario.levels import levels_in
from dpviz.settings import SETTINGS, View
from dpviz.settings.destinations import PAGE_NAMES
from dpviz.settings.history import Settings, Undone
from dpviz.settings.multistage import LEAST_STAGES
from dpviz.settings.pages import changed_settings
from dpviz.wording.numbers import (
    capitalised,
    counted,
    digits_that_tell_apart,
    no_less,
    rounded,
    rounded_up,
)
from dpviz.wording.proven_epsilon import HARDLY_ANY_PROTECTION
from dpviz.wording.scope import BAG_NAMES, TOP_LEVEL_NAMES, run_length, weak_delta
from dpviz.wording.theorems import with_names

NOT_IN_USE = "–"
NAMES = {
    "top_level": TOP_LEVEL_NAMES,
    "bottom_level": {
        "with-replacement": "windows drawn with replacement",
        "poisson": "windows drawn independently",
    },
    "relation": SETTINGS["relation"].choices,
}
_ABSENT = {"max_change": "unlimited", "longer_series_beyond": "no limit"}
_UNKNOWN = "unknown"
_OF_SHAPES = (*SHAPE_FIELDS, "longer_series_beyond")
_OF_RATES = (*RATE_FIELDS, *OF_RATES_FIELDS)
_MOST_EXACT_DIGITS = 12  # quotients, such as rates, have more
_MOST_LENGTHS_LISTED = 3


def values_of(field: str, scenarios: Sequence[Scenario]) -> list[str]:
    """Return a field's value in each scenario, with digits enough to tell them apart."""
    if field == "bottom_level":
        drawn = [scenario.sampling for scenario in scenarios]
        return [(BAG_NAMES if d.is_bag else NAMES[field])[d.bottom_level] for d in drawn]
    if field in ("steps", "epochs"):
        return [run_length(scenario, "step") for scenario in scenarios]
    absent = SCHEMA_1_DEFAULTS.get(field)
    values = [to_fields(scenario).get(field, absent) for scenario in scenarios]
    digits = digits_that_tell_apart({value for value in values if isinstance(value, float)})
    told = [
        NOT_IN_USE
        if field in (_OF_RATES if scenario.shape else _OF_SHAPES)
        else _text(field, value, digits)
        for value, scenario in zip(values, scenarios, strict=True)
    ]
    lists = [set(value) for value in values if isinstance(value, list)]
    are_alike = len(lists) == len(told) and len(set(told)) == 1 and told[0] != NOT_IN_USE
    if are_alike and any(one != lists[0] for one in lists):
        # As many, with the same ends: each is told with a length that not all have.
        own = [min(one - lists[0].intersection(*lists)) for one in lists]
        told = [f"{text}, {length:,} among them" for text, length in zip(told, own, strict=True)]
    return told


def values_together(fields: Sequence[str], scenarios: Sequence[Scenario]) -> list[str]:
    """Return the values of several fields in each scenario, under their symbols."""
    columns = [values_of(field, scenarios) for field in fields]
    untold = (NOT_IN_USE, _UNKNOWN, *_ABSENT.values())
    return [
        "; ".join(
            f"{SETTINGS[field].short_name} {text}"
            for field, text in zip(fields, texts, strict=True)
            if text not in untold
        )
        or _UNKNOWN
        for texts in zip(*columns, strict=True)
    ]


def _text(field: str, value: Field | None, digits: int) -> str:
    if value is None:
        return _ABSENT.get(field, _UNKNOWN)
    if isinstance(value, str):
        return NAMES[field][value]
    if isinstance(value, list):
        if len(value) > _MOST_LENGTHS_LISTED:
            return f"{len(value)} lengths from {value[0]:,} to {value[-1]:,}"
        return " / ".join(f"{length:,}" for length in value)
    if isinstance(value, int):
        return f"{value:,}"
    return rounded(value, max(digits, _digits_of(value)))


def _digits_of(value: float) -> int:
    """Return with how many digits a setting is told exactly; 0 where that takes too many.

    What was found or typed is told as it is: a noise multiplier of 1.9255 is enough, 1.925 is not.
    """
    counts = range(1, _MOST_EXACT_DIGITS + 1)
    return next((digits for digits in counts if float(f"{value:.{digits}g}") == value), 0)


def setting_warnings(scenario: Scenario) -> dict[str, str]:
    """Return what to mind of a scenario, by the field or ``batch_share`` whose control it is at."""
    return dict(_warnings(scenario))


def _warnings(scenario: Scenario) -> Iterator[tuple[str, str]]:
    sampling, shape = scenario.sampling, scenario.shape
    if shape is not None and shape.window_length > shape.series_lengths[0]:
        yield "context_length", _long_windows(shape)
    # Of one bag r decides nothing.
    if not sampling.is_bag and scenario.bottom_rate >= 1.0:
        yield "bottom_rate", _every_window(scenario)
    if scenario.top_rate >= 1.0 and sampling.is_bag:
        if scenario.given_shape.is_of_one_length:  # else the bag has more windows than are counted
            all_windows = "Every batch has every window of the bag (Λ = N_total)"
            yield "batch_share", f"{all_windows}: drawing windows gains nothing."
    elif scenario.top_rate >= 1.0:
        way = "walking through" if sampling.is_walk else "choosing"
        yield "top_rate", f"Every batch draws every series (ρ = 1): {way} series gains nothing."
    # A criterion of σ alone would be wrong for somebody: where the protected values are hardly ever
    # drawn, chance hides them under any noise. What is proven of one step counts that in.
    if single_unit_exceeds(scenario, HARDLY_ANY_PROTECTION):
        yield (
            "noise_multiplier",
            f"So little noise hides hardly anything: even for a single {sampling.composed_unit}, "
            f"no analysis can promise ε ≤ {HARDLY_ANY_PROTECTION:g} at this δ.",
        )
    if weak := weak_delta(scenario):
        yield "delta", weak


def answer_warning(curves: ScenarioCurves, headline: str = "") -> str:
    """Return that an answer's epsilon is hardly any protection; empty where it is some.

    What no analysis can promise is not said again where the answer's ``headline`` says it.
    """
    upper, lower = curves.epsilon_upper, curves.epsilon_lower
    least = ""
    if lower is not None and lower > HARDLY_ANY_PROTECTION:
        least = no_less(lower)
    if upper is None:
        most = "No finite ε is proven, which promises nothing"
    elif upper > HARDLY_ANY_PROTECTION:
        most = f"ε ≤ {rounded_up(upper)} is hardly any protection"
    else:  # if anything, then of the individuals whom the upper bound is not about
        return f"{capitalised(least)}, which is hardly any protection." if least else ""
    is_told = least[1:] in headline  # there with a capital, or with none
    return f"{most}." if is_told else f"{most}; {least}."


def _long_windows(shape: DataShape) -> str:
    """Return that windows are longer than a series: these are padded on the left."""
    length, window = shape.series_lengths[0], shape.window_length
    which, where = ("a", "") if shape.is_of_one_length else ("the shortest", "there ")
    are = "is" if window - length == 1 else "are"
    return (
        f"A window of {counted(window, 'value')} is longer than {which} series ({length:,}): "
        f"{where}at least {counted(window - length, 'value')} of it {are} padding."
    )


def _every_window(scenario: Scenario) -> str:
    shape = scenario.shape
    series = "a series" if shape is None or shape.is_of_one_length else "the shortest series"
    # Independent draws may all miss, and noise hides more in some windows than in others.
    may_gain = scenario.sampling.takes_windows_by_coins or scenario.noise.is_on_windows
    gains = "" if may_gain else ": choosing windows gains nothing"
    every = f"Every window of {series} can touch the individual's values (r = 1){gains}."
    longer = length_with_clean_windows(scenario)
    if longer is None or (rate := rounded_up(longer[1], 3)) == "1":
        return every
    return f"{every} From {longer[0]:,} values on, r ≤ {rate}."


def labelled(message: str) -> str:
    """Return a message with what pages call fields and theorems in the place of their names.

    >>> labelled("batch_size = 0 is not allowed: it must be above 0.")
    'Batch size Λ = 0 is not allowed: it must be above 0.'
    >>> labelled("num_subsequences = 40 is not allowed: it must be at most batch_size (32).")
    'Windows per series λ = 40 is not allowed: it must be at most Batch size Λ (32).'
    >>> labelled("trained_model = 'naive' is not allowed: nothing is trained.")
    'Model = “seasonal naive” is not allowed: nothing is trained.'
    >>> labelled("upper bound by theorem dpviz 2")
    "upper bound by dpviz's Proposition 2"
    """
    name = message.partition(" ")[0].rstrip(":")
    if name in SETTINGS:
        message = SETTINGS[name].called + message.removeprefix(name)
        for value, label in NAMES.get(name, SETTINGS[name].choices).items():
            if label != value:
                message = message.replace(f" = {value!r} is not", f" = “{label}” is not", 1)
                message = message.replace(f" has {value}, but", f" has “{label}”, but", 1)
    # Further on only what cannot be an ordinary word.
    return _NAME.sub(
        lambda match: SETTINGS[match[0]].called if match[0] in SETTINGS else match[0],
        with_names(message),
    )


_NAME = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")


_MOST_TOLD = 3
_VIEW_DIGITS = 6
_LENGTHS = ("steps", "epochs")
_UNANSWERED = "unanswered"
_UNITS = ("time_step", "value_unit")
# A setting's name, and its values before and after; these are empty where they are too long.
_Change = tuple[str, str, str]


RESET_SENTENCE = "All settings of this page are reset. Undo brings back those before."


def undone_sentence(undone: Undone, here: str, *, is_again: bool = False) -> str:
    """Return what was taken back or, ``is_again``, done once more."""
    left, now = undone.left, undone.now
    verb, to = ("Done again", "to") if is_again else ("Undone", "back to")
    changes = [*_scenario_changes(left, now), *_view_changes(left.view, now.view)]
    if not changes:  # of what nobody has chosen, or of series of equal number and lengths
        is_same_file = left.file is now.file
        kind = "what your file leaves open" if is_same_file else "whose series the settings are for"
        changes = [(kind, "", "")]
    told = [
        f"{label}, from {old} {to} {new}" if old != new else label
        for label, old, new in changes[:_MOST_TOLD]
    ]
    if len(changes) > _MOST_TOLD:
        told.append(f"and {counted(len(changes) - _MOST_TOLD, 'more setting')}")
    where = f" on {PAGE_NAMES[undone.page]}" if undone.page and undone.page != here else ""
    return f"{verb}{where}: {'; '.join(told)}."


def _scenario_changes(left_settings: Settings, now_settings: Settings) -> list[_Change]:
    open_before, open_after = left_settings.unchosen, now_settings.unchosen
    left, now = left_settings.scenario, now_settings.scenario
    if left is now and open_before == open_after:
        return []
    old, new = to_fields(left), to_fields(now)
    differ = [
        name
        for name in {**old, **new}
        if (old.get(name) != new.get(name) or _opened(name) in open_before ^ open_after)
        and _opened(name) not in open_before & open_after
    ]
    if left.training.unit != now.training.unit:  # one setting under two names
        differ = [name for name in differ if name != left.training.unit]
    found: list[_Change] = []
    if isinstance(left.data, DataShape) != isinstance(now.data, DataShape):
        differ = [name for name in differ if name not in (*_OF_SHAPES, *_OF_RATES)]
        kinds = "the data's shape", "rates set by hand"
        before, after = kinds if isinstance(left.data, DataShape) else kinds[::-1]
        found.append(("What r and ρ follow from", before, after))
    for name in differ:
        label = "Training length" if name in _LENGTHS else SETTINGS[name].called
        if name in _UNITS:
            before, after = (str(fields.get(name, "unknown")) for fields in (old, new))
        else:
            before, after = values_of(name, [left, now])
        before = _UNANSWERED if _opened(name) in open_before else before
        after = _UNANSWERED if _opened(name) in open_after else after
        found.append((label, before, after))
    return found


def _opened(name: str) -> str:
    """Return what a file that leaves a field open calls it."""
    return "training" if name in _LENGTHS else name


def _view_changes(left: View, now: View) -> list[_Change]:
    before, after = changed_settings(left, now), changed_settings(now, left)
    found: list[_Change] = []
    for name in (one for one in before if one not in LEDGER_PARAMETERS):
        old, new = _view_text(name, before[name]), _view_text(name, after[name])
        if old == new:  # numbers that differ further down
            old, new = repr(before[name]), repr(after[name])
        found.append((SETTINGS[name].called, old, new))
    if len(found) < len(before):
        runs, others = (
            counted(sum(bool(getattr(view, name)) for name in LEDGER_PARAMETERS), "run")
            for view in (left, now)
        )
        found.append(("The ledger", runs, others))
    return found


def _view_text(field: str, value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return rounded(value, _VIEW_DIGITS)
    if field == "staged_levels":
        levels = levels_in(field, value, LEAST_STAGES)
        return ", ".join(f"{level.drawn:,} of {level.size:,}" for level in levels)
    if words := SETTINGS[field].choices:
        return words[value]
    return str(value).replace(",", ", ")
