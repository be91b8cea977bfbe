"""Numbers as people type them into boxes: read, and held to what the field allows."""

import re

from dpviz.scenario import ScenarioError, TimeStep
from dpviz.scenario.errors import checked_integer, checked_real
from dpviz.scenario.written_number import written_real, written_whole


def typed_number(field: str, text: str, limits: tuple[float, float], *, whole: bool) -> float:
    """Return the number somebody typed into the box of a field.

    Args:
        field: the scenario's field, for the message.
        text: what was typed.
        limits: smallest and largest number allowed.
        whole: whether only a whole number will do; it is returned as an int.

    Raises:
        ScenarioError: the text is no number, or not an allowed one.

    >>> typed_number("epochs", "1e4", (1, 10**7), whole=True)
    10000
    >>> typed_number("noise_multiplier", "2,5", (0.1, 100), whole=False)
    2.5
    >>> typed_number("noise_multiplier", "250", (0.1, 100), whole=False)
    Traceback (most recent call last):
    ...
    dpviz.scenario.errors.ScenarioError: noise_multiplier = 250.0 is not allowed: it must be a \
number from 0.1 to 100.
    """
    low, high = limits
    allowed = f"a number from {low:,g} to {high:,g}"
    if whole:
        allowed = f"a whole number from {int(low):,} to {int(high):,}"
    try:
        number = written_whole(text) if whole else written_real(text)
    except ValueError:
        raise ScenarioError(field, text, f"it must be {allowed}") from None
    if whole:
        return checked_integer(field, number, int(low), int(high))
    return checked_real(field, number, low, high)


def typed_values(
    field: str, text: str, limits: tuple[float, float], time_step: TimeStep | None
) -> float:
    """Return how many values somebody typed, as a number or as the time that they cover.

    Args:
        field: the scenario's field, for the message.
        text: what was typed.
        limits: smallest and largest number allowed.
        time_step: from value to value; ``None`` where it is unknown.

    Raises:
        ScenarioError: as for :func:`typed_number`; it names the time from value to value where
            that is what a typed time lacks.

    >>> typed_values("relation_width", "2 weeks", (1, 1000), TimeStep(1, "hour"))
    336
    """
    try:
        time = TimeStep.parse(text.strip().lower())
    except ScenarioError:  # a number then, or neither
        return typed_number(field, text, limits, whole=True)
    allowed = f"a whole number from {int(limits[0]):,} to {int(limits[1]):,}"
    if time_step is None:
        raise ScenarioError(
            "time_step",
            None,
            f"it has to be set before {field} can be a time such as {str(time)!r}; until then "
            f"{field} must be {allowed}",
        )
    covered = time_step.values_in(time.count, time.unit)
    if covered is None:
        raise ScenarioError(
            field,
            text,
            f"that is no fixed number of values that are {time_step} apart (time_step); it must "
            f"be {allowed}",
        )
    return checked_integer(field, covered, int(limits[0]), int(limits[1]))


def shown_number(value: float) -> str:
    """Return a number as its box shows it: with every digit, so that nothing is changed unseen.

    >>> shown_number(1000), shown_number(0.1), shown_number(1e-7), shown_number(4.0)
    ('1000', '0.1', '1e-7', '4')
    """
    text = repr(value).removesuffix(".0")
    return re.sub(r"e([+-])0*", lambda match: "e" + match[1].replace("+", ""), text)
