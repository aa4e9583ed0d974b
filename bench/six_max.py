"""Judge a six-max strategy: ranges, matches, agreement with Pluribus (docs/six_max.md).

One command does all of it, and continues where Ctrl-C stopped it:

    uv run python bench/six_max.py six-max.blueprint --log six-max.jsonl --hands 100000

It prints one JSON object per line and appends it to the log. `--pluribus FOLDER` names a folder
with Pluribus's hands as .phh files (data/pluribus of the public phh-dataset), and `--response 600`
trains a response of each seat for ten minutes. `--only ranges`, `matches`, `pluribus` or
`responses` does a part.

The agreement with Pluribus was defined before any result was seen: over Pluribus's own decisions
where the strategy has a trained answer, by street, the mean probability of the class of action
that Pluribus took (fold, check or call, bet or raise), and the share of decisions where that class
is the likeliest.
"""

import argparse
import json
import math
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from riverboat.arena import BotMaker, play_match
from riverboat.blueprint import Blueprint, Query, decision_at
from riverboat.bots import give_up, go_along, make_bot, raise_pot_share
from riverboat.cards import built_strength, class_text
from riverboat.evaluate import response_bound
from riverboat.game import Action, Hand, View, line_prefixes, position_names
from riverboat.histories import HandRecord, read

BLINDS = 2
SIX = 6

# Lines of the decision of a position when all before it have folded, with the bounds of the share
# of hands that it plays: published charts for 100 big blinds, and Pluribus's hands.
OPENS = {"LJ": ("", 15, 20), "HJ": ("f", 19, 25), "CO": ("ff", 25, 32), "BTN": ("fff", 39, 47)}
OPENS["SB"] = ("ffff", 55, 70)
# The big blind against an open, and the bounds of its re-raises.
RERAISES = {"BTN": ("fffb25f", 10, 15), "SB": ("ffffb30", 13, 18)}
MOST_FLIPS = 0.01
FLIP = 0.05  # a better hand is folded more often than a worse one by more than this

FAST = "checkcall random fish angry-fish all-in honest shark matt mike fold rule-based backup"
SLOW = "killer killbot honest-pypokerengine random-pypokerengine montecarlo montecarlo-plus"
MIXED = ["shark", "mike", "rule-based", "honest", "angry-fish"]


class AlwaysRaise:
    """Raises by the pot whenever it may."""

    def act(self, view: View) -> str:
        """Choose a move."""
        return raise_pot_share(view, 1)


class LimpFold:
    """Calls the big blind, and folds to any raise."""

    def act(self, view: View) -> str:
        """Choose a move."""
        limps = not view.board and max(view.bets) <= view.spec.big_blind
        return go_along(view) if limps else give_up(view)


class Stealer:
    """Bets two thirds of the pot while nobody else has bet, without a look at its cards."""

    def act(self, view: View) -> str:
        """Choose a move."""
        unraised = max(view.bets) <= (0 if view.board else view.spec.big_blind)
        return raise_pot_share(view, 2 / 3) if unraised else give_up(view)


OWN = {"always-raise": AlwaysRaise, "limp-fold": LimpFold, "stealer": Stealer}


def make_opponent(name: str, seed: int) -> Any:
    """Return a bot of this file, or of Riverboat."""
    return OWN[name]() if name in OWN else make_bot(name, seed)


# ---- Ranges


def by_class(blueprint: Blueprint, line: str) -> tuple[tuple[str, ...], Any, Any]:
    """Return the actions of a decision, its [169, actions] strategy, and its frequencies."""
    node = blueprint.tree.node(line)
    view = decision_at(blueprint, node, "", built_strength)
    return view.actions, view.by_class(), view.frequencies()


def share_of(actions: Sequence[str], frequencies: Any, kind: str) -> float:
    """Return the frequency of a kind of action, in per cent."""
    pairs = zip(actions, frequencies.tolist(), strict=True)
    return 100.0 * float(sum(share for action, share in pairs if Action(action).kind == kind))


def dominated() -> list[tuple[int, int]]:
    """Return pairs of classes, the better one first: the next kicker, the next pair, suited."""
    number = {class_text(index): index for index in range(169)}
    ranks, pairs = "AKQJT98765432", []
    for high in range(13):
        if high:
            pairs.append((ranks[high - 1] * 2, ranks[high] * 2))
        for low in range(high + 1, 13):
            name = ranks[high] + ranks[low]
            pairs.append((f"{name}s", f"{name}o"))
            if low + 1 < 13:
                worse = ranks[high] + ranks[low + 1]
                pairs += [(name + suits, worse + suits) for suits in "so"]
    return [(number[better], number[worse]) for better, worse in pairs]


