"""What differs between the current run and pinned ones, and what it costs, in words."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from dpviz.planning.comparison import DATA_FIELDS, Difference, differences
from dpviz.planning.curves import ScenarioCurves
from dpviz.planning.order import Order, proven_order_at_delta
from dpviz.scenario import Scenario, ScenarioError
from dpviz.settings import SETTINGS
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import counted, joined, power_of_ten, rounded, rounded_down, rounded_up
from dpviz.wording.scope import conditions, relation_name
from dpviz.wording.setting_values import NAMES, values_of, values_together
from dpviz.wording.theorems import brief_source
from dpviz.wording.training_length import BEING_COMPUTED, COSTS_TOO_MUCH

# Two lines beside a pin's buttons: mostly three differences, and how many more there are.
LONGEST_LABEL = 100
_TRAINING = ("steps", "epochs")
_PROTECTED = ("relation", "relation_width", "max_change", "series_per_person")
_DIGITS = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class PinnedRun:
    """One kept run beside the current one.

    Args:
        scenario: its settings; their delta is not used.
        curves: what is proven about it at the current delta; ``None`` while that is not known.
        costs: each difference from the current run, with what is proven about its scenario
            ``alone``; ``None`` likewise, and where there is no such scenario.
        left_out: scenarios of which nothing is to come, as it costs too much.
    """

    name: str
    scenario: Scenario
    curves: ScenarioCurves | None
    costs: tuple[tuple[Difference, ScenarioCurves | None], ...]
    left_out: Collection[Scenario] = ()

    def lacking(self, scenario: Scenario) -> str:
        """Return what stands in place of what is not known about a scenario."""
        return COSTS_TOO_MUCH if scenario in self.left_out else BEING_COMPUTED


def differences_table(here: ScenarioCurves, pin: PinnedRun) -> str:
    """Return what differs and what each difference alone does to epsilon, as Markdown.

    Raises:
        ScenarioError: something was computed at another delta than the current one.
    """
    delta = here.scenario.delta
    for curves in _computed(pin):
        if curves.scenario.delta != delta:
            only = f"it must be that of the current scenario, {delta!r}"
            raise ScenarioError("delta", curves.scenario.delta, only)
    bounds = f"ε at δ = {power_of_ten(delta)}: upper (lower) bound"
    rows = [
        [bounds, _bounds(here), _of_pin(pin, _bounds), _effect_of_all(here, pin)],
        ["Upper bound by", _theorem(here), _of_pin(pin, _theorem), ""],
        *(_row(here, pin, found, alone) for found, alone in pin.costs),
    ]
    if _other_steps(here.scenario, pin.scenario):
        lengths = values_of("steps", [here.scenario, pin.scenario])
        rows.append(["Training length", *lengths, "follows from the rows above"])
    return markdown_table(["", "Now", pin.name, f"With only this from {pin.name}"], rows)


def differences_notes(here: ScenarioCurves, pins: Sequence[PinnedRun]) -> str:
    """Return what the signs of one or more such tables mean, and whom their numbers are for."""
    computed = [here, *(curves for pin in pins for curves in _computed(pin))]
    relation, whom = here.scenario.relation, "Each ε is for what its own run protects."
    if all(pin.scenario.relation == relation for pin in pins):
        whom = f"{relation_name(relation)}."
    has_several = any(len(pin.costs) > 1 for pin in pins)
    return joined(
        "≤: upper bounds, rounded up; ≥: attained lower bounds, rounded down.",
        whom,
        conditions([curves.upper.bound for curves in computed]),
        'Changes are of upper bounds. "Proven": the smaller upper bound lies below the other '
        "run's lower bound, so the true ε differ that way, too.",
        "Single effects need not add up to that of all." if has_several else "",
    )


def pin_label(here: Scenario, there: Scenario) -> str:
    """Return in one line what differs from the current run, who is protected first."""
    found = sorted(differences(here, there), key=lambda one: one.fields[0] not in _PROTECTED)
    parts = [_in_short(one, here, there) for one in found]
    if _other_steps(here, there):
        parts.append(f"{counted(there.num_steps, 'step')} instead of {here.num_steps:,}")
    if not parts:
        return "the same as now"
    for told in range(len(parts), 1, -1):
        left = len(parts) - told
        label = ", ".join(parts[:told]) + _and_more(left)
        if len(label) <= LONGEST_LABEL:
            return label
    return parts[0] + _and_more(len(parts) - 1)


def _and_more(left: int) -> str:
    return f", {counted(left, 'more difference')}" if left else ""


def _other_steps(here: Scenario, there: Scenario) -> bool:
    """Return whether as many epochs have another number of steps."""
    same = here.training == there.training
    return same and here.training.unit == "epochs" and here.num_steps != there.num_steps


def _computed(pin: PinnedRun) -> list[ScenarioCurves]:
    return [curves for curves in (pin.curves, *(cost for _, cost in pin.costs)) if curves]


def _row(
    here: ScenarioCurves, pin: PinnedRun, found: Difference, alone: ScenarioCurves | None
) -> list[str]:
    label, fields, scenarios = "", found.fields, [here.scenario, pin.scenario]
    if found.group == DATA_FIELDS:
        # Where one side has rates and the other a shape, either is told with all that it has.
        label, fields = "Data", DATA_FIELDS
    elif found.group == _TRAINING:
        label, fields = "Training length", found.fields[:1]
    is_one = len(fields) == 1
    values = values_of(fields[0], scenarios) if is_one else values_together(fields, scenarios)
    if alone is not None:
        effect = _change(here, alone)
    elif found.alone is not None:
        effect = pin.lacking(found.alone)
    else:
        effect = "no bound covers it" if len(pin.costs) == 1 else "only together with others"
    return [label or SETTINGS[fields[0]].title, *values, effect]


def _effect_of_all(here: ScenarioCurves, pin: PinnedRun) -> str:
    if not pin.costs:
        return "nothing differs"
    if len(pin.costs) == 1:
        return ""  # it is in the row of the one difference
    return f"all together: {_of_pin(pin, partial(_change, here))}"


def _of_pin(pin: PinnedRun, told: Callable[[ScenarioCurves], str]) -> str:
    return pin.lacking(pin.scenario) if pin.curves is None else told(pin.curves)


def _change(here: ScenarioCurves, there: ScenarioCurves) -> str:
    """Return how the upper bound on epsilon changes, as a predicate."""
    before, after = here.epsilon_upper, there.epsilon_upper
    if after is None:
        return "leaves no finite ε proven"
    most = f"≤ {rounded_up(after)}"
    if before is None:
        return f"proves ε {most}, where now no finite ε is proven"
    now = f"≤ {rounded_up(before)}"
    one, other = here.upper, there.upper
    if one.bracket == other.bracket:
        return f"leaves ε {now} as it is"
    if one.only_quoted or other.only_quoted:
        return f"has ε {most}, now {now}: computed too roughly to tell a change"
    if max(one.bracket.low or 0.0, other.bracket.low or 0.0) <= min(before, after):
        return f"has ε {most}: no change from {now} is resolved"
    verb = "raises" if after > before else "lowers"
    place = Decimal(1).scaleb(Decimal(max(before, after)).adjusted() - _DIGITS + 1)
    change = f" to {most}" if most != now else f" by less than {rounded(float(place))}"
    # A bound on limited changes is no word on what the other one is about.
    is_of_both = one.bound.condition == other.bound.condition
    is_proven = is_of_both and proven_order_at_delta(here, there) is not Order.UNPROVEN
    return f"{verb} ε {now}{change}{', proven' if is_proven else ''}"


def _bounds(curves: ScenarioCurves) -> str:
    upper, lower = curves.epsilon_upper, curves.epsilon_lower
    most = "no finite ε proven" if upper is None else f"≤ {rounded_up(upper)}"
    if curves.lower is None:
        return f"{most} (no lower bound proven)"
    least = "lower bound not resolved" if lower is None else f"≥ {rounded_down(lower)}"
    return f"{most} ({least})"


def _theorem(curves: ScenarioCurves) -> str:
    return brief_source(curves.upper.bound)


def _in_short(found: Difference, here: Scenario, there: Scenario) -> str:
    if found.group == DATA_FIELDS:
        if there.shape is not None:
            return "a data set instead of rates"
        (rates,) = values_together(("bottom_rate", "top_rate"), [there])
        return f"rates {rates} instead of a data set"
    name = found.fields[0]
    now, then = values_of(name, [here, there])
    if found.group == _TRAINING:
        if here.training.unit == there.training.unit:
            now = f"{here.training.count:,}"
        return f"{then.partition(' (')[0]} instead of {now.partition(' (')[0]}"
    return then if name in NAMES else f"{SETTINGS[name].short_name} {then} instead of {now}"
