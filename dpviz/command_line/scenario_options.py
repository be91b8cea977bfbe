"""From options, or a file of a saved scenario, to the scenario."""

import argparse
from json import JSONDecodeError
from typing import Any

from dpviz.command_line.command import SCENARIO_FIELDS, UsageError, shown, shown_path, told_of
from dpviz.command_line.files import whole_text
from dpviz.scenario import (
    SCHEMA_VERSION,
    DataShape,
    Relation,
    Scenario,
    ScenarioError,
    from_fields,
    worst_case_lengths,
)
from dpviz.scenario.data import LARGEST_COUNT, SMALLEST_RATE, most_steps_of_a_pass
from dpviz.scenario.errors import checked_integer, checked_real
from dpviz.scenario.fields import RATE_FIELDS, SHAPE_FIELDS, json_value
from dpviz.scenario.mechanism import LARGEST_BATCH, MOST_SUBSEQUENCES
from dpviz.scenario.number_text import shown_number
from dpviz.settings import option_of

OF_RATES = ("steps_per_epoch", "forecast_share")
# What simulate and audit draw depends on none of these.
NOT_SIMULATED = (
    *("noise_multiplier", "context_noise", "forecast_noise", "steps", "epochs", "num_channels"),
    "max_change",
)
# An answer has many numbers beside its scenario.
LONGEST_FILE = 1_000_000
_OBJECT = "it must hold a JSON object of scenario fields, or an answer of this program with one"
Fields = dict[str, Any]


def scenario_from(options: argparse.Namespace, sought: str | None = None) -> Scenario:
    """Return the scenario that the options, or the file they name, describe.

    Args:
        sought: a field that is left open; the scenario has some valid value of it.
    """
    given = given_fields(options)
    if options.flat:
        settle_flat(given)
    if options.scenario is not None:
        for name in given:
            flag = options.flat and name == "top_level"
            option = "--flat" if flag else shown_option(name, given[name])
            raise UsageError(
                f"{option} is not allowed: --scenario gives the whole scenario, so leave one of "
                "the two out"
            )
        return saved_scenario(options.scenario)
    if sought is not None and sought in given:
        allowed = "it is what calibrate finds; leave it out, or let --find name another quantity"
        raise ScenarioError(sought, given[sought], allowed)
    if options.command in ("simulate", "audit"):
        for name in NOT_SIMULATED:
            if name in given:
                drawn = f"which windows {options.command} draws does not depend on it"
                raise UsageError(f"{option_of(name)} has no effect here: {drawn}, so leave it out")
        given |= {"noise_multiplier": 1.0, "steps": 1}
    check_one_length(given)
    lengths = [name for name in ("steps", "epochs") if name in given]
    if sought in ("steps", "epochs"):
        for other in lengths:
            raise beside(other, given[other], f"--find {sought}")
    elif not lengths:
        raise UsageError("--steps or --epochs is needed, or a --scenario")
    _settle_data(given)
    if sought is not None:
        given[sought] = _placeholder(sought, given)
    for name in ("batch_size", "noise_multiplier"):
        if name not in given:
            raise UsageError(f"{option_of(name)} is needed, or a --scenario")
    asked = getattr(options, "target_delta" if options.command == "calibrate" else "delta", None)
    if asked is not None:  # of several, epsilon is quoted at the first one
        given["delta"] = asked[0] if isinstance(asked, list) else asked
    return from_fields({"schema": SCHEMA_VERSION, **given})


def given_fields(options: argparse.Namespace) -> Fields:
    """Return the fields of a scenario that were given as options, but for ``--flat``."""
    given = {name: getattr(options, name) for name in SCENARIO_FIELDS}
    return {name: value for name, value in given.items() if value is not None}


def settle_flat(given: Fields) -> None:
    """Add what ``--flat`` says, or refuse it beside the other options."""
    if "top_level" in given:
        raise beside("top_level", given["top_level"], "--flat")
    if given.get("num_subsequences", 1) != 1:
        several = shown_option("num_subsequences", given["num_subsequences"])
        raise UsageError(
            f"--flat is not allowed beside {several}: windows of one bag are not drawn series by "
            "series, so leave one of the two out"
        )
    given["top_level"] = "flat"


def check_one_length(given: Fields) -> None:
    """Refuse a training of so many steps and so many epochs."""
    if "steps" in given and "epochs" in given:
        raise beside("steps", given["steps"], shown_option("epochs", given["epochs"]))


