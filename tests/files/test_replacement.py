"""A file is replaced whole, or not at all."""

import os
import stat

import pytest

from dpviz.files.replacement import replace_file


@pytest.mark.skipif(os.name != "posix", reason="Windows has other permissions")
def test_a_file_has_its_permissions_whatever_the_old_one_had(tmp_path):
    for mode in (0o600, 0o644):
        replace_file(tmp_path / "new", b"whole", prefix=".new-", mode=mode)
        assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == mode
    replace_file(tmp_path / "own", memoryview(b"whole"), prefix=".own-")
    assert stat.S_IMODE((tmp_path / "own").stat().st_mode) == 0o600
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == dict.fromkeys(
        ("new", "own"), b"whole"
    )


@pytest.mark.parametrize("at", ["tempfile.mkstemp", "os.fsync", "os.replace"])
def test_whatever_fails_leaves_the_old_file_alone(tmp_path, monkeypatch, at):
    (tmp_path / "file").write_bytes(b"old")

    def full(*_arguments, **_options):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(at, full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(tmp_path / "file", b"new", prefix=".new-")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]
