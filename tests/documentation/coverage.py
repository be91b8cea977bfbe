"""The numbers that docs/coverage.md calls dpviz's own, computed, and what dpviz keeps as printed.

By paper and item; as many numbers as stand in the cell, in its order.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from scipy.stats import binom

from dpviz.accounting import account_for, best_upper, composed_curve
from dpviz.multistage import StagedDraw, comparison, staged_guarantee, tree_draw
from dpviz.multistage.guarantee import EXAMPLES, draw_in, moments_epsilon
from dpviz.planning.paper_figures.families import toy
from dpviz.private_inference.study import shipped_study as shipped_inference
from dpviz.release import CircularFilter, ReleaseSettings, calibrated
from dpviz.release.calibration import proposition_1_epsilon
from dpviz.release.published import PUBLISHED, synth_errors
from dpviz.reported.table import TABLES, setup_of
from dpviz.scenario import PRESETS, Noise, Scenario, Training
from dpviz.training_study.findings import YES, Finding, findings
from dpviz.training_study.results import Drawing, shipped_drawing, shipped_results
from tests.documentation.coverage_of_protection import BALE, PRINTED_BALE
from tests.findings import test_figures_3_and_8
from tests.findings.test_figures_2_and_5_to_7 import AT_BEST, LIKE_WITH_LIKE
from tests.findings.test_figures_4_9_10_and_13 import CASES, CROSSINGS, EPSILONS, NOT_PROVEN
from tests.release.exact import hoeffding_sensitivity

Numbers = Sequence[float]
Computed = Callable[[], Numbers]
DELTA = 1e-7


def one_unit(*, windows: int = 1, walk: bool = False, **sampling: str) -> Scenario:
    """Return one step, or one epoch of a walk, of the toy set-up."""
    scenario = toy(
        bottom_rate=0.1,
        batch_share=0.1,
        training=Training(unit="epochs" if walk else "steps", count=1),
        windows=windows,
        top_level="deterministic" if walk else "without-replacement",
    )
    return replace(scenario, sampling=replace(scenario.sampling, **sampling))


def with_noise_on_windows() -> Scenario:
    scenario = toy(
        bottom_rate=0.1,
        batch_share=0.1,
        training=Training(unit="steps", count=1),
        context_length=4,
        forecast_length=4,
    )
    return replace(
        scenario, noise=Noise(noise_multiplier=1.0, context_noise=2.0, forecast_noise=2.0)
    )


def upper(scenario: Scenario, theorem: str) -> float:
    """Return the upper bound on epsilon, after checking by which theorem it is."""
    found = best_upper(scenario)
    assert found.bound.theorem == theorem
    return found.quoted_epsilon_at(DELTA)


def lower(scenario: Scenario, theorem: str) -> float:
    found = account_for(scenario).lower
    assert found.bound.theorem == theorem
    return found.quoted_epsilon_at(DELTA)


def poisson_epochs() -> Numbers:
    """Return epsilon of an epoch with 1, 2 and 4 expected windows per series, exact by E.8."""
    return [
        upper(one_unit(windows=windows, walk=True, bottom_level="poisson"), "E.8")
        for windows in (1, 2, 4)
    ]


def order_after_one_step(figure: int) -> Numbers:
    """Return between which epsilons one window becomes the better choice, over numbers of them."""
    above_to, below_from = zip(*LIKE_WITH_LIKE[figure, 1].values(), strict=True)
    return [min(above_to), max(below_from)]


def proven_walks() -> Numbers:
    cases = len(CASES) * len(EPSILONS)
    return [cases - len(NOT_PROVEN), cases]


def all_epochs(table: int, column: int = 1) -> Numbers:
    """Return epsilon after all epochs of the set-up behind a column."""
    setup = setup_of(TABLES[str(table)], column)
    return [upper(setup.scenario, "G.1" if setup.scenario.noise.forecast_noise else "4.4")]


def studied(question: str) -> list[Finding]:
    return [one for one in findings(shipped_results().rows) if one.question.name == question]


def relative(finding: Finding, value: float, epsilon: float) -> float:
    """Return an error as a difference from the seasonal naive forecast's, in per cent of it."""
    return 100.0 * (finding.cell(value, epsilon).mean / finding.baseline_crps - 1.0)


def cost_of_privacy() -> Numbers:
    """Return the least and the largest cost of epsilon = 1 against no privacy."""
    costs = [
        relative(one, 1.0, 1.0) - relative(one, math.inf, math.inf) for one in studied("budget")
    ]
    return [min(costs), max(costs)]


def cost_of_width() -> Numbers:
    costs = [relative(one, 8.0, 4.0) - relative(one, 1.0, 4.0) for one in studied("width")]
    return [min(costs), max(costs)]


def gain_of_noise_on_labels() -> Numbers:
    return [
        max(
            relative(one, 0.0, 0.5) - relative(one, noise, 0.5)
            for one in studied("labels")
            for noise in (0.5, 1.0, 2.0, 5.0)
        )
    ]


