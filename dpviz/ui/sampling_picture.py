"""Draw the live picture of sampling, which the browser plays without asking the server."""

import json

import streamlit as st

from dpviz.figures.sampling_picture import picture_scenarios, sampling_picture
from dpviz.planning.proven import ProvenEpsilon
from dpviz.ui.compute import epsilon_parts
from dpviz.ui.filling import Filled, fill_in
from dpviz.ui.static_files import module_loader


def draw_sampling_picture() -> Filled[ProvenEpsilon]:
    """Draw the picture with the bounds that are known; return what is still to come."""
    filled = fill_in(epsilon_parts(picture_scenarios()))
    picture = st.components.v2.component(
        "dpviz_sampling_picture", js=module_loader("picture", "drawPicture"), isolate_styles=False
    )
    told = json.dumps(sampling_picture(filled.results), ensure_ascii=False)
    picture(key="sampling_picture", data=told.encode())
    return filled
