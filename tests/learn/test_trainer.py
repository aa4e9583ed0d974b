"""The trainer: questions, grades, the library's own schedule, and the person's data."""

import csv
import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fsrs import Card, Rating, Scheduler

from blueprint.strategies import leduc_solver, save
from cli.typed import riverboat
from riverboat.blueprint import Blueprint
from riverboat.errors import ReviewError, SpotError
from riverboat.learn import (
    Grade,
    Grader,
    History,
    Question,
    SolutionDeck,
    StrategyDeck,
    Trainer,
    Wanted,
    bot_grader,
    open_deck,
    progress_of,
)
from riverboat.spots import SolveSettings, Spot, solve

START = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    """A time that is set."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> datetime:
        """Tell it."""
        return self.time


@pytest.fixture(scope="module")
def default() -> StrategyDeck:
    grader = bot_grader("blueprint")
    assert grader is not None
    return StrategyDeck("default", grader)


@pytest.fixture(scope="module")
def leduc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(leduc_solver(40), tmp_path_factory.mktemp("leduc") / "leduc.blueprint")


@pytest.fixture(scope="module")
def small(leduc: Path) -> StrategyDeck:
    return StrategyDeck("leduc", Grader(Blueprint.open(leduc).query()))


@pytest.fixture(scope="module")
def solution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("solved") / "river.solution"
    spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
    solve(spot, SolveSettings(target=0.001)).finish().write(path)
    return path


def question(deck: StrategyDeck) -> Question:
    return deck.draw(random.Random(3), Wanted())


@pytest.mark.parametrize(
    "wanted", [Wanted("preflop", "BB"), Wanted("preflop", "", "3-bet"), Wanted("", "SB", "limped")]
)
def test_questions_are_those_that_are_wanted(default: StrategyDeck, wanted: Wanted) -> None:
    for seed in range(3):
        asked = default.draw(random.Random(seed), wanted)
        assert wanted.takes(asked)
        assert default.again(asked.line, asked.board, asked.hole) == asked


def test_close_decisions_are_close(small: StrategyDeck) -> None:
    rng = random.Random(1)
    for _ in range(5):
        asked = small.draw(rng, Wanted(close=0.1))
        values = sorted(small.grade(asked, asked.options[0]).values.values())
        assert values[-1] - values[-2] <= 0.1 * asked.pot
    with pytest.raises(ReviewError, match="the street must be one of"):
        small.draw(rng, Wanted(street="nowhere"))


def test_what_the_strategy_does_is_good() -> None:
    told = [Grade("k", True, frequency=share).rating for share in (1.0, 0.5, 0.3, 0.005, 0.0)]
    assert told == ["good", "good", "hard", "again", "again"]


def test_the_schedule_is_the_librarys(small: StrategyDeck, tmp_path: Path) -> None:
    """The same ratings at the same times give the same dates as `fsrs` itself."""
    clock = Clock()
    trainer = Trainer(small, History(tmp_path / "drill.sqlite3"), seed=1, now=clock)
    asked, before = trainer.ask()
    assert not before
    card, scheduler = Card(card_id=1, due=START), Scheduler(enable_fuzzing=False)
    names = {"again": Rating.Again, "hard": Rating.Hard, "good": Rating.Good}
    for did in (*asked.options, asked.options[0], asked.options[-1]):
        answer = trainer.answer(asked, did)
        card, _ = scheduler.review_card(card, names[answer.rating], clock.time)
        assert answer.due == card.due
        clock.time = card.due + timedelta(hours=5)


def test_what_is_due_is_asked_first(small: StrategyDeck, tmp_path: Path) -> None:
    clock = Clock()
    trainer = Trainer(small, History(tmp_path / "drill.sqlite3"), seed=2, now=clock)
    first, _ = trainer.ask()
    answer = trainer.answer(first, first.options[0])
    assert trainer.ask()[1] is False
    clock.time = answer.due + timedelta(seconds=1)
    assert trainer.ask() == (first, True)


def test_answers_are_graded_by_loss_and_frequency(small: StrategyDeck, tmp_path: Path) -> None:
    trainer = Trainer(small, History(tmp_path / "drill.sqlite3"), seed=5)
    asked, _ = trainer.ask()
    answers = [trainer.answer(asked, did) for did in asked.options]
    assert sum(each.grade.frequency for each in answers) == pytest.approx(1, abs=1e-5)
    best = max(answers, key=lambda each: each.grade.frequency)
    assert best.loss_bb == 0
    told = trainer.progress()
    assert told[-1].answers == len(asked.options)
    low, high = told[-1].as_strategy.interval
    assert 0 <= low <= told[-1].as_strategy.mean <= high <= 1


def test_a_solution_is_a_deck(solution: Path) -> None:
    """With a pot of 20 and 10 behind kings call two thirds: neither choice is a mistake."""
    for deck in (open_deck(str(solution)), SolutionDeck("all", [solution])):
        asked = deck.draw(random.Random(1), Wanted(position="IP"))
        assert (asked.hole, asked.street) in (("KsKh", "river"), ("KhKs", "river"))
        assert deck.again(asked.line, asked.board, asked.hole) == asked
        assert deck.grade(asked, asked.options[0]).graded
    assert not deck.grade(asked, "b7").graded
    empty = solution.parent / "empty"
    empty.mkdir()
    with pytest.raises(SpotError, match="no solution"):
        open_deck(str(empty))


def test_data_is_exported_and_deleted(small: StrategyDeck, tmp_path: Path) -> None:
    history = History(tmp_path / "drill.sqlite3")
    trainer = Trainer(small, history, seed=1)
    asked, _ = trainer.ask()
    trainer.answer(asked, asked.options[0])
    history.export(tmp_path / "answers.csv")
    history.export(tmp_path / "answers.json")
    [row] = csv.DictReader((tmp_path / "answers.csv").read_text(encoding="utf-8").splitlines())
    [told] = json.loads((tmp_path / "answers.json").read_text(encoding="utf-8"))["answers"]
    assert row["hole"] == told["hole"] == asked.hole
    with pytest.raises(ReviewError, match=r"\.json or \.csv"):
        history.export(tmp_path / "answers.txt")
    assert history.delete() == 1
    assert history.answers() == []
    assert asked.hole.encode() not in history.path.read_bytes()
    assert progress_of([])[0].answers == 0


def test_a_file_that_is_no_history(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    path.write_text("no database " * 100)
    with pytest.raises(ReviewError, match="is not a file of the trainer"):
        History(path)


def test_the_command(leduc: Path, solution: Path, tmp_path: Path) -> None:
    words = ["--history", str(tmp_path / "drill.sqlite3"), "--seed", "1"]
    shown = riverboat("drill", str(leduc), *words, "-n", "1", typed="nonsense\nk\nc\nf\n").stdout
    assert "is not a move" in shown
    assert "The strategy plays this " in shown
    assert "Next review: in " in shown
    more = riverboat("drill", str(solution), *words, "-n", "1", typed="x\nq\n").stdout
    assert "'x' is not a move here" in more
    told = json.loads(riverboat("drill", "--progress", "--json", *words[:2]).stdout)
    assert told["progress"][-1]["answers"] == 1
    assert "Deleted 1 answer" in riverboat("drill", "--delete", *words[:2]).stderr
    wrong = riverboat("drill", str(leduc), "--street", "flopp", *words, code=2)
    assert "the street must be one of round 1, round 2, not 'flopp'" in wrong.stderr


def test_a_wrong_pot_type_is_refused_before_values_are_computed() -> None:
    shown = " ".join(riverboat("drill", "--pot", "5-bet", code=2).stderr.split())
    assert "'5-bet' is not allowed: it must be limped, raised, 3-bet or 4-bet" in shown


def test_whole_hands(leduc: Path, tmp_path: Path) -> None:
    words = ["drill", str(leduc), "--hands", "-n", "1", "--history", str(tmp_path / "d.sqlite3")]
    shown = riverboat(*words, "--seed", "3", typed="k\nc\nk\nc\nk\nc\nk\nc\nf\n").stdout
    assert "Hand over: " in shown
    assert shown.count("The strategy plays this ") >= 1
