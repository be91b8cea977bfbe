"""A plan's map without its numbers: hundreds of fields take longer than all else of a page."""

import pytest

from dpviz.figures import figure_json
from dpviz.scenario import to_json
from dpviz.ui.questions import region
from tests.planning.region_maps import made_up_cell, rising


def make_up_map(monkeypatch: pytest.MonkeyPatch) -> None:

    def cells(scenario, x, y, places, goal, **_):
        target = getattr(goal, "epsilon", 4.0)
        return tuple(made_up_cell(scenario, x, y, at, rising(*at), target) for at in places)

    monkeypatch.setattr(region, "region_cells", cells)
    # Later tests are not to find what is made up among the results that are kept.
    monkeypatch.setattr(region, "to_json", lambda scenario: f"made up {to_json(scenario)}")
    monkeypatch.setattr(region, "figure_of", lambda *given: figure_json(given[-1]()))
