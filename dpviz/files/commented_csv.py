"""Tables as CSV below comments that say what made them, ``# key: value``."""

import csv
import io
from collections.abc import Iterable, Sequence
from math import isfinite


def commented_csv(
    about: Iterable[str], columns: Sequence[str], rows: Iterable[Iterable[object]]
) -> str:
    """Return a table as CSV; a cell of ``None`` is empty, and numbers have all their digits.

    >>> print(commented_csv(["seed: 1"], ["a", "b"], [[0.1, None]]), end="")
    # seed: 1
    a,b
    0.1,
    """
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in about)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def comments_in(text: str) -> list[str]:
    """Return the comments of such a table, each without its mark."""
    return [line[2:] for line in text.splitlines() if line.startswith("# ")]


def said_above(text: str) -> dict[str, str]:
    """Return what the comments say, by their key; of several with one key the last."""
    about = (line.partition(": ") for line in comments_in(text))
    return {key: value for key, _, value in about}


def rows_in(text: str) -> list[dict[str, str]]:
    """Return the rows of such a table."""
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def cell_in_json(cell: str) -> str | float | None:
    """Return a cell of a table as JSON has it: empty ones are ``None``, JSON has no infinity.

    >>> [cell_in_json(cell) for cell in ("0.5", "", "inf", "helps")]
    [0.5, None, 'inf', 'helps']
    """
    if not cell:
        return None
    try:
        number = float(cell)
    except ValueError:
        return cell
    return number if isfinite(number) else cell
