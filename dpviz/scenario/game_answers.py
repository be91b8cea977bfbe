"""What a player of the guessing game has answered, in the form that a link holds."""

import re

from dpviz.scenario.errors import ScenarioError

MOST_ROUNDS = 50
CODE_LENGTH = 8
_FORM = re.compile(rf"([0-9a-f]{{{CODE_LENGTH}}})-([yn]{{1,{MOST_ROUNDS}}})")


def answers_to(game_answers: str, code: str) -> str:
    """Return the answers, ``y`` or ``n`` for each round, if they were given to this game.

    Args:
        game_answers: as in a link.
        code: of the game; answers to another one do not count.

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
