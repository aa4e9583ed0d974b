"""The compiled tree against the plain Python one, node by node."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from riverboat.errors import GameError
from riverboat.game import GameSpec, Hand, Rake, Street, catalogue
from riverboat.plain._poker_rules import showdown_strength
from riverboat.tree import CHANCE, DECISION, FOLD, SHOWDOWN, BetMenu, Tree
from sizes import few_or_many
from tree.checks import check_offsets
from twins.tree import plain_tree

if TYPE_CHECKING:
    from twins.tree import PlainNode

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
SIZES = ["min", "25%", "33%", "50%", "75%", "100%", "200%", "2x", "2.5x", "3x", "3bb", "6bb", "a"]
SIZES += ["e", "2e"]
POSITION = [" ; ip 75%, 2x", " ; donk 33%", " ; ip 50% | none ; donk a", " ; donk none"]
ENTRY = ["", " ; limp never", " ; limp sb", " ; flop 2", " ; limp sb ; flop 2"]
ENTRY += [" ; sb a", " ; sb 2x ; flop 2"]
RULES = [
    " ; force 15% called",
    " ; force 60% called",
    " ; add 150%",
    " ; near 25%",
    " ; add 50% ; near 10% ; force 30% called",
]


def random_spec(rng: random.Random) -> GameSpec:
    """Two or three seats, short and unequal stacks, antes, rake, caps, swaps, any betting."""
    players = rng.choice([2, 2, 2, 3])
    betting = rng.choice(["no-limit", "no-limit", "pot-limit", "fixed-limit"])
    blinds = rng.choice([True, True, False])
    discard = rng.choice(["none", "none", "swap"])
    streets = tuple(
        Street(
            hole=2 if i == 0 else 0,
            board=(0, 3, 1)[i],
            bet_size=2 * (1 + i),
            max_raises=rng.choice([None, 2]),
            discard=discard if i > 0 else "none",  # type: ignore[arg-type]  # a word drawn from the right ones
        )
        for i in range(rng.choice([2, 2, 3]))
    )
    return GameSpec(
        stacks=tuple(rng.randint(1, 40) for _ in range(players)),
        blinds=((1, 2) + (0,) * (players - 2)) if blinds else (),
        antes=() if blinds and rng.random() < 0.6 else (rng.choice([1, 3]),) * players,
        min_bet=0 if blinds else 2,
        betting=betting,  # type: ignore[arg-type]  # a word drawn from the right ones
        streets=streets,
        rake=rng.choice([Rake(), Rake(), Rake(5.0, 3), Rake(2.5, 0, False)]),
    )


def random_menu(rng: random.Random, players: int, *, blinds: bool = False) -> BetMenu:
    streets: list[str] = []
    for _ in range(rng.randint(1, 3)):
        depths = [
            ", ".join(rng.sample(SIZES, rng.randint(1, 3))) if rng.random() < 0.9 else "none"
            for _ in range(rng.randint(1, 3))
        ]
        caps = rng.choice(["", " ; cap 2", " ; cap 1 each", " ; cap 3 ; cap 2 each", " ; cap 0"])
        position = rng.choice([""] * 4 + POSITION) if players == 2 else ""
        entry = "" if streets or players == 2 or not blinds else rng.choice(ENTRY)
        streets.append(" | ".join(depths) + position + caps + entry)
    rules = ["", "", " ; near 20%", " ; force 75%", *RULES]
    return BetMenu.parse(" / ".join(streets) + rng.choice(rules))


def deal(spec: GameSpec, line: str, cards: list[int]) -> Hand:
    """Play a public line with known cards; a swap takes the first hole card."""
    hand = Hand(spec, cards=cards)
    for move in re.findall(r"[fkcsd]|b[0-9]+", line):
        swap = f"d{CARDS[hand.hole_cards(hand.actor or 0)[0]]}" if move == "d" else ""
        hand.do(swap or move)
    return hand


def deals(spec: GameSpec, rng: random.Random) -> list[list[int]]:
    """Random deals, and in games without swaps one that is a tie: all play the board's kings."""
    slots = spec.compiled.slots
    dealt = [rng.sample(spec.deck, slots) for _ in range(3)]
    swaps = any(street.discard == "swap" for street in spec.streets)
    if spec.showdown == "high" and not swaps and spec.players <= 4:
        holes = ["3c4c", "3d4d", "3h4h", "3s4s"][: spec.players]
        board = ["Ks", "Kc", "Kd", "Ah"][: slots - 2 * spec.players]
        texts = [text[i : i + 2] for text in holes for i in (0, 2)] + board
        dealt.append([CARDS.index(text) for text in texts])
    return dealt


def strengths(spec: GameSpec, hand: Hand) -> list[int]:
    """Order the hands as small numbers."""
    values = [
        showdown_strength(spec, list(hand.hole_cards(s)), list(hand.board))
        for s in range(spec.players)
    ]
    order = sorted(set(values))
    return [order.index(value) for value in values]


