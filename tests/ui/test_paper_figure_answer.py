"""A panel of the paper's figures while its runs come in, in whatever order."""

from dpviz.planning.curves import curves_of
from dpviz.planning.paper_figures import FIGURES
from dpviz.planning.paper_figures.lines import drawn_line
from dpviz.ui.questions.paper_figures import runs_so_far
from dpviz.wording.paper_findings import verdicts_of


def test_only_the_panel_s_own_pairs_are_compared_though_a_run_in_between_is_to_come():
    """The run behind it takes neither its place in a comparison nor its style."""
    panel = next(
        panel
        for figure in FIGURES.values()
        for panel in figure.panels
        if panel.drawn.epsilon is None and len(panel.scenarios) > 2
    )
    lines = [drawn_line(one) for one in panel.scenarios]
    curves = [curves_of(one, tolerance=1e-2) for one in panel.scenarios]
    lines[1] = None
    runs = runs_so_far(panel, lines, curves)
    assert [run.scenario for run in runs] == list(panel.scenarios[:1])
    own = {(panel.scenarios[one], panel.scenarios[other]) for one, other in panel.drawn.pairs}
    assert own.issuperset((found.one, found.other) for found in verdicts_of(panel, runs))
    assert all(run.curves.scenario == run.scenario for run in runs)
