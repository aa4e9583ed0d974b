"""The authors' own abstract game: a fixed rule swaps cards, and the tree has no swaps.

In training both players swap by the rule as soon as they may, so a deal has one hand per player and
street. At the table the bot swaps by the rule and uses its strategy only for betting decisions.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from riverboat.arena import BotMaker
from riverboat.blueprint import Blueprint, HoldemBuckets, Query
from riverboat.bots import GAIN, BlueprintBot, UniformBot, discard, hand_strength
from riverboat.buckets import BucketTables, bucket_tables, swap_values
from riverboat.cards import (
    BOARD_CARDS,
    STREETS,
    SUIT_PERMUTATIONS,
    StreetName,
    canonical_boards,
    evaluate_batch,
    hole_permutations,
)
from riverboat.errors import RunError
from riverboat.game import GameSpec, View
from riverboat.reproductions._run import Found, ReproductionRun
from riverboat.reproductions.pineapple._training import DATA, Workshop, shop_of, without_swaps
from riverboat.solve import DealRows, table_deals
from riverboat.training import Setup, Until, prepare
from riverboat.tree import Tree, find_menu

_Ints = NDArray[np.int64]
_DEALT = 13  # cards: two hole pairs, the board, and two replacements for each player
_CHUNK = 100_000
_SUITS_MOVED: _Ints = np.array(SUIT_PERMUTATIONS)


class _Board(NamedTuple):
    """Boards of one street, one row per deal."""

    row: NDArray[np.uint32]
    """Indexes of the boards in the tables of the street."""
    moves: NDArray[np.uint8]

    @classmethod
    def of(cls, cards: NDArray[np.uint8]) -> "_Board":
        """Find boards of 0, 3, 4 or 5 cards."""
        if cards.shape[1]:
            return cls(*canonical_boards(cards))
        return cls(np.zeros(len(cards), np.uint32), np.zeros(len(cards), np.uint8))

    def pair(self, one: _Ints, other: _Ints) -> _Ints:
        """Return the place of hole pairs in the rows."""
        high, low = np.maximum(one, other), np.minimum(one, other)
        found: _Ints = hole_permutations()[self.moves, high * (high - 1) // 2 + low].astype(int)
        return found

    def card(self, card: _Ints) -> _Ints:
        """Return the numbers of single cards in the rows."""
        moved: _Ints = card - card % 4 + _SUITS_MOVED[self.moves, card % 4]
        return moved


class _Rule:
    """Decides whether to swap, for many hands on one street, as `riverboat.bots.discard` does."""

    def __init__(self, street: StreetName) -> None:
        tables, size = hand_strength(), BOARD_CARDS[STREETS.index(street)]
        cells = tables.cells(street)
        self._points = 2 * cells[..., 0].astype(np.int32) + cells[..., 1]
        self._points[cells[..., 0] == np.iinfo(cells.dtype).max] = 0
        self._sums = swap_values(tables, street).astype(np.int64)
        self._scale = 2 * tables.counts(0, range(10, 10 + size))[2]
        self._unseen = 50 - size

    def swapped(self, board: _Board, hole: _Ints, gone: _Ints, fresh: _Ints) -> tuple[_Ints, _Ints]:
        """Return the hole pairs after the swap, [deals, 2], and the card given away or -1.

        Parameters
        ----------
        board, hole
            Boards of the deals, and [deals, 2] hole cards.
        gone
            [deals] the card that an earlier swap gave away, or -1.
        fresh
            [deals] the new card that a swap gives.
        """
        stand = self._points[board.row, board.pair(*hole.T)]
        known = gone >= 0
        gains = []
        for kept in hole.T:
            sums = self._sums[board.row, board.card(kept)] - stand
            lost = self._points[board.row, board.pair(kept, np.where(known, gone, kept - 1) % 52)]
            mean = (sums - np.where(known, lost, 0)) / (self._unseen - known)
            gains.append((mean - stand) / self._scale)
        first, second = gains  # gain if the first card is kept, and if the second is kept
        swap, keeps_first = np.maximum(first, second) >= GAIN, first > second
        kept = np.where(keeps_first, hole[:, 0], hole[:, 1])
        given = np.where(keeps_first, hole[:, 1], hole[:, 0])
        after = np.where(swap[:, None], np.stack([kept, fresh], axis=1), hole)
        return after, np.where(swap, given, gone)


def fixed_swap_rows(tree: Tree, buckets: BucketTables, count: int, seed: int) -> DealRows:
    """Sample deals in which both players have swapped by the rule.

    Parameters
    ----------
    tree
        Tree of the game without swaps.
    buckets
        Bucket tables of the streets; with recall, of the hand held on each street.
    count, seed
        Number of deals, and random seed.
    """
    rules = {STREETS.index(street): _Rule(street) for street in ("flop", "turn")}
    random = np.random.default_rng(seed)
    parts = [
        _rows(tree, buckets, rules, random, min(_CHUNK, count - first))
        for first in range(0, count, _CHUNK)
    ]
    return DealRows(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def _rows(
    tree: Tree,
    buckets: BucketTables,
    rules: dict[int, _Rule],
    random: np.random.Generator,
    count: int,
) -> DealRows:
    cards = np.argsort(random.random((count, 52)), axis=1)[:, :_DEALT]
    table = cards[:, 4:9].astype(np.uint8)
    boards = [_Board.of(np.ascontiguousarray(table[:, :size])) for size in BOARD_CARDS]
    found, strengths = np.empty((2, len(STREETS), count), np.uint32), []
    for player in range(2):
        hole, gone = cards[:, 2 * player : 2 * player + 2], np.full(count, -1)
        bucket = np.zeros(count, np.int64)
        for street, board in enumerate(boards):
            if street in rules:
                fresh = cards[:, 9 + 2 * (street - 1) + player]
                hole, gone = rules[street].swapped(board, hole, gone, fresh)
            own = buckets.tables[street][board.row, board.pair(*hole.T)]
            bucket = bucket * buckets.num_buckets[street] * buckets.recall + own
            found[player, street] = bucket
        strengths.append(evaluate_batch(np.concatenate([hole.astype(np.uint8), table], axis=1)))
    groups = zip(tree.group_player.tolist(), tree.group_street.tolist(), strict=True)
    columns = [found[player, street] for player, street in groups]
    shown = np.stack(strengths, axis=1).astype(np.uint32)
    return DealRows(np.stack(columns, axis=1), shown[:, :, None])


class FixedSwaps:
    """Plays a strategy of the game without swaps in a game with swaps, and swaps by the rule."""

    def __init__(self, file: str, game: GameSpec, seed: int) -> None:
        strategy = Blueprint.open(file)
        if strategy.cards is None:
            raise RunError(f"{file} is not a hold'em strategy")
        self._game, self._buckets = strategy.header.spec, HoldemBuckets(strategy.cards, game)
        self._bucket: int | None = None
        query = Query(strategy, self, DATA.translation)
        self._bot = BlueprintBot(query, UniformBot(query, seed), seed)
        self.counts = self._bot.counts

    def find(self, view: View, node: int) -> int | None:  # noqa: ARG002 - part of the protocol
        """Return the bucket of the cards held on each street."""
        return self._bucket

    def act(self, view: View) -> str:
        """Choose an action."""
        self._bucket = self._buckets.find(
            view, 0
        )  # at swaps, too, to record the hand of each street
        if view.legal.stand:
            return discard(view)
        line = view.line.replace("s", "").replace("d", "")
        bets = msgspec.structs.replace(view, spec=self._game, line=line, discarded=())
        return str(self._bot.act(bets))

    def hand_started(self, view: View) -> None:
        """Start a new hand."""
        self._bot.hand_started(view)


@dataclass(frozen=True)
class FixedSwapsMaker:
    """Creates the bot in a worker process; its name is recorded in ledgers."""

    file: str
    game: GameSpec

    @property
    def __name__(self) -> str:
        """Name of the bot, with its file."""
        return f"fixed-swaps:{self.file}"

    def __call__(self, seed: int) -> FixedSwaps:
        """Make it."""
        return FixedSwaps(self.file, self.game, seed)


def train_own_games(run: ReproductionRun) -> Found:
    """Train the game with fixed swaps and both bet menus; play our bot and the backup bot."""
    shop = shop_of(run)
    own, makers, games = shop.amounts, dict[str, BotMaker](), dict[str, Found]()
    menus, rows = list(own.own_menus.items()), None
    for part, (name, menu) in run.part(0.0, 0.6).parts(menus):
        game = msgspec.to_builtins(without_swaps(shop.recipe.spec))
        recipe = shop.recipe.changed({"game": game, "menu": menu})
        setup = prepare(recipe)
        if rows is None:  # the deals do not depend on the menu
            part.tell(0.0, "deals with fixed swaps")
            rows = _dealt(setup, own.own_deals, recipe.seed)
        deals = table_deals(setup.tree, rows, np.ones(own.own_deals), setup.deals.num_buckets)
        until = Until(iterations=own.iterations)
        solver, _ = shop.train(part, replace(setup, deals=deals), recipe, name, until)
        now = solver.report()
        games[name] = Found(
            menu=str(find_menu(menu)),
            infosets=now.infosets,
            visited=now.visited,
            iterations=now.iterations,
            seconds=now.seconds,
        )
        makers[name] = FixedSwapsMaker(str(shop.run.blueprint(name)), shop.recipe.spec)
    final = run.found.training.points[-1].strategy
    return Found(games=games, **_played(shop, makers, shop.bot(final)))


def _dealt(setup: Setup, count: int, seed: int) -> DealRows:
    if setup.cards is None:
        raise RunError("the recipe's cards have no bucket tables")
    return fixed_swap_rows(setup.tree, bucket_tables(setup.cards), count, seed)


def _played(shop: Workshop, makers: dict[str, BotMaker], solved: BotMaker) -> Found:
    """Return winnings against the backup bot and ours, and of the second against the first bot."""
    first, second = makers.values()
    pairs = [(bot, other) for other in (DATA.opponent, solved) for bot in makers.values()]
    run, hands = shop.run.part(0.6, 1.0), shop.amounts.side_hands
    *won, last = shop.play(run, [*pairs, (second, first)], hands)
    backup, ours = (dict(zip(makers, won[at : at + 2], strict=True)) for at in (0, 2))
    return Found(against_backup=backup, against_solved=ours, second_against_first=last)
