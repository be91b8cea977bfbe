"""A choice between a few words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.scenario import Scenario
from dpviz.ui.state import change, change_view, show_in_widget
from dpviz.wording.hover_help import field_help
from dpviz.wording.labels import LABELS


def choice(
    field: str,
    *,
    value: str,
    options: Mapping[str, str],
    apply: Callable[[Scenario, str], Scenario],
    explanation: str = "",
) -> None:
    """Draw a choice for a field of the scenario; a change goes through ``apply``.

    Args:
        field: the scenario's field, which names the control and its widget.
        value: the scenario's current value.
        options: the values, each with the words for it.
        apply: returns the scenario with the new value; may raise ScenarioError.
        explanation: what hovering tells besides what the glossary has on the field.
    """
    show_in_widget(field, value)

    def chosen() -> None:
        new = st.session_state[field]
        change(lambda before: apply(before, new))

    st.selectbox(
        LABELS[field],
        list(options),
        key=field,
        format_func=lambda name: options[name][0].upper() + options[name][1:],
        on_change=chosen,
        help=field_help(field, explanation),
    )


def view_choice(
    field: str,
    label: str,
    value: Any,
    options: Sequence[Any],
    name: Callable[[Any], str],
    *,
    key: str,
    shows_label: bool = True,
) -> None:
    """Draw a choice for a field of the view, all options in sight.

    Args:
        field: the view's field.
        label: what is chosen.
        value: the current one.
        options: its values.
        name: returns the words for one.
        key: the widget's identity.
        shows_label: whether the label is for more than screen readers.
    """
    show_in_widget(key, value)
    st.segmented_control(
        label,
        options,
        key=key,
        required=True,
        wrap=True,
        format_func=name,
        on_change=change_view,
        args=(lambda: {field: st.session_state[key]},),
        label_visibility="visible" if shows_label else "collapsed",
        help=field_help(field),
    )
