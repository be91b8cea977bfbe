"""What holds of the paper's figures, as the paper compares and as far as it is proven."""

from collections.abc import Sequence

from dpviz.guarantees import Kind
from dpviz.planning.curves import POINTS_PER_DECADE
from dpviz.planning.order import Order, Stretch
from dpviz.planning.paper_figures.lines import FIRST_EPSILON, LAST_EPSILON, SMALLEST_DELTA, PanelRun
from dpviz.planning.paper_figures.orders import Verdict, largest_difference, verdict
from dpviz.planning.paper_figures.panel import Family, Panel
from dpviz.wording.numbers import capitalised, counted, power_of_ten, rounded_up
from dpviz.wording.paper_figures import run_name
from dpviz.wording.subsequences import places
from dpviz.wording.top_levels import order_headline

EVERYWHERE = "at every ε"
_COMPUTED = "…"


def verdicts_of(panel: Panel, runs: Sequence[PanelRun]) -> list[Verdict]:
    """Return the panel's comparisons whose runs are both known."""
    return [
        verdict(runs[one], runs[other])
        for one, other in panel.drawn.pairs
        if max(one, other) < len(runs)
    ]


def verdicts_table(panel: Panel, verdicts: Sequence[Verdict]) -> str:
    """Return for each comparison who is below whom in both readings, as a Markdown table."""
    if panel.family is Family.ONE_BAG:
        rows = ["| Length of a window | Series first is proven |", "| --- | --- |"]
        for found in verdicts:
            shape = found.one.shape
            assert shape is not None  # one bag has no rates
            length = counted(shape.window_length, "value")
            rows.append(f"| {length} | {proven_words(found)} |")
        rows += [
            f"| {counted(length, 'value')} | not possible: a batch would need more than one window "
            "of a series |"
            for length in panel.drawn.impossible
        ]
        return "\n".join(rows)
    # With noise both lines are upper bounds.
    what = "upper bound on δ" if panel.family is Family.LABEL_NOISE else "δ"
    rows = [f"| {_compared(panel)} | As the paper compares, its {what} is | Proven to be |"]
    rows.append("| --- | --- | --- |")
    for found in verdicts:
        other = run_name(panel, found.other)
        if panel.family is Family.LABEL_NOISE:
            other = f"{run_name(panel, found.one)} against {other}"
        rows.append(f"| {other} | {drawn_words(found)} | {proven_words(found)} |")
    return "\n".join(rows)


def drawn_words(found: Verdict) -> str:
    """Return where the line of one run lies below or above the other's as the paper draws them."""
    words = {Order.FIRST: "smaller", Order.SECOND: "larger"}
    return said_words(found.drawn, words) or "not told apart by the numerical brackets"


def proven_words(found: Verdict) -> str:
    """Return where one run is proven more or less private than the other."""
    if found.proven is None:
        return _COMPUTED
    words = {Order.FIRST: "more private", Order.SECOND: "less private"}
    said = said_words(found.proven, words) or "neither more nor less private"
    shape = found.one.shape
    is_same = found.other.sampling.is_bag and shape and shape.window_length == 1
    return f"{said}: an individual is in one window either way" if is_same else said


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
        return [_equality(panel, runs), _NOT_ATTAINED]
    first, second = runs[0].curves, runs[1].curves
    if panel.family is Family.TOP_LEVELS and first is not None and second is not None:
        return [order_headline(first, second)]
    return []


def looked_at() -> str:
    """Return what every order of curves rests on."""
    return (
        f"ε was looked at {POINTS_PER_DECADE} times in every factor of 10 from "
        f"{FIRST_EPSILON:g} to {LAST_EPSILON:,.0f}, wherever δ is not below "
        f"{power_of_ten(SMALLEST_DELTA)}."
    )


def line_names(panel: Panel, runs: Sequence[PanelRun]) -> str:
    """Return what the legend's words for the lines mean."""
    if panel.family is Family.ONE_BAG:
        return "Thick: series first, exact. Thin: one bag, what one individual loses at least."
    # After one unit the lines are attained themselves.
    has_thin = any(run.line.bound.count > 1 for run in runs)
    thin = "Thin: lower bound, attained by some model." if has_thin else ""
    if panel.family is Family.LABEL_NOISE:
        return " ".join(part for part in ("All are proven upper bounds.", thin) if part)
    kinds = dict.fromkeys(run.kind for run in runs)
    return " ".join(part for part in (*(_KINDS[kind] for kind in kinds), thin) if part)


_NOT_ATTAINED = (
    "With noise on labels the attained lower bound is that of a model that reads the context "
    "alone: comparing upper bounds orders the bounds, and not the training runs."
)


_KINDS = {
    Kind.UPPER: "Upper: proven upper bound.",
    Kind.TIGHT: "Exact: upper and attained lower bound at once.",
    Kind.LOWER: "Lower: lower bound, attained by some model.",
    Kind.UNPROVEN: "Paper: composed as in the paper, proven neither way.",
}


def _compared(panel: Panel) -> str:
    if panel.family is Family.LABEL_NOISE:
        return "More noise against less"
    one = run_name(panel, panel.scenarios[0])
    return f"{capitalised(one)} against"


def _equality(panel: Panel, runs: Sequence[PanelRun]) -> str:
    assert panel.drawn.equal is not None  # figures on noise claim it
    one, other = (runs[at] for at in panel.drawn.equal)
    percent = rounded_up(100.0 * largest_difference(one, other), 2)
    return (
        f"With {run_name(panel, one.scenario)} the upper bound on δ differs from that with "
        f"{run_name(panel, other.scenario)}, T and L_C kept, by at most {percent} % at any of "
        "these ε."
    )
