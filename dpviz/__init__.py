"""dpviz: the privacy of forecasting models trained with structured subsampling."""

__version__ = "0.1.0"
