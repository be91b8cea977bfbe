"""What holds of the paper's figures, as the paper compares and as far as it is proven."""

from collections.abc import Sequence

from dpviz.guarantees import Bound, Kind
from dpviz.planning.one_bag import shape_of
from dpviz.planning.order import Order, Stretch, is_anywhere
from dpviz.planning.paper_figures.families import Family, Panel, impossible_lengths
from dpviz.planning.paper_figures.lines import (
    FIRST_EPSILON,
    LAST_EPSILON,
    SMALLEST_DELTA,
    PanelRun,
    Verdict,
    against_all,
    largest_difference,
    verdict,
)
from dpviz.wording.markup import DELTA_OVER_EPSILON, markdown_table
from dpviz.wording.numbers import (
    capitalised,
    counted,
    joined,
    power_of_ten,
    rounded_down,
    rounded_up,
)
from dpviz.wording.paper_figures import LINE_KINDS, THIN, option_name, run_name
from dpviz.wording.scope import conditions, protected_in
from dpviz.wording.subsequences import CHECKED, places, scenario_label
from dpviz.wording.theorems import bound_label, named_theorems
from dpviz.wording.top_levels import order_headline

EVERYWHERE = "at every ε"
# What every order of curves rests on.
LOOKED_AT = (
    f"{capitalised(CHECKED)}, from {FIRST_EPSILON:g} to {LAST_EPSILON:,.0f}, wherever "
    f"δ ≥ {power_of_ten(SMALLEST_DELTA)}."
)
_MORE_OR_LESS = {Order.FIRST: "more private", Order.SECOND: "less private"}


def verdicts_of(panel: Panel, runs: Sequence[PanelRun]) -> list[Verdict]:
    """Return the panel's comparisons whose runs are both known."""
    return [
        verdict(runs[one], runs[other]) for one, other in panel.pairs if max(one, other) < len(runs)
    ]


def verdicts_table(panel: Panel, verdicts: Sequence[Verdict]) -> str:
    """Return for each comparison who is below whom in both readings, as a Markdown table."""
    if panel.family is Family.ONE_BAG:
        rows = [[_length(found), proven_words(found)] for found in verdicts]
        reason = "not possible: a batch would need more than one window of a series"
        rows += [[counted(length, "value"), reason] for length in impossible_lengths(panel)]
        return markdown_table(["Length of a window", "Series first is proven"], rows)
    of_noise = panel.family is Family.LABEL_NOISE
    # With noise both lines are upper bounds.
    what = "upper bound on δ" if of_noise else "δ"
    against = f"{capitalised(run_name(panel, panel.scenarios[0]))} against"
    first = "More noise against less" if of_noise else against
    heads = [first, f"As the paper compares, its {what} is", "Proven to be"]
    rows = []
    for found in verdicts:
        more = f"{run_name(panel, found.one)} against " if of_noise else ""
        other = more + run_name(panel, found.other)
        rows.append([other, drawn_words(found), proven_words(found)])
    return markdown_table(heads, rows)


def _length(found: Verdict) -> str:
    return counted(shape_of(found.one).window_length, "value")


def drawn_words(found: Verdict) -> str:
    """Return where the line of one run lies below or above the other's as the paper draws them."""
    words = {Order.FIRST: "smaller", Order.SECOND: "larger"}
    return said_words(found.drawn, words) or "not distinguished numerically"


def proven_words(found: Verdict) -> str:
    """Return where one run is proven more or less private than the other."""
    if found.proven is None:
        return "…"
    if said := said_words(found.proven, _MORE_OR_LESS):
        return said
    shape = found.one.shape
    if found.other.sampling.is_bag and shape and shape.window_length == 1:
        return "neither: an individual is in one window either way"
    return "not proven either way"


def said_words(region: Sequence[Stretch], words: dict[Order, str]) -> str:
    """Return where each of some orders holds, or nothing where none does."""
    # In the order in which they come along the axis.
    orders = dict.fromkeys(stretch.order for stretch in region if stretch.order in words)
    return "; ".join(f"{words[order]} {places(region, order, EVERYWHERE)}" for order in orders)


def remarks(panel: Panel, runs: Sequence[PanelRun]) -> list[str]:
    """Return what else holds of a panel, as sentences."""
    if len(runs) < len(panel.scenarios):
        return []
    if panel.family is Family.LABEL_NOISE:
        return [
            _equality(panel, runs),
            "Where nothing is proven either way, the order is of upper bounds alone: with noise on "
            "labels the proven lower bound is that of a model that reads the context alone.",
        ]
    first, second = runs[0].curves, runs[1].curves
    if panel.family is Family.TOP_LEVELS and first is not None and second is not None:
        return [order_headline(first, second)]
    return []


def line_names(panel: Panel, runs: Sequence[PanelRun]) -> str:
    """Return what the legend's words for the lines mean."""
    if panel.family is Family.ONE_BAG:
        return "Thick: series first, tight. Thin: one bag, lower bound for one individual."
    # Beside a lower bound a thin line is another one.
    closer = [run.attained for run in runs if run.kind is Kind.LOWER and run.attained is not None]
    thin = ""
    if closer:
        thin = f"Thin: attained, too, by {named_theorems(closer)}."
    elif any(run.line.bound.count > 1 for run in runs):
        thin = THIN
    if panel.family is Family.LABEL_NOISE:
        return joined("All are proven upper bounds.", thin)
    kinds = dict.fromkeys(run.kind for run in runs)
    return joined(*(LINE_KINDS[kind] for kind in kinds), thin)


