"""What the paper's tables of forecast errors are called, and what is in them."""

from math import isfinite

from dpviz.reported import UnreadFigure
from dpviz.reported.table import ReportedLine, ReportedTable, all_best_at, best_at
from dpviz.scenario import PRESETS, Relation, Units
from dpviz.settings import SETTINGS
from dpviz.wording.numbers import power_of_ten
from dpviz.wording.paper_figures import PAPER
from dpviz.wording.scope import protected_unit, run_length

_SUBJECTS = {
    "epsilon": "privacy budgets ε",
    "relation_width": "values protected w",
    "forecast_noise": "noise on labels σ_F",
}
SPREAD = "standard deviation over 5 random seeds"
CRPS = "CRPS (continuous ranked probability score)"


def table_name(table: ReportedTable) -> str:
    """Return a table's name for a list of them.

    >>> from dpviz.reported import TABLES
    >>> table_name(TABLES["5"])
    'Table 5: traffic, values protected w'
    >>> table_name(TABLES["11"])
    'Table 11: traffic, privacy of the forecast'
    """
    subject = _SUBJECTS[table.varied]
    if table.mechanism == "forecasting":
        subject = "privacy of the forecast"
    spread = ", without spread" if not table.has_spreads else ""
    return f"Table {table.number}: {table.data_set}, {subject}{spread}"


def figure_name(figure: UnreadFigure) -> str:
    """Return a figure's name for the same list.

    >>> from dpviz.reported import FIGURES_WITHOUT_NUMBERS
    >>> figure_name(FIGURES_WITHOUT_NUMBERS["figure-12"])
    'Figure 12: windows per series λ, no numbers in the text'
    """
    return f"Figure {figure.number}: {_varied(figure)}, no numbers in the text"


def column_name(table: ReportedTable, at: float) -> str:
    """Return what a column of a table is called.

    >>> from dpviz.reported import TABLES
    >>> [column_name(TABLES["2"], at) for at in (0.25, float("inf"))]
    ['ε = 0.25', 'not private']
    """
    symbol = "ε" if table.varied == "epsilon" else SETTINGS[table.varied].symbol
    return f"{symbol} = {at:g}" if isfinite(at) else "not private"


def line_name(line: ReportedLine) -> str:
    """Return what a row of a table is called.

    >>> from dpviz.reported import TABLES
    >>> [line_name(line) for line in TABLES["11"].lines[-2:]]
    ['DLinear, half of the values kept', 'Seasonal, all values kept']
    """
    if line.rate is None:
        return line.model
    return f"{line.model}, {kept_values(line.rate)}"


def kept_values(rate: float) -> str:
    """Return how many values of a series a forecast reads, on average.

    >>> kept_values(0.75)
    '3 of 4 values kept'
    """
    return {1.0: "all values", 0.75: "3 of 4 values", 0.5: "half of the values"}[rate] + " kept"


def table_headline(table: ReportedTable, column: int) -> str:
    """Return what a column of a table says, as Markdown."""
    at = table.columns[column]
    best, baseline = all_best_at(table.trained, column), best_at(table.baselines, column)
    where = f"on {table.data_set} at {column_name(table, at)}"
    if not isfinite(at):
        where = f"on {table.data_set}, trained without privacy"
    comma = "" if best[0].rate is None else ","
    who = f"{'; '.join(map(line_name, best))}{comma} {'has' if len(best) == 1 else 'share'}"
    beside = (
        f"{line_name(baseline)}, with noise alike"
        if table.mechanism == "forecasting"
        else f"the best baseline without noise, {baseline.model},"
    )
    cell = best[0].cells[column]
    has_spread = len(best) == 1 and cell.deviation is not None
    number = f"{cell.printed}** ({SPREAD})" if has_spread else f"{cell.mean}**"
    return (
        f"**Reported by the paper (Table {table.number}), {where}: {who} the smallest error "
        f"(CRPS) of the trained models, {number}; {beside} has {baseline.cells[column].mean}. "
        f"{privacy_sentence(table, column)}"
    )


