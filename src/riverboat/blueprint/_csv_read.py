"""Read strategies from CSV in the layout of the Cardiff thesis.

Rows may be as `riverboat.blueprint._csv_write` writes them or as in the thesis: with or without a
header row, with blanks after commas, numbers of any precision that need not add up to 1. An infoset
without a row is untrained. Impossible actions become the nearest possible one: a fold without a bet
is a check, a raise above the cap is a call.
"""

from __future__ import annotations

import re
import warnings
from itertools import islice, permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from riverboat.blueprint._buckets import HoldemBuckets
from riverboat.blueprint._csv_write import (
    board_texts,
    check_suitless,
    class_texts,
    letter_lines,
)
from riverboat.blueprint._header import Header, Precision
from riverboat.blueprint._layout import Layout
from riverboat.blueprint._writer import rows_with_progress, write_blueprint
from riverboat.buckets import make_abstraction
from riverboat.cards import BOARD_CARDS, NUM_CLASSES
from riverboat.errors import BlueprintError
from riverboat.game import Action, find_game
from riverboat.tree import Tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from riverboat.blueprint._layout import Chunk, GroupRows, OnProgress
    from riverboat.blueprint._sanity import Finding
    from riverboat.buckets import CardAbstraction

_ROWS_AT_ONCE = 1 << 16
_LONGEST_ROW = 1000  # characters
_LARGEST = 1e30  # larger numbers are mistakes, and their sum might overflow
#: A header row such as `info_set,strategies`: two words without digits, optionally visits.
_NAMES = re.compile(r'\s*+"?[a-z_ ]++"?\s*+,\s*+"?[a-z_ ]++"?\s*+(,visits\s*+)?', re.IGNORECASE)
#: Optional column of `write_csv`: training visits.
_VISITS = re.compile(r"(?<=\]\"),\d{1,20}+~?\s*+$")
_NO_NUMBERS = str.maketrans({'"': " ", "[": " ", "]": " "})


class CsvReport(NamedTuple):
    """Result of reading the rows of a file.

    Parameters
    ----------
    rows
        All rows, without the header row.
    read
        Rows that were read.
    repeated
        Rows among these that replaced an earlier row of the same infoset.
    other_letters, off_tree, empty
        Skipped rows: lines with other letters than c and r; lines that are not in the game and
        impossible hands (77 on 777); probabilities that are all 0.
    """

    rows: int
    read: int
    repeated: int
    other_letters: int
    off_tree: int
    empty: int


