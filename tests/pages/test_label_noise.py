"""The page about noise on context and labels."""

import pytest

from dpviz.planning import curves_of
from dpviz.planning.label_noise import with_noise, without_noise
from dpviz.wording.numbers import rounded_up
from tests.pages.app import BARE_RATES, FOLDED_PARTS, TOY, link_of
from tests.scenario.changes import varied

CURVES, MAP = "label_noise", "noise_map"
SHORT = varied(TOY, steps=10)
NOISY = with_noise(SHORT, context=0.5, forecast=2.0)


@pytest.fixture
def opened(open_page):
    def open_noise(scenario=SHORT, view=None, parts=(), **changes):
        link = link_of(scenario) | ({} if view is None else {"noise_chart": view}) | changes
        return open_page(link, "label_noise", parts=parts)

    return open_noise


def test_epsilon_with_noise_is_told_against_epsilon_without(opened):
    app = opened(NOISY, parts=FOLDED_PARTS)
    app.assert_sound(CURVES)
    said = app.headline
    own, plain = (curves_of(run).epsilon_upper for run in (NOISY, without_noise(NOISY)))
    assert f"**ε ≤ {rounded_up(own)} at δ = 10⁻⁷** (upper bound, Theorem G.1 composed over" in said
    assert f"against **ε ≤ {rounded_up(plain)}** without noise on windows" in said
    assert app.described(CURVES).startswith(
        "With noise of σ_C = 0.5 on context and σ_F = 2 on labels: "
        f"ε ≤ {rounded_up(own)} instead of {rounded_up(plain)} at δ = 10⁻⁷, after 10 steps"
    )
    assert "Theorem G.1" in app.words  # the certificate


def test_scheme_that_is_covered_can_be_chosen_on_the_page(opened):
    several = varied(NOISY, num_subsequences=2)
    app = opened(several, parts=("open_sampling",))
    assert "does not count" in app.headline
    # One upper bound, which may be drawn coarse, too; what is attained depends on the noise.
    lines = {str(line["y"]) for line in app.chart(CURVES)["data"] if len(line["x"]) > 1}
    assert len(lines) > 3
    app.act("num_subsequences", 1)
    assert "Theorem G.1" in app.headline


def test_rates_alone_answer_for_themselves_and_say_what_is_missing(open_page):
    app = open_page(BARE_RATES, "label_noise", parts=())
    app.assert_sound(CURVES)
    assert "Rates alone do not tell what noise buys" in app.headline
    app.act("noise_view", "map")
    assert "Forecast share φ: rates alone do not tell what noise buys" in app.errors
