"""What simulated attacks say about the bounds, as sentences that stay true."""

from dpviz.accounting.buckets import FloatArray
from dpviz.guarantees import Composition, Unit
from dpviz.planning.simulated_attack import ERROR, TESTED_EPSILONS, TheoryCheck, nearest_place
from dpviz.planning.worst_case import WorstCase
from dpviz.scenario import Scenario
from dpviz.wording.numbers import counted, in_full, joined, rounded, rounded_down, rounded_up
from dpviz.wording.protected_values import protected_change
from dpviz.wording.scope import caveats
from dpviz.wording.theorems import (
    bound_label,
    bound_meaning,
    composed_units,
    named_theorem,
    theorem_link,
)

_BEST_COUNTS = "The best claim of all attacks counts. "
CONFIDENCE = f"{rounded(100.0 * (1.0 - ERROR))} %"
CONJECTURE = "conjecture, not a promise"
# Fewer claims that succeed by what the bound allows are no test of it.
_FEWEST_CLAIMS = 10


def theory_title(check: TheoryCheck) -> str:
    """Return whether anything is contradicted, as a finding."""
    if len(check.above_upper):
        said = f"contradict the upper bound at {_places(len(check.above_upper))}"
    elif len(check.below_lower):
        said = f"fall short of the lower bound at {_places(len(check.below_lower))}"
    elif is_too_rare(check, check.runs):
        said = "cannot test these bounds"
    elif not check.attains_lower:
        said = "do not contradict the upper bound"
    else:
        said = "contradict neither bound"
    units = composed_units(check.curves.upper.bound)
    return f"{counted(check.runs, 'simulated run')} of {units} {said}"


def theory_headline(check: TheoryCheck, epsilon: float) -> str:
    """Return what was seen beside what is proven at the tested epsilon that is nearest to one."""
    upper = check.curves.upper.bound
    return joined(
        f"**{theory_title(check)}.**",
        _at(check, nearest_place(epsilon)),
        f"The change: {protected_change(check.curves.scenario, upper)}.",
        caveats(upper),
    )


def verdict(check: TheoryCheck, epsilon: float, seed: int) -> str:
    """Return what follows from the band, and what does not, as Markdown."""
    parts = [_agreement(check)] if check.holds else []
    # Where the lower limit comes closest to the upper bound.
    clearest = int((check.band.low / check.upper.clip(min=1e-300)).argmax())
    if check.band.low[nearest_place(epsilon)] == 0.0 and check.band.low[clearest] > 0.0:
        parts.append(f"The runs are most informative at another ε. {_at(check, clearest)}")
    for epsilons, side in (
        (check.above_upper, "above the upper bound"),
        (check.below_lower, "below the lower bound, which this attack should attain"),
    ):
        if len(epsilons):
            parts.append(
                f"**{_where(epsilons)} the whole band is {side}.** Chance does that for at most "
                f"one seed in twenty (this is seed {seed:,}). If it stays with others, a bound or "
                "a sampler is wrong."
            )
    parts.append("No simulation proves the upper bound, or anything about other settings.")
    return " ".join(parts)


def is_too_rare(check: TheoryCheck, runs: int) -> bool:
    """Return whether so many runs test nothing: what is proven is smaller than what they show."""
    return float(check.upper.max()) * runs < _FEWEST_CLAIMS


def too_rare_sentence(check: TheoryCheck) -> str:
    """Return why the runs test nothing, and which would."""
    least, most = float(TESTED_EPSILONS.min()), rounded_up(float(check.upper.max()), 3)
    return (
        f"Even at ε = {rounded(least)}, δ ≤ {most}: more steps, less noise or larger rates make δ "
        "large enough to be counted."
    )


def example_sentence(example: Scenario) -> str:
    """Return what the small example is, and why it is tested."""
    return (
        f"{example.given_shape.num_series} short series, {example.sampling.batch_size} windows in "
        f"a batch, noise multiplier σ = {in_full(example.noise.noise_multiplier)}: so weakly "
        "protected that attacks often succeed."
    )


