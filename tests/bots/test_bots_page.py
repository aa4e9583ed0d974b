"""docs/bots.md: its examples run, and its table names every bot."""

import re
from pathlib import Path

from riverboat.bots import all_bots, make_bot
from riverboat.bots._conformance import check_game

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_example_of_names_runs() -> None:
    exec(EXAMPLES[1], {})  # noqa: S102 - our own page


def test_the_bot_of_the_page_passes(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(EXAMPLES[0])
    assert vars(make_bot(str(file), 5)) == {"seed": 5}
    assert check_game(str(file), ("nolimit-100bb", 3), 2).outcome == "passed"


def test_every_bot_is_in_the_table() -> None:
    for kind in all_bots():
        (row,) = re.findall(rf"^\| `{kind.name}` \|.*$", PAGE, re.MULTILINE)
        assert row.count("|") == 5
