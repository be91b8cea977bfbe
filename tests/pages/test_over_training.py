"""Epsilon over the course of training, and where a budget ends."""

from dataclasses import replace

from dpviz.accounting import best_upper
from tests.pages.app import TOY, link_of
from tests.scenario.changes import varied

KEY = "over_training"
# Few steps keep the points of the line cheap.
SHORT = varied(TOY, steps=20)
LINK = link_of(SHORT) | {"chart": "training"}


def target_is_proven(scenario, count: int, epsilon: float) -> bool:
    """Return whether a fresh computation, at another tolerance, meets the target."""
    run = replace(scenario, training=replace(scenario.training, count=count))
    return best_upper(run, tolerance=1e-4).quoted_epsilon_at(run.delta) <= epsilon


def test_end_of_a_budget_is_the_last_step_that_is_proven(open_page):
    app = open_page(LINK | {"target_epsilon": "6"}, parts=("open_certificate",))
    app.assert_sound(KEY)
    sentence = app.headline
    assert sentence.startswith("**ε ≤ 6 at δ = 10⁻⁷ is proven for up to ")
    count = int(sentence.partition("for up to ")[2].partition(" step")[0])
    assert target_is_proven(SHORT, count, 6.0)
    assert not target_is_proven(SHORT, count + 1, 6.0)
    assert f"That is {20 - count} steps fewer than your 20 training steps." in sentence
    assert app.described(KEY).startswith(f"ε = 6 at δ = 10⁻⁷ is used up after {count} of 20 steps")
    # Without pins the sentence is enough; pins and certificate stay below this chart.
    assert not any("The budget lasts for" in text.value for text in app.markdown)
    assert not app.control("pin").disabled
    assert any("**Upper bound:** ε ≤ " in text.value for text in app.markdown)
