"""Settings whose computation costs more than one visitor of a shared server may use."""

from dpviz.scenario import Scenario

TOO_COSTLY = "It would cost more computing than one answer may on this server."
_ELSEWHERE = (
    "The command line has no such limit: save the scenario and run "
    "`python -m dpviz epsilon --scenario dpviz-scenario.json`."
)


def too_costly_sentence(scenario: Scenario | None, exceeded: str) -> str:
    """Return that nothing is shown, what makes it costly, and what would be answered.

    Args:
        scenario: the visitor's; ``None`` where the page shows something else.
        exceeded: which limit is, as a clause.

    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> too_costly_sentence(toy, "it takes more than 2 s of computing").partition(". ")[0]
    'An answer to 1,000 steps is not allowed on this server: it takes more than 2 s of computing'
    """
    if scenario is None:
        return (
            f"An answer to these settings is not allowed on this server: {exceeded}. Others are "
            "answered; the code of this page has no such limit."
        )
    return (
        f"An answer to {_what_costs(scenario)} is not allowed on this server: {exceeded}. "
        f"Fewer {_less(scenario)} are answered. {_ELSEWHERE}"
    )


def left_out_sentence(scenario: Scenario | None) -> str:
    """Return that a part of the page is coarser, or missing, and why.

    Args:
        scenario: the visitor's; ``None`` where the page shows something else.

    >>> left_out_sentence(None).partition(": ")[0]
    'Some of this page would cost more than one answer may on this server'
    """
    if scenario is None:
        return (
            "Some of this page would cost more than one answer may on this server: it is left out, "
            "or computed on a coarser grid. What is shown holds. The code of this page has no such "
            "limit."
        )
    return (
        f"Some of this page would cost more than one answer may on this server, with "
        f"{_what_costs(scenario)}: it is left out, or computed on a coarser grid. The bounds shown "
        f"hold, but may be less tight. {_ELSEWHERE}"
    )


def _what_costs(scenario: Scenario) -> str:
    sampling = scenario.sampling
    told = [f"{scenario.training.count:,} {scenario.training.unit}"]
    if sampling.is_bag:
        told.append("batches from one bag")
    elif sampling.takes_windows_by_coins:
        told.append("Poisson windows")
    elif sampling.num_subsequences > 1:
        told.append(f"{sampling.num_subsequences} windows per series")
    return " with ".join(told)


def _less(scenario: Scenario) -> str:
    sampling = scenario.sampling
    if sampling.num_subsequences > 1 and not sampling.takes_windows_by_coins:
        return f"{scenario.training.unit} or windows per series"
    return scenario.training.unit
