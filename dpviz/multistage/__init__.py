"""Sampling in several levels, and what it gains (Tombs et al.)."""