class CsvStrategy:
    """A strategy from CSV, with the interface of a blueprint.

    Attributes
    ----------
    tree, cards, layout
        The game's tree, the suitless buckets, the positions of infosets.
    strategy, weights
        [entries] float32 probabilities; [infosets] float32, 1 for infosets with a row, else 0.
    report
        Numbers of rows read and skipped.
    """

    def __init__(self, tree: Tree, cards: CardAbstraction) -> None:
        counts = [cards.num_buckets[street] for street in tree.group_street.tolist()]
        self.tree, self.cards = tree, cards
        self.layout = Layout(tree, counts)
        self.strategy = np.zeros(self.layout.num_entries, np.float32)
        self.weights = np.zeros(self.layout.num_infosets, np.float32)
        self.report = CsvReport(0, 0, 0, 0, 0, 0)
        self._spans = {node: self.layout.span(node) for node in letter_lines(tree).values()}

    def row(self, node: int, bucket: int) -> NDArray[np.float32] | None:
        """Return the probabilities of a decision's actions; None if there was no row."""
        span = self._spans[node]
        if not self.weights[span.infoset + bucket * span.bucket_infosets]:
            return None
        first = span.entry + bucket * span.bucket_entries
        return self.strategy[first : first + span.num_actions]

    def save(
        self,
        path: Path | str,
        values: Precision = "float32",
        pruned: bool = False,
        progress: OnProgress | None = None,
    ) -> tuple[Finding, ...]:
        """Write the strategy as a blueprint, which opens much faster.

        Parameters
        ----------
        path
            The file.
        values, pruned
            Precision of probabilities, and whether infosets without a row are left out.
        progress
            Called with the work done and all work.

        Returns
        -------
        tuple of Finding
            Results of the checks.
        """
        header = Header.of(self.tree, self.layout.num_buckets, notes=("read from CSV",))
        header = header.replace(values=values, pruned=pruned)
        rows = rows_with_progress(self._read, header, progress)
        return write_blueprint(path, header, self.tree, rows, self.cards)

    def _read(self, chunk: Chunk, rows: GroupRows) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return a chunk of the strategy, uniform where untrained."""
        block = self.strategy[chunk.entries].reshape(chunk.num_buckets, -1)
        weights = self.weights[chunk.infosets].reshape(chunk.num_buckets, -1)
        return np.where(rows.spread(weights > 0), block, rows.uniform), weights

    def buckets(self) -> HoldemBuckets:
        """Return a finder of the buckets of views."""
        return HoldemBuckets(self.cards, self.tree.spec)


def read_csv(
    path: Path | str,
    game: str = "cardiff",
    menu: str = "cardiff",
    progress: OnProgress | None = None,
) -> CsvStrategy:
    """Read a strategy from a CSV file.

    Parameters
    ----------
    path
        The CSV file.
    game, menu
        The game, and a bet menu with one bet size.
    progress
        Called with the number of bytes read and of all.

    Raises
    ------
    BlueprintError
        If the file cannot be read, a row has another layout, or the game cannot have such rows.
    """
    tree = Tree(find_game(game), menu)
    cards = make_abstraction(f"suitless {tree.num_streets}")
    check_suitless(tree, cards)
    try:
        with Path(path).open(encoding="utf-8-sig") as file:
            strategy = CsvStrategy(tree, cards)
            reader, done = _Reader(strategy), 0
            rows = iter(lambda: file.readline(_LONGEST_ROW), "")
            while lines := list(islice(rows, _ROWS_AT_ONCE)):
                reader.take(lines)
                if progress is not None:
                    done += sum(map(len, lines))
                    progress(done, Path(path).stat().st_size)
    except (OSError, UnicodeDecodeError) as error:
        raise BlueprintError(f"{path} cannot be read: {error}") from error
    except _BadRowError as bad:
        raise BlueprintError(
            f"row {bad.number} of {path} is {bad.text!r}, but must look like "
            """K7s 555 ccr,"[0.33,0.33,0.33]" """
        ) from None
    strategy.report = reader.report()
    return strategy


class _BadRowError(Exception):
    """A row that is not in the layout."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(text[:60])
        self.number, self.text = number, text.strip()[:60]


