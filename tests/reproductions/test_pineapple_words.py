"""Pineapple: what the report says of results, and by which rule it judges them."""

import re

import pytest

from reproductions.stored import found_of, replace, sections
from reproductions.stored import said as said_of
from riverboat.report import Comparison
from riverboat.reproductions import Found
from riverboat.reproductions.pineapple._comparisons import cross_table
from riverboat.reproductions.pineapple._report import held
from riverboat.statistics import Estimate


@pytest.fixture(scope="module")
def found() -> Found:
    """The stored results of a tiny run."""
    return found_of("pineapple")


def around(mean: float, margin: float = 30.0) -> Estimate:
    return Estimate.with_margin(mean, margin)


def said(found: Found, words: str) -> str:
    return said_of("pineapple", found, words)


def offer(tenths: int, decisions: int, probability: float, uniform: float, chosen: int) -> Found:
    """Decisions with all-in on the menu."""
    return Found(
        tenths=tenths,
        decisions=decisions,
        probability=probability,
        uniform=uniform,
        chosen=chosen,
    )


def all_in(tenths: int, infosets: int, probability: float, uniform: float, near: float) -> Found:
    """Infosets with all-in on the menu."""
    return Found(
        tenths=tenths,
        infosets=infosets,
        probability=probability,
        uniform=uniform,
        near_uniform=near,
    )


def with_offers(found: Found, *offers: Found) -> Found:
    *others, last = found.watching.bots
    return replace(found, watching=Found(bots=[*others, replace(last, offers=offers)]))


def with_bounds(found: Found, *bounds: float) -> Found:
    """Two schemes, their bounds with margins of 1; the second wins their match."""
    pairs = zip(found.samplings.rows, ("its settings", "external"), bounds, strict=False)
    rows = [replace(row, name=name, bound=around(bound, 1.0)) for row, name, bound in pairs]
    table = cross_table(2, [around(-50.0, 20.0)])
    changed = replace(found.samplings, rows=rows, table=table)
    return replace(found, samplings=changed)


def test_shares_of_decisions_and_published_figures(found: Found) -> None:
    # One of 80 betting decisions; the authors' report has 5 %.
    last = replace(found.watching.bots[-1], trained=79, untrained=1)
    changed = replace(found, watching=Found(bots=[last]))
    (table,) = (p for p in sections("pineapple", changed)[2].parts if isinstance(p, Comparison))
    (row,) = (row for row in table.rows if row.what == "untrained infosets in play")
    assert (row.published, row.ours) == (5, 1.25)
    backup = replace(changed.setting, preflop_share=0.1, all_in_score=0.6)
    text = said(replace(changed, setting=backup), "other numbers")
    assert "above use our guesses, 0.1 of the stack and 0.6." in text


def test_ways_to_play_are_judged_by_differences(found: Found) -> None:
    matches = replace(
        found.matches,
        main=around(200.0),
        readings={"pseudo-harmonic": around(-100.0, 40.0)},
        fallbacks={"fold": around(210.0)},
    )
    text = said(replace(found, matches=matches), "Against the backup bot")
    # -100 against 200, with margins of 40 and 30: 3-4-5.
    assert "bets read by pseudo-harmonic the result changes by -300 ± 50 mbb/h." in text
    assert "untrained the result changes by +10 ± 42 mbb/h, which is not significant" in text


@pytest.mark.parametrize(
    ("all_ins", "parts", "words"),
    [
        # 90 and 4 of 200: Wilson's intervals are far apart.
        (
            90,
            ((-300, 50), (-290, 40), (-10, 20)),
            ("more often than", "comes mostly from the deals"),
        ),
        (
            5,
            ((-30, 20), (-20, 15), (-10, 15)),
            ("not significantly more", "larger is inconclusive"),
        ),
        # Other deals gain what such readings lose.
        (5, ((5, 20), (-90, 15), (95, 15)), ("not significantly more", "total is not significant")),
    ],
)
def test_a_reading_is_judged_by_intervals(
    found: Found,
    all_ins: int,
    parts: tuple[tuple[float, float], ...],
    words: tuple[str, str],
) -> None:
    total, misread, others = (around(*each) for each in parts)
    authors = replace(found.readings.ways[0], short=200, taken_for_all_in=4)
    other = replace(authors, taken_for_all_in=all_ins, total=total, misread=misread, others=others)
    text = said(replace(found, readings=Found(ways=[authors, other])), "Against the backup")
    assert all(word in text for word in words), text
    assert f"{misread.text('+')} from deals in which it took a smaller bet for all-in" in text


@pytest.mark.parametrize(
    ("won", "words"),
    [
        (90.0, "This bot beats the bot trained as the authors did."),
        (9.0, "is inconclusive"),
        (-90.0, "This bot loses to the bot trained"),
    ],
)
def test_the_better_bot_is_judged_by_its_interval(found: Found, won: float, words: str) -> None:
    changed = replace(found, better=replace(found.better, against_theirs=around(won, 40.0)))
    assert words in said(changed, "better choices")