def _settle_data(given: Fields) -> None:
    rates = [name for name in (*RATE_FIELDS, *OF_RATES) if name in given]
    shape = [name for name in SHAPE_FIELDS if name in given]
    if rates and shape:
        raise beside(rates[0], given[rates[0]], shown_option(shape[0], given[shape[0]]))
    needed, other = (RATE_FIELDS, SHAPE_FIELDS) if rates else (SHAPE_FIELDS, RATE_FIELDS)
    for name in needed:
        if name not in given:
            raise UsageError(
                f"{option_of(name)} is needed, or instead of the data so far "
                f"{' and '.join(option_of(field) for field in other)}, or a --scenario"
            )
    if rates:
        given.setdefault("batch_size", given.get("num_subsequences", 1))
        rho = checked_real("top_rate", given["top_rate"], SMALLEST_RATE, 1.0)
        # One pass has at most 1 / rho steps; rho may be a rounded quotient.
        given.setdefault("steps_per_epoch", min(LARGEST_COUNT, most_steps_of_a_pass(rho)))
    else:
        given |= _listed_lengths(given)


def _listed_lengths(given: Fields) -> Fields:
    lengths = [
        checked_integer("series_length", length, 1, LARGEST_COUNT)
        for length in given["series_length"]
    ]
    series = checked_integer("num_series", given["num_series"], 1, LARGEST_COUNT)
    if len(lengths) > series:
        these = f"these are {len(lengths):,} lengths for --num-series {series:,}"
        allowed = f"{these}; every distinct length is listed once"
        raise ScenarioError("series_length", given["series_length"], allowed)
    # The shape of the shortest one checks all other numbers first.
    windows = {name: given[name] for name in ("context_length", "forecast_length")}
    shape = DataShape(num_series=series, series_lengths=(min(lengths),), **windows)
    if len(set(lengths)) > 1:
        shape = worst_case_lengths(
            lengths,
            num_series=series,
            context_length=shape.context_length,
            forecast_length=shape.forecast_length,
            relation=relation_in(given),
        )
    listed: Fields = {"series_length": list(shape.series_lengths)}
    if shape.longer_series_beyond is not None:
        listed["longer_series_beyond"] = shape.longer_series_beyond
    return listed


def relation_in(given: Fields) -> Relation:
    """Return who is protected, as far as options say it and it decides which lengths count."""
    return Relation(level=given.get("relation", "event"), width=given.get("relation_width", 1))


def _placeholder(sought: str, given: Fields) -> int | float:
    """Return a value of the sought field that is valid wherever any is."""
    if sought == "num_subsequences":
        batch = checked_integer("batch_size", given.get("batch_size", 1), 1, LARGEST_BATCH)
        return 1 if given.get("top_level") == "flat" else min(batch, MOST_SUBSEQUENCES)
    if sought != "batch_size":
        return 1
    windows = checked_integer(
        "num_subsequences", given.get("num_subsequences", 1), 1, MOST_SUBSEQUENCES
    )
    if "num_series" not in given:
        return windows
    if given.get("top_level") == "flat":
        windows = int(given["series_length"][0]) - int(given["forecast_length"]) + 1
    return min(LARGEST_BATCH, int(given["num_series"]) * windows)


def beside(name: str, value: object, other: str) -> UsageError:
    """Return what to say of an option that contradicts another one."""
    return UsageError(
        f"{shown_option(name, value)} is not allowed beside {other}: leave one of the two out"
    )


def shown_option(name: str, value: object) -> str:
    """Return an option as it was given."""
    # A number that is checked is no longer as it was typed.
    text = shown_number(value) if type(value) is float else shown(value)
    return f"{option_of(name)} {text}"


def saved_scenario(path: str) -> Scenario:
    """Return the scenario in a JSON file: its fields, or an object with them as ``scenario``."""
    text = whole_text(path, LONGEST_FILE, option="--scenario")
    named = f"--scenario {shown_path(path)}"
    try:
        with told_of(named, ScenarioError):
            fields = json_value(text)
            if not isinstance(fields, dict):
                raise UsageError(f"{named} is not allowed: {_OBJECT}")
            if isinstance(fields.get("scenario"), dict) and "schema" not in fields:
                fields = fields["scenario"]
            return from_fields(fields)
    except JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise UsageError(f"{named} is not JSON ({error.msg} at {place}): {_OBJECT}") from None
    except RecursionError:
        raise UsageError(f"{named} is nested too deeply: {_OBJECT}") from None
