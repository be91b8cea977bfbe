"""What it would change in a plan to draw each series by a coin of its own."""

from functools import partial

import streamlit as st

from dpviz.planning.plan import Planned, plan
from dpviz.planning.ways import by_coins
from dpviz.scenario import Scenario, to_json
from dpviz.ui.act_button import act_button
from dpviz.ui.compute import known_curves
from dpviz.ui.filling import Filled, fill_in, together
from dpviz.ui.shared import Part
from dpviz.ui.state import change
from dpviz.wording.plan import coins_sentence

_SIGMA = "noise_multiplier"


def draw_coins(planned: Planned) -> Filled:
    """Draw epsilon with coins, all else the same, and the noise that the goal then needs."""
    assert planned.found is not None  # there is a plan to change
    before = planned.found.scenario
    changed = by_coins(before)
    if changed is None:
        return Filled(results=())
    needed = Part(
        key=f"plan {_SIGMA} {planned.goal!r} {to_json(changed)}",
        compute=partial(plan, changed, _SIGMA, planned.goal),
    )
    known, noise = known_curves([before, changed]), fill_in([needed])
    of_plan, of_coins = known.curves
    assert of_plan is not None  # the first is there at once
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(coins_sentence(of_plan, of_coins, noise.results[0]), width="stretch")
        act_button(
            "Adopt",
            partial(_adopt, changed),
            key="adopt_coins",
            means=to_json(changed),
            explains="Makes this the current settings; what is left open is then searched anew.",
        )
    return together(known.filled, noise)


def _adopt(scenario: Scenario) -> None:
    change(lambda _: scenario)
