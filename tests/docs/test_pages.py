"""Every command and every piece of Python in the documentation is run.

Each page has a folder of its own, and its blocks follow one another there. Blocks that are not
run say why, and their commands must at least be known.
"""

import tomllib
from pathlib import Path

import pytest

from docs.command_names import wrong_words
from docs.pages import PAGES, SHELL, Block, blocks_of, name_of
from docs.running import PageRun, Suite, is_run
from docs.shell import commands_of
from riverboat.cards import HandStrength
from riverboat.training import load_recipe

BLOCKS = {
    name_of(page): tuple(blocks_of(page.read_text(encoding="utf-8"), name_of(page)))
    for page in PAGES
}


def pages_with(suite: Suite, mark: str) -> list[str]:
    """Pages that have blocks with this mark to run in a suite."""
    return [
        name
        for name, blocks in BLOCKS.items()
        if any(is_run(block, suite) and block.mark == mark for block in blocks)
    ]


def follow(name: str, folder: Path, suite: Suite) -> None:
    """Do everything that a page says, from its beginning."""
    page = PageRun(folder, in_full=suite != "default")
    for block in BLOCKS[name]:
        if block.mark == "save" or is_run(block, suite):
            page.run(block)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the pages out of the user's folders, and of the checkout."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("RIVERBOAT_LEDGER", str(tmp_path / "ledger.sqlite"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "100")
    # Small matches: a second process would take longer to start than to play its share.
    monkeypatch.setattr("riverboat.arena._match.num_workers", lambda: 1)


@pytest.mark.usefixtures("tables", "brief_estimates", "plain_pictures")
@pytest.mark.parametrize("name", pages_with("default", ""))
def test_page(name: str, tmp_path: Path) -> None:
    follow(name, tmp_path, "default")


@pytest.mark.slow
@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("name", sorted({*pages_with("slow", "slow"), *pages_with("slow", "")}))
def test_whole_page(name: str, tmp_path: Path) -> None:
    follow(name, tmp_path, "slow")


@pytest.mark.peer
@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("name", pages_with("peer", "needs"))
def test_page_with_other_packages(name: str, tmp_path: Path) -> None:
    for block in BLOCKS[name]:
        if block.mark == "needs":
            pytest.importorskip(block.detail)
    follow(name, tmp_path, "peer")


@pytest.mark.parametrize("name", BLOCKS)
def test_commands_that_are_not_run_are_known(name: str) -> None:
    """Of other programs the block's own reason speaks."""
    idle = [block for block in BLOCKS[name] if not is_run(block)]
    for block in idle:
        for command in commands_of(block) if block.language in SHELL else ():
            assert wrong_words(command.riverboat or ()) == [], block.place


def recipes() -> list[Block]:
    return [
        block for blocks in BLOCKS.values() for block in blocks
        if block.language == "toml" and block.mark != "not run"
    ]  # fmt: skip


@pytest.mark.parametrize("block", recipes(), ids=lambda block: block.place)
def test_recipes_are_good(block: Block) -> None:
    recipe = load_recipe({"name": "page", **tomllib.loads(block.text)})
    assert recipe.budget


def test_the_tests_ledger_is_not_the_users(tmp_path: Path) -> None:
    """A session at the table leaves its traces in the page's own folder."""
    text = "```sh\nriverboat play --hands 1 --seed 1 -o checkcall\n```\n"
    (block,) = blocks_of(text, "play")
    PageRun(tmp_path).run(block)
    assert (tmp_path / "ledger.sqlite").exists()
    assert list((tmp_path / "data").rglob("*.phhs"))


def test_the_tables_are_there(tables: HandStrength) -> None:
    """Pages that look strengths up find them built, in the tests' own folder."""
    assert tables.folder
