"""Bots that play from strategies, and their styles."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from blueprint.strategies import leduc_solver, save
from riverboat.blueprint import Blueprint, EnumeratedBuckets, HoldemBuckets, Query
from riverboat.bots import BlueprintBot, Bot, RandomBot, Style, UniformBot, go_along, make_bot
from riverboat.bots._styles import STYLES, StyleName
from riverboat.buckets import make_abstraction
from riverboat.errors import GameError
from riverboat.game import GameSpec, Hand, View, catalogue
from riverboat.translation import size_shares
from riverboat.tree import Tree
from sizes import few_or_many

NOLIMIT = catalogue("nolimit-100bb")


class Fixed:
    """A strategy with the same row for all infosets of so many actions; None = untrained."""

    def __init__(self, tree: Tree, rows: dict[int, list[float]]) -> None:
        self.tree, self._rows = tree, rows

    def row(self, node: int, bucket: int) -> NDArray[np.float32] | None:  # noqa: ARG002 - the same for all
        """The row of the node's number of actions."""
        row = self._rows.get(int(self.tree.num_actions[node]))
        return None if row is None else np.array(row, np.float32)


class Recording:
    """Counts how often it is asked, and on which streets; hears of hands."""

    def __init__(self) -> None:
        self.streets: Counter[int] = Counter()
        self.heard: list[str] = []

    def act(self, view: View) -> str:
        """Check or call."""
        self.streets[view.street] += 1
        return go_along(view)

    def hand_started(self, view: View) -> None:
        """Hear of it."""
        self.heard.append(f"start {view.seat}")

    def hand_over(self, view: View) -> None:
        """Hear of it."""
        self.heard.append(f"over {view.seat}")


def fixed_bot(rows: dict[int, list[float]], menu: str = "fcpa", **options: Any) -> BlueprintBot:
    tree = Tree(NOLIMIT, menu + " ; cap 2")
    query = Query(Fixed(tree, rows), HoldemBuckets(make_abstraction("suitless 4"), NOLIMIT))
    options.setdefault("fallback", Recording())
    return BlueprintBot(query, seed=1, **options)


def test_draws_follow_the_strategy_and_the_seed() -> None:
    rows = {4: [0.1, 0.2, 0.3, 0.4]}
    view = Hand(NOLIMIT, seed=1).view(0)
    bot = fixed_bot(rows, "100%, a")
    drawn = [bot.act(view) for _ in range(4000)]
    counts = Counter(drawn)
    # Standard deviation at most sqrt(4000 * 0.24) = 31; four of them 124.
    for action, share in zip(("f", "c", "b30", "b1000"), rows[4], strict=True):
        assert abs(counts[action] - 4000 * share) < 125
    again = fixed_bot(rows, "100%, a")
    assert drawn == [again.act(view) for _ in range(4000)]
    assert bot.strategy(view) == pytest.approx(
        {"f": 0.1, "c": 0.2, "b30": 0.3, "b1000": 0.4}, abs=1e-6
    )
    assert bot.counts == {"trained": 4000}


# ---- Coins: a raise to 25 adds 15 to a pot of 20, between b20 and b30 of the menu.


def readings(seed: int | None, hands: int, *, told: bool = True) -> list[bool]:
    """Whether a raise to 25 counts as the larger size, hand by hand with the same cards."""
    bot = coin_bot(seed)
    view = Hand.from_line(NOLIMIT, "b25", hole=["AhKh", "QsQd"]).view(1)
    found = []
    for _ in range(hands):
        if told:
            bot.hand_started(view)
        node = bot.query.tracker.find(view).node
        # The same question, with another between them, gets the same answer.
        bot.query.tracker.find(Hand(NOLIMIT, seed=1).view(0))
        assert bot.query.tracker.find(view).node == node
        found.append(bot.query.tree.line(node) == "b30")
    return found


def coin_bot(seed: int | None) -> BlueprintBot:
    tree = Tree(NOLIMIT, "50%, 100%, a ; cap 2")
    query = Query(Fixed(tree, {}), HoldemBuckets(make_abstraction("suitless 4"), NOLIMIT))
    return BlueprintBot(query, UniformBot(query, 1), seed)


def test_coins_are_the_bots_own() -> None:
    first, again, other = readings(1, 64), readings(1, 64), readings(2, 64)
    assert first == again != other  # alike by chance: below 1e-15
    assert len(set(readings(1, 64, told=False))) == 1  # one hand, one coin
    assert readings(None, 64) != readings(None, 64)


def test_coins_fall_by_their_probability() -> None:
    hands = 2000
    share = 1 - size_shares(0.75, (0.5, 1.0))[0][1]
    # Four standard deviations.
    assert abs(sum(readings(3, hands)) - hands * share) < 4 * (hands * share * (1 - share)) ** 0.5


