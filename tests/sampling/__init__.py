"""Tests of dpviz.sampling."""
