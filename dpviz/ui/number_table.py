"""The numbers of a page's chart as a table, for who reads with the keyboard or a screen reader."""

import io
import re
from collections.abc import Callable, Iterable

import pandas as pd
import streamlit as st

from dpviz.ui.sharing import shut_share_menu
from dpviz.ui.texts import plain

# More would be long to go through, and the file has them all.
MOST_ROWS = 100
# The file's settings as JSON: the page shows them, and a screen reader reads out all its marks.
_SETTINGS = re.compile(r"(^|: )scenario: \{")
_MEANING = "What each column is, in full"
_BOUNDS = {"_upper": "upper bounds (at most this)", "_lower": "lower bounds (at least this)"}
_HELP = (
    "The chart's numbers as a table in the page: the rows that the file has or, where those are "
    f"more than {MOST_ROWS}, every so many of them."
)


def table_button(csv: Callable[[], str]) -> None:
    """Draw the button that shows the numbers.

    Args:
        csv: returns them as they are downloaded; lines that begin with # tell what they are.
    """
    if st.button(
        "Table", key="show_table", icon=":material/table:", help=_HELP, on_click=shut_share_menu
    ):
        _show(csv)


@st.dialog("The chart's numbers", width="large")
def _show(csv: Callable[[], str]) -> None:
    with st.spinner("Computing all of the numbers …"):
        comments, numbers = parted(csv())
    told = [line for line in comments if not _SETTINGS.search(line)]
    meaning = "\n".join(f"- {plain(line)}" for line in told)
    shown, sentence = thinned(numbers)
    if not sentence:
        st.markdown(meaning)
        return
    st.markdown(f"{sentence} {columns_sentence(numbers.columns)}")
    with st.expander(_MEANING):  # of many curves it is long, and numbers should be in sight
        st.markdown(meaning)
    st.table(shown.map(plain).rename(columns=plain), hide_index=True, alt="The chart's numbers")


def parted(text: str) -> tuple[list[str], pd.DataFrame]:
    r"""Return the comments of CSV text, and its numbers as they are written.

    >>> parted("# upper bounds\nepsilon,delta\n0.1,1e-05\n")
    (['upper bounds'],   epsilon  delta
    0     0.1  1e-05)
    """
    lines = text.splitlines(keepends=True)
    count = next((at for at, line in enumerate(lines) if not line.startswith("#")), len(lines))
    comments = [line.removeprefix("#").strip() for line in lines[:count]]
    rows = "".join(lines[count:])
    if not rows.strip():
        return comments, pd.DataFrame()
    return comments, pd.read_csv(io.StringIO(rows), dtype=str, keep_default_na=False)


def columns_sentence(names: Iterable[str]) -> str:
    """Return in one sentence what the columns are, and where all of it is said.

    >>> columns_sentence(["epsilon", "delta_upper"]).partition(";")[0]
    'Columns that end in `_upper` are upper bounds (at most this)'
    >>> columns_sentence(["series", "count"])
    'What each column is stands below, folded.'
    """
    names = list(names)
    bounds = [
        f"`{ending}` are {meaning}"
        for ending, meaning in _BOUNDS.items()
        if any(name.endswith(ending) for name in names)
    ]
    if not bounds:
        return "What each column is stands below, folded."
    return (
        f"Columns that end in {', in '.join(bounds)}; by which theorem, over how much training and "
        "for whom stands below, folded."
    )


def thinned(numbers: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return at most about ``MOST_ROWS`` rows, each as it was, and what is left out in words.

    The first and the last row stay. The words are empty where there are no rows.

    >>> shown, sentence = thinned(pd.DataFrame({"epsilon": range(250)}))
    >>> shown["epsilon"].tolist()[:3], shown["epsilon"].tolist()[-2:], sentence
    ([0, 3, 6], [246, 249], 'Every 3rd of 250 rows; the file, by Download CSV, has all.')
    """
    count = len(numbers)
    if count == 0:
        return numbers, ""
    step = -(-count // MOST_ROWS)
    if step == 1:
        return numbers, f"All {count} rows of the file." if count > 1 else "The file's one row."
    kept = sorted({*range(0, count, step), count - 1})
    ending = {1: "st", 2: "nd", 3: "rd"}.get(step % 10 if step // 10 % 10 != 1 else 0, "th")
    sentence = f"Every {step}{ending} of {count:,} rows; the file, by Download CSV, has all."
    return numbers.iloc[kept], sentence
