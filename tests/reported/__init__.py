"""Tests of what the paper reports."""
