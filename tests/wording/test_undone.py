"""Changes that were taken back, and messages, call the fields what the page calls them."""

import re
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from dpviz.scenario import PRESETS
from dpviz.scenario.fields import FIELD_NAMES
from dpviz.scenario.ledger import LEDGER_PARAMETERS
from dpviz.settings import SETTINGS, View
from dpviz.settings.history import Settings, Undone
from dpviz.settings.pages import CHANGEABLE
from dpviz.wording.setting_values import labelled, undone_sentence
from tests.scenario.changes import TOY, varied
from tests.settings.random_states import random_scenario, random_view
from tests.settings.view_choices import OTHERS


def told(before, after, *, page="Privacy curve", here="Privacy curve"):
    return undone_sentence(Undone(page=page, left=after, now=before), here)


def settings(scenario=TOY, **view):
    return Settings(scenario=scenario, view=View(**view))


@pytest.mark.parametrize(
    ("view", "words"),
    [
        (
            {"release_way": "filter-subsample-exact"},
            "from filtered, exact back to kept steps, exac",
        ),
        ({"staged_levels": "1:2,3:2000"}, "Levels, from 1 of 2, 3 of 2,000 back to 5 of 64, 1"),
        ({"free_quantity": "training"}, "from training length back to noise σ."),
        ({"prior": 0.5000000001}, "from 0.5000000001 back to 0.5."),
    ],
)
def test_choices_are_told_in_words_and_numbers_apart(view, words):
    assert words in told(settings(), settings(**view))


LOUDER = varied(TOY, noise_multiplier=2.0)
IN_EPOCHS = varied(TOY, epochs=7)
LEDGER = LEDGER_PARAMETERS[0]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (settings(LOUDER), "Noise multiplier σ, from 2 back to 1."),
        (settings(**{LEDGER: OTHERS[LEDGER]}), "The ledger, from 1 run back to 0 runs."),
        (
            settings(TOY.with_rates(bottom_rate=0.5)),
            "What r and ρ follow from, from rates set by hand back to the data's shape.",
        ),
        (settings(IN_EPOCHS), "Training length, from 7 epochs (70 steps) back to 1,000 steps."),
    ],
)
def test_what_is_one_change_is_told_as_one(changed, said):
    assert told(settings(), changed) == f"Undone: {said}"


def test_a_change_is_told_with_its_page_its_direction_and_how_many_more_there_are():
    again = undone_sentence(
        Undone(page="", left=settings(), now=settings(LOUDER)), "", is_again=True
    )
    assert again == "Done again: Noise multiplier σ, from 1 to 2."
    said = told(settings(), settings(staged_noise=2.0), page="multistage")
    assert said.startswith("Undone on Sampling in stages: Noise multiplier σ on an episode's sum, ")
    said = told(settings(), settings(PRESETS["traffic"].scenario))
    assert said.count("; ") == 3
    assert said.endswith(" more settings.")


def test_what_nobody_had_chosen_is_told_as_unanswered():
    """It was told by a value that stood behind the empty box, and that nobody had set."""
    still_open = Settings(
        scenario=TOY, view=View(), unchosen=frozenset({"batch_size", "training", "relation_width"})
    )
    answered = replace(
        still_open,
        scenario=varied(TOY, batch_size=10),
        unchosen=frozenset({"relation_width", "training"}),
    )
    assert told(still_open, answered) == "Undone: Batch size Λ, from 10 back to unanswered."
    same = replace(still_open, unchosen=frozenset({"batch_size", "relation_width"}))
    said = told(still_open, same)
    assert said == "Undone: Training length, from 1,000 steps back to unanswered."


def test_a_file_of_equal_number_and_lengths_is_told_as_another():
    one, other = (replace(settings(), file=[7]) for _ in range(2))
    assert told(one, other) == "Undone: whose series the settings are for."


def test_every_setting_of_every_page_has_words():
    for name in CHANGEABLE:
        said = told(settings(), settings(**{name: OTHERS[name]}))
        assert " back to " in said, name
        assert "_" not in said.replace("L_", "").replace("σ_", "").replace("N_", ""), name


def test_every_field_of_a_scenario_has_a_name():
    unnamed = {name for name in FIELD_NAMES - {"schema"} if name not in SETTINGS}
    assert unnamed == set()


def test_any_change_of_two_hundred_is_told_in_one_line():
    draw = Random(20_261_122)
    states = [Settings(scenario=random_scenario(draw), view=random_view(draw)) for _ in range(201)]
    for before, after in pairwise(states):
        said = told(before, after)
        assert said.startswith("Undone: ")
        assert len(said) < 500


@pytest.mark.parametrize(
    "message",
    [
        "it needs a number of steps and epochs, and a delta.",
        "batch_size_limit: it is missing; see my_batch_size.",
    ],
)
def test_ordinary_words_and_longer_names_stay_as_they_are(message):
    assert labelled(message) == message


def test_both_words_of_a_choice_are_told_as_on_pages():
    message = "relation = 'event' is not allowed: run 'b' has it and run 'a' has user, but"
    said = labelled(message)
    assert said.endswith("run 'a' has “values anywhere”, but")
    assert "“values in a row” is not allowed" in said
    assert "= “windows drawn from one bag” is" in labelled("top_level = 'flat' is not allowed: no.")


def test_every_name_with_an_underscore_is_known_wherever_it_stands():
    for name, setting in SETTINGS.items():
        if re.fullmatch("[a-z]+(_[a-z]+)+", name):
            assert labelled(f"Wrong: {name}.") == f"Wrong: {setting.called}."
