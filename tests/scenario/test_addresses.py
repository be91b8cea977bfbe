"""Addresses of an app, which links are made of: what leads nowhere is refused."""

import pytest

from dpviz.scenario import ScenarioError
from dpviz.scenario.link import checked_address

HOSTS = (
    "localhost:8501", "127.0.0.1", "[::1]", "[2001:db8::1]:8501/app", "my_app:8501", "a.example.",
    "bücher.example", "हिन्दी.भारत", "dp.example/@team/app",
)  # fmt: skip
NOWHERE = (
    "", ":80", "a..b", "．", "*", "a,b", "a;b", "a&b", "a{b}", "a%20b", "999.1.1.1", "1.2.3.4.5",
    "[::1]b", "[::g]", "[1]", "a" * 64 + ".example", "a:0", "a:65536", "a.example/b|c",
    "me:secret@a.example", "dpviz.example@elsewhere.example",
)  # fmt: skip


@pytest.mark.parametrize("rest", HOSTS)
def test_an_address_of_a_host_is_taken(rest):
    assert checked_address("base_url", f"https://{rest}") == f"https://{rest}"


@pytest.mark.parametrize("rest", NOWHERE)
def test_what_leads_to_no_host_or_signs_somebody_in_is_refused(rest):
    with pytest.raises(ScenarioError, match="base_url"):
        checked_address("base_url", f"https://{rest}")
