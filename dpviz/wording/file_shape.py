"""What was read of a file of series, in words."""

from dpviz.series_file import SeriesLengths
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
    count = f"From the file: N = {file.num_series:,} series"
    if file.shortest == file.longest:
        return f"{count} of {file.shortest:,} values"
    middle = rounded(file.median, 6)
    return f"{count} of {file.shortest:,} to {file.longest:,} values (median {middle})"
