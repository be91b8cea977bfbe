"""What does epsilon mean? In odds, and in a game of guessing."""

from functools import partial

import streamlit as st

from dpviz.export.curve_tables import attack_rates_table, pair_table
from dpviz.export.table import Table
from dpviz.figures.attack_rates import beliefs_chart, people_chart, trade_off_chart
from dpviz.figures.densities import membership_game_chart
from dpviz.planning import ScenarioCurves
from dpviz.planning.attack_rates import DRAWN_RATES, AttackRates, attack_rates
from dpviz.planning.membership_game import Game, membership_game, score
from dpviz.scenario import Scenario, ScenarioError
from dpviz.settings.attacker import answers_to, with_answers
from dpviz.settings.lessons import lessons_in
from dpviz.ui import controls, data_controls, frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.classes import note_game
from dpviz.ui.compute import COARSE, exact_curves, known_curves, part_of
from dpviz.ui.filling import fill_in, is_known, result_of
from dpviz.ui.lesson_links import viewed_lesson
from dpviz.ui.page import folded_part, leading_button, say, viewed, when
from dpviz.ui.presenter import presented_height
from dpviz.ui.question import Answer, Question
from dpviz.ui.rests_on import draw_certificate, draw_code, draw_not_covered_line
from dpviz.ui.results import Part
from dpviz.ui.state import State, change_view
from dpviz.ui.texts import text
from dpviz.ui.widgets import act_button, next_seed, view_choice
from dpviz.wording import attack_rates as words
from dpviz.wording import membership_game as game_words
from dpviz.wording import people
from dpviz.wording.attack_rates import Told
from dpviz.wording.numbers import in_full
from dpviz.wording.setting_values import labelled

# Of links from when all visitors began with the same rounds.
_FIRST_SEED = 1


def _draw_game(state: State) -> None:
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
    st.caption(game_words.who_is_looked_for(state.scenario, game))
    _draw_chart(game, answers, tells_most=True, height=380)
    known = score(game, answers)
    _ask(state, game, answers, game_words.score_table(game, known))
    st.markdown(game_words.game_finding(game, known))
    st.caption(text("game_caption"))


def _draw_lesson_game(state: State, *, tells_most: bool) -> None:
    """Draw the game on a screen of its own, for who has not learnt more of it."""
    game = _game(state)
    answers = answers_to(state.view.game_answers, game.code)
    _draw_chart(game, answers, tells_most=tells_most, height=280)  # on a phone, too
    with st.container(key="game_panel"):
        _ask(state, game, answers, game_words.short_score(score(game, answers)))


def _draw_chart(game: Game, answers: str, *, tells_most: bool, height: int) -> None:
    title = game_words.game_title(game, len(answers), tells_most=tells_most)
    draw_chart(
        lambda: membership_game_chart(game, answers, title),
        made_of=[game.code, answers, tells_most],
        key="membership_game",
        alt=game_words.game_description(game, answers, title),
        height=presented_height(height),
        file_name="dpviz-game",
    )


def _ask(state: State, game: Game, answers: str, scored: str) -> None:
    with st.container(key="game_revealed"):  # always there, so that nothing moves
        st.markdown(game_words.revealed(game, answers) or "Nothing is revealed yet.")
    with st.container(key="game_question"):
        st.markdown(game_words.question(game, len(answers)))
    _buttons(state, game, answers)
    with st.container(key="game_score"):
        st.markdown(scored)
    seed = _seed(state)
    act_button(  # away from those that answer: it forgets their answers
        "New rounds",
        lambda: change_view(lambda: {"game_seed": next_seed(seed), "game_answers": ""}),
        key="game_anew",
        icon=":material/casino:",
        quiet=True,
        explains=f"Forgets these rounds and begins a new game. This one has seed {seed:,}.",
    )


def _seed(state: State) -> int:
    """Return the seed of the rounds: no two visitors begin with the same ones."""
    if state.view.game_answers and not state.view.game_seed:
        return _FIRST_SEED
    return state.view.game_seed or state.own_seed


def _game(state: State) -> Game:
    return result_of(part_of(membership_game, state.scenario, state.view.game_kind, _seed(state)))


def _buttons(state: State, game: Game, answers: str) -> None:
    is_over, seed = len(answers) >= len(game.rounds), _seed(state)

    def answered(answer: str) -> None:
        now = _seed(state), answers_to(state.view.game_answers, game.code)
        if now != (seed, answers):
            return  # another act of the same message was before: the round is another one
        said = with_answers(game.code, answers + answer)
        change_view(lambda: {"game_seed": seed, "game_answers": said})
        note_game(state, game, answers + answer)

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for answer, label in (("y", "Yes, it was"), ("n", "No, it was not")):
            act_button(
                label,
                partial(answered, answer),
                key=f"game_{answer}",
                # Of two quick presses the second was not about the round that is seen then.
                means=f"{game.code} {len(answers)}",
                primary=True,
                disabled=is_over,
                shortcut=answer.upper(),
            )


