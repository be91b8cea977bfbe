"""A sweep from its rows to all their answers, on all processors or on a Dask cluster."""

import importlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType

import dpviz
from dpviz.scenario import Scenario, to_fields
from dpviz.scenario.errors import MissingPackageError
from dpviz.studies.run import Answers, Journal, Progress, answers_to, on_processors
from dpviz.sweeps.grid import Answer, Chunk, Row, answered, fingerprint, refusal

_RETRIES = 5
_CONNECT_SECONDS = 20
# Some seconds of work: little is lost by a kill, and rows that share work are mostly together.
ROWS_IN_A_CHUNK = 32
# Rows that differ in nothing else share their privacy loss, or their whole curve.
_SHARED_BY = ("steps", "epochs", "delta", "time_step", "value_unit")
Answering = Callable[[Chunk], Answers]
Compute = Callable[[Answering, Sequence[Chunk]], Iterator[Answers]]


class ClusterError(RuntimeError):
    """The cluster cannot compute; the message is one sentence without a full stop."""


def check_dask() -> ModuleType:
    """Return the package that talks to a cluster; raise ``MissingPackageError`` without it."""
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise MissingPackageError("distributed") from None


def on_cluster(answer: Answering, chunks: Sequence[Chunk], address: str) -> Iterator[Answers]:
    """Yield the answers to each chunk, in the order in which they are ready.

    A chunk whose worker dies is computed by another one.

    Args:
        address: of the scheduler, such as ``tcp://10.0.0.1:8786``.

    Raises:
        ClusterError: nobody answers there, its workers have another version of dpviz or none,
            or they died too often.
    """
    distributed = check_dask()
    try:
        client = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except Exception as problem:  # nobody there; whatever it makes of what is no address
        reason = (str(problem) or type(problem).__name__).partition("\n")[0].rstrip(".")
        named = address if address.isprintable() else repr(address)
        raise ClusterError(f"no Dask scheduler answers at {named} ({reason})") from None
    with client:
        _check_versions(client)
        futures = client.map(answer, chunks, retries=_RETRIES, pure=False)
        for future in distributed.as_completed(futures, loop=client.loop):
            try:
                yield future.result()
            except Exception as problem:  # a worker's own errors are answers: this is the cluster's
                client.cancel(futures, force=True)
                reason = f"{type(problem).__name__}: {problem}".partition("\n")[0].rstrip(".")
                raise ClusterError(f"the cluster gave up ({reason})") from None
            future.release()


def _check_versions(client: object) -> None:
    """Refuse workers whose numbers may be others."""
    try:
        found = client.run(_version, on_error="return")  # type: ignore[attr-defined]
    except Exception as problem:
        raise ClusterError(f"its workers do not answer ({type(problem).__name__})") from None
    for worker, version in found.items():
        if version != dpviz.__version__:
            has = "no dpviz" if isinstance(version, Exception) else f"dpviz {version}"
            raise ClusterError(
                f"the worker {worker} has {has}: every worker needs dpviz {dpviz.__version__}"
            )


def _version() -> str:
    return dpviz.__version__


def chunks_on_processors(
    answer: Answering, chunks: Sequence[Chunk], processes: int = -1
) -> Iterator[Answers]:
    """Yield the answers to each chunk, computed on so many processes of this machine."""
    named = {str(at): chunk for at, chunk in enumerate(chunks)}
    return (answers for _, answers in on_processors(answer, named, processes))


def run_sweep(
    rows: tuple[Row, ...],
    *,
    epsilons: tuple[float, ...] = (),
    journal: Journal | None = None,
    compute: Compute = chunks_on_processors,
    progress: Progress | None = None,
) -> list[Answer]:
    """Return the answer to each row, in the rows' order."""
    answers = answers_to(
        {row.name: row.scenario for row in rows if row.scenario is not None},
        lambda left: compute(partial(answered, epsilons=epsilons), chunks_of(left)),
        known={row.name: refusal(row.problem) for row in rows if row.problem is not None},
        journal=journal,
        progress=progress,
    )
    return [answers[row.name] for row in rows]


def chunks_of(scenarios: Mapping[str, Scenario]) -> list[Chunk]:
    """Return rows by their names in chunks, those that share work beside each other."""

    def by_work(row: tuple[str, Scenario]) -> tuple[str, int]:
        name, scenario = row
        fields = {name: one for name, one in to_fields(scenario).items() if name not in _SHARED_BY}
        length = [scenario.training.unit, scenario.training.count]
        return json.dumps([fields, length, scenario.delta]), int(name)

    rows = sorted(scenarios.items(), key=by_work)
    return [rows[at : at + ROWS_IN_A_CHUNK] for at in range(0, len(rows), ROWS_IN_A_CHUNK)]


def open_journal(path: Path, rows: tuple[Row, ...], epsilons: tuple[float, ...]) -> Journal:
    """Return the journal of a sweep; see :class:`dpviz.studies.run.Journal` for errors."""
    return Journal(path, "sweep", fingerprint(rows, epsilons, dpviz.__version__))
