"""What the page of the paper's figures says is what the findings are, number by number."""

import numpy as np
import pytest

from dpviz.planning.order import Order
from dpviz.planning.paper_figures import FIGURES
from dpviz.planning.paper_figures.lines import LOOKED_AT
from dpviz.scenario import Scenario
from dpviz.wording.numbers import capitalised
from dpviz.wording.paper_findings import (
    drawn_words,
    panel_headline,
    proven_words,
    remarks,
    verdicts_of,
    verdicts_table,
)
from tests.findings import test_figures_3_and_8
from tests.findings.panels import panel_and_runs
from tests.findings.settings import (
    EPSILONS,
    EVERYWHERE,
    WINDOWS,
    Crossing,
    attained_at_best,
    certainly_below,
    upper,
)
from tests.findings.test_figures_2_and_5_to_7 import LIKE_WITH_LIKE, crossing
from tests.wording.reading import numbers_after

STEPS = (1, 100, 1000)
WINDOW_PANELS = [(figure, at) for figure in ("2", "5", "6", "7") for at in
                 range(len(FIGURES[figure].panels))]  # fmt: skip
ROUNDED = 1.011  # three digits


def next_looked_at(epsilon: float) -> float:
    """Return the first epsilon from this one on that the page looks at."""
    return float(LOOKED_AT[np.searchsorted(LOOKED_AT, epsilon)])


def assert_won(region, words: str, crossing: Crossing, smaller: str) -> None:
    """Assert from where on the first run wins, in the stretches and in the sentence."""
    assert region[-1].order is Order.FIRST
    if crossing is EVERYWHERE:
        assert len(region) == 1
        assert words == f"{smaller} at every ε"
        return
    start = region[-1].start
    assert crossing.above_to < start <= next_looked_at(crossing.below_from)
    [told] = numbers_after(f"{smaller} above ε = ", words)
    assert start <= told <= start * ROUNDED


def like_with_like(figure: str, steps: int, windows: int) -> Crossing:
    return crossing(LIKE_WITH_LIKE, 7 if figure == "2" else int(figure), steps, windows)


def strictly(one: Scenario, several: Scenario) -> Crossing:
    """Return from where on one window is proven to be better, by the best attack on several."""
    certain = certainly_below(upper(one), attained_at_best(several))
    first = len(certain) - int(np.argmin(certain[::-1])) if not certain.all() else 0
    if first == 0:
        return EVERYWHERE
    # The page's grids are others, and may decide a little more.
    return Crossing(above_to=0.9 * float(EPSILONS[first - 1]), below_from=float(EPSILONS[first]))


@pytest.mark.slow
@pytest.mark.parametrize(("figure", "at"), WINDOW_PANELS)
def test_one_window_against_several(figure, at):
    """Figures 2, 5, 6 and 7: both readings, and the largest crossing in the main sentence."""
    panel, runs = panel_and_runs(figure, at)
    found = verdicts_of(panel, runs)
    first, *others = panel.scenarios
    for windows, several, one in zip(WINDOWS, others, found, strict=True):
        drawn, proven = like_with_like(figure, STEPS[at], windows), strictly(first, several)
        assert_won(one.drawn, drawn_words(one), drawn, "smaller")
        assert one.proven is not None
        assert_won(one.proven, proven_words(one), proven, "more private")
        assert f"| {windows} windows per series | {drawn_words(one)} | " in (
            verdicts_table(panel, found)
        )
    headline = panel_headline(panel, runs)
    for region, said in (
        ([one.drawn[-1].start for one in found], "the smallest δ"),
        ([one.proven[-1].start for one in found if one.proven], "provably the most private"),
    ):
        told = numbers_after(f"{said} above ε = ", headline) or [LOOKED_AT[0]]
        assert max(region) <= told[0] <= max(region) * ROUNDED


@pytest.mark.every(3)
@pytest.mark.parametrize(("at", "windows"), [(1, 16), (1, 32), (2, 32)])
def test_where_many_windows_are_proven_to_be_better(at, windows):
    """Figure 5 at small epsilon, as the findings have it."""
    panel, runs = panel_and_runs("5", at)
    one = verdicts_of(panel, runs)[WINDOWS.index(windows)]
    assert one.proven is not None
    assert one.proven[0].order is Order.SECOND
    least = {(1, 16): 0.5, (1, 32): 2.0, (2, 32): 4.0}[at, windows]
    assert one.proven[0].end >= least
    assert numbers_after("less private below ε = ", proven_words(one))[0] >= least
    assert "provably not the most private below ε = " in panel_headline(panel, runs)


def top_level_panels(length: int) -> list[tuple[str, int, tuple[float, float]]]:
    panels = [("3", length, (0.1, 0.1))]
    return panels + [
        ("8", 3 * at + length, rates) for at, rates in enumerate(test_figures_3_and_8.SETTINGS)
    ]


@pytest.mark.parametrize(("figure", "at", "rates"), top_level_panels(1))
def test_drawing_after_one_epoch(figure, at, rates):
    """Better but for the tail; at delta = 1e-7 walking wins in three of four settings."""
    panel, runs = panel_and_runs(figure, at)
    [found] = verdicts_of(panel, runs)
    below_to, above_from = test_figures_3_and_8.TAIL_AFTER_ONE_EPOCH[rates]
    assert found.proven is not None
    for region, words, names in (
        (found.drawn, drawn_words(found), ("smaller", "larger")),
        (found.proven, proven_words(found), ("more private", "less private")),
    ):
        assert (region[0].order, region[-1].order) == (Order.FIRST, Order.SECOND)
        assert next_looked_at(below_to / 1.05) <= region[0].end < above_from
        assert below_to < region[-1].start <= next_looked_at(above_from)
        [to] = numbers_after(f"{names[0]} below ε = ", words)
        [since] = numbers_after(f"{names[1]} above ε = ", words)
        assert region[0].end / ROUNDED <= to <= region[0].end
        assert region[-1].start <= since <= region[-1].start * ROUNDED
    [at_delta] = remarks(panel, runs)
    order = ("drawing series at random", "a walk")
    winner, loser = order if rates == (0.1, 0.1) else order[::-1]
    assert f"**{capitalised(winner)} is provably more private than {loser}**" in at_delta
    assert "at δ = 10⁻⁷" in at_delta


@pytest.mark.parametrize(("figure", "at", "rates"), top_level_panels(2))
def test_drawing_after_ten_epochs(figure, at, rates):
    panel, runs = panel_and_runs(figure, at)
    [found] = verdicts_of(panel, runs)
    assert found.proven is not None
    if rates != (0.5, 0.5):
        assert drawn_words(found) == "smaller at every ε"
        assert_won(found.proven, proven_words(found), EVERYWHERE, "more private")
        return
    [to] = numbers_after("smaller below ε = ", drawn_words(found))
    assert 45.0 <= to <= 46.0
    [since] = numbers_after("less private above ε = ", proven_words(found))
    assert 46.0 < since <= next_looked_at(51.0) * ROUNDED
    [proven_to] = numbers_after("more private below ε = ", proven_words(found))
    assert 45.0 <= proven_to <= to
