"""What the numbers rest on, and the same numbers by another library."""

import re

import pytest

from dpviz.planning import curves_of
from dpviz.scenario import from_fields, to_fields
from dpviz.wording.theorems import THEOREM_ANCHORS
from tests.pages.app import EXPLORING, TOY, link_of

SHORT = link_of(TOY) | {"steps": "10"}
PARTS = ("open_certificate",)


def certificate(app) -> str:
    return next(text.value for text in app.markdown if text.value.startswith("**Upper bound:**"))


def second(app, side: str) -> str:
    start = f"**{side.capitalize()} bound by dp-accounting:**"
    return next(text.value for text in app.markdown if text.value.startswith(start))


def buttons(app) -> set[str]:
    return {button.key for button in app.button if button.key.startswith("second_")}


def test_folded_certificate_opens_on_a_click(open_page):
    app = open_page(SHORT, parts=())
    assert not any("**Upper bound:**" in text.value for text in app.markdown)
    assert app.keyed("expander", "open_certificate").label == "What these numbers rest on"
    assert certificate(open_page(SHORT, parts=PARTS))


@pytest.mark.parametrize(
    ("changes", "theorems"),
    [
        ({}, ["4.4", "dpviz 9"]),
        ({"num_subsequences": "2"}, ["dpviz 2", "F.7"]),
        ({"top_level": "deterministic"}, ["4.2", "4.2"]),
        ({"top_level": "flat"}, ["dpviz 4", "C.2"]),
        ({"forecast_noise": "1"}, ["G.1", "dpviz 6"]),
        ({"top_level": "poisson"}, ["dpviz 3", "dpviz 3"]),
    ],
)
def test_every_theorem_is_a_link_to_its_explanation(open_page, changes, theorems):
    app = open_page(SHORT | changes, parts=PARTS)
    links = re.findall(r"\]\(theorems#([\w-]+)\)", certificate(app))
    assert links == [THEOREM_ANCHORS[theorem] for theorem in theorems]


def test_brackets_hold_what_the_headline_rounds(open_page):
    app = open_page(SHORT, parts=PARTS)
    fields = to_fields(TOY) | {"steps": 10}
    fine = curves_of(from_fields(fields), tolerance=1e-4)
    text = certificate(app)
    brackets = re.findall(r"value lies between ([\d.]+) and ([\d.]+)", text)
    assert len(brackets) == 2
    for (low, high), curve in zip(brackets, (fine.upper, fine.lower), strict=True):
        assert float(low) <= curve.bracket.high
        assert float(high) >= curve.bracket.low


# Answers are shared by all visitors: these are settings that nobody has asked about.
@pytest.mark.parametrize(("side", "steps"), [("upper", 12)])
def test_other_library_is_asked_on_a_click_and_agrees(open_page, side, steps):
    app = open_page(SHORT | {"steps": str(steps)}, parts=PARTS)
    assert buttons(app) == {"second_upper", "second_lower"}
    app.click(f"second_{side}")
    said = second(app, side)
    epsilon = float(said.partition("ε = ")[2].partition(" ")[0])
    curves = curves_of(from_fields(to_fields(TOY) | {"steps": steps}))
    bracket = getattr(curves, side).bracket
    assert bracket.low * 0.999 <= epsilon <= bracket.high * 1.01
    assert "at δ = 10⁻⁷" in said
    assert "bracket" in said
    # The answer stays, in the button's place.
    assert second(app.run(), side) == said
    assert buttons(app) == {"second_upper", "second_lower"} - {f"second_{side}"}


def test_answer_of_other_settings_is_not_shown_beside_these(open_page):
    app = open_page(SHORT | {"steps": "11"}, parts=PARTS)
    app.click("second_upper")
    assert second(app, "upper")
    app.act("noise_multiplier", 3.0)
    assert "second_upper" in buttons(app)
    assert not any("Upper bound by dp-accounting" in text.value for text in app.markdown)


def test_without_a_lower_bound_there_is_none_to_check(open_page):
    app = open_page(SHORT | {"top_level": "flat", "longer_series_beyond": "2"}, parts=PARTS)
    assert "**Lower bound.** None is proven for these settings." in certificate(app)
    assert buttons(app) == {"second_upper"}


def test_series_of_several_lengths_are_told_to_be_beyond_the_other_library(open_page):
    several = SHORT | {"series_length": "20,30", "bottom_level": "poisson"}
    app = open_page(several, parts=PARTS)
    app.click("second_upper")
    words = [text.value for text in app.markdown]
    assert any(word.startswith("dp-accounting cannot check the upper bound") for word in words)


@pytest.mark.parametrize("page", sorted(set(EXPLORING) - {"subsequences"}))
def test_certificate_is_on_every_page_about_a_run(open_page, page):
    assert "[Theorem 4.4]" in certificate(open_page(SHORT, page, parts=PARTS))
