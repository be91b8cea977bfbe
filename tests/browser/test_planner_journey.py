"""A visitor's way through the planner, in a real browser."""

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpviz.scenario import from_json
from tests.browser.visitor import (
    SETTLED,
    choose,
    downloaded,
    drawn,
    epsilons,
    headline,
    in_link,
    menu,
    place_of_field,
    press_button,
    ranges,
    segment,
    settle,
    shared,
    slide,
    slider,
    table_in,
    unfold,
    wait_for_link,
    wait_for_other_headline,
    zoom_in,
)

MARK = ".dpviz-place"
TABLE = "[data-testid=stDataFrame] canvas"


def sigma_in(text: str) -> float:
    """Return the noise multiplier that a headline finds to be enough."""
    return float(re.search(r"σ = ([\d.]+\d) is enough", text)[1])


def test_the_answer_follows_the_goal_and_the_link_reopens_it(visit: Callable[..., Any]) -> None:
    """A stricter goal needs more noise; its link answers the same to somebody else."""
    visitor = visit("planner?plan_chart=curve")
    first = sigma_in(headline(visitor))
    zoomed = zoom_in(visitor)
    answer = slide(visitor, "target_epsilon", "ArrowLeft")
    assert sigma_in(answer) > first
    assert ranges(visitor) == pytest.approx(zoomed)
    assert in_link(visitor)["target_epsilon"] == "9.0"
    assert epsilons(answer)[-1] <= 9.0
    other = visit("planner?" + visitor.url.partition("?")[2], new=True)
    assert headline(other) == answer


@pytest.mark.slow
def test_another_quantity_is_left_open_and_another_goal_asked_for(
    visit: Callable[..., Any],
) -> None:
    """Each choice is in the link, and what is open has no control of its own."""
    visitor = visit("planner?plan_chart=curve")
    menu(visitor, "free_quantity").select_option("training")
    wait_for_link(visitor, free_quantity="training")
    settle(visitor)
    assert "steps are the most for ε ≤ 10" in headline(visitor)
    assert slider(visitor, "steps").count() == 0
    assert slider(visitor, "noise_multiplier").count() == 1
    choose(visitor, "attacker's success", goal="success")
    assert "at most 60 of 100 attackers right" in headline(visitor)
    choose(visitor, "attacker's hits", goal="hits")
    assert "at most 2 % hits at 1 % false alarms" in headline(visitor)


@pytest.mark.slow
def test_a_field_of_the_map_is_adopted_by_a_click(visit: Callable[..., Any]) -> None:
    """Its two values become the settings, and undo takes them back."""
    visitor = visit("planner?plan_chart=map&region_y=relation_width")
    before = in_link(visitor)
    visitor.mouse.click(*place_of_field(visitor, 2, 2))
    visitor.wait_for_function(
        "size => new URLSearchParams(location.search).get('batch_size') !== size",
        arg=before["batch_size"],
    )
    assert int(in_link(visitor)["batch_size"]) < int(before["batch_size"])
    assert int(in_link(visitor)["relation_width"]) > 1
    visitor.locator(".st-key-undo button").first.press("Enter")
    wait_for_link(visitor, batch_size=before["batch_size"], relation_width="1")


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)], ids=["wide", "phone"])
def test_question_answer_goal_and_map_are_in_the_first_screen(
    visit: Callable[..., Any], width: int, height: int
) -> None:
    """The mark is dragged to another field there, and undo takes it back."""
    visitor = visit("planner?region_y=relation_width", width=width, height=height)
    answer = visitor.locator(".st-key-answer").bounding_box()
    end = height if width > height else answer["y"]
    for part in (".dpviz-chart", ".st-key-target_epsilon"):
        box = visitor.locator(part).first.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= end
    before = in_link(visitor)
    x, y = place_of_field(visitor, 2, 2)
    visitor.locator(MARK).hover()
    visitor.mouse.down()
    visitor.mouse.move(x, y, steps=4)
    assert "ε ≤ " in visitor.locator(".hoverlayer").first.text_content()
    visitor.mouse.up()
    visitor.wait_for_function(
        "size => new URLSearchParams(location.search).get('batch_size') !== size",
        arg=before["batch_size"],
    )
    assert int(in_link(visitor)["batch_size"]) < int(before["batch_size"])
    assert int(in_link(visitor)["relation_width"]) > 1
    visitor.locator(".st-key-undo button").first.press("Enter")
    wait_for_link(visitor, batch_size=before["batch_size"], relation_width="1")


@pytest.mark.slow
def test_plans_are_pinned_and_compared(visit: Callable[..., Any], tmp_path: Path) -> None:
    """A pinned plan stays beside the next one, in the table and its CSV."""
    visitor = visit("planner")  # the next view has no chart to wait for
    segment(visitor, "Compare pins").click()
    visitor.locator(".st-key-pin_now button").first.click()
    settle_table(visitor)
    assert "pin_a" in in_link(visitor)
    slider(visitor, "target_epsilon").press("ArrowLeft")
    wait_for_link(visitor, target_epsilon="9.0")
    visitor.wait_for_timeout(200)
    settle_table(visitor)
    rows = table_in(downloaded(visitor, shared(visitor, "Download CSV"), tmp_path))
    by_name = {row["run"]: float(row["epsilon_upper"]) for row in rows}
    assert by_name["now"] <= 9.0 < by_name["pin A"] <= 10.0


def settle_table(visitor: Any) -> None:
    """Wait until the table is complete; this view has no chart to wait for."""
    visitor.wait_for_selector(TABLE)
    visitor.wait_for_function(SETTLED)


def test_statement_report_scripts_and_scenario_say_what_the_page_says(
    visit: Callable[..., Any], page: Callable[..., Any], tmp_path: Path
) -> None:
    """All of them are about the plan; the report opens from the disk with its charts."""
    visitor = visit("planner?target_epsilon=4&plan_chart=curve")
    [told] = epsilons(headline(visitor))[-1:]
    sigma = sigma_in(headline(visitor))
    saved = downloaded(visitor, shared(visitor, "Save scenario"), tmp_path)
    scenario = from_json(saved.read_text(encoding="utf-8"))
    assert scenario.noise.noise_multiplier == sigma
    files = {
        name: downloaded(visitor, visitor.get_by_role("button", name=name), tmp_path)
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
def test_a_change_is_found_and_adopted(visit: Callable[..., Any]) -> None:
    """What halves the loss is searched for when it is asked for, and one press adopts it."""
    visitor = visit("planner?target_epsilon=8&free_quantity=training&plan_chart=curve")
    part = unfold(visitor, "Halve the loss")
    settle(visitor)
    assert "Half the privacy loss: ε ≤ 4" in part.inner_text()
    before = headline(visitor)
    part.locator(".st-key-adopt_loss_0 button").first.click()
    after = wait_for_other_headline(visitor, before)
    assert after != before
    assert drawn(visitor)
    assert press_button(visitor, "undo") == before
