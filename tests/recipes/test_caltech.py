"""Caltech: a tiny run from end to end, and the functions that judge."""

import re
from pathlib import Path

import msgspec
import numpy as np
import pytest

from riverboat.blueprint import Blueprint
from riverboat.cards import HandStrength
from riverboat.recipes import Comparison, Picture, Report, Section, Table, Text, reproduce
from riverboat.recipes.caltech import SEED
from riverboat.recipes.caltech.data import data
from riverboat.recipes.caltech.ensemble import Combined
from riverboat.recipes.caltech.fitting import Bounded, Fitted, add_trace
from riverboat.recipes.caltech.found import Found
from riverboat.recipes.caltech.judged import by_sign, difference, listed, verdict
from riverboat.recipes.caltech.matches import DUELS, Duels, Played, Variants, mean_of
from riverboat.recipes.caltech.summary import tight_sentence
from riverboat.recipes.caltech.threads import Speed, thread_counts
from riverboat.recipes.caltech.training_sections import LABELS
from riverboat.recipes.caltech.variant_sections import probe_section
from riverboat.recipes.work import Won


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


def test_all_steps_are_done_and_all_sections_are_there(report: Report, folder: Path) -> None:
    assert {path.stem for path in (folder / "steps").glob("*.json")} == set(SEED.steps)
    titles = [each.title for each in report.sections]
    assert titles[0] == "The setting"
    assert titles[1] == "Published and ours"
    assert titles[-1] == "What differs and why"
    for words in ("threads", "decay", "ensemble", "figure 1", "figure 7", "exploitability"):
        assert any(words in title for title in titles), words


def test_the_published_figures_stand_beside_ours(report: Report) -> None:
    (comparison,) = parts(report, Comparison)
    assert isinstance(comparison, Comparison)
    published = [row.published for row in comparison.rows]
    # Section 6.1 (30 s, half a second, 60 times), 10 (1 gigabit), 9 (hands), 8 (all but Tight).
    assert published == [30.0, 0.5, 60.0, 125.0, 100_000.0, 5.0, None]
    ours = {row.what: row.ours for row in comparison.rows}
    assert 0 < (ours["one iteration, one thread"] or 0) < 30
    assert ours["hands against a variant"] == 40
    assert 0 <= (ours["variants beaten, of six"] or 0) <= 6


def test_every_bot_plays_its_six_variants(report: Report, folder: Path) -> None:
    variants = msgspec.json.decode((folder / "steps/variants.json").read_bytes(), type=Variants)
    names = {"bot", "member-1", "member-2", "member-3", "member-4"}
    assert {match.bot for match in variants.matches} == names
    for name in names:
        assert tuple(variants.of(name)) == data().styles
        assert all(match.won.hands == 40 for match in variants.of(name).values())
    tables = [part for part in section(report, "figure 7").parts if isinstance(part, Table)]
    assert [row[0] for row in tables[0].rows] == list(data().styles)
    assert all(len(row) == 5 for row in tables[0].rows)


def test_the_bot_is_the_sum_of_its_members(report: Report, folder: Path) -> None:
    del report
    members = [Blueprint.open(folder / f"member-{number}.blueprint") for number in (1, 2, 3, 4)]
    bot = Blueprint.open(folder / "bot.blueprint").dense()
    expected = sum(member.dense() for member in members) / 4  # figure 5: added and normalised
    assert np.abs(bot - expected).max() < 1e-6
    assert bot.min() >= 0
    recipe = members[1].header.training.recipe
    assert (recipe["seed"], recipe["ensemble"]) == (12, 1)


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


def test_untrained_infosets_are_not_counted_as_reached(report: Report, folder: Path) -> None:
    del report
    one = msgspec.json.decode((folder / "steps/one-thread.json").read_bytes())
    for fitted in one.values():
        assert 0 < fitted["trained"] < fitted["infosets"]
    opened = Blueprint.open(folder / "one-thread.blueprint")
    assert (opened.weights() > 0).all()  # and yet there is a strategy everywhere


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


def test_a_stopped_run_goes_on(report: Report, folder: Path) -> None:
    """The duels are played again from their ledger; everything else is kept."""
    kept = folder / "steps/duels.json"
    before = msgspec.json.decode(kept.read_bytes(), type=Duels)
    kept.unlink()
    again = reproduce("caltech", folder, effort="tiny", seed=11, workers=1, resume=True)
    assert msgspec.json.decode(kept.read_bytes(), type=Duels) == before
    assert again.sections == report.sections
    assert {(match.bot, match.opponent) for match in before.matches} == set(DUELS)


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
    ("bound", "words"), [(400.0, "says little"), (100.0, "wins at least"), (1.0, "found nothing")]
)
def test_the_probe_is_judged_by_the_bound(bound: float, words: str) -> None:
    (text,) = probe_section(found_with({"tight": -200.0, "random": 900.0}, bound)).parts
    assert isinstance(text, Text)
    assert words in text.text
    assert ("says little" in text.text) == (bound == 400.0)


def test_every_strategy_of_the_tables_has_a_name() -> None:
    assert {name for duel in DUELS for name in duel} <= set(LABELS)
    assert {fit.name for fit in data().fit} <= set(LABELS)
    assert set(data().verdicts) == set(data().styles)
