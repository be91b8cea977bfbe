"""The page that compares drawing series at random with walking through them."""

import pytest

from dpviz.wording.texts import without_formulas
from dpviz.wording.top_levels import INSTEAD_OF, WHAT_BINS_ASK, WHAT_COINS_ASK
from tests.pages.app import SETTINGS_PARTS, TOY, link_of
from tests.scenario.changes import varied

PAGE = KEY = "sample_or_walk"
OPEN = (*SETTINGS_PARTS, "open_certificate")
LINK = link_of(varied(TOY, steps=100))
# After one epoch walking through the series wins here, after ten epochs drawing them.
EITHER = link_of(TOY.with_rates(bottom_rate=0.5)) | {"steps": "100"}
# What the certificate is about, by what the settings have.
CERTIFICATES = {
    "without-replacement": ("drawn at random", "[Theorem 4.4]"),
    "deterministic": ("walked through", "[Theorem 4.2]"),
    "bins": ("put into bins", "[dpviz's Proposition 24]"),
}


def table(app) -> list[list[str]]:
    texts = (without_formulas(text.value) for text in app.markdown)
    text = next(text for text in texts if text.startswith("| ε at δ"))
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in text.splitlines()[2:]]


def test_table_has_every_length_whichever_is_drawn(opened):
    app = opened(EITHER | {"compared_length": "epoch"})
    rows = table(app)
    assert [row[0] for row in rows] == ["1 step", "1 epoch", "10 epochs", "the whole run"]
    assert not any("…" in cell for row in rows for cell in row)
    assert rows[1][5] == "walked wins"
    assert rows[2][5] == "drawn wins"
    # The run is ten epochs long, and told so in its own unit.
    assert rows[2][1:] == rows[3][1:]
    drawn = rows[1][1]
    most, least = drawn.split(", ")
    assert f"**{most}** (Theorem 4.4, 10 steps), **{least}** (" in app.headline
    app.act("compared_length", "step")
    assert table(app) == rows
    assert "100 training steps" in app.control("compared_length").options
    app.act("training_unit", "epochs")
    assert "10 epochs (100 steps)" in app.control("compared_length").options


@pytest.mark.parametrize("own", CERTIFICATES)
def test_a_begun_epoch_is_told_once_and_the_code_is_of_what_the_settings_have(opened, own):
    app = opened(link_of(varied(TOY, steps=105, top_level=own)), (*OPEN, "open_code"))
    said = f"{app.captions} {app.control('steps').caption}"
    assert said.count("An epoch that is begun counts whole.") == 1
    assert app.control("code_of").value == CERTIFICATES[own][0]


def test_the_same_ways_are_compared_whichever_the_settings_have(opened):
    headlines = set()
    for own in (*CERTIFICATES, "shuffled", "flat"):
        app = opened(LINK | {"top_level": own})
        app.assert_sound(KEY)
        headlines.add(app.headline)
        said = " ".join(one.value for one in app.markdown)
        assert [of for of, note in INSTEAD_OF.items() if note in said] == [
            of for of in ("shuffled", "flat") if of == own
        ]
        # The settings themselves stay as they are.
        assert app.scenario.sampling.top_level == own
        if own in CERTIFICATES:
            name, theorem = CERTIFICATES[own]
            certificate = next(one.value for one in app.markdown if "**Upper bound:**" in one.value)
            assert theorem in certificate
            label = app.keyed("expander", "open_certificate").label
            assert label == f"What these numbers rest on: {name}"
    assert len(headlines) == 1


@pytest.mark.parametrize("top_level", ["without-replacement", "bins"])
def test_rho_is_that_of_series_drawn_and_what_it_is_of_bins_stands_beside(opened, top_level):
    """Whatever way the settings have, of which this page has no control."""
    app = opened(link_of(varied(TOY, steps=100, batch_size=120, top_level=top_level)))
    rho = app.control("top_rate")
    assert rho.value == 120 / 320
    assert rho.spec["caption"].startswith("In bins it counts as 1 / 2: ")


def test_sizes_are_to_be_kept_secret_of_batches_that_vary(opened):
    for size, words in ((32, (WHAT_COINS_ASK, WHAT_BINS_ASK)), (200, (WHAT_COINS_ASK,)), (320, ())):
        said = opened(link_of(varied(TOY, steps=100, batch_size=size))).captions
        assert tuple(one for one in (WHAT_COINS_ASK, WHAT_BINS_ASK) if one in said) == words


def test_a_bag_in_epochs_is_compared_after_as_many_steps(opened):
    """An epoch of the bag has 200 steps, one over the series 10."""
    app = opened(link_of(varied(TOY, top_level="flat", epochs=1)))
    assert app.headline == opened(link_of(varied(TOY, epochs=20))).headline
