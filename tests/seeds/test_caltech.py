"""Caltech: the report on made-up results, the functions that judge, and a tiny run (slow)."""

import re
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from riverboat.blueprint import Blueprint
from riverboat.cards import HandStrength
from riverboat.game import catalogue
from riverboat.report._words import listed
from riverboat.seeds import (
    Comparison,
    Picture,
    Report,
    Reproduction,
    Section,
    Table,
    Text,
    reproduce,
    write_report,
)
from riverboat.seeds._work import Won
from riverboat.seeds.caltech import SEED
from riverboat.seeds.caltech.choices_section import choice_words
from riverboat.seeds.caltech.data import data
from riverboat.seeds.caltech.ensemble import Combined
from riverboat.seeds.caltech.ensemble_section import linear_words
from riverboat.seeds.caltech.fitting import Bounded, Fitted, Workshop, add_trace
from riverboat.seeds.caltech.found import Found, find
from riverboat.seeds.caltech.judged import by_sign, difference, verdict
from riverboat.seeds.caltech.matches import DUELS, Duels, Played, Variants, mean_of
from riverboat.seeds.caltech.strategies import LABELS, against_members
from riverboat.seeds.caltech.summary import tight_sentence
from riverboat.seeds.caltech.threads import OneThread, Speed, thread_counts
from riverboat.seeds.caltech.threads_section import threads_section
from riverboat.seeds.caltech.variant_sections import probe_section
from riverboat.training import load_recipe
from riverboat.tree import BetMenu, Tree

