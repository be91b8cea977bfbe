"""Charts as plain data, without Streamlit."""

from dpviz.figures.privacy_curve import Band, Shade, bands_chart
from dpviz.figures.spec import figure_json

__all__ = ["Band", "Shade", "bands_chart", "figure_json"]
