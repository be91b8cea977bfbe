"""``python -m dpviz multistage``: what it answers, and what it refuses."""

import pytest

TWO_LEVELS = ("--level", "5:20", "--level", "1:10")
RUN = (*TWO_LEVELS, "--noise-multiplier", "2", "--episodes", "100")


def test_answers_with_rate_delta_and_their_meaning(answer_of):
    found = answer_of("multistage", *RUN, "--reading", "sound", "--epsilon", "0.5", "1")
    assert found["rate"] == 0.025
    assert found["delta"] == sorted(found["delta"], reverse=True)
    assert found["is_sound"]
    for least, delta, (low, high) in zip(
        found["lower"]["delta"], found["delta"], found["bracket"], strict=True
    ):
        assert max(least, low) <= delta == high


def test_sound_is_the_default_and_printed_is_called_a_claim(answer_of):
    sound = answer_of("multistage", *RUN, "--epsilon", "1")
    printed = answer_of("multistage", *RUN, "--epsilon", "1", "--reading", "printed")
    assert sound["reading"] == "sound"
    assert printed["delta"][0] < sound["lower"]["delta"][0]
    assert (printed["is_sound"], printed["kind"], printed["lower"]) == (False, "claim", None)
    assert "NOT A BOUND" in printed["notes"][0]
    assert sound["notes"][0] in printed["notes"]  # nor is what rounds it up to 1e-16 its value


def test_one_episode_has_the_known_values(answer_of):
    one = ("--level", "1:2", "--noise-multiplier", "1", "--epsilon", "1")
    sound = answer_of("multistage", *one)
    assert sound["one_episode"]["amplified_delta"][0] == pytest.approx(0.2549, abs=5e-5)
    at = str(sound["one_episode"]["amplified_epsilon"][0])
    again = answer_of("multistage", "--level", "1:2", "--noise-multiplier", "1", "--epsilon", at)
    assert again["delta"][0] == pytest.approx(0.25493, abs=1e-5)
    assert again["kind"] == "tight"
    assert not any("differ in size" in note for note in again["notes"])


def test_lower_bound_is_said_to_be_of_units_that_all_have_these_sizes(answer_of):
    """Of [[4,2,3],[4,5]] the smallest sizes have an eta of 1/8, and no record more than 1/12."""
    rest = ("--noise-multiplier", "1", "--epsilon", "1")
    smallest = answer_of("multistage", "--level", "1:2", "1:2", "1:2", *rest)
    tree = answer_of("multistage", "--tree", "[[4,2,3],[4,5]]", "--drawn", "1", "1", "1", *rest)
    assert smallest["lower"]["delta"][0] > tree["delta"][0]
    assert "only the upper bound holds" in smallest["notes"][-1]
    assert not any("differ in size" in note for note in tree["notes"])
    # Beside the tree's rate its levels would tell another one.
    assert (tree["levels"], tree["rate"]) == ("1:2,1:2,1:2", 1 / 12)
    assert "rate is the largest chance of one record" in tree["notes"][-1]


def test_levels_may_follow_one_option(answer_of):
    both = answer_of("multistage", "--level", "5:20", "1:10", *RUN[4:], "--epsilon", "1")
    assert both == answer_of("multistage", *RUN, "--epsilon", "1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--level is needed"),
        (("--level", "6:5"), "--level 6:5 is not allowed: it must be from 1 to 5 units"),
        (("--level", "0:5"), "--level 0:5 is not allowed: it must be from 1 to 5 units"),
        (("--level", "5"), "--level 5 is not allowed: it must be DRAWN:SIZE"),
        (("--level", "1:2,1:3"), "--level 1:2,1:3 is not allowed"),
        (("--level", *["1:2"] * 6), "it must be 1 to 5 levels"),
        (("--level", "1:100000", "1:100000"), "takes a record with probability 1e-09 at least"),
        (("--levels", "1:2"), "the nearest is --level"),
        (("--flat",), "no such option for multistage"),
    ],
)
def test_bad_input_is_named_with_what_is_allowed(arguments, said, refusal_of):
    assert said in refusal_of("multistage", *arguments, *RUN[4:], "--epsilon=1")


def test_a_tree_of_unequal_units_has_less_than_its_least_sizes(answer_of):
    """Example 3.1 of Tombs et al., with two records of the last unit."""
    rest = ("--noise-multiplier", "4", "--episodes", "10", "--epsilon", "1")
    tree = answer_of("multistage", "--tree", "[[4,2,3],[4,5]]", "--drawn", "1", "1", "2", *rest)
    levels = ("--level", "1:2", "--level", "1:2", "--level", "2:2")
    least = answer_of("multistage", *levels, *rest)
    assert (tree["rate"], least["rate"]) == (pytest.approx(1 / 6), 0.25)
    assert tree["delta"][0] < least["delta"][0]
    assert tree["levels"] == least["levels"]
