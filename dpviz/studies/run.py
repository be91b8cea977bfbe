"""All cases of a study: each computed once, on all processors, and kept as it is answered."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from dpviz.studies.journal import Journal

Case = TypeVar("Case")
Answer = TypeVar("Answer")
Answers = Sequence[tuple[str, Any]]
"""Names of cases, each with its answer."""
Progress = Callable[[int, int], None]
"""Told how many cases are answered, and how many there are."""
_MOST_DEATHS = 3


class ProcessorsError(RuntimeError):
    """Processes died again and again; the message is one sentence without a full stop."""


def answers_to(
    cases: Mapping[str, Case],
    work: Callable[[dict[str, Case]], Iterator[Answers]],
    *,
    known: Mapping[str, Any] | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Return the answers to all cases by their names; those that are known are not computed again.

    Args:
        cases: by name.
        work: answers some of them, in any order; what it yields is kept before it goes on.
        known: answers that are there without it.
        journal: what was answered before, and where answers are kept as they come.
        progress: told at the beginning, and after each answer.

    >>> answers_to({"a": 1, "b": 2}, each(str), known={"b": "two"})
    {'b': 'two', 'a': '1'}
    """
    told = {} if journal is None else journal.known
    found = dict(known or {}) | {name: told[name] for name in cases if name in told}
    report = progress or (lambda *_: None)
    report(len(found), len({*cases, *found}))
    left = {name: case for name, case in cases.items() if name not in found}
    total = len(found) + len(left)
    for answers in work(left) if left else ():
        if journal is not None:
            journal.add(answers)
        found.update(answers)
        report(len(found), total)
    return found


def each(
    compute: Callable[[Case], Any], processes: int = 1
) -> Callable[[dict[str, Case]], Iterator[Answers]]:
    """Return what computes cases one by one, on so many processes; see :func:`on_processors`."""

    def work(left: dict[str, Case]) -> Iterator[Answers]:
        for answer in on_processors(compute, left, processes):
            yield [answer]

    return work


def on_processors(
    compute: Callable[[Case], Answer], cases: Mapping[str, Case], processes: int
) -> Iterator[tuple[str, Answer]]:
    """Yield the answer to each case with its name, in the order in which they are ready.

    A case whose process dies is computed again.

    Args:
        compute: can be pickled.
        cases: by name.
        processes: how many at a time; -1 for one a processor.

    Raises:
        ProcessorsError: processes have died too often.
    """
    if processes == 1 or len(cases) < 2:
        for name, case in cases.items():
            yield name, compute(case)
        return
    # Imported here: a wrong option is answered at once.
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import BrokenProcessPool

    left = dict(cases)
    for _ in range(_MOST_DEATHS + 1):
        pool = Parallel(n_jobs=processes, batch_size=1, return_as="generator_unordered")
        named = delayed(partial(_named, compute))
        try:
            for name, answer in pool(named(name, case) for name, case in [*left.items()]):
                left.pop(name)
                yield name, answer
        except BrokenProcessPool:  # killed, or out of memory
            continue
        return
    raise ProcessorsError(
        f"processes that compute died {_MOST_DEATHS + 1} times, perhaps for lack of memory: use "
        "fewer --processes"
    )


def _named(compute: Callable[[Case], Answer], name: str, case: Case) -> tuple[str, Answer]:
    return name, compute(case)
