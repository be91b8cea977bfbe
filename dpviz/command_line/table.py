"""An answer as a table to read, each rounded number on its bound's side."""

from typing import Any

from dpviz.accounting.closer_upper import THEOREM
from dpviz.command_line.answers import SOUGHT
from dpviz.guarantees import THEOREMS_OF_ATTACKS
from dpviz.scenario import Scenario
from dpviz.settings import option_of
from dpviz.wording.closer_upper import CLOSER_SCOPE
from dpviz.wording.numbers import (
    counted,
    in_full,
    lies_between,
    rounded,
    rounded_down,
    rounded_up,
)
from dpviz.wording.scope import (
    protected_in,
    rates_by_hand,
    relation_name,
    run_length,
    scheme_name,
)
from dpviz.wording.theorems import named_theorem

_DIGITS = 6
_BRACKET_DIGITS = 10
# What the accountant aims at, in epsilon.
_TOLERANCE = 1e-3
# How numbers of each side are rounded, and what is said before them.
_SIDES = {"upper": (rounded_up, "at most", "<="), "lower": (rounded_down, "at least", ">=")}
_ONE_BATCH_SCOPE = (
    "one window per series, drawn with replacement, individuals in one series, windows without "
    "noise, and 2 to 10,000 steps an epoch"
)
_ONE_BATCH_WAYS = {
    "bins": "each series in one batch of every epoch, at random and by itself (balls into bins)",
    "shuffled": "series shuffled once an epoch",
}
_NONE_THERE = {
    ("shuffled", "upper"): "that of a walk; none smaller is proven",
    ("shuffled", "lower"): "none, as no epoch is whole",
}


def table(answer: dict[str, Any], scenario: Scenario, *, at_delta: bool) -> str:
    """Return an answer about a scenario as lines of text.

    Args:
        at_delta: whether epsilons were asked for at given deltas, or the other way round.
    """
    if "hits" in answer:
        lines = _simulation_lines(answer)
    else:
        lines = [
            *_found(answer),
            *_set_up(scenario),
            f"protected: {protected_in(scenario)} ({relation_name(scenario.relation)})",
            f"composed over {_units(answer['composition'])}",
        ]
        for side in ("upper", "lower"):
            if answer[side] is None:
                lines.append(f"{side} bound: none proven")
            else:
                lines += _bound_lines(side, answer[side], answer["composition"], at_delta)
            if side == "upper" and "closer" in answer:
                found, upper = answer["closer"], answer["upper"]["theorem"]
                is_noise = found is not None and "noise_multiplier" in found
                lines += _closer_noise_lines(found, upper) if is_noise else _closer_lines(found)
        if "one_batch" in answer:
            lines += _one_batch_lines(answer["one_batch"])
    return "\n".join([*lines, *(f"note: {note}" for note in answer["notes"])])


def _simulation_lines(answer: dict[str, Any]) -> list[str]:
    hits, source = answer["hits"], answer["expected_from"]
    average = sum(hit * batches for hit, batches in enumerate(hits)) / sum(hits)
    if "touching_windows" in source:
        each = rounded(source["window_in_batch"], 4)
        of = f"windows that contain it {source['touching_windows']} x each in the batch {each}"
    else:
        of = (
            f"series in the batch {rounded(source['series_in_batch'], 4)} x its windows "
            f"{source['windows_per_series']} x a window contains it "
            f"{rounded(source['window_hits'], 4)}"
        )
    return [
        f"counted: {answer['counted']}",
        f"expected: {rounded(answer['expected_hits_per_batch'], 4)} per batch on average ({of})",
        f"drawn: {rounded(average, 4)} per batch on average",
        f"{'windows hit':>12} {'batches':>12}",
        *(f"{hit:>12,} {batches:>12,}" for hit, batches in enumerate(hits)),
    ]


def _found(answer: dict[str, Any]) -> list[str]:
    room = " (the limit of what is searched; the target is met with room)"
    return [
        f"found: {option_of(name)} {answer[name]}{room if answer['at_limit'] else ''}"
        for name in (sought.replace("-", "_") for sought in SOUGHT)
        if name in answer
    ]


