"""``python -m dpviz multistage``: episodes that are drawn in stages."""

from argparse import Namespace
from typing import Any

from dpviz.command_line import command
from dpviz.command_line.command import UsageError
from dpviz.scenario.data import LARGEST_COUNT
from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.levels import MOST_LEVELS, Level, checked_levels, levels_in
from dpviz.scenario.mechanism import MOST_STEPS
from dpviz.settings import SETTINGS
from dpviz.wording.numbers import counted, in_full, rounded, rounded_down, rounded_up

_DIGITS = 6
_LEVELS = command.text(
    "level",
    "DRAWN:SIZE",
    "units drawn without replacement, and how many there are, in each unit of the level above; "
    f"once for each of 1 to {MOST_LEVELS} levels, the primary units first. Of several sizes: the "
    "smallest, which bounds from above alone",
    "DRAWN:SIZE, two whole numbers",
    many=True,
    repeats=True,
)
_TREE = command.text(
    "tree",
    "SIZES",
    "instead of --level, units of unequal sizes: numbers of records in nested lists, such as "
    '"[[4,2,3],[4,5]]"; needs --drawn',
    "numbers in nested lists, such as [[4,2,3],[4,5]]",
)
_DRAWN = command.number(
    "drawn",
    "N",
    "units drawn within each unit, for each level of --tree, the primary units first",
    (1, LARGEST_COUNT),
    many=True,
)
_EPISODES = command.number(
    "episodes", "K", "how many episodes are composed (1 if absent)", (1, MOST_STEPS), default=1
)
_READING = command.choice(
    "reading",
    "HOW",
    "sound: what is proven (if absent), or printed: the paper's claim, which is false for fixed "
    "numbers of units",
    ("sound", "printed"),
    default="sound",
)
_NOISE = SETTINGS["noise_multiplier"]


def staged_command(options: Namespace) -> command.Told:
    """Return the answer to the command's options."""
    of_tree = options.tree, options.drawn
    if of_tree == (None, None):
        levels = _levels(options.level)
    elif options.level is not None or None in of_tree:
        raise UsageError("--tree and --drawn go together, and stand instead of --level")
    from dpviz.export.answers import staged_answer
    from dpviz.multistage import StagedDraw, tree_draw

    draw = StagedDraw(levels=levels) if options.tree is None else tree_draw(*of_tree)
    answer = staged_answer(
        draw, options.noise_multiplier, options.episodes, options.reading, options.epsilon
    )
    if options.tree is not None:
        answer["tree"] = options.tree
        answer["notes"] += [
            "levels have the smallest size of each; rate is the largest chance of one record"
        ]
    return answer, staged_table(answer)


def staged_table(answer: dict[str, Any]) -> str:
    """Return the answer as lines to read, each rounded number on its bound's side."""
    count = answer["composition"]["count"]
    least = "at least " if "tree" in answer else ""
    draws = " then ".join(
        f"{int(drawn):,} of {least}{int(size):,}"
        for drawn, size in (level.split(":") for level in answer["levels"].split(","))
    )
    is_sound = answer["is_sound"]
    lines = [
        f"{counted(count, 'episode')}, each of {draws}",
        f"eta = {'at most ' if least else ''}{rounded(answer['rate'], _DIGITS)} (probability that "
        f"a record is in an episode); noise multiplier {in_full(answer['noise_multiplier'])}",
        f"protected: {answer['protects']}",
    ]
    if not is_sound:
        lines.append("UNSOUND, shown as printed:")
    said = {"tight": "tight", "upper": "upper bound, not tight", "claim": "claim, no bound"}
    composed = f"composed over {counted(count, 'episode')}"
    lines.append(f"{answer['theorem']}, {composed}: {said[answer['kind']]}")
    lines += _rows(answer, "delta <=" if is_sound else "claimed delta", rounded_up)
    if answer["lower"] is not None:
        lower = answer["lower"]
        lines.append(f"{lower['theorem']}: lower bound, attained by some gradients")
        lines += _rows(lower, "delta >=", rounded_down)
    lines.append("one episode, from epsilon of the mechanism without a draw:")
    one = answer["one_episode"]
    delta_name = "delta' <=" if is_sound else "claimed delta'"
    for epsilon, after, delta in zip(*one.values(), strict=True):
        lines.append(
            f"  epsilon {epsilon!r:>12}   epsilon' {rounded_up(after, _DIGITS):>12}"
            f"   {delta_name} {rounded_up(delta, _DIGITS):>12}"
        )
    return "\n".join([*lines, *(f"note: {note}" for note in answer["notes"])])


def _rows(side: dict[str, Any], name: str, rounding: Any) -> list[str]:
    return [
        f"  epsilon {epsilon!r:>12}   {name} {rounding(delta, _DIGITS):>14}"
        for epsilon, delta in zip(side["epsilon"], side["delta"], strict=True)
    ]


def _levels(given: list[str] | None) -> tuple[Level, ...]:
    if given is None:
        said = f"DRAWN:SIZE, once for each of 1 to {MOST_LEVELS} levels"
        raise UsageError(f"--level is needed: {said}")
    if len(given) > MOST_LEVELS:
        raise ScenarioError("level", given, f"it must be 1 to {MOST_LEVELS} levels")
    levels: list[Level] = []
    for level in given:
        if "," in level:
            raise ScenarioError("level", level, 'it must be DRAWN:SIZE, such as "5:20"')
        levels += levels_in("level", level)
    return checked_levels("level", levels)


COMMAND = command.Command(
    name="multistage",
    help="delta of episodes that are drawn in stages: units, then units within them",
    run=staged_command,
    settings=(_LEVELS, _TREE, _DRAWN, _NOISE, _EPISODES, _READING, command.EPSILONS),
    needs=(_NOISE, command.EPSILONS),
    also_called={"--steps": "--episodes"},
)
