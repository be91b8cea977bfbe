"""The one unit of state, and its forms as JSON and as a link.

Classes check their values: :class:`ScenarioError` names the field, and what is allowed.
"""

from dpviz.scenario.data import DataShape, Rates
from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.fields import SCHEMA_VERSION, from_fields, from_json, to_fields, to_json
from dpviz.scenario.link import from_query, scenario_from_link, to_query
from dpviz.scenario.mechanism import Noise, Sampling, Training
from dpviz.scenario.pins import Pin
from dpviz.scenario.presets import PRESETS
from dpviz.scenario.relation import Relation, TimeStep, Units, worst_case_lengths
from dpviz.scenario.scenario import Scenario

__all__ = [
    "PRESETS",
    "SCHEMA_VERSION",
    "DataShape",
    "Noise",
    "Pin",
    "Rates",
    "Relation",
    "Sampling",
    "Scenario",
    "ScenarioError",
    "TimeStep",
    "Training",
    "Units",
    "from_fields",
    "from_json",
    "from_query",
    "scenario_from_link",
    "to_fields",
    "to_json",
    "to_query",
    "worst_case_lengths",
]
