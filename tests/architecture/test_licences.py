"""What the app runs on is listed, under licences that go together with Apache-2.0."""

import re

from docs.licences import PAGE, all_packages, direct_requirements, licence_of

GOES_TOGETHER = re.compile(
    r"(3-clause )?(0?bsd|mit|apache|isc|psf|zlib|cc0|mpl|mozilla public license 2|python software)",
    re.IGNORECASE,
)


def goes_together(licence):
    return all(GOES_TOGETHER.match(part) for part in re.split(r" AND | OR |, ", licence))


def listed():
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")][2:]
    return {name.strip("*"): licence for name, _, licence in rows}


def test_all_that_the_app_asks_for_is_listed():
    assert direct_requirements() <= listed().keys()


def test_all_that_is_listed_goes_together_with_our_licence():
    assert [name for name, licence in listed().items() if not goes_together(licence)] == []


def test_all_that_is_installed_for_the_app_goes_together_with_our_licence():
    found = all_packages(direct_requirements())
    assert [name for name, one in found.items() if not goes_together(licence_of(one))] == []


def test_licence_that_does_not_go_together_is_found():
    for licence in ("GPL-3.0-only", "AGPL-3.0", "MIT AND GPL-2.0", "not named", "Proprietary"):
        assert not goes_together(licence)
