"""Files that pages take as given: each is made when a block first names it."""

from collections.abc import Callable
from pathlib import Path

from riverboat.game import Hand, catalogue
from riverboat.histories import HandRecord, record_of, write
from riverboat.training import load_recipe, train
from sizes import BUCKETS

__all__ = ["PREPARED"]


def _recorded(game: str, lines: tuple[str, ...]) -> list[HandRecord]:
    hands = [Hand.from_line(catalogue(game), line, seed=seed) for seed, line in enumerate(lines)]
    return [record_of(hand, hand_id=str(number)) for number, hand in enumerate(hands, 1)]


def _no_limit(path: Path) -> None:
    write(_recorded("nolimit-200bb", ("b300c/kk/kk/kk", "f")), path)


def _match_log(path: Path) -> None:
    """A log as other programs write it: without the comments that name the game."""
    _no_limit(path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if line.startswith("STATE")))


def _kuhn(path: Path) -> None:
    write(_recorded("kuhn", ("kk", "b1f")), path)


def _moves(path: Path) -> None:
    path.write_text("c\nk\nk\nk\nq\n")


def _bot(path: Path) -> None:
    path.write_text(
        'class Mine:\n    def act(self, view):\n        return "k" if view.legal.check else "c"\n'
    )


def _strategy(recipe: str, **changes: object) -> Callable[[Path], None]:
    """Train one of the recipes for a moment, with fewer buckets."""

    def make(path: Path) -> None:
        small = {"threads": 1, "budget": {"iterations": 2000}, "bound.every": 0, **changes}
        list(train(load_recipe(recipe).changed(small), path, plot=False))
        path.with_suffix(".checkpoint").unlink()

    return make


#: How to make each of them.
PREPARED: dict[str, Callable[[Path], None]] = {
    "cardiff.blueprint": _strategy("cardiff", file={"pruned": True}),
    "hands.phhs": _no_limit,
    "kuhn.jsonl": _kuhn,
    "laptop.blueprint": _strategy("laptop", cards=BUCKETS),
    "leduc.blueprint": _strategy("leduc"),
    "match.log": _match_log,
    "moves.txt": _moves,
    "mybot.py": _bot,
    "session.txt": _no_limit,
}
