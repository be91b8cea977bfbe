"""The runs of the visitor's budget ledger, in the link as everything that pages show."""

from dataclasses import dataclass

from dpviz.scenario.ledger import checked_run
from dpviz.settings.setting import ViewPart, text


@dataclass(frozen=True, kw_only=True)
class LedgerView(ViewPart):
    """A place for each run, empty or as :func:`dpviz.scenario.ledger.ledger_to_query` has it."""

    run_1: str = text("", checked_run, "Run 1 of the ledger")
    run_2: str = text("", checked_run, "Run 2 of the ledger")
    run_3: str = text("", checked_run, "Run 3 of the ledger")
    run_4: str = text("", checked_run, "Run 4 of the ledger")
    run_5: str = text("", checked_run, "Run 5 of the ledger")
    run_6: str = text("", checked_run, "Run 6 of the ledger")
    run_7: str = text("", checked_run, "Run 7 of the ledger")
    run_8: str = text("", checked_run, "Run 8 of the ledger")
    run_9: str = text("", checked_run, "Run 9 of the ledger")
    run_10: str = text("", checked_run, "Run 10 of the ledger")
