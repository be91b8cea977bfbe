"""Pages bring choices of their own: checked, and found with those of all others."""

from dataclasses import dataclass

import pytest

from dpviz.scenario import ScenarioError
from dpviz.settings.setting import ViewPart, choice, number, text


def shouted(name, value):
    if not value:
        raise ScenarioError(name, value, "it must not be empty")
    return value.upper()


@dataclass(frozen=True, kw_only=True)
class ClockView(ViewPart):
    """Of a page that there is not."""

    hands: str = choice("two", {"two": "as usual", "three": "with seconds"}, "Hands")
    hours: int = number(12, (1, 24), "Hours")


@dataclass(frozen=True, kw_only=True)
class WholeView(ClockView):
    """Of all pages."""

    share: float = number(0.5, (0.0, 1.0), "Share")
    name: str = text("noon", shouted, "Name")


@pytest.mark.parametrize(
    "wrong", [{"hands": "four"}, {"hours": 25}, {"hours": 1.5}, {"share": 1.5}, {"name": ""}]
)
def test_what_any_part_forbids_is_refused_by_its_name(wrong):
    with pytest.raises(ScenarioError) as raised:
        WholeView(**wrong)
    assert raised.value.field == next(iter(wrong))


def test_what_is_allowed_is_kept_as_its_check_returns_it():
    view = WholeView(hours=3.0, share=1, name="tea", hands="three")
    assert (view.hours, view.share, view.name, view.hands) == (3, 1.0, "TEA", "three")
    assert isinstance(view.hours, int)
