"""A server where visitors always wait for each other: the answer, then what stands around it."""

import pytest

CROWDED = """
from dpviz.ui import turns, workers
turns.is_crowded = workers.are_behind = lambda: True
"""
PALES = "() => document.documentElement.classList.contains('dpviz-unanswered')"
WAITS = "() => document.documentElement.classList.contains('dpviz-waiting')"


@pytest.fixture
def visitor(served, lasting_page):
    return lasting_page(f"{served(changed=CROWDED).url}privacy_curve")


@pytest.mark.slow
def test_answer_stands_before_the_rest_and_nothing_is_lost(visitor):
    noise = visitor.slider("noise_multiplier")
    visitor.slide()
    visitor.wait_for_function(f"() => !({PALES})()")
    assert visitor.evaluate(WAITS)  # what stands below is still to come
    assert noise.get_attribute("aria-valuetext") == "1.1"
    noise.press("ArrowRight")  # before the rest is there
    visitor.wait_for_link(noise_multiplier="1.2")
    visitor.settle()
    assert noise.get_attribute("aria-valuetext") == "1.2"
    visitor.press_button("undo")
    visitor.settle()
    assert noise.get_attribute("aria-valuetext") == "1.1"
    visitor.assert_kept()


@pytest.mark.slow
def test_controls_of_a_scheme_come_after_its_answer(visitor):
    before = visitor.headline
    visitor.menu("top_level").select_option(label="in bins")
    visitor.wait_for_other_headline(before)
    visitor.settle()
    visitor.assert_kept()
