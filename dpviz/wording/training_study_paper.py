"""What the main paper reports on the questions of the study: not our runs, and kept apart."""

from dpviz.reported import FIGURES_WITHOUT_NUMBERS, TABLES, ReportedTable
from dpviz.training_study.questions import Question
from dpviz.wording.numbers import listed, power_of_ten
from dpviz.wording.paper_table_findings import in_numbers, in_print, remarks
from dpviz.wording.paper_tables import SPREAD, column_name, figure_sentences
from dpviz.wording.training_study_tables import markdown_table

# The paper's models that are most like ours.
_COUNTERPARTS = {"linear": "DLinear", "feedforward": "SimpleFeedForward"}


def paper_section(question: Question, model: str) -> str:
    """Return what the paper reports on a question of the model most like ours, as Markdown."""
    if question.paper_figure is not None:
        return "\n\n".join(
            figure_sentences(FIGURES_WITHOUT_NUMBERS[f"figure-{question.paper_figure}"])
        )
    tables = [TABLES[str(number)] for number in question.paper_tables]
    parts = [_errors(tables, _COUNTERPARTS[model])]
    parts.append(
        f"CRPS as printed, ±: {SPREAD}. {_budget(tables)} These are other series and larger "
        "models, trained with a fixed noise until the budget is used up: their errors and ours are "
        "not to be compared digit by digit."
    )
    parts.append(f"**In print:** {in_print(tables[0])}")
    parts += [
        f"**By the numbers of Table {table.number} ({table.data_set}):** "
        f"{' '.join(in_numbers(table))}"
        for table in tables
    ]
    parts += dict.fromkeys(remark for table in tables for remark in remarks(table))
    return "\n\n".join(parts)


def _budget(tables: list[ReportedTable]) -> str:
    """Return what was promised to whom, by the paper's own accounting."""
    first = tables[0]
    budget = "Budgets ε" if first.epsilon is None else f"ε = {first.epsilon:g}"
    told = f"{budget} at δ = {power_of_ten(first.delta)}, by the paper's own accounting"
    if first.varied == "forecast_noise":
        changes = [f"{table.max_change:g} on {table.data_set}" for table in tables]
        told += f"; σ_F in units of v, {listed(changes)}"
    return f"{told}."


def _errors(tables: list[ReportedTable], model: str) -> str:
    heads = ["Reported by the paper", *(column_name(tables[0], at) for at in tables[0].columns)]
    rows = [
        [
            f"Table {table.number}, {table.data_set}: {line.model}",
            *(cell.printed for cell in line.cells),
        ]
        for table in tables
        for line in table.lines
        if line.model in (model, "Seasonal")
    ]
    return markdown_table(heads, rows)
