"""What was read of a file of series, in words."""

from collections.abc import Mapping, Sequence

from dpviz.scenario import Scenario
from dpviz.series_file import SeriesLengths
from dpviz.series_file.layout import Roles
from dpviz.wording.markup import markdown_table, plain
from dpviz.wording.numbers import rounded

LAYOUT_NAMES = {
    "auto": "Detect automatically",
    "long": "long: one row per value",
    "wide": "wide: one column per series",
    "rows": "rows: one row per series",
}


def lengths_summary(file: SeriesLengths) -> str:
    """Return what was read from a file, in one line.

    >>> lengths_summary(SeriesLengths(lengths=(68, 69, 126), layout="long"))
    'From the file: N = 3 series of 68 to 126 values (median 69)'
    """
    source = "As typed" if file.layout == "typed" else "From the file"
    count = f"{source}: N = {file.num_series:,} series"
    if file.shortest == file.longest:
        return f"{count} of {file.shortest:,} values"
    middle = rounded(file.median, 6)
    return f"{count} of {file.shortest:,} to {file.longest:,} values (median {middle})"


def too_short_to_train(scenario: Scenario, file: SeriesLengths | None, forecasts: int) -> str:
    """Return that the page that trains refuses a plan for its file's shortest series, as Markdown.

    Args:
        forecasts: how many of them a series needs room for there.

    >>> from dpviz.scenario import PRESETS
    >>> lengths = SeriesLengths(lengths=(2, 60, 60), layout="long")
    >>> too_short_to_train(PRESETS["toy"].scenario, lengths, 3)[:43]
    '⚠️ ***Train* refuses this plan for the file'
    """
    if file is None:
        return ""
    forecast = scenario.given_shape.forecast_length
    least, most = forecasts * forecast, file.shortest // forecasts
    short = sum(length < least for length in file.lengths)
    if not short:
        return ""
    have, them = ("has", "it") if short == 1 else ("have", "them")
    ways = [f"leave {them} out of the file"] if short < file.num_series else []
    ways += [f"plan for L_F ≤ {most:,}"] if most else []
    way = ", or ".join(ways)
    return (
        f"⚠️ ***Train* refuses this plan for the file**: {short:,} of {file.num_series:,} series "
        f"{have} fewer than {least:,} values, room for {forecasts} forecasts, all but one of them "
        f"kept from training. {f'{way[0].upper()}{way[1:]}.' if way else ''}".rstrip()
    )


def longer_than_shortest(chosen: Mapping[str, int], file: SeriesLengths | None) -> str:
    """Return that chosen windows are longer than the shortest series of a file that is forecast.

    Empty if they are not, or if none is.

    >>> file = SeriesLengths(lengths=(40, 900), layout="long")
    >>> longer_than_shortest({"context_length": 168, "forecast_length": 24}, file)
    'Windows of 192 values are longer than the shortest series (40), which is padded.'
    """
    window = chosen["context_length"] + chosen["forecast_length"]
    lengths = () if file is None else file.lengths
    shortest = min((one for one in lengths if one >= chosen["forecast_length"]), default=window)
    if window <= shortest:
        return ""
    return (
        f"Windows of {window:,} values are longer than the shortest series ({shortest:,}), "
        "which is padded."
    )


def guess_words(guess: str) -> str:
    """Return on what reading of a file a run is trained, as Markdown; empty where none is guessed.

    >>> guess_words("Each row was taken to be one series.")
    '**The file is trained as it was guessed to be meant.** Each row was taken to be one series.'
    """
    return f"**The file is trained as it was guessed to be meant.** {plain(guess)}" if guess else ""


# What a layout says of rows or columns.
READINGS = {
    "long": "Each row is one value",
    "wide": "Each column is one series",
    "rows": "Each row is one series",
}
_MOST_SHOWN_COLUMNS, _LONGEST_CELL = 7, 24


def first_rows(header: Sequence[str], rows: Sequence[Sequence[str]], roles: Roles | None) -> str:
    r"""Return the first rows of a table in Markdown, each column under its role.

    >>> roles = Roles(layout="long", series=0, times=(), values=(1,))
    >>> print(first_rows(["shop", "sold"], [["a|b", "5"]], roles))
    | shop | sold |
    | --- | --- |
    | **series** | **value** |
    | a\|b | 5 |
    """
    shown = range(min(len(header), _MOST_SHOWN_COLUMNS))
    more = [" ..."] if len(header) > len(shown) else []
    lines = [[_cell(row[at]) for at in shown] for row in (header, *rows)]
    if roles is not None:
        lines.insert(1, [_role(roles, at) for at in shown])
    heads, *told = ([*line, *more] for line in lines)
    return markdown_table(heads, told)


def _role(roles: Roles, at: int) -> str:
    if at == roles.series:
        return "**series**"
    if at in roles.times:
        return "**time**"
    return "**value**" if at in roles.values else "not read"


def _cell(text: str) -> str:
    """Return a cell's text as Markdown that shows it as it is."""
    short = text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - 3] + "..."
    return plain("".join(c if c.isprintable() else " " for c in short))
