"""The paper's tables of forecast errors: names, what is in them, what is said of them."""

from collections import defaultdict
from decimal import Decimal
from math import isfinite

from dpviz.reported.table import ReportedLine, ReportedTable, UnreadFigure, all_best_at, best_at
from dpviz.scenario import PRESETS, Relation, Units
from dpviz.settings import SETTINGS
from dpviz.wording.markup import chart_description
from dpviz.wording.numbers import capitalised, listed, power_of_ten
from dpviz.wording.paper_figures import PAPER
from dpviz.wording.scope import protected_unit, run_length

_SUBJECTS = {
    "epsilon": "privacy budgets ε",
    "relation_width": "values protected w",
    "forecast_noise": "noise on labels σ_F",
}
SPREAD = "standard deviation over 5 random seeds"
SIDE_BY_SIDE = "Marks side by side are of one column; the shift between them means nothing."
CRPS = "CRPS (continuous ranked probability score)"


def table_name(table: ReportedTable) -> str:
    """Return a table's name for a list of them."""
    subject = _SUBJECTS[table.varied]
    if table.mechanism == "forecasting":
        subject = "privacy of the forecast"
    spread = ", without spread" if not table.has_spreads else ""
    return f"Table {table.number}: {table.data_name}, {subject}{spread}"


def figure_name(figure: UnreadFigure) -> str:
    """Return a figure's name for the same list."""
    return f"Figure {figure.number}: {_varied(figure)}, no numbers in the text"


def column_name(table: ReportedTable, at: float) -> str:
    """Return what a column of a table is called."""
    return f"{symbol_of(table.varied)} = {at:g}" if isfinite(at) else "not private"


def symbol_of(varied: str) -> str:
    """Return the symbol of a budget, or of another setting."""
    return "ε" if varied == "epsilon" else SETTINGS[varied].symbol


def line_name(line: ReportedLine) -> str:
    """Return what a row of a table is called."""
    return line.model if line.rate is None else f"{line.model}, {kept_values(line.rate)}"


def kept_values(rate: float) -> str:
    """Return how many values of a series a forecast reads, on average."""
    return {1.0: "all values", 0.75: "3 of 4 values", 0.5: "half of the values"}[rate] + " kept"


def table_headline(table: ReportedTable, column: int) -> str:
    """Return what a column of a table says, as Markdown."""
    at = table.columns[column]
    best, baseline = all_best_at(table.trained, column), best_at(table.baselines, column)
    where = f" at {column_name(table, at)}" if isfinite(at) else ", trained without privacy"
    comma = "" if best[0].rate is None else ","
    who = f"{'; '.join(map(line_name, best))}{comma} {'has' if len(best) == 1 else 'share'}"
    beside = f"the best baseline without noise, {baseline.model},"
    if table.mechanism == "forecasting":
        beside = f"{line_name(baseline)}, with noise alike"
    cell = best[0].cells[column]
    has_spread = len(best) == 1 and cell.deviation is not None
    number = f"{cell.printed}** ({SPREAD})" if has_spread else f"{cell.mean}**"
    return (
        f"**{_reported(table)}on {table.data_name}{where}: {who} the lowest error (CRPS) of the "
        f"trained models, {number}; {beside} has {baseline.cells[column].mean}. "
        f"{_privacy(table, column)}"
    )


def _reported(table: ReportedTable) -> str:
    return f"Reported by the paper (Table {table.number}), "


def table_title(table: ReportedTable) -> str:
    """Return what the chart of a table shows, as a finding."""
    columns = range(len(table.columns))
    best = [{line.model for line in all_best_at(table.trained, column)} for column in columns]
    models = dict.fromkeys(line.model for line in table.trained)
    count = {model: sum(model in one for one in best) for model in models}
    model = max(count, key=count.__getitem__)
    return (
        f"{_reported(table)}{table.data_name}: of the trained models, {model} has the lowest error "
        f"in {count[model]} of {len(table.columns)} columns"
    )


def table_description(table: ReportedTable) -> str:
    """Return a table's chart for those who cannot see it."""
    lines = []
    for line in table.lines:
        cells = line.cells[:1] if len({cell.mean for cell in line.cells}) == 1 else line.cells
        told = [
            (cell.mean if cell.repeats_mean else cell.printed)
            + (f" ({column_name(table, cell.at)})" if len(cells) > 1 else "")
            for cell in cells
        ]
        lines.append((line_name(line), ", ".join(told)))
    return chart_description(table_title(table), lines, "Errors are CRPS, smaller is better.")


