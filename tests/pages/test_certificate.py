"""One question has one number on a page, and a certificate that another library checks."""

import pytest

from dpviz.planning import curves_of
from dpviz.planning.protection import at_relation
from dpviz.scenario import from_fields, to_fields
from dpviz.ui import compute, filling, frame
from dpviz.ui.compute import COARSE, curves_ladder, curves_part
from dpviz.ui.questions import privacy_curve
from dpviz.ui.results import RESULTS
from dpviz.wording.numbers import rounded_up
from tests.pages.app import TOY, link_of
from tests.scenario.changes import TRAFFIC

SHORT = link_of(TOY) | {"steps": "10"}
PARTS = ("open_certificate",)


def certificate(app) -> str:
    return next(text.value for text in app.markdown if "**Upper bound:**" in text.value)


def second(app, side: str) -> str:
    start = f"**{side.capitalize()} bound by dp-accounting:**"
    return next(text.value for text in app.markdown if text.value.startswith(start))


def buttons(app) -> set[str]:
    return {button.key for button in app.button if button.key.startswith("second_")}


# Answers are shared by all visitors: these are settings that nobody has asked about.
def test_other_library_is_asked_on_a_click_and_agrees(open_page):
    """Of other settings its answer is not shown."""
    app = open_page(SHORT | {"steps": "12"}, parts=PARTS)
    assert buttons(app) == {"second_upper", "second_lower"}
    app.click("second_upper")
    said = second(app, "upper")
    epsilon = float(said.partition("ε = ")[2].partition(" ")[0])
    bracket = curves_of(from_fields(to_fields(TOY) | {"steps": 12})).upper.bracket
    assert bracket.low * 0.999 <= epsilon <= bracket.high * 1.01
    assert "at δ = 10⁻⁷" in said
    assert "bracket" in said
    # The answer stays, in the button's place.
    assert second(app.run(), "upper") == said
    assert buttons(app) == {"second_lower"}
    app.act("noise_multiplier", 3.0)
    assert "second_upper" in buttons(app)
    assert not any("Upper bound by dp-accounting" in text.value for text in app.markdown)


def test_without_a_lower_bound_there_is_none_to_check(open_page):
    app = open_page(SHORT | {"top_level": "flat", "longer_series_beyond": "2"}, parts=PARTS)
    assert "**Lower bound.** None is proven for these settings." in certificate(app)
    assert buttons(app) == {"second_upper"}


def charts(app) -> str:
    """Return the charts of a page as they are sent to the browser."""
    return " ".join(str(element.proto) for element in app.elements)


def test_the_chart_of_widths_tells_the_numbers_of_the_headlines(open_page):
    one, whole = link_of(TOY), link_of(at_relation(TOY, "event", 20))
    numbers = ["19.03", "171.2"]
    for link, own in zip((one, whole), numbers, strict=True):
        app = open_page(link, "protection", parts=())
        assert own in app.headline
        drawn = charts(app)
        assert all(number in drawn for number in numbers)
        assert "19.05" not in drawn
        assert "171.8" not in drawn


@pytest.mark.slow
def test_over_training_the_own_point_is_what_the_page_says_while_that_is_coarse(
    open_page, monkeypatch
):
    coarse = curves_of(TRAFFIC, tolerance=COARSE, only_quoted=True)
    exact = RESULTS.get(curves_part(TRAFFIC))
    assert rounded_up(coarse.epsilon_upper) != rounded_up(exact.epsilon_upper)
    monkeypatch.setattr(privacy_curve, "known_runs", lambda _: [("now", coarse)])
    drawn = charts(open_page(link_of(TRAFFIC) | {"chart": "training"}))
    assert f"at most {rounded_up(coarse.epsilon_upper)}" in drawn
    assert f"at most {rounded_up(exact.epsilon_upper)}" not in drawn


def test_over_training_a_coarse_number_is_not_the_last_one(monkeypatch, open_page):
    """The line may be complete before the run's own curves are: they are still waited for."""
    waited_for = []
    go_on = frame.go_on

    def noted():
        waited_for.append(filling.to_come())
        go_on()

    monkeypatch.setattr(compute, "are_behind", lambda **_: True)  # then the first one is coarse
    monkeypatch.setattr(frame, "go_on", noted)
    for part in curves_ladder(TOY):
        RESULTS.forget(part.key)
    open_page(link_of(TOY) | {"chart": "training"})
    assert curves_part(TOY).key in waited_for[0]
    assert waited_for[-1] == {}
