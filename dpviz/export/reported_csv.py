"""A table of the paper as CSV, with where its numbers are from."""

import dpviz
from dpviz.reported import UnreadFigure
from dpviz.reported.table import ReportedTable, table_csv
from dpviz.wording.paper_tables import figure_sentences


def reported_table_csv(table: ReportedTable) -> str:
    """Return a table as CSV text, one row for each printed error, digits as in print.

    Lines that begin with # describe it; ``pandas.read_csv(path, comment="#")`` reads the table.

    >>> from dpviz.reported import TABLES
    >>> reported_table_csv(TABLES["2"]).splitlines()[-1]
    'AutoETS,inf,0.407,,0'
    """
    return (
        f"# dpviz {dpviz.__version__}: Table {table.number} as reported by the paper\n"
        "# provenance: results of the paper's authors, copied digit by digit and not recomputed; "
        "names and descriptions are dpviz's own\n" + table_csv(table.number)
    )


def unread_figure_csv(figure: UnreadFigure) -> str:
    """Return why there is no table of a figure."""
    return "".join(f"# {line.replace('*', '')}\n" for line in figure_sentences(figure))