def _privacy(table: ReportedTable, column: int) -> str:
    """Return whom the numbers of a column are private for, and by which delta."""
    at, v = table.columns[column], table.max_change
    epsilon = at if table.epsilon is None else table.epsilon
    if not isfinite(epsilon):
        return "Nothing is protected: ε is unlimited."
    unit = "the values of the series that is forecast, of which the paper does not say how many"
    each = "each "
    if table.relation is not None:
        width = int(at) if table.relation_width is None else table.relation_width
        each = "each " if width > 1 else ""
        units = PRESETS[table.data_set].scenario.units
        unit = protected_unit(Relation(level=table.relation, width=width), units)
    most = "" if v is None else f", {each}changed by at most v = {v:g}"
    delta = power_of_ten(table.delta)
    return f"The paper's budget is ε = {epsilon:g} at δ = {delta} for {unit}{most}."


def what_was_done(table: ReportedTable) -> list[str]:
    """Return who was trained on what, who is protected and what the error is."""
    scenario = PRESETS[table.data_set].scenario
    shape, sampling = scenario.given_shape, scenario.sampling
    series = (
        f"N = {shape.num_series:,} series of {shape.series_lengths[0]:,} values, of which a part "
        "is kept for tests"
    )
    if table.mechanism == "forecasting":
        trained = (
            f"**Trained:** {_models(table)} on {table.data_name} ({series}), without privacy; then "
            "values of the series that a forecast reads are kept at random (Poisson subsampling at "
            "rate 1, 0.75 or 0.5), noised, and the others filled in by their mean. The paper does "
            "not say how much noise that took. Context and batches are not those of private "
            "training."
        )
    else:
        trained = (
            f"**Trained:** {_models(table)} on {table.data_name} ({series}): windows of "
            f"{shape.context_length} + {shape.forecast_length} values (DeepAR reads more, by its "
            f"lags), batches of Λ = {sampling.batch_size}, λ = {sampling.num_subsequences} window "
            "per series, series drawn without replacement, noise multiplier "
            f"σ = {scenario.noise.noise_multiplier:g}; until the budget ε was used up, and for at "
            f"most {run_length(scenario)}."
        )
    spread = (
        f"± is the {SPREAD}"
        if table.has_spreads
        else "this table prints no spread; Table 2 has the same numbers with it"
    )
    if table.mechanism == "training" and table.has_spreads:
        spread += "; the baselines are not trained and have none"
    return [
        trained,
        f"**Protected:** {_protected(table)}; δ = {power_of_ten(table.delta)}.",
        f"**Error:** {CRPS} on the test set, smaller is better; {spread}.",
        f"**Source:** Table {table.number}, {table.source.rpartition(', ')[2]} of {PAPER}.",
    ]


def figure_sentences(figure: UnreadFigure) -> list[str]:
    """Return what the paper's text says of a figure that it gives no numbers of."""
    values = ", ".join(map(str, figure.values))
    kept = "λ = 1" if figure.varied == "batch_size" else "Λ = 256"
    return [
        f"**Figure {figure.number} is not drawn here:** the paper's text has none of its numbers, "
        "and none are made up.",
        f"**What its text says:** without privacy, on traffic, with {kept}, the errors of the four "
        f"models do not change notably with the {_varied(figure)} ({values}), nor with whether "
        "series are walked through in order, shuffled, or drawn without replacement.",
        f"**Source:** Figure {figure.number}, {figure.section} of {PAPER}.",
    ]


def _varied(figure: UnreadFigure) -> str:
    return SETTINGS[figure.varied].phrase


def _models(table: ReportedTable) -> str:
    return listed(list(dict.fromkeys(line.model for line in table.trained)))


def _protected(table: ReportedTable) -> str:
    if table.relation is None:
        return (
            "values of the series that is forecast (how many, w, the paper does not say), each "
            f"changed by at most v = {table.max_change:g}"
        )
    if table.relation_width is None:
        return "any w values of one series, wherever they are (w-user privacy)"
    unit = protected_unit(Relation(level=table.relation, width=table.relation_width), Units())
    change = "" if table.max_change is None else f", changed by at most v = {table.max_change:g}"
    return f"{unit}{change} ({table.relation_width}-{table.relation} privacy)"


