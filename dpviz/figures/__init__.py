"""From tables and curves to Plotly figures; no mathematics and no streamlit here."""

from dpviz.figures.privacy_curve import privacy_curve
from dpviz.figures.spec import figure_json

__all__ = ["figure_json", "privacy_curve"]
