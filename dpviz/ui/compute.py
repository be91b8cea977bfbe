"""Results shared by all visitors, computed once per scenario.

The cache's key is the scenario's canonical JSON: Streamlit's own hash of nested dataclasses
forgets the inner class, so two schemes could share one wrong result.
"""

from dataclasses import dataclass

import streamlit as st

from dpviz.export import curve_csv
from dpviz.figures import figure_json, privacy_curve
from dpviz.planning import TopLevelComparison, compare_top_levels
from dpviz.scenario import Scenario, ScenarioError, from_json, to_json
from dpviz.wording.findings import chart_description, headline
from dpviz.wording.tables import bounds_table, deltas_table

# About 60 kB a scenario: 60 MB at most.
_MOST_SCENARIOS = 1000


@dataclass(frozen=True, kw_only=True, eq=False)
class PrivacyCurvePage:
    """Everything the page shows of one scenario, ready to be sent."""

    headline: str
    figure_json: str
    description: str
    bounds: str
    deltas: str


def privacy_curve_page(scenario: Scenario) -> PrivacyCurvePage:
    """Return the page's content.

    Raises:
        ScenarioError: no bound covers the scenario.
    """
    return _page(to_json(scenario))


def privacy_curve_csv(scenario: Scenario) -> str:
    """Return the downloadable table, or why there is none; computed when it is asked for."""
    try:
        return curve_csv(_comparison(to_json(scenario)))
    except ScenarioError as problem:
        return f"# This page does not draw these settings. {problem}\n"


@st.cache_resource(max_entries=_MOST_SCENARIOS, show_spinner=False)
def _page(canonical_json: str) -> PrivacyCurvePage:
    comparison = _comparison(canonical_json)
    return PrivacyCurvePage(
        headline=headline(comparison),
        figure_json=figure_json(privacy_curve(comparison)),
        description=chart_description(comparison),
        bounds=bounds_table(comparison),
        deltas=deltas_table(comparison),
    )


# Frozen results of plain arrays: every visitor may hold the same object, no copy is made.
@st.cache_resource(max_entries=_MOST_SCENARIOS, show_spinner=False)
def _comparison(canonical_json: str) -> TopLevelComparison:
    return compare_top_levels(from_json(canonical_json))
