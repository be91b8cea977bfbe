"""The start page's live picture: the secret, the window and λ by mouse, finger and keyboard."""

import re

import pytest

from dpviz.figures.sampling_picture import picture_scenario
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.proven import proven_epsilon
from dpviz.wording.numbers import rounded_up
from tests.browser.axe import assert_accessible
from tests.browser.keyboard import tab_to

EDGE, SECRET = ".dpviz-edge", ".dpviz-secret"
RANGE, WORDS = ".dpviz-picture input[type=range]", ".dpviz-picture-words"
COUNTED = r"(\d+) of (\d+) so far"
FITS = """() => [...document.querySelectorAll("h1, .dpviz-stage, [class*='st-key-door_']")].map(
  (node) => node.getBoundingClientRect().bottom)"""
# Style sheets make what would move last a hundredth of a millisecond.
MOVES = """() => document.querySelector(".dpviz-stage").getAnimations({ subtree: true })
  .filter(({ effect }) => effect.getTiming().duration > 1).length"""
# As Streamlit shows what a run has not drawn anew.
FADED = "[data-testid=stElementContainer] { opacity: 0.33; }"
HIT = ".dpviz-window.dpviz-hit"
DOORS = ("planner", "lessons", "theory_check")
# Where a click on a card leads, off its words.
LINK_OF_CARD = """(page) => {
  const { x, y } = document.querySelector(`.st-key-door_${page}`).getBoundingClientRect();
  return document.elementFromPoint(x + 200, y + 60).closest("a")?.pathname;
}"""


def words(visitor):
    return str(visitor.locator(WORDS).inner_text()).replace("\u00a0", " ")


def wait_for_words(visitor, part):
    """Wait until the sentence has these words; return it."""
    visitor.wait_for_function(
        "([place, part]) => document.querySelector(place)?.textContent"
        ".replaceAll('\u00a0', ' ').includes(part)",
        arg=[WORDS, part],
    )
    return words(visitor)


def counted(visitor):
    """Return in how many steps the secret was, and in how many it might have been."""
    told = visitor.locator(".dpviz-gauge-words").first.inner_text()
    hits, steps = re.search(COUNTED, told).groups()
    return int(hits), int(steps)


def pull(visitor, handle, right, down=0.0):
    box = visitor.locator(handle).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    visitor.mouse.move(x, y)
    visitor.mouse.down()
    visitor.mouse.move(x + right, y + down, steps=6)
    visitor.mouse.up()


def assert_says(visitor, window_length, windows_per_series):
    """Look for dpviz's own numbers of a setting, away from the ends, in the sentence."""
    scenario = picture_scenario(window_length, windows_per_series)
    law, proven = hit_law(scenario), proven_epsilon(scenario)
    said = wait_for_words(visitor, f"ε ≤ {rounded_up(proven.epsilon_upper, 3)}")
    share = re.search(r": ([\d.]+) % of steps contain it", said)[1]
    assert float(share) == pytest.approx(100 * law.at_least(1), rel=5e-3)
    shown = visitor.locator(".dpviz-picture").inner_text()
    mean = re.search(r"Windows with it per step: ([\d.]+) expected", shown)[1]
    assert float(mean) == pytest.approx(law.mean, rel=5e-3)
    assert f"is in {scenario.touched_windows} of {scenario.shape.start_positions} " in said


def test_secret_window_and_lambda_change_the_numbers_as_dpviz_accounts_for_them(visit):
    """By mouse and by keyboard; near an end fewer windows hold the secret, and ε stays."""
    visitor = visit("")
    assert_says(visitor, 24, 2)
    value = visitor.locator(SECRET).bounding_box()["x"]
    row = visitor.locator(".dpviz-row").first.bounding_box()
    pull(visitor, SECRET, -0.2 * row["width"], 3 * row["height"])
    wait_for_words(visitor, "of series 6,")
    assert visitor.locator(SECRET).bounding_box()["x"] < value - 50
    assert_says(visitor, 24, 2)
    pull(visitor, EDGE, 0.09 * row["width"])
    assert_says(visitor, 32, 2)

    tab_to(visitor, EDGE)
    visitor.keyboard.press("ArrowRight")
    assert_says(visitor, 40, 2)
    visitor.keyboard.press("Tab")
    visitor.keyboard.press("ArrowUp")
    wait_for_words(visitor, "of series 5,")
    visitor.keyboard.press("Tab")
    visitor.keyboard.press("End")
    assert_says(visitor, 40, 8)
    assert visitor.locator(RANGE).get_attribute("aria-valuetext") == "8"
    before = re.search(r"ε ≤ [\d.]+", words(visitor))[0]
    visitor.locator(SECRET).press("End")
    said = wait_for_words(visitor, "The secret, value 100 of series 5, is in 1 of 95")
    assert "Away from the ends it would be in 40; ε counts on that." in said
    assert before in said
    assert_accessible(visitor, "light")
    assert "hardly any protection" not in said
    visitor.locator(EDGE).press("End")
    wait_for_words(visitor, "That is hardly any protection. No analysis")


