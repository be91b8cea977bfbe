"""Chunks on all processors of this machine."""

from collections.abc import Iterator, Sequence

from dpviz.sweeps.answer import Answer, Chunk, answered

_MOST_DEATHS = 3


class ProcessorsError(RuntimeError):
    """Processes died again and again; the message is one sentence without a full stop."""


def on_processors(chunks: Sequence[Chunk], processes: int) -> Iterator[list[tuple[int, Answer]]]:
    """Yield the answers to each chunk, in the order in which they are ready.

    A chunk whose process dies is computed again.

    Args:
        chunks: what to compute.
        processes: how many at a time; -1 for one a processor.

    Raises:
        ProcessorsError: processes have died too often.
    """
    if processes == 1 or len(chunks) < 2:
        yield from map(answered, chunks)
        return
    # Imported here: a wrong option is answered at once.
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import BrokenProcessPool

    left = {chunk.numbers: chunk for chunk in chunks}
    for _ in range(_MOST_DEATHS + 1):
        pool = Parallel(n_jobs=processes, batch_size=1, return_as="generator_unordered")
        try:
            for answers in pool(delayed(answered)(chunk) for chunk in [*left.values()]):
                left.pop(tuple(number for number, _ in answers))
                yield answers
        except BrokenProcessPool:  # killed, or out of memory
            continue
        return
    raise ProcessorsError(
        f"processes that compute died {_MOST_DEATHS + 1} times, perhaps for lack of memory: use "
        "fewer --processes"
    )