SECTIONS = (
    "The setting",
    "Published and ours",
    "Speed against threads",
    "Exploration decay and starting weights, on and off",
    "The ensemble against its members",
    "The bot against its six variants (figure 1)",
    "The four members against their variants (figure 7)",
    "Are six variants a measure of exploitability?",
    "What differs and why",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("caltech") / "run"


@pytest.fixture(scope="module")
def report(folder: Path, tables: HandStrength) -> Report:
    del tables  # built before, not in the run
    return reproduce("caltech", folder, effort="tiny", seed=11, workers=1)


def parts(report: Report, kind: type) -> list[object]:
    return [part for section in report.sections for part in section.parts if type(part) is kind]


def section(report: Report, words: str) -> Section:
    return next(each for each in report.sections if words in each.title)


@pytest.mark.slow
def test_all_steps_are_done_and_all_sections_are_there(report: Report, folder: Path) -> None:
    assert {path.stem for path in (folder / "steps").glob("*.json")} == set(SEED.steps)
    assert tuple(each.title for each in report.sections) == SECTIONS


@pytest.mark.slow
def test_the_published_figures_stand_beside_ours(report: Report) -> None:
    (comparison,) = parts(report, Comparison)
    assert isinstance(comparison, Comparison)
    published = [row.published for row in comparison.rows]
    # Section 6.1 (60 times), 10 (1 gigabit), 9 (hands), 8 (all but Tight).
    assert published == [60.0, 125.0, 100_000.0, 5.0, None]
    ours = {row.what: row.ours for row in comparison.rows}
    assert ours["hands against a variant"] == 40
    assert 0 <= (ours["variants beaten, of six"] or 0) <= 6


@pytest.mark.slow
def test_every_bot_plays_its_six_variants(report: Report, folder: Path) -> None:
    variants = msgspec.json.decode((folder / "steps/variants.json").read_bytes(), type=Variants)
    names = {"bot", "member-1", "member-2", "member-3", "member-4", "linear"}
    assert {match.bot for match in variants.matches} == names
    for name in names:
        assert tuple(variants.of(name)) == data().styles
        assert all(match.won.hands == 40 for match in variants.of(name).values())
    tables = [part for part in section(report, "figure 7").parts if isinstance(part, Table)]
    assert [row[0] for row in tables[0].rows] == list(data().styles)
    assert all(len(row) == 5 for row in tables[0].rows)


@pytest.mark.slow
def test_the_bot_is_the_sum_of_its_members(report: Report, folder: Path) -> None:
    del report
    members = [Blueprint.open(folder / f"member-{number}.blueprint") for number in (1, 2, 3, 4)]
    bot = Blueprint.open(folder / "bot.blueprint").dense()
    expected = sum(member.dense() for member in members) / 4  # figure 5: added and normalised
    assert np.abs(bot - expected).max() < 1e-6
    assert bot.min() >= 0
    recipe = members[1].header.training.recipe
    assert (recipe["seed"], recipe["ensemble"]) == (12, 1)


@pytest.mark.slow
def test_what_is_switched_off_is_off(report: Report, folder: Path) -> None:
    del report
    headers = {
        name: Blueprint.open(folder / f"{name}.blueprint").header.training
        for name in ("member-1", "no-floor", "no-start", "linear", "one-thread")
    }
    assert headers["member-1"].scheme["floor"] == [[100_000, 0.05], [150_000, 0.01]]  # section 6.2
    assert not headers["no-floor"].scheme.get("floor")
    assert headers["no-floor"].recipe["start"] == headers["member-1"].recipe["start"]
    assert headers["no-start"].recipe["start"] is None
    assert headers["linear"].iterations == 4 * headers["member-1"].iterations
    assert headers["one-thread"].threads == 1


@pytest.mark.slow
def test_untrained_infosets_are_not_counted_as_reached(report: Report, folder: Path) -> None:
    del report
    one = msgspec.json.decode((folder / "steps/one-thread.json").read_bytes())
    for fitted in one.values():
        assert 0 < fitted["trained"] < fitted["infosets"]
    opened = Blueprint.open(folder / "one-thread.blueprint")
    assert (opened.weights() > 0).all()  # and yet there is a strategy everywhere


@pytest.mark.slow
def test_the_files_of_the_report(report: Report, folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    pictures = [part for part in parts(report, Picture) if isinstance(part, Picture)]
    assert len(pictures) == 3
    assert page.count('src="data:image/png;base64,') == 3
    assert not re.search(r'(src|href)="(?!data:)', page)
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert all((folder / picture.file).stat().st_size > 5_000 for picture in pictures)
    assert "{" not in text  # no field of the setting is left open
    assert msgspec.json.decode((folder / "report.json").read_bytes(), type=Report) == report


@pytest.mark.slow
def test_a_stopped_run_goes_on(report: Report, folder: Path) -> None:
    """The duels are played again from their ledger; everything else is kept."""
    kept = folder / "steps/duels.json"
    before = msgspec.json.decode(kept.read_bytes(), type=Duels)
    kept.unlink()
    again = reproduce("caltech", folder, effort="tiny", seed=11, workers=1, resume=True)
    assert msgspec.json.decode(kept.read_bytes(), type=Duels) == before
    assert again.sections == report.sections
    assert {(match.bot, match.opponent) for match in before.matches} == set(DUELS)


def fitted(name: str, bound: float) -> Fitted:
    return Fitted(name, 2, 200_000, 1.0, 10_000, 500, 100, 100, 100, Bounded(bound, 5.0, 100))


@pytest.fixture
def results() -> dict[str, object]:
    """Made-up results of all steps: nobody can tell anybody apart."""
    fits = {fit.name: fitted(fit.name, 100.0 + at) for at, fit in enumerate(data().fit)}
    bots = ("bot", *(fit.name for fit in data().fits("member")), "linear")
    variants = tuple(played(bot, style, 1.0) for bot in bots for style in data().styles)
    return {
        "speed": (Speed(1, 10, 0.002, 10), Speed(2, 10, 0.001, 10)),
        **fits,
        "one-thread": OneThread(fitted("one-thread-same-time", 100), fitted("one-thread", 100)),
        "ensemble": Combined(4, 800_000, 4.0, 100, Bounded(90.0, 5.0, 100)),
        "variants": Variants(variants),
        "duels": Duels(tuple(played(*duel, 1.0) for duel in DUELS)),
    }


def run_with(results: dict[str, object], folder: Path) -> Reproduction:
    """Make a quick run whose steps are all done."""
    run = Reproduction("caltech", folder, SEED.steps, "quick")
    for name, result in results.items():
        (folder / "steps" / f"{name}.json").write_bytes(msgspec.json.encode(result))
    return run


def words_of(section: Section) -> str:
    return " ".join(part.text for part in section.parts if isinstance(part, Text))


def test_the_report_follows_the_results(results: dict[str, object], tmp_path: Path) -> None:
    sections = tuple(SEED.sections(run_with(results, tmp_path)))
    report = Report("caltech", "", SEED.title, "quick", 1, 1.0, "2 cores", "0", sections)
    write_report(report, tmp_path)
    page, text = ((tmp_path / f"report.{kind}").read_text() for kind in ("html", "md"))
    assert tuple(each.title for each in report.sections) == SECTIONS
    assert page.count('src="data:image/png;base64,') == 3
    assert not re.search(r'(src|href)="(?!data:)', page)  # no other file is needed
    assert "{" not in text  # no field of the setting is left open
    # Section 6.1; an iteration of 0.2 ms here, and no ratio between the two.
    assert "| one thread | 30 s | 200 µs | section 6.1, before threads |" in text
    assert "| times faster by threads | 60 | 2 | - |" in text
    assert "of 24 matches 0 are won, 0 lost and 24 not decided" in text
    assert "against the variants of itself. It beats none and loses to none." in text
    assert "folds 2 times rarer" in text  # the styles' own numbers
    assert "below a win rate of 50 %" in text
    assert "Our guess" not in text  # no variant wins
    # The quick menu of recipe.toml.
    assert "to 1bb, 2bb, 4bb, 8bb and 16bb; at most 2 a street" in text
    assert "50%, 100% and 200% of the pot; at most 1 a street" in text
    differs = words_of(section(report, "differs"))
    assert "After the flop this run has 3 sizes of raises instead of 6." in differs
    assert "3,109,844 decisions as we build it" in differs
    assert "two on every street would need 11 GB" in differs  # 460,666 decisions
    assert "forced in the first 150,000 iterations" in differs  # section 6.2


@pytest.mark.parametrize(
    ("means", "words"),
    [
        ((50.0, 50.0, 50.0, 50.0), "the best of these 5 trainings"),
        ((-50.0, -50.0, -50.0, -50.0), "the worst of these 5 trainings"),
        ((50.0, 50.0, 50.0, 1.0), "the matches do not decide whether the exploration floor helped"),
        ((50.0,), "up to one time in 2"),  # a folder of an earlier version
    ],
)
def test_a_choice_is_judged_by_all_members(means: tuple[float, ...], words: str) -> None:
    fits = {fit.name: fitted(fit.name, 100.0) for fit in data().fit}
    fits["no-floor"] = fitted("no-floor", 200.0)
    wins = [played("no-floor", f"member-{at + 1}", mean) for at, mean in enumerate(means)]
    found = replace(found_with({}, 1.0), fits=fits, duels=Duels(tuple(wins)))
    told = choice_words(found, "no-floor", "the exploration floor")
    assert words in told
    assert "more exploitable than 4 of the 4 members and less than 0" in told
    table = against_members(found, "", {"no-floor": fits["no-floor"].bound})
    assert [row[2] for row in table.rows] == ["+100 ± 7"] * 4
    assert [row[1] != "-" for row in table.rows] == [at < len(means) for at in range(4)]


@pytest.mark.parametrize(
    ("mean", "of_threads", "of_linear"),
    [
        (50.0, "two trainings do not tell", "This one training beats the bot"),
        (-50.0, "is the worse: no sign", "This one training loses to the bot"),
        (1.0, "does not tell these two trainings", "This one training cannot be told from the bot"),
    ],
)
def test_two_trainings_are_called_two(
    results: dict[str, object], tmp_path: Path, mean: float, of_threads: str, of_linear: str
) -> None:
    duels = Duels(tuple(played(*duel, mean) for duel in DUELS))
    shop = Workshop(run_with({**results, "duels": duels}, tmp_path))
    found = find(shop)
    threads = words_of(threads_section(shop, found))
    assert of_threads in threads
    assert "goes from 100 ± 5 to 103 ± 5 mbb/h" in threads  # the made-up members'
    assert of_linear in linear_words(found)


@pytest.mark.slow
def test_the_uncapped_tree_has_as_many_decisions() -> None:
    recipe = load_recipe(data().training)
    sizes = data().uncapped
    assert isinstance(recipe.game, str)
    assert sum(Tree(catalogue(recipe.game), sizes.menu).num_decisions) == sizes.decisions
    assert [street.by_depth for street in BetMenu.parse(recipe.menu).streets] == [
        street.by_depth for street in BetMenu.parse(sizes.menu).streets
    ]


def test_judgements_follow_the_intervals() -> None:
    assert [verdict(Won(mean, 10.0, 1)) for mean in (11.0, -11.0, 9.0)] == [
        "won",
        "lost",
        "undecided",
    ]
    assert by_sign(-1, "a", "b", "c") == "b"
    assert listed(["one"]) == "one"
    found = difference(Bounded(100.0, 3.0, 50), Bounded(90.0, 4.0, 50))
    assert (found.mean, found.margin) == (10.0, 5.0)


def test_thread_counts_end_with_all() -> None:
    assert thread_counts(2) == (1, 2)
    assert thread_counts(8) == (1, 2, 4, 8)
    assert thread_counts(12) == (1, 2, 4, 8, 12)


def test_the_mean_of_members_is_no_surer_than_they_are() -> None:
    """They played the same cards."""
    found = mean_of([played("member-1", "tight", 10.0), played("member-2", "tight", 30.0)])
    assert (found.mean, found.margin) == (20.0, 5.0)


def test_the_trace_decides_only_where_nothing_else_does() -> None:
    average = np.array([0.0, 0.0, 0.0, 3.0, 1.0, 0.0])
    start = np.array([100.0, 200.0, 100.0, 100.0, 200.0, 100.0], np.float32)
    before = average.copy()
    add_trace(average, start)
    assert np.allclose(average[:3] / average[:3].sum(), [0.25, 0.5, 0.25])
    assert np.allclose(average[3:], before[3:], atol=1e-6)
    add_trace(average, start, -1)
    assert (average[:3] == 0).all()


def played(bot: str, opponent: str, mean: float, margin: float = 5.0) -> Played:
    return Played(bot, opponent, Won(mean, margin, 100), (100,), (1.0,), (0.0,), (2.0,))


def found_with(results: dict[str, float], bound: float) -> Found:
    """What a run would have found, with these results of the bot."""
    bounded = Bounded(bound, 5.0, 100)
    fitted = Fitted("member-1", 2, 10, 1.0, 10, 5, 100, 100, 100, bounded)
    return Found(
        (Speed(1, 10, 2.0, 10), Speed(2, 10, 1.0, 10)),
        {"member-1": fitted},
        Combined(4, 40, 4.0, 100, bounded),
        Variants(tuple(played("bot", style, mean) for style, mean in results.items())),
        Duels(()),
    )


@pytest.mark.parametrize(
    ("tight", "words"), [(50.0, "ours beats it"), (-50.0, "and so does ours"), (1.0, "cannot be")]
)
def test_tight_is_judged_by_its_interval(tight: float, words: str) -> None:
    sentence = tight_sentence(found_with({"tight": tight, "random": 900.0}, 100.0))
    assert words in sentence
    assert "random" in sentence


@pytest.mark.parametrize(
    ("bound", "words", "verdict"),
    [
        (400.0, "wins at least", "says little"),
        (205.0, "wins at least", "cannot be told apart"),
        (100.0, "wins at least", "this bound is weak"),
        (1.0, "found nothing", "this bound is weak"),
    ],
)
def test_the_probe_is_judged_by_the_bound(
    bound: float, words: str, verdict: str, tmp_path: Path
) -> None:
    shop = Workshop(Reproduction("caltech", tmp_path, SEED.steps, "quick"))
    (text,) = probe_section(shop, found_with({"tight": -200.0, "random": 900.0}, bound)).parts
    assert isinstance(text, Text)
    assert words in text.text
    verdicts = ("says little", "cannot be told apart", "this bound is weak")
    assert [each for each in verdicts if each in text.text] == [verdict]


def test_every_strategy_of_the_tables_has_a_name() -> None:
    assert {name for duel in DUELS for name in duel} <= set(LABELS)
    assert {fit.name for fit in data().fit} <= set(LABELS)
    assert set(data().verdicts) == set(data().styles)
