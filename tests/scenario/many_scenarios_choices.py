"""Other values, and bad ones, of the choices about ledgers and sweeps."""

from dpviz.scenario import PRESETS
from dpviz.scenario.ledger import MOST_RUNS, NamedRun, ledger_to_query

RUNS = [
    NamedRun(name=f"run {place}", scenario=PRESETS["toy"].scenario)
    for place in range(1, MOST_RUNS + 1)
]
OTHERS = {
    **ledger_to_query(RUNS),
    "sweep_chart": "scatter",
    "sweep_x": "steps",
    "sweep_y": "delta",
    "sweep_most_epsilon": 3.5,
    "sweep_row": 7,
}
BAD = {
    **{parameter: ["name=&schema=1"] for parameter in ledger_to_query(RUNS)},
    "sweep_chart": ["", "pie"],
    "sweep_x": ["", "epsilon", "error"],
    "sweep_y": ["", "epsilon", "error"],
    "sweep_most_epsilon": ["", "0", "nan", "1e7"],
    "sweep_row": ["", "-1", "1.5", "200001"],
}
