"""A copy of the files that 0.2 wrote, where a test may write."""

import shutil
from pathlib import Path

import pytest

FILES = Path(__file__).parent / "files_02"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the copy's folder: the working folder, with its ledger in use."""
    folder = Path(shutil.copytree(FILES, tmp_path / "files"))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("RIVERBOAT_LEDGER", str(folder / "ledger" / "ledger.sqlite"))
    return folder
