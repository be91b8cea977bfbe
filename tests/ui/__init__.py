"""Tests of what the pages share, without a browser and where possible without Streamlit."""
