"""What does privacy cost in accuracy? Runs made beforehand, and a criterion fixed before them."""

import streamlit as st

from dpviz.export.table import Table
from dpviz.export.training_tables import training_study_table
from dpviz.figures.training_runs import study_chart
from dpviz.training_study.findings import Finding, findings
from dpviz.training_study.questions import QUESTIONS
from dpviz.training_study.questions import Question as StudyQuestion
from dpviz.training_study.results import shipped_results
from dpviz.ui import frame
from dpviz.ui.compute import content
from dpviz.ui.page import folded_part, folded_text, leading_button, say
from dpviz.ui.question import Answer, question_of_no_run
from dpviz.ui.rests_on import folded_code
from dpviz.ui.state import State, change_view
from dpviz.ui.texts import text
from dpviz.ui.widgets import view_choice, view_menu
from dpviz.wording import training_study as words
from dpviz.wording.numbers import capitalised, joined


def _models(state: State) -> None:
    """Draw the choice among the models of the question; a link may have another one."""
    options = dict.fromkeys((*_shown_question(state).models, state.view.study_model))
    view_choice("study_model", options=tuple(options))(state)


def _shown_question(state: State) -> StudyQuestion:
    return QUESTIONS[state.view.study_question]


def _table(state: State) -> Table:
    results, name = shipped_results(), state.view.study_question
    return training_study_table(results, [row for row in results.rows if row.question == name])


def _draw_claims(question: StudyQuestion, shown: Finding) -> None:
    st.header("Answers", anchor=False)
    lines = enumerate(words.answer_lines(shown), start=1)
    say("\n".join(f"{number}. {line}" for number, line in lines))
    st.caption(text("training_study_criterion"))
    st.header("Answers on all series, with all models", anchor=False)
    say(words.overview(_findings(question)))
    folded_text(
        "Every number of this chart", "open_study_numbers", lambda: words.numbers_table(shown)
    )


def _draw_paper(state: State) -> None:
    question = _shown_question(state)
    say(words.paper_section(question, state.view.study_model))
    name = (
        f"figure-{question.paper_figure}"
        if question.paper_figure is not None
        else str(question.paper_tables[0])
    )
    leading_button(
        "See all of it, with dpviz's accounting",
        "paper_tables",
        lambda: change_view(lambda: {"reported_table": name}),
        key="open_reported",
        icon=":material/table_chart:",
        explains="Opens the paper's tables at this one.",
    )


def example_sentence() -> str:
    """Return what a budget buys in the study, of one model on the first series, as Markdown."""
    found = _findings(QUESTIONS["budget"])[0]
    return f"{words.errors_sentence(found)} {words.scope_sentence(found)}"


def _findings(question: StudyQuestion) -> list[Finding]:
    return content(
        "study findings", [question.name], lambda: findings(shipped_results().rows, [question])
    )


def _answer(state: State) -> Answer:
    question, chosen = _shown_question(state), (state.view.study_data, state.view.study_model)
    found = {(one.data, one.model): one for one in _findings(question)}
    if (shown := found.get(chosen)) is None:
        st.info("This model was not trained for this question on these series. Choose others.")
        yield
    else:
        frame.draw_answer(
            headline=words.study_headline(shown),
            figure=lambda: study_chart(shown),
            made_of=[question.name, *chosen],
            alt=words.study_description(shown),
            key="study_chart",
            finding=joined(words.kept_gain(shown), words.same_training(shown)),
            height=480,  # the legend takes a part
        )
        yield
        _draw_claims(question, shown)
    folded_part("What the main paper reports", "open_study_paper", _draw_paper, state)
    made = "\n".join(f"- {capitalised(one)}." for one in shipped_results().made)
    folded_text(
        "How this was made, and what it does not show",
        "open_study_making",
        lambda: f"{text('training_study_making')}\n\n{made}",
    )
    command = "python -m dpviz training-study --out study"
    folded_code(
        lambda: [("All runs again, and their answers, from the command line:", command, "bash")]
    )


QUESTION = question_of_no_run(
    introduction="training_study_introduction",
    settings=(
        view_menu("study_question", name=lambda name: QUESTIONS[name].title),
        "study_data",
        _models,
    ),
    answer=_answer,
    table=_table,
    file="dpviz-training-study.csv",
)
