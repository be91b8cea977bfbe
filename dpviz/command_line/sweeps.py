"""The command that computes many scenarios and writes their table."""

from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from dpviz.command_line import command
from dpviz.command_line.command import UsageError, told_of
from dpviz.command_line.ends import tell
from dpviz.command_line.files import check_place, whole_text, write_whole
from dpviz.command_line.ledger import EXTRA_EPSILONS
from dpviz.command_line.long_run import ProgressBar, resumed
from dpviz.scenario.errors import MissingPackageError, ScenarioError
from dpviz.wording.numbers import counted

_MOST_TOLD = 10
_CSV, _PARQUET = ".csv", ".parquet"
_PROCESSES = command.processes("how many compute at a time (one a processor if absent)")
_DASK = command.path(
    "dask",
    "ADDRESS",
    "compute on a Dask cluster that runs already: its scheduler's address",
    "an address such as tcp://10.0.0.1:8786",
)
_OUT = command.path("out", "RESULTS", "the table to write, .parquet or .csv")


def sweep(options: Namespace) -> command.Told:
    """Compute what the table still lacks, write it, and return what to print."""
    if options.out is None:
        raise UsageError("--out is needed: the path of the table to write, .parquet or .csv")
    out = Path(options.out)
    if out.suffix not in (_CSV, _PARQUET):
        raise ScenarioError("out", options.out, "it must end with .parquet or .csv")
    check_place(options.out, "--out", ("GRID", options.grid))
    check_place(f"{options.out}.journal", "the journal", ("GRID", options.grid))
    epsilons = tuple(dict.fromkeys(options.epsilon or ()))
    if options.processes is not None and options.dask is not None:
        raise UsageError("--processes is not allowed beside --dask: the cluster has its own")
    from dpviz.sweeps import run
    from dpviz.sweeps.grid import LONGEST_FILE, GridError, read_grid
    from dpviz.sweeps.results import check_parquet, csv_text, parquet_bytes, results_table

    with told_of("sweep cannot be made", MissingPackageError):
        if out.suffix == _PARQUET:
            check_parquet()
        if options.dask is not None:
            run.check_dask()
    text = whole_text(options.grid, LONGEST_FILE)
    with told_of(command.shown_path(options.grid), GridError):
        rows = read_grid(text, is_toml=options.grid.lower().endswith(".toml"))
    refused = [row for row in rows if row.problem is not None]
    for row in refused[:_MOST_TOLD]:
        tell(f"row {row.number:,} is skipped: {row.problem}")
    if len(refused) > _MOST_TOLD:
        more = len(refused) - _MOST_TOLD
        tell(f"{more:,} more {'row is' if more == 1 else 'rows are'} skipped; the table has why.")
    compute = (
        partial(run.chunks_on_processors, processes=options.processes or -1)
        if options.dask is None
        else partial(run.on_cluster, address=options.dask)
    )
    opened = partial(run.open_journal, rows=rows, epsilons=epsilons)
    kept = out.with_name(out.name + ".journal")
    with resumed(options, kept, opened, run.ClusterError) as journal:
        answers = run.run_sweep(
            rows,
            epsilons=epsilons,
            journal=journal,
            compute=compute,
            progress=ProgressBar("scenarios"),
        )
        table = results_table(rows, answers, epsilons)
        write_whole(out, csv_text(table) if out.suffix == _CSV else parquet_bytes(table))
        journal.remove()
    return _summary(out, [answer["status"] for answer in answers])


def _summary(out: Path, statuses: Sequence[str]) -> command.Told:
    from dpviz.sweeps.grid import ANSWERED, FAILED, REFUSED, UNREACHABLE

    counts = {status: statuses.count(status) for status in (ANSWERED, UNREACHABLE, REFUSED, FAILED)}
    told = ", ".join(f"{number:,} {status}" for status, number in counts.items() if number)
    lines = f"written: {command.shown_path(str(out))} ({counted(len(statuses), 'row')}: {told})"
    return {"written": str(out), "rows": len(statuses), **counts}, lines


COMMAND = command.Command(
    name="sweep",
    help="what is proven about many scenarios, as a table",
    run=sweep,
    settings=(_OUT, EXTRA_EPSILONS, _PROCESSES, _DASK),
    file=(
        "grid",
        "GRID",
        "a file (.json, .toml) of fields of a scenario, each with a value or a list of values, or "
        "with a list of scenarios as `scenarios`",
    ),
    lacks="a file is needed: a grid of scenarios in JSON or TOML",
)
