"""What options the commands have that read all their scenarios from a file."""

from dpviz.command_line.option import Group, Option
from dpviz.command_line.options import EPSILON_RANGE, TARGET_EPSILON_RANGE
from dpviz.scenario.scenario import DELTA_RANGE

MOST_PROCESSES = 1024
FILE_HELP = {
    "sweep": "a file (.json, .toml) of fields of a scenario, each with a value or a list of "
    "values, or with a list of scenarios as `scenarios`",
    "ledger": 'a file with a list of runs: {"runs": [{"name": ..., "scenario": {...}}, ...]}',
}


def _real(limits: tuple[float, float]) -> str:
    return f"a number from {limits[0]:g} to {limits[1]:g}"


_EPSILON = Option(
    field="epsilon",
    metavar="E",
    help="one or more epsilons at which delta is told, too",
    allowed=_real(EPSILON_RANGE),
    many=True,
)
OF_FILES: dict[str, list[Group]] = {
    "sweep": [
        (
            "",
            [
                Option(
                    field="out",
                    metavar="RESULTS",
                    help="the table to write, .parquet or .csv",
                    allowed="the path of a file",
                    is_text=True,
                ),
                _EPSILON,
                Option(
                    field="processes",
                    metavar="P",
                    help="how many compute at a time (one a processor if absent)",
                    allowed=f"a whole number from 1 to {MOST_PROCESSES:,}",
                ),
                Option(
                    field="dask",
                    metavar="ADDRESS",
                    help="compute on a Dask cluster that runs already: its scheduler's address",
                    allowed="an address such as tcp://10.0.0.1:8786",
                    is_text=True,
                ),
            ],
        )
    ],
    "ledger": [
        (
            "",
            [
                Option(
                    field="delta",
                    metavar="D",
                    help="where epsilon is quoted, one or more (1e-7 if absent)",
                    allowed=_real(DELTA_RANGE),
                    many=True,
                ),
                _EPSILON,
                Option(
                    field="target_epsilon",
                    metavar="E",
                    help="what all runs together may cost, beside --next",
                    allowed=_real(TARGET_EPSILON_RANGE),
                ),
                Option(
                    field="next",
                    metavar="NAME",
                    help="the run of the file that is still to come: its length, and its noise, "
                    "are looked for",
                    allowed="the name of a run in the file",
                    is_text=True,
                ),
            ],
        )
    ],
}
