"""From real tables to nodes of a tree, and back to legal actions."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.random_games import random_move, random_spec
from riverboat.errors import GameError, IllegalActionError, MenuError
from riverboat.game import GameSpec, Hand, catalogue
from riverboat.translation import Tracker, real_actions
from riverboat.tree import DECISION, Tree
from sizes import few_or_many

NOLIMIT = catalogue("nolimit-100bb")
LAPTOP = Tree(NOLIMIT, "laptop")


def line_of(tracker: Tracker, spec: GameSpec, line: str, **cards: object) -> str:
    """The tree's line for a real one."""
    hand = Hand.from_line(spec, line, **cards)
    assert hand.actor is not None
    place = tracker.find(hand.view(hand.actor))
    return tracker.tree.line(place.node) if place.node >= 0 else place.reason


def test_bets_into_an_empty_pot_are_found() -> None:
    spec = NOLIMIT.replace(stacks=(100, 100), blinds=(0, 0), min_bet=10)
    tracker = Tracker(Tree(spec, "min, a"))
    lines = [line_of(tracker, spec, line) for line in ("b10", "b30", "b99", "kb20")]
    assert lines == ["b10", "b100", "b100", "kb10"]


def test_every_line_of_the_tree_is_found_exactly() -> None:
    tracker, rng = Tracker(LAPTOP), random.Random(1)
    decisions = [node for node in range(LAPTOP.num_nodes) if LAPTOP.kind[node] == DECISION]
    for node in rng.sample(decisions, 300):
        hand = Hand.from_line(NOLIMIT, LAPTOP.line(node))
        assert hand.actor == LAPTOP.player[node]
        place = tracker.find(hand.view(int(LAPTOP.player[node])))
        assert (place.node, place.exact) == (node, True)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("b26", "b25"),  # 0.8 pots: below the geometric mean of 0.75 and 1
        ("b20", "b25"),  # below the smallest
        ("b600", "b1000"),  # 29.5 pots, between 1 and 49.5
        ("cb999", "cb1000"),
        ("b25c/b26b80", "b25c/b25b125"),  # the smallest raise is the pot, 100, on top of 25
    ],
)
def test_off_menu_bets(line: str, expected: str) -> None:
    assert line_of(Tracker(LAPTOP, "nearest-ratio"), NOLIMIT, line) == expected


def test_a_raise_beyond_the_cap_makes_the_raisers_last_bet_the_largest() -> None:
    tracker = Tracker(LAPTOP)
    # b25, b75, b225 are three raises, the menu's most; seat 1 raises once more, to 500. Its last
    # bet was b75, and the largest there is all-in.
    assert LAPTOP.actions(LAPTOP.node("b25b75b225")) == ("f", "c")
    assert line_of(tracker, NOLIMIT, "b25b75b225b500") == "b25b1000"


@pytest.mark.parametrize(
    ("amount", "share"),
    [
        # x pots on top of 225 into 450, and all-in 775 / 450: (B - x) / (B (1 + x)) count as none.
        (375, (775 - 150) / 450 / (775 / 450 * (1 + 150 / 450))),
        (600, (775 - 375) / 450 / (775 / 450 * (1 + 375 / 450))),
        (1000, 0.0),
    ],
)
def test_a_raise_beyond_the_cap_counts_as_none_by_its_size(amount: int, share: float) -> None:
    tracker = Tracker(LAPTOP)
    hand = Hand.from_line(NOLIMIT, "b25b75b225")
    place = tracker.find(hand.view(1))
    found = {place.as_none: chance for place, chance in tracker.readings(place, hand, f"b{amount}")}
    assert found == pytest.approx({True: share, False: 1 - share} if share else {False: 1.0})


def test_after_a_raise_beyond_the_cap_the_pot_is_that_of_the_last_raise() -> None:
    for seed in range(20):  # whatever the coin
        tracker = Tracker(LAPTOP, seed=seed)
        assert line_of(tracker, NOLIMIT, "b25b75b225b375c/") == "b25b75b225c"
        # On a deeper table the tree's chips are in: its players call anything.
        hand = Hand.from_line(NOLIMIT, "b25b75b225b1500c/b600", stacks=[9000, 9000])
        assert tracker.find(hand.view(0)).committed
        # A second raise beyond it changes nothing.
        assert line_of(tracker, NOLIMIT, "b25b75b225b375b525c/") == "b25b75b225c"


