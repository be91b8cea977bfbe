"""The options of ``release``, which knows no scenario."""

from dpviz.command_line.option import Group, Option
from dpviz.command_line.options import LARGEST_SEED
from dpviz.scenario.release_settings import (
    ALL_ACCOUNTINGS,
    DELTA_RANGE,
    EPSILON_RANGE,
    FILTER_RANGE,
    LONGEST_SERIES,
    MECHANISMS,
    MOST_COEFFICIENTS,
    PAPER_COEFFICIENTS,
    RATE_RANGE,
)


def _text(field: str, metavar: str, text: str, allowed: str) -> Option:
    return Option(field=field, metavar=metavar, help=text, allowed=allowed, is_text=True)


def _number(field: str, metavar: str, text: str, allowed: str) -> Option:
    return Option(field=field, metavar=metavar, help=text, allowed=allowed)


def _range(limits: tuple[float, float]) -> str:
    return f"a number from {limits[0]:g} to {limits[1]:g}"


RELEASE: list[Group] = [
    (
        "",
        [
            _text(
                "mechanism",
                "HOW",
                "gaussian: noise on every step; dft: the lowest frequencies; subsample: steps kept "
                "by chance; filter-subsample: filtered before that",
                f"one of {', '.join(MECHANISMS)}",
            ),
            _text(
                "accounting",
                "WHICH",
                "classical or analytic for gaussian, paper or analytic for dft, paper or exact "
                "for the others (the second if absent)",
                f"one of {', '.join(ALL_ACCOUNTINGS)}",
            ),
            _number(
                "length",
                "T",
                "steps of the series (from the file, where one is given)",
                f"a whole number from 1 to {LONGEST_SERIES:,}",
            ),
            _number(
                "participation",
                "I",
                "the most steps in which one individual is counted, at most once in each",
                "a whole number from 1 to --length",
            ),
            _number(
                "rate", "P", "the probability with which each step is kept", _range(RATE_RANGE)
            ),
            _number(
                "filter_width",
                "G",
                "standard deviation of the filter's bell, in steps",
                _range(FILTER_RANGE),
            ),
            _number(
                "coefficients",
                "K",
                f"of dft: how many are released ({PAPER_COEFFICIENTS} if absent)",
                f"a whole number from 1 to {MOST_COEFFICIENTS:,}",
            ),
            _number("epsilon", "E", "of the whole release", _range(EPSILON_RANGE)),
            _number("delta", "D", "of the whole release", _range(DELTA_RANGE)),
        ],
    ),
    (
        "to release a file",
        [
            _text(
                "data",
                "FILE",
                "a table with one column of counts, CSV or Parquet",
                "the path of a file",
            ),
            _text("out", "FILE.csv", "where to write the released series", "the path of a file"),
            _number(
                "seed",
                "S",
                "for tests only: who knows it can take the noise off again (the system's entropy "
                "if absent)",
                f"a whole number from 0 to {LARGEST_SEED:,}",
            ),
        ],
    ),
]
