"""What has to hold is one text, with TeX for the pages and without for all else."""

import re

from dpviz.wording.texts import assumptions_by_title, without_formulas, wording_text


def test_every_assumption_is_found_by_its_title():
    items = assumptions_by_title()
    assert len(items) == len(re.findall(r"^- ", wording_text("assumptions"), flags=re.MULTILINE))
    assert {"Clipping", "Windows", "The attacker", "Who is covered"} <= items.keys()
    assert all(text.startswith(f"**{title}") for title, text in items.items())


def test_no_formula_is_left_in_plain_letters():
    text = without_formulas(wording_text("assumptions"))
    assert not set("$\\") & set(text)
    assert "σ_C v on context values" in text
    assert "divided by the fixed batch size Λ" in text
