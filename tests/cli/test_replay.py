"""`riverboat replay` as a user or a script runs it."""

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from cli.typed import riverboat
from riverboat.cli._histories import drawn, short_names
from riverboat.errors import HistoryError
from riverboat.game import Hand, catalogue, write_acpc_game
from riverboat.histories import HandRecord, from_text, read, record_of, to_text, write
from riverboat.table import Replay


def replay(*arguments: str, typed: str = "", code: int = 0) -> tuple[str, str]:
    """Run the command; return what was printed and what went to the error output."""
    result = riverboat("replay", *arguments, typed=typed, code=code)
    return result.stdout, result.stderr


def records() -> list[HandRecord]:
    spec = catalogue("nolimit-100bb")
    first = Hand(spec, hole=["AhKd", "QsQc"], board="2c7d9hTsJs")
    first.play("b25c/kb30c/kk/kk")
    second = Hand(spec, hole=["AhAd", None], board="2c7d9h")
    second.play("b30c/kb40f")
    third = Hand(catalogue("nolimit-100bb", 3), seed=8, stacks=[100, 500, 1000])
    third.play("b1000cc")
    return [
        record_of(first, names=["Ada", "Bob"]),
        record_of(second, names=["You", "Ann (random)"]),
        record_of(third),
    ]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "hands.phhs"
    write(records(), path)
    return path


def test_everything_at_once(file: Path) -> None:
    shown, _ = replay(str(file), "--all")
    assert "Hand 1 of 3  no-limit, blinds 5/10" in shown
    assert "preflop: Ada raises to 25, Bob calls 15" in shown
    assert "flop: Bob checks, Ada bets 30, Bob calls 30" in shown
    assert "Board 2♣ 7♦ 9♥ T♠ J♠    Pot 110" in shown
    assert "Pot of 110: Bob wins 110." in shown
    assert "flop: Ann checks, You bet 40, Ann folds" in shown
    assert "?? ??" in shown  # Ann's cards are not known
    # The uncalled 500 of the button went back.
    assert "Main pot of 300: " in shown
    assert "side pot 1 of 800: " in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    later, _ = replay(str(file), "--all", "--hand", "3")
    assert "Hand 1 of 3" not in later
    assert shown.endswith(later)


