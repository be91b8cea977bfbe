"""The chart of a question draws each mean between its ends, and what no run changes as lines."""

import pytest

from dpviz.figures.spec import figure_json
from dpviz.figures.training_study import study_chart
from dpviz.training_study.findings import findings
from dpviz.training_study.results import shipped_results

ALL = findings(shipped_results().rows)


@pytest.mark.parametrize(
    "found", ALL, ids=lambda one: f"{one.question.name}-{one.data}-{one.model}"
)
def test_every_error_is_a_point_with_its_range(found):
    spec = study_chart(found)
    assert figure_json(spec)
    drawn = {}
    for trace in spec["data"]:
        if "error_y" in trace:
            bars = trace["error_y"]
            for x, y, up, down in zip(
                trace["x"], trace["y"], bars["array"], bars["arrayminus"], strict=True
            ):
                if x is not None:
                    drawn[round(x), y] = (y - down, y + up)
    for cell in found.cells:
        place = found.question.values.index(cell.value)
        assert drawn.pop((place, cell.mean)) == pytest.approx((cell.low, cell.high))
    assert drawn == {}


@pytest.mark.parametrize("found", ALL[:1], ids=["first"])
def test_baselines_are_lines_with_their_numbers(found):
    traces = {trace["name"].partition(":")[0]: trace for trace in study_chart(found)["data"]}
    assert set(traces["seasonal naive forecast"]["y"]) == {found.baseline_crps}
    assert set(traces["the model before its first step"]["y"]) == {found.untrained_crps}


def test_training_without_privacy_is_joined_to_no_budget():
    """A line from the largest epsilon on would show errors of budgets in between."""
    found = next(one for one in ALL if one.question.name == "budget")
    trace = study_chart(found)["data"][0]
    assert trace["y"][-2] is None
    assert "no bound on ε" in trace["text"][-1]
    assert all("ε ≤ " in text for text in trace["text"][:-2])
