"""The simulated browser knows a page as the real one does, and acts as the real one does."""

import json
import random

import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from dpviz.rehearsal.page import Control, Page, other_value, trigger_identity

STOPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
TEXTS = ("0.1", "0.2", "0.5", "1", "2", "5", "10")
BRIDGE = "$$ID-0123-acts"


def run_begins(page, run, fragments=()):
    message = ForwardMsg()
    message.new_session.page_script_hash = "hash of the page"
    message.metadata.run.script_run_id = run
    message.metadata.run.fragment_ids.extend(fragments)
    page.receive(message.SerializeToString())


def run_ends(page, status=ForwardMsg.FINISHED_SUCCESSFULLY):
    page.receive(ForwardMsg(script_finished=status).SerializeToString())


def draw(page, place, component, told, fragment="explore"):
    message = ForwardMsg()
    message.metadata.delta_path.extend(place)
    message.delta.fragment_id = fragment
    element = message.delta.new_element.bidi_component
    element.component_name = component
    element.id = BRIDGE if component == "dpviz_acts" else f"$$ID-4567-{told['name']}"
    element.bytes = json.dumps(told).encode()
    page.receive(message.SerializeToString())


def draw_slider(page, place, name, shows="1", heard=0, **more):
    spec = {"kind": "number", "stops": STOPS, "text": shows, "disabled": False, **more}
    draw(page, place, "dpviz_control", {"name": name, "opening": "o", "heard": heard, **spec})


def draw_menu(page, place, name, tokens, shows=None):
    spec = {"kind": "select", "options": [[one, one.title()] for one in tokens], "value": shows}
    draw(page, place, "dpviz_control", {"name": name, "opening": "o", "heard": 0, **spec})


def answer(page, heard=0, opening="o"):
    draw(page, (0, 9), "dpviz_acts", {"opening": opening, "heard": heard})


def sent(data):
    return BackMsg.FromString(data).rerun_script


def told(data):
    """Return what a message says that the visitor did, after a look at how it is sent."""
    [state] = sent(data).widget_states.widgets
    assert state.id == _make_trigger_id(BRIDGE, "events") == trigger_identity(BRIDGE)
    [event] = json.loads(state.json_trigger_value)
    assert event["event"] == "acts"
    return event["value"]


def shown(page):
    return {control.name: page.value(control) for control in page.controls()}


@pytest.fixture
def page():
    opened = Page(address="http://127.0.0.1:1/curve", name="curve", query="noise=1")
    run_begins(opened, "first")
    draw_slider(opened, (0, 0), "noise")
    draw_menu(opened, (0, 1), "scheme", ("walk", "sample"), "sample")
    answer(opened)
    run_ends(opened)
    return opened


def test_first_question_names_the_page_and_its_link():
    first = sent(
        Page(address="http://127.0.0.1:1/curve", name="curve", query="noise=1").first_message()
    )
    assert (first.page_name, first.query_string, first.page_script_hash) == ("curve", "noise=1", "")
    assert first.context_info.url == "http://127.0.0.1:1/curve?noise=1"


def test_move_sends_an_act_through_the_bridge_and_its_fragment(page):
    data = page.set(page.controls()[0], "2")
    assert told(data) == {
        "opening": "o",
        "acts": [{"number": 1, "name": "noise", "value": "2", "gesture": 1}],
    }
    asked = sent(data)
    assert asked.fragment_id == "explore"
    assert (asked.page_name, asked.page_script_hash) == ("", "hash of the page")


def test_what_no_run_has_answered_is_sent_again(page):
    noise, scheme = page.controls()
    page.set(noise, "2")
    acts = told(page.set(scheme, "walk"))["acts"]
    assert [(act["number"], act["name"]) for act in acts] == [(1, "noise"), (2, "scheme")]
    answer(page, heard=1)
    acts = told(page.set(noise, "5"))["acts"]
    assert [(act["number"], act["value"]) for act in acts] == [(2, "walk"), (3, "5")]


def test_control_shows_what_was_done_until_that_is_answered(page):
    page.set(page.controls()[0], "2")
    run_begins(page, "second")
    draw_slider(page, (0, 0), "noise", "0.1")
    assert shown(page)["noise"] == "2"
    draw_slider(page, (0, 0), "noise", "10", heard=1)
    assert shown(page)["noise"] == "10"


def test_another_opening_voids_what_was_done(page):
    page.set(page.controls()[0], "2")
    answer(page, opening="other", heard=7)
    assert shown(page)["noise"] == "1"
    message = told(page.set(page.controls()[0], "5"))
    assert (message["opening"], [act["number"] for act in message["acts"]]) == ("other", [8])


def test_what_can_be_said_of_each_kind_of_control(page):
    draw_slider(page, (0, 2), "fixed", disabled=True)
    draw_slider(page, (0, 3), "typed", stops=[])
    common = {"opening": "o", "heard": 0}
    options = {"options": [["a", "A"], ["b", "B"]], "value": "a"}
    for at, more in enumerate((
        {"kind": "segments", **options},
        {"kind": "segments", "multiple": True, **options, "value": ["a"]},
        {"kind": "toggle", "value": False},
        {"kind": "button", "means": ""},
        {"kind": "text", "value": ""},
    )):  # fmt: skip
        draw(page, (0, 4 + at), "dpviz_control", {"name": f"of {at}", **common, **more})
    offered = {control.name: control.options for control in page.controls()}
    assert offered == {
        "noise": TEXTS,
        "scheme": ("walk", "sample"),
        "of 0": ("a", "b"),
        "of 1": (["a"], ["b"]),
        "of 2": (False, True),
    }


def test_what_a_fragment_does_not_draw_again_goes_and_the_rest_stays(page):
    draw(page, (0, 2), "dpviz_control", {
        "name": "preset", "opening": "o", "heard": 0, "kind": "toggle", "value": True,
    }, fragment="")  # fmt: skip
    run_begins(page, "second", ["explore"])
    draw_slider(page, (0, 0), "noise")
    run_ends(page, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
    assert shown(page) == {"noise": "1", "preset": True}


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
    for now in TEXTS:
        moved = {other_value(noise, now, rng) for _ in range(99)}
        assert moved == set(TEXTS) - {now}
    many = Control("many", "number", tuple(map(str, range(100))))
    moved = {int(other_value(many, "50", rng)) for _ in range(999)}
    assert moved == set(range(35, 66)) - {50}
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


def draw_game(page, round_):
    for at, name in enumerate(("game_n", "game_y", "game_anew")):
        spec = {"kind": "button", "means": f"code {round_}", "disabled": False}
        place = (1, at)
        draw(page, place, "dpviz_control", {"name": name, "opening": "o", "heard": round_, **spec})
    answer(page, heard=round_)


def test_game_is_answered_where_there_is_no_slider(page):
    draw_game(page, 0)
    (act,) = told(page.move(random.Random(1), one_slider=True))["acts"]
    assert act["name"] == "noise"
    game = Page(address="http://127.0.0.1:1/game", name="game")
    run_begins(game, "first")
    said = set()
    for round_ in range(20):
        draw_game(game, round_)
        (act,) = told(game.move(random.Random(round_), one_slider=True))["acts"]
        assert act["value"] == f"code {round_}"
        said.add(act["name"])
    assert said == {"game_y", "game_n"}
