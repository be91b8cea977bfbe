"""Forecasts whose context is hidden: windows thinned out and noised before the model sees them."""