class _Reader:
    """Reads rows into a strategy, many at once."""

    def __init__(self, strategy: CsvStrategy) -> None:
        self._strategy = strategy
        self._counts = dict.fromkeys(CsvReport._fields, 0)
        self._lines_before = 0
        self._visits = False
        self._classes = {
            spelling + text[2:]: number
            for number, text in enumerate(class_texts())
            for spelling in (text[:2], text[1::-1])
        }
        sizes = BOARD_CARDS[: strategy.tree.num_streets]
        self._boards = {
            "".join(order): number
            for size in sizes
            for number, text in enumerate(board_texts(size))
            for order in set(permutations(text))
        }
        decisions = letter_lines(strategy.tree)
        self._decisions = {(sizes[street], line): i for i, (street, line) in enumerate(decisions)}
        self._facts = np.array([_facts(strategy, node) for node in decisions.values()])

    def report(self) -> CsvReport:
        """Return the numbers of rows so far."""
        return CsvReport(**self._counts)

    def take(self, lines: list[str]) -> None:
        """Read some lines of the file."""
        names = None if self._lines_before else _NAMES.fullmatch(lines[0])
        first = int(names is not None)
        self._visits |= names is not None and names[1] is not None
        if self._visits:
            lines = [_VISITS.sub("", line) for line in lines]
        rows = [line for line in lines[first:] if not line.isspace()]
        keys, numbers = self._keys(lines, rows), self._numbers(lines, rows)
        self._lines_before += len(lines)
        self._counts["rows"] += len(rows)
        sums = numbers.sum(axis=1)
        self._counts["empty"] += int(np.count_nonzero((keys[:, 0] >= 0) & (sums <= 0)))
        kept = (keys[:, 0] >= 0) & (sums > 0)
        self._store(keys[kept], numbers[kept] / sums[kept, None])

    def _keys(self, lines: list[str], rows: list[str]) -> NDArray[np.int64]:
        """[rows, 2] decision and bucket; -1 for skipped rows."""
        keys: list[tuple[int, int]] = []
        for row in rows:
            hole, _, rest = row[: row.find(",")].rstrip().partition(" ")
            board, _, letters = rest.rpartition(" ")
            if not board and letters[:1] not in _SMALL:
                board, letters = letters, ""
            class_number, place = self._classes.get(hole), self._boards.get(board)
            if class_number is None or place is None:
                raise self._bad(lines, row)
            decision = self._decisions.get((len(board), letters))
            # A pair with three cards of its rank on the board would be five of a rank.
            if hole[0] == hole[1] and board.count(hole[0]) > 2:
                decision = None
            if decision is None:
                self._counts["other_letters" if letters.strip("cr") else "off_tree"] += 1
                keys.append((-1, -1))
            else:
                keys.append((decision, NUM_CLASSES * place + class_number))
        return np.array(keys, np.int64).reshape(-1, 2)

    def _numbers(self, lines: list[str], rows: list[str]) -> NDArray[np.float64]:
        """[rows, 3] weights of fold, call and raise."""
        texts = [row[row.find(",") + 1 :].rstrip() for row in rows]
        numbers = _parsed(",".join(texts).translate(_NO_NUMBERS))
        # A row with four numbers and one with two must not cancel out.
        good = all(text.count(",") == 2 for text in texts)
        if good and len(numbers) == 3 * len(rows) and _are_weights(numbers):
            return numbers.reshape(-1, 3)
        raise self._bad(lines, next(row for row in rows if not _is_good(row)))

    def _bad(self, lines: list[str], row: str) -> _BadRowError:
        return _BadRowError(self._lines_before + lines.index(row) + 1, row)

    def _store(self, keys: NDArray[np.int64], shares: NDArray[np.float64]) -> None:
        strategy = self._strategy
        facts, bucket = self._facts[keys[:, 0]], keys[:, 1]
        entry, bucket_entries, infoset, bucket_infosets, folds, bets = facts.T
        infosets = infoset + bucket * bucket_infosets
        self._counts["read"] += len(keys)
        earlier = np.count_nonzero(strategy.weights[infosets])
        self._counts["repeated"] += int(earlier) + len(infosets) - len(np.unique(infosets))
        strategy.weights[infosets] = 1
        first = entry + bucket * bucket_entries
        fold, call, bet = shares.T
        call = call + np.where(folds, 0, fold) + np.where(bets, 0, bet)
        strategy.strategy[(first)[folds > 0]] = fold[folds > 0]
        strategy.strategy[first + folds] = call
        strategy.strategy[(first + folds + 1)[bets > 0]] = bet[bets > 0]


_SMALL = frozenset("abcdefghijklmnopqrstuvwxyz")


def _parsed(text: str) -> NDArray[np.float64]:
    """Parse numbers between commas; an empty array if a part is not a number."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy warns when it stops at text
        try:
            return np.fromstring(text, np.float64, sep=",") if text else np.empty(0)
        except (DeprecationWarning, ValueError):
            return np.empty(0)


def _are_weights(numbers: NDArray[np.float64]) -> bool:
    return bool(((numbers >= 0) & (numbers <= _LARGEST)).all())


def _is_good(row: str) -> bool:
    numbers = _parsed(row[row.find(",") + 1 :].rstrip().translate(_NO_NUMBERS))
    return row.count(",") == 3 and len(numbers) == 3 and _are_weights(numbers)


def _facts(strategy: CsvStrategy, node: int) -> tuple[int, ...]:
    """Positions of a decision's infosets, and whether fold and bet are possible."""
    span, actions = strategy.layout.span(node), strategy.tree.actions(node)
    return (
        span.entry,
        span.bucket_entries,
        span.infoset,
        span.bucket_infosets,
        int(actions[0] == "f"),
        int(Action(actions[-1]).kind == "bet"),
    )
