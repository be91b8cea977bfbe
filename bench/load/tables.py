"""The numbers of a measurement, as text."""

from collections import Counter
from collections.abc import Mapping, Sequence

from bench.load.server import Usage
from dpviz.rehearsal.participant import Record, percentile

_SHARES = (0.5, 0.95, 0.99)


def percentiles(values: Sequence[float]) -> str:
    """Return the 50th, 95th and 99th percentile of seconds, as milliseconds."""
    if not values:
        return f"{'-':>8}" * len(_SHARES)
    return "".join(f"{1000 * percentile(values, share):8.0f}" for share in _SHARES)


def table_of_answers(by_page: Mapping[str, Record]) -> str:
    """Return a table of what visitors waited for, per page and in all."""
    total = Record()
    for record in by_page.values():
        total.add(record)
    head = "".join(f"{name:>8}" for name in ("p50", "p95", "p99")) * 2
    lines = [
        f"{'milliseconds':20}{'answer':>24}{'complete':>24}",
        f"{'page':20}{head}{'moves':>8}{'overtaken':>11}{'runs':>8}{'errors':>8}",
    ]
    for name, record in [*by_page.items(), ("all pages", total)]:
        times = percentiles(record.answers) + percentiles(record.completes)
        counts = f"{record.moves:8d}{record.overtaken:11d}{record.runs:8d}{len(record.errors):8d}"
        lines.append(f"{name or 'start':20}{times}{counts}")
    said = Counter(total.errors)
    lines += [f"error, {count} times: {error}" for error, count in said.most_common(10)]
    return "\n".join(lines)


def line_of_work(record: Record, before: Usage, after: Usage, seconds: float) -> str:
    """Return what the server worked for the moves of a time."""
    cpu, children = after.cpu - before.cpu, after.children_cpu - before.children_cpu
    runs, moves = max(record.runs, 1), max(record.moves, 1)
    return (
        f"server's CPU: {1000 * cpu / runs:.1f} ms a run, {1000 * cpu / moves:.1f} ms a move, "
        f"{100 * cpu / seconds:.0f} % of a core; "
        f"its children's: {1000 * children / moves:.1f} ms a move, "
        f"{100 * children / seconds:.0f} % of a core"
    )


def line_of_memory(when: str, usage: Usage) -> str:
    """Return what the server holds in memory."""
    return f"memory {when}: {usage.memory:.0f} MB, its children {usage.children_memory:.0f} MB"
