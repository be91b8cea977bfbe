"""What the results of a sweep say."""

from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from dpviz.scenario import Scenario, ScenarioError
from dpviz.settings import SETTINGS
from dpviz.settings.sweep import SWEEP_AXES
from dpviz.sweeps.results import SweepResults, varying
from dpviz.wording.markup import plain
from dpviz.wording.numbers import counted, joined, listed, power_of_ten, rounded_down, rounded_up
from dpviz.wording.scope import PLACES, protected_in, protected_unit
from dpviz.wording.setting_values import NAMES, NOT_IN_USE, values_of
from dpviz.wording.theorems import named_theorem

_MOST_THEOREMS = 5
_OF_PROTECTED = {"relation", "relation_width", "series_per_person", "time_step"}
# Short enough to stand beside each other on a phone.
_SHORT_NAMES = {
    "epsilon_upper": ("ε", "at most"),
    "epsilon_lower": ("ε", "at least"),
    "count": ("units", ""),
    "series_length": ("length", "L"),
    "top_level": ("series", "chosen"),
    "bottom_level": ("windows", "chosen"),
    "relation": ("values", "lie"),
    "max_change": ("change", "v"),
    "num_channels": ("channels", ""),
    "longer_series_beyond": ("left out", "beyond"),
    "steps_per_epoch": ("steps", "per epoch"),
    "forecast_share": ("forecast", "φ"),
    "touched_windows": ("touched", "k"),
    "start_positions": ("starts", "T"),
}
_SHORT_WORDS = {
    "top_level": {
        "without-replacement": "at random",
        "poisson": "by coins",
        "flat": "one bag",
        "deterministic": "in order",
        "shuffled": "shuffled",
        "bins": "in bins",
    },
    "bottom_level": {"with-replacement": "fixed", "poisson": "by coins"},
    "relation": PLACES,
}
_LONGEST_WORD = 16
# What the sentence on a row says in other words.
_TOLD = {"epsilon_upper", "count", "steps", "epochs", "delta", *_OF_PROTECTED}


def short_axis_name(column: str) -> tuple[str, str]:
    """Return one or two short lines for a column; the second may be empty."""
    return _SHORT_NAMES.get(column) or (SETTINGS[column].noun, SETTINGS[column].symbol)


def short_word(column: str, word: str) -> str:
    """Return a column's word where there is little room; it may be anybody's.

    >>> short_word("relation", "event"), short_word("series_length", "20,30,40,50,60,70")
    ('in a row', '20 … 70 (6)')
    """
    short = _SHORT_WORDS.get(column, {}).get(word, word).replace(",", " / ")
    if len(short) <= _LONGEST_WORD:
        return short
    if word.replace(",", "").isdecimal():
        lengths = word.split(",")  # a number that is cut off would be another one
        return f"{lengths[0]} … {lengths[-1]} ({len(lengths)})"
    return f"{short[:_LONGEST_WORD]} …"


def results_headline(results: SweepResults, shown: NDArray[np.int64], most: float) -> str:
    """Return how many rows are shown, and the range of their upper bounds, as Markdown."""
    total = counted(len(results.rows), "scenario")
    if len(shown) == 0:
        return f"**None of {total} has ε ≤ {rounded_down(most)}.**"
    epsilons = results.numbers["epsilon_upper"][shown]
    deltas = results.numbers["delta"][shown]
    least, most_delta = (power_of_ten(float(one)) for one in (deltas.min(), deltas.max()))
    at = f"at δ = {least}"
    if least != most_delta:
        at = f"each at its own δ, {least} to {most_delta}"
    left_out = len(results.rows) - len(shown)
    exceed = "exceeds" if left_out == 1 else "exceed"
    filtered = f"; {left_out:,} of {total} {exceed} your limit" if left_out else ""
    others = (
        f"{counted(results.others, 'row')} of the file {'is' if results.others == 1 else 'are'} "
        "left out: refused, failed, or without a finite ε (column `status`)."
    )
    return joined(
        f"**{counted(len(shown), 'scenario')}: ε ≤ {epsilons_range(epsilons)}** (upper "
        f"bound{'' if len(shown) == 1 else 's'}{_theorems(results, shown)}) {at}, "
        f"{_protected(results, shown)}{filtered}.",
        _needed(results, shown),
        others if results.others else "",
    )


