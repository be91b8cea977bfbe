"""What a class has answered, for who leads it; and what becomes of a participant's own vote."""

import streamlit as st

from dpviz.classroom.records import MOST_VOTES, ClassError, Standing
from dpviz.figures import figure_json
from dpviz.figures.classroom import scores_chart, votes_chart
from dpviz.planning.membership_game import membership_game
from dpviz.settings.lessons import PAPER_SEED
from dpviz.ui.chart import draw_chart
from dpviz.ui.classes import GAME_LESSON, lead, led, tally_of, vote
from dpviz.ui.compute import part_of
from dpviz.ui.filling import result_of
from dpviz.ui.state import State, session_state
from dpviz.ui.widgets import act_button
from dpviz.wording import classroom as words
from dpviz.wording.lessons import Lesson

# As often as who leads a class looks for new votes; nobody else's page asks by itself.
_EVERY_SECONDS = 2.0
_HEIGHT = 300


def draw_own_vote(
    state: State,
    lesson: Lesson,
    standing: Standing | ClassError,
    chosen: str | None,
    *,
    is_revealed: bool,
) -> None:
    """Draw whether a participant's vote is counted, and the way to send it where it is not."""
    code = state.view.class_code
    if isinstance(standing, ClassError):
        st.caption(words.refusal(standing, code))
        return
    st.caption(words.own_vote_sentence(code, standing, chosen, is_revealed=is_revealed))
    is_open = not standing.is_shown and not is_revealed
    if is_open and chosen is not None and chosen != standing.choice:
        act_button("Send my vote", lambda: vote(state, lesson, chosen), key=f"send_{lesson.name}")


def draw_votes(state: State, lesson: Lesson, standing: Standing, order: tuple[str, ...]) -> None:
    """Draw for who leads the class how many have voted, or the bars once they are shown.

    Args:
        state: the visitor's.
        lesson: whose question it is.
        standing: of the question.
        order: of the choices as they stand beside the bars.
    """
    name, round_ = lesson.name, standing.round
    if not standing.is_shown:
        _draw_turnout(name, round_)
        act_button(
            "Show votes (V)",
            lambda: lead(state, lambda classes, code, key: classes.show(code, key, name)),
            key=f"show_votes_{name}",
            means=f"{round_}",
            primary=True,
            shortcut="V",
            explains="Shows the bars here. After that no vote is counted until the class votes "
            "again.",
        )
        return
    try:
        tally = tally_of(state, name)
    except ClassError as problem:
        st.caption(words.refusal(problem, state.view.class_code))
        return
    draw_chart(
        figure_json(votes_chart(tally, order)),
        key="votes",
        alt=words.votes_description(tally, order),
        height=_HEIGHT,
        file_name="dpviz-votes",
    )
    if round_ < MOST_VOTES:
        act_button(
            "Vote again (V)",
            lambda: lead(state, lambda classes, code, key: classes.vote_again(code, key, name)),
            key=f"vote_again_{name}",
            means=f"{round_}",
            shortcut="V",
            explains="Hides the bars and counts votes anew. Who does not vote again keeps the "
            "vote of before.",
        )


@st.fragment(run_every=_EVERY_SECONDS)
def _draw_turnout(lesson: str, round_: int) -> None:
    try:
        tally = tally_of(session_state(), lesson)
    except ClassError as problem:
        st.caption(words.refusal(problem, session_state().view.class_code))
        return
    if tally.is_shown or tally.round != round_:  # by the teacher's other device
        st.rerun()
    st.markdown(words.turnout_sentence(tally))


@st.fragment(run_every=_EVERY_SECONDS)
def draw_scores() -> None:
    """Draw for who leads the class what it achieved in the game, beside what is proven."""
    state = session_state()
    try:
        scores = led(state, lambda classes, code, key: classes.scores(code, key))
    except ClassError as problem:
        st.caption(words.refusal(problem, state.view.class_code))
        return
    lesson = GAME_LESSON
    game = result_of(part_of(membership_game, lesson.scenario, lesson.view.game_kind, PAPER_SEED))
    st.markdown(words.scores_sentence(scores, game))
    if scores.finished:
        draw_chart(
            figure_json(scores_chart(scores, game)),
            key="scores",
            alt=words.scores_description(scores, game),
            height=_HEIGHT,
            file_name="dpviz-scores",
        )
