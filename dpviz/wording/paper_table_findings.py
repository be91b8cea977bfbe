"""What the paper says of its tables, and what their numbers say."""

from decimal import Decimal

from dpviz.reported.table import ReportedLine, ReportedTable, best_at
from dpviz.wording.numbers import capitalised, listed
from dpviz.wording.paper_tables import column_name, line_name


def in_print(table: ReportedTable) -> str:
    """Return what the paper's text says of a table, in other words than its own."""
    if table.mechanism == "forecasting":
        return (
            "at small ε it helps to keep only half or three quarters of the values on traffic and "
            "solar_10_minutes, and never on electricity."
        )
    if table.varied == "forecast_noise":
        return (
            "every model on every data set has its smallest error with noise on the labels "
            "(printed: “σ_F = 2 or σ_F = 2”; the tables have 2 and 5 in bold)."
        )
    if table.varied == "relation_width":
        return (
            "at every w some trained model is better than both baselines, except on traffic at "
            "w = 8."
        )
    if table.has_spreads:
        return "at every ε some trained model is better than both baselines."
    return "models keep much of their accuracy and stay better than both baselines, even at ε ≤ 1."


def in_numbers(table: ReportedTable) -> list[str]:
    """Return what holds of a table by the numbers that it prints."""
    found = [against_baselines(table)]
    if table.mechanism == "forecasting":
        found.append(_by_rate(table))
    elif table.varied == "forecast_noise":
        found.append(_by_label_noise(table))
    return found


def against_baselines(table: ReportedTable) -> str:
    """Return where the best trained model is better than the best baseline, and where it is not.

    >>> from dpviz.reported import TABLES
    >>> against_baselines(TABLES["6"])
    'Some trained model is better than every baseline, but not at w = 8 (DLinear 0.066, AutoETS \
0.064).'
    """
    level, worse = [], []
    for column, at in enumerate(table.columns):
        best, baseline = best_at(table.trained, column), best_at(table.baselines, column)
        told = (
            f"{column_name(table, at)} ({best.model} {best.cells[column].mean}, "
            f"{baseline.model} {baseline.cells[column].mean})"
        )
        if best.cells[column].number > baseline.cells[column].number:
            worse.append(told)
        elif best.cells[column].number == baseline.cells[column].number:
            level.append(told)
    others = "Seasonal with noise alike" if table.mechanism == "forecasting" else "every baseline"
    sentence = f"Some trained model is better than {others}"
    if not worse and not level:
        return f"{sentence} in each column."
    parts = [f"but not at {listed(worse)}"] if worse else []
    parts += [f"{'and' if worse else 'but'} only as good at {listed(level)}"] if level else []
    return f"{sentence}, {', '.join(parts)}."


def remarks(table: ReportedTable) -> list[str]:
    """Return what is odd in print, and what was made of it here."""
    found = []
    if any(cell.repeats_mean for line in table.lines for cell in line.cells):
        where = "most cells" if table.mechanism == "forecasting" else "the cells without privacy"
        found.append(
            f"In {where} the number behind ± is the mean once more, a slip most likely: it is kept "
            "in the table, and not drawn."
        )
    if table.number == 2:
        found.append("One spread is printed as “0.0.001” (DeepAR without privacy): it is left out.")
    if table.number in (5, 6):
        found.append(
            "The exception that the text makes for traffic at w = 8 is one of electricity by the "
            "printed numbers."
        )
    if table.varied == "forecast_noise":
        found.append(
            "The caption speaks of user-level privacy, the text of event-level; of a single value "
            "both are the same."
        )
    if table.mechanism == "forecasting":
        found.append("Of Seasonal, which is not trained, the paper does not say what ± is over.")
    return found


def _by_rate(table: ReportedTable) -> str:
    parts = []
    for column in (0, len(table.columns) - 1):
        best = [best_at(_of_model(table, model), column) for model in _models(table)]
        helped = [line_name(line) for line in best if line.rate != 1.0]
        where = column_name(table, table.columns[column])
        parts.append(
            f"at {where} keeping fewer values is best for {len(helped)} of {len(best)} models"
            + (f" ({'; '.join(helped)})" if helped else "")
        )
    sentence = ", and ".join(parts)
    return f"{capitalised(sentence)}."


def _by_label_noise(table: ReportedTable) -> str:
    """Tell whether noise on labels helped, and whether by more than training scatters."""
    told = []
    small = 0
    for line in table.trained:
        without = line.cells[0]
        least = min(Decimal(cell.mean) for cell in line.cells)
        best = [f"{cell.at:g}" for cell in line.cells if Decimal(cell.mean) == least]
        told.append(f"{line.model} at σ_F = {listed(best)}")
        assert without.spread is not None  # of models that are trained all are printed
        small += Decimal(without.mean) - least <= Decimal(without.spread)
    return (
        f"By the printed digits the smallest errors are those of {'; '.join(told)}. For {small} of "
        f"{len(told)} models the gain over no label noise is at most one standard deviation."
    )


def _models(table: ReportedTable) -> list[str]:
    return list(dict.fromkeys(line.model for line in table.trained))


def _of_model(table: ReportedTable, model: str) -> list[ReportedLine]:
    return [line for line in table.trained if line.model == model]
