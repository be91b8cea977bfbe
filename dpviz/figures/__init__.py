"""Charts as plain data, without Streamlit."""

from dpviz.figures.bands import Band, Shade, bands_chart
from dpviz.figures.spec import figure_json

__all__ = ["Band", "Shade", "bands_chart", "figure_json"]
