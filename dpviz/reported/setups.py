"""The training set-up behind a column of a table, as a scenario."""

from dataclasses import dataclass, replace
from math import isfinite

from dpviz.reported.table import ReportedTable
from dpviz.scenario import PRESETS, Relation, Scenario

WINDOWS = ("stated", "lags")
# Appendix B.4.2: the largest lag that DeepAR reads, in time steps.
LARGEST_LAGS = {"traffic": 169, "electricity": 25, "solar_10_minutes": 169}


@dataclass(frozen=True, kw_only=True)
class SetUp:
    """What was trained behind a column, and the budget that it had.

    Args:
        scenario: data set, sampling, noise, who is protected, and the largest number of epochs
            (App. B). Its series are whole, of which the paper trained on a part.
        target_epsilon: the budget at which training stopped, if it lasted so long.
    """

    scenario: Scenario
    target_epsilon: float


def setup_of(table: ReportedTable, column: int, windows: str = "stated") -> SetUp | None:
    """Return the set-up of a column, or ``None`` where training was not private.

    Args:
        table: the table.
        column: the place of the column, from 0.
        windows: ``stated``: the context that the paper states; ``lags``: with DeepAR's largest
            lag added to it. The paper says that its lags count as context, but not how.

    >>> from dpviz.reported.table import TABLES
    >>> found = setup_of(TABLES["6"], 3)
    >>> found.scenario.relation.width, found.target_epsilon
    (8, 4.0)
    >>> setup_of(TABLES["2"], 1, "lags").scenario.data.context_length
    265
    >>> setup_of(TABLES["2"], 6) is None  # epsilon is unlimited
    True
    """
    at = table.columns[column]
    epsilon = at if table.epsilon is None else table.epsilon
    if table.mechanism != "training" or not isfinite(epsilon):
        return None
    scenario = PRESETS[table.data_set].scenario
    if windows == "lags":
        assert scenario.shape is not None  # so are all data sets of the paper
        context = scenario.shape.context_length + LARGEST_LAGS[table.data_set]
        scenario = replace(scenario, data=replace(scenario.shape, context_length=context))
    assert table.relation is not None  # said of all training
    relation = Relation(
        level=table.relation,
        width=int(at) if table.relation_width is None else table.relation_width,
        max_change=table.max_change,
    )
    noise = scenario.noise
    if table.varied == "forecast_noise":
        noise = replace(noise, forecast_noise=at)
    return SetUp(
        scenario=replace(scenario, relation=relation, noise=noise, delta=table.delta),
        target_epsilon=epsilon,
    )
