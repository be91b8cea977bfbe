"""The values of a scenario's fields as short texts, for tables that compare scenarios."""

from collections.abc import Sequence

from dpviz.scenario import Sampling, Scenario, to_fields
from dpviz.scenario.fields import OF_RATES_FIELDS, RATE_FIELDS, SHAPE_FIELDS, Field
from dpviz.settings import SETTINGS
from dpviz.wording.numbers import counted, rounded
from dpviz.wording.scope import BAG_NAMES, TOP_LEVEL_NAMES

NOT_IN_USE = "–"
NAMES = {
    "top_level": TOP_LEVEL_NAMES,
    "bottom_level": {
        "with-replacement": "windows drawn with replacement",
        "poisson": "windows drawn independently",
    },
    "relation": SETTINGS["relation"].choices,
}
_ABSENT = {"max_change": "unlimited", "longer_series_beyond": "none"}
_UNKNOWN = "unknown"
_OF_SHAPES = (*SHAPE_FIELDS, "longer_series_beyond")
_OF_RATES = (*RATE_FIELDS, *OF_RATES_FIELDS)
_DIGITS = 4
_MOST_EXACT_DIGITS = 6
_MOST_DIGITS = 17  # any two floats differ in these
_MOST_LENGTHS_LISTED = 3


def values_of(field: str, scenarios: Sequence[Scenario]) -> list[str]:
    """Return a field's value in each scenario, with digits enough to tell them apart.

    >>> from dpviz.scenario import PRESETS
    >>> scenarios = [PRESETS["toy"].scenario, PRESETS["traffic"].scenario]
    >>> values_of("series_length", scenarios), values_of("noise_multiplier", scenarios)
    (['20', '17,544'], ['1', '4'])
    """
    if field == "bottom_level":
        return [_windows_drawn(scenario.sampling) for scenario in scenarios]
    if field in ("steps", "epochs"):
        return [training_length(scenario) for scenario in scenarios]
    values = [to_fields(scenario).get(field) for scenario in scenarios]
    reals = {value for value in values if isinstance(value, float)}
    digits = _digits_that_tell_apart(reals)
    return [
        _text(field, value, digits) if _is_in_use(field, scenario) else NOT_IN_USE
        for value, scenario in zip(values, scenarios, strict=True)
    ]


def values_together(fields: Sequence[str], scenarios: Sequence[Scenario]) -> list[str]:
    """Return the values of several fields in each scenario, under their symbols.

    >>> from dpviz.scenario import PRESETS
    >>> values_together(("bottom_rate", "top_rate"), [PRESETS["toy"].scenario.with_rates()])
    ['r 0.1; ρ 0.1']
    """
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


def training_length(scenario: Scenario) -> str:
    """Return the length of training in its own unit, and the steps that it comes to.

    >>> from dpviz.scenario import PRESETS
    >>> training_length(PRESETS["traffic"].scenario)
    '4,000 epochs (12,000 steps)'
    """
    if scenario.training.unit == "steps":
        return counted(scenario.num_steps, "step")
    return f"{counted(scenario.num_epochs, 'epoch')} ({counted(scenario.num_steps, 'step')})"


def _windows_drawn(sampling: Sampling) -> str:
    names = BAG_NAMES if sampling.is_bag else NAMES["bottom_level"]
    return names[sampling.bottom_level]


def _is_in_use(field: str, scenario: Scenario) -> bool:
    return field not in (_OF_RATES if scenario.shape else _OF_SHAPES)


def _digits_that_tell_apart(values: set[float]) -> int:
    enough = (
        digits
        for digits in range(_DIGITS, _MOST_DIGITS)
        if len({rounded(value, digits) for value in values}) == len(values)
    )
    return next(enough, _MOST_DIGITS)


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
    exact = (
        digits
        for digits in range(1, _MOST_EXACT_DIGITS + 1)
        if float(f"{value:.{digits}g}") == value
    )
    return next(exact, 0)
