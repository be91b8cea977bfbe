"""What the study of privacy's cost in accuracy found, and what the paper reports on it."""

from collections.abc import Sequence

from dpviz.planning.budget_tracker import Spent
from dpviz.reported.table import FIGURES_WITHOUT_NUMBERS, TABLES, ReportedTable
from dpviz.scenario import Relation, Units
from dpviz.settings import SETTINGS
from dpviz.training_study.findings import YES, CellSummary, ClaimFinding, Difference, Finding
from dpviz.training_study.questions import (
    FORECAST_LENGTH,
    MARGIN,
    SERIES,
    STEPS,
    Kind,
    Question,
    drawn_for,
    is_private,
)
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import (
    capitalised,
    counted,
    epsilon_at_most,
    in_full,
    joined,
    listed,
    power_of_ten,
    rounded,
    rounded_up,
    signed,
)
from dpviz.wording.paper_tables import (
    SPREAD,
    column_name,
    figure_sentences,
    in_numbers,
    in_print,
    remarks,
    symbol_of,
)
from dpviz.wording.scope import conditions, protected_unit
from dpviz.wording.theorems import named_theorems, qualified_label

DATA_NAMES, MODEL_NAMES = SETTINGS["study_data"].choices, SETTINGS["study_model"].choices
_NEAR_ZERO = 0.001
_NAIVE = "the seasonal naive forecast's"


def value_name(question: Question, value: float) -> str:
    """Return what a value of a question's setting is called."""
    if not is_private(value):
        return "without privacy"
    return f"{symbol_of(question.setting)} = {value:g}"


def budget_name(epsilon: float) -> str:
    """Return what a budget is called."""
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
    return joined(errors_sentence(found), _before_training(found), scope_sentence(found))


def errors_sentence(found: Finding) -> str:
    """Return the errors alone; :func:`scope_sentence` says what they are."""
    return f"**{_subject(found)}: {listed(_parts(found))}.**"


def _before_training(found: Finding) -> str:
    """Return what the model is worth untrained, which no run has to be praised for."""
    if found.untrained_crps is None:
        return ""
    told = against_naive(found.untrained_crps, found.baseline_crps)
    return f"Untrained it is {told}{' it' if told.endswith('with') else ''}."


def _subject(found: Finding) -> str:
    return f"{capitalised(MODEL_NAMES[found.model])} model on {DATA_NAMES[found.data]}"


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
    spent, seeds = found.spent, max(cell.seeds for cell in found.cells)
    errors = f"Errors: CRPS of the last months, means of {counted(seeds, 'run')}."
    if not spent:
        return errors
    return joined(
        errors,
        f"ε: upper bound on all {counted(spent[0].steps, 'step')}, at δ = "
        f"{power_of_ten(spent[0].delta)}, for {protected(found.question)}, by "
        f"{named_theorems(one.bound for one in spent)}.",
        conditions([one.bound for one in spent]),
    )


def spent_label(spent: Spent) -> str:
    """Return a run's epsilon with its meaning in few words."""
    epsilon, delta = epsilon_at_most(spent.epsilon), power_of_ten(spent.delta)
    return f"{epsilon} at δ = {delta} ({qualified_label(spent.bound)})"


def protected(question: Question) -> str:
    """Return who is protected by what is trained for a question."""
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
        return "Even without privacy, training gains nothing over the untrained model."
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
        "Of what training without privacy gains over the untrained model, private training keeps "
        f"{listed(told)}."
    )


def same_training(found: Finding) -> str:
    """Return which numbers of protected values are one training; empty where none are."""
    question, (num_series, shortest) = found.question, SERIES[found.data]
    if question.setting != "relation_width":
        return ""
    lengths = [shortest - FORECAST_LENGTH] * num_series  # the last months are not trained on
    touching_all, positions = [], 0
    for cell in found.cells:
        drawn = drawn_for(question.name, found.data, cell.value, lengths=lengths, steps=STEPS)
        positions = drawn.given_shape.start_positions
        if drawn.bottom_rate == 1.0:
            touching_all.append(cell)
    if len(touching_all) < 2 or len({cell.noise_multiplier for cell in touching_all}) > 1:
        return ""
    least, *more = (f"{cell.value:g}" for cell in touching_all)
    return (
        f"In the shortest of the {DATA_NAMES[found.data]} ({counted(positions, 'start position')}) "
        f"{least} values anywhere already touch every window: {symbol_of(question.setting)} = "
        f"{listed([least, *more])} are the same training."
    )


def answer_name(claimed: ClaimFinding) -> str:
    """Return an answer, and whether it is about a difference too small to matter."""
    is_about_sign = claimed.claim.kind in (Kind.LOWER, Kind.LOWER_SOMEWHERE)
    is_smaller = is_about_sign and claimed.answer == YES
    if is_smaller and min(one.low for one in claimed.differences) >= -MARGIN:
        return f"{YES}, but by less than the margin"
    return claimed.answer


def answer_lines(found: Finding) -> list[str]:
    """Return the answer to each claim with the differences that it rests on, as Markdown."""
    lines = []
    for claimed in found.claims:
        said = capitalised(answer_name(claimed))
        told = "; ".join(_difference(found.question, one) for one in claimed.differences)
        lines.append(f"**{said}:** {claimed.claim.text} *({told or 'runs are missing'})*")
    return lines


