"""What counts as the answer to a move, and how many waited how long."""

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from bench.load.tables import table_of_answers
from dpviz.rehearsal.answers import Record, Waiting, percentile


def begin():
    message = ForwardMsg()
    message.new_session.page_script_hash = "page"
    return message


def new_link():
    message = ForwardMsg()
    message.page_info_changed.query_string = "noise=2"
    return message


COARSE = ForwardMsg(script_finished=ForwardMsg.FINISHED_EARLY_FOR_RERUN)
WHOLE = ForwardMsg(script_finished=ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


def heard(waiting, *messages):
    for now, message in messages:
        waiting.heard(message, now)


def test_coarse_answer_comes_before_the_complete_one():
    waiting = Waiting(Record())
    waiting.moved(10.0)
    heard(waiting, (10.1, begin()), (10.25, COARSE), (10.3, begin()))
    assert not waiting.is_over
    heard(waiting, (11.0, WHOLE))
    assert waiting.is_over
    assert waiting.record.answers == pytest.approx([0.25])
    assert waiting.record.completes == pytest.approx([1.0])
    assert waiting.record.runs == 2


def test_headline_is_the_answer_and_nobody_waits_for_what_is_filled_in():
    waiting = Waiting(record := Record())
    waiting.heard(begin(), 0.0)
    waiting.moved(1.0)
    waiting.heard(begin(), 1.5)
    waiting.heard(ForwardMsg(), 1.8)
    assert record.answers == []
    waiting.heard(ForwardMsg(), 2.0, is_headline=True)
    assert (record.answers, record.completes) == ([1.0], [])
    waiting.heard(WHOLE, 9.0)
    assert (record.answers, record.completes) == ([1.0], [8.0])


def test_headline_of_a_run_that_began_before_the_move_is_not_its_answer():
    waiting = Waiting(record := Record())
    waiting.moved(0.0)
    waiting.heard(begin(), 0.5)
    waiting.moved(1.0)
    waiting.heard(ForwardMsg(), 1.5, is_headline=True)
    waiting.heard(begin(), 2.0)
    waiting.heard(ForwardMsg(), 2.5, is_headline=True)
    assert record.answers == []  # the next of a chain may not know of it
    waiting.heard(new_link(), 3.0)
    waiting.heard(ForwardMsg(), 4.0, is_headline=True)
    assert record.answers == [4.0, 3.0]


def test_run_that_began_before_the_move_is_not_its_answer():
    waiting = Waiting(Record())
    waiting.moved(0.0)
    heard(waiting, (0.1, begin()))
    waiting.moved(2.0)
    heard(waiting, (2.1, WHOLE))
    assert waiting.record.answers == []
    heard(waiting, (2.2, begin()), (2.5, WHOLE))
    assert waiting.record.answers == pytest.approx([2.5, 0.5])
    assert waiting.record.completes == pytest.approx([0.5])
    assert waiting.record.overtaken == 1


def test_next_run_of_a_chain_is_no_answer_to_a_move_that_it_does_not_know():
    waiting = Waiting(Record())
    waiting.moved(0.0)
    heard(waiting, (0.1, begin()), (0.2, COARSE))
    waiting.moved(2.0)
    heard(waiting, (2.1, begin()), (2.2, COARSE))
    assert waiting.record.answers == pytest.approx([0.2])
    heard(waiting, (2.3, begin()), (2.3, new_link()), (2.4, COARSE))
    assert waiting.record.answers == pytest.approx([0.2, 0.4])


def test_answer_that_does_not_come_is_an_error_and_waited_for_no_longer():
    waiting = Waiting(Record())
    waiting.moved(5.0)
    assert waiting.since == 5.0
    waiting.give_up("no answer")
    assert waiting.is_over
    assert waiting.since == float("inf")
    assert waiting.record.errors == ["no answer"]


@pytest.mark.parametrize(("share", "value"), [(0.5, 3), (0.95, 5), (0.2, 1), (0.21, 2), (1, 5)])
def test_percentile_is_a_value_that_was_measured(share, value):
    assert percentile([5, 1, 4, 2, 3], share) == value


@pytest.mark.parametrize(("values", "share"), [([], 0.5), ([1.0], 0), ([1.0], 1.5)])
def test_percentile_of_nothing_is_refused(values, share):
    with pytest.raises(ValueError, match="no value lies at"):
        percentile(values, share)


def test_table_has_each_page_all_pages_and_the_errors():
    pages = {"": Record(), "planner": Record(answers=[0.2, 0.4], moves=2, errors=["lost"] * 2)}
    lines = table_of_answers(pages).splitlines()
    assert [line.split()[0] for line in lines[2:5]] == ["start", "planner", "all"]
    assert "200     400" in lines[3]
    assert lines[5] == "error, 2 times: lost"