def check_terminal(tree: Tree, node: int, plain: PlainNode, rng: random.Random) -> None:
    hand, line = plain.hand, tree.line(node)
    assert tree.kind[node] == (FOLD if len(hand.live) == 1 else SHOWDOWN)
    if tree.kind[node] == FOLD:
        assert tuple(tree.settle(node, [0] * hand.players)) == hand.payoffs()
        return
    for cards in deals(tree.spec, rng):
        known = deal(tree.spec, line, cards)
        assert tuple(tree.settle(node, strengths(tree.spec, known))) == known.payoffs()


def check_node(tree: Tree, node: int, plain: PlainNode, rng: random.Random) -> None:
    hand = plain.hand
    assert tree.line(node) == hand.line
    assert tree.street[node] == plain.street
    assert tuple(tree.contributions[node]) == hand.contributions
    assert tree.swap_lines[node].tolist() == plain.swaps
    assert list(tree.actions(node)) == plain.actions
    if plain.is_chance:
        assert tree.kind[node] == CHANCE
        check_children(tree, node, plain, rng)
        return
    assert tree.node(hand.line) == node
    if hand.finished:
        check_terminal(tree, node, plain, rng)
        return
    group = tree.group[node]
    assert (tree.kind[node], tree.player[node]) == (DECISION, hand.actor)
    assert (tree.group_player[group], tree.group_street[group]) == (hand.actor, hand.street)
    assert tree.group_swaps[group] == plain.swaps[hand.actor or 0]
    check_children(tree, node, plain, rng)


def check_children(tree: Tree, node: int, plain: PlainNode, rng: random.Random) -> None:
    for child, plain_child in zip(tree.children(node), plain.children, strict=True):
        assert tree.parent[child] == node
        check_node(tree, child, plain_child, rng)


def compare(spec: GameSpec, menu: BetMenu, seed: int, max_nodes: int) -> bool:
    """Compare one tree, and one below a random line; False if it is too large for the twin."""
    try:
        tree = Tree(spec, menu, max_nodes)
    except GameError:
        return False
    rng = random.Random(seed)
    compare_nodes(tree, plain_tree(spec, menu), rng)
    decisions = np.flatnonzero(tree.kind == DECISION)
    if len(decisions):
        start, chance = tree.line(rng.choice(decisions)), rng.random() < 0.7
        below = Tree(spec, menu, start=start, chance=chance)
        moves = re.findall(r"[fkcsd]|b[0-9]+", start)
        compare_nodes(below, plain_tree(spec, menu, moves, chance=chance), rng)
    return True


def compare_nodes(tree: Tree, plain: PlainNode, rng: random.Random) -> None:
    assert plain.count() == tree.num_nodes
    check_node(tree, 0, plain, rng)
    keys = zip(tree.group_player, tree.group_street, tree.group_swaps, strict=True)
    assert len(set(keys)) == len(tree.group_player)
    check_offsets(tree)


def compare_random(seeds: range, max_nodes: int) -> int:
    compared = 0
    for seed in seeds:
        rng = random.Random(seed)
        spec = random_spec(rng)
        menu = random_menu(rng, spec.players, blinds=max(spec.blinds) > 0)
        try:
            compared += compare(spec, menu, seed, max_nodes)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, {spec}, menu {menu}: {error}") from error
    return compared


@pytest.mark.parametrize("count", few_or_many(20, 150))
def test_random_games_and_menus(count: int) -> None:
    assert compare_random(range(count), max_nodes=400) > count / 2


@pytest.mark.parametrize("entry", ENTRY)
@pytest.mark.parametrize("players", [3, 4, 6])
def test_who_may_enter(players: int, entry: str) -> None:
    """Limps and players to the flop, with one stack that is less than the big blind."""
    stacks = (40,) * (players - 1) + (3,)
    streets = (Street(hole=2), Street(board=3))
    blinds = (2, 5) + (0,) * (players - 2)
    spec = GameSpec(stacks=stacks, blinds=blinds, streets=streets)
    assert compare(spec, BetMenu.parse(f"3x ; cap 1{entry} / none"), seed=1, max_nodes=40_000)


@pytest.mark.slow
def test_many_random_games_and_menus() -> None:
    assert compare_random(range(1000, 6000), max_nodes=3000) > 2500


@pytest.mark.parametrize("name", ["kuhn", "kuhn3", "leduc"])
def test_catalogue_games(name: str) -> None:
    assert compare(catalogue(name), BetMenu.parse("min"), seed=1, max_nodes=5000)


def test_discards() -> None:
    spec = catalogue("discard-2017").replace(stacks=(6, 6))
    assert compare(spec, BetMenu.parse("a ; cap 1"), seed=1, max_nodes=5000)