def test_who_never_bet_on_the_street_leaves_the_tree_by_a_raise_beyond_the_cap() -> None:
    tracker = Tracker(Tree(NOLIMIT, "100% ; cap 1"))
    assert line_of(tracker, NOLIMIT, "b30b90").startswith("the tree has no action like b90")


@pytest.mark.parametrize("hands", few_or_many(500, 2000))
def test_the_draw_is_that_of_the_paper_over_many_hands(hands: int) -> None:
    # b28 is (28 - 10) / 20 = 0.9 pots: smaller (0.75) with 0.1 * 1.75 / (0.25 * 1.9) = 0.3684.
    tracker, smaller = Tracker(LAPTOP, seed=9), 0
    for seed in range(hands):
        view = Hand.from_line(NOLIMIT, "b28", seed=seed).view(1)
        place = tracker.find(view)
        assert place == Tracker(LAPTOP, seed=9).find(view)
        smaller += LAPTOP.line(place.node) == "b25"
    # Four standard deviations.
    assert abs(smaller - hands * 0.3684) < 4 * (hands * 0.3684 * 0.6316) ** 0.5


def test_views_of_one_hand_extend_and_others_restart() -> None:
    rng = random.Random(4)
    tracker = Tracker(LAPTOP, seed=3)
    for seed in range(150):
        hand = Hand(NOLIMIT, seed=seed)
        while hand.actor is not None:
            view = hand.view(hand.actor)
            assert tracker.find(view) == Tracker(LAPTOP, seed=3).find(view)
            hand.do(random_move(hand, rng))


def test_a_shorter_line_that_is_a_prefix_in_text_only() -> None:
    tracker = Tracker(LAPTOP, "nearest-amount")
    for line, expected in (("b25", "b25"), ("b250", "b30"), ("b25", "b25")):
        assert line_of(tracker, NOLIMIT, line, hole=["AhKh", "QsQd"]) == expected


def test_other_blinds_of_the_same_proportion() -> None:
    big = catalogue("nolimit-200bb")  # 50/100, stacks 20000: twice as deep
    tracker = Tracker(LAPTOP)
    assert line_of(tracker, big, "b250c/kb250") == "b25c/kb25"
    hand = Hand.from_line(big, "b250", seed=1)
    place = tracker.find(hand.view(1))
    real = real_actions(NOLIMIT, tracker.nodes[place.node], hand.view(1))
    # The tree has b63 (2.5 x 25, rounded up), b75 (the pot of 50 on top of 25) and b1000.
    assert real == ("f", "c", "b630", "b750", "b10000")


def test_two_streets_serve_four() -> None:
    tree = Tree(catalogue("cardiff"), "cardiff")
    tracker = Tracker(tree)
    assert line_of(tracker, NOLIMIT, "b40b100c/kb300") == "b20b30c/kb10"
    assert line_of(tracker, NOLIMIT, "ck/kk/k") == "the tree has no such street"
    hand = Hand.from_line(NOLIMIT, "b40", seed=1)
    decision = tracker.nodes[tracker.find(hand.view(1)).node]
    assert real_actions(tree.spec, decision, hand.view(1)) == ("f", "c", "b70")


def test_short_stacks_and_all_ins() -> None:
    tracker = Tracker(LAPTOP)
    # An all-in of 40 is 1.5 pots: read as the pot, or as all-in, by the draw.
    assert line_of(tracker, NOLIMIT, "b40", stacks=[40, 1000]) in ("b30", "b1000")
    # Both all-in in the tree, chips left at the table: its players would call anything.
    place = tracker.find(Hand.from_line(NOLIMIT, "b900c/", seed=1).view(1))
    assert (place.node, place.committed) == (-1, True)


