"""The bars of a class's votes, and the histogram of its scores."""

from dpviz.classroom.records import Scores, Tally
from dpviz.figures.classroom import scores_chart, votes_chart
from dpviz.planning.membership_game import membership_game
from dpviz.scenario import PRESETS
from dpviz.wording.classroom import scores_sentence, votes_description, votes_title


def tally(*counts, changed=0):
    return Tally(participants=9, round=len(counts), is_shown=True, counts=counts, changed=changed)


def test_letters_stand_beside_the_votes_of_their_choice():
    now = tally({"a": 5, "d": 1})
    (bars,) = votes_chart(now, "dbca")["data"]
    assert dict(zip(bars["y"], bars["x"], strict=True)) == {"A": 1, "B": 0, "C": 0, "D": 5}
    assert votes_description(now, "dbca").endswith("Votes: A: 1, B: 0, C: 0, D: 5.")


def test_the_vote_before_stands_beside_the_last_one():
    before, after = votes_chart(tally({"b": 1}, {"b": 2}, {"c": 2}), "abcd")["data"]
    assert (before["x"], after["x"]) == ([0, 2, 0, 0], [0, 0, 2, 0])
    assert [before["name"], after["name"]] == ["before", "after talking"]


def test_equal_bars_are_named_together_and_no_votes_are_said():
    assert (
        votes_title(tally({"a": 2, "c": 2, "d": 1}), "abcd") == "Most votes: A and C, 2 of 5 each"
    )
    assert votes_title(tally({}), "abcd") == "No votes"
    assert votes_title(tally({"a": 1}, {"b": 1}, changed=1), "abcd").endswith("1 of 1; 1 changed")


def test_scores_are_counted_and_the_ceiling_is_rounded_up():
    game = membership_game(PRESETS["toy"].scenario, "certain", 1)  # at most 0.8413...
    scores = Scores(finished=(3, 7, 7), playing=2)
    figure = scores_chart(scores, game)
    assert figure["data"][0]["y"] == [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]
    (line,) = figure["layout"]["shapes"]
    assert line["x0"] == line["x1"] == 10 * game.at_most.share
    assert "at most 8.42 on average" in figure["layout"]["annotations"][0]["text"]
    said = scores_sentence(scores, game)
    assert "17 of 30 rounds right, 56.7 %" in said
    assert "more often than 84.14 % in the long run (upper bound, " in said
    assert scores_sentence(Scores(finished=(), playing=2), game).startswith("Nobody")
