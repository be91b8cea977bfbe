"""Runs commands, and returns what they say."""

import json

import pytest

from dpviz.command_line import main
from dpviz.command_line.commands import COMMANDS
from dpviz.command_line.parser import parsed


@pytest.fixture
def text_of(capsys):
    """Return a function that runs a command without complaints and returns what it prints."""

    def run(*arguments):
        assert main([*map(str, arguments)]) == 0
        said = capsys.readouterr()
        # Nothing but how far it is.
        assert all(" of " in line for line in said.err.splitlines()), said.err
        return said.out

    return run


@pytest.fixture
def answer_of(text_of):
    """Return a function that runs a command and returns its answer for programs."""

    def run(*arguments):
        text = text_of(*arguments, "--json")
        return json.loads(text, parse_constant=lambda name: pytest.fail(name))

    return run


@pytest.fixture
def both_of():
    """Return a function that runs a command once and returns its answer and its lines."""

    def run(*arguments):
        options = parsed([*map(str, arguments)], COMMANDS)
        answer, lines = COMMANDS[options.command].run(options)
        return json.loads(json.dumps(answer, allow_nan=False)), lines

    return run


@pytest.fixture
def refusal_of(capsys):
    """Return a function that runs a command that is refused, and returns the one sentence."""

    def run(*arguments):
        assert main([*map(str, arguments)]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("dpviz: ")
        assert said.err.count("\n") == 1
        assert said.err.endswith(".\n")
        assert not said.err.endswith("..\n")
        return said.err

    return run