def construction(check: TheoryCheck) -> str:
    """Return which data sets and gradients were simulated."""
    case = check.case
    sigma = in_full(case.scenario.noise.noise_multiplier)
    steps = ""
    if summed := list(dict.fromkeys(attack.steps for attack in case.attacks if attack.steps)):
        looked_at = " or, in another attack, at ".join(
            "its first output" if count == 1 else f"the sum of its first {count:,} outputs"
            for count in summed
        )
        better = "" if _by_tests(case) or len(summed) == 1 else " The better claim counts."
        steps = f" The attacker is not told an epoch's order, and looks at {looked_at}.{better}"
    elif case.in_order.is_on_epochs:
        steps = (
            " The attacker looks at all outputs of an epoch, and is not told which step has the "
            "series."
        )
    elif case.unit is Unit.EPOCH:
        steps = (
            " Of each epoch only the step that uses the series is drawn: all others have the same "
            "outputs on both data sets."
        )
    shape = check.curves.scenario.shape
    lengths = ""
    if shape is not None and not shape.is_of_one_length:
        lengths = " Of the series' several lengths the shortest is simulated."
    return (
        f"{_by_certainty(case)}{_by_tests(case)}The sum gets noise of standard deviation "
        f"σ = {sigma} (in clipping norms C). These gradients attain "
        f"{named_theorem(case.theorem)}.{steps}{lengths}"
    )


def _by_certainty(case: WorstCase) -> str:
    """Return which gradients windows have that show a protected value without noise."""
    attacks, noise = [one for one in case.attacks if not one.reading.tests], case.scenario.noise
    if not attacks:
        return ""
    where = " in its labels, which have no noise" if noise.context_noise > 0.0 else ""
    if noise.forecast_noise > 0.0:
        where = " in its context, which has no noise"
    if attacks[0].is_two_sided:
        gradients = (
            f"A window with a protected value{where} has the gradient +C, or −C with another value "
            "in its place; all other windows have 0, as the batch size is random. "
        )
    elif case.in_order.is_on_epochs:
        gradients = (
            "A window of the series has the gradient −C, but +C if it holds the protected value; "
            "windows of other series have 0, as batches vary in size. "
        )
    else:
        gradients = (
            f"Every window has the gradient −C, but +C if it holds the protected value{where}. The "
            "known sum without any hit is left out. "
        )
    if not all(attack.is_ordered for attack in attacks):
        gradients += (
            "Two other attacks have gradients in a plane: one direction for touched windows, "
            "reversed with another value in their place, one for the series' other windows, one "
            "for other series. "
        )
        gradients += _BEST_COUNTS if len(attacks) == len(case.attacks) else ""
    return gradients


def _by_tests(case: WorstCase) -> str:
    """Return which gradients windows have whose noise is drawn; empty where none is."""
    attacks = [one for one in case.attacks if one.reading.tests]
    if not attacks:
        return ""
    by_coins = case.scenario.has_coins_for_series
    others = "the series' other windows, and 0 on other series" if by_coins else "all others"
    asked = sorted({one.reading.windows for one in attacks if one.reading.windows is not None})
    of = more = ""
    if asked:
        of = f" of the {' or '.join(map(str, asked))} start positions that tell most"
        more = " The bound counts each of these as the one that tells least."
    kinds = {
        False: f"+C where that is the one with the value, −C on {others}",
        True: f"+C or −C by what it says{of}, 0 on all others",
    }
    gradients = [kinds[kind] for kind in sorted({one.is_two_sided for one in attacks})]
    tested = "Each window with a protected value gets its noise, value by value"
    if len(attacks) < len(case.attacks):
        tested = "Other attacks test all of a window: its noise is drawn, value by value"
    return (
        f"{tested}, and the likelihood ratio says which data set it is of. The gradient is "
        f"{'; in another attack it is '.join(gradients)}.{more} {_BEST_COUNTS}"
    )


