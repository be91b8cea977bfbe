"""The data shape of a file of real time series: how many there are, and how long.

Nothing else is kept of the file: neither values, nor names, nor the file itself. Only
:mod:`dpviz.series_file.values` returns values, to whoever trains on them.
What cannot be read raises :class:`SeriesFileError`: in a sentence what, where and why.
"""

from dpviz.series_file.adopt import NO_COLUMN, SHORTEST, Choice, Offer, adopt_lengths, read_offer
from dpviz.series_file.errors import SeriesFileError
from dpviz.series_file.persons import read_persons
from dpviz.series_file.read import LAYOUTS, read_series_lengths
from dpviz.series_file.series_lengths import SeriesLengths
from dpviz.series_file.table import MOST_ROWS, MOST_SERIES
from dpviz.series_file.text_file import MOST_BYTES

__all__ = [
    "LAYOUTS",
    "MOST_BYTES",
    "MOST_ROWS",
    "MOST_SERIES",
    "NO_COLUMN",
    "SHORTEST",
    "Choice",
    "Offer",
    "SeriesFileError",
    "SeriesLengths",
    "adopt_lengths",
    "read_offer",
    "read_persons",
    "read_series_lengths",
]