def _difference(question: Question, one: Difference) -> str:
    parts = (one.mean, one.low, one.high)
    # An interval near 0 has one more digit, so that its sign is seen.
    digits = 1 if min(map(abs, parts)) >= _NEAR_ZERO else 2
    mean, low, high = (signed(100 * part, digits) for part in parts)
    return f"{value_name(question, one.value)}: {mean} % [{low} to {high}]"


def study_description(found: Finding) -> str:
    """Return the chart in words, for who does not see it."""
    errors = "; ".join(
        f"{value_name(found.question, cell.value)}"
        f"{'' if found.question.setting == 'epsilon' else ' ' + budget_name(cell.epsilon)}: "
        f"{rounded(cell.mean)} ({rounded(cell.low)} to {rounded(cell.high)})"
        for cell in found.cells
    )
    return (
        f"{_subject(found)}: {'; '.join(_parts(found))}. CRPS, mean and range over seeds: "
        f"{errors}. Seasonal naive forecast: {rounded(found.baseline_crps)}. "
        f"{scope_sentence(found)}"
    )


def overview(found: Sequence[Finding]) -> str:
    """Return the answers by number, on all series with all models, as a Markdown table."""
    heads = [f"{DATA_NAMES[one.data]}, {MODEL_NAMES[one.model]}" for one in found]
    rows = [
        [f"{at + 1}", *(answer_name(one.claims[at]) for one in found)]
        for at in range(len(found[0].claims))
    ]
    return markdown_table(["Claim", *heads], rows, "lr")


def numbers_table(found: Finding) -> str:
    """Return every number of a question with what it is, as a Markdown table."""
    at = "" if found.delta is None else f" at δ = {power_of_ten(found.delta)}"
    heads = [
        "Setting", "CRPS, mean", "± (standard deviation)", "range",
        "against seasonal naive", "noise σ on gradients", f"ε at most{at}", "by",
    ]  # fmt: skip
    rows = [_numbers(found, cell) for cell in found.cells]
    rows.append(["seasonal naive forecast", rounded(found.baseline_crps), *[""] * 6])
    if (untrained := found.untrained_crps) is not None:
        told = against_naive(untrained, found.baseline_crps)
        rows.append(
            ["the model before its first step", rounded(untrained), "", "", told, *[""] * 3]
        )
    return markdown_table(heads, rows, "lr")


def _numbers(found: Finding, cell: CellSummary) -> list[str]:
    name, spent = value_name(found.question, cell.value), cell.spent
    if found.question.setting != "epsilon":
        name += f", {budget_name(cell.epsilon)}"
    noise, epsilon, source = "none", "no bound", ""
    if spent is not None:
        noise, source = in_full(cell.noise_multiplier or 0.0), qualified_label(spent.bound)
        epsilon = "no bound" if spent.epsilon is None else rounded_up(spent.epsilon)
    spread = "" if cell.deviation is None else rounded(cell.deviation, 2)
    ends = f"{rounded(cell.low)} to {rounded(cell.high)}"
    beside = against_naive(cell.mean, found.baseline_crps)
    return [name, rounded(cell.mean), spread, ends, beside, noise, epsilon, source]


# The paper's models that are most like ours.
_COUNTERPARTS = {
    "linear": "DLinear",
    "feedforward": "SimpleFeedForward",
    "attention": "iTransformer",
    "recurrent": "DeepAR",
}


def paper_section(question: Question, model: str) -> str:
    """Return what the paper reports on a question of the model most like ours, as Markdown."""
    if question.paper_figure is not None:
        return "\n\n".join(
            figure_sentences(FIGURES_WITHOUT_NUMBERS[f"figure-{question.paper_figure}"])
        )
    tables = [TABLES[str(number)] for number in question.paper_tables]
    parts = [
        _errors(tables, _COUNTERPARTS[model]),
        f"CRPS as printed, ±: {SPREAD}. {_budget(tables)} Other series, larger models and a fixed "
        "noise until the budget is used up: do not compare digits with ours.",
        f"**In print:** {in_print(tables[0])}",
    ]
    alike: dict[str, list[str]] = {}
    for table in tables:
        name = f"Table {table.number} ({table.data_name})"
        alike.setdefault(" ".join(in_numbers(table)), []).append(name)
    parts += [f"**By the numbers of {listed(names)}:** {said}" for said, names in alike.items()]
    parts += dict.fromkeys(remark for table in tables for remark in remarks(table))
    return "\n\n".join(parts)


def _budget(tables: list[ReportedTable]) -> str:
    """Return what was promised to whom, by the paper's own accounting."""
    first, units = tables[0], ""
    budget = "Budgets ε" if first.epsilon is None else f"ε = {first.epsilon:g}"
    if first.varied == "forecast_noise":
        changes = [f"{table.max_change:g} on {table.data_name}" for table in tables]
        units = f"; σ_F in units of v, {listed(changes)}"
    delta = power_of_ten(first.delta)
    return f"{budget} at δ = {delta}, by the paper's own accounting{units}."


def _errors(tables: list[ReportedTable], model: str) -> str:
    heads = ["Reported by the paper", *(column_name(tables[0], at) for at in tables[0].columns)]
    rows = [
        [
            f"Table {table.number}, {table.data_name}: {line.model}",
            *(cell.printed for cell in line.cells),
        ]
        for table in tables
        for line in table.lines
        if line.model in (model, "Seasonal")
    ]
    return markdown_table(heads, rows, "lr")
