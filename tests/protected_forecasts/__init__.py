"""Tests of series that are protected themselves, and of forecasts made of them."""
