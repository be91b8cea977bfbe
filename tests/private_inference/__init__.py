"""Tests of hidden contexts."""