def test_the_uniform_fallback_reads_as_its_bot_does() -> None:
    bot = coin_bot(1)
    assert isinstance(bot.fallback, UniformBot)
    assert bot.fallback.query is bot.query


def test_fallback_where_untrained_off_the_tree_and_on_later_streets() -> None:
    bot = fixed_bot({3: [1, 0, 0], 4: [0, 1, 0, 0]}, "100%, a", num_streets=2)
    fallback = bot.fallback
    assert isinstance(fallback, Recording)
    for seed in range(20):
        hand = Hand(NOLIMIT, seed=seed)
        bot.hand_started(hand.view(0))
        while hand.actor is not None:
            hand.do(bot.act(hand.view(hand.actor)))
        bot.hand_over(hand.view(0))
    # Everybody checks or calls: two decisions a street, of which the last two are the fallback's.
    assert fallback.streets == {2: 40, 3: 40}
    assert bot.counts == {"trained": 80, "later": 80}
    assert fallback.heard == ["start 0", "over 0"] * 20
    untrained = fixed_bot({}, "100%, a")
    assert untrained.act(Hand(NOLIMIT, seed=1).view(0)) == "c"
    assert untrained.counts == {"untrained": 1}
    assert untrained.strategy(Hand(NOLIMIT, seed=1).view(0)) == {"c": 1.0}


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (catalogue("nolimit-100bb", 3), "the tree is for 2 players, the table has 3"),
        (catalogue("short-deck"), "the tree is for another deck or showdown"),
        (NOLIMIT.replace(blinds=(10, 10)), "the tree is for blinds of"),
    ],
)
def test_another_kind_of_game_is_refused(other: GameSpec, difference: str) -> None:
    """Also by a bot that leaves later streets to another, and by one that only tells."""
    for bot in (fixed_bot({}, "100%, a"), fixed_bot({}, "100%, a", num_streets=1)):
        hand = Hand(other, seed=1)
        assert hand.actor is not None
        for ask in (bot.act, bot.strategy):
            with pytest.raises(GameError, match=f"does not play '{other.name}': {difference}"):
                ask(hand.view(hand.actor))
        assert not bot.counts


@pytest.mark.parametrize(
    ("stacks", "line", "seat"),
    [
        ((1010, 1010), "b1000b1010", 0),
        ((2000, 2000), "b25c/b975b1975", 1),
        ((2000, 2000), "b25b1000b2000", 1),
    ],
)
def test_nobody_folds_after_his_all_in_of_the_tree(
    stacks: tuple[int, int], line: str, seat: int
) -> None:
    """The strategy and the fallback would always fold; the tree has 1000 chips."""
    bot = fixed_bot({2: [1, 0], 3: [1, 0, 0]}, "2.5x, 100%, a", fallback=RandomBot(1))
    hand = Hand.from_line(NOLIMIT, line, stacks=stacks, seed=1)
    assert hand.actor == seat
    assert {bot.act(hand.view(seat)) for _ in range(20)} == {"c"}
    assert bot.strategy(hand.view(seat)) == {"c": 1.0}


def test_a_tiny_bet_is_called_where_it_counts_as_none() -> None:
    """Who always folds to the smallest bet, 50 into 50, folds to 10 by the paper's share."""
    bot = fixed_bot({4: [1, 0, 0, 0]}, "100%, a")
    folds = 0
    for seed in range(1000):
        hand = Hand.from_line(NOLIMIT, "b25c/b10", seed=seed)
        answer = bot.query.strategy(hand.view(0))
        assert {action for action, chance in answer.actions if chance} <= {"f", "c"}
        folds += dict(answer.actions)["f"] == 1
    # 10 is 0.2 pots, the smallest size 1: none with (1 - 0.2) / (1 + 0.2) = 2/3.
    # Standard deviation sqrt(1000 * 2/9) = 14.9, four of them 59.6.
    assert abs(folds - 1000 / 3) < 60


def test_styles_that_need_win_rates_are_refused_where_there_are_none(tmp_path: Path) -> None:
    blueprint = Blueprint.open(save(leduc_solver(2), tmp_path / "leduc.blueprint"))
    query = Query(blueprint, EnumeratedBuckets(blueprint.tree))
    with pytest.raises(GameError, match=r"tight-aggressive needs win rates .* 'leduc'"):
        BlueprintBot(query, make_bot("checkcall", 0), 1, Style("tight-aggressive"))
    own = Style("tight-aggressive", win_rate=lambda _: 0.5)
    hand = Hand(blueprint.tree.spec, seed=1)
    assert BlueprintBot(query, make_bot("checkcall", 0), 1, own).act(hand.view(0)) in ("k", "b2")


def test_all_in_in_the_tree_means_calling_at_the_table() -> None:
    bot = fixed_bot({}, "100%, a", fallback=RandomBot(1))
    hand = Hand.from_line(NOLIMIT, "b900c/b100", seed=1)
    assert {bot.act(hand.view(0)) for _ in range(20)} == {"c"}
    assert bot.counts == {"off-tree": 20}


