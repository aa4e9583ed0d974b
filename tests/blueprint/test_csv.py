"""Strategies as CSV in the layout of the Cardiff thesis."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riverboat.blueprint import (
    Blueprint,
    Header,
    Layout,
    Query,
    read_csv,
    write_blueprint,
    write_csv,
)
from riverboat.blueprint._csv_write import HEADER, board_texts, class_texts, letter_lines
from riverboat.bots import BlueprintBot, make_bot
from riverboat.buckets import CardAbstraction, make_abstraction
from riverboat.cards import RANKS
from riverboat.cli import main
from riverboat.errors import BlueprintError
from riverboat.game import Hand, catalogue
from riverboat.tree import Tree

# 22 on 222 and so on: no deck has five of a rank.
IMPOSSIBLE = [
    169 * board_texts(3).index(rank * 3) + class_texts().index(rank * 2) for rank in RANKS
]
MENU = "min ; cap 1"  # the thesis's game with one raise a street: 22 decisions on the flop


@pytest.fixture(scope="module")
def cards() -> CardAbstraction:
    return make_abstraction("suitless 2")


@pytest.fixture(scope="module")
def blueprint(cards: CardAbstraction, tmp_path_factory: pytest.TempPathFactory) -> Blueprint:
    """Random weights; nine buckets of ten are untrained."""
    tree = Tree(catalogue("cardiff"), MENU)
    layout = Layout(tree, Header.of(tree, cards).num_buckets)
    rng = np.random.default_rng(1)
    table = rng.integers(1, 1000, layout.num_entries).astype(np.float32)
    for chunk in layout.chunks():
        block = table[chunk.entries].reshape(chunk.num_buckets, -1)
        block[rng.random(chunk.num_buckets) < 0.9] = 0
        if tree.group_street[chunk.group] == 1:
            for bucket in IMPOSSIBLE:
                if 0 <= bucket - chunk.first_bucket < chunk.num_buckets:
                    block[bucket - chunk.first_bucket] = 0
    path = tmp_path_factory.mktemp("csv") / "small.blueprint"
    write_blueprint(path, Header.of(tree, layout.num_buckets), tree, table, cards)
    return Blueprint.open(path)


@pytest.fixture(scope="module")
def written(blueprint: Blueprint, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("csv") / "small.csv"
    rows = write_csv(blueprint, path, digits=6)
    assert rows == int(np.count_nonzero(blueprint.weights()))
    return path


def test_numbers_of_boards_are_those_of_the_buckets(cards: CardAbstraction) -> None:
    boards = {"Kh7c2d": "K72", "5c5d5h": "555", "AhAd2c": "AA2"}
    for board, text in boards.items():
        bucket = cards.street_bucket("QsJs", board)
        assert board_texts(3)[bucket // 169] == text
        assert bucket % 169 == cards.street_bucket("QsJs")


def test_a_row_is_what_the_blueprint_says(
    blueprint: Blueprint, cards: CardAbstraction, written: Path
) -> None:
    rows = dict(line.split(",", 1) for line in written.read_text().splitlines())
    nodes = letter_lines(blueprint.tree)
    found = 0
    for hole, hole_text in (("Kh7h", "K7s"), ("AcAd", "AA"), ("Th9c", "T9o")):
        for board, text in (("5c5d5h", " 555"), ("2h8s3d", " 832"), ("", "")):
            for (street, line), node in nodes.items():
                if (street == 1) != bool(board):
                    continue
                row = blueprint.row(node, cards.street_bucket(hole, board))
                key = f"{hole_text}{text} {line}".rstrip()
                if row is None:
                    assert key not in rows
                    continue
                found += 1
                actions = [action[0] for action in blueprint.tree.actions(node)]
                by_letter = dict(zip(actions, row.tolist(), strict=True))
                call = by_letter.get("c", by_letter.get("k"))
                wanted = [by_letter.get("f", 0.0), call, by_letter.get("b", 0.0)]
                assert rows[key] == '"[' + ",".join(f"{p:.6f}" for p in wanted) + ']"'
    assert found > 0


def test_rows_are_sorted_by_key(written: Path) -> None:
    lines = written.read_text().splitlines()
    assert lines[0] == HEADER
    keys = [line.partition(",")[0] for line in lines[1:]]
    assert keys == sorted(keys)
    assert len(keys) == len(set(keys))


def test_round_trip(blueprint: Blueprint, written: Path) -> None:
    read = read_csv(written, menu=MENU)
    rows = len(written.read_text().splitlines()) - 1
    assert read.report == (rows, rows, 0, 0, 0, 0)
    np.testing.assert_array_equal(read.weights > 0, blueprint.weights() > 0)
    for node in letter_lines(read.tree).values():
        for bucket in range(0, 169 if read.tree.street[node] == 0 else 76_895, 997):
            ours, theirs = read.row(node, bucket), blueprint.row(node, bucket)
            assert (ours is None) == (theirs is None)
            if ours is not None and theirs is not None:
                np.testing.assert_allclose(ours, theirs, atol=2e-6)


def test_it_can_be_kept_as_a_blueprint(written: Path, tmp_path: Path) -> None:
    read = read_csv(written, menu=MENU)
    read.save(tmp_path / "kept.blueprint")
    kept = Blueprint.open(tmp_path / "kept.blueprint")
    np.testing.assert_array_equal(kept.weights(), read.weights)
    trained = kept.dense()[read.strategy > 0]
    np.testing.assert_array_equal(trained, read.strategy[read.strategy > 0])


def test_two_digits_by_default(blueprint: Blueprint, tmp_path: Path) -> None:
    write_csv(blueprint, tmp_path / "two.csv")
    first = (tmp_path / "two.csv").read_text().splitlines()[1]
    key, _, numbers = first.partition(",")
    assert key.split()[0] in first
    assert all(len(number) == 4 for number in numbers.strip('"[]').split(","))


# Rows as the thesis prints them (its figures of the files before and after cleaning).
THESIS = """info_set,strategies
K7s 555 ccr,"[0.33,0.33,0.33]"
K7s 555 nccr,"[0.33,0.33,0.33]"
T7s 444 ccc, "[0.13,0.00,0.13]"
T7s 444 cccrrr, "[0.03,0.03,0.95]"
AA c,"[0.10,0.20,0.70]"
AA,"[0.00,0.25,0.75]"

