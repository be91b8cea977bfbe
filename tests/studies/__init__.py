"""Tests of :mod:`dpviz.studies`."""