def _set_up(scenario: Scenario) -> list[str]:
    """Return what the numbers depend on the most."""
    sampling = scenario.sampling
    sigma = f"noise multiplier {scenario.noise.noise_multiplier!r}".removesuffix(".0")
    lines = [f"{run_length(scenario)} with {scheme_name(sampling)}"]
    rho = _rate(scenario, scenario.top_rate)
    if sampling.is_bag:
        data = scenario.given_shape
        mean = "on average " if sampling.takes_windows_by_coins else ""
        windows, touched = sampling.largest_batch(data), scenario.windows_of_a_person or 0
        bag = (
            f"all {windows:,} windows (rho = {rho}), of which one individual is in up to "
            f"{touched:,}"
        )
        if not data.is_of_one_length:
            bag = f"at least {windows:,} windows (rho = {rho} or less)"
        return [*lines, f"{sigma}; batches of {mean}{sampling.batch_size:,} of {bag}"]
    each = f"{counted(sampling.num_subsequences, 'window')} per series (lambda)"
    each = (
        f"on average {each}, each by its own coin"
        if sampling.takes_windows_by_coins
        else f"{each}, drawn with replacement"
    )
    used = f"rho = {rho} (a series is in a batch)"
    if sampling.is_walk:
        most = "" if sampling.has_bins else "at most "
        used = f"{most}one batch of each epoch uses the series"
    return [
        *lines,
        f"{sigma}; {each}",
        f"r = {_rate(scenario, scenario.bottom_rate)} (a window of the series touches the "
        f"individual), {used}",
        *filter(None, [rates_by_hand(scenario).replace("ρ", "rho").removesuffix(".")]),
    ]


def _rate(scenario: Scenario, rate: float) -> str:
    """Return a rate to the nearest, unless it was given."""
    return rounded(rate, _DIGITS) if scenario.shape is not None else in_full(rate)


def _bound_lines(
    side: str, bound: dict[str, Any], composition: dict[str, Any], at_delta: bool
) -> list[str]:
    tightness = _tightness(side, bound, bound["composition"])
    is_other = bound["composition"] != composition
    over = f" composed over {_units(bound['composition'])}" if is_other else ""
    lines = [f"{side} bound, {named_theorem(bound['theorem'])}{over}: {tightness}"]
    for name, words in (("extension", ""), ("condition", "only if "), ("reason", "")):
        if name in bound:
            lines.append(f"  {words}{bound[name]}")
    if "true_positive_rate" in bound:
        return lines + _attack_lines(side, bound)
    rounded_safely, *_ = _SIDES[side]
    theorems = bound.get("theorems", [""] * len(bound["delta"]))
    for epsilon, delta, (low, high), theorem in zip(
        bound["epsilon"], bound["delta"], bound["bracket"], theorems, strict=True
    ):
        # What was asked for is shown as given: rounded, it would not belong to the answer.
        shown_epsilon, shown_delta = repr(epsilon), repr(delta)
        if at_delta:
            shown_epsilon = "not reachable" if epsilon is None else rounded_safely(epsilon, _DIGITS)
        else:
            shown_delta = rounded_safely(delta, _DIGITS)
        lines.append(
            f"  epsilon {shown_epsilon:>14}   delta {shown_delta:>14}"
            f"   {_whose(bound, theorem)} exact value {_between(low, high)}"
            f"{_missed_tolerance(low, high) if at_delta else ''}"
            f"{f' ({named_theorem(theorem)})' if theorem else ''}"
        )
    return lines


def _closer_lines(bound: dict[str, Any] | None) -> list[str]:
    if bound is None:
        return [f"closer upper bound: none; {named_theorem(THEOREM)} is for {CLOSER_SCOPE}"]
    rows = zip(bound["epsilon"], bound["delta"], bound["bracket"], strict=True)
    return [
        f"closer upper bound, {named_theorem(bound['theorem'])}: not tight",
        *(
            f"  delta {delta!r}: not smaller than the upper bound"
            if epsilon is None
            else _closer_line(epsilon, delta, low)
            for epsilon, delta, (low, _) in rows
        ),
    ]


def _closer_line(epsilon: float, delta: float, low: float | None) -> str:
    return (
        f"  epsilon {rounded_up(epsilon, _DIGITS):>14}   delta {delta!r:>14}"
        f"   what the worst model reveals {_between(low, epsilon)}"
    )