def _rates_part(scenario: Scenario, rate: float, *, is_rough: bool = False) -> Part[AttackRates]:
    """Return the part of a page that is what attackers achieve, known at a rate, too.

    A rough one stands in for the part itself for a moment.
    """
    # At most rates all visitors share one result.
    known = float(DRAWN_RATES[1]) if rate in DRAWN_RATES else rate
    if is_rough:
        return part_of(attack_rates, scenario, known, tolerance=COARSE, only_quoted=True)
    return part_of(attack_rates, scenario, known)


def _draw_people(odds: people.Odds) -> None:
    frame.draw_answer(
        headline=people.people_headline(odds),
        figure=lambda: people_chart(odds),
        made_of=[odds],
        alt=people.people_description(odds),
        key="people",
        finding=people.people_sentences(odds),
        height=340,
    )


def _draw_rates(state: State, told: Told) -> None:
    view_choice("rate_axes", shows_label=False)(state)
    is_log = state.view.rate_axes == "log"
    draw_chart(
        lambda: trade_off_chart(told, is_log=is_log),
        made_of=[*_inputs(told), is_log],
        key="trade_off",
        alt=words.rates_description(told),
    )
    say(f"{words.lossy_sentence(told)}\n\n{words.advantage_sentence(told)}")
    st.caption(text("trade_off_caption"))
    say(words.rates_table(told))


def _draw_beliefs(told: Told) -> None:
    say(words.posterior_text(told))
    draw_chart(
        lambda: beliefs_chart(told),
        made_of=_inputs(told),
        key="beliefs",
        alt=words.posterior_description(told),
        height=360,
    )
    st.caption(text("beliefs_caption"))


def _told(state: State, rates: AttackRates, curves: ScenarioCurves) -> Told:
    return Told(
        rates=rates,
        curves=curves,
        rate=state.view.target_false_positive_rate,
        prior=state.view.prior,
    )


def _inputs(told: Told) -> list[object]:
    hits = told.rates.upper.hits.tolist()  # tell coarse ones from the exact
    return [told.curves, told.rate, told.prior, hits]


_is_typed = viewed("meant_epsilon", "typed")


def _plan_control(state: State) -> None:
    epsilon = state.view.typed_epsilon
    leading_button(
        f"Plan for ε ≤ {in_full(epsilon)}",
        "planner",
        lambda: change_view(lambda: {"goal": "epsilon", "target_epsilon": epsilon}),
        key="plan_typed",
        icon=":material/target:",
        explains="Plan then finds the noise that this ε needs. Undo takes it back.",
    )


def _answer(state: State) -> Answer:
    view = state.view
    lesson = viewed_lesson(state)
    if lesson is not None and lesson.name == "guess":
        _draw_lesson_game(state, tells_most="guess" in lessons_in(view.revealed))
        yield
        return
    if _is_typed(state):
        rate, prior = view.target_false_positive_rate, view.prior
        _draw_people(people.odds_of_pair(view.typed_epsilon, state.scenario.delta, rate, prior))
        draw_not_covered_line()
        st.caption("The game is about a run: choose *The run's ε*.")
        yield
        return
    scenario, rate = state.scenario, view.target_false_positive_rate
    curves = known_curves([scenario]).own
    # What the page tells is coarse until there was time for more.
    exact, rough = _rates_part(scenario, rate), _rates_part(scenario, rate, is_rough=True)
    first = result_of(exact if is_known(exact) else rough)
    (rates,) = fill_in([exact]).results
    told = _told(state, first if rates is None else rates, curves)
    _draw_people(people.odds_of_run(told))
    draw_not_covered_line(told.curves)
    yield
    _draw_game(state)
    folded_part("At every rate of false alarms", "open_every_rate", _draw_rates, state, told)
    folded_part("What may an attacker believe afterwards?", "open_beliefs", _draw_beliefs, told)
    draw_certificate(curves)
    draw_code([("now", scenario)], sorted({*words.TABLE_RATES, rate}))


def _table(state: State) -> Table:
    if _is_typed(state):
        return pair_table(state.view.typed_epsilon, state.scenario.delta)
    part = _rates_part(state.scenario, state.view.target_false_positive_rate)
    return attack_rates_table(_told(state, result_of(part), exact_curves(state.scenario)))


QUESTION = Question(
    settings=(
        "meant_epsilon",
        when(_is_typed, "typed_epsilon", controls.delta_control, _plan_control),
        "target_false_positive_rate",
        "prior",
        when(
            viewed("meant_epsilon", "run"),
            controls.preset_control,
            controls.noise_control,
            controls.training_control,
            controls.rate_controls,
            controls.folded_sampling,
            *data_controls.FOLDED,
        ),
    ),
    in_lessons={"epsilon": (controls.noise_control,)},
    answer=_answer,
    table=_table,
    file="dpviz-attack-rates.csv",
    held=lambda state: [] if _is_typed(state) else [state.scenario],
    shows_own=lambda state: not _is_typed(state),
)
