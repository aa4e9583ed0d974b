"""Yerevan: a tiny run from beginning to end, and the parts that its figures stand on."""

import re
from collections.abc import Iterator
from itertools import combinations, permutations
from math import comb, isfinite
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Literal

import msgspec
import numpy as np
import pytest
from riverboat.seeds.yerevan.data import Point, Trial, recipe
from riverboat.seeds.yerevan.deck import SmallDeck, expanded, percentiles, small_game
from riverboat.seeds.yerevan.exact import Exact
from riverboat.seeds.yerevan.isomorphism import Isomorphism, Named, full_needs
from riverboat.seeds.yerevan.matches import Played, Rivals, train_rivals
from riverboat.seeds.yerevan.same_time import SameTime, duel
from riverboat.seeds.yerevan.section_algorithms import signs_at_size, size_section
from riverboat.seeds.yerevan.section_cards import claim_of_speed, gain_of_cards
from riverboat.seeds.yerevan.section_setting import setting_section
from riverboat.seeds.yerevan.speed import Pace, Speed, pace_of
from riverboat.seeds.yerevan.tabulated import sample_deals, table_of, tabulate
from riverboat.seeds.yerevan.training import Training
from riverboat.seeds.yerevan.trial import run_jobs, run_trial, workers_of
from riverboat.seeds.yerevan.verdict import sorted_out, versus

from riverboat import _core
from riverboat.cards import HandStrength
from riverboat.evaluate import exploitability
from riverboat.game import catalogue
from riverboat.seeds import (
    Picture,
    Report,
    Reproduction,
    Table,
    Text,
    reproduce,
    write_report,
)
from riverboat.seeds._work import Won
from riverboat.seeds.yerevan import SEED, speed, trial
from riverboat.solve import SCHEMES, Deals, Solver, enumerate_deals
from riverboat.tree import Tree

SECTIONS = (
    "The setting",
    "Published and ours",
    "Pure CFR over time",
    "Pure against external, outcome, chance, public-chance and vanilla at equal time",
    "The same with as many buckets as the bot has",
    "With and without isomorphism and buckets",
    "Against limit versions of the other bots",
    "What differs and why",
)


@pytest.fixture(scope="module")
def limit() -> Deals:
    """Limit hold'em to the flop: one bucket before it, four made-up ones on it."""
    game = catalogue("limit")
    tree = Tree(game.replace(name="limit to the flop", streets=game.streets[:2]), "min")
    flops = np.random.default_rng(1).integers(0, 4, (1755, 1326), np.uint8)  # canonical boards
    tables = [np.zeros((1, 1326), np.uint8), flops]
    return Deals(tree, _core.holdem_dealer(tree.compiled, tables, [1, 4], []))


@pytest.fixture(scope="module")
def finished(tables: HandStrength, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Report]:
    del tables
    folder = tmp_path_factory.mktemp("yerevan")
    yield reproduce("yerevan", folder, effort="tiny", seed=5, workers=2)
    again = reproduce("yerevan", folder, effort="tiny", seed=5, workers=2, resume=True)
    assert (folder / "log.jsonl").read_text().count('"done"') == len(SEED.steps)  # nothing twice
    assert [section.title for section in again.sections] == list(SECTIONS)


def _trials(names: tuple[str, ...], seeds: int = 3, worse: float = 1.0) -> tuple[Trial, ...]:
    """Made-up trainings: the first name's ends best, the next ones `worse` times as bad each."""
    return tuple(
        Trial(
            name,
            seed,
            1000,
            2.0,
            9000,
            8_000_000,
            50,
            40,
            (Point(1.0, 500, 900.0 + seed, 5.0), Point(2.0, 1000, 300 * worse**at + seed, 5.0)),
        )
        for at, name in enumerate(names)
        for seed in range(seeds)
    )


