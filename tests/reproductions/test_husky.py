"""Husky reproduced: what the report says of results."""

import re
from collections.abc import Sequence

import numpy as np
import pytest

from reproductions import stored
from reproductions.stored import found_of, replace
from riverboat.report import Comparison, Report, Section, Table, markdown
from riverboat.reproductions import Effort, Found
from riverboat.reproductions.husky._matches import learning_curve
from riverboat.reproductions.husky._recipe import CFR, DATA, DEFAULT, WIDE
from riverboat.reproductions.husky._report import learnt_at, learnt_within, surely_below
from riverboat.statistics import Estimate

SECTIONS = (
    "In five lines",
    "The setting",
    "Published and ours",
    "Speed",
    "Sweep: Angry Fish against Fish",
    "Sweep: Shark against Fish",
    "Sweep: Honest against All-In",
    "Sweep: Shark against All-In",
    "Fish against Honest with a threshold of 0.5",
    "An optimiser instead of a grid",
    "Sweeps inside PyPokerEngine",
    "The size of raises",
    "Several opponents: Angry Fish against up to 2 Fish",
    "The CFR bot",
    "The cost of action translation",
    "Killer's learning curve",
    "Killer with a history",
    "Killer beyond its patience",
    "Summary of the bots",
    "Tables of 3 seats",
    "The document's claims, one by one",
    "What differs and why",
    "In the document, and here",
)


@pytest.fixture(scope="module")
def found() -> Found:
    """The stored results of a tiny run."""
    return found_of("husky")


def check_published(sections: Sequence[Section]) -> Comparison:
    # husky's document: 200,000 evaluations (in millions here), 2,200 and 232 hands a second;
    # 100,000+ hands a second (in millions) beside three of ours; 0.65; 0.1 and 0.6; 0.375;
    # 0.375 and 1; N^-1/4; 500 to 1,000 hands.
    (comparison,) = (p for p in sections[2].parts if isinstance(p, Comparison))
    published = [row.published for row in comparison.rows]
    assert published == [
        0.2, 0.2, 2_200, 232, 0.1, 0.1, 0.1, 0.65, 0.1, 0.6, 0.375, 0.375, 1.0, -0.25, -0.25,
    ]  # fmt: skip
    # Speeds alone are better the higher they are.
    assert [row.ratio is None for row in comparison.rows[4:]] == [True] * 11
    (learnt,) = (p for p in sections[2].parts if isinstance(p, Table))
    assert [row[:2] for row in learnt.rows] == [
        ("Fish", "500 to 1,000"),
        ("Shark", "500 to 1,000"),
    ]
    return comparison


def sections_of(found: Found, effort: Effort = "full") -> tuple[Section, ...]:
    return stored.sections("husky", found, effort)


def said(found: Found, words: str, effort: Effort = "full") -> str:
    """Return the section whose title has these words, as Markdown."""
    wanted = tuple(each for each in sections_of(found, effort) if words in each.title)
    assert len(wanted) == 1
    return markdown(Report("husky", "x", "x", effort, 1, 1.0, "x", "0", wanted))


def around(mean: float, margin: float) -> Estimate:
    return Estimate.with_margin(mean, margin)


def points(*scored: tuple[dict[str, float], Estimate]) -> list[Found]:
    return [Found(parameters=parameters, score=score) for parameters, score in scored]


def pair(games: list[Found], chips: list[Found]) -> Found:
    return Found(games=games, chips=chips)


def test_the_stored_report_has_all_sections_and_published_figures(found: Found) -> None:
    sections = sections_of(found)
    assert tuple(section.title for section in sections) == SECTIONS
    check_published(sections)
    for table in (p for section in sections for p in section.parts if isinstance(p, Table)):
        assert all(len(row) == len(table.columns) for row in table.rows)


