"""Tests of :mod:`dpviz.rehearsal`."""