def windows_without_privacy() -> Numbers:
    """Return the largest change of the error by lambda; with a budget of 8; in per cent."""
    return [
        max(
            abs(relative(one, windows, epsilon) - relative(one, 1.0, epsilon))
            for one in studied("windows")
            for windows in (2.0, 4.0, 8.0, 16.0)
        )
        for epsilon in (math.inf, 8.0)
    ]


def claims_answered_yes() -> Numbers:
    claims = [claim.answer for one in findings(shipped_results().rows) for claim in one.claims]
    return [claims.count(YES), len(claims)]


def hidden_contexts(length: int) -> Numbers:
    """Return in how many cases leaving out values helps and hurts, one protected value."""
    found = [
        one.verdict
        for one in shipped_inference().found
        if one.context_length == length and one.case.width == 1 and one.case.rate < 1.0
        if math.isfinite(one.case.epsilon)
    ]
    return [found.count("helps"), found.count("hurts"), len(found)]


def shape(data_set: str) -> Numbers:
    data = PRESETS[data_set].scenario.data
    return [data.num_series, data.series_lengths[0]]


def released(length: int, *ways: tuple[str, str]) -> Numbers:
    """Return the noise of mechanisms with I = T / 10 at the paper's budget."""
    settings = ReleaseSettings(length=length, participation=math.ceil(length / 10))
    return [calibrated(settings, *way).noise for way in ways]


def gaussian_error(name: str) -> Numbers:
    """Return the mean absolute error of the classical Gaussian mechanism on a data set.

    Then the least mean of its counts with which cutting off at 0 explains the print, if any does.
    """
    (one,) = (one for one in PUBLISHED if one.name == name)
    return [one.gaussian_error, *([one.clipped_mean] if one.clipped_mean else [])]


def kept_sensitivity() -> Numbers:
    """Return sqrt(I') by Corollary 1 and by the tail itself, of I = 180, p = 0.1."""
    exact = next(kept for kept in range(181) if binom.sf(kept, 180, 0.1) <= 1e-4)
    return [hoeffding_sensitivity(180, 0.1, 1e-4), math.sqrt(exact)]


def venues() -> Numbers:
    """Return at how many venues, of how many, somebody is in more steps than is assumed."""
    found = [number > one.settings.participation for one in PUBLISHED for number in one.most_often]
    return [sum(found), len(found)]


def participation_twice() -> Numbers:
    one = calibrated(ReleaseSettings(length=1800, participation=180), "filter-subsample", "paper")
    return [proposition_1_epsilon(one, 360), one.epsilon_at(360)]


def unequal_tree() -> Numbers:
    """Return eta of Example 3.1 by the tree and by least sizes, of one and two records; epsilon.

    Epsilon is of 1,000 episodes of one record with sigma = 4, at delta = 1e-5.
    """
    draws = []
    for drawn in ([1, 1, 1], [1, 1, 2]):
        tree = tree_draw("[[4,2,3],[4,5]]", drawn)
        draws += [tree, StagedDraw(levels=tree.levels)]
    curves = [composed_curve(staged_guarantee(one, 4.0, 1000).upper) for one in draws[:2]]
    return [*(one.rate for one in draws), *(one.quoted_epsilon_at(1e-5) for one in curves)]


def refuted() -> Numbers:
    found = EXAMPLES["one-of-two"]
    compared = comparison(found.draw, found.noise_multiplier, found.epsilon)
    return [compared.attained.delta]


def claimed() -> Numbers:
    found = EXAMPLES["one-of-two"]
    return [comparison(found.draw, found.noise_multiplier, found.epsilon).printed]


def drawing(varied: str) -> Numbers:
    """Return the largest differences, in per cent, by what a figure varies and by the top level.

    Those without privacy come first, those with a budget of 8 after them.
    """
    found = shipped_drawing(varied)

    def spread(by: str, epsilon: float) -> float:
        alike: dict[Drawing, list[float]] = {}
        for one, cell in found.items():
            if one.epsilon == epsilon:
                errors = alike.setdefault(one._replace(**{by: None}), [])
                errors.append(100.0 * cell.difference)
        return max(max(errors) - min(errors) for errors in alike.values())

    return [spread(by, epsilon) for epsilon in (math.inf, 8.0) for by in (varied, "top_level")]


def moments() -> Numbers:
    draw = draw_in("1:12")
    composed = composed_curve(staged_guarantee(draw, 4.0, 1000).upper)
    return [moments_epsilon(draw, 4.0, 1000, 1e-5), composed.quoted_epsilon_at(1e-5)]


def printed_crps(table: int) -> Computed:
    """Return two printed errors of DeepAR: of the first and last column, or of r = 1 and 0.5."""
    lines = [one for one in TABLES[str(table)].lines if one.model == "DeepAR"]
    last = 0 if lines[0].rate else -1
    return lambda: [lines[0].cells[0].number, lines[-1].cells[last].number]