def test_another_kind_of_game_is_off_the_tree() -> None:
    tracker = Tracker(LAPTOP)
    for game, reason in (("leduc", "another deck"), ("limit", ""), ("short-deck", "another deck")):
        place = tracker.find(Hand(catalogue(game), seed=1).view(0))
        assert (place.node == 0) is (reason == "")
        assert reason in place.reason
    six = Hand(catalogue("nolimit-100bb", 6), seed=1)
    assert "2 players, the table has 6" in tracker.find(six.view(2)).reason


def test_a_seat_that_is_not_to_act() -> None:
    view = Hand(NOLIMIT, seed=1).view(1)
    with pytest.raises(IllegalActionError, match="seat 1 is not to act"):
        real_actions(NOLIMIT, Tracker(LAPTOP).nodes[0], view)
    with pytest.raises(MenuError, match="not 'best'"):
        Tracker(LAPTOP, "best")  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    ("stacks", "line"),
    [
        # The tree has 1000 chips, 100 big blinds; the last raise is over its all-in.
        ((1010, 1010), "b1000b1010"),
        ((2000, 2000), "b25c/b975b1975"),
        ((2000, 2000), "b25b1000b2000"),
        ((5000, 5000), "b25c/b1200b4000"),
    ],
)
def test_a_raise_over_the_trees_all_in_is_a_call_of_it(stacks: tuple[int, int], line: str) -> None:
    """Who is all-in in the tree calls whatever the deeper table brings."""
    hand = Hand.from_line(NOLIMIT, line, stacks=stacks, seed=1)
    assert hand.actor is not None
    for seed in range(20):
        place = Tracker(LAPTOP, seed=seed).find(hand.view(hand.actor))
        assert (place.node, place.committed) == (-1, True)
        assert place.reason == "all players are all-in in the tree"


def test_the_trees_stack_is_its_all_in_whatever_the_pot() -> None:
    # Seat 0's b40 is no bet of the menu. 1000 over it are 12 pots, the tree's all-in is 16.2.
    for seed in range(300):
        tracker = Tracker(LAPTOP, seed=seed)
        hand = Hand.from_line(NOLIMIT, "b40b1000", stacks=[2000, 2000], seed=seed)
        place = tracker.find(hand.view(0))
        # b40 counts as the pot, 30, or now and then as all-in.
        assert place.committed or LAPTOP.line(place.node) == "b30b1000"


def test_a_bet_below_the_smallest_counts_as_none_as_often_as_the_paper_says() -> None:
    # b10 into 50 is 0.2 pots, the smallest size 0.5: (0.5 - 0.2) / (0.5 (1 + 0.2)) = 0.5.
    tracker, none = Tracker(LAPTOP, seed=9), 0
    for seed in range(2000):
        place = tracker.find(Hand.from_line(NOLIMIT, "b25c/b10", seed=seed).view(0))
        assert LAPTOP.line(place.node) == "b25c/b25"
        none += place.as_none
    # Standard deviation sqrt(2000 / 4) = 22.4, four of them 89.4.
    assert abs(none - 1000) < 90


MENUS = ("50%, 100%, a ; cap 3", "min ; cap 2", "2.5x, a ; cap 1 / none", "3bb, 200% ; cap 2")