def fewer_runs_note(wanted: int, runs: int) -> str:
    """Return that fewer runs are simulated than asked for, and why; empty where it is not so."""
    if runs >= wanted:
        return ""
    return f"Only {runs:,} of {wanted:,} runs are simulated: such batches take long to draw."


def conjecture_note(check: TheoryCheck) -> str:
    """Return how to read the line of the conjecture, as Markdown; empty where there is none."""
    if check.conjecture is None:
        return ""
    return (
        f"*Dotted line*: {CONJECTURE}. Attacks in two directions, chosen anew in each "
        f"{check.case.unit.value}, attain it; that no gradients have much more is not proven "
        f"({theorem_link('dpviz 23')}, `docs/many-steps.md`)."
    )


def theory_description(check: TheoryCheck, epsilon: float) -> str:
    """Return the chart for those who cannot see it."""
    said = theory_headline(check, epsilon).replace("**", "")
    dotted = "" if check.conjecture is None else f"; a dotted line is a {CONJECTURE}"
    return (
        f"{said} Delta against epsilon on logarithmic axes: the band of what was simulated, with a "
        f"point for each tested epsilon, and the lines of the bounds{dotted}."
    )


def bound_names(check: TheoryCheck) -> tuple[str, str]:
    """Return what the lines of the upper and the lower bound are called; the first may say both."""
    upper, lower = bound_label(check.curves.upper.bound), check.curves.lower
    attained = "" if lower is None else bound_label(lower.of_curve)
    both = ", and attained" if attained == upper else ""
    return f"at most{both}: {upper}", attained and f"attained: {attained}"


def _at(check: TheoryCheck, at: int) -> str:
    low, high = float(check.band.low[at]), rounded_up(float(check.band.high[at]), 3)
    source, lower = bound_meaning(check.curves.upper.bound), check.curves.lower
    sure = f"({CONFIDENCE} confidence, all ε together)"
    seen = f"between {rounded_down(low, 3)} and {high} {sure}"
    if low == 0.0:
        seen = f"below {high} {sure}, too small for so few runs"
    most = f"**δ ≤ {rounded_up(float(check.upper[at]), 3)}**"
    least = 0.0 if check.lower is None else float(check.lower[at])
    # Also a bound that is tight may be too small for its lower side to be computed.
    lacks = "is proven" if check.lower is None else "above 0 is computed there"
    proven = f"{most} ({source}); no lower bound {lacks}"
    if lower is not None and least > 0.0:
        attained = bound_meaning(lower.of_curve)
        first = "" if attained == source else f" ({source})"
        some = f"some gradients attain **δ ≥ {rounded_down(least, 3)}** ({attained})"
        proven = f"{most}{first}, and {some}"
    tested = in_full(float(TESTED_EPSILONS[at]))
    return f"At ε = {tested} the simulated attack has δ {seen}; proven: {proven}."


def _agreement(check: TheoryCheck) -> str:
    lower, said = check.curves.lower, f"At none of the {len(TESTED_EPSILONS)} tested ε is the band "
    if check.attains_lower:
        below = "or below the lower bound, which this attack attains"
        return f"{said}above the upper bound, {below}."
    not_compared = (
        "The lower bound is not compared: its attack chooses the direction of each step by what it "
        "has seen, the simulated one keeps to its own."
    )
    is_anew = lower is not None and lower.of_curve.composition is Composition.ADAPTIVE
    return joined(f"{said}above the upper bound.", not_compared if is_anew else "")


def _places(number: int) -> str:
    return f"{number} of {len(TESTED_EPSILONS)} tested ε"


def _where(epsilons: FloatArray) -> str:
    """Return where among the tested epsilons; not all between first and last need be meant."""
    first, last = rounded(float(epsilons[0]), 3), rounded(float(epsilons[-1]), 3)
    many = f"{_places(len(epsilons))}, from {first} to {last},"
    return f"At {many if len(epsilons) > 1 else f'ε = {first}'}"
