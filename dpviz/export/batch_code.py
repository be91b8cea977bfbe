"""The Python that draws the batches on the page once more."""

import dpviz
from dpviz.export.scenario_code import classes_of, python_source, scenario_imports
from dpviz.scenario import Scenario


def batch_code(scenario: Scenario, seed: int, number: int) -> str:
    """Return a Python script that prints the windows of a batch.

    Args:
        scenario: what batches are drawn for; its data must be a ``DataShape``.
        seed: of the run.
        number: of the batch in the run, from 1.

    >>> from dpviz.scenario import PRESETS
    >>> exec(batch_code(PRESETS["toy"].scenario, 1, 7))  # doctest: +ELLIPSIS
    batch 7: 32 windows
    series ... forecast from value ... on
    """
    return (
        f'"""A batch of a training run, by dpviz {dpviz.__version__}."""\n\n'
        "from itertools import islice\n\n"
        "import numpy as np\n\n"
        "from dpviz.sampling import batches\n"
        f"{scenario_imports(classes_of(scenario))}\n"
        f"{python_source('scenario = ', scenario)}\n"
        f"# In earnest leave the seed out: who knows it knows the batches.\n"
        f"rng = np.random.default_rng({seed})\n"
        "drawn = batches(scenario, rng, endless=True)\n"
        f"batch = next(islice(drawn, {number - 1}, None))\n"
        f'print(f"batch {number}: {{len(batch)}} windows")\n'
        "for series, start in zip(batch.series, batch.starts, strict=True):\n"
        '    print(f"series {series + 1}: forecast from value {start + 1} on")\n'
    )
