"""Yerevan: what is said of its figures, and a tiny run (slow)."""

import re
from math import comb
from pathlib import Path
from typing import Any

import msgspec
import pytest

from reproductions.stored import found_of, replace, said, section, sections
from riverboat.cards import HandStrength
from riverboat.report import Picture, Report, Table, Text
from riverboat.reproductions import Found, ReproductionRun, Results, find_reproduction, reproduce
from riverboat.reproductions.yerevan._experiments import train_rivals
from riverboat.reproductions.yerevan._training import DATA
from riverboat.statistics import Estimate

SECTIONS = (
    "In five lines",
    "The setting",
    "Published and ours",
    "Pure CFR over time",
    "Pure against external, outcome, chance, public-chance and vanilla at equal time",
    "The algorithm as section 3.4.1 has it",
    "The same with as many buckets as the bot has",
    "Three players without a limit",
    "With and without isomorphism and buckets",
    "Against limit versions of the other bots",
    "What differs and why",
    "In the document, and here",
)
STEPS = tuple(find_reproduction("yerevan").steps)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("yerevan") / "run"


@pytest.fixture(scope="module")
def report(folder: Path, tables: HandStrength) -> Report:
    del tables  # built before, not in the run
    return reproduce("yerevan", folder, effort="tiny", seed=5, workers=2)


@pytest.mark.slow
def test_all_steps_are_done_and_all_sections_are_there(report: Report, folder: Path) -> None:
    assert {path.stem for path in (folder / "steps").glob("*.json")} == set(STEPS)
    assert tuple(each.title for each in report.sections) == SECTIONS


