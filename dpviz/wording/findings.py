"""What the curves of runs say: sentences that stay true, and tables of their bounds."""

from typing import Protocol

from dpviz.guarantees import Kind, Unit
from dpviz.planning import ProvenCurve, ScenarioCurves
from dpviz.scenario import Scenario
from dpviz.scenario.scenario import DELTA_RANGE
from dpviz.wording.markup import DELTA_OVER_EPSILON, chart_description, markdown_table
from dpviz.wording.numbers import (
    capitalised,
    counted,
    epsilon_at_most,
    joined,
    no_less,
    power_of_ten,
    rounded_down,
    rounded_up,
)
from dpviz.wording.proven_epsilon import TIERS_SOURCE, epsilon_range
from dpviz.wording.scope import (
    Runs,
    caveats,
    conditions,
    protected_in,
    protection_sentence,
    run_length,
    scheme_name,
)
from dpviz.wording.theorems import (
    bound_meaning,
    composed_source,
    composed_units,
    named_theorem,
    theorem_link,
)

# A bracket that is wider says more about the accountant than about the training.
_WIDE_GAP = 0.01


def headline(curves: ScenarioCurves, individual: str = "") -> str:
    """Return the main result with its scope, as Markdown."""
    scenario, bound = curves.scenario, curves.upper.bound
    delta, theorem = power_of_ten(scenario.delta), composed_source(bound)
    scheme = scheme_name(scenario.sampling)
    run = f"{run_length(scenario)}, {scheme}"
    hidden = individual or protected_in(scenario)
    if curves.epsilon_upper is None:
        why = "the accountant does not resolve so small a δ. Choose a larger one."
        if curves.upper.delta_high[-1] > DELTA_RANGE[1]:
            why = "so much loss is more than the accountant resolves. Add noise, or train less."
        return f"For {hidden} **no finite ε is proven at δ = {delta}** ({theorem}; {run}): {why}"
    if bound.unit is Unit.STEP and bound.count == scenario.num_steps:  # the theorem's clause has it
        epochs = counted(scenario.num_epochs, "epoch")
        run = scheme if scenario.training.unit == "steps" else f"{epochs}, {scheme}"
    return joined(
        f"Training hides {hidden}{',' if individual else ''} with **ε ≤ "
        f"{rounded_up(curves.epsilon_upper)} at δ = {delta}** (upper bound, {theorem}): {run}.",
        caveats(bound),
        _room_below(curves),
    )


def curve_title(curves: ScenarioCurves) -> str:
    """Return what the chart of one run shows, as a finding."""
    delta = power_of_ten(curves.scenario.delta)
    if curves.epsilon_upper is None:
        return f"No finite ε is proven at δ = {delta}"
    # The title of a chart that is saved as an image has to stand by itself.
    start = f"After {run_length(curves.scenario)}"
    return f"{start}: ε ≤ {rounded_up(curves.epsilon_upper)} at δ = {delta}"


def quoted_epsilon(curves: ScenarioCurves) -> str:
    """Return the upper bound on epsilon in as few words as there are."""
    return epsilon_at_most(curves.epsilon_upper)


def epsilon_with_meaning(curves: ScenarioCurves) -> str:
    """Return the upper bound with delta, direction, theorem, unit and count, as Markdown."""
    delta = power_of_ten(curves.scenario.delta)
    return f"**{quoted_epsilon(curves)} at δ = {delta}** ({bound_meaning(curves.upper.bound)})"


def curves_description(title: str, runs: Runs) -> str:
    """Return a chart's content for those who cannot see it."""
    lines = []
    for label, curves in runs:
        told = epsilon_range(curves, composed_source)
        says = f"at delta {curves.scenario.delta!r} epsilon is {told}"
        lines.append((capitalised(label), says))
    needed = conditions([curves.upper.bound for _, curves in runs], [label for label, _ in runs])
    return chart_description(title, lines, protection_sentence(runs), needed, DELTA_OVER_EPSILON)


def scheme_change_note(scenario: Scenario) -> str:
    """Return what entering rates mode keeps from the data's shape."""
    steps = counted(scenario.steps_per_epoch, "step")
    return (
        "You now set r and ρ by hand, not from the data's shape. An epoch keeps its "
        f"{steps} until ρ is moved: then as many as 1 / ρ, rounded down."
    )


def _room_below(curves: ScenarioCurves) -> str:
    if curves.epsilon_upper == 0.0:
        return "With ε = 0, what is seen of training differs by at most δ in probability."
    if told := roughness(curves):
        return joined(told, _least(curves))
    if curves.upper.bound.kind_after_composition is not Kind.TIGHT:
        return _least(curves)
    # Beside a number that may be far from the bound itself this would say too much.
    return "" if curves.upper.only_quoted else "The bound is tight: some model attains it."