def table_title(table: ReportedTable) -> str:
    """Return what the chart of a table shows, as a finding.

    >>> from dpviz.reported import TABLES
    >>> table_title(TABLES["2"])
    'Reported by the paper (Table 2), traffic: of the trained, DeepAR errs least in 6 of 7 columns'
    """
    columns = range(len(table.columns))
    best = [{line.model for line in all_best_at(table.trained, column)} for column in columns]
    models = dict.fromkeys(line.model for line in table.trained)
    count = {model: sum(model in one for one in best) for model in models}
    model = max(count, key=count.__getitem__)
    return (
        f"Reported by the paper (Table {table.number}), {table.data_set}: of the trained, {model} "
        f"errs least in {count[model]} of {len(table.columns)} columns"
    )


def table_description(table: ReportedTable) -> str:
    """Return a table's chart for those who cannot see it."""
    parts = [f"{table_title(table)}."]
    for line in table.lines:
        cells = line.cells[:1] if len({cell.mean for cell in line.cells}) == 1 else line.cells
        told = [
            cell.printed if len(cells) == 1 else f"{cell.printed} at {column_name(table, cell.at)}"
            for cell in cells
        ]
        parts.append(f"{line_name(line)}: {', '.join(told)}.")
    parts.append("Errors are CRPS, smaller is better.")
    return " ".join(parts)


def privacy_sentence(table: ReportedTable, column: int) -> str:
    """Return whom the numbers of a column are private for, and by which delta."""
    at, delta = table.columns[column], power_of_ten(table.delta)
    epsilon = at if table.epsilon is None else table.epsilon
    if not isfinite(epsilon):
        return "Nothing is protected: ε is unlimited."
    unit = "the values of the series that is forecast, of which the paper does not say how many"
    if table.relation is not None:
        width = int(at) if table.relation_width is None else table.relation_width
        units = PRESETS[table.data_set].scenario.units
        unit = protected_unit(Relation(level=table.relation, width=width), units)
    change = (
        "" if table.max_change is None else f", each changed by at most v = {table.max_change:g}"
    )
    return f"The paper's budget is ε = {epsilon:g} at δ = {delta} for {unit}{change}."


def what_was_done(table: ReportedTable) -> list[str]:
    """Return who was trained on what, what varied, who is protected and what the error is."""
    scenario = PRESETS[table.data_set].scenario
    shape, sampling = scenario.shape, scenario.sampling
    assert shape is not None  # so are all data sets of the paper
    series = (
        f"N = {shape.num_series:,} series of {shape.series_lengths[0]:,} values, of which a part "
        "is kept for tests"
    )
    if table.mechanism == "forecasting":
        trained = (
            f"**Trained:** {_models(table)} on {table.data_set} ({series}), without privacy; then "
            "values of the series that a forecast reads are kept at random, noised, and the others "
            "filled in by their mean. The paper does not say how much noise that took. Context and "
            "batches are not those of private training."
        )
    else:
        trained = (
            f"**Trained:** {_models(table)} on {table.data_set} ({series}): windows of "
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
        f"**Varied:** {_varied_words(table)}.",
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
    names = list(dict.fromkeys(line.model for line in table.trained))
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _varied_words(table: ReportedTable) -> str:
    values = ", ".join(f"{at:g}" for at in table.columns if isfinite(at))
    if table.varied == "epsilon":
        unlimited = " and unlimited" if not isfinite(table.columns[-1]) else ""
        rates = (
            ", and how many values are kept (Poisson subsampling at rate 1, 0.75 or 0.5)"
            if table.mechanism == "forecasting"
            else ""
        )
        return f"the privacy budget, ε = {values}{unlimited}{rates}"
    if table.varied == "relation_width":
        return (
            f"how many values of one series are protected, w = {values}, at ε = {table.epsilon:g}"
        )
    return (
        f"noise on the labels, σ_F = {values} in units of v = {table.max_change:g}, "
        f"at ε = {table.epsilon:g}"
    )


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