def _equality(panel: Panel, runs: Sequence[PanelRun]) -> str:
    *_, one, other = runs
    percent = rounded_up(100.0 * largest_difference(one, other), 2)
    return (
        f"With {run_name(panel, one.scenario)} the upper bound on δ differs from that with "
        f"{run_name(panel, other.scenario)}, T and L_C kept, by at most {percent} % at any of "
        "these ε."
    )


def panel_title(panel: Panel, runs: Sequence[PanelRun]) -> str:
    """Return what a panel shows, as a finding; none is told before all runs are computed."""
    after = f"After {option_name('length', panel.opened.training)}"
    known = sum(run.curves is not None for run in runs)
    if known < len(panel.scenarios):
        # Of more runs the line as in the paper may be drawn.
        return f"{after}: bounds of {known} of {counted(len(panel.scenarios), 'run')} ready"
    titles = {
        Family.WINDOWS: _windows_title,
        Family.TOP_LEVELS: _top_levels_title,
        Family.LABEL_NOISE: _noise_title,
        Family.ONE_BAG: _bag_title,
    }
    return f"{after}, {titles[panel.family](panel, runs)}"


def panel_headline(panel: Panel, runs: Sequence[PanelRun]) -> str:
    """Return the finding with its scope, as Markdown."""
    drawn = [run.line.bound for run in runs]
    # Of noise on labels only the lines are told.
    rests = [] if panel.family is Family.LABEL_NOISE else _bounds_of_orders(panel, runs)
    scope = f"By {named_theorems([*drawn, *rests])}, for {protected_in(panel.opened)}."
    return joined(f"**{panel_title(panel, runs)}.**", scope, conditions(drawn))


def _bounds_of_orders(panel: Panel, runs: Sequence[PanelRun]) -> list[Bound]:
    """Return what proven orders rest on: upper bounds, and what other runs attain."""
    verdicts = verdicts_of(panel, runs)
    first, second = (
        [found for found in verdicts if is_anywhere(order, found.proven or ())]
        for order in (Order.FIRST, Order.SECOND)
    )
    better = {*(found.one for found in first), *(found.other for found in second)}
    worse = {*(found.other for found in first), *(found.one for found in second)}
    return [
        *(run.curves.upper.bound for run in runs if run.curves and run.scenario in better),
        *(run.attained for run in runs if run.attained and run.scenario in worse),
    ]


def panel_description(panel: Panel, runs: Sequence[PanelRun]) -> str:
    """Return a panel's chart for those who cannot see it."""
    told = (f"For {run_name(panel, run.scenario)}, {_epsilons(run)}." for run in runs)
    return joined(f"{panel_title(panel, runs)}.", *told, DELTA_OVER_EPSILON)


def _windows_title(panel: Panel, runs: Sequence[PanelRun]) -> str:
    drawn = against_all(runs[0], runs[1:], proven=False)
    proven = against_all(runs[0], runs[1:], proven=True)
    title = f"{scenario_label(panel.scenarios[0])} is {_where(proven, 'provably the most private')}"
    if is_anywhere(Order.SECOND, proven):
        less = places(proven, Order.SECOND, EVERYWHERE)
        title += f", and provably not the most private {less}"
    return f"{title}; as the paper compares, it has {_where(drawn, 'the smallest δ')}"


def _top_levels_title(panel: Panel, runs: Sequence[PanelRun]) -> str:
    del panel
    found = verdict(runs[0], runs[1])
    assert found.proven is not None  # all is computed
    provably = {order: f"provably {words}" for order, words in _MORE_OR_LESS.items()}
    proven = said_words(found.proven, provably) or "not proven more or less private"
    return (
        f"drawing series at random, compared with a walk, is {proven}; as the paper compares, "
        f"its δ is {drawn_words(found)}"
    )


def _noise_title(panel: Panel, runs: Sequence[PanelRun]) -> str:
    drawn = [stretch for found in verdicts_of(panel, runs) for stretch in found.drawn]
    if all(stretch.order is Order.FIRST for stretch in drawn):
        return (
            "the upper bound on δ falls at every ε as the noise on labels grows, down to that "
            "without a forecast"
        )
    return "the upper bound on δ does not fall at every ε as the noise on labels grows"


def _bag_title(panel: Panel, runs: Sequence[PanelRun]) -> str:
    said = []
    for found in verdicts_of(panel, runs):
        assert found.proven is not None  # all is computed
        if is_anywhere(Order.FIRST, found.proven):
            said.append(f"{_length(found)}: {places(found.proven, Order.FIRST, EVERYWHERE)}")
    where = f", by length of a window: {'; '.join(said)}" if said else " at no ε"
    return f"one bag is provably less private than series first{where}"


def _where(region: Sequence[Stretch], what: str) -> str:
    is_told = is_anywhere(Order.FIRST, region)
    return f"{what} {places(region, Order.FIRST, EVERYWHERE) if is_told else 'at no ε'}"


def _epsilons(run: PanelRun) -> str:
    low, high, kind = run.line.bracket.low, run.line.bracket.high, run.kind
    if kind in (Kind.UPPER, Kind.TIGHT):
        told = "not bounded by a finite number" if high is None else f"at most {rounded_up(high)}"
    else:
        least = "beyond what is resolved" if low is None else rounded_down(low)
        told = f"{'at least' if kind is Kind.LOWER else 'about'} {least}"
    delta = power_of_ten(run.scenario.delta)
    return f"at delta {delta} epsilon is {told} ({bound_label(run.line.bound)})"
