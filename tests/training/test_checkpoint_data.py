"""A seeded run goes on with the data that it began with, and with no others."""

import json
from dataclasses import replace

import numpy as np
import pytest

from dpviz.training.checkpoint import FILE_NAME, CheckpointError
from dpviz.training.panel import Panel
from dpviz.training.run import trained
from dpviz.training.split import split
from tests.training.runs import CONTEXT, FORECAST, PANEL, PARTS, settings


def edited(series: int, place: int) -> Panel:
    """Return the panel with one value changed by a little."""
    changed = [values.copy() for values in PANEL.series]
    changed[series][place] = np.nextafter(changed[series][place], np.inf)
    return replace(PANEL, series=tuple(changed))


@pytest.mark.parametrize("place", [0, -3, -1], ids=["trained on", "held out", "test"])
def test_a_seeds_noise_is_not_used_on_other_data(place, tmp_path):
    """The difference of two models with one noise is that of their data."""
    trained(settings(), PANEL, checkpoints=tmp_path)
    before = (tmp_path / FILE_NAME).read_bytes()
    with pytest.raises(CheckpointError, match=r"the same seed on other data: .* another folder"):
        trained(settings(), edited(7, place), checkpoints=tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_without_a_seed_a_checkpoint_tells_nothing_of_single_values(tmp_path):
    """A digest would show whoever guesses all values that the guess is right; noise is fresh."""
    trained(settings(seed=None), PANEL, checkpoints=tmp_path)
    with np.load(tmp_path / FILE_NAME) as file:
        assert json.loads(str(file["told"]))["identity"]["data"] is None
    result = trained(settings(seed=None), edited(7, 0), checkpoints=tmp_path)
    assert result.steps == 12


def test_a_digest_tells_where_one_series_ends_and_the_next_begins():
    """The same values cut otherwise are other data."""
    ends = (20, 24), (24, 20)
    values = np.arange(44.0)
    found = set()
    for lengths in ends:
        panel = Panel(
            series=(values[: lengths[0]], values[lengths[0] :]), names=("a", "b"), period=4
        )
        found.add(split(panel, CONTEXT, FORECAST).digest())
    assert len({*found, PARTS.digest()}) == 3
    assert PARTS.digest() == split(PANEL, CONTEXT, FORECAST).digest()
