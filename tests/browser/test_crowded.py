"""A server where visitors always wait for each other: the answer, then what stands around it."""

import pytest

from tests.browser.visitor import ANSWER

CROWDED = """
from dpviz.ui import turns, workers
turns.is_crowded = workers.are_behind = lambda **_: True
"""
PALES = "() => document.documentElement.classList.contains('dpviz-unanswered')"
RUNS = "() => document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'running'"


@pytest.fixture
def visitor(served, lasting_page):
    return lasting_page(f"{served(changed=CROWDED).url}privacy_curve")


@pytest.mark.slow
def test_answer_stands_before_the_rest_and_nothing_is_lost(visitor):
    noise, answer = visitor.slider("noise_multiplier"), visitor.locator(ANSWER)
    before = answer.inner_text()
    first = noise.get_attribute("aria-valuetext")
    visitor.menu("top_level").select_option(label="Series drawn by coins (Poisson)")
    visitor.wait_for_function(
        f"before => document.querySelector('{ANSWER}').innerText !== before && !({PALES})()",
        arg=before,
    )
    assert visitor.evaluate(RUNS)  # what stands around it is still to come
    noise.press("ArrowRight")
    visitor.wait_for_function("() => location.search.includes('noise_multiplier')")
    visitor.settle()
    assert visitor.link["top_level"] == "poisson"
    assert noise.get_attribute("aria-valuetext") == visitor.link["noise_multiplier"] != first
    visitor.press_button("undo")
    visitor.settle()
    assert noise.get_attribute("aria-valuetext") == first
