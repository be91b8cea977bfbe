"""Tests of :mod:`dpviz.classroom`."""
