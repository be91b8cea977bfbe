"""The map of epsilon over both noises, filled in from coarse to fine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dpviz.accounting import Bracket
from dpviz.accounting.buckets import FloatArray
from dpviz.figures.noise_map import map_chart
from dpviz.guarantees import covers_noise_on_windows
from dpviz.planning import ScenarioCurves, label_noise
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.errors import checked_integer
from dpviz.ui import frame
from dpviz.ui.compute import curves_part, figure_of, part_of
from dpviz.ui.filling import NOTHING, Filled, fill_in, first_of_each, result_of
from dpviz.ui.shared import Part
from dpviz.ui.state import change
from dpviz.ui.texts import text
from dpviz.wording.label_noise import coarseness, map_description, noise_headline
from dpviz.wording.numbers import joined
from dpviz.wording.scope import conditions


@dataclass(frozen=True, kw_only=True, eq=False)
class KnownMap:
    """The map as far as it is known, and what is still to come."""

    shown: label_noise.NoiseMap
    filled: Filled[Any]


def known_map(own: ScenarioCurves) -> KnownMap:
    """Return the map as far as it is known.

    Raises:
        ScenarioError: rates alone do not tell what noise on windows buys here.
    """
    base = label_noise.without_noise(own.scenario)
    if not covers_noise_on_windows(base):
        return KnownMap(shown=label_noise.uncovered_map(base, own.upper.bracket), filled=NOTHING)
    _refuse_untold(base)
    rates = np.array(first_of_each([[part] for part in _rows(base)]))
    distinct, units = np.unique(rates).tolist(), label_noise.composed_units(base)
    parts = {rate: _table_part(base, units, rate) for rate in distinct}
    result_of(parts[distinct[-1]])  # stands for all others until they are known
    known = _found(distinct, fill_in(list(parts.values()), only_known=True))
    asked = [*known, *label_noise.rates_to_come(distinct, known)]
    filled = fill_in([parts[rate] for rate in asked])
    return KnownMap(shown=label_noise.noise_map(base, rates, _found(asked, filled)), filled=filled)


def complete_map(scenario: Scenario) -> label_noise.NoiseMap:
    """Return the map as fine as it gets.

    Raises:
        ScenarioError: rates alone do not tell what noise on windows buys here.
    """
    base = label_noise.without_noise(scenario)
    if not covers_noise_on_windows(base):
        own = result_of(curves_part(label_noise.same_bounds(scenario)))
        return label_noise.uncovered_map(base, own.upper.bracket)
    _refuse_untold(base)
    rates = np.array([result_of(part) for part in _rows(base)])
    distinct, units = np.unique(rates).tolist(), label_noise.composed_units(base)
    table: dict[float, Bracket] = {}
    while missing := label_noise.rates_to_come(distinct, table):
        table[missing[0]] = result_of(_table_part(base, units, missing[0]))
    return label_noise.noise_map(base, rates, table)


def _refuse_untold(base: Scenario) -> None:
    if (problem := label_noise.untold_by_rates(base)) is not None:
        raise problem


def _rows(base: Scenario) -> list[Part[FloatArray]]:
    return [part_of(label_noise.rates_of_row, base, noise) for noise in label_noise.NOISES]


def _table_part(base: Scenario, units: int, rate: float) -> Part[Bracket]:
    # All that epsilon depends on: other data, or another relation, have the same table.
    key = f"{rate!r} {units!r} {base.noise.noise_multiplier!r} {base.delta!r}"
    return Part(
        key=f"epsilon at rate {key}", compute=partial(label_noise.epsilon_at_rate, base, rate)
    )


def _found(rates: Sequence[float], filled: Filled[Bracket]) -> dict[float, Bracket]:
    pairs = zip(rates, filled.results, strict=True)
    return {rate: epsilon for rate, epsilon in pairs if epsilon is not None}


def draw_map(own: ScenarioCurves, plain: ScenarioCurves) -> Filled[Any]:
    """Draw epsilon over both noises; a click adopts the noise at its place.

    Args:
        own: the scenario's own curves.
        plain: those of the same run without noise on windows.
    """
    found = known_map(own)
    shown, scenario = found.shown, own.scenario
    inputs = [scenario, shown.epsilon.tolist()]
    needed = conditions([label_noise.noisy_bound(scenario)])
    frame.draw_answer(
        headline=noise_headline(own, plain),
        curves=own,
        figure_json=figure_of("noise map", inputs, lambda: map_chart(shown, scenario)),
        alt=map_description(shown, scenario),
        key="noise_map",
        caption=joined(text("noise_map_caption"), coarseness(shown), needed),
        progress=found.filled.progress,
        on_click=adopt_place,
    )
    return found.filled


def adopt_place(point: Mapping[str, Any]) -> None:
    """Make the noise at a clicked place of the map the scenario's own."""
    change(lambda before: at_place(before, point))


def at_place(before: Scenario, point: Mapping[str, Any]) -> Scenario:
    """Return the scenario with the noise at a place of the map.

    Args:
        before: the scenario.
        point: x and y, the place's column and row, as the browser reports them.

    Raises:
        ScenarioError: there is no such place on the map.
    """
    return label_noise.with_noise(
        before,
        context=_noise_at("context_noise", point.get("x")),
        forecast=_noise_at("forecast_noise", point.get("y")),
    )


def _noise_at(field: str, place: object) -> float:
    try:
        return label_noise.NOISES[checked_integer(field, place, 0, len(label_noise.NOISES) - 1)]
    except ScenarioError:
        raise ScenarioError(field, place, "it must be a field of the map") from None
