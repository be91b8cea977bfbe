"""What a class has answered, as a table: sums only, of nobody in particular."""

from collections.abc import Mapping

from dpviz.classroom.records import SCORED_ROUNDS, Scores, Tally
from dpviz.export.table import Table, cells_of
from dpviz.settings.lessons import CHOICES
from dpviz.wording.lessons import LESSONS_BY_NAME

_COLUMNS = ("lesson", "vote", "answer", "is_true", "count")
_GAME = f"right answers in the first {SCORED_ROUNDS} rounds of the game"


def class_table(code: str, tallies: Mapping[str, Tally], scores: Scores) -> Table:
    """Return the votes on each question, round by round, and the scores of the game."""
    rows = list[tuple[object, ...]]()
    for name, tally in tallies.items():
        lesson = LESSONS_BY_NAME[name]
        rows += [
            (lesson.label, round_, lesson.text.choices[choice], choice == lesson.right, votes)
            for round_, counts in enumerate(tally.counts, start=1)
            if tally.voted
            for choice in CHOICES
            for votes in (counts.get(choice, 0),)
        ]
    rows += [
        (_GAME, "", right, "", scores.finished.count(right)) for right in sorted({*scores.finished})
    ]
    return Table(
        title=f"what class {code} answered",
        cells=cells_of(rows, _COLUMNS),
        meanings={
            "lesson": "the question, or the game",
            "vote": "1, and 2 and so on where the class voted again; who did not keeps the last",
            "answer": "its words, or the number of right answers",
            "is_true": "whether the lesson says so",
            "count": "of participants",
        },
    )
