"""A module whose import takes long, as that of a large library on a busy machine."""

from tests.jobs import tasks

tasks.burn(1.0)
MADE = "whole"
