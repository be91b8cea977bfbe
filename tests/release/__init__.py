"""Releasing one series."""