def _closer_noise_lines(found: dict[str, Any], upper: str) -> list[str]:
    first = f"closer upper bound, {named_theorem(found['theorem'])}: not tight"
    if found["noise_multiplier"] is None:
        return [first, "  no smaller noise multiplier meets the target"]
    (epsilon,), (delta,), ((low, _),) = found["epsilon"], found["delta"], found["bracket"]
    (classical,) = found["upper_epsilon"]
    told = "no epsilon" if classical is None else f"epsilon {rounded_up(classical, _DIGITS)}"
    return [
        first,
        f"  noise multiplier {found['noise_multiplier']} meets the target, too:",
        _closer_line(epsilon, delta, low),
        f"  by {named_theorem(upper)} alone it has {told}",
    ]


def _one_batch_lines(found: dict[str, Any] | None) -> list[str]:
    if found is None:
        return [f"one batch an epoch: nothing; it is for {_ONE_BATCH_SCOPE}"]
    lines = []
    for way, words in _ONE_BATCH_WAYS.items():
        lines.append(f"{words}, {found['batches']:,} batches an epoch")
        for side, bound in found[way].items():
            if bound is None:
                lines.append(f"  {side} bound: {_NONE_THERE[way, side]}")
                continue
            rounded_safely, _, sign = _SIDES[side]
            source = f"{named_theorem(bound['theorem'])}, {_units(bound['composition'])}"
            lines += [
                f"  {side} bound: epsilon {sign} "
                f"{'infinity' if epsilon is None else rounded_safely(epsilon, _DIGITS)} "
                f"at delta {delta!r}   ({source})"
                for epsilon, delta in zip(bound["epsilon"], bound["delta"], strict=True)
            ]
    return lines


def _attack_lines(side: str, bound: dict[str, Any]) -> list[str]:
    rounded_safely, most, _ = _SIDES[side]
    shown = rounded_safely(bound["advantage"], _DIGITS)
    low, high = bound["advantage_bracket"]
    lines = [
        f"  advantage (hits - false alarms) {most} {shown}"
        f"   {_whose(bound)} exact value {_between(low, high)}"
    ]
    for false, true, (low, high) in zip(
        bound["false_positive_rate"], bound["true_positive_rate"], bound["bracket"], strict=True
    ):
        shown = rounded_safely(true, _DIGITS)
        lines.append(
            f"  false alarms {false!r:>10}   hits {most} {shown:>14}"
            f"   {_whose(bound)} exact value {_between(low, high)}"
        )
    if "gaussian_dp_mu" in bound:
        mu = rounded_safely(bound["gaussian_dp_mu"], _DIGITS)
        lines.append(f"  exactly the chances of telling N(0, 1) from N(mu, 1), mu = {mu}")
    return lines


def _whose(bound: dict[str, Any], theorem: str = "") -> str:
    """Return whose exact value a bracket holds, of a number that may have a theorem of its own."""
    is_attack = "bracket_of" in bound and (not theorem or theorem in THEOREMS_OF_ATTACKS)
    return "the computed attack's" if is_attack else "this bound's"


def _tightness(side: str, bound: dict[str, Any], composition: dict[str, Any]) -> str:
    """Return in words what ``kind`` and ``tight_per_unit`` say."""
    if bound["kind"] == "tight":
        return "tight"
    one = f" after {_units(composition)} (tight for one {composition['unit']})"
    said = f"not tight{one if bound['tight_per_unit'] else ''}"
    return said if side == "upper" else f"{said}; attained by some model"


def _units(composition: dict[str, Any]) -> str:
    return counted(composition["count"], composition["unit"])


def _between(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return lies_between(low, high, _BRACKET_DIGITS)
    if low is not None:
        return f"is at least {rounded_down(low, _BRACKET_DIGITS)}"
    return "is not known" if high is None else f"is at most {rounded_up(high, _BRACKET_DIGITS)}"


def _missed_tolerance(low: float | None, high: float | None) -> str:
    if low is None or high is None or high <= 0.0 or (high - low) / high <= _TOLERANCE:
        return ""
    gap = rounded_up(100.0 * (high - low) / high, 2)
    return f" (a gap of {gap} %, wider than the {100.0 * _TOLERANCE:g} % aimed at)"
