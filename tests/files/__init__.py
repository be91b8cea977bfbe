"""Tests of :mod:`dpviz.files`."""
