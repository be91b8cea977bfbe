"""Whether a file may be meant in another way than it was read."""

from collections.abc import Sequence

from dpviz.series_file.columns import Column
from dpviz.series_file.errors import counted
from dpviz.series_file.layout import numbered
from dpviz.series_file.series_lengths import Doubt, SeriesLengths


def doubt_of(lengths: SeriesLengths, columns: Sequence[Column]) -> Doubt | None:
    """Return what speaks for another layout than the one that was found; ``None`` if nothing.

    Args:
        lengths: what was read.
        columns: of the table.

    >>> doubt_of(SeriesLengths(lengths=(1, 1, 1), layout="long"), ()).layout
    'wide'
    """
    count = counted(lengths.num_series, "series", "series")
    if lengths.layout == "long" and lengths.num_series > 1 and lengths.longest == 1:
        return Doubt(
            f"The file was read as {count} of one value each: no series has a second row.",
            "rows" if sum(c.kind == "number" for c in columns) > 2 else "wide",
        )
    if lengths.layout == "wide" and lengths.num_series > 1:
        values = counted(lengths.longest, "value")
        if lengths.num_series > lengths.longest:
            return Doubt(
                f"The file was read as {count} of at most {values}, one a column: there are more "
                "series than values.",
                "rows",
            )
        if len(numbered(columns)) == len(columns):
            return Doubt(
                f"The file was read as {count}, one a column, though the columns are only "
                "numbered or dated.",
                "rows",
            )
    if lengths.layout == "rows" and lengths.num_series > 1:
        first = columns[0] if columns else None
        if first is not None and first.kind == "number" and first.counting:
            return Doubt(
                f"The file was read as {count}, one a row, though the first column counts them.",
                "wide",
            )
    return None
