"""A training script spends no privacy on a model that it cannot keep, and names what it lacks."""

import json

import pytest

from dpviz.export.training_script import training_script
from tests.export.training_scripts import SMALL, loaded, run, series_of

pytest.importorskip("resource", reason="limits of this kind are for Unix")
from tests.faults.disks import short_files


@pytest.fixture
def module():
    return loaded(SMALL, "numpy")


def test_no_batch_is_drawn_where_the_model_cannot_be_saved(module, tmp_path, monkeypatch):
    def draw(*_arguments, **_options):
        pytest.fail("a batch was drawn")

    monkeypatch.setattr(module, "windows", draw)
    with short_files(10), pytest.raises(OSError, match="File too large"):
        module.train(series_of(SMALL), tmp_path / "model")
    assert list((tmp_path / "model").iterdir()) == []


def test_disk_that_filled_up_meanwhile_leaves_what_was_spent_and_all_to_save_the_model_later(
    module, tmp_path, monkeypatch
):
    saved = module.save

    def save(model, folder, *, is_trial=False):
        if is_trial:
            saved(model, folder, is_trial=True)
            return
        with short_files(10):
            saved(model, folder)

    monkeypatch.setattr(module, "save", save)
    with pytest.raises(OSError, match="File too large"):
        module.train(series_of(SMALL), tmp_path)
    before = json.loads((tmp_path / "privacy.json").read_text())
    assert (before["steps"], before["is_finished"]) == (SMALL.num_steps, False)
    assert not (tmp_path / "model.npz").exists()
    monkeypatch.setattr(module, "save", saved)
    module.train(series_of(SMALL), tmp_path)
    after = json.loads((tmp_path / "privacy.json").read_text())
    assert after == before | {"is_finished": True}
    assert (tmp_path / "model.npz").exists()


def test_folder_that_cannot_be_written_is_named_in_a_sentence(tmp_path):
    (tmp_path / "taken").write_text("a file where the folder should be")
    done = run(training_script(SMALL, kind="numpy"), tmp_path, "--demo", "--out", "taken")
    assert done.returncode == 1
    assert done.stderr == "--out taken cannot be written: File exists\n"


@pytest.mark.parametrize(
    ("package", "source"), [("torch", "'torch>=2.4.1,<3'"), ("dpviz", "path/to/dpviz")]
)
def test_missing_package_is_named_with_where_to_get_it(package, source, tmp_path):
    blocked = f"import sys\nsys.modules[{package!r}] = None\nimport argparse\n"
    script = training_script(SMALL, kind="pytorch").replace("import argparse\n", blocked)
    if package == "dpviz":  # which is looked for after PyTorch
        script = script.replace("    import torch\n", "").replace("    from torch.func ", "    # ")
    done = run(script, tmp_path, "--demo")
    assert done.returncode == 1
    assert done.stderr == f"The package {package} is not installed: pip install {source}\n"
