"""What somebody has set of rates stays theirs."""

from dataclasses import replace

from dpviz.scenario import PRESETS

TOY = PRESETS["toy"].scenario


def test_steps_of_an_epoch_that_were_set_stay_when_rho_moves():
    """A loader that begins anew after five steps does so at another rho, too."""
    rates = TOY.with_rates(top_rate=0.1)
    own = replace(rates, data=replace(rates.data, steps_per_epoch=5))
    there = own.with_rates(top_rate=0.09)
    assert there.steps_per_epoch == 5
    assert there.with_rates(top_rate=0.1) == own
    assert rates.with_rates(top_rate=0.05).steps_per_epoch == 20
