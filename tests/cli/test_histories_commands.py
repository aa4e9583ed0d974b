"""`riverboat convert`, as a user types it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cli.typed import riverboat
from riverboat.game import Hand, catalogue, write_acpc_game
from riverboat.histories import read, record_of, write

if TYPE_CHECKING:
    from pathlib import Path


def as_json(*arguments: str, code: int = 0) -> dict[str, Any]:
    parsed = json.loads(riverboat(*arguments, "--json", code=code).stdout)
    assert isinstance(parsed, dict)
    return parsed


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    """A PHH file with three good hands, the last one short deck, and a bad one."""
    records = []
    for number, game in enumerate(("nolimit-100bb", "limit", "short-deck")):
        hand = Hand(catalogue(game), seed=number)
        while not hand.finished:
            hand.check_or_call()
        records.append(record_of(hand, hand_id=str(number), names=["Ada", "Bob"]))
    path = tmp_path / "hands.phhs"
    write(records, path)
    bad = '\n[4]\nvariant = "NT"\n'
    path.write_text(path.read_text() + bad)
    return path


def test_convert(hands: Path, tmp_path: Path) -> None:
    target = tmp_path / "hands.ohh"
    result = as_json("convert", str(hands), str(target), code=1)
    assert (result["from"], result["to"]) == ("phh", "ohh")
    assert (result["read"], result["written"]) == (3, 2)
    (refused,) = result["refused"]
    assert refused["reason"] == "the field starting_stacks is missing"
    assert hands.read_text().splitlines()[refused["line"] - 1] == "[4]"
    assert result["not_written"] == [
        {"hand": "2", "reason": "OHH cannot represent short deck; PHH can"}
    ]
    before, after = read(hands).hands[:2], read(target).hands
    assert [r.payoffs() for r in after] == [r.payoffs() for r in before]
    assert [r.line for r in after] == [r.line for r in before]


def test_convert_for_people(hands: Path, tmp_path: Path) -> None:
    target = tmp_path / "hands.txt"
    shown = riverboat("convert", str(hands), str(target), code=1).stdout
    words = " ".join(shown.split())
    assert "3 hands read, 2 written" in words
    assert "2 refused" in words
    assert "the field starting_stacks is missing" in words
    assert target.read_text().startswith("PokerStars Hand #0:")


def test_without_a_good_hand_nothing_is_written(hands: Path, tmp_path: Path) -> None:
    target = tmp_path / "hands.ohh"
    assert riverboat("convert", str(hands), str(target), code=1)
    before = target.read_bytes()
    bad, short = tmp_path / "bad.phhs", tmp_path / "short.phhs"
    bad.write_text('[1]\nvariant = "NT"\n')
    write(read(hands).hands[2:], short)
    for source, refused, unwritable in ((bad, 1, 0), (short, 0, 1)):
        result = riverboat("convert", str(source), str(target), "--json", code=2)
        values = json.loads(result.stdout)
        assert (values["written"], len(values["refused"])) == (0, refused)
        assert len(values["not_written"]) == unwritable
        assert "has no hand that can be converted" in result.stderr
        assert "was not written" in result.stderr
        assert target.read_bytes() == before
    assert "is missing" in riverboat("convert", str(bad), str(target), code=2).stdout


def test_a_missing_folder_is_not_made(hands: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "hands.ohh"
    result = riverboat("convert", str(hands), str(target), code=2)
    assert "cannot be written: its folder does not exist" in result.stderr
    assert not target.parent.exists()


def test_games_of_acpc_lines(tmp_path: Path) -> None:
    log, target = tmp_path / "match.log", tmp_path / "hand.phh"
    log.write_text("STATE:0:r30f:|:-10|10:x|y\n")
    for game in ("nolimit-100bb", str(tmp_path / "game.def")):
        (tmp_path / "game.def").write_text(write_acpc_game(catalogue("nolimit-100bb")))
        assert as_json("convert", str(log), str(target), "--game", game)["written"] == 1
        assert read(target).hands[0].stacks == (1000, 1000)


def test_saved_lines_of_toy_games(tmp_path: Path) -> None:
    """What `play` saves of Kuhn goes into ACPC lines and back."""
    saved, log, back = (tmp_path / name for name in ("k.jsonl", "k.acpc", "back.jsonl"))
    hands = [Hand.from_line(catalogue("kuhn"), "kbc", seed=seed) for seed in range(3)]
    write([record_of(hand, hand_id=str(i)) for i, hand in enumerate(hands)], saved)
    result = as_json("convert", str(saved), str(log))
    assert (result["from"], result["to"], result["written"]) == ("lines", "acpc", 3)
    assert as_json("convert", str(log), str(back))["written"] == 3
    assert back.read_bytes() == saved.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["no-such-file.phh", "x.ohh"], "cannot be read: No such file"),
        (
            ["{hands}", "x.xyz"],
            "no format has the extension '.xyz'; give one of phh, pokerstars, ohh, acpc, lines",
        ),
        (["{hands}", "x.ohh", "--to", "xml"], "must be one of phh, pokerstars, ohh, acpc, lines"),
        (["{hands}", "{folder}/one.phh"], "a .phh file holds one hand, not 3"),
    ],
)
def test_mistakes_get_a_sentence(
    arguments: list[str], sentence: str, hands: Path, tmp_path: Path
) -> None:
    filled = [a.format(hands=hands, folder=tmp_path) for a in arguments]
    result = riverboat("convert", *filled, code=2)
    assert sentence in result.stderr