MAIN: dict[str, Computed] = {
    "Theorem 4.1": poisson_epochs,
    "Theorem 4.2": lambda: [upper(one_unit(walk=True), "4.2")],
    "Theorem 4.3": lambda: [lower(one_unit(walk=True, windows=4), "4.3")],
    "Theorem 4.4": lambda: [upper(one_unit(), "4.4")],
    "Theorem 4.5": lambda: [upper(with_noise_on_windows(), "G.1")],
    "Proposition C.2": lambda: [lower(one_unit(top_level="flat"), "C.2")],
    "Theorem E.1": lambda: [upper(one_unit(walk=True, windows=4), "dpviz 1")],
    "Theorem E.8": lambda: poisson_epochs()[:1],
    "Theorem F.1": lambda: [upper(one_unit(windows=4), "dpviz 2")],
    "Theorem F.2": lambda: [upper(one_unit(bottom_level="poisson"), "dpviz 5")],
    "Theorem F.7": lambda: [lower(one_unit(windows=4), "dpviz 7")],
    "Theorem F.8": lambda: [lower(one_unit(bottom_level="poisson"), "F.8")],
    "Figure 2": lambda: [
        order_after_one_step(7)[1],
        AT_BEST[100][2],
    ],
    "Figure 3": lambda: [test_figures_3_and_8.TAIL_AFTER_ONE_EPOCH[0.1, 0.1][1]],
    "Figure 5": lambda: order_after_one_step(5),
    "Figure 6": lambda: order_after_one_step(6),
    "Figure 8": lambda: [test_figures_3_and_8.TAIL_AFTER_ONE_EPOCH[0.5, 0.5][1]],
    "Figure 10": proven_walks,
    "Figure 11": lambda: drawing("batch_size"),
    "Figure 12": lambda: [*windows_without_privacy(), *drawing("num_subsequences")],
    "Figure 13": lambda: CROSSINGS[0.1, 8],
    "Table 1": cost_of_privacy,
    "Table 2": lambda: all_epochs(2),
    "Table 3": lambda: all_epochs(3),
    "Table 4": lambda: all_epochs(4),
    "Table 5": lambda: [*all_epochs(5, -1), *cost_of_width()],
    "Table 6": lambda: all_epochs(6, -1),
    "Table 7": lambda: all_epochs(7, -1),
    "Table 8": lambda: [*all_epochs(8, -1), *gain_of_noise_on_labels()],
    "Table 9": lambda: all_epochs(9, -1),
    "Table 10": lambda: all_epochs(10, -1),
    "Table 11": lambda: hidden_contexts(8),
    "Table 12": lambda: hidden_contexts(2),
    "Table 13": lambda: [*hidden_contexts(2), *hidden_contexts(24)],
    "traffic": lambda: shape("traffic"),
    "electricity": lambda: shape("electricity"),
    "solar_10_minutes": lambda: shape("solar_10_minutes"),
    "Training": claims_answered_yes,
}
KOGA: dict[str, Computed] = {
    "Theorem 1": lambda: released(1800, ("gaussian", "classical"), ("gaussian", "analytic")),
    "Theorem 2": lambda: released(1800, ("subsample", "paper"), ("subsample", "exact")),
    "Corollary 1": kept_sensitivity,
    "Table 1": venues,
    "Theorem 4": lambda: released(
        1800, ("filter-subsample", "paper"), ("filter-subsample", "exact")
    ),
    "Proposition 1": participation_twice,
    "Table 2, Gaussian, PeMS": partial(gaussian_error, "PeMS"),
    "Table 2, Gaussian, Gowalla": partial(gaussian_error, "Gowalla"),
    "Table 2, Gaussian, Foursquare": partial(gaussian_error, "Foursquare"),
    "Figure 2": lambda: [synth_errors(one, 0.0, 20)[2].mean for one in (1 / 64, 1.0)],
    "Figure 2 of the appendix": lambda: [
        CircularFilter(10_000, 10.0).stable_rank,
        CircularFilter(10_000, 10.0).largest_row,
    ],
}
TOMBS: dict[str, Computed] = {
    "Example 3.1": unequal_tree,
    "Theorem 3": refuted,
    "Moments accountant": moments,
}
# What is printed, as far as dpviz keeps it: the first numbers of a cell.
PRINTED_MAIN = {f"Table {number}": printed_crps(number) for number in range(1, 14)}
PRINTED_KOGA: dict[str, Computed] = {
    f"Table 2, Gaussian, {one.name}": lambda one=one: one.errors[:1] for one in PUBLISHED
} | {"Table 2, other rows": lambda: PUBLISHED[0].errors[1:]}
PRINTED_TOMBS: dict[str, Computed] = {"Theorem 3": claimed}
PAPERS: dict[str, tuple[dict[str, Computed], dict[str, Computed]]] = {
    "Schuchardt et al.": (MAIN, PRINTED_MAIN),
    "Koga et al.": (KOGA, PRINTED_KOGA),
    "Tombs et al.": (TOMBS, PRINTED_TOMBS),
    "Bale et al.": (BALE, PRINTED_BALE),
}
