"""The Python that simulates the page's attack once more."""

import dpviz
from dpviz.export.scenario_code import classes_of, python_source, scenario_imports
from dpviz.scenario import Scenario


def theory_code(scenario: Scenario, units: int, sizes: list[int], seed: int) -> str:
    """Return a Python script that prints what is simulated and what is proven at some epsilons.

    Args:
        scenario: what is simulated.
        units: steps of each run; of walks, epochs.
        sizes: runs of each part, as the page draws them.
        seed: that they are drawn with.

    >>> from dpviz.scenario import PRESETS
    >>> exec(theory_code(PRESETS["toy"].scenario, 1, [1000], 1))  # doctest: +ELLIPSIS
    1,000 runs contradict nothing: True
    epsilon 0.1: simulated ... to ..., at most ...
    epsilon 1: simulated ... to ..., at most ...
    """
    return (
        f'"""Does the theory hold? Simulated attacks, by dpviz {dpviz.__version__}."""\n\n'
        "from dpviz.planning.curves import curves_of\n"
        "from dpviz.planning.simulated_attack import (\n"
        "    nearest_place, simulated_attack, summed, theory_check\n"
        ")\n"
        "from dpviz.planning.worst_case import after_units, worst_case\n"
        f"{scenario_imports(classes_of(scenario))}\n"
        f"{python_source('scenario = ', scenario)}\n"
        f"units, seed = {units}, {seed}  # noisy gradients that the attacker sees in a run\n"
        f"sizes = {sizes}\n"
        "case = worst_case(scenario)\n"
        "counts = summed([\n"
        "    simulated_attack(case, units, runs, seed, part) for part, runs in enumerate(sizes)\n"
        "])\n"
        "check = theory_check(case, curves_of(after_units(scenario, units)), counts)\n"
        'print(f"{check.runs:,} runs contradict nothing: {check.holds}")\n'
        "for epsilon in (0.1, 1.0):\n"
        "    at = nearest_place(epsilon)\n"
        '    seen = f"{check.band.low[at]:.4g} to {check.band.high[at]:.4g}"\n'
        '    print(f"epsilon {epsilon:g}: simulated {seen}, at most {check.upper[at]:.4g}")\n'
    )
