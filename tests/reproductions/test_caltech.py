"""Caltech: what the experiments compute, what the report says of it, and a tiny run (slow)."""

import re
from pathlib import Path

import msgspec
import numpy as np
import pytest

from reproductions.stored import found_of, sections
from reproductions.stored import replace as changed_result
from reproductions.stored import said as said_of
from riverboat.blueprint import Blueprint
from riverboat.cards import HandStrength
from riverboat.report import Comparison, Picture, Report, Section, Table
from riverboat.reproductions import Found, Results, find_reproduction, reproduce
from riverboat.reproductions._work import mean_of
from riverboat.reproductions.caltech._experiments import BOTS, DUELS
from riverboat.reproductions.caltech._report import (
    against_variants,
    deals_on,
    forked_on,
    more_exploitable,
    most_faster,
    serial_share,
    threads_gain,
)
from riverboat.reproductions.caltech._training import DATA, add_trace, thread_counts
from riverboat.statistics import Estimate
from riverboat.training import Plan, load_recipe
from riverboat.tree import BetMenu

SECTIONS = (
    "In five lines",
    "The setting",
    "Published and ours",
    "Speed against threads",
    "Threads by subtree, with locks",
    "Wins, ties and losses by bucket",
    "The author's key and, aside, a capped tree",
    "Exploration decay and starting weights, on and off",
    "The ensemble against its members",
    "The bot against its six variants (figure 1)",
    "Strengths of the variants",
    "The four members against their variants (figure 7)",
    "Are six variants a measure of exploitability?",
    "What differs and why",
    "In the document, and here",
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
    assert {path.stem for path in (folder / "steps").glob("*.json")} == set(
        find_reproduction("caltech").steps
    )
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
    found = Results.read((folder / "results.json").read_bytes()).found
    assert tuple(found.variants.matches) == BOTS
    for name, matches in found.variants.matches.items():
        assert tuple(against_variants(found, name)) == DATA.styles
        assert all(match.hands[-1] == 40 for match in matches.values())
    tables = [part for part in section(report, "figure 7").parts if isinstance(part, Table)]
    assert [row[0] for row in tables[0].rows] == list(DATA.styles)
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
    found = Results.read((folder / "results.json").read_bytes()).found
    assert len(found["one-thread"]) == 2
    for fitted in found["one-thread"].values():
        assert 0 < fitted.trained < fitted.infosets
    opened = Blueprint.open(folder / "one-thread.blueprint")
    assert (opened.weights() > 0).all()  # and yet there is a strategy everywhere


@pytest.mark.slow
def test_the_files_of_the_report(report: Report, folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    pictures = [part for part in parts(report, Picture) if isinstance(part, Picture)]
    assert len(pictures) == 4
    assert page.count('src="data:image/png;base64,') == 4
    assert not re.search(r'(src|href)="(?!data:)', page)
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert all((folder / picture.file).stat().st_size > 5_000 for picture in pictures)
    assert "{" not in text  # no field of the setting is left open
    assert msgspec.json.decode((folder / "report.json").read_bytes(), type=Report) == report


@pytest.mark.slow
def test_a_stopped_run_goes_on(report: Report, folder: Path) -> None:
    """The duels are played again from their ledger; everything else is kept."""
    kept = folder / "steps/duels.json"
    before = kept.read_bytes()
    kept.unlink()
    again = reproduce("caltech", folder, effort="tiny", seed=11, workers=1, resume=True)
    assert kept.read_bytes() == before
    assert again.sections == report.sections
    played = Results.read((folder / "results.json").read_bytes()).found.duels.matches
    assert {(bot, other) for bot, row in played.items() for other in row} == set(DUELS)


@pytest.fixture(scope="module")
def found() -> Found:
    """The stored results of a tiny run."""
    return found_of("caltech")


def around(mean: float) -> Estimate:
    return Estimate.with_margin(mean, 5.0)


def with_results(
    found: Found, won: dict[str, float], bounds: dict[str, float] | None = None
) -> Found:
    """Change what bots won, from everybody or from `bot/opponent`, and how exploitable they are."""

    def changed(bot: str, opponent: str, match: Found) -> Found:
        mean = won.get(f"{bot}/{opponent}", won.get(bot))
        return match if mean is None else changed_result(match, won=around(mean))

    steps = {
        step: Found(
            matches={
                bot: {opponent: changed(bot, opponent, match) for opponent, match in row.items()}
                for bot, row in found[step].matches.items()
            }
        )
        for step in ("variants", "duels")
    }
    strategies = {
        name: changed_result(found[name], bound=around(mean))
        for name, mean in (bounds or {}).items()
    }
    return Found({**found, **steps, **strategies})


def said(found: Found, words: str) -> str:
    return said_of("caltech", found, words)


def test_the_report_has_all_sections(found: Found) -> None:
    assert tuple(each.title for each in sections("caltech", found)) == SECTIONS


@pytest.mark.parametrize(
    ("means", "words"),
    [
        ((50.0, 50.0, 50.0, 50.0), "the best of these 5 trainings. That is a hint against"),
        ((-50.0, -50.0, -50.0, -50.0), "the worst of these 5 trainings. That is a hint for"),
        ((50.0, 50.0, 50.0, 1.0), "The matches do not show whether the exploration floor helped"),
    ],
)
def test_a_choice_is_judged_by_all_members(
    found: Found, means: tuple[float, ...], words: str
) -> None:
    won = {f"no-floor/member-{at}": mean for at, mean in enumerate(means, 1)}
    bounds = {f"member-{at}": 100.0 for at in (1, 2, 3, 4)} | {"no-floor": 200.0}
    changed = with_results(found, won | {"no-start": 1.0}, bounds)
    told = said(changed, "on and off")
    assert words in told
    assert "more exploitable than 4 of the 4 members and less exploitable than 0" in told
    more = more_exploitable(changed, "no-floor").values()
    assert [each.text("+") for each in more] == ["+100.0 ± 7.1"] * 4


@pytest.mark.parametrize(
    ("mean", "of_threads", "of_linear"),
    [
        (50.0, "Two trainings are too few", "floor and ensemble. It beats the bot"),
        (
            -50.0,
            "one thread loses to member 1 (-50.0 ± 5.0 mbb/h). We see no",
            "It loses to the bot",
        ),
        (1.0, "member 1 is inconclusive", "It does not differ significantly from the bot"),
    ],
)
def test_two_trainings_are_called_two(
    found: Found, mean: float, of_threads: str, of_linear: str
) -> None:
    names = ("one-thread", "one-thread-same-time", "linear")
    changed = with_results(found, dict.fromkeys(names, mean), {"member-1": 1.0, "member-2": 900.0})
    assert of_threads in said(changed, "threads")
    assert of_linear in said(changed, "ensemble")


@pytest.mark.parametrize(
    ("tight", "words"),
    [(50.0, "ours beats it"), (-50.0, "and so does ours"), (1.0, "inconclusive")],
)
def test_tight_is_judged_by_its_interval(found: Found, tight: float, words: str) -> None:
    changed = with_results(found, {"bot": 900.0, "bot/tight": tight})
    assert words in said(changed, "Published")
    guess = "The bot loses to tight. Our guess at the reason"
    assert (guess in said(changed, "figure 1")) == (tight == -50.0)


@pytest.mark.parametrize(
    ("bound", "words", "verdict"),
    [
        (400.0, "wins at least", "says little"),
        (205.0, "wins at least", "do not differ significantly"),
        (100.0, "wins at least", "this bound is weak"),
        (1.0, "does not win significantly", "this bound is weak"),
    ],
)
def test_the_probe_is_judged_by_the_bound(
    found: Found, bound: float, words: str, verdict: str
) -> None:
    text = said(with_results(found, {"bot": 900.0, "bot/tight": -200.0}, {"bot": bound}), "measure")
    assert words in text
    verdicts = ("says little", "do not differ significantly", "this bound is weak")
    assert [each for each in verdicts if each in text] == [verdict]


@pytest.mark.slow
def test_the_authors_own_game() -> None:
    """2.6 million infosets in 151 MB: counted by our tree; the journal has no number."""
    plan = Plan.of(load_recipe(DATA.training))
    assert sum(plan.tree.num_decisions) == 3_109_844
    assert (plan.sizes.infosets, round(plan.sizes.table_bytes / 1e6)) == (2_578_095, 151)


def test_thread_counts_end_with_all() -> None:
    assert thread_counts(2) == (1, 2)
    assert thread_counts(8) == (1, 2, 4, 8)
    assert thread_counts(12) == (1, 2, 4, 8, 12)


def test_the_mean_of_members_is_no_surer_than_they_are() -> None:
    """They played the same cards."""
    found = mean_of([around(10.0), around(30.0)])
    assert (found.mean, found.margin) == pytest.approx((20.0, 5.0))


def test_the_trace_decides_only_where_nothing_else_does() -> None:
    average = np.array([0.0, 0.0, 0.0, 3.0, 1.0, 0.0])
    start = np.array([100.0, 200.0, 100.0, 100.0, 200.0, 100.0], np.float32)
    before = average.copy()
    add_trace(average, start)
    assert np.allclose(average[:3] / average[:3].sum(), [0.25, 0.5, 0.25])
    assert np.allclose(average[3:], before[3:], atol=1e-6)
    add_trace(average, start, -1)
    assert (average[:3] == 0).all()


def test_every_strategy_of_the_tables_has_a_name() -> None:
    assert {*BOTS, *(name for duel in DUELS for name in duel)} <= set(DATA.labels)
    assert {fit.name for fit in DATA.fit} <= set(DATA.labels)
    assert set(DATA.verdicts) == set(DATA.styles)


def test_the_menu_has_the_authors_sizes_without_caps() -> None:
    menu = BetMenu.parse(load_recipe(DATA.training).menu)
    first, *_, later = menu.streets
    assert (len(first.by_depth[0]), len(later.by_depth[0])) == (5, 6)  # section 10
    assert menu.recall == "raises"  # section 5
    assert all(street.cap is None for street in menu.streets)


def deals_speed(threads: int, seconds: float, cpu: float) -> Found:
    return Found(threads=threads, iterations=10, seconds=seconds, cpu_seconds=cpu)


def test_the_critical_path_bounds_the_speed_up_by_threads() -> None:
    """By hand: a quarter of 100 decisions in turn; on 3 cores 1 / (1/4 + 3/4 / 3) = 2."""
    forked = Found(nodes=100, span=25)
    assert (most_faster(forked), forked_on(forked, 3)) == (4.0, 2.0)
    threads = Found(ours=[deals_speed(1, 8.0, 8.0), deals_speed(2, 5.0, 9.0)])
    assert serial_share(threads) == pytest.approx(0.25)  # 5 = 8 * (1/4 + 3/4 / 2)
    assert deals_on(threads, 3) == "2.0x"


def test_an_impossible_speed_up_is_no_measurement(found: Found) -> None:
    """A busy machine once printed 61 times on two threads."""
    one, two = deals_speed(1, 61.0, 5.0), deals_speed(2, 1.0, 1.9)
    assert serial_share(Found(ours=[one, two])) is None
    assert deals_on(Found(ours=[one, two]), 3) == "-"
    speed = Found(by_threads=[Found(**one, nodes=100), Found(**two, nodes=100)])
    text = said(changed_result(found, speed=speed), "Speed against")
    assert "one thread waited for a core in 91.8 % of the time" in text
    assert "impossible" not in text
    one = deals_speed(1, 61.0, 60.0)  # only the run on two threads can be wrong
    assert serial_share(Found(ours=[one, two])) is None
    speed = Found(by_threads=[Found(**one, nodes=100), Found(**two, nodes=100)])
    text = said(changed_result(found, speed=speed), "Speed against")
    assert "which is impossible, so other programs used the machine" in text


def test_a_speed_up_on_a_busy_machine_is_no_measurement(found: Found) -> None:
    """One thread had a core for half of its time: a quotient of 1.5 says nothing."""
    one, two = deals_speed(1, 8.0, 4.0), deals_speed(2, 5.0, 9.0)
    speed = Found(by_threads=[Found(**one, nodes=100), Found(**two, nodes=100)])
    (claims,) = sections("caltech", changed_result(found, speed=speed))[0].parts
    assert isinstance(claims, Table)
    assert "not measured: other programs used the machine" in claims.rows[1][1]
    assert threads_gain(speed) is None


def test_verdicts_by_strength(found: Found) -> None:
    won = {style: [around(at) for at in (1.0, -9.0, 9.0, 9.0)] for style in DATA.varied}
    strengths = changed_result(found.strengths, won=won)
    changed = with_results(changed_result(found, strengths=strengths), {"bot/tight": 9.0})
    text = said(changed, "Strengths")
    assert "Against tight the verdict depends on the strength: 3 won, 1 lost, 1 inconcl" in text


@pytest.mark.parametrize(("span", "words"), [(25, "They cannot reach"), (1, "more cores than")])
def test_the_claim_of_sixty_is_judged(found: Found, span: int, words: str) -> None:
    turn, rule, *rest = found.threads.forked
    rule = changed_result(rule, nodes=100, span=span)
    threads = changed_result(found.threads, forked=[turn, rule, *rest])
    assert words in said(changed_result(found, threads=threads), "subtree")