@pytest.mark.slow
def test_the_files_of_the_report(report: Report, folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    pictures = [p for section in report.sections for p in section.parts if isinstance(p, Picture)]
    assert len(pictures) == page.count("data:image/png;base64,") == 5
    assert not re.search(r'(src|href)="(?!data:)', page)  # no other file is needed
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert "1 x 10^12 states" in text  # the abstract
    # One way to write per cent, "95 %"; bet menus stand in code.
    assert not re.search(r"[0-9]%", re.sub("`[^`]*`", "", text))
    assert "{" not in text  # no field of the setting is left open


@pytest.mark.slow
def test_what_a_tiny_run_finds(report: Report, folder: Path) -> None:
    del report
    found = Results.read((folder / "results.json").read_bytes()).found
    labels = tuple(DATA.schemes.values())
    exact, same = found["equal time"], found["many buckets"]
    assert tuple(each.label for each in exact.algorithms) == tuple(same.trials) == labels
    # Vanilla draws nothing, so it is run once.
    assert [len(each.trials) for each in exact.algorithms] == [2, 2, 2, 2, 2, 1]
    duels = same.duels[labels[0]]
    assert set(duels) == set(labels[1:])
    assert sum(map(len, same.duels.values())) == comb(6, 2)
    assert found.training.trial.points[-1].iterations > 100
    assert all(won.units == 20 for won in duels.values())
    bots = {"Fish (husky and cardiff)", "Random (cardiff)"}
    assert found.matches.hands == dict.fromkeys(bots, 20)
    assert set(found.matches.won) == bots
    assert found.matches.failures == 0


@pytest.mark.slow
def test_a_finished_run_does_nothing_twice(report: Report, folder: Path) -> None:
    again = reproduce("yerevan", folder, effort="tiny", seed=5, workers=2, resume=True)
    assert (folder / "log.jsonl").read_text().count('"done"') == len(STEPS)
    assert again.sections == report.sections


@pytest.mark.slow
def test_rivals_learn_limit(
    tables: HandStrength, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del tables
    tiny = msgspec.structs.replace(DATA.effort["tiny"], rivals=("cardiff", "pineapple"))
    monkeypatch.setitem(DATA.effort, "tiny", tiny)
    found = train_rivals(ReproductionRun("yerevan", tmp_path, STEPS, "tiny", workers=1))
    assert set(found) == {"cardiff", "pineapple"}
    assert all((tmp_path / f"{name}-limit.blueprint").exists() for name in found)
    assert all(each.iterations > 0 for each in found.values())
    assert all(each.seconds >= tiny.train_times[-1] for each in found.values())  # as our bot


@pytest.fixture(scope="module")
def found() -> Found:
    """The stored results of a tiny run."""
    return found_of("yerevan")


def tables_of(found: Found, words: str) -> list[Table]:
    parts = section("yerevan", found, words).parts
    return [part for part in parts if isinstance(part, Table)]


def replaced(found: Found, part: str, **changes: Any) -> Found:
    """Change some results of a step."""
    return Found({**found, part: replace(found[part], **changes)})


def runs(label: str, ends: tuple[float, float], iterations: int = 1000, hands: int = 0) -> Found:
    """Make up nine seeds with their exploitability at the first and the last measurement."""
    times = ((1.0, 500), (2.0, iterations))
    trials = [
        Found(
            points=[
                Found(
                    seconds=seconds,
                    iterations=count + seed % 3,
                    exploitability=Estimate.exact(end + seed % 3),
                )
                for (seconds, count), end in zip(times, ends, strict=True)
            ],
            nodes=9000,
            table_bytes=8_000_000,
            infosets=50,
            visited=40,
        )
        for seed in range(9)
    ]
    return Found(label=label, trials=trials, hands=hands)


def test_the_report_has_all_sections(found: Found) -> None:
    assert tuple(each.title for each in sections("yerevan", found)) == SECTIONS


def test_speeds_are_by_the_clock_and_not_multiplied(found: Found) -> None:
    paces = {
        "leduc": Found(clock=1e6, processor=2e6),
        "one_thread": Found(clock=5e4, processor=5.2e4),
        "all_threads": Found(clock=8e4, processor=5.5e4),
    }
    changed = replaced(found, "speed", **paces, threads=2)
    amounts, untold, beside = tables_of(changed, "Published")
    assert amounts.rows[0][1] == "1,000,000"  # the abstract
    assert amounts.rows[1][1] == "1 x 10^12 states"
    assert untold.rows[0][1:] == ("80,000", "2 threads, first 20 ms")
    assert beside.rows[0] == ("Leduc hold'em", "665,000", "2,000,000", "3.01x", "1,000,000")
    assert beside.rows[2][1:4] == ("-", "52,000", "-")
    text = said("yerevan", changed, "over time")
    assert (
        "50,000 iterations per second on one thread and at 80,000 on 2: 1.60 times as fast" in text
    )
    assert "52,000 on one thread and 55,000 on 2" in text
    alone = replaced(changed, "speed", threads=1)
    assert "on one thread, 52,000 per CPU second." in said("yerevan", alone, "over time")


def test_a_bound_of_nothing_is_called_so(found: Found) -> None:
    *points, last = found.training.trial.points
    nothing = replace(last, exploitability=Estimate(0.0, 0.0, 20, "normal"))
    trial = replace(found.training.trial, points=[*points, nothing])
    changed = replaced(found, "training", trial=trial, recall=False)
    amounts, untold, _ = tables_of(changed, "Published")
    assert untold.rows[1][1] == "0 mbb/hand"
    assert untold.rows[1][2].endswith("the responses won nothing, so there is no bound here")
    (table,) = tables_of(changed, "over time")
    assert table.rows[-1][-1].startswith("0; the responses won nothing")
    assert "imperfect recall" in amounts.rows[1][3]
    assert "imperfect recall" not in tables_of(found, "Published")[0].rows[1][3]


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ((600.0, 450.0), "better than external and outcome. So it is the best of the six"),
        ((600.0, 300.3), "from outcome. Whether it is the best of the six for two-player limit"),
        ((600.0, 100.0), "worse than outcome. So it is not the best of the six"),
    ],
)
def test_pure_is_judged_by_ratios(found: Found, ends: tuple[float, float], words: str) -> None:
    algorithms = (runs("Pure", (900, 300)), runs("external", (900, 600)), runs("outcome", ends))
    changed = replaced(
        found, "equal time", algorithms=algorithms, current=(900.0, 901.0, 899.0) * 3
    )
    text = said("yerevan", changed, "at equal time")
    assert words in text
    assert words in said("yerevan", changed, "Published")
    assert "900 mbb/hand at the end, 2.99 (2.98 to 3.00) times the average's: a bot must" in text
    (table,) = tables_of(changed, "at equal time")
    assert [row[-1] for row in table.rows[:2]] == ["1", "2.00 (1.99 to 2.00)"]


@pytest.mark.parametrize(
    ("mean", "words"),
    [
        (30.0, "So it is the best of these trainings."),
        (5.0, "Whether it is the best of these trainings remains open in this run."),
        (-30.0, "So it is not the best of these trainings."),
    ],
)
def test_the_table_of_duels_reads_both_ways(found: Found, mean: float, words: str) -> None:
    names = tuple(found["many buckets"].trials)
    duels = {
        one: {
            other: Estimate.with_margin(mean if one == "Pure" else 5.0, 10.0)
            for other in names[at + 1 :]
        }
        for at, one in enumerate(names[:-1])
    }
    changed = replaced(found, "many buckets", duels=duels)
    _, table = tables_of(changed, "as many buckets")
    assert table.columns == ("", *names)
    assert table.rows[0][1:3] == ("", f"{mean:+.0f} ± 10")
    assert table.rows[1][1:3] == (f"{-mean:+.0f} ± 10", "")
    for title in ("as many buckets", "Published"):
        text = said("yerevan", changed, title)
        assert "each algorithm was trained once" in text
        assert words in text
        assert "that of external, outcome, chance, public-chance and vanilla" in text


