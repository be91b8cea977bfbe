"""Charts as plain data, without Streamlit."""

from dpviz.figures.parts import figure_json
from dpviz.figures.privacy_curve import Band, bands_chart, styled_bands

__all__ = ["Band", "bands_chart", "figure_json", "styled_bands"]
