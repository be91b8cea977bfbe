"""Chunks on a Dask cluster that runs already."""

import importlib
from collections.abc import Iterator, Sequence
from types import ModuleType

import dpviz
from dpviz.scenario.missing_package import MissingPackageError
from dpviz.sweeps.answer import Answer, Chunk, answered

_RETRIES = 5
_CONNECT_SECONDS = 20


class ClusterError(RuntimeError):
    """The cluster cannot compute; the message is one sentence without a full stop."""


def check_dask() -> ModuleType:
    """Return the package that talks to a cluster.

    Raises:
        MissingPackageError: it is not installed.
    """
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise MissingPackageError("distributed") from None


def on_cluster(chunks: Sequence[Chunk], address: str) -> Iterator[list[tuple[int, Answer]]]:
    """Yield the answers to each chunk, in the order in which they are ready.

    A chunk whose worker dies is computed by another one.

    Args:
        chunks: what to compute.
        address: of the scheduler, such as ``tcp://10.0.0.1:8786``.

    Raises:
        MissingPackageError: Dask is not installed.
        ClusterError: nobody answers there, its workers have another version of dpviz or none,
            or they died too often.
    """
    distributed = check_dask()
    try:
        client = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as problem:  # nobody there; no address
        reason = str(problem).partition("\n")[0].rstrip(".")
        raise ClusterError(f"no Dask scheduler answers at {address} ({reason})") from None
    with client:
        _check_versions(client)
        with_retries = {"retries": _RETRIES, "pure": False}
        futures = client.map(answered, chunks, **with_retries)
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
