"""The settings of the pages that compare ways of sampling: the same, in one order."""

from dpviz.ui import controls
from dpviz.ui.data_controls import FOLDED
from dpviz.ui.state import Control


def comparison_settings(
    *own: Control,
    rates: tuple[Control, ...] = (controls.rate_controls,),
    sampling: tuple[Control, ...] = (controls.sampling_controls,),
    folded: tuple[Control, ...] = FOLDED,
) -> tuple[Control, ...]:
    """Return the controls of a page.

    Args:
        own: what the page adds, on top.
        rates: how often a secret is in a batch, where the page asks for nothing in its place.
        sampling: how batches are drawn, without what the page itself compares.
        folded: what is set once and seldom changed.
    """
    return (
        controls.preset_control,
        *own,
        *rates,
        controls.noise_control,
        controls.training_control,
        *sampling,
        *folded,
    )
