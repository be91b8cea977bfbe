"""What the study of privacy's cost in accuracy found, in words."""

from collections.abc import Sequence

from dpviz.scenario import Relation, Units
from dpviz.settings import SETTINGS
from dpviz.training_study.findings import YES, CellSummary, ClaimFinding, Difference, Finding
from dpviz.training_study.questions import DATA, MARGIN, STEPS, Kind, Question, is_private
from dpviz.wording.numbers import capitalised, counted, listed, power_of_ten, rounded, signed
from dpviz.wording.scope import protected_unit
from dpviz.wording.theorems import named_theorem

DATA_NAMES, MODEL_NAMES = SETTINGS["study_data"].choices, SETTINGS["study_model"].choices
_DIGITS = 4
_NEAR_ZERO = 0.001
_NAIVE = "the seasonal naive forecast's"


def symbol_of(question: Question) -> str:
    """Return the symbol of what a question varies."""
    return "ε" if question.setting == "epsilon" else SETTINGS[question.setting].symbol


def value_name(question: Question, value: float) -> str:
    """Return what a value of a question's setting is called.

    >>> from dpviz.training_study.questions import QUESTIONS
    >>> [value_name(QUESTIONS["budget"], value) for value in (0.5, float("inf"))]
    ['ε = 0.5', 'without privacy']
    """
    if not is_private(value):
        return "without privacy"
    return f"{symbol_of(question)} = {value:g}"


def budget_name(epsilon: float) -> str:
    """Return what a budget is called.

    >>> budget_name(8.0), budget_name(float("inf"))
    ('at ε ≤ 8', 'without privacy')
    """
    return f"at ε ≤ {epsilon:g}" if is_private(epsilon) else "without privacy"


def against_naive(error: float, baseline: float) -> str:
    """Return how much smaller or larger an error is than the seasonal naive forecast's.

    >>> against_naive(0.09, 0.1), against_naive(0.1102, 0.1), against_naive(0.1, 0.1)
    ('10.0 % below', '10.2 % above', 'level with')
    """
    part = 100.0 * (error / baseline - 1.0)
    if f"{abs(part):.1f}" == "0.0":
        return "level with"
    return f"{abs(part):.1f} % {'below' if part < 0.0 else 'above'}"


def study_headline(found: Finding) -> str:
    """Return what a question came to on some series with some model, as Markdown."""
    told = f"**{_subject(found)}: {listed(_parts(found))}.** {_before_training(found)}"
    return f"{told} {scope_sentence(found)}".replace("  ", " ")


def study_title(found: Finding) -> str:
    """Return what the chart shows, as a finding."""
    return f"{_subject(found)}: {'; '.join(_parts(found))}"


def _before_training(found: Finding) -> str:
    """Return what the model is worth untrained, which no run has to be praised for."""
    if found.untrained_crps is None:
        return ""
    told = against_naive(found.untrained_crps, found.baseline_crps)
    return f"Before its first step the model is {told}{' it' if told.endswith('with') else ''}."


def _subject(found: Finding) -> str:
    model = MODEL_NAMES[found.model]
    return f"{capitalised(model)} model on {DATA_NAMES[found.data]}"


def _parts(found: Finding) -> list[str]:
    """Return where the error goes from the first value to the last, for each budget."""
    if found.question.setting == "epsilon":
        shown = dict.fromkeys((found.cells[0], *found.cells[-2:]))
        told = [(against_naive(cell.mean, found.baseline_crps), cell.epsilon) for cell in shown]
        parts = [f"{error} {budget_name(epsilon)}" for error, epsilon in told]
        return [f"an error {told[0][0]} {_NAIVE} {budget_name(told[0][1])}", *parts[1:]]
    parts = []
    for epsilon in dict.fromkeys(cell.epsilon for cell in found.cells):
        cells = [cell for cell in found.cells if cell.epsilon == epsilon]
        first, last = (
            against_naive(cell.mean, found.baseline_crps) for cell in (cells[0], cells[-1])
        )
        whose = "" if parts else f" {_NAIVE}"
        error = "" if parts else "an error "
        parts.append(
            f"{error}from {first}{whose} ({value_name(found.question, cells[0].value)}) to {last} "
            f"({value_name(found.question, cells[-1].value)}){_best(found, cells)} "
            f"{budget_name(epsilon)}"
        )
    return parts


def _best(found: Finding, cells: Sequence[CellSummary]) -> str:
    """Return the smallest error, where it is neither the first one's nor the last one's."""
    best = min(cells, key=lambda cell: cell.mean)
    told = against_naive(best.mean, found.baseline_crps)
    if told in (against_naive(cell.mean, found.baseline_crps) for cell in (cells[0], cells[-1])):
        return ""
    return f", with {told} in between ({value_name(found.question, best.value)}),"


