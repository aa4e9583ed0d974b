"""Every parser of texts and files, with good samples of what it reads."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from msgspec import json as fast_json

from game.random_games import random_catalogue_spec
from histories.random_records import play_out, random_record
from histories.site_hands import HANDS
from riverboat.arena import parse_grid
from riverboat.blueprint import Header
from riverboat.blueprint._csv_read import CsvStrategy, _BadRowError, _Reader
from riverboat.blueprint._header import parse_header
from riverboat.bots import BotRef, split_bots
from riverboat.buckets import make_abstraction, parse_abstraction
from riverboat.cards import Range, parse_cards
from riverboat.errors import BlueprintError, GameError
from riverboat.files import ArrayFile, toml_table
from riverboat.game import Hand, catalogue, game_from_table, read_acpc_game, write_acpc_game
from riverboat.histories import from_text, read, record_of, to_text
from riverboat.histories._acpc import file_parts
from riverboat.solve import find_scheme
from riverboat.spots import Lock, SampledSettings, SolveSettings, Spot, parse_boards, solve
from riverboat.spots._flop_solution import _parse_facts, flop_facts
from riverboat.spots._solution import parse_facts
from riverboat.training import load_recipe, read_log
from riverboat.tree import Tree, find_menu

__all__ = ["PARSERS", "Parser"]


@dataclass(frozen=True)
class Parser:
    """A parser: what it is fed by, good texts, words of its language."""

    feed: Callable[[str], object]
    samples: tuple[str, ...]
    pieces: tuple[str, ...] = ()


def _history(name: str) -> Callable[[Path], Parser]:
    def make(_: Path) -> Parser:
        records = (
            [record_of(play_out(random_catalogue_spec(Random(i)), i, Random(i))) for i in range(20)]
            if name == "lines"
            else [random_record(i, plain=name == "acpc") for i in range(20)]
        )
        words = (
            *(" and is all-in", "Seat 1: ", ": folds", "*** SUMMARY ***", " collected ", "STATE:"),
            *("p1 cbr 5", "d db ????", "sm", "r5", "cc/", "raises 1 to ", "time_zone = '../x'\n"),
        )
        samples = tuple(
            "".join(file_parts([record])) if name == "acpc" else to_text(record, name)
            for record in records
        )
        return Parser(lambda text: from_text(text, name), samples, words)

    return make


def _any_history(_: Path) -> Parser:
    names = ("phh", "pokerstars", "ohh", "acpc")
    samples = tuple(to_text(random_record(i, plain=True), n) for i in range(5) for n in names)
    return Parser(
        lambda text: read("\n" + text), samples, ("\n\n", "# GAMEDEF\n", "# END GAMEDEF\n")
    )


def _sites(_: Path) -> Parser:
    """Files of sites: a hand that cannot be read is refused, whatever is in it."""

    def feed(text: str) -> None:
        result = read("\n" + text)
        if text in HANDS.values():
            assert result.hands

    pieces = (
        "posts ",
        " collected ",
        "<game",
        "<general>",
        "&lt;",
        "Seat 1: ",
        "[Ah",
        "$1,",
        "** ",
    )
    return Parser(feed, tuple(HANDS.values()), pieces)


def _bots(_: Path) -> Parser:
    def feed(text: str) -> None:
        for bot in split_bots(text):
            BotRef.parse(bot).read_settings()

    samples = ("fish", "shark:low=0.1,high=0.6", "blueprint:a.blueprint,style=plain,streets=2")
    return Parser(
        feed, (*samples, "fish, montecarlo:samples=100, honest"), ("low=", "file=", "yes")
    )


def _recipes(folder: Path) -> Parser:
    file = folder / "fuzzed.toml"

    def feed(text: str) -> None:
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        load_recipe(file)

    samples = (
        'game = "leduc"\nmenu = "min"\nscheme = "external linear"\n[budget]\niterations = 10\n',
        'name = "x"\ngame = "nolimit-100bb"\nmenu = "100%, a"\ncards = "percentile 9/9/9/9"\n',
        'menu = "min"\n[game]\nstacks = [9, 9]\nblinds = [1, 2]\nrake = {percent = 5.0}\n',
        'game = "kuhn"\nmenu = "min"\nscheme = {sampling = "pure"}\nbound = {every = 0}\n',
    )
    return Parser(
        feed, samples, ("game = ", "fallback = ", "[scheme]", "ensemble = 3", "a.b.c = 1")
    )


def _games(_: Path) -> Parser:
    samples = tuple(
        write_acpc_game(catalogue(name)) for name in ("limit", "nolimit-200bb", "leduc")
    )
    return Parser(read_acpc_game, samples, ("stack = ", "blind", "# ranks AKQ", "END GAMEDEF"))


def _game_tables(_: Path) -> Parser:
    samples = (
        'stacks = [500, 500]\nblinds = [5, 10]\nname = "short"\n',
        "stacks = [9, 9, 9]\nantes = [1, 1, 1]\nmin_bet = 1\nrake = {percent = 5.0, cap = 3}\n",
        "stacks = [9, 9]\nblinds = [1, 2]\n[[streets]]\nhole = 2\n[[streets]]\nboard = 3\n",
    )

    def feed(text: str) -> None:
        game_from_table(toml_table(text, "the game", GameError))

    return Parser(feed, samples, ("streets = []", "betting = 'pot-limit'", "ranks = 'AK'", "suits"))


def _csv(_: Path) -> Parser:
    tree = Tree(catalogue("cardiff"), "cardiff")
    reader = _Reader(CsvStrategy(tree, make_abstraction("suitless 2")))

    def feed(text: str) -> None:
        try:
            reader.take(text.splitlines(keepends=True) or [""])
        except _BadRowError as bad:
            raise BlueprintError(f"row {bad.number}: {bad}") from bad

    samples = (
        'info_set,strategies\nK7s 555 ccr,"[0.33,0.33,0.33]"\n',
        'AA ,"[0,1, 2]"\n72o r,"[1,0,0]"\n',
    )
    return Parser(feed, samples, ('"[', ']"', "visits", "rrr", "info_set"))


def _array_headers(folder: Path) -> Parser:
    file = folder / "fuzzed.safetensors"

    def feed(text: str) -> None:
        data = text.encode("utf-8", "surrogatepass")
        file.write_bytes(len(data).to_bytes(8, "little") + data + bytes(64))
        ArrayFile(file)

    entry = {"dtype": "F32", "shape": [4, 2], "data_offsets": [0, 32]}
    sums = {"dtype": "U32", "shape": [1], "data_offsets": [32, 36]}
    last = {"dtype": "U32", "shape": [1], "data_offsets": [36, 40]}
    header = {"__metadata__": {"kind": "x"}, "a": entry, "a.crc32": sums, "header.crc32": last}
    return Parser(
        feed, (json.dumps(header), json.dumps({"header.crc32": last})), ("-1", "1e9", ".crc32")
    )


def _blueprint_headers(_: Path) -> Parser:
    tree = Tree(catalogue("leduc"), "min")
    made = Header.of(tree, (3, 3, 9, 9)).metadata()

    def feed(text: str) -> None:
        parse_header({**made, "header": text})

    return Parser(feed, (made["header"],), ('"fallback":"mine.py"', '"parents":[[]]', '"nodes":'))


def _solution_headers(_: Path) -> Parser:
    spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AA", ip="KK", menu="a")
    made = solve(spot, SolveSettings(target=0, iterations=1)).finish().facts.metadata()

    def feed(text: str) -> None:
        parse_facts(Path("fuzzed"), {**made, "header": text})

    return Parser(feed, (made["header"],), ('"locks":["k: all = k 100"]', '"bits":8', '"nodes":'))


def _flop_headers(_: Path) -> Parser:
    spot = Spot(board="2s3h4d", pot=20, stack=10, oop="AA", ip="KK", menu="a")
    settings, numbers = SampledSettings(seed=1), {"iterations": 1, "boards": 1, "seconds": 0.1}
    facts = flop_facts(
        spot,
        spot.tree(),
        **numbers,
        settings=settings,
        values=(1.0, 2.0),
        gain=0.1,
        margin=0.1,
    )
    header = fast_json.encode(facts).decode()

    def feed(text: str) -> None:
        _parse_facts(Path("fuzzed"), {"kind": "riverboat-flop", "format": "1", "header": text})

    return Parser(feed, (header,), ('"stack":1e9', '"tree":{}', '"nodes":'))


def _journals(folder: Path) -> Parser:
    """Journals of tables, from which a server sets them up again; they are never trusted."""
    pytest.importorskip("fastapi")
    from riverboat.web._journal import Journal  # noqa: PLC0415 - an extra

    file = folder / "abc.table.jsonl"

    def feed(text: str) -> None:
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        Journal.read(file)

    begun = (
        '{"type":"begun","id":"abc","asked":{"game":"leduc","seats":2,"people":1},"bots":["fish"],'
        '"seed":5,"began":1.5e9,"key":""}\n'
    )
    reached = '{"type":"reached","hand":1,"actions":["k","b4","f"],"left":false}\n'
    return Parser(feed, (begun + reached, begun), (reached, '"hand":', '"type":"begun"'))


def _logs(folder: Path) -> Parser:
    file = folder / "fuzzed.jsonl"

    def feed(text: str) -> None:
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        read_log(file)

    return Parser(
        feed, ('{"iterations": 5, "seconds": 0.5}\n{"iterations": 9, "measured": null}\n',)
    )


def _plain(feed: Callable[[str], object], *samples: str, pieces: tuple[str, ...] = ()) -> Any:
    return lambda _: Parser(feed, samples, pieces)


def _play(text: str) -> None:
    Hand(catalogue("nolimit-100bb"), seed=1).play(text)


def _node(text: str) -> None:
    _LEDUC.node(text)


_LEDUC: Final = Tree(catalogue("leduc"), "min")

#: By the name that the table of docs/security.md shows.
PARSERS: Final[Mapping[str, Callable[[Path], Parser]]] = {
    "cards": _plain(parse_cards, "AhKd", "Ah Kd 2c", "A♥,10♦", pieces=("10", "♠", "Ah")),
    "ranges": _plain(
        Range.parse, "22+, A2s+:0.5, 76s-54s, AhKh", "random, 72o:0 15%", pieces=("QQ+",)
    ),
    "bet menus": _plain(find_menu, "min; cap 3 / a; near 20%", "50%, 100%, a | 2.5x", "fcpa"),
    "card abstractions": _plain(
        parse_abstraction,
        "percentile 169/50/50/50 recall",
        "lossless | distribution 9",
        "suitless 2",
    ),
    "spots": _plain(
        Spot.parse,
        "board = Ks7h2d\npot = 55\nstack = 975\noop = QQ-22\nip = AK\nturn_bet = 50%\n",
        'board = "Td9d6hQc"\npot = 200\nstack = 900\noop = "66+"\nip = "A2s+"\nmenu = "a"\n',
        pieces=("rake = 5", "add_allin = 1.5", "stack = 3, 4", "removed = "),
    ),
    "boards": _plain(parse_boards, "Ks7h2d, Td9d6h", "Ks7h2d # dry\nQc 8c 3h\n", pieces=("Ks",)),
    "locks": _plain(
        Lock.parse_all,
        "b10: KsKh = f 25 c 75",
        ": QQ+, AK = b60 100; all = k 100\nkk/b60 on 8d: all = c 100\n",
        pieces=("all = ", " on 8d", ": ", "b60 100"),
    ),
    "schemes": _plain(find_scheme, "external linear linear", "pure", "external-linear"),
    "lines of play": _plain(_play, "b25c/kb30c/kk/kk", "cb40f", "b1000c", pieces=("b99", "d", "/")),
    "tree lines": _plain(_node, "b2b4c/b4", "kb2c/kk", pieces=("b2", "/", "k")),
    "grids": _plain(parse_grid, "low=0:0.3:0.1", "high=0.5,0.9", pieces=(":", "1e308")),
    "bot names": _bots,
    "recipes": _recipes,
    "ACPC games": _games,
    "TOML games": _game_tables,
    "PHH": _history("phh"),
    "PokerStars": _history("pokerstars"),
    "Open Hand History": _history("ohh"),
    "ACPC lines": _history("acpc"),
    "JSON lines": _history("lines"),
    "files of hands": _any_history,
    "files of sites": _sites,
    "CSV strategies": _csv,
    "array headers": _array_headers,
    "strategy headers": _blueprint_headers,
    "solution headers": _solution_headers,
    "flop headers": _flop_headers,
    "journals of tables": _journals,
    "training logs": _logs,
}