def _protected(results: SweepResults, shown: NDArray[np.int64]) -> str:
    """Return for whom the bounds are, where that is the same in all rows."""
    if "relation" not in results.fields:
        return "for those whom the file does not name"
    named = [column[shown] for name, column in results.fields.items() if name in _OF_PROTECTED]
    if len(set(zip(*named, strict=True))) == 1:
        with suppress(ScenarioError):  # the file's fields may be none
            first = results.scenario_at(int(shown[0]))  # the series of other rows may be longer
            return f"for {plain(protected_unit(first.relation, first.units))}"
    return "each for those whom its row names"


def _needed(results: SweepResults, shown: NDArray[np.int64]) -> str:
    """Return what has to hold for the bounds, as the file tells it."""
    words = results.words.get("upper_condition")
    told = set() if words is None else set(words[shown].tolist())
    if not any(told):
        return ""
    which = "Some hold" if len(told) > 1 else "It holds" if len(shown) == 1 else "All hold"
    return f"{which} only if {listed(sorted(plain(one) for one in told if one))}."


def _theorems(results: SweepResults, shown: NDArray[np.int64]) -> str:
    """Return the theorems of the upper bounds, where the file tells them and they are few."""
    words = results.words.get("upper_theorem")
    told = set() if words is None else set(words[shown].tolist()) - {""}
    if not 0 < len(told) <= _MOST_THEOREMS:
        return ""
    return f", {listed(sorted(plain(named_theorem(one)) for one in told))}"


def epsilons_range(epsilons: NDArray[np.float64]) -> str:
    """Return the smallest and the largest of some upper bounds."""
    low, high = rounded_up(float(epsilons.min())), rounded_up(float(epsilons.max()))
    return low if low == high else f"{low} to {high}"


def results_description(results: SweepResults, shown: NDArray[np.int64], columns: list[str]) -> str:
    """Return the chart in words."""
    names = ", ".join(SWEEP_AXES[column] for column in columns)
    if len(shown) == 0:
        return f"No scenario is shown on the axes {names}."
    epsilons = results.numbers["epsilon_upper"][shown]
    many = "s on epsilon from" if len(set(epsilons.tolist())) > 1 else " on epsilon:"
    return (
        f"{counted(len(shown), 'scenario')} on the axes {names}; upper bound{many} "
        f"{epsilons_range(epsilons)}."
    )


def _settings(results: SweepResults, scenario: Scenario) -> str:
    """Return what of a row's settings is not the same in all rows, and not told beside it."""
    told = []
    for name in varying(results, np.arange(len(results.rows))):
        if name not in _TOLD:
            (value,) = values_of(name, [scenario])
            is_named = name in NAMES or value == NOT_IN_USE
            told.append(value if is_named else f"{SETTINGS[name].short_name} = {value}")
    return "".join(f", {one}" for one in told if one != NOT_IN_USE)


def row_sentence(results: SweepResults, place: int, scenario: Scenario) -> str:
    """Return what the file says is proven of one row, with its meaning, as Markdown."""
    numbers = {name: float(values[place]) for name, values in results.numbers.items()}

    def word(name: str) -> str:
        return plain(str(results.words[name][place])) if name in results.words else ""

    lower = numbers["epsilon_lower"]
    by = f" ({named_theorem(word('lower_theorem'))})" if word("lower_theorem") else ""
    least = "" if np.isnan(lower) else f"; ≥ {rounded_down(lower)}, attained{by}"
    theorem = f", {named_theorem(word('upper_theorem'))}" if word("upper_theorem") else ""
    composed = ""
    if not np.isnan(numbers.get("count", np.nan)) and word("unit"):
        composed = f" after {counted(int(numbers['count']), word('unit'))}"
    needed = word("upper_condition") and f"only if {word('upper_condition')}"
    whole = plain(protected_in(scenario)), needed, word("upper_extension")
    return (
        f"**Row {int(results.rows[place]):,}{_settings(results, scenario)}:** by the file, ε ≤ "
        f"{rounded_up(numbers['epsilon_upper'])} at δ = {power_of_ten(numbers['delta'])}{composed} "
        f"(upper bound{theorem}{least}), for {'; '.join(filter(None, whole))}."
    )
