"""Reviews of whole files: hands that are graded, told apart or refused; pages and commands."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from blueprint.strategies import leduc_solver, save
from bots.strategy_files import random_strategy
from cli.test_json_page import rows_of
from cli.typed import riverboat
from gpu.made import CARD, twin_of
from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.bots import make_bot
from riverboat.cards import HandStrength
from riverboat.cli._review import ReviewOptions, _parts
from riverboat.errors import ReviewError
from riverboat.evaluate import action_values
from riverboat.game import Hand, View, catalogue
from riverboat.gpu import FlatSpot, packed
from riverboat.histories import FORMATS, HandRecord, record_of, to_text, write
from riverboat.learn import (
    Grade,
    Grader,
    Review,
    SolveBudget,
    SolvedStore,
    luck_needs_table,
    luck_scorer,
    read_hands,
    results_without_luck,
    review_hands,
    solve_review,
    write_review,
)

GAME = catalogue("nolimit-100bb")
NUTS = Hand(GAME, hole=["AsKs", "7c2d"], board="QsJsTs2h3d")
NUTS.play("b25c/kk/kk/b25f")  # the small blind folds a royal flush
FOLD = Hand(GAME, hole=["7c2d", "AsKs"])
FOLD.play("f")


@pytest.fixture(scope="module")
def grader() -> Grader:
    blueprint = Blueprint.open(default_blueprint())
    return Grader(blueprint.query(threshold=blueprint.threshold))


def three_handed() -> HandRecord:
    spec = GAME.replace(stacks=(1000,) * 3, blinds=(5, 10, 0), antes=(0,) * 3)
    hand = Hand(spec, seed=1)
    hand.play("cck/kkk/kkk/kkk")
    return record_of(hand, names=["Ada", "Bob", "Cyd"])


def page_of(review: Review, folder: Path, title: str = "Review") -> str:
    write_review(folder / "page.html", review, title)
    return (folder / "page.html").read_text(encoding="utf-8")


def found(grader: Grader, *records: HandRecord, player: str = "Ada") -> Review:
    return review_hands(records, grader, player=player, strategy="default")


@pytest.mark.slow  # it builds the card tables
def test_the_dearest_mistake_stands_first(grader: Grader) -> None:
    review = found(grader, record_of(NUTS, names=["Ada", "Bob"], hand_id="n1"))
    worst = review.costly[0]
    assert (worst.street, worst.grade.did, worst.id) == ("river", "f", "n1")
    assert (worst.position, worst.pot_type) == ("SB", "raised")
    assert worst.loss_bb is not None
    assert worst.loss_bb > 7.5
    [*_, total] = review.totals()
    assert total.loss_bb == pytest.approx(sum(each.loss_bb or 0 for each in review.decisions))
    assert review.hands[0].result_bb == -2.5


def test_three_to_the_flop_are_told_apart(grader: Grader, tmp_path: Path) -> None:
    review = found(grader, three_handed())
    [hand] = review.hands
    assert hand.multiway
    assert (hand.to_the_flop, hand.graded) == (3, 0)
    assert "multiway" in hand.reason
    page = page_of(review, tmp_path)
    assert "multiway" in page
    assert review.graded_hands == ()


def test_hands_of_other_games_are_shown_with_the_reason(grader: Grader, tmp_path: Path) -> None:
    hands = [Hand.from_line(catalogue(name), line, seed=1) for name, line in OTHERS.items()]
    review = found(grader, *(record_of(hand, names=["Ada", "Bob"]) for hand in hands))
    assert [hand.graded for hand in review.hands] == [0] * len(OTHERS)
    assert all(hand.reason for hand in review.hands)
    own = Grader(Blueprint.open(save(leduc_solver(3), tmp_path / "leduc.blueprint")).query())
    leduc = Hand.from_line(catalogue("leduc"), "kk/kk", seed=1)
    assert found(own, record_of(leduc, names=["Ada", "Bob"])).hands[0].graded == 2


OTHERS = {"limit": "cb20c/kk/kk/kk", "short-deck": "f", "leduc": "kk/kk"}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_reviewed(grader: Grader, tmp_path: Path, name: str) -> None:
    path = tmp_path / "hands"
    path.write_text(to_text(record_of(FOLD, names=["Ada", "Bob"], hand_id="7"), name) + "\n")
    source = read_hands(str(path), name, "nolimit-100bb" if name == "acpc" else None)
    if name == "acpc":  # which tells no names but those of its line
        source = type(source)((source.hands[0].replace(names=("Ada", "Bob")),), ())
    [decision] = found(grader, *source.hands).decisions
    assert (decision.grade.did, decision.loss_bb) == ("f", 0.0)
    assert decision.grade.frequency > 0.5


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A strategy whose values need no table."""
    return str(save(leduc_solver(30), tmp_path_factory.mktemp("small") / "leduc.blueprint"))


