"""A budget ledger as plain data, with the meaning of each number."""

from collections.abc import Sequence
from typing import Any

from dpviz.accounting import Bracket
from dpviz.planning.ledger import Ledger, LedgerRow
from dpviz.scenario import to_fields
from dpviz.wording.ledger import ADAPTIVITY, OF_ALL, OF_ONE
from dpviz.wording.scope import protected_in, relation_name

Answer = dict[str, Any]


def ledger_answer(ledgers: Sequence[Ledger]) -> Answer:
    """Return what is proven about one ledger at some deltas, as JSON holds it.

    Args:
        ledgers: of the same runs, each at its delta.
    """
    first = ledgers[0]
    scenario = first.rows[0].scenario
    lower = None
    if first.lower is not None:
        of_all = all(found.lower_is_of_all for found in ledgers)
        lower = {
            "epsilon": [found.lower.low if found.lower else None for found in ledgers],
            "bracket": [_pair(found.lower) for found in ledgers if found.lower],
            "of": OF_ALL if of_all else OF_ONE,
        }
    return {
        "protects": f"{protected_in(scenario)}; {relation_name(scenario.relation)}",
        "conditions": list(first.conditions),
        "adaptivity": ADAPTIVITY,
        "delta": [found.delta for found in ledgers],
        "upper": {
            "epsilon": [found.upper.high for found in ledgers],
            "bracket": [_pair(found.upper) for found in ledgers],
        },
        "lower": lower,
        "runs": [_run([found.rows[at] for found in ledgers]) for at in range(len(first.rows))],
    }


def _run(rows: Sequence[LedgerRow]) -> Answer:
    row = rows[0]
    return {
        "name": row.name,
        "scenario": to_fields(row.scenario),
        "theorem": row.bound.theorem,
        "kind": row.bound.kind_after_composition.value,
        "extension": row.bound.extension,
        "condition": row.bound.condition,
        "unit": row.bound.unit.value,
        "count": row.bound.count,
        "epsilon_alone": [one.alone.quoted for one in rows],
        "epsilon_of_all_others": [one.without for one in rows],
        "share_of_loss_variance": [one.share for one in rows],
    }


def _pair(bracket: Bracket) -> list[float | None]:
    return [bracket.low, bracket.high]