@pytest.mark.parametrize("hands", few_or_many(800, 2000))
def test_plays_whole_matches_of_leduc(tmp_path: Path, hands: int) -> None:
    """A trained Leduc bot does not lose to a random one, in both seats."""
    blueprint = Blueprint.open(save(leduc_solver(200), tmp_path / "leduc.blueprint"))
    query = Query(blueprint, EnumeratedBuckets(blueprint.tree))
    won = 0
    for seed in range(hands):
        bots: list[Bot] = [BlueprintBot(query, make_bot("checkcall", 0), seed), RandomBot(seed)]
        hand = Hand(blueprint.tree.spec, seed=seed // 2)
        while hand.actor is not None:
            hand.do(bots[hand.actor ^ (seed % 2)].act(hand.view(hand.actor)))
        won += hand.payoffs()[seed % 2]
    # About +0.7 chips a hand; its standard deviation is below 5, so that 0 lies 4 or 6 of them off.
    assert won > 0


# ---- Styles

MIXED = {"f": 0.2, "c": 0.3, "b20": 0.2, "b50": 0.2, "b1000": 0.1}
VIEW = Hand(NOLIMIT, hole=["AhAd", "??"], seed=1).view(0)


@pytest.mark.parametrize("name", STYLES)
def test_styles_give_distributions_over_the_same_actions(name: Any) -> None:
    styled = Style(name, win_rate=lambda view: 0.4)(VIEW, MIXED)  # noqa: ARG005 - the same for all
    assert list(styled) == list(MIXED)
    assert sum(styled.values()) == pytest.approx(1)
    assert min(styled.values()) >= 0


def test_aggressive_and_tight_are_opposites() -> None:
    bold, tight = Style("aggressive")(VIEW, MIXED), Style("tight")(VIEW, MIXED)
    assert bold["f"] < MIXED["f"] < tight["f"]
    assert bold["b1000"] / bold["c"] == pytest.approx(2 * MIXED["b1000"] / MIXED["c"])
    assert bold["b1000"] / bold["b20"] > MIXED["b1000"] / MIXED["b20"]
    assert tight["b1000"] / tight["b20"] < MIXED["b1000"] / MIXED["b20"]
    # The one undoes the other, but for scale.
    back = Style("aggressive")(VIEW, tight)
    assert back == pytest.approx(MIXED)


def test_the_other_styles() -> None:
    assert Style("random")(VIEW, MIXED) == dict.fromkeys(MIXED, 0.2)
    calling = Style("calling-machine")(VIEW, MIXED)
    assert calling["c"] == pytest.approx(0.65)
    assert all(calling["c"] > p for action, p in calling.items() if action != "c")
    assert Style("deterministic")(VIEW, MIXED) == {a: float(a == "c") for a in MIXED}
    strong = Style("tight-aggressive", win_rate=lambda _: 0.5)
    assert strong(VIEW, MIXED) == Style("aggressive")(VIEW, MIXED)
    weak = Style("tight-aggressive", win_rate=lambda _: 0.49)
    assert weak(VIEW, MIXED) == Style("tight")(VIEW, MIXED)


def test_stronger_styles() -> None:
    """By hand: a calling machine of strength 4 plays the strategy one time in four."""
    calling = Style("calling-machine", 4.0)(VIEW, MIXED)
    assert calling["c"] == pytest.approx(0.75 + MIXED["c"] / 4)
    assert sum(calling.values()) == pytest.approx(1)
    tight, tighter = Style("tight")(VIEW, MIXED), Style("tight", 8.0)(VIEW, MIXED)
    assert MIXED["f"] < tight["f"] < tighter["f"]
    with pytest.raises(GameError, match=r"strength=0\.5 is not allowed"):
        make_bot("blueprint:style=tight,strength=0.5", seed=1)


def test_styles_never_do_what_is_never_done() -> None:
    names: tuple[StyleName, ...] = ("aggressive", "tight", "deterministic")
    for name in names:
        assert Style(name)(VIEW, {"f": 0.0, "c": 1.0, "b20": 0.0})["c"] == 1.0
    assert Style("calling-machine")(VIEW, {"s": 0.2, "d2c": 0.8}) == {"s": 0.2, "d2c": 0.8}


def test_what_is_no_style_is_refused() -> None:
    with pytest.raises(GameError, match="'wild' is not a style: there are aggressive"):
        Style("wild")  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(GameError, match="factor=1"):
        Style("tight", factor=1)


def test_a_styled_bot_plays_its_style() -> None:
    bot = fixed_bot({4: [0.4, 0.3, 0.2, 0.1]}, "100%, a", style=Style("deterministic"))
    assert {bot.act(Hand(NOLIMIT, seed=1).view(0)) for _ in range(50)} == {"f"}
