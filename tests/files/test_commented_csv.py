"""A table with comments is read as it was written."""

from dpviz.files.commented_csv import commented_csv, comments_in, rows_in, said_above

ABOUT = ["seed: 1", "note: a: b", "remark: one", "remark: two"]


def test_comments_and_rows_are_read_as_they_were_written():
    text = commented_csv(ABOUT, ["a", "b"], [[0.1, None], ["x, y", "# 1"]])
    assert comments_in(text) == ABOUT
    assert said_above(text) == {"seed": "1", "note": "a: b", "remark": "two"}
    assert rows_in(text) == [{"a": "0.1", "b": ""}, {"a": "x, y", "b": "# 1"}]
