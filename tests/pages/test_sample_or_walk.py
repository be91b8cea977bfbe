"""The page that compares drawing series at random with walking through them."""

import pytest

from tests.pages.app import TOY, link_of
from tests.scenario.changes import varied

KEY = "sample_or_walk"
# After one epoch walking through the series wins here, after ten epochs drawing them.
EITHER = link_of(TOY.with_rates(bottom_rate=0.5)) | {"steps": "100"}


@pytest.fixture
def opened(open_page):
    return lambda query=None: open_page(query, KEY)


def table(app) -> list[list[str]]:
    text = next(text.value for text in app.markdown if text.value.startswith("| ε at δ"))
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in text.splitlines()[2:]]


def test_table_has_every_length_whichever_is_drawn(opened):
    app = opened(EITHER | {"compared_length": "epoch"})
    rows = table(app)
    assert [row[0] for row in rows] == ["1 step", "1 epoch", "10 epochs", "the whole run"]
    assert not any("…" in cell for row in rows for cell in row)
    assert rows[1][5] == "walked wins"
    assert rows[2][5] == "drawn wins"
    # The run is ten epochs long.
    assert rows[2][1:] == rows[3][1:]
    drawn = rows[1][1]
    assert drawn in app.headline
    app.act("compared_length", "step")
    assert table(app) == rows


@pytest.mark.parametrize("own", ["shuffled", "flat", "bins"])
def test_compared_ways_are_the_same_whichever_the_settings_have(opened, own):
    scenario = varied(TOY, top_level=own)
    app = opened(link_of(scenario) | {"steps": "100"})
    app.assert_sound(KEY)
    assert app.headline == opened(link_of(TOY) | {"steps": "100"}).headline
    # The settings themselves stay as they are.
    assert app.scenario.sampling.top_level == own


def test_a_bag_in_epochs_is_compared_after_as_many_steps(opened):
    """An epoch of the bag has 200 steps, one over the series 10."""
    app = opened(link_of(varied(TOY, top_level="flat", epochs=1)))
    assert app.headline == opened(link_of(varied(TOY, epochs=20))).headline


def test_bins_stand_beside_the_other_ways(opened):
    app = opened(link_of(TOY) | {"steps": "100", "top_level": "bins"})
    app.assert_sound(KEY)
    assert "Put into bins: **ε ≤ " in app.headline
    assert "(dpviz's Proposition 24, 10 epochs)" in app.headline
    assert len(table(app)[0]) == 7
    certificate = next(text.value for text in app.markdown if "**Upper bound:**" in text.value)
    assert "[dpviz's Proposition 24]" in certificate
    label = app.keyed("expander", "open_certificate").label
    assert label == "What these numbers rest on: put into bins"


def test_certificate_is_about_the_way_that_the_settings_have(opened):
    app = opened(link_of(TOY) | {"steps": "100"})
    assert any("[Theorem 4.4]" in text.value for text in app.markdown)
    walk = opened(link_of(TOY) | {"steps": "100", "top_level": "deterministic"})
    certificate = next(text.value for text in walk.markdown if "**Upper bound:**" in text.value)
    assert "[Theorem 4.2]" in certificate
    # Of the two runs of this page it names the one that it is about.
    for page, name in ((app, "drawn at random"), (walk, "walked through")):
        label = page.keyed("expander", "open_certificate").label
        assert label == f"What these numbers rest on: {name}"
    # The length of the run is told in its own unit.
    assert "100 training steps" in app.control("compared_length").options
    app.act("training_unit", "epochs")
    assert "10 epochs (100 steps)" in app.control("compared_length").options


@pytest.mark.slow
def test_epochs_longer_than_any_training_are_left_out(opened):
    many = link_of(TOY) | {"steps": "10", "num_series": "1000000000", "batch_size": "4"}
    app = opened(many | {"compared_length": "epoch"})
    app.assert_sound(KEY)
    assert [row[0] for row in table(app)] == ["1 step", "the whole run"]
    assert app.control("compared_length").value == "run"
    app.act("batch_size", "1e8")  # now an epoch has ten steps
    assert [row[0] for row in table(app)][1:3] == ["1 epoch", "10 epochs"]
    assert app.control("compared_length").value == "epoch"
