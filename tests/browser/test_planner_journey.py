"""A visitor's way through the planner, in a real browser."""

import ast
import re

import pytest

from dpviz.scenario import from_json
from tests.browser.visitor import epsilons

MARK = ".dpviz-place"


def sigma_in(text):
    """Return the noise multiplier that a headline finds to be enough."""
    return float(re.search(r"σ = ([\d.]+\d) is enough", text)[1])


def assert_adopted_and_undone(visitor, before):
    """Wait until both values of a field of the map are the settings; take them back."""
    visitor.wait_for_function(
        "size => new URLSearchParams(location.search).get('batch_size') !== size",
        arg=before["batch_size"],
    )
    assert int(visitor.link["batch_size"]) < int(before["batch_size"])
    assert int(visitor.link["relation_width"]) > 1
    visitor.enter("undo")
    visitor.wait_for_link(batch_size=before["batch_size"], relation_width="1")


@pytest.mark.slow
def test_a_field_of_the_map_is_adopted_by_a_click(visit):
    visitor = visit("planner?plan_chart=map&region_y=relation_width")
    before = visitor.link
    visitor.mouse.click(*visitor.place_of(2, 2))
    assert_adopted_and_undone(visitor, before)


@pytest.mark.parametrize(
    ("width", "height"),
    [(1280, 900), pytest.param(390, 844, marks=pytest.mark.slow)],
    ids=["wide", "phone"],
)
def test_question_answer_goal_and_map_are_in_the_first_screen(visit, width, height):
    """The mark is dragged to another field there, and undo takes it back."""
    visitor = visit("planner?region_y=relation_width", width=width, height=height)
    answer = visitor.locator(".st-key-answer").bounding_box()
    end = height if width > height else answer["y"]
    for part in (".dpviz-chart", ".st-key-target_epsilon"):
        box = visitor.locator(part).first.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= end
    before = visitor.link
    x, y = visitor.place_of(2, 2)
    visitor.locator(MARK).hover()
    visitor.mouse.down()
    visitor.mouse.move(x, y, steps=4)
    assert "ε ≤ " in visitor.locator(".hoverlayer").first.text_content()
    visitor.mouse.up()
    assert_adopted_and_undone(visitor, before)


@pytest.mark.slow
def test_mark_goes_back_from_a_field_that_is_refused(visit):
    """A batch has no more windows of a series than windows: all stays as it is."""
    visitor = visit("planner?plan_chart=map&region_x=batch_size&region_y=num_subsequences")
    where = "mark => [mark.style.left, mark.style.top]"
    before, mark = visitor.link, visitor.locator(MARK)
    own = mark.evaluate(where)
    x, y = visitor.place_of(0, 6)
    mark.hover()
    visitor.mouse.down()
    visitor.mouse.move(x, y, steps=4)
    assert mark.evaluate(where) != own
    visitor.mouse.up()
    visitor.settle()
    assert mark.evaluate(where) == own
    assert visitor.link == before


def test_statement_report_scripts_and_scenario_say_what_the_page_says(visit, page, tmp_path):
    """All of them are about the plan; the report opens from the disk with its charts."""
    visitor = visit("planner?target_epsilon=4&plan_chart=curve")
    [told] = epsilons(visitor.headline)[-1:]
    sigma = sigma_in(visitor.headline)
    saved = visitor.downloaded(visitor.shared("Save scenario"), tmp_path)
    scenario = from_json(saved.read_text(encoding="utf-8"))
    assert scenario.noise.noise_multiplier == sigma
    files = {
        name: visitor.downloaded(visitor.get_by_role("button", name=name), tmp_path)
        for name in ("Privacy statement", "Report", "Training script, PyTorch", "script, NumPy")
    }
    statement = files["Privacy statement"].read_text(encoding="utf-8")
    assert f"ε ≤ {told:g}" in statement
    assert f"--noise-multiplier {sigma!r}" in statement
    for name in ("Training script, PyTorch", "script, NumPy"):
        script = files[name].read_text(encoding="utf-8")
        ast.parse(script)
        assert "TARGET_EPSILON = 4.0" in script
        assert f"noise_multiplier={sigma!r}" in script
    report = page(files["Report"].as_uri(), new=True)
    report.locator(".chart .main-svg[role=img]").nth(1).wait_for()
    assert f"ε ≤ {told:g}" in report.locator("body").inner_text()
