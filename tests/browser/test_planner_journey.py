"""A visitor's way through the planner, in a real browser."""

import pytest

from dpviz.ui.questions.comparison import _WIDTHS

MARK = ".dpviz-place"


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
    # Both values of the field are the settings.
    visitor.wait_for_function(
        "size => new URLSearchParams(location.search).get('batch_size') !== size",
        arg=before["batch_size"],
    )
    assert int(visitor.link["batch_size"]) < int(before["batch_size"])
    assert int(visitor.link["relation_width"]) > 1
    visitor.enter("undo")
    visitor.wait_for_link(batch_size=before["batch_size"], relation_width="1")


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


@pytest.mark.slow
def test_a_way_is_adopted_beside_its_sentence(visit):
    """However long it is."""
    visitor = visit("planner?num_subsequences=4")
    visitor.get_by_text("Half the noise or loss by one setting").click()
    visitor.locator(".st-key-adopt_loss_2").wait_for()
    visitor.settle()
    for at in range(3):
        button = visitor.locator(f".st-key-adopt_loss_{at}")
        sentence = button.locator("xpath=preceding-sibling::*").bounding_box()
        assert button.bounding_box()["x"] >= sentence["x"] + sentence["width"]


@pytest.mark.slow
def test_a_pin_is_opened_or_removed_beside_what_it_is(visit):
    visitor = visit("planner")
    visitor.enter("pin")
    visitor.unfold("Batches")
    visitor.menu("top_level").select_option("bins")
    visitor.locator("input[value=compare]").check()
    named, button = (visitor.locator(f".st-key-pin_a_{part}") for part in ("shown", "open"))
    named.get_by_text("instead of").wait_for()
    visitor.set_viewport_size({"width": 1000, "height": 800})
    box = named.bounding_box()
    assert button.bounding_box()["x"] >= box["x"] + box["width"]


@pytest.mark.slow
def test_the_first_columns_of_the_comparison_are_as_wide_as_their_place(visit):
    """None of them is cut; to the others the table is scrolled."""
    visitor = visit("planner")
    visitor.enter("pin")
    visitor.locator("input[value=compare]").check()
    scrolled = visitor.locator("[data-testid=stDataFrame] .dvn-scroller")
    scrolled.wait_for()
    width = scrolled.evaluate("one => one.clientWidth")
    assert width - 20 <= sum(_WIDTHS.values()) <= width
    assert scrolled.evaluate("one => one.scrollWidth > one.clientWidth")