@pytest.mark.parametrize(
    ("effort", "row"),
    [
        # games, hands and grids as the recipe has them
        (
            "quick",
            "Shark against Fish | 100 | 600 | fold up to 0 to 0.6 by 0.1, raise above 0 to 1",
        ),
        (
            "full",
            "Shark against Fish | 500 | 3,000 | fold up to 0 to 1 by 0.05, raise above 0 to 1",
        ),
        (
            "quick",
            "Angry Fish against several Fish | 100 | 500 | raise above 0.05 to 0.85 by 0.1 |",
        ),
        ("tiny", "Shark against Fish | 8 | 20 | fold up to 0.1 and 0.7, raise above 0.6 |"),
        ("tiny", "speed of 2 to 3 seats; Angry Fish against 1 and 2 Fish; results of tables of 3 "),
    ],
)
def test_setting_tells_what_this_effort_runs(found: Found, effort: Effort, row: str) -> None:
    assert row in said(found, "setting", effort)


def test_speeds_are_written_with_three_digits_that_count(found: Found) -> None:
    rate = Found(median=13_999_398.0, slowest=12_599_458.0, fastest=15_399_337.0, rounds=5)
    hands = Found(median=49_573.0, slowest=44_615.0, fastest=54_530.0, rounds=5)
    speed = replace(
        found.speed,
        one_by_one={5: rate, 7: rate},
        batch={5: replace(rate, median=2e8), 7: replace(rate, median=1e8)},
        tables={2: replace(found.speed.tables[2], bots=hands)},
    )
    changed = replace(found, speed=speed)
    compared = said(changed, "Published")
    assert "| 0.2 M | 14 M | 70x | one call each, from Python; median of 5 rounds from" in compared
    assert "| 2,200 | 49,600 | 22.5x | in a whole match; median of 5 rounds from 44,600" in compared
    assert "| 232 | - | - | in a whole match |" in compared  # not measured
    told = said(changed, "Speed")
    assert "14.0 M (12.6 M to 15.4 M)" in told
    assert "49,600 (44,600 to 54,500)" in told
    assert "7 cards take 2 times as long as 5" in told


THEIRS, OTHER = {"high": 0.65}, {"high": 0.5}


def swept(found: Found, key: str, games: list[Found], chips: list[Found], again: Found) -> Found:
    """Change a sweep and what was played again."""
    sweep = replace(found.sweeps[key], games=games, chips=chips)
    return replace(
        found,
        sweeps=found.sweeps | {key: sweep},
        again=replace(found.again, sweeps=found.again.sweeps | {key: again}),
    )


@pytest.mark.parametrize(
    ("theirs", "ours", "words"),
    [
        (
            0.50,
            0.56,
            "By games our point is better than the authors'; by chips per hand our point earns",
        ),
        (0.50, 0.54, "ours do not differ significantly; by chips the two do not differ"),
        (
            0.50,
            0.44,
            "By games the authors' point is better than ours; by chips per hand the authors' point",
        ),
    ],
)
def test_the_authors_point_is_judged_by_both_intervals(
    found: Found, theirs: float, ours: float, words: str
) -> None:
    first, second = around(theirs, 0.03), around(ours, 0.04)
    ways = points((THEIRS, first), (OTHER, second), (OTHER, second))
    changed = swept(found, "angry-fish", ways, ways, pair(ways, ways))
    assert words in said(changed, "Angry Fish against Fish")


def test_a_point_that_is_theirs_and_ours_is_said_to_be(found: Found) -> None:
    score = around(0.6, 0.03)
    both = points((THEIRS, score), (THEIRS, score), (THEIRS, score))
    apart = points((THEIRS, score), (OTHER, score), (THEIRS, score))
    for games, words in (
        (both, "By games the authors' point is also ours; by chips it is the best point too."),
        (apart, "ours do not differ significantly; by chips the authors' point is ours."),
    ):
        changed = swept(found, "angry-fish", both, both, pair(games, both))
        assert words in said(changed, "Angry Fish against Fish")


