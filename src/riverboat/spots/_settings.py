"""Settings of a solve, and node locks.

A node lock fixes the strategy of a decision; the rest of the spot is solved against it. It is a
line of text, `LINE: HANDS = SHARES; HANDS = SHARES`:

====================================  =======================================================
`b10: KsKh = f 25 c 75`               after b10, KsKh folds 25 % and calls 75 %
`: QQ+, AK = b60 100; all = k 100`    at the start; the first entry for a hand counts
`kk/b60 on 8d: all = c 100`           on this card only; without a card, on every runout
====================================  =======================================================

Shares are percentages that add up to 100; actions that are not listed get 0. Hands that are not
listed are solved as usual.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, NamedTuple, get_args

import msgspec
import numpy as np

from riverboat.cards import NUM_HOLES, Range, cards_text, parse_cards
from riverboat.errors import RiverboatError, SpotError
from riverboat.gpu import Bits  # noqa: TC001 - msgspec reads it
from riverboat.settings import Settings, meaning
from riverboat.spots._inputs import Schedule, find_schedule
from riverboat.spots._layout import Layout
from riverboat.tree import DECISION

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from riverboat.spots._engine import Engine
    from riverboat.spots._spot import Spot
    from riverboat.tree import Tree


_MOST_CHARACTERS: Final = 100_000
_MOST_LOCKS: Final = 1_000
_HEAD: Final = re.compile(r"([a-z0-9/]*)(?:\s+on\s+(\S+))?", re.ASCII)
_ALL: Final = "all"

Device = Literal["cpu", "gpu", "auto"]
#: A player of a spot: out of position, or in position.
Side = Literal["oop", "ip"]
SIDES: Final[tuple[Side, ...]] = get_args(Side)


class Lock(NamedTuple):
    """Node lock: a fixed strategy for some hands at a decision.

    Examples
    --------
    >>> lock = Lock.parse("b10: KsKh = f 25 c 75")
    >>> lock.line, lock.cards, lock.rows
    ('b10', None, (('KsKh', (('f', 0.25), ('c', 0.75))),))
    >>> str(lock)
    'b10: KsKh = f 25 c 75'
    """

    line: str
    cards: tuple[int, ...] | None
    """Cards dealt after the spot's board; None = any."""
    rows: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]
    """Hands (range text or `all`), each with actions and their probabilities."""

    @classmethod
    def parse(cls, text: str) -> Lock:
        """Read a lock."""
        if len(text) > _MOST_CHARACTERS:
            raise SpotError(
                f"a lock may have at most {_MOST_CHARACTERS:,} characters, not {len(text):,}"
            )
        head, colon, tail = text.partition(":")
        match = _HEAD.fullmatch(head.strip())
        if not colon or match is None:
            raise SpotError(f"the lock {text[:60]!r} does not have the form LINE: HANDS = SHARES")
        dealt = None if match[2] is None else tuple(parse_cards(match[2]))
        rows = tuple(_row(part) for part in tail.split(";") if part.strip())
        if not rows:
            raise SpotError(f"the lock {text[:60]!r} lists no hands")
        return cls(match[1], dealt, rows)

    @classmethod
    def parse_all(cls, text: str) -> tuple[Lock, ...]:
        r"""Read the locks of a file: one per line, `#` begins a comment.

        Examples
        --------
        >>> len(Lock.parse_all("# bluff less\nb10: KK = f 100\n\nk: all = k 100"))
        2
        """
        lines = [line.partition("#")[0].strip() for line in text.splitlines()]
        locks = tuple(cls.parse(line) for line in lines if line)
        if len(locks) > _MOST_LOCKS:
            raise SpotError(f"at most {_MOST_LOCKS:,} locks are allowed, not {len(locks):,}")
        return locks

    def __str__(self) -> str:
        on = f" on {cards_text(self.cards)}" if self.cards else ""
        rows = (
            f"{hands} = " + " ".join(f"{action} {100 * share:.6g}" for action, share in shares)
            for hands, shares in self.rows
        )
        return f"{self.line}{on}: " + "; ".join(rows)

    def strategy(self, actions: Sequence[str]) -> NDArray[np.float32]:
        """Return `[actions, 1326] float32` probabilities; nan for hands that are not locked."""
        strategy = np.full((len(actions), NUM_HOLES), np.nan, dtype=np.float32)
        for hands, shares in self.rows:
            for action, _ in shares:
                if action not in actions:
                    here = f"after '{self.line}'" if self.line else "at the start"
                    raise SpotError(
                        f"a lock has the action {action} {here}; possible are {', '.join(actions)}"
                    )
            named = dict(shares)
            free = np.isnan(strategy[0]) & _held(hands)
            strategy[:, free] = np.array([[named.get(action, 0.0)] for action in actions])
        return strategy


def _held(hands: str) -> NDArray[np.bool_]:
    """[1326] whether the hand is in a range text."""
    if hands == _ALL:
        return np.ones(NUM_HOLES, dtype=bool)
    held: NDArray[np.bool_] = Range.parse(hands).weights > 0
    return held