@pytest.fixture
def made_up(tmp_path: Path) -> Reproduction:
    """A run whose steps are all done, with made-up results."""
    names = tuple(recipe().schemes)
    pairs = combinations(names, 2)
    labels = ("every hand by itself", "isomorphism", "isomorphism and 4 buckets")
    tree = Tree(catalogue("limit"), "min")
    results = {
        "speed": Speed(Pace(1e6, 2e6), Pace(1e5, 2e5), Pace(5e4, 6e4), Pace(8e4, 5.5e4), 2, 1.0),
        "training": Training(
            _trials(("pure",), 1)[0], 2, 1.0, 6378, (169, 9, 9, 9), False, 88.0, 9.0, 10**7
        ),
        "equal time": Exact("x", 16, 99, 1000, 50, _trials(names, 3, 1.5), (900.0, 901.0), (5, 6)),
        "many buckets": SameTime(
            _trials(names, 1), 10, {f"{one} v {two}": Won(-30.0, 10.0, 100) for one, two in pairs}
        ),
        "isomorphism": Isomorphism(
            15,
            1000,
            tuple(Named(label, 9, _trials(("pure",))) for label in labels),
            full_needs(tree, (169, 9, 9, 9)),
            1e-6,
            5e-3,
            1e5,
        ),
        "rivals": Rivals({}),
        "matches": Played({"Fish": Won(200.0, 10.0, 100), "Shark": Won(1.0, 10.0, 100)}, 100, 0),
    }
    run = Reproduction("yerevan", tmp_path, SEED.steps)
    for name, result in results.items():
        (tmp_path / "steps" / f"{name}.json").write_bytes(msgspec.json.encode(result))
    return run


def test_the_report_follows_the_results(made_up: Reproduction, tmp_path: Path) -> None:
    sections = tuple(SEED.sections(made_up))
    assert tuple(section.title for section in sections) == SECTIONS
    report = Report("yerevan", SEED.command, SEED.title, "tiny", 1, 1.0, "2 cores", "0", sections)
    write_report(report, tmp_path)
    page, text = ((tmp_path / f"report.{kind}").read_text() for kind in ("html", "md"))
    assert page.count("data:image/png;base64,") == 4
    assert not re.search(r'(src|href)="(?!data:)', page)  # no other file is needed
    # The abstract's two figures, without a ratio.
    assert "| rounds of self-play | 1,000,000 | 1,000 | abstract" in text
    assert "| 1 x 10^12 states | 50 information sets | abstract" in text
    # Speeds are measured by the clock; nothing is multiplied by threads.
    assert "| iterations a second of the clock | 80,000 | 2 threads" in text
    assert "50,000 iterations a second on one thread and at 80,000 on 2: 1.6 times as fast" in text
    assert "60,000 on one thread and 55,000 on 2" in text
    assert "| Leduc hold'em | 665,000 | 1,000,000 | 1.5x | 2,000,000 |" in text
    assert text.count("chosen after a look at 0, 5, 40 and 200") == 2
    assert "each algorithm was trained once" in text
    # Pure's trials end best by far, and it loses all its duels.
    assert "So it is the best of the six for two-player limit here." in text
    assert text.count("So it is not the best of these trainings.") == 2
    assert "So it is not the best of the six" not in text  # one training each
    assert text.count("this run does not settle whether isomorphism helps") == 1
    assert "500 with every hand by itself; 500 with isomorphism, 1.00 (1.00 to 1.00) times" in text
    assert "Ours has imperfect recall" in text
    # A run of full effort trains all four, and says so before they have played.
    assert "the CFR bots of cardiff, husky, pineapple and caltech trained anew for it" in text
    # 6 instead of 5 mbb a hand on another table.
    assert "The average strategy of Pure's first seed, measured on a table that was" in text
    assert not re.search(r"[0-9]%", text)  # one way to write per cent: "95 %"
    assert "The bot beats Fish. Not settled is its match against Shark." in text
    assert "the average is what must be played" in text


def _named(label: str, hands: int, ends: tuple[float, float], iterations: int = 1000) -> Named:
    """Made up: three seeds with their exploitability at the first and the last measurement."""
    trials = tuple(
        Trial("pure", seed, iterations + seed, 2.0, 9000, 8_000_000, 50, 40,
              (Point(1.0, 500, ends[0] + seed, 0.0), Point(2.0, 1000, ends[1] + seed, 0.0)))
        for seed in range(3)
    )  # fmt: skip
    return Named(label, hands, trials)


def _namings(*buckets: Named, speeds: tuple[int, int] = (1000, 3000)) -> Isomorphism:
    every = _named("every hand by itself", 900, (900.0, 800.0), speeds[0])
    classes = _named("isomorphism", 90, (600.0, 300.0), speeds[1])
    return Isomorphism(12, 1000, (every, classes, *buckets), (), 1e-6, 5e-3, 1e5)