@pytest.mark.parametrize(
    ("won", "bots", "agrees"),
    [
        (0.6, "{} wins more games than {}", "as they say"),
        (0.4, "{} wins fewer games than {}", "against what they say"),
        (0.52, "neither {} nor {} wins significantly more games", "but they say that {} does"),
    ],
)
def test_what_the_authors_say_is_set_beside_the_games(
    found: Found, won: float, bots: str, agrees: str
) -> None:
    for plan in DATA.sweeps:
        ways = points(*[(plan.optimum, around(won, 0.05))] * 3)
        told = said(swept(found, plan.key, ways, ways, pair(ways, ways)), f"Sweep: {plan.title}")
        bot, rival = plan.title.split(" against ")
        assert bots.format(bot, rival) in told
        assert (agrees.format(bot) in told) == plan.says_it_wins
        assert ("thresholds only" in told) != plan.says_it_wins


def test_points_that_may_be_as_good_are_counted(found: Found) -> None:
    # 0.6 and 0.565, each ± 0.03: a difference of 0.035 ± 0.042; that to 0.55 is told.
    means = (0.6, 0.565, 0.55, 0.6)
    games = points(*(({"high": at / 10}, around(won, 0.03)) for at, won in enumerate(means)))
    chips = points((THEIRS, around(6.0, 0.1)), (OTHER, around(5.0, 0.1)))
    again = found.again.sweeps["angry-fish"]
    changed = swept(found, "angry-fish", games, chips, again)
    told = said(changed, "Angry Fish against Fish")
    assert "won 60.0 % of its games; 2 of the 3 other points may be as good (95 %)" in told
    assert "with +6.00 chips; no other point may be as good (95 %)" in told
    assert (
        "| 0.65 | 0 | - | may be as good: 0 to 0.3; by chips 0.65, may be as good: 0.65 |"
        in said(changed, "Published")
    )
    grid = points(*(({"low": 0.1, "high": high}, around(0.6, 0.0)) for high in (0.5, 0.6)))
    changed = swept(found, "shark", grid, grid, found.again.sweeps["shark"])
    assert "By games 2 points have exactly the best score." in said(changed, "Shark against Fish")


@pytest.mark.parametrize(
    ("spread", "words"), [((0.4, 0.7), "lies in that range"), ((0.4, 0.6), "lies outside of it")]
)
def test_luck_of_an_optimum_is_told(found: Found, spread: tuple[float, float], words: str) -> None:
    sweep = replace(found.sweeps["angry-fish"], spread=list(spread))
    changed = replace(found, sweeps=found.sweeps | {"angry-fish": sweep})
    told = said(changed, "Angry Fish against Fish")
    assert f"between 0.4 and {spread[1]} in 95 of 100 repetitions. Their 0.65 {words}" in told


@pytest.mark.parametrize(("won", "words"), [(0.4, "below one half here too"), (0.48, "luck or a")])
def test_the_right_end_of_the_curve_is_told(found: Found, won: float, words: str) -> None:
    games = points((THEIRS, around(0.7, 0.05)), ({"high": 1.0}, around(won, 0.05)))
    again = found.again.sweeps["angry-fish"]
    assert words in said(swept(found, "angry-fish", games, games, again), "Angry Fish against Fish")


@pytest.mark.parametrize(
    ("won", "words"),
    [(0.7, "The claim holds"), (0.3, "does not hold"), (0.51, "inconclusive")],
)
def test_claim_is_judged_by_its_interval(found: Found, won: float, words: str) -> None:
    claim = pair(points(({}, around(won, 0.05))), points(({}, around(1.0, 0.5))))
    changed = replace(found, again=replace(found.again, claim=claim))
    assert words in said(changed, "Fish against Honest")


