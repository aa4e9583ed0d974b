"""Grades: what a deviation costs is what it loses; who follows the strategy loses nothing."""

import numpy as np
import pytest

from blueprint.strategies import leduc_solver, save
from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.bots import make_bot
from riverboat.game import Hand, catalogue
from riverboat.histories import record_of
from riverboat.learn import OWN_CHOICE, Grader, bot_grader, decisions_of, review_hands, seat_grader


@pytest.fixture(scope="module")
def leduc(tmp_path_factory: pytest.TempPathFactory) -> Grader:
    path = save(leduc_solver(60), tmp_path_factory.mktemp("leduc") / "leduc.blueprint")
    return Grader(Blueprint.open(path).query())


@pytest.fixture(scope="module")
def default() -> Grader:
    blueprint = Blueprint.open(default_blueprint())
    return Grader(blueprint.query(threshold=blueprint.threshold))


class Deviator:
    """Plays the strategy, but always does the same at some of its decisions."""

    def __init__(self, grader: Grader, seat: int, lines: dict[str, str]) -> None:
        self.grader, self.seat, self.lines = grader, seat, lines

    def value(self, hand: Hand) -> tuple[float, float]:
        """What the seat wins from here on, and what the review says that it loses."""
        if hand.actor is None:
            return float(hand.payoffs()[self.seat]), 0.0
        view = hand.view(hand.actor)
        shares = dict(self.grader.query.strategy(view).actions)
        scripted = hand.actor == self.seat and hand.line in self.lines
        if scripted:
            shares = {self.lines[hand.line]: 1.0}
        won, lost = 0.0, 0.0
        for action, share in shares.items():
            if share > 0:
                after = hand.clone()
                after.do(action)
                below = self.value(after)
                cost = self.grader.grade(view, action).loss if hand.actor == self.seat else 0.0
                assert cost is not None
                won += share * below[0]
                lost += share * (below[1] + cost)
        return won, lost


def every_deal(grader: Grader) -> list[Hand]:
    spec = grader.query.tree.spec
    cards = range(len(spec.ranks) * len(spec.suits))
    deck = [spec.deck[card] for card in cards]
    return [
        Hand(spec, cards=[a, b, c]) for a in deck for b in deck for c in deck if len({a, b, c}) == 3
    ]


@pytest.mark.parametrize(
    ("seat", "lines"),
    [
        pytest.param(0, {"": "b2", "kk/": "b4"}, marks=pytest.mark.slow),
        (1, {"k": "k", "b2": "f"}),
    ],
)
def test_a_deviation_costs_what_it_loses(leduc: Grader, seat: int, lines: dict[str, str]) -> None:
    """Over all deals of Leduc, exactly, with what the rule on own choices leaves out."""
    deals = every_deal(leduc)
    follower, deviator = Deviator(leduc, seat, {}), Deviator(leduc, seat, lines)
    honest = np.array([follower.value(hand) for hand in deals])
    assert 0 <= honest[:, 1].mean() < 0.005  # what it does in less than one of a hundred cases
    found = np.array([deviator.value(hand) for hand in deals])
    lost = honest[:, 0].mean() - found[:, 0].mean()
    told = found[:, 1].mean()
    own = own_choices(leduc, deals, deviator)
    assert told + own == pytest.approx(lost, abs=1e-5)
    assert lost > 0


def own_choices(grader: Grader, deals: list[Hand], deviator: Deviator) -> float:
    """What scripted actions cost that the strategy makes, too, which a review counts as nothing."""

    def walk(hand: Hand) -> float:
        if hand.actor is None:
            return 0.0
        view = hand.view(hand.actor)
        shares = dict(grader.query.strategy(view).actions)
        cost = 0.0
        if hand.actor == deviator.seat:
            did = deviator.lines.get(hand.line)
            worth = grader.query.values(view)
            values = {each.action: each.value for each in worth.actions}
            played = {did: 1.0} if did else shares
            cost = sum(
                share * (worth.value - values[action])
                for action, share in played.items()
                if shares[action] >= OWN_CHOICE
            )
            shares = played
        for action, share in shares.items():
            if share > 0:
                after = hand.clone()
                after.do(action)
                cost += share * walk(after)
        return cost

    return float(np.mean([walk(hand) for hand in deals]))


@pytest.mark.slow  # it builds the card tables
def test_who_follows_the_strategy_loses_nothing(default: Grader) -> None:
    """Also where the other bets what is not on the menu, whatever sizes coins read that as."""
    bots = [make_bot("shark", 1), make_bot("blueprint", 5)]
    records = []
    for seed in range(40):
        hand = Hand(default.query.tree.spec, seed=seed)
        while hand.actor is not None:
            hand.do(bots[hand.actor].act(hand.view(hand.actor)))
        records.append(record_of(hand, names=["shark", "default"]))
    found = review_hands(records, default, player="default")
    graded = [each for each in found.decisions if each.grade.graded]
    own = [each for each in graded if each.grade.frequency >= OWN_CHOICE]
    assert len(graded) > 60
    assert {each.loss_bb for each in own} == {0.0}
    assert all(each.grade.frequency > 0 for each in graded)
    assert len(graded) - len(own) < 0.05 * len(graded)  # what it does in one of a hundred cases


@pytest.mark.slow  # it builds the card tables
def test_an_exact_river(default: Grader) -> None:
    """Folding the nuts costs what the strategy gets with them."""
    hand = Hand(default.query.tree.spec, hole=["AsKs", "7c2d"], board="QsJsTs2h3d")
    hand.play("b25c/kk/kk/b25")
    view = hand.view(0)
    grade = default.grade(view, "f", values=True)
    assert grade.source == "exact"
    assert grade.error == 0
    assert grade.loss == pytest.approx(max(grade.values.values()), rel=0.5)
    assert (grade.loss or 0) > 75  # the pot, and more


@pytest.mark.slow  # as above
def test_a_bet_between_two_sizes_is_both(default: Grader) -> None:
    hand = Hand(default.query.tree.spec, hole=["AsKs", "7c2d"], board="QsJsTs2h3d")
    hand.play("b25c/kk/kk/")
    between = default.grade(hand.view(1), "b35", values=True)
    sizes = [default.grade(hand.view(1), action) for action in ("b25", "b50")]
    assert between.graded
    assert between.frequency <= max(each.frequency for each in sizes)
    assert min(e.loss or 0 for e in sizes) <= (between.loss or 0) <= max(e.loss or 0 for e in sizes)


def test_what_is_not_known_says_why(default: Grader, leduc: Grader) -> None:
    other = Hand(leduc.query.tree.spec, seed=1)
    grade = default.grade(other.view(0), "k")
    assert not grade.graded
    assert grade.loss is None
    assert grade.reason


def test_graders_of_bots() -> None:
    default = Blueprint.open(default_blueprint())
    found = bot_grader("blueprint")
    assert found is not None
    assert found.query.threshold == default.threshold
    assert bot_grader("blueprint:threshold=0").query.threshold == 0  # type: ignore[union-attr]
    assert seat_grader("fish", default.tree.spec) is not None
    assert seat_grader("fish", catalogue("kuhn")) is None


def test_decisions_are_what_the_seat_saw() -> None:
    hand = Hand.from_line(Blueprint.open(default_blueprint()).tree.spec, "b25c/kb30f", seed=1)
    for view, did in decisions_of(hand, 1):
        assert view.seat == view.actor == 1
        assert did in ("c", "k", "f")
