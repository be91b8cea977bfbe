"""Command line and Python that give the numbers of the page about draws in stages."""

import dpviz
from dpviz.multistage import StagedDraw


def staged_command_line(
    draw: StagedDraw, noise_multiplier: float, episodes: int, epsilon: float
) -> str:
    r"""Return the command that prints both bounds.

    >>> from dpviz.multistage.draw import draw_in
    >>> print(staged_command_line(draw_in("5:64,1:20"), 1.0, 10, 1.0))
    python -m dpviz multistage --level 5:64 --level 1:20 --noise-multiplier 1.0 \
        --episodes 10 --epsilon 1.0
    """
    levels = " ".join(f"--level {level.drawn}:{level.size}" for level in draw.levels)
    return (
        f"python -m dpviz multistage {levels} --noise-multiplier {noise_multiplier!r} \\\n"
        f"    --episodes {episodes} --epsilon {epsilon!r}"
    )


def staged_python(draw: StagedDraw, noise_multiplier: float, episodes: int, epsilon: float) -> str:
    """Return a Python script that prints both bounds.

    >>> from dpviz.multistage.draw import draw_in
    >>> exec(staged_python(draw_in("1:2,1:3"), 1.0, 1, 1.0))
    Proposition 1 of docs/multistage.md 0.0440
    Proposition 2 of docs/multistage.md 0.0439
    """
    levels = ", ".join(f"Level(drawn={level.drawn}, size={level.size})" for level in draw.levels)
    return (
        f'"""Episodes drawn in stages, by dpviz {dpviz.__version__}."""\n\n'
        "import numpy as np\n\n"
        "from dpviz.accounting import composed_curve\n"
        "from dpviz.multistage import StagedDraw, staged_guarantee\n"
        "from dpviz.scenario.levels import Level\n\n"
        f"draw = StagedDraw(levels=({levels},))\n"
        f"guarantee = staged_guarantee(draw, {noise_multiplier!r}, {episodes})\n"
        "for bound in (guarantee.upper, guarantee.lower):\n"
        f"    delta = composed_curve(bound).quoted_delta_at(np.array([{epsilon!r}]))\n"
        '    print(bound.theorem, f"{delta[0]:.4f}")\n'
    )
