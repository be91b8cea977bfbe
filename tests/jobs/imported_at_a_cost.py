"""A module whose import needs much memory."""

from tests.jobs import tasks

tasks.fill(400)
MADE = "whole"
