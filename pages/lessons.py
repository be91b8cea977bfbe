"""What can be learnt in a workshop?"""

import streamlit as st

from dpviz.settings.lessons import ALL_LESSONS, NO_LESSON
from dpviz.ui.address import current, show_link
from dpviz.ui.classes import (
    join_by_link,
    keep_teachers_key,
    settle_truth,
    take_class_along,
)
from dpviz.ui.head import draw_head
from dpviz.ui.lesson_links import open_lesson
from dpviz.ui.page import show_messages
from dpviz.ui.presenter import draw_presenter
from dpviz.ui.questions.lessons import draw_all_lessons, draw_lesson, draw_overview
from dpviz.ui.reading import reading_column

state = current()
join_by_link(state)
settle_truth(state)
take_class_along(state)
show_link(state)
lesson = open_lesson(state)

with reading_column(state.view.lesson, is_wide=state.view.lesson == NO_LESSON):
    if state.view.lesson == ALL_LESSONS:
        draw_all_lessons(state)
    else:
        draw_head(state, title="" if lesson is None else lesson.text.title)
        messages = st.container()
        if lesson is None:
            draw_overview(state)
        else:
            draw_lesson(state, lesson)
        with messages:  # last: what a control was refused for stands beside it alone
            show_messages(state)
draw_presenter(state)
keep_teachers_key(state)
