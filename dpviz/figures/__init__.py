"""From tables and curves to Plotly figures; no mathematics and no streamlit here."""

from dpviz.figures.privacy_curve import privacy_curve

__all__ = ["privacy_curve"]