def test_buckets_are_judged_once_for_all_that_came_out_alike() -> None:
    few, more = _named("a", 4, (300.0, 500.0)), _named("b", 8, (200.0, 400.0))
    text = gain_of_cards(_namings(few, more))
    assert text.count("at first so few buckets pay") == 1
    assert "With 4 and 8 buckets: at first so few buckets pay, in the end they cost more" in text
    many = _named("c", 80, (900.0, 100.0))
    text = gain_of_cards(_namings(few, many))
    assert "With 80 buckets: at first so few buckets cost more than they gain, in the end" in text
    assert "in the end they pay." in text


@pytest.mark.parametrize(
    ("speeds", "word"),
    [
        ((1000, 3000), "Every one of them is faster: so far the claim holds"),
        ((1000, 1000), 'Whether they are faster with "isomorphism" is not settled'),
        ((3000, 1000), 'They are slower with "isomorphism": there the claim does not hold'),
    ],
)
def test_the_claim_of_speed_is_judged_by_speeds(speeds: tuple[int, int], word: str) -> None:
    text = claim_of_speed(_namings(speeds=speeds))
    assert word in text
    # Seeds add 0, 1 and 2 iterations; each training has two seconds.
    assert f"{(speeds[0] + 1) / 2:.0f} with every hand by itself" in text.replace(",", "")


@pytest.mark.parametrize(
    ("effort", "words"),
    [
        ("quick", "the CFR bots of husky and pineapple trained anew"),
        ("tiny", "no CFR bots among them"),
    ],
)
def test_the_setting_names_the_rivals_of_the_effort(
    effort: Literal["quick", "tiny"], words: str, tmp_path: Path
) -> None:
    section = setting_section(Reproduction("yerevan", tmp_path, SEED.steps, effort))
    (table,) = (part for part in section.parts if isinstance(part, Table))
    assert words in table.rows[-1][2]


