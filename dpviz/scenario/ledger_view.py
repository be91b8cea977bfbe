"""The runs of the visitor's budget ledger, in the link as everything that pages show."""

from dataclasses import dataclass
from typing import Any, ClassVar

from dpviz.scenario.ledger import MOST_RUNS, checked_run
from dpviz.scenario.view_part import ViewPart


def _checked_run(field: str, value: Any) -> str:
    return checked_run(field, value)


@dataclass(frozen=True, kw_only=True)
class LedgerView(ViewPart):
    """A place for each run, empty or as :func:`dpviz.scenario.ledger.ledger_to_query` has it.

    Args:
        run_1: the first run, and so on.

    Raises:
        ScenarioError: what a place holds is no run.
    """

    TEXTS: ClassVar = {f"run_{place}": _checked_run for place in range(1, MOST_RUNS + 1)}

    run_1: str = ""
    run_2: str = ""
    run_3: str = ""
    run_4: str = ""
    run_5: str = ""
    run_6: str = ""
    run_7: str = ""
    run_8: str = ""
    run_9: str = ""
    run_10: str = ""
