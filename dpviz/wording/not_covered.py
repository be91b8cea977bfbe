"""What the sentences on who is not covered are filled in with."""

from dpviz.guarantees import Bound
from dpviz.planning.protection import hides_all_values
from dpviz.scenario import Scenario
from dpviz.wording.numbers import counted
from dpviz.wording.protected_values import is_everything, largest_change

# Each is a text of its own; those between are said only where they can happen.
_LAST = ("presence", "whole_data", "forecasting")
_WHERE = "the chart of ε against w tells at which"
_WHERE_NOT_KNOWN = "at which, only the data's shape would tell"


def not_covered(scenario: Scenario, bound: Bound) -> list[tuple[str, dict[str, str]]]:
    """Return the names of the sentences that apply, and the words to fill them in with.

    Args:
        scenario: the training set-up.
        bound: the upper bound that is quoted.

    >>> from dpviz.guarantees import guarantee_for
    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> [name for name, _ in not_covered(toy, guarantee_for(toy).upper)]
    ['several_series', 'more_values', 'presence', 'whole_data', 'forecasting']
    """
    relation, step = scenario.relation, scenario.units.time_step
    values = counted(relation.width, "value")
    words = {
        "values": values if relation.width > 1 else "one value",
        "more": f"{relation.width + 1:,}",
        "where": _WHERE_NOT_KNOWN if scenario.shape is None else _WHERE,
        "change": largest_change(scenario),
        "step": "" if step is None else str(step),
        "duration": values if step is None else step.duration(relation.width),
    }
    names = ["several_series"]
    is_all = is_everything(scenario) or hides_all_values(scenario)
    if not is_all:  # else there is no promise to exceed
        names.append("more_values")
        if relation.level == "event" and relation.width > 1:
            names.append("spread")
        if relation.level == "event" and step is not None:
            names.append("part_of_value")
    if bound.condition:
        names.append("larger_change")
    return [(name, words) for name in (*names, *_LAST)]