def leduc_hands() -> list[HandRecord]:
    """A king that is folded, and one that is not."""
    hands = [Hand(catalogue("leduc"), cards=["Ks", "Js", "Qs"]) for _ in range(2)]
    for hand, line in zip(hands, ("kb2f", "kb2c/kk"), strict=True):
        hand.play(line)
    return [record_of(hand, names=["Ada", "Bob"]) for hand in hands]


def test_broken_hands_are_listed(small: str, tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    write(leduc_hands(), path)
    path.write_text(path.read_text() + '{"game": "leduc"}\n')
    words = ["--player", "Ada", "--strategy", small, "--json"]
    told = json.loads(riverboat("review", str(path), *words).stdout)
    assert len(told["hands"]) == 2
    assert len(told["refused"]) == 1
    for text in ("", "\x00\x01", "PokerStars Hand #1: nonsense", "{]"):
        path.write_text(text)
        assert "no hand that can be reviewed" in riverboat("review", str(path), code=2).stderr
    assert "cannot be read" in riverboat("review", str(tmp_path / "none.phh"), code=2).stderr


def test_whose_hands_they_are(small: str) -> None:
    grader = Grader(Blueprint.open(small).query())

    def player_of(records: list[HandRecord], named: str = "") -> str:
        return found(grader, *records, player=named).player

    record = record_of(NUTS, names=["Ada", "Bob"])
    other = record_of(NUTS, names=["Cyd", "Ada"])
    assert player_of([record.replace(hero=1)]) == "Bob"
    assert player_of([record, other]) == "Ada"
    assert player_of([record.replace(names=("You", "default"))]) == "You"
    with pytest.raises(ReviewError, match="name a player, one of Ada, Bob"):
        player_of([record])
    with pytest.raises(ReviewError, match="no player is called 'Dan'"):
        player_of([record], "Dan")


def test_positions_have_their_usual_names(small: str) -> None:
    grader = Grader(Blueprint.open(small).query())

    def positions(seats: int) -> list[str]:
        blinds = (5, 10, *[0] * (seats - 2))
        spec = GAME.replace(stacks=(1000,) * seats, blinds=blinds, antes=(0,) * seats)
        names = [f"player {seat}" for seat in range(seats)]
        record = record_of(Hand.from_line(spec, "f" * (seats - 1), seed=1), names=names)
        return [found(grader, record, player=name).hands[0].position for name in names]

    assert positions(6) == ["SB", "BB", "LJ", "HJ", "CO", "BTN"]
    assert positions(9)[2:5] == ["UTG", "UTG+1", "UTG+2"]


@pytest.mark.slow  # it builds the card tables
def test_all_in_hands_count_by_expectation(grader: Grader) -> None:
    hand = Hand(GAME, hole=["AsAh", "KsKh"], board="Kd7c2s3h9d")
    hand.play("b1000c")
    review = found(grader, record_of(hand, names=["Ada", "Bob"]))
    assert review.hands[0].result_bb == -100
    assert review.hands[0].expected_bb == pytest.approx(65, abs=8)  # 82.6 % of 200 bb, sampled
    assert set(review.results()) == {"result", "all_in"}


def test_names_cannot_enter_the_page(grader: Grader, tmp_path: Path) -> None:
    bad = "<script>alert(1)</script>"
    review = found(grader, record_of(FOLD, names=[bad, "Bob"]), player=bad)
    page = page_of(review, tmp_path, bad)
    assert bad not in page
    assert "&lt;script&gt;alert(1)" in page


def test_the_command_writes_page_and_json(small: str, tmp_path: Path) -> None:
    path, page = tmp_path / "hands.jsonl", tmp_path / "review.html"
    write([*leduc_hands(), three_handed()], path)
    words = ["review", str(path), "--player", "Ada", "-s", small, "-o", str(page)]
    told = json.loads(riverboat(*words, "--json").stdout)
    rows = rows_of("review")
    for key, value in told.items():
        if key == "version":
            continue
        assert f"`{key}" in rows, key
        for inner in value[0] if isinstance(value, list) and value else ():
            assert f"`{key}[].{inner}`" in rows or f"`.{inner}`" in rows, (key, inner)
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    first = told["hands"][0]
    assert first["loss_bb"] > 0
    street = told["decisions"][0]["street"]
    assert "1 decision with an EV loss" in riverboat(*words, "--street", street).stdout
    assert "0 decisions with an EV loss" in riverboat(*words, "--street", "river").stdout


# ---- Solved spots


@pytest.mark.slow  # it builds the card tables
def test_a_solved_river_and_its_store(grader: Grader, tmp_path: Path) -> None:
    def solved(last: str) -> Grade:
        """Grade what the small blind does with a royal flush, against a bet on the river."""
        hand = Hand(GAME, hole=["AsKs", "7c2d"], board="QsJsTs2h3d")
        hand.play(f"b25c/kk/kk/b25{last}")
        record = record_of(hand, names=["Ada", "Bob"])
        review = found(grader, record)
        review = replace(review, decisions=review.decisions[-1:])
        store = SolvedStore(tmp_path / f"{last}.jsonl")
        *_, step = solve_review(review, [record], grader.query, store, budget)
        return step.review.decisions[0].grade

    budget = SolveBudget(target=0.05, river_seconds=5)
    grade = solved("f")
    assert grade.source == "solved"
    assert (grade.loss or 0) > 75
    assert grade.error < 0.06 * 75  # of the pot, the bet in it
    called = solved("c")
    assert 0 < (called.loss or 0) < (grade.loss or 0)  # a raise wins more
    assert solved("b75f").loss == 0
    store = SolvedStore(tmp_path / "solved.jsonl")
    store.keep("a", grade)
    whole = store.path.read_bytes()
    store.path.write_bytes(whole + whole[:30])  # killed while writing
    again = SolvedStore(store.path)
    assert (store.notice, again.notice[:7]) == ("", "1 line ")
    again.keep("b", called)
    assert (again.notice, SolvedStore(store.path).notice) == ("", "")
    assert again.get("a") == grade
    assert again.get("b") == called
    assert again.get("c") is None


def test_no_flipped_bit_of_the_store_gives_another_grade(tmp_path: Path) -> None:
    """Every bit of a line; a store without checksums, as 0.2 wrote it, is dropped."""
    store = SolvedStore(tmp_path / "solved.jsonl")
    grades = {
        "3f": Grade("f", graded=True, frequency=0.25, loss=3.5, actions={"f": 0.25, "c": 0.75}),
        "c0": Grade("c", graded=True, frequency=1.0, loss=0.0, actions={"c": 1.0}),
    }
    for key, grade in grades.items():
        store.keep(key, grade)
    whole = store.path.read_bytes()
    first = whole.index(b"\n") + 2  # the line break, and the first byte of the second line, too
    for bit in range(8 * first):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        store.path.write_bytes(damaged)
        again = SolvedStore(store.path)
        found = {key: again.get(key) for key in grades}
        assert all(found[key] in (None, grade) for key, grade in grades.items()), bit
        assert again.notice, bit
    old = b"".join(line.partition(b" ")[2] for line in whole.splitlines(keepends=True))
    store.path.write_bytes(old)
    again = SolvedStore(store.path)
    assert "2 lines" in again.notice
    assert "0.2" in again.notice
    assert again.get("3f") is None
    again.keep("3f", grades["3f"])
    assert SolvedStore(store.path).get("3f") == grades["3f"]


@pytest.mark.slow  # it builds the card tables
def test_a_review_is_solved_and_goes_on(grader: Grader, tmp_path: Path) -> None:
    record = record_of(NUTS, names=["Ada", "Bob"])
    review, store = found(grader, record), SolvedStore(tmp_path / "solved.jsonl")
    budget = SolveBudget(target=0.2, turn_seconds=0.5, river_seconds=0.5)
    steps = solve_review(review, [record], grader.query, store, budget)
    assert next(steps).total == 2  # a check on the turn and the fold
    del steps
    *_, last = solve_review(review, [record], grader.query, SolvedStore(store.path), budget)
    assert {d.grade.source for d in last.review.decisions if d.street in ("turn", "river")} == {
        "solved"
    }
    assert last.review.costly[0].grade.did == "f"
    assert len(store.path.read_bytes().splitlines()) == 2


def three_seats(tmp_path: Path, tables: HandStrength) -> tuple[Grader, HandRecord]:
    """A strategy of three, and a hand where the button folds and two play on."""
    path = tmp_path / "three.blueprint"
    game = GAME.replace(stacks=(100,) * 3, blinds=(5, 10, 0), antes=(0,) * 3)
    random_strategy(path, game, "a ; cap 1", "equity-bins 3/4/3/4", tables)
    hand = Hand(game, hole=["AsKs", "7c2d", "QhJh"], board="QsJsTs2h3d")
    hand.play("fck/kk/kk/kb90f")  # the small blind checks a royal flush, and folds it
    return Grader(Blueprint.open(path).query()), record_of(hand, names=["Ada", "Bob", "Cyd"])


def test_two_of_three_seats_are_solved(tmp_path: Path, tables: HandStrength) -> None:
    """After the flop it is a heads-up pot: one solve grades both decisions of a street."""
    grader, record = three_seats(tmp_path, tables)
    review = found(grader, record)
    assert not review.hands[0].multiway
    store = SolvedStore(tmp_path / "solved.jsonl")
    budget = SolveBudget(target=0.2, turn_seconds=600, river_seconds=600)
    steps = list(solve_review(review, [record], grader.query, store, budget))
    assert [step.total for step in steps] == [2, 2]
    solved = [each for each in steps[-1].review.decisions if each.grade.source == "solved"]
    assert [(each.street, each.grade.did) for each in solved] == [
        ("turn", "k"),
        ("river", "k"),
        ("river", "f"),
    ]
    assert solved[-1].loss_bb == pytest.approx(12, abs=1)  # the pot and the bet
    assert not any(each.grade.limited for each in solved)
    short = SolveBudget(target=1e-12, turn_seconds=0.05, river_seconds=0.05)
    *_, last = solve_review(review, [record], grader.query, store, short)
    limited = sum(each.grade.limited for each in last.review.decisions)
    assert limited == len(solved)
    told = "\n".join(map(str, _parts(last.review, ReviewOptions())))
    assert f"{limited} decisions solved up to the time limit" in told
    assert len(store.path.read_bytes().splitlines()) == 6


@pytest.mark.slow  # it builds the card tables
def test_a_card_solves_decisions_of_a_review_at_once(
    grader: Grader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernels' twin stands in for a card."""
    together: list[int] = []

    def counted(flats: Sequence[FlatSpot]) -> FlatSpot:
        together.append(len(flats))
        return packed(flats)

    monkeypatch.setattr("riverboat.learn._solve.gpu_notice", lambda: "")
    monkeypatch.setattr("riverboat.spots._many.gpu_cards", lambda: [CARD])
    monkeypatch.setattr("riverboat.spots._many.DeviceSpot", twin_of)
    monkeypatch.setattr("riverboat.spots._many.packed", counted)
    monkeypatch.setattr("riverboat.learn._solve_review.solve_street", None)
    other = Hand(GAME, hole=["AsKs", "7c2d"], board="QsJsTs2h3d")
    other.play("b25c/b25c/b50c/kb25f")
    hands = [record_of(hand, names=["Ada", "Bob"]) for hand in (NUTS, other)]
    review, store = found(grader, *hands), SolvedStore(tmp_path / "solved.jsonl")
    rivers = [each for each in review.decisions if each.street == "river"]
    review = replace(review, decisions=tuple(rivers))
    budget = SolveBudget(target=0.2, river_seconds=60)
    *_, last = solve_review(review, hands, grader.query, store, budget)
    assert together == [len(hands)]
    assert len(rivers) >= len(hands)
    assert {each.grade.source for each in last.review.decisions} == {"solved"}
    assert last.review.costly[0].grade.did == "f"


def test_what_is_no_spot(grader: Grader, tmp_path: Path) -> None:
    record, store = record_of(FOLD, names=["Ada", "Bob"]), SolvedStore(tmp_path / "none.jsonl")
    assert not list(solve_review(found(grader, record), [record], grader.query, store))


# ---- Slow witnesses


class Nit:
    """Plays a strategy, but folds to every bet before the flop and on the turn."""

    def __init__(self) -> None:
        self.base = make_bot("blueprint", 3)

    def act(self, view: View) -> str:
        """Fold, or do as the strategy."""
        if view.street in (0, 2) and view.to_call and view.legal.fold and view.line:
            return "f"
        return str(self.base.act(view))


@pytest.mark.slow
def test_a_scripted_player_loses_what_the_review_says(tables: HandStrength) -> None:
    """A match against the strategy itself, which wins nothing from itself in the mean."""
    del tables
    blueprint = Blueprint.open(default_blueprint())
    grader = Grader(
        blueprint.query(threshold=blueprint.threshold),
        action_values(blueprint, blueprint.threshold),
    )
    nit, bot, records = Nit(), make_bot("blueprint", 7), []
    for number in range(6000):
        hand = Hand(GAME, seed=number // 2)
        seats = [nit, bot] if number % 2 else [bot, nit]
        while hand.actor is not None:
            hand.do(str(seats[hand.actor].act(hand.view(hand.actor))))
        names = ["nit", "bot"] if number % 2 else ["bot", "nit"]
        records.append(record_of(hand, names=names))
    scorer = luck_scorer("blueprint", GAME)
    review = review_hands(records, grader, player="nit", scorer=scorer)
    [*_, total] = review.totals()
    won = review.results()["aivat"]
    assert total.per_100.mean > 10
    assert won.minus(total.per_100.scaled(-1)).sign == 0
    assert won.sign == -1


def test_results_without_luck_are_none_where_aivat_does_not_hold(grader: Grader) -> None:
    game = catalogue("limit")
    hands = [Hand(game, seed=seed) for seed in range(3)]
    for hand in hands:
        while hand.actor is not None:
            hand.do("k" if hand.view(hand.actor).legal.check else "c")
    folded = Hand(game, seed=4)
    folded.play("f")
    names = ["You", "Stan"]
    records = [record_of(each, names=names) for each in (*hands, folded)]
    records.append(records[0].replace(names=("Stan", "You")))
    records.append(records[0].replace(deal=(-1, -1, *records[0].deal[2:])))
    other = Hand(game.replace(stacks=(30, 30)), seed=1)
    other.play("f")
    records.append(record_of(other, names=names))
    found = list(results_without_luck(records, "You", "checkcall"))
    scorer = luck_scorer("checkcall", game)
    review = review_hands(records[:3], grader, player="You", scorer=scorer)
    assert found[:3] == [each.big_blind * (each.aivat_bb or 0) for each in review.hands]
    assert [each is None for each in found] == [False, False, False, False, False, True, True]
    assert list(results_without_luck(records, "You", "checkcall", first=2)) == found[2:]
    asked = list(results_without_luck([records[-3]], "You", "all-in"))
    assert asked == [None]  # the bot did what it never does


def test_hands_older_than_the_strategy_are_not_scored() -> None:
    """The bot played from another file then. No table is computed for them."""
    hand = Hand(GAME, seed=1)
    hand.play("f")
    record = record_of(hand, names=["You", "Ann"])
    trained = datetime.fromisoformat(Blueprint.open(default_blueprint()).header.date)
    old = record.replace(date=trained - timedelta(days=1))
    assert list(results_without_luck([old], "You", "blueprint")) == [None]
    assert luck_needs_table("blueprint", GAME)


@pytest.mark.slow
def test_fifty_thousand_hands(grader: Grader, tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    line = to_text(record_of(NUTS, names=["Ada", "Bob"]), "lines").strip()
    fold = Hand.from_line(GAME, "f", seed=1)
    own, his = (to_text(record_of(fold, names=names), "lines").strip()
                for names in (["Ada", "Bob"], ["Bob", "Ada"]))  # fmt: skip
    # Without a table of values a decision before the flop takes a second: few hands have one.
    path.write_text("\n".join([line, *([own] + [his] * 999) * 50][:50_000]) + "\n")
    source = read_hands(str(path))
    review = found(grader, *source.hands)
    assert len(review.hands) == 50_000
    assert review.costly[0].hand == 1
    assert len(page_of(review, tmp_path)) < 5_000_000


def test_a_review_is_plain_data(grader: Grader) -> None:
    review = found(grader, record_of(FOLD, names=["Ada", "Bob"]))
    assert msgspec.json.decode(msgspec.json.encode(review.as_dict()))["player"] == "Ada"
    assert len(review.frame_columns()["hand"]) == len(review.decisions)