def several(optima: Sequence[float], rule: float = 0.0, unscaled: float = 0.0) -> dict[int, Found]:
    """Sweeps with these best thresholds, and chips at 0.4 (the rule for seven) and at 0.65."""
    others = (({"high": 0.4}, around(rule, 1.0)), ({"high": 0.65}, around(unscaled, 1.0)))
    found = {}
    for count, best in enumerate(optima, 1):
        ways = points(({"high": best}, around(20.0, 1.0)), *others)
        found[count] = pair(ways, ways)
    return found


@pytest.mark.parametrize(
    ("optima", "words"),
    [
        ([0.66, 0.54, 0.5, 0.455], "(95 %), and the authors' lies inside"),  # near 0.65 N^-0.25
        (
            [0.6, 0.3, 0.2, 0.15],
            "with an exponent from -1.00 to -1.00 (95 %), and the authors' lies outside",
        ),
        ([0.6, 0.3], "follow 0.60 N^-1.00; two numbers of opponents give no interval"),
        ([0.6, 0.0, 0.2], "By games won no law can be fitted. By chips per hand no law can be"),
    ],
)
def test_the_law_is_judged_by_its_interval(found: Found, optima: list[float], words: str) -> None:
    assert words in said(replace(found, opponents=several(optima)), "Several opponents")


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (9.0, "+4.0 ± 1.4 chips per hand compared with an unscaled threshold: the rule is better"),
        (1.0, "-4.0 ± 1.4 chips per hand compared with an unscaled threshold: the rule is worse"),
        (6.0, "+1.0 ± 1.4 chips per hand compared with an unscaled threshold: the difference is"),
    ],
)
def test_the_rule_for_opponents_is_judged(found: Found, rule: float, words: str) -> None:
    told = said(replace(found, opponents=several([0.1] * 7, rule, 5.0)), "Several")
    assert f"Against 7 opponents the published rule earns {words}" in told


def test_a_measured_bound_is_written(found: Found) -> None:
    measured = {"iterations": 1.0, "exploitability": 1.234, "low": 1.0, "high": 1.5}
    trained = found.training | {CFR: replace(found.training[CFR], curve=[measured])}
    told = said(replace(found, training=trained), "The CFR bot")
    assert "| 1.23 (1.00 to 1.50) | not measured |" in told


@pytest.mark.parametrize(
    ("all_in", "words"),
    [(-90.0, "has a significant cost"), (9.0, "is not significant"), (60.0, "a gain")],
)
def test_cost_of_translation_is_judged_by_its_interval(
    found: Found, all_in: float, words: str
) -> None:
    cfr = {"small": 8.0, "large": 12.0, "all": all_in}  # the menu's mean is 10
    translated = {}
    for size in DATA.translation.sizes:
        won = around(cfr.get(size.name, -500.0), 1.0)
        rules = dict.fromkeys(DATA.translation.rules, won) | {WIDE: around(10.0, 1.0)}
        translated[size.name] = Found(
            won=rules, hands=1_000, after_translation=0.5, untrained=0.01, off_tree=0.1
        )
    told = said(replace(found, translation=translated), "translation")
    assert words in told
    # Means of the same deals average their margins of 1; differences add squares: 1.4, then 2.
    assert f"{all_in - 10:+.1f} ± 1.4" in told
    assert f"{all_in - 10:+.1f} ± 2.0" in told
    assert "the best two do not differ significantly" in told
    better = {
        name: replace(each, won=each.won | {"nearest-ratio": around(900.0, 1.0)})
        for name, each in translated.items()
    }
    assert "nearest-ratio is the best" in said(replace(found, translation=better), "translation")


