"""dpviz: the privacy of forecasting models trained with structured subsampling."""

__version__ = "1.1.0"
