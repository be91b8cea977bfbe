"""Charts as plain data, without Streamlit."""

from dpviz.figures.band_lines import Band
from dpviz.figures.bands import Shade, bands_chart
from dpviz.figures.spec import figure_json

__all__ = ["Band", "Shade", "bands_chart", "figure_json"]