@given(st.integers(0, 2**32), st.sampled_from(MENUS))
def test_always_legal(seed: int, menu: str) -> None:
    """Random games, stacks and opponents: every menu action becomes a legal real one."""
    rng = random.Random(seed)
    spec = random_spec(rng)
    stacks = tuple(rng.randint(1, 300) for _ in range(spec.players))
    try:
        tree = Tree(spec.replace(stacks=stacks), menu, max_nodes=20_000)
    except GameError:  # more than 20,000 nodes
        return
    tracker = Tracker(tree, seed=seed)
    for deal in range(3):
        hand = Hand(spec, seed=seed + deal)
        while hand.actor is not None:
            view = hand.view(hand.actor)
            place = tracker.find(view)
            assert (place.node < 0) == bool(place.reason)
            if place.node < 0:
                hand.do(random_move(hand, rng))
                continue
            assert tree.player[place.node] == hand.actor
            assert tree.street[place.node] == hand.street
            moves = real_actions(tree.spec, tracker.nodes[place.node], view)
            assert len(moves) == tree.num_actions[place.node]
            for move in moves:
                hand.verify(move)
            hand.do(rng.choice(moves) if rng.random() < 0.5 else random_move(hand, rng))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_exact_where_the_table_is_the_trees(seed: int) -> None:
    """On the menu the way there and back changes nothing."""
    rng, tracker = random.Random(seed), Tracker(LAPTOP)
    hand, node = Hand(NOLIMIT, seed=seed), 0
    while hand.actor is not None:
        view = hand.view(hand.actor)
        assert tracker.find(view).node == node
        assert real_actions(NOLIMIT, tracker.nodes[node], view) == LAPTOP.actions(node)
        choice = rng.randrange(len(LAPTOP.actions(node)))
        hand.do(LAPTOP.actions(node)[choice])
        node = LAPTOP.children(node)[choice]


@pytest.mark.parametrize("unit", [2, 10, 100])
@pytest.mark.parametrize("depth", [100, 101, 150, 700])
def test_own_actions_are_read_as_what_was_chosen(depth: int, unit: int) -> None:
    """At the tree's depth or deeper, against any bets, and with small and large chips."""
    spec = NOLIMIT.replace(blinds=(unit // 2, unit), stacks=(depth * unit,) * 2)
    tracker = Tracker(LAPTOP, seed=depth)
    for seed in range(150):
        _play_and_check(Hand(spec, seed=seed), tracker, seed)


def _play_and_check(hand: Hand, tracker: Tracker, seed: int) -> None:
    rng, me, chosen = random.Random(seed), seed % 2, list[int]()
    while hand.actor is not None:
        view = hand.view(me)
        place = tracker.find(view)
        if hand.actor == me and chosen:
            assert place.committed or any(_is_below(place.node, child) for child in chosen)
        if place.node < 0:
            return
        decision = tracker.nodes[place.node]
        if hand.actor == me:
            moves = real_actions(LAPTOP.spec, decision, view)
            move = rng.choice(moves)
            chosen = _children(place.node, moves, move)
        else:
            move = _bold_move(hand, rng)
            all_in = 1000 in LAPTOP.contributions[place.node].tolist()
            if move[0] == "b" and not decision.bets and not all_in:
                return  # beyond the cap: docs/query.md says what becomes of that
        hand.do(move)


def _bold_move(hand: Hand, rng: random.Random) -> str:
    """Small and middling bets of any size, else a check or call: the hand goes on."""
    least, most = hand.min_raise_to, hand.max_raise_to
    if least is not None and most is not None and rng.random() < 0.4:
        return f"b{rng.randint(least, min(most, 4 * least))}"
    return "c" if hand.to_call else "k"


def _children(node: int, moves: tuple[str, ...], move: str) -> list[int]:
    """Where the actions lead that come to a move."""
    children = LAPTOP.children(node)
    return [child for child, other in zip(children, moves, strict=True) if other == move]


def _is_below(node: int, ancestor: int) -> bool:
    while node > ancestor:
        node = int(LAPTOP.parent[node])
    return node == ancestor


def test_all_in_in_the_tree_with_swaps_to_come_waits_for_them() -> None:
    game = catalogue("discard-2017")
    tracker = Tracker(Tree(game, "pineapple"), "nearest-ratio")
    # A bet of 100 is read as all-in: the tree has swaps left and no more bets.
    assert line_of(tracker, game, "b100") == "b200"
    for line in ("b100c/sd", "b100c/sdkb50", "b100c/sdkb50c/ss", "b100c/sdkb50c/ssk"):
        hand = Hand.from_line(game, line)
        assert hand.actor is not None
        place = tracker.find(hand.view(hand.actor))
        assert (place.node, place.committed) == (-1, True), line
    assert line_of(tracker, game, "b100c/s") == "b200c/s"
    assert line_of(tracker, game, "b100c/sdkb50c/") == "b200c/sd"
    assert line_of(tracker, game, "b100c/sdkb50c/s") == "b200c/sd/s"
