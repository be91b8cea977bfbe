"""The guessing game in words: what is seen, what it was, and who was right how often."""

import numpy as np

from dpviz.classroom.records import SCORED_ROUNDS
from dpviz.guarantees import Bound, Unit
from dpviz.planning.membership_game import CERTAIN, Game, Score
from dpviz.risk.empirical_delta import exact_limits
from dpviz.scenario import Scenario
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import counted, joined, percent_down, percent_up, rounded
from dpviz.wording.protected_values import which_values
from dpviz.wording.theorems import named_theorem, qualifier

# Of the range of a player's skill.
_ERROR = 0.05


def seen_text(output: float) -> str:
    """Return a noisy gradient with as many digits as the chart can show.

    >>> seen_text(1.2345), seen_text(-0.004), seen_text(-2.5)
    ('1.23', '0.00', '−2.50')
    """
    return f"{output:.2f}".replace("-0.00", "0.00").replace("-", "−")


def question(game: Game, answered: int) -> str:
    """Return what is asked now, as Markdown."""
    if answered >= len(game.rounds):
        return f"All {len(game.rounds)} rounds are played. Draw new ones to play on."
    seen = seen_text(game.rounds[answered].output)
    unit = "the step of an epoch that uses the series" if game.unit is Unit.EPOCH else "one step"
    return (
        f"**Round {answered + 1}: the noisy gradient of {unit} is {seen} C. "
        "Was the value in the data?**"
    )


def revealed(game: Game, answers: str) -> str:
    """Return what the last round was, as Markdown; empty before the first answer."""
    if not answers:
        return ""
    last = game.rounds[len(answers) - 1]
    truth = "**in the data**" if last.is_present else "**not in the data**"
    said = answers[-1] == "y"
    own = "right" if said == last.is_present else "wrong"
    best = "right" if last.best_guess == last.is_present else "wrong"
    return (
        f"Round {len(answers)} revealed: it was {truth}. You said {'yes' if said else 'no'}: "
        f"**{own}**. The best attacker says {'yes' if last.best_guess else 'no'}: {best}."
    )


def score_table(game: Game, score: Score) -> str:
    """Return who was right how often, beside the bounds, as a Markdown table."""
    rows = []
    if score.rounds:
        low, high = _skill(score)
        skill = (
            f"skill: {percent_down(low, 3)} to {percent_up(high, 3)} (95 %, exact binomial range, "
            "for a number of rounds set beforehand)"
        )
        best = "says yes where “in the data” is the likelier"
        players = ("**you**", score.player, skill), ("best attacker, same rounds", score.best, best)
        for name, right, said in players:
            share = f"{rounded(100.0 * right / score.rounds, 3)} %"
            rows.append((name, f"{right} of {score.rounds}", share, said))
    most, source = f"at most {percent_up(game.at_most.share)}", _source(game, game.at_most.bound)
    rows.append(("any attacker, in the long run", "", most, source))
    least, source = "", "no lower bound is proven"
    if game.at_least is not None:
        least = f"at least {percent_down(game.at_least.share)}"
        source = _source(game, game.at_least.bound)
    rows.append(("some attacker, in the long run", "", least, source))
    return markdown_table(["", "right", "share", ""], rows)


def _skill(score: Score) -> tuple[float, float]:
    low, high = exact_limits(np.array([score.player]), score.rounds, _ERROR / 2.0)
    return float(low[0]), float(high[0])


def game_finding(game: Game, score: Score) -> str:
    """Return what the score says beside the theory."""
    if not score.rounds:
        return "In the long run a fair coin is right in 50 % of rounds."
    low, high = _skill(score)
    if low > game.at_most.share:
        luck = "Chance does that in at most one game of forty: play on."
        return f"That is more than theory allows anybody in the long run. {luck}"
    if low > 0.5:
        return "Better than tossing a coin: even the lower end of your range is above 50 %."
    if high < 0.5:
        return "Worse than tossing a coin: you would do better to say the opposite."
    rounds = counted(score.rounds, "round")
    return f"{rounds} cannot distinguish you from a coin toss: 50 % lies within your range."


def short_score(score: Score) -> str:
    """Return who was right how often, in a line.

    >>> short_score(Score(rounds=5, player=3, best=4))
    'Right so far: **you 3 of 5**, the best attacker 4 of 5.'
    >>> short_score(Score(rounds=SCORED_ROUNDS, player=5, best=7)).split(". ")[1]
    'The 10 rounds are played; more may follow'
    """
    if not score.rounds:
        return "On average half of the rounds have it in the data."
    told = (
        f"Right so far: **you {score.player} of {score.rounds}**, "
        f"the best attacker {score.best} of {score.rounds}."
    )
    played = f"The {SCORED_ROUNDS} rounds are played; more may follow."  # the lesson asks for them
    few = "So few can mislead: the question is about the long run."
    is_few = SCORED_ROUNDS <= score.rounds < 2 * SCORED_ROUNDS
    is_last = score.rounds == SCORED_ROUNDS
    return joined(told, played if is_last else "", few if is_few else "")


def most_in_the_long_run(game: Game) -> str:
    """Return what is proven of all attackers, as a sentence."""
    most, source = percent_up(game.at_most.share), _source(game, game.at_most.bound)
    return f"No attacker is right more often than {most} in the long run ({source})."


def game_title(game: Game, answered: int, *, tells_most: bool = True) -> str:
    """Return what the chart shows, as a finding that gives nothing away of the round."""
    round_ = f"Round {answered + 1}" if answered < len(game.rounds) else "All rounds played"
    if not tells_most:
        return round_
    return f"At most {percent_up(game.at_most.share)} right in the long run. {round_}"


def game_description(game: Game, answers: str, title: str) -> str:
    """Return the chart for those who cannot see it."""
    seen = ""
    if len(answers) < len(game.rounds):
        seen = f"A line marks {seen_text(game.rounds[len(answers)].output)} C."
    return joined(
        f"{title}. Two curves: the densities of one noisy gradient with the value in the data, "
        "further to the right, and without it.",
        seen,
        revealed(game, answers).replace("**", ""),
    )


def who_is_looked_for(scenario: Scenario, game: Game) -> str:
    """Return whom the game is about, and how batches are drawn in it."""
    is_one = scenario.relation.width == 1
    name, other, it = ("value", "another", "it") if is_one else ("values", "others", "them")
    values = f"The {name}: {which_values(scenario)}, there or replaced by {other}."
    if game.kind == CERTAIN:
        return f"{values} Every batch has one window with {it}: only noise hides {it}."
    return f"{values} A batch may have no window with {it}: sampling hides {it}, too."


def _source(game: Game, bound: Bound) -> str:
    kind = "upper bound" if bound.bounds_from_above else "attained lower bound"
    certain = " at ρ = r = 1" if game.kind == CERTAIN else ""
    source = f"{kind}, {named_theorem(bound.theorem)}{certain}, one {bound.unit.value}"
    return source + qualifier(bound)
