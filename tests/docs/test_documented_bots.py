"""Every bot that a page shows passes `check-bot`, as the page's reader would run it."""

from pathlib import Path

import pytest

from cli.typed import riverboat
from docs.pages import PAGES, blocks_of, name_of
from riverboat.cards import HandStrength

BOTS = [
    pytest.param(block.detail, block.text, id=f"{name_of(page)} {block.detail}")
    for page in PAGES
    for block in blocks_of(page.read_text(encoding="utf-8"), name_of(page))
    if block.mark == "save" and "def act(" in block.text
]


def test_the_pages_show_bots() -> None:
    assert len(BOTS) >= 3


@pytest.mark.parametrize(("name", "text"), BOTS)
def test_a_documented_bot_passes_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tables: HandStrength, name: str, text: str
) -> None:
    assert tables.folder.is_dir()  # the pages' earlier commands have built them
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text, encoding="utf-8")
    shown = riverboat("check-bot", name, "--hands", "5").stdout
    assert f"{name} passes the check" in shown
