"""Tests of what an attacker gains."""
