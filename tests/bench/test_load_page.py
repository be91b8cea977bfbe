"""The simulated browser knows a page as the real one does, and asks as the real one does."""

import random

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from bench.load.page import Page, other_value

STOPS = ("0.1", "0.2", "0.5", "1", "2", "5", "10")


def run_begins(page, run, fragments=()):
    message = ForwardMsg()
    message.new_session.page_script_hash = "hash of the page"
    message.metadata.run.script_run_id = run
    message.metadata.run.fragment_ids.extend(fragments)
    page.receive(message.SerializeToString())


def run_ends(page, status=ForwardMsg.FINISHED_SUCCESSFULLY):
    page.receive(ForwardMsg(script_finished=status).SerializeToString())


def draw_slider(page, place, identity, at=3, fragment="", shows=None):
    message = ForwardMsg()
    message.metadata.delta_path.extend(place)
    message.delta.fragment_id = fragment
    slider = message.delta.new_element.slider
    slider.id = identity
    slider.options.extend(STOPS)
    slider.default.append(at)
    if shows is not None:
        slider.set_value = True
        slider.raw_value.append(shows)
    page.receive(message.SerializeToString())


def draw_menu(page, place, identity, options, at=None):
    message = ForwardMsg()
    message.metadata.delta_path.extend(place)
    menu = message.delta.new_element.selectbox
    menu.id = identity
    menu.options.extend(options)
    if at is not None:
        menu.default = at
    page.receive(message.SerializeToString())


def sent(data):
    return BackMsg.FromString(data).rerun_script


def shown(page):
    return {control.identity: page.value(control) for control in page.controls()}


@pytest.fixture
def page():
    opened = Page(address="http://127.0.0.1:1/curve", name="curve", query="noise=1")
    run_begins(opened, "first")
    draw_slider(opened, (0, 0), "noise", fragment="explore")
    draw_menu(opened, (0, 1), "scheme", ("walk", "sample"), at=1)
    run_ends(opened)
    return opened


def test_first_question_names_the_page_and_its_link():
    first = sent(
        Page(address="http://127.0.0.1:1/curve", name="curve", query="noise=1").first_message()
    )
    assert (first.page_name, first.query_string, first.page_script_hash) == ("curve", "noise=1", "")
    assert first.context_info.url == "http://127.0.0.1:1/curve?noise=1"


def test_move_sends_all_values_and_the_fragment_of_the_control(page):
    noise = page.controls()[0]
    asked = sent(page.set(noise, "2"))
    states = {state.id: state for state in asked.widget_states.widgets}
    assert list(states["noise"].string_array_value.data) == ["2"]
    assert states["scheme"].string_value == "sample"
    assert asked.fragment_id == "explore"
    assert (asked.page_name, asked.page_script_hash) == ("", "hash of the page")


def test_values_are_the_servers_where_it_sets_them_else_the_visitors(page):
    page.set(page.controls()[0], "2")
    run_begins(page, "second")
    draw_slider(page, (0, 0), "noise", at=0)
    assert shown(page)["noise"] == "2"
    draw_slider(page, (0, 0), "noise", shows="10")
    assert shown(page)["noise"] == "10"


def test_what_a_fragment_does_not_draw_again_goes_and_the_rest_stays(page):
    run_begins(page, "second", ["explore"])
    run_ends(page, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
    assert shown(page) == {"scheme": "sample"}
    assert "noise" not in page.values


def test_overtaken_run_removes_nothing(page):
    run_begins(page, "second", ["explore"])
    run_ends(page, ForwardMsg.FINISHED_EARLY_FOR_RERUN)
    assert set(shown(page)) == {"noise", "scheme"}


def test_message_that_the_browser_still_holds_is_taken_from_there(page):
    whole = ForwardMsg(hash="h")
    whole.metadata.cacheable = True
    whole.metadata.delta_path.extend((0, 2))
    whole.delta.new_element.exception.message = "no bound"
    page.receive(whole.SerializeToString())
    again = ForwardMsg(ref_hash="h")
    again.metadata.delta_path.extend((0, 3))
    page.receive(again.SerializeToString())
    assert page.exceptions == [": no bound"] * 2
    assert list(sent(page.move(random.Random(1))).cached_message_hashes) == ["h"]


def test_controls_are_moved_to_other_values_of_their_own(page):
    rng = random.Random(1)
    noise, scheme = page.controls()
    for now in STOPS:
        moved = {other_value(noise, now, rng) for _ in range(50)}
        assert moved <= set(STOPS) - {now}
        assert all(abs(STOPS.index(value) - STOPS.index(now)) <= 3 for value in moved)
    assert other_value(scheme, "walk", rng) == "sample"
    assert other_value(scheme, None, rng) in ("walk", "sample")


def test_page_without_controls_has_no_move():
    assert Page(address="http://127.0.0.1:1/", name="").move(random.Random(1)) is None


def test_sentence_in_the_answers_block_is_the_headline(page):
    message = ForwardMsg()
    message.metadata.delta_path.extend((0, 2))
    message.delta.add_block.vertical.SetInParent()
    message.delta.add_block.id = "$$ID-0123-answer"
    page.receive(message.SerializeToString())
    assert not page.has_new_headline
    message = ForwardMsg()
    message.metadata.delta_path.extend((0, 2, 0))
    message.delta.new_element.markdown.body = "epsilon is at most 1"
    page.receive(message.SerializeToString())
    assert page.has_new_headline
    draw_slider(page, (0, 3), "another")
    assert not page.has_new_headline