def roughness(curves: ScenarioCurves) -> str:
    """Return how far the upper bound may be above its exact value, if that is worth a word."""
    gap = curves.upper.bracket.relative_gap
    if curves.upper.only_quoted or (gap is not None and gap <= _WIDE_GAP):
        return ""
    low = max(curves.upper.bracket.low or 0.0, curves.epsilon_lower or 0.0)
    smaller = f"its exact value may be as small as ε = {rounded_down(low)}"
    return f"The bound is computed roughly: {smaller if low else 'it may be smaller'}."


def _least(curves: ScenarioCurves) -> str:
    if curves.lower is None:
        return "No lower bound is proven here: the truth may be far smaller."
    if not curves.epsilon_lower:
        return ""
    least, theorem = no_less(curves.epsilon_lower), named_theorem(curves.lower.bound.theorem)
    return f"{capitalised(least)} at this δ (lower bound, {theorem}, attained)."


def how_to_read(curves: ScenarioCurves) -> str:
    """Return what the lines of a run mean, as Markdown."""
    return joined("Thick line: upper bound.", band_words(curves), TIERS_SOURCE)


class _Proven(Protocol):
    @property
    def lower(self) -> object: ...


def band_words(
    *runs: _Proven | None, drawn: str = "Band: down to a lower bound, attained by some model."
) -> str:
    """Return what is drawn of lower bounds, or that none of the runs has one."""
    if any(run is not None and run.lower is not None for run in runs):
        return drawn
    return "No lower bound is proven here."


_EPSILONS = (0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 100.0)
_SMALLEST_SHOWN = 1e-15


def bounds_table(runs: Runs) -> str:
    """Return epsilon under every bound, with its meaning and bracket, at the runs' one delta."""
    heads = [
        "Run", "Bound", f"ε at δ = {power_of_ten(runs[0][1].scenario.delta)}",
        "Exact value of the bound lies in", "Width of that", "Theorem, composed over",
    ]  # fmt: skip
    rows = []
    for label, curves in runs:
        none = ("none proven", "", "", "")
        lower = none if curves.lower is None else _row(curves.lower, upper=False)
        rows.append((label, "upper", *_row(curves.upper, upper=True)))
        rows.append((label, "lower", *lower))
    needed = conditions([curves.upper.bound for _, curves in runs], [label for label, _ in runs])
    table = markdown_table(heads, rows, "llrlrl")
    return table + f"\n\n{protection_sentence(runs)} {needed}".rstrip()


def deltas_table(runs: Runs) -> str:
    """Return delta at usual epsilons: lower and upper bound for each run."""
    titles = [f"{label}: δ from lower to upper bound, {_sources(curves)}" for label, curves in runs]
    rows = []
    for epsilon in _EPSILONS:
        cells = [_delta_range(curves, epsilon) for _, curves in runs]
        rows.append([f"{epsilon:g}", *cells])
        if all(cell == _NEGLIGIBLE for cell in cells):
            break
    return markdown_table(["ε", *titles], rows, "r")


def _sources(curves: ScenarioCurves) -> str:
    sides = [one.of_curve for one in (curves.lower, curves.upper) if one is not None]
    units = {composed_units(one) for one in sides}
    if len(units) > 1:  # an epoch that training breaks off counts on one side alone
        told = [f"{theorem_link(one.theorem)} ({composed_units(one)})" for one in sides]
        return " to ".join(told)
    links = dict.fromkeys(theorem_link(one.theorem) for one in sides)
    return f"{' to '.join(links)}, {units.pop()}"


def _row(curve: ProvenCurve, *, upper: bool) -> tuple[str, str, str, str]:
    low, high = curve.bracket.low, curve.bracket.high
    meaning = f"{theorem_link(curve.bound.theorem)}, {composed_units(curve.bound)}"
    if low is None:
        return "beyond what is resolved", "", "", meaning
    quoted = f"≥ {rounded_down(low)}"
    if upper:
        quoted = "no finite ε proven" if high is None else f"≤ {rounded_up(high)}"
    # A lower bound stays one where the bracket is open above; an upper bound is none there.
    if high is None:
        return quoted, f"above {rounded_down(low, 6)}", "", meaning
    if curve.only_quoted:
        return quoted, "not narrowed down", "", meaning
    exact = f"{rounded_down(low, 6)} to {rounded_up(high, 6)}"
    gap = curve.bracket.relative_gap or 0.0
    return quoted, exact, f"{rounded_up(100 * gap, 1)} %", meaning


_NEGLIGIBLE = f"below {power_of_ten(_SMALLEST_SHOWN)}"


def _delta_range(curves: ScenarioCurves, epsilon: float) -> str:
    at = curves.upper.place_of(epsilon)
    high = float(curves.upper.delta_high[at])
    if high < _SMALLEST_SHOWN:
        return _NEGLIGIBLE
    if curves.lower is None:
        return f"≤ {rounded_up(high, 3)}"
    low = float(curves.lower.delta_low[at])
    least = rounded_down(low, 3) if low >= _SMALLEST_SHOWN else "0"
    return f"{least} to {rounded_up(high, 3)}"