J3s 666 rcc, "[0.00,0.00,0.00]"
AJo JJJ rrcrr, "[0.15,0.44,0.41]"
AJo JJJ rrcrr, "[0.12,0.40,0.48]"
AJo JJJ rrrrrrrrrrrr, "[0.12,0.40,0.48]"
7Ks 27K ccr,"[0,0.5,0.5]"
"""


def test_rows_of_the_thesis(tmp_path: Path) -> None:
    (tmp_path / "thesis.csv").write_text(THESIS)
    read = read_csv(tmp_path / "thesis.csv")
    assert read.report == (11, 8, 1, 1, 1, 1)
    nodes = letter_lines(read.tree)

    def row(hole: str, board: str, line: str) -> list[float]:
        found = read.row(nodes[1 if board else 0, line], read.cards.street_bucket(hole, board))
        assert found is not None
        return [float(p) for p in found]

    third = pytest.approx([1 / 3] * 3)
    assert row("Kh7h", "5c5d5h", "ccr") == third
    # A free fold is a check: 0.13 and 0.00 of 0.26 check, 0.13 raise.
    assert row("Th7h", "4c4d4h", "ccc") == pytest.approx([0.5, 0.5])
    assert row("AhAd", "", "") == pytest.approx([0, 0.25, 0.75])
    # The big blind after a call: folding is free there, too.
    assert row("AhAd", "", "c") == pytest.approx([0.3, 0.7])
    # Of two rows the last holds.
    assert row("AhJd", "JcJhJs", "rrcrr") == pytest.approx([0.12, 0.40, 0.48])
    assert row("Kh7h", "2c7dKs", "ccr") == pytest.approx([0, 0.5, 0.5])
    assert read.row(nodes[0, ""], 1) is None


@pytest.mark.parametrize(
    ("row", "number"),
    [
        ('K7s 555 ccr,"[0.33,0.33]"', 3),
        ('K7s 555 ccr,"[0.33,0.33,x]"', 3),
        ('K7s 555 ccr,"[0.33,-0.33,1]"', 3),
        ('K7s 555 ccr,"[nan,0.33,1]"', 3),
        ('K7s 555 ccr,"[1e308,1e308,1e308]"', 3),
        ('K7x 555 ccr,"[0.33,0.33,0.33]"', 3),
        ('K7s 55 ccr,"[0.33,0.33,0.33]"', 3),
        ('K7s 555 ccr ccr,"[0.33,0.33,0.33]"', 3),
        ("K7s 555 ccr", 3),
    ],
)
def test_what_is_no_row_is_refused(row: str, number: int, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(f'{HEADER}\nAA,"[0,0,1]"\n{row}\n')
    with pytest.raises(BlueprintError, match=f"row {number} of .*bad.csv is 'K7.*must look like"):
        read_csv(path)


@pytest.mark.parametrize(
    ("first", "rows"),
    [
        (HEADER, 1),
        ('"Info Set" , "Strategies"', 1),
        ('KK,"[0,0,1]"', 2),
        ("KK,0,0.5,0.5", 2),  # without brackets
    ],
)
def test_only_names_are_a_first_row_of_names(first: str, rows: int, tmp_path: Path) -> None:
    path = tmp_path / "first.csv"
    path.write_text(f'{first}\nAA,"[0,0,1]"\n')
    assert read_csv(path, menu=MENU).report == (rows, rows, 0, 0, 0, 0)


@pytest.mark.parametrize("first", ["AA,fold,call,raise", "KK,0.5", "info_set;strategies"])
def test_any_other_first_row_is_refused(first: str, tmp_path: Path) -> None:
    path = tmp_path / "first.csv"
    path.write_text(f'{first}\nAA,"[0,0,1]"\n')
    with pytest.raises(BlueprintError, match="row 1 of"):
        read_csv(path, menu=MENU)


def test_hands_that_no_deck_has_are_off_the_tree(tmp_path: Path) -> None:
    path = tmp_path / "five.csv"
    path.write_text('77 777 ccc,"[0,0,1]"\n77 772 ccc,"[0,0,1]"\nK7s 777 ccc,"[0,0,1]"\n')
    assert read_csv(path).report == (3, 2, 0, 0, 1, 0)


@pytest.mark.parametrize(
    ("game", "menu", "message"),
    [
        ("kuhn", "min", "two hole cards, not 'kuhn'"),
        ("leduc", "min", "two hole cards, not 'leduc'"),
        ("limit", "min", "ends on the flop, but 'limit' has 4 streets"),
        ("nolimit-100bb", "laptop", "ends on the flop"),
    ],
)
def test_other_games_are_refused_before_anything_is_read(
    game: str, menu: str, message: str
) -> None:
    with pytest.raises(BlueprintError, match=message):
        read_csv("there is no such file", game, menu)


def test_it_can_be_kept_small(written: Path, tmp_path: Path) -> None:
    read = read_csv(written, menu=MENU)
    told = read.save(tmp_path / "small.blueprint", "uint8", pruned=True)
    assert {finding.check for finding in told} >= {"distributions", "visited"}
    small = Blueprint.open(tmp_path / "small.blueprint")
    assert (small.header.values, small.header.pruned) == ("uint8", True)
    np.testing.assert_array_equal(small.weights(), read.weights)


def test_other_strategies_are_refused(tmp_path: Path, blueprint: Blueprint) -> None:
    with pytest.raises(BlueprintError, match="digits must be 1 to 6, not 9"):
        write_csv(blueprint, tmp_path / "x.csv", digits=9)
    with pytest.raises(BlueprintError, match="one bet size"):
        letter_lines(Tree(catalogue("nolimit-100bb"), "laptop"))
    with pytest.raises(BlueprintError, match="cannot be read"):
        read_csv(tmp_path / "missing.csv")


def test_a_bot_plays_from_it(written: Path) -> None:
    """In the real four-street game: rows to the flop, the fallback where there are none."""
    read = read_csv(written, menu=MENU)
    bot = BlueprintBot(Query(read, read.buckets()), make_bot("checkcall", 0), seed=1, num_streets=2)
    spec = catalogue("nolimit-100bb")
    for seed in range(150):
        hand = Hand(spec, seed=seed)
        while hand.actor is not None:
            hand.do(bot.act(hand.view(hand.actor)))
    assert bot.counts["trained"] > 10
    assert bot.counts["untrained"] > 100
    assert bot.counts["later"] > 100


def test_the_commands(
    blueprint: Blueprint,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`blueprint export` to CSV, and `blueprint import` from it."""

    def run(*arguments: str | Path) -> dict[str, Any]:
        words = ["riverboat", "blueprint", *map(str, arguments), "--json"]
        monkeypatch.setattr("sys.argv", words)
        with pytest.raises(SystemExit) as end:
            main()
        assert not end.value.code
        values: dict[str, Any] = json.loads(capsys.readouterr().out)
        return values

    table, copy = tmp_path / "table.csv", tmp_path / "copy.blueprint"
    rows = run("export", blueprint.path, "--output", table, "--digits", "5")["rows"]
    report = run("import", table, "--output", copy, "--menu", MENU)
    assert report["rows"] == report["read"] == rows
    assert report["findings"]
    assert np.abs(Blueprint.open(copy).dense() - blueprint.dense()).max() < 2e-5