def _row(text: str) -> tuple[str, tuple[tuple[str, float], ...]]:
    """Read `HANDS = ACTION SHARE ACTION SHARE`."""
    hands, equals, tail = text.partition("=")
    words = tail.split()
    if not equals or not words or len(words) % 2:
        raise SpotError(
            f"{text.strip()[:60]!r} in a lock does not have the form HANDS = ACTION SHARE ..."
        )
    try:
        _held(hands.strip())
        shares = [float(word.rstrip("%")) for word in words[1::2]]
    except RiverboatError as error:
        raise SpotError(f"a lock has invalid hands {hands.strip()[:60]!r}: {error}") from error
    except ValueError:
        raise SpotError(
            f"the shares of a lock must be percentages, not {tail.strip()[:60]!r}"
        ) from None
    if not all(0 <= share <= 100 for share in shares) or abs(sum(shares) - 100) > 0.1:
        raise SpotError(f"the shares of a lock must add up to 100 %, not {tail.strip()[:60]!r}")
    if len(set(words[::2])) < len(shares):
        raise SpotError(f"a lock lists an action twice: {tail.strip()[:60]!r}")
    total = sum(shares)
    pairs = zip(words[::2], shares, strict=True)
    return hands.strip(), tuple((action, share / total) for action, share in pairs)


def decision_at(tree: Tree, line: str) -> int:
    """Return the decision at the end of a line; SpotError where the hand is over."""
    node = tree.node(line)
    if tree.kind[node] != DECISION:
        raise SpotError(f"the hand is over after '{line}': there is no decision")
    return node


def as_locks(locks: Iterable[Lock | str]) -> tuple[Lock, ...]:
    """Parse the locks that are text."""
    return tuple(Lock.parse(lock) if isinstance(lock, str) else lock for lock in locks)


def suits_alike(spot: Spot, tree: Tree, locks: Sequence[Lock]) -> bool:
    """Return whether all locks treat isomorphic hands and cards alike."""
    if not locks:
        return True
    layout = Layout(spot, tree, isomorphism=True)
    return all(
        layout.unmoved(lock.cards or (), lock.strategy(tree.actions(decision_at(tree, lock.line))))
        for lock in locks
    )


def _check_cards(lock: Lock, dealt: int) -> None:
    """Refuse a lock with too few or too many cards for its line."""
    if lock.cards is not None and len(lock.cards) != dealt:
        raise SpotError(
            f"the lock '{lock}' names the cards {cards_text(lock.cards)}, but after '{lock.line}' "
            f"{dealt} card{'s are' if dealt != 1 else ' is'} dealt to the spot's board"
        )


def apply_locks(engine: Engine, locks: Iterable[Lock]) -> None:
    """Lock an engine's decisions."""
    rows: dict[tuple[int, tuple[int, ...] | None], NDArray[Any]] = {}
    for lock in sorted(locks, key=lambda lock: lock.cards is not None):  # one card overrides
        node = decision_at(engine.tree, lock.line)
        _check_cards(lock, int(engine.tree.street[node]))
        strategy = lock.strategy(engine.tree.actions(node))
        above = rows.get((node, lock.cards), rows.get((node, None)))
        if above is not None:
            strategy = np.where(np.isnan(strategy), above, strategy)
        rows[node, lock.cards] = strategy
    for (node, cards), strategy in rows.items():
        engine.lock(node, cards, strategy)


class SolveSettings(Settings, frozen=True, kw_only=True):
    """Settings of a solve.

    Examples
    --------
    >>> SolveSettings(target=0.005, locks=["b10: KK = c 100"]).held[0].line
    'b10'
    """

    error: ClassVar[type[RiverboatError]] = SpotError

    target: Annotated[
        float, msgspec.Meta(ge=0, lt=1, description="target exploitability, share of the pot")
    ] = 0.003
    seconds: Annotated[float, msgspec.Meta(gt=0, description="time limit in seconds")] | None = None
    iterations: Annotated[int, meaning("iteration limit", 1, 2**31 - 1)] | None = None
    threads: Annotated[int, meaning("threads (0 = one per core)", 0, 256)] = 0
    """Results do not depend on the number of threads; small spots use fewer."""
    bits: Annotated[Bits, meaning("precision: 32 bits, or 16 to halve memory")] = 32
    schedule: Annotated[str | Schedule, meaning("discounting of old regrets")] = "ramp"
    """A name of `SCHEDULES`, or one of your own."""
    isomorphism: Annotated[bool, meaning("solve isomorphic runouts once")] = True
    """Only while no lock treats them differently."""
    locks: Annotated[tuple[str, ...], meaning("node locks")] = ()
    """Decisions with a fixed strategy: texts of `Lock`."""
    device: Annotated[Device, meaning("solve on cpu, gpu, or auto: a GPU where it is faster")] = (
        "cpu"
    )
    """Where no GPU can be used, the CPU solves, and `Solving.notice` says why."""
    exploit: Annotated[Side | None, meaning("compute a best response for this player")] = None
    rivers: Annotated[bool, meaning("store river strategies in the file")] = True

    def __post_init__(self) -> None:
        """Check the settings; write locks as normalised text."""
        texts = tuple(map(str, as_locks(self.locks)))
        msgspec.structs.force_setattr(self, "locks", texts)
        super().__post_init__()
        find_schedule(self.schedule)
        if self.target == 0 and self.seconds is None and self.iterations is None:
            raise SpotError("a target of 0 needs a limit of seconds or iterations")

    @property
    def held(self) -> tuple[Lock, ...]:
        """The locks."""
        return as_locks(self.locks)

    def changed(self, **changes: Any) -> SolveSettings:
        """Return a copy with some settings changed.

        Examples
        --------
        >>> SolveSettings(target=0.01).changed(threads=1).target
        0.01
        """
        return msgspec.structs.replace(self, **changes)