@pytest.mark.slow
def test_a_tiny_run(finished: Report, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert tuple(section.title for section in finished.sections) == SECTIONS
    folder = next(tmp_path_factory.getbasetemp().glob("yerevan*"))
    assert {path.stem for path in (folder / "steps").glob("*.json")} == set(SEED.steps)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == 4
    assert not re.search(r'(src|href)="(?!data:)', page)  # no other file is needed
    assert "1 x 10^12 states" in (folder / "report.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_what_a_tiny_run_says(finished: Report) -> None:
    amounts, untold, _ = (p for p in finished.sections[1].parts if isinstance(p, Table))
    assert untold.columns == ("", "here", "note")  # the thesis has none of these
    assert isfinite(float(untold.rows[0][1].replace(",", "")))
    rounds = amounts.rows[0]
    assert rounds[1] == "1,000,000"  # the abstract
    assert int(rounds[2].replace(",", "")) > 100
    exact = next(part for part in finished.sections[3].parts if isinstance(part, Table))
    assert [row[0] for row in exact.rows] == list(recipe().schemes.values())
    assert len(finished.sections[4].parts) == 4
    pictures = [p for section in finished.sections for p in section.parts if isinstance(p, Picture)]
    assert len(pictures) == 4


@pytest.mark.slow
def test_rivals_learn_limit(
    tables: HandStrength, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del tables
    tiny = msgspec.structs.replace(recipe().amounts["tiny"], rivals=("cardiff", "pineapple"))
    monkeypatch.setitem(recipe().amounts, "tiny", tiny)
    found = train_rivals(Reproduction("yerevan", tmp_path, SEED.steps, "tiny", workers=1))
    assert set(found.trained) == {"cardiff", "pineapple"}
    assert all((tmp_path / each.blueprint).exists() for each in found.trained.values())
    assert all(each.iterations > 0 for each in found.trained.values())


def test_a_table_holds_what_was_dealt(limit: Deals) -> None:
    table = tabulate(limit, 3000, seed=1)
    rows = sample_deals(limit, 3000, seed=1)
    assert table.num_buckets == limit.num_buckets
    assert table.num_deals == len(np.unique(rows, axis=0)) + 1  # and one that never occurs
    plain = table_of(limit, rows, np.ones(len(rows)))
    uniform = Solver(plain, SCHEMES["cfr"]).strategy()
    merged, unmerged = (exploitability(each, uniform) for each in (table, plain))
    assert merged.exploitability == pytest.approx(unmerged.exploitability, rel=1e-9)
    assert merged.values[0] == pytest.approx(unmerged.values[0], abs=1e-9)


def test_vanilla_learns_the_table(limit: Deals) -> None:
    table = tabulate(limit, 500, seed=2)
    solver = Solver(table, SCHEMES["cfr"])
    before = exploitability(table, solver.strategy()).exploitability
    solver.run_all(iterations=12)
    assert exploitability(table, solver.strategy()).exploitability < 0.75 * before


def test_a_duel_is_fair_and_zero_sum(limit: Deals) -> None:
    solver = Solver(limit, SCHEMES["pure"], seed=1)
    uniform = solver.strategy(np.float32)
    solver.run_all(iterations=2000)
    trained = solver.strategy(np.float32)
    won, lost = duel(limit, trained, uniform, 60, 3, 2), duel(limit, uniform, trained, 60, 3, 1)
    assert won.mean == pytest.approx(-lost.mean, abs=1e-3)
    assert duel(limit, trained, trained, 60, 3, 1).mean == pytest.approx(0, abs=1e-3)
    assert won.sign == 1
    assert won.hands == 120


def test_the_small_deck_deals_everything() -> None:
    deck = SmallDeck(small_game("QKA", "cdh"))
    assert len(deck.deals) == comb(9, 2) * comb(7, 2) * comb(5, 3)
    assert deck.winner.sum() == 0  # both seats are dealt alike
    every, classes = deck.every_hand(), deck.isomorphic()
    assert every.flop.max() + 1 == comb(9, 2) * comb(7, 3)
    # Hands up to suits, counted by hand: 3 pairs, 3 suited and 3 unsuited combinations.
    assert classes.preflop.max() + 1 == 9
    assert classes.flop.max() + 1 == len(set(_canonical(deck)))


def _canonical(deck: SmallDeck) -> Iterator[frozenset[object]]:
    """Name hands by all their renamings, without arrays: the slow twin."""
    cards = deck.cards.tolist()
    for hole in combinations(cards, 2):
        for flop in combinations([card for card in cards if card not in hole], 3):
            yield frozenset(
                tuple(frozenset(c - c % 4 + order[c % 4] for c in part) for part in (hole, flop))
                for order in permutations(range(3))
            )


def test_isomorphism_changes_no_value() -> None:
    deck = SmallDeck(small_game("QKA", "cdh"))
    every, classes = deck.every_hand(), deck.isomorphic()
    whole, lossless = deck.named(every), deck.named(classes)
    solver = Solver(lossless, SCHEMES["cfr"])
    solver.run_all(iterations=30)
    strategy = solver.strategy()
    written = expanded(strategy, lossless, whole, classes, every)
    left, right = exploitability(lossless, strategy), exploitability(whole, written)
    assert left.exploitability == pytest.approx(right.exploitability, rel=1e-9)
    assert left.values == pytest.approx(right.values, abs=1e-9)


def test_buckets_are_judged_in_the_real_game() -> None:
    deck = SmallDeck(small_game("QKA", "cdh"))
    classes, buckets = deck.isomorphic(), deck.by_strength(3, 4)
    lossless, coarse = deck.named(classes), deck.named(buckets)
    solver = Solver(coarse, SCHEMES["cfr+"])
    solver.run_all(iterations=200)
    inside = exploitability(coarse, solver.strategy()).exploitability
    outside = exploitability(
        lossless, expanded(solver.strategy(), coarse, lossless, buckets, classes)
    )
    assert outside.exploitability > 5 * inside  # who sees his cards exploits who does not
    assert outside.values[0] == pytest.approx(
        exploitability(coarse, solver.strategy()).values[0], abs=1e-9
    )


def test_percentiles_keep_equal_hands_together() -> None:
    strengths = np.array([0.5, 0.2, 0.5, 0.9, 0.2])
    found = percentiles(strengths, np.ones(5), 3)
    assert found[0] == found[2]
    assert found[1] == found[4]
    assert found[1] < found[0] < found[3]


def test_what_the_real_deck_needs() -> None:
    needs = full_needs(Tree(catalogue("limit"), "min"), (169, 200, 200, 200))
    # Waugh 2013 and plain counting.
    assert needs[0].hands == tuple(comb(52, 2) * comb(50, board) for board in (0, 3, 4, 5))
    assert needs[1].hands == (169, 1_286_792, 13_960_050, 123_156_254)
    # 8, 70, 630 and 5,670 decisions by street.
    assert needs[2].infosets == 8 * 169 + (70 + 630 + 5670) * 200
    assert needs[0].table_bytes > needs[1].table_bytes > 10**12 > 10**8 > needs[2].table_bytes


def test_a_trial_counts_only_training() -> None:
    solver = Solver(enumerate_deals(Tree(catalogue("leduc"), "min")), SCHEMES["pure"], seed=1)
    ticks = iter(np.arange(0.0, 1e6, 0.5).tolist())
    trial = run_trial("pure", solver, (1.0, 2.0), lambda _: (7.0, 0.5), clock=lambda: next(ticks))
    assert [point.exploitability for point in trial.points] == [7.0, 7.0]
    assert trial.points[0].iterations < trial.points[1].iterations == trial.iterations
    assert trial.seconds == trial.last.seconds >= 2.0


def test_a_stop_ends_trials(tmp_path: Path) -> None:
    stop = Event()
    stop.set()
    solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), SCHEMES["pure"])
    with pytest.raises(KeyboardInterrupt):
        run_trial("pure", solver, (1e6,), lambda _: (0.0, 0.0), stop=stop)
    run = Reproduction("yerevan", tmp_path, ("one",), workers=2)
    assert run_jobs(run, [lambda _: 1, lambda _: 2, lambda _: 3], "") == [1, 2, 3]


def test_a_pace_is_measured_by_both_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Solver(enumerate_deals(Tree(catalogue("kuhn"), "min")), SCHEMES["pure"], seed=1)
    solver.run_all(iterations=10)
    clock, used = iter((100.0, 104.0)), iter((7.0, 15.0))

    def slices(seconds: float) -> Iterator[None]:
        assert seconds == 0.01
        solver.driver.iterations += 4000
        yield

    monkeypatch.setattr(solver, "run_all", lambda **_: None)
    monkeypatch.setattr(solver, "slices", slices)
    times = SimpleNamespace(perf_counter=lambda: next(clock), process_time=lambda: next(used))
    monkeypatch.setattr(speed, "time", times)
    assert pace_of(solver, 0.01) == Pace(1000.0, 500.0)  # 4 s of the clock, two threads busy


def test_never_more_threads_than_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "num_cores", lambda: 2)
    asked = (0, 1, 2, 8)
    given = [workers_of(Reproduction("yerevan", tmp_path, workers=workers)) for workers in asked]
    assert given == [2, 1, 2, 2]