def flips(actions: Sequence[str], strategy: Any) -> tuple[int, int]:
    """Return how many dominated pairs are folded in the wrong order, and how many there are."""
    folds = np.nan_to_num(strategy[:, list(actions).index("f")], nan=1.0)
    pairs = dominated()
    return sum(bool(folds[a] > folds[b] + FLIP) for a, b in pairs), len(pairs)


def ranges(blueprint: Blueprint) -> Iterator[dict[str, Any]]:
    """Compare opening ranges and re-raises of the big blind with their bounds; count flips."""
    wrong = total = 0
    for seat, (line, least, most) in OPENS.items():
        actions, strategy, frequencies = by_class(blueprint, line)
        raises, limps = (share_of(actions, frequencies, kind) for kind in ("bet", "call"))
        off, pairs = flips(actions, strategy)
        if seat != "SB":  # there limp and raise are nearly equal
            wrong, total = wrong + off, total + pairs
        yield {
            "what": "open", "seat": seat, "raise": raises, "limp": limps, "least": least,
            "most": most, "good": least <= raises + limps <= most, "flips": off / pairs,
        }  # fmt: skip
    for seat, (line, least, most) in RERAISES.items():
        actions, _, frequencies = by_class(blueprint, line)
        found = {kind: share_of(actions, frequencies, kind) for kind in ("bet", "call", "fold")}
        good = least <= found["bet"] <= most
        yield {"what": "BB v", "seat": seat, **found, "least": least, "most": most, "good": good}
    yield {"what": "flips", "share": wrong / total, "good": wrong / total < MOST_FLIPS}


# ---- Matches


def tables(file: Path) -> Iterator[tuple[str, list[BotMaker], bool]]:
    """Yield name, bots and whether they are slow, of each table."""
    own = f"blueprint:{file}"
    for name in [*FAST.split(), *OWN, *SLOW.split()]:
        five: list[BotMaker] = [partial(make_opponent, name) if name in OWN else name] * (SIX - 1)
        yield f"five {name}", [own, *five], name in SLOW.split()
    yield "mixed", [own, *MIXED], False
    mixed = ["stealer", "all-in", "shark", "limp-fold", "always-raise"]
    yield "mixed, wild", [own, *(partial(make_opponent, name) for name in mixed)], False
    for seats in (3, 4, 5):
        yield f"mixed, {seats} seats", [own, *MIXED[: seats - 1]], False