def test_what_was_set_is_in_the_address(visit):
    """A reload and another visitor find it; what is not allowed is as at first."""
    visitor = visit("#window=40&lambda=8&series=9&value=1e1")
    wait_for_words(visitor, "8 windows of 40 values from each. The secret, value 58 of series 3,")
    assert_says(visitor, 40, 8)
    assert words(visitor).startswith(
        "series = 9 in the address is not allowed: it must be one of 1, 2"
    )
    assert "value = 1e1 in the address is not allowed: it must be from 1 to 1" in words(visitor)
    visitor.locator(SECRET).press("ArrowUp")
    visitor.locator(EDGE).press("Home")
    visitor.wait_for_url("**/#window=8&lambda=8&series=2&value=58")
    assert "not allowed" not in words(visitor)
    visitor.reload()
    wait_for_words(visitor, "8 windows of 8 values from each. The secret, value 58 of series 2,")
    visitor.locator(f".st-key-door_{DOORS[0]} a").click()
    visitor.wait_for_url(re.compile(rf"/{DOORS[0]}\?[^#]+$"))
    visitor.settle()
    visitor.go_back()
    wait_for_words(visitor, "8 windows of 8 values from each. The secret, value 58 of series 2,")


@pytest.mark.slow
def test_batches_rain_until_they_are_paused(visit):
    """The sentence is not said anew with each step; at rest it says what was counted."""
    visitor = visit("")
    visitor.wait_for_function(
        "() => /of ([3-9]|\\d\\d) so far/.test(document.querySelector('.dpviz-picture')?.innerText)"
    )
    assert "So far" not in words(visitor)
    visitor.get_by_role("button", name="Pause").press("Enter")
    said = wait_for_words(visitor, "So far")
    hits, steps = counted(visitor)
    assert f"So far, {hits} of {steps} steps contained it." in said
    visitor.wait_for_timeout(1500)
    assert counted(visitor) == (hits, steps)
    visitor.get_by_role("button", name="Play").press("Enter")
    visitor.wait_for_function(
        "before => !document.querySelector('.dpviz-picture').innerText.includes(before)",
        arg=f"of {steps} so far",
    )


@pytest.mark.slow
def test_for_who_wants_little_motion_it_stands_still(visit):
    """One step is shown, and the next one at a press; a hit is a window that has the secret."""
    visitor = visit("")
    visitor.emulate_media(reduced_motion="reduce")
    wait_for_words(visitor, "of 1 step contained it")
    assert not visitor.get_by_role("button", name="Pause").is_visible()
    visitor.wait_for_timeout(1500)
    assert counted(visitor)[1] == 1
    found = 0
    for step in range(2, 8):
        before = counted(visitor)[0]
        visitor.get_by_role("button", name="Next step").press("Enter")
        said = wait_for_words(visitor, f"of {step} steps contained it")
        assert visitor.evaluate(MOVES) == 0
        hits = visitor.locator(HIT).count()
        assert counted(visitor)[0] - before == (hits > 0)
        assert f"So far, {counted(visitor)[0]} of" in said
        found += hits
        secret = visitor.locator(SECRET).bounding_box()
        middle = secret["x"] + secret["width"] / 2
        for window in visitor.locator(HIT).all():
            box = window.bounding_box()
            assert box["x"] <= middle <= box["x"] + box["width"]
    assert visitor.locator(".dpviz-drawn").count() == 4
    assert visitor.locator(".dpviz-row .dpviz-window").count() == 8


def test_the_first_screen_of_a_phone_has_the_picture(visit):
    visitor = visit("", width=390, height=844, touch=True)
    visitor.locator(WORDS).wait_for()
    title, stage, *_ = visitor.evaluate(FITS)
    assert title < stage < 844


def test_the_first_screen_of_a_desk_has_the_doors_and_each_leads_in(visit):
    """All of a card is its link, even while a run has yet to draw it anew, and Tab comes by it."""
    visitor = visit("", height=900)
    visitor.locator(WORDS).wait_for()
    title, stage, *doors = visitor.evaluate(FITS)
    assert title < stage < 900
    assert len(doors) == len(DOORS)
    assert max(doors) < 900
    visitor.add_style_tag(content=FADED)
    for page in DOORS:
        assert visitor.evaluate(LINK_OF_CARD, page) == f"/{page}"
        tab_to(visitor, f".st-key-door_{page} a")
    visitor.locator(f".st-key-door_{DOORS[-1]}").click(position={"x": 200, "y": 60})
    visitor.wait_for_url(re.compile(rf"/{DOORS[-1]}\b"))
