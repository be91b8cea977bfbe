"""A scenario as JSON that no spreadsheet takes apart."""

import re

from dpviz.scenario import Scenario, to_json

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
# What ends a cell in one country or another, and what names a program in a formula.
_ENDS = str.maketrans({character: f"\\u{ord(character):04x}" for character in ",;|"})


def json_in_csv(scenario: Scenario) -> str:
    r"""Return the JSON of a scenario for a comment or a cell of a CSV file.

    What somebody typed must not begin a cell: a spreadsheet would compute what begins with an
    equals sign, and run what that names. JSON has another way to write the same character.

    >>> from dataclasses import replace
    >>> from dpviz.scenario import PRESETS, Units
    >>> cars = replace(PRESETS["toy"].scenario, units=Units(value_unit="cars,=1+1"))
    >>> json_in_csv(cars)[-26:]
    'e_unit": "cars\\u002c=1+1"}'
    """
    return _STRING.sub(lambda string: string[0].translate(_ENDS), to_json(scenario))
