"""A visitor's way through the planner, in a real browser."""

import ast
import re

import pytest

from dpviz.scenario import from_json
from tests.browser.visitor import SETTLED, epsilons

MARK = ".dpviz-place"
TABLE = "[data-testid=stDataFrame] canvas"


def sigma_in(text):
    """Return the noise multiplier that a headline finds to be enough."""
    return float(re.search(r"σ = ([\d.]+\d) is enough", text)[1])


def test_the_answer_follows_the_goal_and_the_link_reopens_it(visit):
    """A stricter goal needs more noise; its link answers the same to somebody else."""
    visitor = visit("planner?plan_chart=curve")
    first = sigma_in(visitor.headline)
    zoomed = visitor.zoom_in()
    answer = visitor.slide("target_epsilon", "ArrowLeft")
    assert sigma_in(answer) > first
    assert visitor.ranges == pytest.approx(zoomed)
    assert visitor.link["target_epsilon"] == "9.0"
    assert epsilons(answer)[-1] <= 9.0
    other = visit("planner?" + visitor.url.partition("?")[2], new=True)
    assert other.headline == answer


@pytest.mark.slow
def test_another_quantity_is_left_open_and_another_goal_asked_for(visit):
    """Each choice is in the link, and what is open has no control of its own."""
    visitor = visit("planner?plan_chart=curve")
    visitor.menu("free_quantity").select_option("training")
    visitor.wait_for_link(free_quantity="training")
    visitor.settle()
    assert "steps are the most for ε ≤ 10" in visitor.headline
    assert visitor.slider("steps").count() == 0
    assert visitor.slider("noise_multiplier").count() == 1
    visitor.choose("attacker's success", goal="success")
    assert "at most 60 of 100 attackers right" in visitor.headline
    visitor.choose("attacker's hits", goal="hits")
    assert "at most 2 % hits at 1 % false alarms" in visitor.headline


@pytest.mark.slow
def test_a_field_of_the_map_is_adopted_by_a_click(visit):
    """Its two values become the settings, and undo takes them back."""
    visitor = visit("planner?plan_chart=map&region_y=relation_width")
    before = visitor.link
    visitor.mouse.click(*visitor.place_of_field(2, 2))
    visitor.wait_for_function(
        "size => new URLSearchParams(location.search).get('batch_size') !== size",
        arg=before["batch_size"],
    )
    assert int(visitor.link["batch_size"]) < int(before["batch_size"])
    assert int(visitor.link["relation_width"]) > 1
    visitor.locator(".st-key-undo button").first.press("Enter")
    visitor.wait_for_link(batch_size=before["batch_size"], relation_width="1")


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)], ids=["wide", "phone"])
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
    x, y = visitor.place_of_field(2, 2)
    visitor.locator(MARK).hover()
    visitor.mouse.down()
    visitor.mouse.move(x, y, steps=4)
    assert "ε ≤ " in visitor.locator(".hoverlayer").first.text_content()
    visitor.mouse.up()
    visitor.wait_for_function(
        "size => new URLSearchParams(location.search).get('batch_size') !== size",
        arg=before["batch_size"],
    )
    assert int(visitor.link["batch_size"]) < int(before["batch_size"])
    assert int(visitor.link["relation_width"]) > 1
    visitor.locator(".st-key-undo button").first.press("Enter")
    visitor.wait_for_link(batch_size=before["batch_size"], relation_width="1")


@pytest.mark.slow
def test_plans_are_pinned_and_compared(visit, tmp_path):
    """A pinned plan stays beside the next one, in the table and its CSV."""
    visitor = visit("planner")  # the next view has no chart to wait for
    visitor.segment("Compare pins").click()
    visitor.locator(".st-key-pin_now button").first.click()
    settle_table(visitor)
    assert "pin_a" in visitor.link
    visitor.slider("target_epsilon").press("ArrowLeft")
    visitor.wait_for_link(target_epsilon="9.0")
    visitor.wait_for_timeout(200)
    settle_table(visitor)
    rows = visitor.csv(tmp_path)
    by_name = {row["run"]: float(row["epsilon_upper"]) for row in rows}
    assert by_name["now"] <= 9.0 < by_name["pin A"] <= 10.0


def settle_table(visitor):
    """Wait until the table is complete; this view has no chart to wait for."""
    visitor.wait_for_selector(TABLE)
    visitor.wait_for_function(SETTLED)


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


@pytest.mark.slow
def test_a_change_is_found_and_adopted(visit):
    """What halves the loss is searched for when it is asked for, and one press adopts it."""
    visitor = visit("planner?target_epsilon=8&free_quantity=training&plan_chart=curve")
    part = visitor.unfold("Halve the loss")
    visitor.settle()
    assert "Half the privacy loss: ε ≤ 4" in part.inner_text()
    before = visitor.headline
    part.locator(".st-key-adopt_loss_0 button").first.click()
    after = visitor.wait_for_other_headline(before)
    assert after != before
    assert visitor.drawn
    assert visitor.press_button("undo") == before
