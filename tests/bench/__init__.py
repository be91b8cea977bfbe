"""Tests of the measurements' own logic."""