# What the paper's text says of its tables, by what varies in them, in other words than its own.
_IN_PRINT = {
    "forecast_noise": "every model on every data set has its smallest error with noise on the "
    "labels (printed: “σ_F = 2 or σ_F = 2”; the tables have 2 and 5 in bold).",
    "relation_width": "at every w some trained model is better than both baselines, except on "
    "traffic at w = 8.",
    "epsilon": "at every ε some trained model is better than both baselines.",
}


def in_print(table: ReportedTable) -> str:
    """Return what the paper's text says of a table, in other words than its own."""
    if table.mechanism == "forecasting":
        return (
            "at small ε it helps to keep only half or three quarters of the values on traffic and "
            "solar, and never on electricity."
        )
    if table.varied == "epsilon" and not table.has_spreads:
        return (
            "models keep much of their accuracy and stay better than both baselines, even at ε ≤ 1."
        )
    return _IN_PRINT[table.varied]


def print_and_numbers(table: ReportedTable) -> list[str]:
    """Return what the paper's text says, and what its numbers say, once where that is the same."""
    said, found = in_print(table), in_numbers(table)
    if said == _IN_PRINT["epsilon"] and found == [f"{_better('every baseline')} in each column."]:
        return [f"**In print, and by the printed numbers:** {said}"]
    return [f"**In print:** {said}", f"**By the printed numbers:** {' '.join(found)}"]


def in_numbers(table: ReportedTable) -> list[str]:
    """Return what holds of a table by the numbers that it prints."""
    found = [against_baselines(table)]
    if table.mechanism == "forecasting":
        found.append(_by_rate(table))
    elif table.varied == "forecast_noise":
        found.append(_by_label_noise(table))
    return found


def against_baselines(table: ReportedTable) -> str:
    """Return where the best trained model is better than the best baseline, and where it is not."""
    level, worse = list[str](), list[str]()
    for column, at in enumerate(table.columns):
        best, baseline = best_at(table.trained, column), best_at(table.baselines, column)
        own, other = best.cells[column], baseline.cells[column]
        errors = f"{best.model} {own.mean}, {baseline.model} {other.mean}"
        if own.number >= other.number:
            no_better = worse if own.number > other.number else level
            no_better.append(f"{column_name(table, at)} ({errors})")
    others = "Seasonal with noise alike" if table.mechanism == "forecasting" else "every baseline"
    sentence = _better(others)
    if not worse and not level:
        return f"{sentence} in each column."
    parts = [f"but not at {listed(worse)}"] if worse else []
    parts += [f"{'and' if worse else 'but'} only as good at {listed(level)}"] if level else []
    return f"{sentence}, {', '.join(parts)}."


def _better(others: str) -> str:
    return f"some trained model is better than {others}"


def remarks(table: ReportedTable) -> list[str]:
    """Return what is odd in print, and what was made of it here."""
    of_forecasts = table.mechanism == "forecasting"
    where = "most cells" if of_forecasts else "the cells without privacy"
    cases = {
        f"In {where} the number behind ± is the mean once more, a slip most likely: it is kept in "
        "the table, and not drawn.": any(
            cell.repeats_mean for line in table.lines for cell in line.cells
        ),
        "One spread is printed as “0.0.001” (DeepAR without privacy): it is left out.": (
            table.number == 2
        ),
        "The exception that the text makes for traffic at w = 8 is one of electricity by the "
        "printed numbers.": table.number in (5, 6),
        "The caption speaks of user-level privacy, the text of event-level; of a single value both "
        "are the same.": table.varied == "forecast_noise",
        "Of Seasonal, which is not trained, the paper does not say what ± is over.": of_forecasts,
    }
    return [said for said, applies in cases.items() if applies]


def _by_rate(table: ReportedTable) -> str:
    parts, of_model = [], defaultdict[str, list[ReportedLine]](list)
    for line in table.trained:
        of_model[line.model].append(line)
    for column in (0, len(table.columns) - 1):
        best = [best_at(lines, column) for lines in of_model.values()]
        helped = [line_name(line) for line in best if line.rate != 1.0]
        told = f" ({'; '.join(helped)})" if helped else ""
        models = f"{len(helped)} of {len(best)} models{told}"
        where = column_name(table, table.columns[column])
        parts.append(f"at {where} keeping fewer values is best for {models}")
    return f"{capitalised(', and '.join(parts))}."


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
        f"The smallest errors are those of {'; '.join(told)}. For {small} of "
        f"{len(told)} models the gain over no label noise is at most one standard deviation."
    )