@pytest.mark.parametrize("name", ["phh", "pokerstars", "ohh"])
def test_formats(name: str, tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    write(records(), path, name)
    result = read(path)
    assert result.format == name
    shown = Replay(result.hands)
    console = Console(width=80, no_color=True, highlight=False)
    for number, record in enumerate(records(), start=1):
        shown.go(number)
        shown.to_end()
        with console.capture() as capture:
            console.print(drawn(shown, whole=True))
        assert f"Hand {number} of 3" in capture.get()
        assert shown.hand.payoffs() == record.hand().payoffs()


def test_acpc_lines_need_a_game(tmp_path: Path) -> None:
    hand = Hand.from_line(catalogue("limit"), "b20c/kk/kk/kb20f", seed=1)
    path = tmp_path / "match.log"
    write([record_of(hand, names=["Ada", "Bob"])], path, "acpc")
    shown, _ = replay(str(path), "--all", "--game", "limit")
    definition = tmp_path / "game.def"
    definition.write_text(write_acpc_game(catalogue("limit")))
    assert replay(str(path), "--all", "--game", str(definition))[0] == shown.replace(
        "limit, blinds", "game, blinds"
    )
    _, errors = replay(str(path), "--game", "no-such", code=2)
    assert "there is no game file 'no-such', and " in errors
    definition.write_text("limit")
    _, errors = replay(str(path), "--game", str(definition), code=2)
    assert "cannot be read: line 1: a game file must start with GAMEDEF" in errors
    assert "preflop: Ada raises to 20, Bob calls 10" in shown
    assert "Pot of 40: Ada wins 40." in shown


def test_times_name_their_zone(tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    hand = Hand.from_line(catalogue("nolimit-100bb"), "f", seed=1)
    noon = datetime(2026, 3, 1, 12, 0, tzinfo=timezone(timedelta(hours=2)))
    write([record_of(hand, date=noon)], path)
    assert "2026-03-01 10:00 UTC" in replay(str(path), "--all")[0]


def test_stepping(file: Path) -> None:
    typed = "\n\nn\np\nN\nP\ng 3\ng 9\np\nfish\n?\ne\nN\nq\n"
    shown, _ = replay(str(file), typed=typed)
    screens = shown.split("\nHand ")[1:]
    heads = [screen.splitlines()[0].split("  ")[0] for screen in screens]
    assert heads == [f"{number} of 3" for number in (1, 1, 1, 1, 1, 2, 1, 3, 3)]
    assert "Bob checks" in screens[3]
    assert "Bob checks" not in screens[4]
    assert "there is no hand 9: hands are numbered 1 to 3" in shown
    assert "This is the start of the hand." in shown
    assert "'fish' is not a command; type ? for a list" in shown
    assert "there is no hand 4: hands are numbered 1 to 3" in shown
    assert "End of the last hand." in shown


def test_enter_walks_through_the_whole_file(file: Path) -> None:
    shown, _ = replay(str(file), typed="\n" * 100)
    assert shown.count("there is no hand 4") > 1
    assert "Hand 3 of 3" in shown


def test_json(file: Path) -> None:
    values = json.loads(replay(str(file), "--json")[0])
    assert values["format"] == "phh"
    assert values["refused"] == []
    first: dict[str, Any] = values["hands"][0]
    assert first["line"] == "b25c/kb30c/kk/kk"
    assert first["names"] == ["Ada", "Bob"]
    assert first["cards"] == ["AhKd", "QsQc"]
    assert first["board"] == "2c7d9hTsJs"
    assert first["payoffs"] == [-55, 55]
    assert values["hands"][1]["cards"] == ["AhAd", "????"]
    assert values["hands"][2]["stacks"] == [100, 500, 1000]


def test_refused_hands_are_listed(file: Path) -> None:
    file.write_text(file.read_text().replace('"p2 cbr 25"', '"p2 cbr 11"'))
    shown, errors = replay(str(file), "--all", code=1)
    assert "Hand 1 of 2" in shown
    assert "1 hand was refused." in errors
    assert errors.startswith("line ")
    assert "at least 20" in errors  # the rule's own sentence
    (refused,) = json.loads(replay(str(file), "--json", code=1)[0])["refused"]
    replay(str(file), typed="q\n", code=1)
    assert refused["line"] >= 1
    assert "at least 20" in refused["reason"]


@pytest.mark.parametrize("content", ["", "no hands \x00\xff\n"])
def test_files_without_hands(content: str, tmp_path: Path) -> None:
    path = tmp_path / "hands.phhs"
    path.write_text(content)
    for words in ((), ("--all",), ("--json",)):
        assert "has no hand that can be shown" in replay(str(path), *words, code=2)[1]


def test_mistakes_get_a_sentence(file: Path) -> None:
    assert "cannot be read" in replay(str(file.with_name("none.jsonl")), code=2)[1]
    assert (
        "there is no hand 7: hands are numbered 1 to 3"
        in replay(str(file), "--hand", "7", code=2)[1]
    )
    assert "format must be one of" in replay(str(file), "--format", "x", code=2)[1]


def test_next_and_previous_are_inverse() -> None:
    shown = Replay(records())
    for number in range(1, 4):
        shown.go(number)
        moments = [(shown.hand.line, shown.hand.stacks)]
        while shown.next_action():
            moments.append((shown.hand.line, shown.hand.stacks))
        assert shown.at_end
        assert shown.hand.full_line == shown.record.line
        while moments:
            assert (shown.hand.line, shown.hand.stacks) == moments.pop()
            assert shown.previous_action() == bool(moments)
    with pytest.raises(HistoryError, match="there is no hand 0: hands are numbered 1 to 3"):
        shown.go(0)


def test_lines_of_discard_games(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    hand = Hand(catalogue("discard-2017"), hole=["AhKd", "QsQc"], board="2c7d9hTsJs", seed=1)
    hand.play("ck/dQss")
    hand.play("kk")
    good = to_text(record_of(hand, names=["Ada", "Bob"]), "lines").strip()
    toss = Hand(catalogue("tossem-2026"), hole=["AhKd2c", "QsQc3d"], seed=1)
    toss.play("ck/dQsd2ckk/kk/kk")
    bad = good.replace("ck/", "kk/")
    deep = '{"x":' + "[" * 100_000
    lines = [good, bad, "{}", deep, "", to_text(record_of(toss), "lines")]
    path.write_text("\n".join(lines) + "\n")
    result = read(path)
    assert result.format == "lines"
    assert read(path.read_text()) == result  # known by its beginning as well
    assert [record.line for record in result.hands] == [hand.full_line, toss.full_line]
    assert result.hands[0].hand().hole_cards(1) == hand.hole_cards(1)
    assert result.hands[1].hand().payoffs() == toss.payoffs()
    assert [refused.line for refused in result.refused] == [2, 3, 4]
    assert "'k' is not allowed" in result.refused[0].reason
    shown, errors = replay(str(path), "--all", code=1)
    assert "flop: Bob swaps Q♠, Ada stands pat, Bob checks, Ada checks" in shown
    assert "The record ends before the hand is over." in shown
    assert "tosses 2♣" in shown
    assert "3 hands were refused." in errors


def test_lines_carry_games_of_ones_own() -> None:
    spec = catalogue("nolimit-100bb").replace(name="mine", blinds=(1, 2))
    record = record_of(Hand.from_line(spec, "f", seed=1))
    assert from_text(to_text(record, "lines"), "lines").spec == spec


def test_short_names_stay_different() -> None:
    assert short_names(["A (x)", "A (y)"]) == ("A (x)", "A (y)")
