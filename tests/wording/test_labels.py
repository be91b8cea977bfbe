"""Messages call the fields what the page calls them."""

import re

import pytest

from dpviz.settings import SETTINGS
from dpviz.wording.labels import labelled


def test_the_field_in_front_and_those_that_it_depends_on_are_labelled():
    message = "num_subsequences = 40 is not allowed: it must be at most batch_size (32)."
    assert labelled(message) == (
        "Windows per series λ = 40 is not allowed: it must be at most Batch size Λ (32)."
    )


@pytest.mark.parametrize(
    "message",
    [
        "it needs a number of steps and epochs, and a delta.",
        "batch_size_limit: it is missing; see my_batch_size.",
    ],
)
def test_ordinary_words_and_longer_names_stay_as_they_are(message):
    assert labelled(message) == message


def test_every_name_with_an_underscore_is_known_wherever_it_stands():
    for name, setting in SETTINGS.items():
        if re.fullmatch("[a-z]+(_[a-z]+)+", name):
            assert labelled(f"Wrong: {name}.") == f"Wrong: {setting.called}."
