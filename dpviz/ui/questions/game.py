"""The guessing game: was the value in the data?"""

from functools import partial

import streamlit as st

from dpviz.figures.densities import membership_game_chart
from dpviz.planning.membership_game import Game, membership_game, score
from dpviz.scenario import ScenarioError
from dpviz.settings.attacker import answers_to, with_answers
from dpviz.ui.chart import draw_chart
from dpviz.ui.classes import note_game
from dpviz.ui.compute import figure_of, part_of
from dpviz.ui.filling import result_of
from dpviz.ui.presenter import presented_height
from dpviz.ui.state import State, change_view
from dpviz.ui.texts import text
from dpviz.ui.widgets import act_button, next_seed, view_choice
from dpviz.wording import membership_game as words
from dpviz.wording.labels import labelled

KEY = "membership_game"
_HEIGHT = 380
_SMALL_HEIGHT = 280  # on a phone, with the buttons below
# Of links from when all visitors began with the same rounds.
_FIRST_SEED = 1


def draw_game(state: State) -> None:
    """Draw the game as far as it is played, or why it cannot be."""
    view = state.view
    st.header("Play the attacker", anchor=False)
    st.markdown(text("game_introduction"))
    view_choice("game_kind")(state)
    try:
        game = _game(state)
    except ScenarioError as problem:
        st.info(f"These settings cannot be played. {labelled(str(problem))}")
        return
    answers = answers_to(view.game_answers, game.code)
    st.caption(words.who_is_looked_for(state.scenario, game))
    _draw_chart(game, answers, tells_most=True, height=_HEIGHT)
    _ask(state, game, answers)
    known = score(game, answers)
    with st.container(key="game_score"):
        st.markdown(words.score_table(game, known))
    st.markdown(words.game_finding(game, known))
    st.caption(text("game_caption"))


def draw_lesson_game(state: State, *, tells_most: bool) -> None:
    """Draw the game on a screen of its own, for who has not learnt more of it.

    Args:
        state: the visitor's.
        tells_most: whether the chart may say how often the best attacker is right.
    """
    game = _game(state)
    answers = answers_to(state.view.game_answers, game.code)
    _draw_chart(game, answers, tells_most=tells_most, height=_SMALL_HEIGHT)
    with st.container(key="game_panel"):
        _ask(state, game, answers)
        with st.container(key="game_score"):
            st.markdown(words.short_score(score(game, answers)))


def _draw_chart(game: Game, answers: str, *, tells_most: bool, height: int) -> None:
    title = words.game_title(game, len(answers), tells_most=tells_most)
    draw_chart(
        figure_of(
            "game chart",
            [game.code, answers, tells_most],
            lambda: membership_game_chart(game, answers, title),
        ),
        key=KEY,
        alt=words.game_description(game, answers, title),
        height=presented_height(height),
        file_name="dpviz-game",
    )


def _ask(state: State, game: Game, answers: str) -> None:
    """Draw what the last round was, what is asked now, and the buttons to answer it."""
    with st.container(key="game_revealed"):  # always there, so that nothing moves
        st.markdown(words.revealed(game, answers) or "Nothing is revealed yet.")
    with st.container(key="game_question"):
        st.markdown(words.question(game, len(answers)))
    _buttons(state, game, answers)


def _seed(state: State) -> int:
    """Return the seed of the rounds: no two visitors begin with the same ones."""
    if state.view.game_answers and not state.view.game_seed:
        return _FIRST_SEED
    return state.view.game_seed or state.own_seed


def _game(state: State) -> Game:
    return result_of(part_of(membership_game, state.scenario, state.view.game_kind, _seed(state)))


def _buttons(state: State, game: Game, answers: str) -> None:
    is_over, seed = len(answers) >= len(game.rounds), _seed(state)

    def say(answer: str) -> None:
        said = with_answers(game.code, answers + answer)
        change_view(lambda: {"game_seed": seed, "game_answers": said})
        note_game(state, game, answers + answer)

    def begin_anew() -> None:
        change_view(lambda: {"game_seed": next_seed(seed), "game_answers": ""})

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for answer, label in (("y", "Yes, it was"), ("n", "No, it was not")):
            act_button(
                label,
                partial(say, answer),
                key=f"game_{answer}",
                # Of two quick presses the second was not about the round that is seen then.
                means=f"{game.code} {len(answers)}",
                primary=True,
                disabled=is_over,
                shortcut=answer.upper(),
            )
        act_button(
            "New rounds",
            begin_anew,
            key="game_anew",
            icon="casino",
            explains=f"Begins a new game. This one has seed {seed:,}.",
        )