def test_words_follow_the_intervals() -> None:
    assert versus([100, 101, 99], [50, 51, 49]).sign == -1
    assert versus([100.0], [50.0]).sign == 0  # one run each says nothing
    assert versus([100, 101, 99], [150.0]).sign == 1  # vanilla draws nothing
    assert sorted_out("A", {"b": 1, "c": 1}, "best").endswith("So it is best.")
    assert "not settled" in sorted_out("A", {"b": 1, "c": 0}, "best")
    assert "not best" in sorted_out("A", {"b": -1, "c": 0}, "best")


def test_the_table_of_duels_reads_both_ways() -> None:
    names = tuple(recipe().schemes)
    trials = _trials(names, 1)
    duels = {
        f"{first} v {second}": Won(30.0 if first == "pure" else 5.0, 10.0, 100)
        for first, second in combinations(names, 2)
    }
    same = SameTime(trials, 10, duels)
    tables = [part for part in size_section(same, "x").parts if isinstance(part, Table)]
    assert tables[1].rows[0][1:3] == ("", "+30 ± 10")
    assert tables[1].rows[1][1:3] == ("-30 ± 10", "")
    assert signs_at_size(same).endswith("So it is the best of these trainings.")
    texts = [part for part in size_section(same, "x").parts if isinstance(part, Text)]
    assert "lower bound" in texts[0].text
