"""`Decision`: queries of hands and parts of the range, and output in text, JSON and pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from riverboat.cards import (
    CATEGORIES,
    HOLE_CLASS,
    HOLES,
    NUM_CLASSES,
    Range,
    cards_text,
    category,
    class_text,
    evaluate_batch,
    hole_text,
)
from riverboat.decision._hand_arrays import ClassCell, HandArrays
from riverboat.decision._hands import HandRow, named_hands
from riverboat.decision._picture import html_table
from riverboat.errors import CardError
from riverboat.report import Columns, percent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray
    from rich.console import Console, ConsoleOptions
    from rich.text import Text

_CLASS_NAMES: Final = tuple(map(class_text, range(NUM_CLASSES)))


@dataclass(frozen=True, kw_only=True, eq=False)
class Decision(HandArrays):
    """The strategy of every hole pair of a player at one public state.

    Arrays over hole pairs have 1,326 entries, in the order of `riverboat.cards.HOLES`.

    Attributes
    ----------
    game
        Name of the game; empty for a solved spot.
    line, board
        The line (for a solved spot: from the spot on), and the board.
    player
        The player to act: a row of `reach`, `values` and `equity`.
    players
        Names of the players, such as `oop` and `ip`.
    pot, to_call
        Chips.
    keys
        The actions, each with text, letter, words, colour and size.
    strategy
        [1326, actions] float64 probabilities; NaN for impossible or untrained hands.
    reach
        [players, 1326] float64: the probability of each player's own actions on the line (for a
        solved spot: times the range's weight). 0 for dead hands.
    alive
        [1326] whether the player to act can have the hand.
    values
        [players, 1326] float64: EV in chips, pot share included, if all play the strategy; NaN if
        unknown. This array and those below are empty if nothing is known.
    action_values
        [1326, actions] float64: EV of each action of the player to act (from a search: followed by
        a best response).
    errors, action_errors
        [1326] and [1326, actions]: standard errors of the values of the player to act.
    samples
        Sampled runouts; 0 = exact values.
    buckets
        [1326] int64 buckets of the player to act; -1 for dead hands.
    visits
        [1326] training visits of each hand's bucket; NaN if unknown.
    few
        Below this number a hand has few visits.
    source
        Where the decision comes from.
    note
        How it was computed, in words.
    facts
        How it was computed, as plain values.

    Examples
    --------
    >>> from riverboat.decision import of_ranges
    >>> decision = of_ranges({"b20": "QQ+, AKs", "c": "JJ-22"}, pot=15)
    >>> decision.frequencies().round(4).tolist(), decision.hand("AKs").strategy.tolist()
    ([0.0166, 0.0452, 0.9382], [1.0, 0.0, 0.0])
    """

    # ---- Description

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions as text, in the order of the last axis of `strategy`."""
        return tuple(key.action for key in self.keys)

    @property
    def side(self) -> str:
        """The name of the player to act."""
        return self.players[self.player]

    @property
    def where(self) -> str:
        """The public state in words.

        Examples
        --------
        >>> from riverboat.decision import of_ranges
        >>> of_ranges({"c": "22+"}, line="b20", pot=30, to_call=10).where
        'After b20: seat 0 decides, pot 30, 10 to call'
        """
        return state_in_words(
            self.game, self.line, self.pot, self.to_call, self.side, cards_text(self.board)
        )

    @property
    def found(self) -> str:
        """How the values were computed, in words."""
        return found_by(self.samples)

    def cells(self) -> list[ClassCell]:
        """Return the cells of the matrix, row by row: aces first, suited above the diagonal."""
        drawn = self.class_reach(), self.class_emphasis(), self.class_few()
        columns = [column.tolist() for column in drawn]
        cells = zip(_CLASS_NAMES, self.by_class(), *columns, strict=True)
        return [ClassCell(*cell) for cell in cells]

    def hands(self, text: str) -> list[HandRow]:
        """Return the hands of a text such as `AhKh, QQ A5s+`: hole pairs, classes, ranges."""
        return [self._row(name, holes) for name, holes in named_hands(text)]

    def hand(self, text: str) -> HandRow:
        """Return one hand or class.

        Raises
        ------
        CardError
            If the text names several hands, or the hand is impossible here.
        """
        rows = self.hands(text)
        if len(rows) != 1:
            raise CardError(f"{text!r} names {len(rows)} hands: give one, such as AhKh or AKs")
        if not rows[0].possible:
            raise CardError(f"{rows[0].hand} is not in the range of {self.side} here")
        return rows[0]

    def pair(self, hole: int) -> HandRow:
        """Return a hole pair by its number."""
        return self._row(hole_text(hole), np.array([hole]))

    def _row(self, name: str, holes: NDArray[np.intp]) -> HandRow:
        """Look up some hole pairs."""
        live, trained = holes[self.alive[holes]], holes[self.trained[holes]]
        buckets = [] if not self.buckets.size else np.unique(self.buckets[live]).tolist()
        visits, player = float("nan"), self.player
        if self.visits_known and len(trained):
            visits = float(np.median(self.visits[trained]))
        nothing = np.full(len(self.keys), np.nan)

        def mean(of: NDArray[np.float64]) -> float:
            return float(self.hand_mean(of, live)) if of.size else float("nan")

        def row(of: NDArray[np.float64]) -> NDArray[np.float64]:
            return self.hand_mean(of, live) if of.size else nothing

        return HandRow(
            name,
            possible=len(live) > 0,
            reach=float(self.reach[player, live].mean()) if len(live) else 0.0,
            strategy=row(self.strategy),
            bucket=buckets[0] if len(buckets) == 1 else -1,
            visits=visits,
            few=visits < self.few,
            equity=mean(self.equity[player]),
            value=mean(self.own_values),
            error=mean(self.errors),
            action_values=row(self.action_values),
            action_errors=row(self.action_errors),
        )

    # ---- Parts of the range

    def categories(self) -> NDArray[np.int64]:
        """Return each hand's category on the board: [1326], an index of `cards.CATEGORIES`.

        -1 for impossible hands. Only from the flop on.
        """
        found = np.full(len(HOLES), -1, np.int64)
        if len(self.board) < 3:
            raise CardError("there are no hand categories before the flop")
        live = np.flatnonzero(self.alive)
        cards = np.column_stack([HOLES[live], np.tile(self.board, (len(live), 1))])
        strengths, places = np.unique(evaluate_batch(cards), return_inverse=True)
        names = [CATEGORIES.index(category(int(strength))) for strength in strengths]
        found[live] = np.array(names, np.int64)[places]
        return found

    def only(self, hands: Range | str) -> Decision:
        """Return the decision restricted to a part of the player's range.

        Parameters
        ----------
        hands
            A range or its text, whose weights multiply the reach; or a category such as `pair`.

        Examples
        --------
        >>> from riverboat.decision import of_ranges
        >>> decision = of_ranges({"b20": "AA, AKs", "c": "KK"}, pot=15)
        >>> decision.only("KK+, AKs").frequencies().tolist()
        [0.625, 0.375, 0.0]
        """
        if isinstance(hands, str) and hands in CATEGORIES:
            weights = (self.categories() == CATEGORIES.index(hands)).astype(np.float64)
        else:
            weights = (Range.parse(hands) if isinstance(hands, str) else hands).weights
        reach = self.reach.copy()
        reach[self.player] *= weights
        return replace(self, reach=reach, alive=self.alive & (weights > 0))

    # ---- Output

    def as_dict(self) -> dict[str, Any]:
        """Return the decision as plain values; docs/json.md explains the keys."""
        shares = zip(self.keys, map(_number, self.frequencies().tolist()), strict=True)
        fields: dict[str, Any] = {
            "line": self.line,
            "board": cards_text(self.board),
            "player": self.player,
            "pot": self.pot,
            "to_call": self.to_call,
            "source": self.source,
            "actions": [
                {
                    "action": key.action,
                    "words": key.words,
                    "pot_share": key.share,
                    "frequency": share,
                }
                for key, share in shares
            ],
        }
        if self.values.size:
            fields["values"] = [_number(self.value(p)) for p in range(len(self.players))]
        if self.has_equity:
            means = [self.mean(p, self.equity[p]) for p in range(len(self.players))]
            fields["equities"] = [_number(mean) for mean in means]
        return {**fields, "classes": self._classes()}

    def row_dict(self, row: HandRow) -> dict[str, Any]:
        """Return one of its hands as plain values; docs/json.md explains the keys."""
        fields: dict[str, Any] = {"hand": row.hand}
        if self.buckets.size:
            state = "trained" if row.trained else "untrained"
            fields["status"] = state if row.possible else "not possible on this board"
            fields["bucket"] = row.bucket if row.bucket >= 0 else None
        fields["reach"] = row.reach if row.possible else None
        fields["strategy"] = row.strategy.tolist() if row.trained else None
        if self.visits.size:
            visits = _number(row.visits)
            fields |= {"visits": visits, "few_visits": None if visits is None else row.few}
        if self.has_equity:
            fields["equity"] = _number(row.equity)
        if self.action_values.size:
            evs = [_number(ev) for ev in row.action_values.tolist()]
            fields |= {"ev": _number(row.value), "action_evs": evs}
        if self.action_errors.size:
            errors = [_number(error) for error in row.action_errors.tolist()]
            fields |= {"ev_error": _number(row.error), "action_errors": errors}
        return fields

    def _classes(self) -> list[dict[str, Any]]:
        """The 169 classes of the player to act, as plain values."""
        columns: dict[str, NDArray[Any]] = {"reach": self.class_reach()}
        if self.has_equity:
            columns["equity"] = self.class_mean(self.equity[self.player])
        if self.values.size:
            columns["ev"] = self.class_mean(self.values[self.player])
        if self.errors.size:
            columns["ev_error"] = self.class_mean(self.errors)
        if self.visits.size:
            columns["visits"] = self.class_visits()
        named = {name: [_number(value) for value in of.tolist()] for name, of in columns.items()}
        if "visits" in named:
            pairs = zip(named["visits"], self.class_few().tolist(), strict=True)
            named["few_visits"] = [None if visits is None else few for visits, few in pairs]
        rows = self.by_class()
        return [
            {
                "hand": _CLASS_NAMES[index],
                "strategy": None if np.isnan(row[0]) else row.tolist(),
                **{name: of[index] for name, of in named.items()},
            }
            for index, row in enumerate(rows)
        ]

    def frame_columns(self) -> Columns:
        """Return a row per hand of the player to act, and of other players with values."""
        shown = [self.player]
        if self.values.size:
            known = [not np.isnan(row).all() for row in self.values]
            shown = [p for p in range(len(self.reach)) if known[p] or p == self.player]
        own = [np.flatnonzero(self.alive if p == self.player else self.reach[p] > 0) for p in shown]
        who, holes = np.repeat(shown, [len(row) for row in own]), np.concatenate(own)
        acting = who == self.player
        columns: dict[str, object] = {
            "player": [self.players[p] for p in who],
            "hole": [hole_text(hole) for hole in holes],
            "class": [_CLASS_NAMES[HOLE_CLASS[hole]] for hole in holes],
            "reach": self.reach[who, holes],
        }
        if self.has_equity:
            columns["equity"] = self.equity[who, holes]
        if self.values.size:
            columns["ev"] = self.values[who, holes]
        for name, of in (("error", self.errors), ("bucket", self.buckets), ("visits", self.visits)):
            if of.size:
                columns[name] = np.where(acting, of[holes], -1 if name == "bucket" else np.nan)
        for index, action in enumerate(self.actions):
            columns[action] = np.where(acting, self.strategy[holes, index], np.nan)
            for name, table in (("ev", self.action_values), ("error", self.action_errors)):
                if table.size:
                    columns[f"{name} {action}"] = np.where(acting, table[holes, index], np.nan)
        return columns

    def __str__(self) -> str:
        parts = zip(self.keys, self.frequencies(), strict=True)
        strategy = ", ".join(f"{key.words} {100 * share:.1f} %" for key, share in parts)
        return "; ".join(part for part in (self.where, strategy, self.worth) if part)

    @property
    def worth(self) -> str:
        """EV of each player, in words; empty if unknown."""
        if not self.values.size:
            return ""
        pairs = [(name, self.value(p)) for p, name in enumerate(self.players)]
        return "EV " + ", ".join(f"{name} {ev:.2f}" for name, ev in pairs if not np.isnan(ev))

    def totals(self) -> list[str]:
        """Return sentences on the trained part of the range, equity and EV of each player."""
        if self.weight <= 0:
            return ["Play never reaches this decision."]
        known = "Overall frequencies, weighted by reach"
        if self.visits.size:
            enough = f" with {self.few} visits or more" if self.visits_known else ""
            known += f"; {percent(self.share_visited())} of the range is trained{enough}"
            known += "" if self.visits_known else "; training visits are unknown"
        lines = [f"{known}."]
        for player, name in enumerate(self.players):
            parts = []
            if self.has_equity:
                parts.append(f"equity {percent(self.mean(player, self.equity[player]))}")
            if not np.isnan(self.value(player)):
                parts.append(f"EV {self.value(player):,.2f} chips")
            lines += [f"{name}: {', '.join(parts)}"] if parts else []
        return lines

    def matrix(self, console: Console, width: int = 0) -> Iterator[Text]:
        """Yield the lines of the 13x13 matrix for a terminal, its legend, and the totals."""
        from rich.text import Text  # noqa: PLC0415 - bots do not draw

        from riverboat.decision._matrix import matrix_lines  # noqa: PLC0415 - bots do not draw

        shown = self.cells(), self.keys, self.frequencies(), self.few
        yield from matrix_lines(*shown, console, width or console.width)
        yield from map(Text, self.totals())

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        from rich.text import Text  # noqa: PLC0415 - bots do not draw

        yield from (Text(part) for part in (self.where, self.note) if part)
        yield from self.matrix(console, options.max_width)

    def _repr_html_(self) -> str:
        notes = [self.note, self.worth, "faint hands are rarely reached"]
        if self.visits.size:
            few = f"~: fewer than {self.few} training visits"
            notes.append(few if self.visits_known else "training visits are unknown")
        words = "; ".join(note for note in notes if note)
        return html_table(self.cells(), self.keys, self.frequencies(), self.where, words)

    def draw(self, path: Path, title: str = "") -> None:
        """Draw the matrix into a .png, .svg or .pdf file."""
        from riverboat.decision._picture import draw_picture  # noqa: PLC0415 - bots do not draw

        title = title or f"{self.where}\n{self.note}"
        draw_picture(path, title, self.cells(), self.keys, self.frequencies())


def state_in_words(  # noqa: PLR0913, PLR0917 - parts of a public state
    game: str, line: str, pot: int, to_call: int, side: str, board: str = ""
) -> str:
    """Describe a public state.

    Examples
    --------
    >>> state_in_words("leduc", "kb2", 4, 2, "seat 0")
    'leduc after kb2: seat 0 decides, pot 4, 2 to call'
    """
    after = f"after {line}" if line else "at the start"
    place = f"{game} {after}" if game else after[0].upper() + after[1:]
    price = f", {to_call:,} to call" if to_call else ""
    return f"{place}{f' on {board}' if board else ''}: {side} decides, pot {pot:,}{price}"


def found_by(samples: int) -> str:
    """Describe how values were computed.

    Examples
    --------
    >>> found_by(0), found_by(200)
    ('exact', '200 runouts sampled')
    """
    return f"{samples:,} runouts sampled" if samples else "exact"


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value