@pytest.mark.parametrize(
    ("mean", "words"),
    [
        (50.0, "for external the claim holds in these trainings."),
        (5.0, "for external the result is inconclusive."),
        (-50.0, "for external the claim does not hold in these trainings."),
    ],
)
def test_the_third_claim_is_judged_by_matches(found: Found, mean: float, words: str) -> None:
    names = tuple(found["three players"].trials)
    assert names == ("Pure", "external", "outcome")
    won = {a: {b: Estimate.with_margin(1.0, 20.0) for b in names if b != a} for a in names}
    won["external"]["Pure"] = Estimate.with_margin(1.0 + mean, 20.0)
    changed = replaced(found, "three players", won=won)
    for title in ("Three players", "Published"):
        text = said("yerevan", changed, title)
        assert words in text
        assert "for outcome the result is inconclusive." in text
    _, table = tables_of(changed, "Three players")
    assert table.rows[1] == ("external", f"{1 + mean:+.0f} ± 20", "", "+1 ± 20")


def with_namings(found: Found, *buckets: Found, speeds: tuple[int, int] = (1000, 3000)) -> Found:
    every = runs("every hand by itself", (900.0, 800.0), speeds[0], 900)
    classes = runs("isomorphism", (600.0, 300.0), speeds[1], 90)
    return replaced(found, "isomorphism", named=[every, classes, *buckets])


def test_buckets_are_judged_once_for_all_that_came_out_alike(found: Found) -> None:
    few, more = runs("a", (300.0, 500.0), hands=4), runs("b", (200.0, 400.0), hands=8)
    text = said("yerevan", with_namings(found, few, more), "With and without")
    assert text.count("at the first measurement so few buckets help") == 1
    assert (
        "With 4 and 8 buckets: at the first measurement so few buckets help, at the last they hurt"
        in text
    )
    assert "isomorphism helps, and it loses no information." in text
    many = runs("c", (900.0, 100.0), hands=80)
    text = said("yerevan", with_namings(found, few, many), "With and without")
    assert "With 80 buckets: at the first measurement so few buckets hurt, at the last" in text
    assert "at the last they help." in text


@pytest.mark.parametrize(
    ("speeds", "words"),
    [
        ((1000, 3000), "All of them are faster: for speed the claim holds"),
        ((1000, 1000), 'The result is inconclusive with "isomorphism"'),
        ((3000, 1000), 'The claim does not hold: iterations are slower with "isomorphism"'),
    ],
)
def test_the_claim_of_speed_is_judged_by_speeds(
    found: Found, speeds: tuple[int, int], words: str
) -> None:
    changed = with_namings(found, speeds=speeds)
    text = said("yerevan", changed, "Published")
    assert words in text
    # Seeds add 0, 1 and 2 iterations; each training has two seconds.
    assert f"{(speeds[0] + 1) / 2:.0f} with every hand by itself;" in text.replace(",", "")


@pytest.mark.parametrize(
    ("rivals", "words"), [(("husky", "pineapple"), "husky and pineapple"), ((), "none")]
)
def test_the_setting_names_the_rivals(found: Found, rivals: tuple[str, ...], words: str) -> None:
    changed = replaced(found, "setting", rivals=rivals)
    assert tables_of(changed, "setting")[0].rows[-1][2].endswith(f"retrained for limit: {words}")


def test_matches_are_told_in_the_order_of_wins(found: Found) -> None:
    won = {"Shark": 1.0, "Fish": 200.0, "Matt": -50.0}
    matches = Found(
        won={name: Estimate.with_margin(mean, 10.0) for name, mean in won.items()},
        hands=dict.fromkeys(won, 100),
        failures=0,
    )
    changed = replace(found, matches=matches)
    (table,) = tables_of(changed, "Against")
    assert table.rows[0] == ("Fish", "+200 ± 10", "100")
    *_, last = (p for p in section("yerevan", changed, "Against").parts if isinstance(p, Text))
    assert (
        last.text == "The bot beats Fish; loses to Matt; does not differ significantly from Shark."
    )
