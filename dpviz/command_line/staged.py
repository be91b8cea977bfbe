"""``python -m dpviz multistage``: episodes that are drawn in stages."""

import argparse
from typing import Any

from dpviz.command_line.options import EPSILON_RANGE
from dpviz.command_line.parser import UsageError, shown
from dpviz.scenario.errors import ScenarioError, checked_choice, checked_integer, checked_real
from dpviz.scenario.levels import MOST_LEVELS, Level, checked_levels, levels_in
from dpviz.scenario.mechanism import MOST_STEPS, NOISE_MULTIPLIER_RANGE
from dpviz.wording.numbers import counted, rounded, rounded_down, rounded_up

_DIGITS = 6
_READINGS = ("sound", "printed")


def staged_command(options: argparse.Namespace) -> dict[str, Any]:
    """Return the answer to the command's options.

    Raises:
        UsageError: an option is missing, or a level is none.
        ScenarioError: a number is not allowed.
    """
    levels = _levels(options.level)
    if options.noise_multiplier is None:
        low, high = NOISE_MULTIPLIER_RANGE
        raise UsageError(f"--noise-multiplier is needed: a number from {low:g} to {high:g}")
    noise = checked_real("noise_multiplier", options.noise_multiplier, *NOISE_MULTIPLIER_RANGE)
    episodes = 1 if options.episodes is None else options.episodes
    episodes = checked_integer("episodes", episodes, 1, MOST_STEPS)
    reading = checked_choice("reading", options.reading or "sound", _READINGS)
    if options.epsilon is None:
        raise UsageError("--epsilon is needed: one or more numbers from 0 to 1e+09")
    epsilons = [checked_real("epsilon", one, *EPSILON_RANGE) for one in options.epsilon]
    # Imported here so that a wrong option is answered at once.
    from dpviz.export.staged_answer import staged_answer
    from dpviz.multistage import StagedDraw

    return staged_answer(StagedDraw(levels=levels), noise, episodes, reading, epsilons)


def staged_table(answer: dict[str, Any]) -> str:
    """Return the answer as lines to read, each rounded number on its bound's side."""
    count = answer["composition"]["count"]
    draws = " then ".join(
        f"{int(drawn):,} of {int(size):,}"
        for drawn, size in (level.split(":") for level in answer["levels"].split(","))
    )
    is_sound = answer["is_sound"]
    lines = [
        f"{counted(count, 'episode')}, each of {draws}",
        f"eta = {rounded(answer['rate'], _DIGITS)} (a record is in an episode); noise multiplier "
        f"{rounded(answer['noise_multiplier'], _DIGITS)}",
        f"protected: {answer['protects']}",
        f"composed over {counted(count, 'episode')}",
    ]
    if not is_sound:
        lines.append("UNSOUND, shown as printed:")
    said = {"tight": "tight", "upper": "upper bound, not tight", "claim": "claim, no bound"}
    lines.append(f"{answer['theorem']}: {said[answer['kind']]}")
    lines += _rows(answer, "delta <=" if is_sound else "claimed delta", rounded_up)
    if answer["lower"] is not None:
        lower = answer["lower"]
        lines.append(f"{lower['theorem']}: some gradients give away at least this much")
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
        raise UsageError(
            f"--level is needed: DRAWN:SIZE, once for each of 1 to {MOST_LEVELS} levels"
        )
    if len(given) > MOST_LEVELS:
        raise UsageError(
            f"--level {shown(given)} is not allowed: it must be 1 to {MOST_LEVELS} levels"
        )
    levels: list[Level] = []
    for text in given:
        if "," in text:
            raise ScenarioError("level", text, 'it must be DRAWN:SIZE, such as "5:20"')
        levels += levels_in("level", text)
    return checked_levels("level", levels)
