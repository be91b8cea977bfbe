"""Tests of computations in processes of their own."""
