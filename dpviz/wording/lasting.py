"""How long several runs stay within one budget, as a table."""

from collections.abc import Sequence

from dpviz.planning.budget import BudgetState, UsedUp
from dpviz.wording.numbers import counted


def lasting_table(rows: Sequence[tuple[str, UsedUp | None]]) -> str:
    """Return how long a target lasts in several runs, as a Markdown table.

    Args:
        rows: for each run its name and what was found; ``None`` while it is computed.

    >>> from dpviz.planning.budget import used_up
    >>> from dpviz.scenario import PRESETS
    >>> print(lasting_table([("now", used_up(PRESETS["toy"].scenario, 10.0)), ("pin A", None)]))
    | Run | The budget lasts for |
    | --- | --- |
    | now | 126 steps |
    | pin A | … |
    """
    lines = ["| Run | The budget lasts for |", "| --- | --- |"]
    lines += [f"| {name} | {'…' if found is None else _lasting(found)} |" for name, found in rows]
    return "\n".join(lines)


def _lasting(found: UsedUp) -> str:
    unit = found.unit.removesuffix("s")
    if found.state is BudgetState.BEFORE_FIRST:
        return f"not even 1 {unit}"
    if found.state is BudgetState.NEVER:
        return f"at least {counted(found.largest, unit)}"  # more cannot be set
    assert found.count is not None  # it was found
    return counted(found.count, unit)
