"""Tests of dpviz.multistage."""
