"""Episodes drawn in stages as CSV, with a header that explains the columns."""

import io

import numpy as np
import pandas as pd

import dpviz
from dpviz.multistage import StagedDraw
from dpviz.planning.staged import StagedLine
from dpviz.wording.staged import NOT_A_BOUND, PROTECTED, draws_words

_COLUMNS = {"upper": "delta_upper", "lower": "delta_lower", "printed": "delta_printed_unsound"}
_MEANINGS = {
    "upper": "upper bound, Proposition 1 of docs/multistage.md, composed",
    "lower": "lower bound, Proposition 2 of docs/multistage.md, composed; attained",
    "printed": f"Theorem 3 of Tombs et al., composed: {NOT_A_BOUND}",
}


def staged_csv(
    draw: StagedDraw, noise_multiplier: float, episodes: int, lines: list[StagedLine]
) -> str:
    """Return all lines as CSV text; lines that begin with # describe it.

    >>> from dpviz.multistage.draw import draw_in
    >>> from dpviz.planning.staged import staged_line
    >>> draw = draw_in("1:2,1:3")
    >>> line = staged_line("printed", draw, 1.0, 1, 1.0, 1e-7)
    >>> staged_csv(draw, 1.0, 1, [line]).splitlines()[3][:24]
    '# delta_printed_unsound:'
    """
    epsilons = np.unique(np.concatenate([line.epsilon for line in lines]))
    table = pd.DataFrame({"epsilon": epsilons})
    for line in lines:
        # Each bound falls: at an epsilon that it lacks, a neighbour's value is on the sound side.
        at = np.searchsorted(line.epsilon, epsilons, side="right") - 1
        if line.name == "lower":
            at = np.minimum(np.searchsorted(line.epsilon, epsilons), len(line.epsilon) - 1)
        table[_COLUMNS[line.name]] = line.delta[at]
    header = [
        f"dpviz {dpviz.__version__}: {episodes} episodes, each drawn as {draws_words(draw)}; noise "
        f"multiplier {noise_multiplier!r}; eta = {draw.rate!r}",
        f"protected: {PROTECTED}; all numbers of units are public",
        "epsilon: privacy loss in nats",
        *(f"{_COLUMNS[line.name]}: {_MEANINGS[line.name]}" for line in lines),
    ]
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in header)
    table.to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()
