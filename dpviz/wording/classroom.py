"""What a class is told: what was counted, who may still vote, and what came out."""

from collections.abc import Mapping, Sequence

from dpviz.classroom.records import (
    MOST_CLASSES,
    MOST_PARTICIPANTS,
    SCORED_ROUNDS,
    SECONDS,
    ClassError,
    ClassesUnavailableError,
    ClassFullError,
    NoSuchClassError,
    NotTheTeacherError,
    Standing,
    Tally,
    TooManyClassesError,
    TruthShownError,
    VotesShownError,
)
from dpviz.planning.membership_game import Game
from dpviz.wording.lessons import Lesson
from dpviz.wording.membership_game import most_in_the_long_run
from dpviz.wording.numbers import counted, joined, listed, rounded, rounded_up

_HOURS = SECONDS // 3600
OFF = (
    "No class can be started here: this server keeps no file of classes "
    "(`DPVIZ_CLASSES` in `docs/deploy.md`). Let the room vote by hands."
)
STARTS = (
    f"Participants join by a code or a QR code, without a name. The class ends after {_HOURS} "
    "hours. Your browser alone leads it, and forgets your own answers."
)
TEACHERS_LINK = (
    "Whoever opens this link leads the class: keep it to yourself. It helps where your browser "
    "forgets, too."
)
ENDS = f"All of its votes are deleted, now or by themselves after {_HOURS} hours. Save them first."
ADDRESS_USED_UP = "Too many were begun from this network address today."
_REFUSALS: dict[type[ClassError], str] = {
    NotTheTeacherError: "Only who leads the class can do that.",
    TruthShownError: "What is true was shown already: this choice is not counted.",
    VotesShownError: "The votes are shown already: this choice is not counted.",
    ClassFullError: f"This class is full: it has {MOST_PARTICIPANTS} participants. Your answers "
    "stay in your own link.",
    TooManyClassesError: f"{MOST_CLASSES} classes are open, and no more may be: the first of them "
    f"ends within {_HOURS} hours.",
    ClassesUnavailableError: "The votes of classes cannot be reached just now. Your answers stay "
    "in your own link; try once more.",
}


def refusal(problem: ClassError, code: str) -> str:
    """Return why something is not done, as a sentence.

    >>> refusal(VotesShownError(), "BCDFG")
    'The votes are shown already: this choice is not counted.'
    """
    if isinstance(problem, NoSuchClassError):
        return f"There is no class {code}, or it has ended. Your answers stay in your own link."
    return _REFUSALS[type(problem)]


def how_to_join(address: str | None) -> str:
    """Return what a room is told beside the code; the address is not known everywhere."""
    page = f"`{address}`" if address else "*Lessons*"
    return f"Scan the code, or open {page} and type:"


def in_class(code: str) -> str:
    """Return what a participant is told of the class."""
    return f"You are in class **{code}**. Your predictions are counted there, without a name."


def where_class_is(lesson: Lesson) -> str:
    """Return what a participant is told who has another lesson open, or none."""
    return f"The class is at: {lesson.text.title}"


def participants_sentence(participants: int) -> str:
    """Return how many there are."""
    said = f"{counted(participants, 'participant')} so far."
    return said if participants else "Nobody has answered yet."


def own_vote_sentence(
    code: str, standing: Standing, chosen: str | None, *, is_revealed: bool
) -> str:
    """Return what a participant is told of the own vote."""
    if standing.is_closed:
        mine = "your vote is closed" if standing.choice else "no vote is counted"
        said = f"what is true was shown, and {mine} until the class votes again"
    elif standing.is_shown:
        mine = f"yours is {'' if standing.choice else 'not '}among them"
        if chosen not in {None, standing.choice}:
            mine = "your last choice is not counted"
        elif standing.is_of_next:
            mine = "your last choice counts if the class votes again"
        said = f"the votes are shown, and {mine}"
    elif is_revealed:
        said = "your vote is counted" if standing.choice else "who knows the answer has no vote"
    elif chosen is None:
        said = "your vote will be counted without a name"
    elif chosen != standing.choice:
        said = "your vote is not counted yet"
    elif standing.is_of_before:
        said = "the class votes again. Your vote of before counts unless you change it"
    else:
        said = "your vote is counted. You can change it until the votes are shown"
    return f"Class {code}: {said}."


def turnout_sentence(tally: Tally) -> str:
    """Return how many have voted."""
    part = f"{tally.participants:,} {'has' if tally.participants == 1 else 'have'} taken part"
    again = f"{tally.changed:,} changed. Who does not vote again keeps the vote of before."
    said = f"**{counted(tally.voted, 'vote')}.** {part} in the class so far."
    closed = "The vote is closed, as what is true was shown."
    return joined(said, again if tally.round > 1 else "", closed if tally.is_closed else "")


def votes_title(tally: Tally, choices: Mapping[str, str]) -> str:
    """Return what the bars show, as a finding; ``choices`` are their words, in their order."""
    now = tally.counts[-1]
    if not now:
        return "No votes"
    most = max(now.values())
    leading = [f"“{words}”" for one, words in choices.items() if now.get(one, 0) == most]
    said = f"Most chosen: {leading[0]}, {most:,} of {tally.voted:,}"
    if len(leading) > 1:
        which = "All choices" if len(leading) == len(choices) else listed(leading)
        said = f"{which} tie, {counted(most, 'vote')} each"
    return said + (f"; {tally.changed:,} changed" if tally.round > 1 else "")


def votes_description(tally: Tally, choices: Mapping[str, str]) -> str:
    """Return the bars for those who cannot see them."""
    counts = tally.counts[-1]
    rows = [f"“{words}”: {counts.get(one, 0):,}" for one, words in choices.items()]
    return f"{votes_title(tally, choices)}. Votes: {', '.join(rows)}."


def scores_sentence(scores: Sequence[int], game: Game) -> str:
    """Return what the class achieved in the game, beside what is proven of anybody."""
    players, right = len(scores), sum(scores)
    if not players:
        return f"Nobody in the class has played {SCORED_ROUNDS} rounds yet."
    rounds = players * SCORED_ROUNDS
    return (
        f"**{counted(players, 'participant')} of the class: {right:,} of {rounds:,} rounds right, "
        f"{rounded(100.0 * right / rounds, 3)} %** (the first {SCORED_ROUNDS} rounds of each). "
        f"{most_in_the_long_run(game)} In {SCORED_ROUNDS} rounds luck leads some beyond it."
    )


def scores_title(scores: Sequence[int]) -> str:
    """Return what the histogram shows."""
    return f"Right answers in {SCORED_ROUNDS} rounds: {counted(len(scores), 'participant')}"


def scores_description(scores: Sequence[int], game: Game) -> str:
    """Return the histogram for those who cannot see it."""
    rows = [f"{right} right: {scores.count(right)}" for right in sorted({*scores})]
    return f"{scores_title(scores)}. {'; '.join(rows)}. A line marks {ceiling_words(game)}."


def ceiling_words(game: Game) -> str:
    """Return what no attacker exceeds on average, in rounds of those that count."""
    most = rounded_up(SCORED_ROUNDS * game.at_most.share, 3)
    return f"at most {most} on average, for any attacker"