def scope_sentence(found: Finding) -> str:
    """Return what the numbers of a question are: upper bound, for whom, by which theorem."""
    theorems = list(dict.fromkeys(cell.theorem for cell in found.cells if cell.theorem))
    seeds = max(cell.seeds for cell in found.cells)
    condition = ""
    if found.question.setting == "forecast_noise":
        condition = (
            "; with noise on labels only if no value changes by more than v = "
            f"{DATA[found.data].max_change:g}"
        )
    return (
        f"Errors are CRPS of the last months, means of {counted(seeds, 'run')}. ε is a proven "
        f"upper bound after all {counted(STEPS, 'training step')}, at δ = "
        f"{power_of_ten(found.delta or 0.0)}, for {protected(found.question)}, by "
        f"{listed([named_theorem(theorem) for theorem in theorems])}{condition}."
    )


def protected(question: Question) -> str:
    """Return who is protected by what is trained for a question.

    >>> from dpviz.training_study.questions import QUESTIONS
    >>> protected(QUESTIONS["width"])
    'any w values of one series'
    """
    if question.setting == "relation_width":
        return "any w values of one series"
    return protected_unit(Relation(level=question.relation), Units())


def kept_gain(found: Finding) -> str:
    """Return how much of what training gains privacy leaves; empty where that is not asked.

    The gain is that over the model before its first step: what only that model's start is worth,
    nobody has trained.
    """
    without, untrained = found.cell(float("inf"), float("inf")), found.untrained_crps
    if found.question.setting != "epsilon" or without is None or untrained is None:
        return ""
    gain = untrained - without.mean
    if gain <= 0.0:
        return "Even without privacy, training gains nothing over the model before its first step."
    shares = [
        (cell.epsilon, (untrained - cell.mean) / gain)
        for cell in found.cells
        if is_private(cell.epsilon)
    ]
    told = [
        f"{f'{100 * share:.0f} %' if share >= 0.005 else 'nothing'} {budget_name(epsilon)}"
        for epsilon, share in shares
    ]
    return (
        "Of what training without privacy gains over the model before its first step, there is "
        f"left: {listed(told)}."
    )


def answer_name(claimed: ClaimFinding) -> str:
    """Return an answer, and whether it is about a difference too small to matter."""
    return claimed.answer + (", but by less than the margin" if _is_small(claimed) else "")


def answer_lines(found: Finding) -> list[str]:
    """Return the answer to each claim with the differences that it rests on, as Markdown."""
    return [_answer_line(found.question, claimed) for claimed in found.claims]


def _answer_line(question: Question, claimed: ClaimFinding) -> str:
    said = answer_name(claimed)
    said = capitalised(said)
    told = "; ".join(_difference(question, one) for one in claimed.differences)
    return f"**{said}:** {claimed.claim.text} *({told or 'runs are missing'})*"


def _is_small(claimed: ClaimFinding) -> bool:
    """Return whether an error is smaller, and by no more than what counts as not mattering."""
    is_about_sign = claimed.claim.kind in (Kind.LOWER, Kind.LOWER_SOMEWHERE)
    lows = [one.low for one in claimed.differences]
    return is_about_sign and claimed.answer == YES and min(lows) >= -MARGIN


def _difference(question: Question, one: Difference) -> str:
    parts = (one.mean, one.low, one.high)
    # An interval near 0 has one more digit, so that its sign is seen.
    digits = 1 if min(map(abs, parts)) >= _NEAR_ZERO else 2
    mean, low, high = (signed(100 * part, digits) for part in parts)
    return f"{value_name(question, one.value)}: {mean} % ({low} to {high})"


def error_name(error: float) -> str:
    """Return an error with the digits that are shown of it."""
    return rounded(error, _DIGITS)


def study_description(found: Finding) -> str:
    """Return the chart in words, for who does not see it."""
    errors = "; ".join(
        f"{value_name(found.question, cell.value)}"
        f"{'' if found.question.setting == 'epsilon' else ' ' + budget_name(cell.epsilon)}: "
        f"{error_name(cell.mean)} ({error_name(cell.low)} to {error_name(cell.high)})"
        for cell in found.cells
    )
    return (
        f"{study_title(found)}. CRPS, mean and range over seeds: {errors}. Seasonal naive "
        f"forecast: {error_name(found.baseline_crps)}. {scope_sentence(found)}"
    )
