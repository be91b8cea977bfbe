"""A plan's map without its numbers: hundreds of fields take longer than all else of a page."""

import pytest

from dpviz.scenario import to_json
from dpviz.ui import chart
from dpviz.ui.questions import region
from tests.planning.region_maps import made_up_cell, rising


def make_up_map(monkeypatch: pytest.MonkeyPatch) -> None:

    def cells(scenario, x, y, places, goal, **_):
        target = getattr(goal, "epsilon", 4.0)
        return tuple(made_up_cell(scenario, x, y, at, rising(*at), target) for at in places)

    monkeypatch.setattr(region.maps, "region_cells", cells)
    # Later tests are not to find what is made up among the results that are kept.
    monkeypatch.setattr(region, "to_json", lambda scenario: f"made up {to_json(scenario)}")
    monkeypatch.setattr(chart, "content", lambda *given: given[-1]())