def test_the_map_counts_significant_cells(found: Found) -> None:
    """Margins of 30 and 40 make 50 for a difference."""
    document = [[around(-100.0), around(10.0)], [around(-40.0), around(40.0)]]
    better = [[around(100.0, 40.0), around(20.0, 40.0)], [around(-100.0, 40.0), around(95.0, 40.0)]]
    changed = replace(found["map"], document=document, better=better)
    text = said(Found({**found, "map": changed}), "other numbers")
    assert "Of 4 versions of the backup bot, the bot trained as the authors did beats 1 and" in text
    assert "and loses to 2; the bot with better choices beats 2 and loses to 1." in text
    assert "more than the other from 2, less from 1; the rest is inconclusive." in text


def test_bounds_are_judged_by_differences(found: Found) -> None:
    text = said(with_bounds(found, 9.0, 2.0), "at equal time")
    assert "the responses win less against external than against its settings." in text
    assert "one of each scheme, that of its settings loses to external." in text
    text = said(with_bounds(found, 3.0, 2.0), "at equal time")  # a margin of 1.4
    assert "No two bounds differ significantly, so they give no order." in text
    assert "win less against" not in text
    assert "do not win significantly" not in text  # both lie above 0
    text = said(with_bounds(found, 3.0, 0.5), "at equal time")
    assert "Against external the responses do not win significantly." in text
    assert "win less against external than against its settings." in text


@pytest.mark.parametrize(
    ("chosen", "beside", "words"),
    [
        # Of 100: 95 % intervals about 40 to 60, 15 to 31 and 6 to 17; well trained 18 to 23.
        (50, "more than the 30 % of uniform", "all-in more often where barely"),
        (22, "not significantly different from the 30 % of uniform", "in play is inconclusive"),
        (10, "less than the 30 % of uniform", "all-in less often where barely"),
    ],
)
def test_all_ins_are_judged_by_intervals(
    found: Found, chosen: int, beside: str, words: str
) -> None:
    offers = (offer(1, 100, 0.3, 0.3, chosen), offer(10, 1000, 0.2, 0.3, 200))
    text = said(with_offers(found, *offers), "All-in")
    assert f"of 100 decisions where barely trained, {beside}" in text
    assert words in text


def test_three_decisions_tell_little(found: Found) -> None:
    text = said(
        with_offers(found, offer(1, 3, 0.3, 0.3, 0), offer(10, 1000, 0.4, 0.3, 400)), "All-in"
    )
    assert "in play is inconclusive" in text


def test_rounding_hides_no_verdict(found: Found) -> None:
    # 2,541 of 10,000: 24.57 % to 26.27 %, just above uniform play.
    rows = (offer(1, 100, 0.3, 0.245, 22), offer(10, 10_000, 0.25, 0.2452, 2541))
    text = said(with_offers(found, *rows), "All-in")
    assert "25.4 % (24.6 % to 26.3 %) of 10,000" in text
    assert "more than the 24.5 % of uniform play at these decisions" in text


def test_infosets_are_pooled(found: Found) -> None:
    rows = (all_in(2, 10, 0.5, 0.25, 1.0), all_in(3, 30, 0.1, 0.25, 0.0))
    trained = replace(found.training, all_in=rows)
    changed = replace(found, training=trained)
    pooled = held(changed.training, 2, 3)
    assert (pooled.infosets, pooled.uniform) == (40, 0.25)
    assert (pooled.all_in.mean, pooled.near_uniform.mean) == (0.2, 0.25)
    assert "too short to have both" in said(changed, "All-in")
    assert "did not reach both kinds" in said(with_offers(found), "All-in")


@pytest.mark.parametrize(
    ("barely", "words"),
    [
        (
            all_in(1, 1000, 0.3, 0.3, 0.9),
            ("more often, as the authors saw", "play more in barely"),
        ),
        (
            all_in(1, 1000, 0.1, 0.3, 0.0),
            ("less often, not as", "does not make all-in rarer"),
        ),
        (
            all_in(1, 1000, 0.2, 0.3, 0.1),
            ("nearly uniform infosets is incon", "barely trained infosets is incon"),
        ),
    ],
)
def test_tables_are_judged_by_intervals(
    found: Found, barely: Found, words: tuple[str, ...]
) -> None:
    rows = (barely, all_in(10, 1000, 0.2, 0.3, 0.1))
    trained = replace(found.training, all_in=rows)
    text = said(replace(found, training=trained), "All-in")
    assert all(word in text for word in words), text


@pytest.mark.parametrize(
    ("won", "word"), [(9.0, "wins"), (-9.0, "still loses"), (1.0, "our result is inconclusive")]
)
def test_the_verdict_goes_by_the_interval(found: Found, won: float, word: str) -> None:
    matches = replace(found.matches, main=around(won, 3.0))
    assert word in said(replace(found, matches=matches), "What differs")


@pytest.mark.parametrize(
    ("mean", "words"), [(100.0, "a significant win"), (10.0, "inconclusive"), (-100.0, "loss")]
)
def test_other_games_are_judged_by_matches(found: Found, mean: float, words: str) -> None:
    others = replace(found.others, against_document=[around(0.0), around(mean)])
    text = said(replace(found, others=others), "Solved swaps")
    assert re.search(rf"solved swaps, the code's raises against that .*{words}", text)