@pytest.mark.parametrize(
    ("rates", "words", "cells"),
    [
        ([5.0, 10.0, 10.0], "in line with the authors' 500 to 1,000", "1,000 | 500 | in line"),
        ([5.0, 5.0, 5.0, 10.0, 10.0, 10.0], "later than the authors'", "2,000 | 1,500 | later"),
        ([10.0, 10.0, 10.0], "500 to 1,000 is inconclusive", "500 | - | inconclusive"),
        ([-10.0, -10.0, -10.0], "not a significant win", "- | - | does not win significantly"),
        ([9.0, 10.0, 12.0, 12.0, 12.0, 9.0], "so no hand can be named", "- | 3,000 | later"),
    ],
)
def test_killer_is_judged_by_its_blocks(
    found: Found, rates: list[float], words: str, cells: str
) -> None:
    chips = np.repeat(rates, 500) + np.linspace(-0.1, 0.1, 9)[:, None]
    changed = replace(found, killer={"Fish": learning_curve(chips, chips, 500)})
    assert words in said(changed, "learning curve")
    assert f"| Fish | 500 to 1,000 | {cells} |" in said(changed, "Published")


def test_killer_is_not_settled_between_what_is_seen_and_what_is_sure(found: Found) -> None:
    # Hands 1 to 500 are surely below 9, hands 501 to 1,000 are below it but may be luck.
    noise = np.linspace(-5, 5, 9)[:, None] * (np.arange(3_000) // 500 == 1)
    chips = np.repeat([1.0, 8.0, 10.0, 10.0, 10.0, 10.0], 500) + noise
    curve = learning_curve(chips, chips, 500)
    assert (surely_below(curve), learnt_at(curve), learnt_within(curve, 1_000)) == (500, 1_500, 0)
    told = said(replace(found, killer={"Fish": curve}), "learning curve")
    assert "the comparison with the authors' 500 to 1,000 is inconclusive" in told


def made_up_bots() -> dict[str, Found]:
    """Every bot wins 10 chips a hand from those that stand below it."""
    names = [DEFAULT, WIDE, *(bot.name for bot in DATA.bots), CFR]
    return {
        name: Found(
            mean=around(5.0 - row, 1.0),
            against={
                other: around(10.0 if row < column else -10.0, 2.0)
                for column, other in enumerate(names)
                if other != name
            },
            fewest_hands=100,
        )
        for row, name in enumerate(names)
    }


def test_the_table_of_bots_is_told(found: Found) -> None:
    told = said(replace(found, bots=made_up_bots()), "Summary")
    # The document's table has Fish, Angry Fish, All-In, Honest and Shark.
    assert "The 5 bots of the document's summary table" in told
    assert "means over 11 opponents" in told
    assert "at least 100 hands per pair" in told
    assert f"and {DEFAULT}, wide CFR and CFR, which are in the next table" in told
    assert (
        "(KillBot and Killer) are replaced by fresh copies after a life of 5,000 hands" in told
    )  # effort.full.pairs
    assert (
        f"{DEFAULT} beats 11 of 11 other bots and loses significantly to none; wide CFR beats 10"
        in told
    )
    assert "Of these two trainings, one for each menu, wide CFR beats CFR" in told


def test_larger_tables_are_told(found: Found) -> None:
    tables = DATA.effort["full"].seated
    seated = [
        Found(seats=len(names), won={name: around(0.0, 1.0) for name in names}, hands=90)
        for names in tables
    ]
    setting = replace(found.setting, tables=tuple(table.seats for table in seated))
    told = said(
        replace(found, seats=Found(tables=seated), setting=setting), "Tables of 3, 6 and 9 seats"
    )
    assert "Only the table of 9 has All-In, KillBot and Killer." in told
    assert (
        "(KillBot and Killer) are replaced by fresh copies after a life of 5,400 hands" in told
    )  # effort.full.tables
    assert "| Killer | - | - | +0.0 ± 1.0 |" in told


def test_percents_and_large_numbers_are_written_in_one_way(found: Found) -> None:
    whole = markdown(Report("husky", "x", "x", "full", 1, 1.0, "x", "0", sections_of(found)))
    assert "95 %" in whole
    assert not re.search(r"\d%", whole)
    assert not re.search(r"\d,\d{3},\d{3}", whole)
    assert "on its menu: to 2 and 4 bb before the flop, 1 and 3 after" in whole
    assert whole.count("Each bot was trained once") == 2
