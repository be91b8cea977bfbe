"""What a class has answered: votes on a question, and scores of the game."""

from collections.abc import Mapping, Sequence
from textwrap import wrap

from dpviz.classroom.records import SCORED_ROUNDS, Tally
from dpviz.figures import parts
from dpviz.figures.parts import STYLES, Spec
from dpviz.planning.membership_game import Game
from dpviz.wording.classroom import ceiling_words, scores_title, votes_title

_DENSE, _PALE = 0.85, 0.3
_LARGE = {"size": 18}  # is read from the last row
_MOST_TICKS = 5
_LEAST_VOTES = 4  # that the axis has room for, so that one vote is no full bar
_MOST_CHARACTERS = 28  # of a line beside the bars


def votes_chart(tally: Tally, choices: Mapping[str, str]) -> Spec:
    """Return the bars of a question's votes, and those of the round before beside them.

    ``choices`` are their words, in the order from the top: each phone has other letters.
    """
    rounds = [("after talking", _DENSE, tally.counts[-1])]
    if tally.round > 1:
        rounds.insert(0, ("before", _PALE, tally.counts[-2]))
    places = list(range(len(choices)))
    bars = []
    for name, density, counts in rounds:
        votes = [counts.get(choice, 0) for choice in choices]
        look = parts.bar_look(STYLES[0], density) | {"textfont": _LARGE, "hoverinfo": "skip"}
        look["constraintext"] = "none"
        words = [f"{one:,}" for one in votes]
        bars.append(parts.bars(name.replace(" ", "-"), votes, places, words, name=name, **look))
    top = max([_LEAST_VOTES, *(votes for *_, counts in rounds for votes in counts.values())])
    return parts.figure(
        bars,
        votes_title(tally, choices),
        "votes",
        {"range": [0, 1.15 * top], "visible": False, "fixedrange": True},
        {
            **parts.ticks("<br>".join(wrap(words, _MOST_CHARACTERS)) for words in choices.values()),
            "autorange": "reversed",
            "automargin": True,
            "fixedrange": True,
            "tickfont": _LARGE,
        },
        hover=False,
        legend={"font": _LARGE},
        showlegend=len(bars) > 1,
        barmode="group",
        bargap=0.25,
    )


def scores_chart(scores: Sequence[int], game: Game) -> Spec:
    """Return the histogram of scores, and what no attacker exceeds on average."""
    most = SCORED_ROUNDS * game.at_most.share
    places = list(range(SCORED_ROUNDS + 1))
    heights = [scores.count(right) for right in places]
    top = max(_LEAST_VOTES, *heights)
    whole: parts.Part = {"dtick": 1} if top <= _MOST_TICKS else {"tickformat": ",d"}
    return parts.figure(
        [
            {
                "type": "bar",
                "uid": "scores",
                "x": places,
                "y": heights,
                "hovertemplate": "%{x} right: %{y}<extra></extra>",
                **parts.bar_look(STYLES[0], _DENSE),
            }
        ],
        scores_title(scores),
        "scores",
        parts.axis("right answers", tickfont=_LARGE, dtick=1, range=[-0.6, SCORED_ROUNDS + 0.6]),
        parts.axis("participants", range=[0, 1.1 * top], nticks=_MOST_TICKS, **whole),
        showlegend=False,
        bargap=0.15,
        shapes=[parts.upright(most, {"width": 3, "dash": "dash"})],
        annotations=[
            parts.quiet_note(ceiling_words(game), most, 1, ("right", "bottom"), yref="paper")
        ],
    )