def matches(file: Path, options: Any, done: set[str]) -> Iterator[dict[str, Any]]:
    """Play each table; results are of the strategy, in mbb a hand with a 95 % interval."""
    for name, bots, slow in tables(file):
        if name in done:
            continue
        seats = len(bots)
        hands = options.hands // 10 if slow else options.hands // (1 if seats == SIX else 5)
        result = play_match(
            bots, "nolimit-100bb", hands=max(hands // seats, 2) * seats, seed=options.seed,
            workers=options.workers, keep_going=True,
        )  # fmt: skip
        found = result.best_estimate().scaled(100)  # a big blind is 10 chips
        above = found.interval[0] > 0
        yield {
            "what": "match", "table": name, "hands": result.hands, "seed": options.seed,
            "mbb": found.as_values(), "above_zero": above,
        }  # fmt: skip


# ---- Pluribus


class Agreement:
    """Sums over decisions of one street."""

    def __init__(self) -> None:
        self.asked = self.trained = self.likeliest = 0
        self.probability = self.squares = 0.0

    def add(self, shares: dict[str, float] | None, taken: str) -> None:
        """Add a decision; without shares the strategy has no trained answer."""
        self.asked += 1
        if shares is None:
            return
        own = shares.get(taken, 0.0)
        self.trained += 1
        self.probability, self.squares = self.probability + own, self.squares + own * own
        self.likeliest += own >= max(shares.values())

    def as_dict(self) -> dict[str, Any]:
        """Return means with 95 % margins."""
        count = max(self.trained, 1)
        mean, share = self.probability / count, self.likeliest / count
        spread = math.sqrt(max(self.squares / count - mean * mean, 0.0) / count)
        return {
            "decisions": self.asked, "trained": self.trained,
            "probability": mean, "probability_margin": 1.96 * spread,
            "likeliest": share, "likeliest_margin": 1.96 * math.sqrt(share * (1 - share) / count),
        }  # fmt: skip


def class_of(action: str) -> str:
    """Return fold, call (or check) or raise (or bet)."""
    kind = Action(action).kind
    return {"fold": "fold", "bet": "raise"}.get(kind, "call")


def shares_of(query: Query, view: View) -> dict[str, float] | None:
    """Return the probability of each class of action; None without a trained answer."""
    answer = query.strategy(view)
    if answer.status != "trained":
        return None
    shares: dict[str, float] = defaultdict(float)
    for action, probability in answer.actions:
        shares[class_of(action)] += probability
    return shares


def own_decisions(record: HandRecord, player: str) -> Iterator[tuple[View, str]]:
    """Yield a player's decisions: what they saw, and the action that they took."""
    if player not in record.names:
        return
    seat, hand = record.names.index(player), Hand(record.spec, cards=record.deal)
    for action, _ in line_prefixes(record.line):
        if hand.actor == seat:
            yield hand.view(seat), action
        hand.do(action)


def pluribus(blueprint: Blueprint, folder: Path, most: int) -> dict[str, Any]:
    """Return the agreement with Pluribus by street, and over all."""
    query = blueprint.query("nearest-ratio")
    names = ["preflop", "flop", "turn", "river", "all"]
    found = {name: Agreement() for name in names}
    hands = 0
    files = sorted(folder.rglob("*.phh"))
    random.Random(1).shuffle(files)  # noqa: S311 - a sample, no secret
    for file in files[: most or None]:
        for record in read(file).hands:
            hands += 1
            for view, action in own_decisions(record, "Pluribus"):
                shares = shares_of(query, view)
                for name in (names[view.street], "all"):
                    found[name].add(shares, class_of(action))
    streets = {name: each.as_dict() for name, each in found.items()}
    return {"what": "pluribus", "hands": hands, **streets}


# ---- Trained responses


def responses(blueprint: Blueprint, options: Any) -> dict[str, Any]:
    """Return what a trained response of each seat wins from five copies, in mbb a hand.

    Inside the tree and the card abstraction, so it is a lower bound on what a best response wins.
    """
    spec = blueprint.tree.spec
    found = response_bound(
        blueprint.deals(), blueprint.dense(), seconds=options.response, seed=options.seed,
        threads=options.workers,
    )  # fmt: skip
    unit = 1000 / spec.big_blind
    pairs = zip(position_names(spec), found.seats, strict=True)
    seats = {name: seat.value.scaled(unit).as_values() for name, seat in pairs}
    mean = found.bound.scaled(unit).as_values()
    return {"what": "responses", "seconds": options.response, "gain": mean, "value": seats}


# ---- The command


def parts(options: Any, done: set[str]) -> Iterator[dict[str, Any]]:
    """Yield the results of all parts that are not in the log."""
    blueprint = Blueprint.open(options.file)
    wanted = options.only
    if wanted in {"all", "ranges"} and "ranges" not in done:
        yield from ranges(blueprint)
    if wanted in {"all", "pluribus"} and options.pluribus and "pluribus" not in done:
        yield pluribus(blueprint, options.pluribus, options.most)
    if wanted in {"all", "responses"} and options.response and "responses" not in done:
        yield responses(blueprint, options)
    if wanted in {"all", "matches"}:
        yield from matches(options.file, options, done)


def already(log: Path | None, key: dict[str, Any]) -> set[str]:
    """Return what the log has of this file."""
    if log is None or not log.is_file():
        return set()
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    own = [line for line in lines if key.items() <= line.items()]
    whole = {"flips": "ranges", "pluribus": "pluribus", "responses": "responses"}
    return {line.get("table") or whole.get(line["what"], "") for line in own}


def main() -> None:
    """Measure, print, log."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", maxsplit=1)[0])
    parser.add_argument("file", type=Path, help="the strategy file")
    parser.add_argument("--log", type=Path, help="file of results; finished ones are skipped")
    choices = ["all", "ranges", "matches", "pluribus", "responses"]
    parser.add_argument("--only", choices=choices, default="all")
    parser.add_argument("--response", type=float, default=0, help="seconds to train each response")
    parser.add_argument("--hands", type=int, default=100_000, help="hands of a match at six seats")
    parser.add_argument("--pluribus", type=Path, help="folder of Pluribus's hands (.phh)")
    parser.add_argument("--most", type=int, default=0, help="hands of Pluribus to read (0 = all)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the matches")
    parser.add_argument("--workers", type=int, default=1, help="processes of a match")
    options = parser.parse_args()
    header = Blueprint.open(options.file).header
    key = {"file": options.file.name, "iterations": header.training.iterations}
    for values in parts(options, already(options.log, key)):
        line = json.dumps(key | values)
        print(line, flush=True)
        if options.log is not None:
            with options.log.open("a", encoding="utf-8") as file:
                file.write(line + "\n")


if __name__ == "__main__":
    main()
