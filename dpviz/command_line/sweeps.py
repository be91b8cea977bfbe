"""The command that computes many scenarios and writes their table."""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from dpviz.command_line.file_options import MOST_PROCESSES
from dpviz.command_line.given_file import whole_bytes
from dpviz.command_line.options import EPSILON_RANGE
from dpviz.command_line.parser import UsageError, shown, shown_path
from dpviz.command_line.progress_bar import ProgressBar
from dpviz.command_line.whole_file import write_whole
from dpviz.scenario.errors import checked_integer, checked_real
from dpviz.scenario.missing_package import MissingPackageError

_MOST_TOLD = 10
_CSV, _PARQUET = ".csv", ".parquet"


def sweep(options: argparse.Namespace) -> str:
    """Compute what the table still lacks, write it, and return what to print.

    Raises:
        UsageError: an option is missing or wrong, or a file cannot be read or written.
    """
    out = _out(options.out)
    epsilons = tuple(
        dict.fromkeys(checked_real("epsilon", one, *EPSILON_RANGE) for one in options.epsilon or ())
    )
    processes = -1
    if options.processes is not None:
        if options.dask is not None:
            raise UsageError("--processes is not allowed beside --dask: the cluster has its own")
        processes = checked_integer("processes", options.processes, 1, MOST_PROCESSES)
    # Imported here so that a wrong option is answered at once.
    from dpviz.sweeps.cluster import ClusterError, check_dask, on_cluster
    from dpviz.sweeps.journal import JournalError
    from dpviz.sweeps.processors import ProcessorsError, on_processors
    from dpviz.sweeps.results import check_parquet, csv_text, parquet_bytes, results_table
    from dpviz.sweeps.run import open_journal, run_sweep

    try:
        if out.suffix == _PARQUET:
            check_parquet()
        if options.dask is not None:
            check_dask()
    except MissingPackageError as problem:
        raise UsageError(f"sweep cannot be made: {problem}") from None
    rows = _rows(options.grid)
    _tell_refused(rows)
    compute = (
        partial(on_processors, processes=processes)
        if options.dask is None
        else partial(on_cluster, address=options.dask)
    )
    journal_path = out.with_name(out.name + ".journal")
    try:
        with open_journal(journal_path, rows, epsilons) as journal:
            answers = run_sweep(
                rows,
                epsilons=epsilons,
                journal=journal,
                compute=compute,
                progress=ProgressBar("scenarios"),
            )
            table = results_table(rows, answers, epsilons)
            write_whole(out, csv_text(table) if out.suffix == _CSV else parquet_bytes(table))
            journal.remove()
    except OSError as problem:
        raise UsageError(
            f"--out {shown(options.out)} cannot be written: {problem.strerror}"
        ) from None
    except (JournalError, ClusterError, ProcessorsError) as problem:
        raise UsageError(f"sweep cannot go on: {problem}") from None
    except KeyboardInterrupt:
        raise UsageError(
            f"stopped: what was computed is in {journal_path}; the same command goes on from there"
        ) from None
    return _summary(out, [answer["status"] for answer in answers], as_json=options.json)


def _out(text: str | None) -> Path:
    if text is None:
        raise UsageError("--out is needed: the path of the table to write, .parquet or .csv")
    path = Path(text)
    if path.suffix not in (_CSV, _PARQUET):
        raise UsageError(f"--out {shown(text)} is not allowed: it must end with .parquet or .csv")
    return path


def _rows(path: str | None) -> tuple[Any, ...]:
    from dpviz.sweeps.grid import LONGEST_FILE, GridError, read_grid

    if path is None:
        raise UsageError("a file is needed: a grid of scenarios in JSON or TOML")
    named = shown_path(path)
    content = whole_bytes(path, LONGEST_FILE)
    try:
        return read_grid(content.decode("utf-8-sig"), is_toml=path.lower().endswith(".toml"))
    except UnicodeDecodeError:
        raise UsageError(f"{named} cannot be read: it is not text in UTF-8") from None
    except GridError as problem:
        raise UsageError(f"{named}: {problem}") from None


def _tell_refused(rows: Sequence[Any]) -> None:
    """Name rows that are not allowed: row, field, value and what is allowed."""
    refused = [row for row in rows if row.problem is not None]
    for row in refused[:_MOST_TOLD]:
        print(f"dpviz: row {row.number:,} is skipped: {row.problem}", file=sys.stderr)
    if len(refused) > _MOST_TOLD:
        more = len(refused) - _MOST_TOLD
        print(f"dpviz: {more:,} more rows are skipped; the table has why.", file=sys.stderr)


def _summary(out: Path, statuses: Sequence[str], *, as_json: bool) -> str:
    from dpviz.sweeps.answer import ANSWERED, FAILED, REFUSED, UNREACHABLE

    counts = {status: statuses.count(status) for status in (ANSWERED, UNREACHABLE, REFUSED, FAILED)}
    if as_json:
        return json.dumps({"written": str(out), "rows": len(statuses), **counts})
    told = ", ".join(f"{number:,} {status}" for status, number in counts.items() if number)
    return f"written: {shown_path(str(out))} ({len(statuses):,} rows: {told})"
