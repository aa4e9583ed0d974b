"""Blocks are found, their comments heeded, and a page that is wrong fails."""

from pathlib import Path

import pytest

from docs.command_names import wrong_words
from docs.pages import Block, blocks_of, prose_of
from docs.running import PageRun, is_run, shortened, with_few_buckets
from docs.shell import Command, commands_of
from sizes import BUCKETS

PAGE = """Words with `riverboat bots` in them.

<!-- slow -->
```sh
riverboat match a b \\
    --hands 10    # many
```

- an item:
  ```
  riverboat bots && riverboat play < moves.txt
  ```

<!-- not run: it deletes -->

```console
$ rm -r all
gone
$ uv run riverboat "cache" clear
```
"""


def block(text: str, language: str = "sh") -> Block:
    return Block("page:1", language, text, "", "")


def test_blocks_and_their_marks() -> None:
    first, second, third = blocks_of(PAGE, "page")
    assert (first.place, first.language, first.mark) == ("page:4", "sh", "slow")
    assert (second.language, second.mark) == ("", "")
    assert (third.mark, third.detail) == ("not run", "it deletes")
    assert not is_run(first)
    assert is_run(first, "slow")
    assert is_run(second)
    assert not is_run(third, "slow")
    assert "riverboat bots" in prose_of(PAGE)
    assert "match" not in prose_of(PAGE)


def test_commands() -> None:
    first, second, third = (commands_of(each) for each in blocks_of(PAGE, "page"))
    assert first == [Command(("riverboat", "match", "a", "b", "--hands", "10"))]
    assert second == [Command(("riverboat", "bots")), Command(("riverboat", "play"), "moves.txt")]
    assert [each.riverboat for each in third] == [None, ("cache", "clear")]


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["match", "fish", "--hands", "-3", "--json"], []),
        (["blueprint", "prune", "FILE", "-o", "OUT", "--uniform"], []),
        (["--version"], []),
        (["matches"], ["matches"]),
        (["blueprint", "shrink"], ["shrink"]),
        (["match", "fish", "--hand", "3", "--seed=4"], ["--hand"]),
    ],
)
def test_unknown_words_are_named(words: list[str], wrong: list[str]) -> None:
    assert wrong_words(words) == wrong


@pytest.mark.parametrize(
    "text", ["rm -r all", "riverboat nonsense", "riverboat evaluate AsAs", "riverboat evaluate"]
)
def test_a_wrong_command_fails(text: str, tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match="page:1"):
        PageRun(tmp_path).run(block(text))


def test_wrong_python_fails(tmp_path: Path) -> None:
    page = PageRun(tmp_path)
    page.run(block("one = 1\n", "python"))
    page.run(block(">>> one + 1\n2\n", "python"))  # what earlier blocks defined is known
    with pytest.raises(AssertionError, match="page:1"):
        page.run(block(">>> one + 1\n3\n", "python"))
    with pytest.raises(ZeroDivisionError):
        page.run(block("one / 0\n", "python"))


def test_long_commands_are_shortened() -> None:
    assert shortened(("match", "a", "--hands", "4000")) == ("match", "a", "--hands", "100")
    assert shortened(("match", "a", "--hands", "40", "9")) == ("match", "a", "--hands", "40", "9")
    assert shortened(("solve", "--seconds", "2.5")) == ("solve", "--seconds", "0.1")
    assert shortened(("play", "--seats", "6")) == ("play", "--seats", "6", "--no-grade")


def test_recipes_have_few_buckets() -> None:
    recipe = 'game = "limit"\ncards = "lossless"  # all hands\n'
    assert with_few_buckets(recipe) == f'game = "limit"\ncards = "{BUCKETS}"  # all hands\n'


def test_unknown_marks_are_refused() -> None:
    with pytest.raises(ValueError, match="is none of"):
        list(blocks_of("<!-- slwo -->\n```sh\n```\n", "page"))
    with pytest.raises(ValueError, match="does not say"):
        list(blocks_of("<!-- not run -->\n```sh\n```\n", "page"))
