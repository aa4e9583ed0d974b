"""docs/json.md lists every command that has `--json`, and every key that it prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.typed import riverboat
from riverboat.cli._app import COMMANDS, load
from riverboat.game import Hand, catalogue
from riverboat.histories import record_of, write

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")


def commands_with_json(command: Any, name: str = "") -> Iterator[str]:
    """Walk through the commands and their subcommands."""
    if any("--json" in option.opts for option in command.params):
        yield name
    for part, child in getattr(command, "commands", {}).items():
        yield from commands_with_json(child, f"{name} {part}".strip())


def rows_of(command: str) -> str:
    """The rows of one command."""
    _, _, rest = PAGE.partition(f"| `{command}` |")
    lines = rest.splitlines()
    more = next((i for i, line in enumerate(lines[1:], 1) if not line.startswith("| |")), None)
    return "\n".join(lines[:more])


def test_every_command_with_json_is_on_the_page() -> None:
    names = [found for name in COMMANDS for found in commands_with_json(load(name), name)]
    assert {"equity", "replay", "convert", "cache show"} <= set(names)
    assert [name for name in names if f"| `{name}` |" not in PAGE] == []


def test_the_keys_of_replay_and_convert(tmp_path: Path) -> None:
    source, target = tmp_path / "hands.phhs", tmp_path / "hands.ohh"
    short = Hand.from_line(catalogue("short-deck"), "f", seed=1)
    write([record_of(Hand.from_line(catalogue("limit"), "f", seed=1)), record_of(short)], source)
    source.write_text(source.read_text() + '\n[3]\nvariant = "NT"\n')
    for command in (["replay", str(source)], ["convert", str(source), str(target)]):
        shown = riverboat(*command, "--json", code=None)
        values = json.loads(shown.stdout)
        assert values.pop("version")
        rows = rows_of(command[0])
        for key, value in values.items():
            inner = value[0] if isinstance(value, list) else {}
            for part in inner:
                assert f"`{key}[].{part}`" in rows or f"`.{part}`" in rows, (key, part)
            assert inner or f"`{key}`" in rows, key
