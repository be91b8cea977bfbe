"""Controls that cannot lie: whatever is done to them, and however fast, only that is set."""

import pytest

from dpviz.planning import curves_of
from dpviz.wording.numbers import rounded_up
from tests.browser.hammer import hammer, told_one_by_one
from tests.browser.visitor import SETTLED

# Pages that quote the visitor's own epsilon, in these words.
_OWN_EPSILON = ("privacy_curve", "protection")
_PAGES = (
    *("privacy_curve", "subsequences", "sample_or_walk", "label_noise", "one_bag", "protection"),
    *("multistage", "release", "protected_forecasts", "private_inference", "planner", "train"),
    *("ledger", "sweep_results", "epsilon_meaning", "batch_drawing", "theory_check"),
    *("paper_figures", "paper_tables", "training_study"),
)
_SETTLED_MILLISECONDS = 180_000  # a map of several windows by coins takes over a minute
# Of these pages one choice decides which others there are, be it until a plan is found. One that is
# about to go takes no act any more once its answer is drawn: wait until it is gone.
_CHOICES_DEPEND = ("paper_figures", "paper_tables", "epsilon_meaning", "planner")
_SHORT, _MOST_SLIDERS = "short", 2  # what the quick run has time for
_CASES = [
    ("protection", _SHORT),
    *(pytest.param(page, seed, marks=pytest.mark.slow) for page in _PAGES for seed in range(2)),
]
# Tells the keys of what it unfolds.
_UNFOLD = """() => [...document.querySelectorAll("[data-testid=stExpander] summary")].filter(
  (one) => one.closest(".st-key-settings")
).map((one) => {
  one.click();
  return one.closest("[class*=st-key-open_]").className.match(/st-key-(\\w+)/)[1];
})"""


def _settle(visitor):
    """Wait for the whole answer, which some settings leave without a chart."""
    visitor.wait_for_selector(".dpviz-control")
    visitor.wait_for_timeout(300)
    visitor.wait_for_function(SETTLED, timeout=_SETTLED_MILLISECONDS)


def _is_answered(visitor):
    """Wait until what was chosen stands on the page: the first answer, and the controls."""
    visitor.wait_for_timeout(300)
    visitor.wait_for_function(
        """() => !document.documentElement.classList.contains("dpviz-waiting")
          && !document.querySelector("[data-stale=true] .dpviz-control")""",
        timeout=_SETTLED_MILLISECONDS,
    )


def _drawn(text, shown):
    """Return how a number's text is drawn: where a few digits are shown, by its first four."""
    # JavaScript writes no 0 before a power of ten.
    about = f"≈ {float(f'{float(text):.4g}')}".replace("e-0", "e-")
    about = about if shown.startswith("≈ ") else text
    return about if len(about) < len(text) else text


@pytest.mark.parametrize(("path", "seed"), _CASES)
def test_only_what_was_done_is_set(visit, path, seed):
    """The link, every control and the headline say what the same acts lead to one by one."""
    visitor = visit(path)
    _settle(visitor)
    unfolded: list[str] = []
    if seed == 1:  # with what is folded away at first
        unfolded = visitor.evaluate(_UNFOLD)
        visitor.wait_for_timeout(1000)
        _settle(visitor)
    begins = visitor.link

    waits = (lambda: _is_answered(visitor)) if path in _CHOICES_DEPEND else None
    most = _MOST_SLIDERS if seed == _SHORT else None
    done = hammer(visitor, f"{path} {seed}", waits, most=most).done
    _settle(visitor)
    visitor.wait_for_timeout(500)
    _settle(visitor)

    assert len(done) > 3
    one_by_one = told_one_by_one(path, begins, done, unfolded)
    assert visitor.link == one_by_one.link
    shown = visitor.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".dpviz-slides")].map((node) => [
          node.closest("[class*=st-key-]").className.match(/st-key-(\\w+)/)[1],
          node.querySelector(".dpviz-box").value,
        ]))"""
    )
    told = one_by_one.controls
    assert shown == {name: _drawn(told[name].text, shown[name]) for name in shown}
    if path in _OWN_EPSILON and "chart" not in visitor.link:  # over training it may be another
        epsilon = curves_of(one_by_one.scenario).epsilon_upper
        assert epsilon is None or f"≤ {rounded_up(epsilon)}" in visitor.headline
