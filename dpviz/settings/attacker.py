"""What the pages show of attackers and batches: rates, draws, simulated attacks, the game."""

import re
from dataclasses import dataclass
from functools import partial

from dpviz.scenario.errors import ScenarioError
from dpviz.settings.grids import FIXED_EPSILONS, PRIORS, round_counts
from dpviz.settings.setting import ViewPart, choice, number, refused_by, seed, slider, text

MOST_DRAWN_BATCHES = 2000
SIMULATED_RUNS = (1000, 100_000)
MOST_SIMULATED_UNITS = 1000
_SIMULATED_UNITS = (*range(1, 11), 20, 50, 100, 200, 500, MOST_SIMULATED_UNITS)
MOST_ROUNDS = 50
CODE_LENGTH = 8
_FORM = re.compile(rf"([0-9a-f]{{{CODE_LENGTH}}})-([yn]{{1,{MOST_ROUNDS}}})")


def answers_to(game_answers: str, code: str) -> str:
    """Return the answers, ``y`` or ``n`` for each round, if they were given to this game.

    Answers to a game of another code do not count.

    Raises:
        ScenarioError: the text is not one that :func:`with_answers` returns.

    >>> answers_to("0123abcd-yn", "0123abcd"), answers_to("0123abcd-yn", "ffffffff")
    ('yn', '')
    """
    if game_answers == "":
        return ""
    found = _FORM.fullmatch(game_answers) if isinstance(game_answers, str) else None
    if found is None:
        raise ScenarioError(
            "game_answers",
            game_answers,
            f"it must be the game's code of {CODE_LENGTH} digits and 1 to {MOST_ROUNDS} answers, "
            'such as "0123abcd-ynn"',
        )
    return found[2] if found[1] == code else ""


def with_answers(code: str, answers: str) -> str:
    """Return the answers to a game as a link holds them.

    >>> with_answers("0123abcd", "yn"), with_answers("0123abcd", "")
    ('0123abcd-yn', '')
    """
    return f"{code}-{answers}" if answers else ""


@dataclass(frozen=True, kw_only=True)
class AttackerView(ViewPart):
    """What an attacker knows, and which draws and rounds are shown."""

    drawn_batch: int = number(
        1,
        (1, MOST_DRAWN_BATCHES),
        "Batch number",
        **slider(round_counts(1, MOST_DRAWN_BATCHES), "first", "later"),
        help="The training step that uses it. Draws go on beyond the run's end.",
        term="batch-size",
        is_looked_at=True,
    )
    drawing_seed: int = seed("Seed of the draws")
    meant_epsilon: str = choice(
        "run",
        {"run": "The run's ε", "typed": "An ε of your own"},
        "Which ε",
        help="What is proven of the run, or what any (ε, δ) allows.",
        term="epsilon",
    )
    typed_epsilon: float = number(
        1.0,
        (1e-3, 100.0),
        "Privacy loss ε",
        **slider(FIXED_EPSILONS, "more private", "less private"),
        term="epsilon",
    )
    prior: float = number(
        0.5,
        (1e-6, 0.999999),
        "Attacker's belief beforehand",
        **slider(PRIORS, "unlikely", "almost certain"),
        help="How likely the attacker holds it, before seeing the model, that the values were "
        "trained on.",
        term="prior",
    )
    rate_axes: str = choice(
        "linear",
        {"linear": "All rates", "log": "Careful attackers (log axes)"},
        "Axes",
        named="Axes of rates",
        is_looked_at=True,
    )
    simulated_runs: int = number(
        20_000,
        SIMULATED_RUNS,
        "Simulated runs",
        **slider(round_counts(*SIMULATED_RUNS), "coarse", "fine"),
    )
    simulated_units: int = number(
        1,
        (1, MOST_SIMULATED_UNITS),
        "Steps of each run (walks: epochs)",
        **slider(_SIMULATED_UNITS, "one", "many"),
    )
    tested_settings: str = choice(
        "fitting",
        {"fitting": "What runs can test", "example": "A small example", "own": "Your settings"},
        "Settings to test",
        help="A small example, weakly protected so that attacks succeed often enough to be "
        "counted, or the settings of all pages.",
    )
    game_kind: str = choice(
        "certain",
        {"certain": "A window with it is in every batch", "drawn": "Drawn as in training"},
        "How the value gets into a batch",
        help="Drawn as in training, the draws hide it, too.",
        term="amplification",
        is_looked_at=True,
    )
    # 0: the visitor's own, until it is played
    game_seed: int = seed("Seed of the game", default=0, is_looked_at=True)
    game_answers: str = text(
        "", refused_by(partial(answers_to, code="")), "Answers to the game", is_looked_at=True
    )
