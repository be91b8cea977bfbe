"""What bounds rest on can be read where they are named."""

import re

from dpviz.ui.static_files import file_in_memory
from dpviz.wording.theorems import SECTIONS, section_anchor


def test_each_proposition_of_our_own_leads_to_its_proof(open_page):
    told = open_page("", page="theorems").said
    address = "app/static/docs/tighter-bounds.md"
    proven = file_in_memory({"path": f"/{address}", "method": "GET", "headers": []}).body.decode()
    anchors = {section_anchor(section) for some in SECTIONS.values() for section in some}
    own = {anchor for anchor in anchors if re.fullmatch(r"proposition-\d+", anchor)}
    assert set(re.findall(rf"\[Proof\]\({address}#([^)]+)\)", told)) == own
    assert own == set(re.findall(r'<p id="([^"]+)">', proven))
