"""The map of epsilon over both noises, filled in from coarse to fine."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from dpviz.accounting import Bracket
from dpviz.figures import figure_json
from dpviz.figures.noise_map import map_chart
from dpviz.guarantees import covers_noise_on_windows
from dpviz.planning import ScenarioCurves
from dpviz.planning.label_noise import (
    NOISES,
    NoiseMap,
    composed_units,
    epsilon_at_rate,
    noise_map,
    noisy_bound,
    rates_of_row,
    rates_to_come,
    same_bounds,
    uncovered_map,
    untold_by_rates,
    without_noise,
)
from dpviz.scenario import Scenario, to_json
from dpviz.ui import frame
from dpviz.ui.compute import content, curves_part
from dpviz.ui.filling import Filled, fill_in, first_of_each, result_of
from dpviz.ui.label_noise_controls import adopt_place
from dpviz.ui.shared import Part
from dpviz.ui.texts import text
from dpviz.wording.label_noise import noise_headline
from dpviz.wording.noise_map import coarseness, map_description
from dpviz.wording.protection import conditions


@dataclass(frozen=True, kw_only=True, eq=False)
class KnownMap:
    """The map as far as it is known, and what is still to come."""

    shown: NoiseMap
    filled: Filled


def known_map(own: ScenarioCurves) -> KnownMap:
    """Return the map as far as it is known.

    Raises:
        ScenarioError: rates alone do not tell what noise on windows buys here.
    """
    base = without_noise(own.scenario)
    if not covers_noise_on_windows(base):
        nothing = Filled(results=())
        return KnownMap(shown=uncovered_map(base, own.upper.bracket), filled=nothing)
    _refuse_untold(base)
    rates = np.array(first_of_each([[part] for part in _rows(base)]))
    distinct, units = np.unique(rates).tolist(), composed_units(base)
    parts = {rate: _table_part(base, units, rate) for rate in distinct}
    result_of(parts[distinct[-1]])  # stands for all others until they are known
    known = _found(distinct, fill_in(list(parts.values()), only_known=True))
    asked = [*known, *rates_to_come(distinct, known)]
    filled = fill_in([parts[rate] for rate in asked])
    return KnownMap(shown=noise_map(base, rates, _found(asked, filled)), filled=filled)


def complete_map(scenario: Scenario) -> NoiseMap:
    """Return the map as fine as it gets.

    Raises:
        ScenarioError: rates alone do not tell what noise on windows buys here.
    """
    base = without_noise(scenario)
    if not covers_noise_on_windows(base):
        own = result_of(curves_part(same_bounds(scenario)))
        return uncovered_map(base, own.upper.bracket)
    _refuse_untold(base)
    rates = np.array([result_of(part) for part in _rows(base)])
    distinct, units = np.unique(rates).tolist(), composed_units(base)
    table: dict[float, Bracket] = {}
    while missing := rates_to_come(distinct, table):
        table[missing[0]] = result_of(_table_part(base, units, missing[0]))
    return noise_map(base, rates, table)


def _refuse_untold(base: Scenario) -> None:
    if (problem := untold_by_rates(base)) is not None:
        raise problem


def _rows(base: Scenario) -> list[Part]:
    told = to_json(base)
    return [
        Part(key=f"noise rates {noise!r} {told}", compute=partial(rates_of_row, base, noise))
        for noise in NOISES
    ]


def _table_part(base: Scenario, units: int, rate: float) -> Part:
    # All that epsilon depends on: other data, or another relation, have the same table.
    key = f"{rate!r} {units!r} {base.noise.noise_multiplier!r} {base.delta!r}"
    return Part(key=f"epsilon at rate {key}", compute=partial(epsilon_at_rate, base, rate))


def _found(rates: Sequence[float], filled: Filled) -> dict[float, Bracket]:
    pairs = zip(rates, filled.results, strict=True)
    return {rate: epsilon for rate, epsilon in pairs if epsilon is not None}


def draw_map(own: ScenarioCurves, plain: ScenarioCurves) -> Filled:
    """Draw epsilon over both noises; a click adopts the noise at its place.

    Args:
        own: the scenario's own curves.
        plain: those of the same run without noise on windows.
    """
    found = known_map(own)
    shown, scenario = found.shown, own.scenario
    inputs = [scenario, shown.epsilon.tolist()]
    needed = conditions([noisy_bound(scenario)])
    frame.draw_answer(
        headline=noise_headline(own, plain),
        curves=own,
        figure_json=content("noise map", inputs, lambda: figure_json(map_chart(shown, scenario))),
        alt=map_description(shown, scenario),
        key="noise_map",
        caption=" ".join(filter(None, (text("noise_map_caption"), coarseness(shown), needed))),
        progress=found.filled.progress,
        on_click=adopt_place,
    )
    return found.filled
