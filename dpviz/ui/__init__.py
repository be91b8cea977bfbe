"""The only part of dpviz that knows Streamlit: state, controls, cache, charts and texts."""
