"""Charts as plain data, without Streamlit."""

from dpviz.figures.parts import figure_json
from dpviz.figures.privacy_curve import Band, Shade, bands_chart, styled_bands

__all__ = ["Band", "Shade", "bands_chart", "figure_json", "styled_bands"]
