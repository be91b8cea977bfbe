"""How a class is started, found, left and ended, and what it has answered."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlencode

import streamlit as st

from dpviz.classroom.records import MOST_VOTES, ClassError, NoSuchClassError, Standing
from dpviz.export.drawing_tables import class_table
from dpviz.figures.classroom import scores_chart, votes_chart
from dpviz.planning.membership_game import membership_game
from dpviz.scenario.errors import MissingPackageError
from dpviz.settings.dashboard import classes_file
from dpviz.settings.lessons import CODE_LENGTH, LESSONS, PAPER_SEED
from dpviz.ui import classes
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import part_of
from dpviz.ui.filling import result_of
from dpviz.ui.lesson_links import draw_own_vote_line, draw_way_to_class
from dpviz.ui.page import folded, hand_over
from dpviz.ui.page_style import run_script, style_part
from dpviz.ui.sharing import qr_drawing, shared_link, show_drawing, warn_of_own_machine
from dpviz.ui.state import State, session_state
from dpviz.ui.texts import with_documents
from dpviz.ui.widgets import act_button, text_box
from dpviz.wording import classroom as words
from dpviz.wording.lessons import Lesson

# As often as who leads a class looks for new votes.
_VOTES_EVERY_SECONDS = 2.0
_SCORES_HEIGHT = 300
# Of one vote's bars, below a title that may take three lines; and what those of the vote before
# take beside them, each as high as its number.
_BARS_HEIGHT, _BARS_BEFORE_HEIGHT = 360, 150
_CODE_STYLE = style_part("class_code.css")


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
        if f"predict_{lesson.name}" not in state.said:  # where it is said beside the choices
            st.caption(words.refusal(standing, code))
        if isinstance(standing, NoSuchClassError):
            _draw_leave()
        return
    draw_own_vote_line(lesson.name, standing, chosen, is_revealed=is_revealed)
    is_open = not standing.is_shown or standing.round < MOST_VOTES
    is_open &= not (is_revealed or standing.is_closed)
    if is_open and chosen is not None and chosen != standing.choice:
        act_button(
            "Send my vote", lambda: classes.vote(state, lesson, chosen), key=f"send_{lesson.name}"
        )


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except ClassError as problem:
        st.caption(words.refusal(problem, session_state().view.class_code))


@_refusals()
def draw_votes(state: State, lesson: Lesson, standing: Standing, order: tuple[str, ...]) -> None:
    """Draw for who leads the class how many have voted, or the bars once they are shown."""
    name, round_ = lesson.name, standing.round
    follow_votes(name, standing, is_told=not standing.is_shown)
    if not standing.is_shown:
        act_button(
            "Show votes (V)",
            lambda: classes.lead(state, lambda kept, code, key: kept.show(code, key, name)),
            key=f"show_votes_{name}",
            means=f"{round_}",
            primary=True,
            shortcut="V",
            explains="Shows the bars here."
            if round_ == MOST_VOTES or standing.is_closed
            else "Shows the bars here. What is chosen after that counts if the class votes again.",
        )
        return
    tally = classes.tally_of(state, name)
    choices = {choice: lesson.text.choices[choice] for choice in order}
    draw_chart(
        votes_chart(tally, choices),
        key="votes",
        alt=words.votes_description(tally, choices),
        height=_BARS_HEIGHT + (_BARS_BEFORE_HEIGHT if tally.round > 1 else 0),
    )
    if round_ < MOST_VOTES:
        act_button(
            "Vote again (V)",
            lambda: classes.lead(state, lambda kept, code, key: kept.vote_again(code, key, name)),
            key=f"vote_again_{name}",
            means=f"{round_}",
            shortcut="V",
            explains="Hides the bars, and what is true, and counts anew, with what was chosen "
            "meanwhile.",
        )


@st.fragment(run_every=_VOTES_EVERY_SECONDS)
@_refusals()
def follow_votes(lesson: str, drawn: Standing, *, is_told: bool) -> None:
    """Follow what the other device leads to, and tell how many have voted if that ``is_told``."""
    tally = classes.tally_of(session_state(), lesson)
    before = (drawn.is_shown, drawn.is_closed, drawn.round)
    if (tally.is_shown, tally.is_closed, tally.round) != before:
        st.rerun()
    if is_told:
        st.markdown(words.turnout_sentence(tally))


@st.fragment(run_every=_VOTES_EVERY_SECONDS)
@_refusals()
def draw_scores() -> None:
    """Draw for who leads the class what it achieved in the game, beside what is proven."""
    scores = classes.led(session_state(), lambda kept, code, key: kept.scores(code, key))
    lesson = classes.GAME_LESSON
    game = result_of(part_of(membership_game, lesson.scenario, lesson.view.game_kind, PAPER_SEED))
    st.markdown(words.scores_sentence(scores, game))
    if scores:
        draw_chart(
            scores_chart(scores, game),
            key="scores",
            alt=words.scores_description(scores, game),
            height=_SCORES_HEIGHT,
        )


def draw_class(state: State) -> bool:
    """Draw the class that the visitor is in, or the box for a code; return whether they lead it."""
    standing = classes.standing_in(state, LESSONS[0])
    if classes.leads(standing):
        _draw_led(state)
        return True
    with st.container(horizontal=True, vertical_alignment="center", key="class_door"):
        if standing is None:
            text_box(
                "Code of your class",
                shows="",
                key="class_code_typed",
                typed=lambda typed: classes.join_class(state, typed),
                placeholder=f"{CODE_LENGTH} letters",
                explains="Your teacher shows it. You join without a name.",
            )
            return False
        if isinstance(standing, ClassError):
            st.markdown(words.refusal(standing, state.view.class_code))
        else:
            st.markdown(words.in_class(state.view.class_code))
        _draw_leave()
    if isinstance(standing, Standing):
        draw_way_to_class()
    return False


def _draw_leave() -> None:
    act_button("Leave the class", classes.leave_class, key="leave_class", quiet=True)


def draw_start(state: State) -> None:
    """Draw the button that starts a class, or why there is none."""
    if state.view.class_code:
        return
    if classes_file() is None:
        st.caption(with_documents(words.OFF))
        return
    act_button(
        "Start a class",
        lambda: classes.start_class(state),
        key="start_class",
        icon=":material/groups:",
        explains=words.STARTS,
    )


def _draw_led(state: State) -> None:
    code, url = state.view.class_code, st.context.url
    st.html(_CODE_STYLE)
    shown, drawn = st.columns([3, 2], vertical_alignment="center")
    with shown:
        with st.container(key="class_address"):
            st.markdown(words.how_to_join(url))
        with st.container(key="class_code_shown"):
            st.markdown(code)
        _draw_count()
        if not state.view.present:
            _draw_ways(state, code)
    if url is not None:
        with drawn, suppress(MissingPackageError, ValueError):  # the code is there to be typed
            show_drawing(qr_drawing(shared_link(state, url)), key="class_qr")
        warn_of_own_machine(url)


@st.fragment(run_every=5.0)
@_refusals()
def _draw_count() -> None:
    st.caption(
        words.participants_sentence(classes.tally_of(session_state(), LESSONS[0]).participants)
    )


def _draw_ways(state: State, code: str) -> None:
    # A download is made outside of a run of the page, where no cookie of the browser is known.
    key = classes.own_key(state)

    def table() -> str:
        kept = classes.kept_classes()
        tallies = {name: kept.tally(code, key, name) for name in LESSONS}
        return class_table(code, tallies, kept.scores(code, key)).csv()

    with st.container(horizontal=True, vertical_alignment="center"):
        hand_over(
            "Download votes",
            table,
            f"dpviz-class-{code}.csv",
            key="download_class",
            icon=":material/download:",
        )
        if st.context.url is not None:
            with folded("Lead from another device", key="open_teachers_link") as is_open:
                if is_open:
                    st.markdown(words.TEACHERS_LINK)
                    # Its words stay out of sight: a room may see this screen.
                    query = urlencode({"class": code, "class_key": key})
                    run_script(
                        "copy_link", {"link": f"{st.context.url}?{query}"}, key="teachers_link"
                    )

        with st.expander("End the class"):
            st.markdown(words.ENDS)
            act_button(
                "End it and delete its votes",
                lambda: classes.end_class(state),
                key="end_class",
                means=code,
            )
