"""What is said of the paper's tables of hidden contexts."""

from dpviz.reported.table import TABLES
from dpviz.wording.private_inference import paper_note


def test_a_remark_on_the_print_is_said_once_and_as_a_sentence():
    said = paper_note(TABLES["12"])
    assert said.count("printed equal to the means") == 1
    assert said.endswith("printed equal to the means: a slip, most likely.")
