"""Scenarios with every field set: by a shape, by rates that came from it, by rates alone."""

from dataclasses import replace

from dpviz.scenario import PRESETS

SHAPE = replace(
    PRESETS["traffic"].scenario,
    relation=replace(PRESETS["traffic"].scenario.relation, max_change=0.1),
    units=replace(PRESETS["traffic"].scenario.units, value_unit="occupancy"),
    data=replace(PRESETS["traffic"].scenario.data, longer_series_beyond=120),
)
RATES = SHAPE.with_rates()
BARE = replace(RATES, data=replace(RATES.data, last_shape=None))
