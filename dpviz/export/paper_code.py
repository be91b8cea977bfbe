"""The Python that gives the lines of a panel of the paper's figures once more."""

from dpviz.planning.paper_figures.panel import Family, Panel
from dpviz.wording.paper_figures import panel_name

_CURVES = '''"""{name}, as the paper draws it."""

import numpy as np

from dpviz.planning.paper_figures import FIGURES
from dpviz.planning.paper_figures.lines import drawn_line
from dpviz.wording.subsequences import side_label

epsilons = [0.1, 1.0, 10.0]
for scenario in FIGURES["{figure}"].panel({number}).scenarios:
    line = drawn_line(scenario)
    # "as in the paper": neither an upper nor a lower bound
    print(side_label(line.bound))
    at = np.searchsorted(line.epsilon, epsilons)
    for epsilon, low, high in zip(epsilons, line.delta_low[at], line.delta_high[at]):
        print(f"  delta from {{low:.6g}} to {{high:.6g}} at epsilon {{epsilon:g}}")
'''
_STEPS = '''"""{name}, as the paper draws it."""

from dpviz.planning.paper_figures import FIGURES
from dpviz.planning.paper_figures.orders import steps_run
from dpviz.wording.subsequences import side_label

panel = FIGURES["{figure}"].panel({number})
for scenario in panel.scenarios:
    side = steps_run(scenario, panel.drawn.epsilon).drawn
    for step, bound in enumerate(side.bounds):
        # "as in the paper": neither an upper nor a lower bound
        low, high = side.delta_low[step], side.delta_high[step]
        print(f"step {{step + 1}}: delta from {{low:.6g}} to {{high:.6g}}, {{side_label(bound)}}")
'''


def paper_python(panel: Panel) -> str:
    """Return a Python script that prints what the paper draws of a panel's runs.

    >>> from dpviz.planning.paper_figures import FIGURES
    >>> exec(paper_python(FIGURES["3"].panel(0)))  # doctest: +ELLIPSIS
    exact, Theorem 4.4, 1 step
      delta from 0.00... to 0.00... at epsilon 0.1
    ...
    """
    template = _STEPS if panel.family is Family.EPOCH_LENGTH else _CURVES
    return template.format(name=panel_name(panel), figure=panel.figure, number=panel.number)
