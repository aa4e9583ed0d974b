"""What cardiff's report says of results: of a stored run's, changed where a case needs it."""

from typing import Any

import pytest

from reproductions.stored import found_of, replace
from riverboat.errors import ArenaError
from riverboat.protocols.pypokerengine import need_engine
from riverboat.report import Compared, Comparison, Picture, Section, Table, Text
from riverboat.reproductions import Effort, Found, find_reproduction
from riverboat.reproductions.cardiff._recipe import DATA
from riverboat.reproductions.cardiff._report import agreement
from riverboat.statistics import Estimate

WON, LOST, OPEN = (Estimate.with_margin(mean, 0.5) for mean in (2.0, -2.0, 0.1))
UNKNOWN = Estimate(1.0, None, 1)
NAMES = tuple(DATA.bots)


@pytest.fixture(scope="module")
def found() -> Found:
    """The stored results of a tiny run."""
    return found_of("cardiff")


LAST: list[tuple[Found, Effort, tuple[Section, ...]]] = []


def section(found: Found, words: str, effort: Effort = "full") -> Section:
    """Return the section whose title has these words; the last report is kept."""
    if not (LAST and LAST[0][0] is found and LAST[0][1] == effort):
        LAST[:] = [(found, effort, find_reproduction("cardiff").sections(found, effort, 2026))]
    (wanted,) = (each for each in LAST[0][2] if words in each.title)
    return wanted


def parts(section: Section, kind: type) -> list[Any]:
    return [part for part in section.parts if type(part) is kind]


def said(found: Found, words: str) -> str:
    return "\n".join(part.text for part in parts(section(found, words), Text))


def rows(found: Found, words: str, place: int = 0) -> dict[str, tuple[str, ...]]:
    """Return the rows of a table of a section by their first cells."""
    table: Table = parts(section(found, words), Table)[place]
    return {row[0]: row[1:] for row in table.rows}


def compared(found: Found, words: str) -> dict[str, Compared]:
    (comparison,) = parts(section(found, words), Comparison)
    return {row.what: row for row in comparison.rows}


def with_table(found: Found, given: dict[tuple[str, str], Estimate], **changes: Any) -> Found:
    """Change what bots of the table of seven won; all others are open."""
    won: dict[str, dict[str, Estimate]] = {
        row: {column: given.get((row, column), OPEN) for column in NAMES if column != row}
        for row in NAMES
    }
    return replace(found, table=replace(found.table, won=won, **changes))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "default bot beats all 7, including Monte-Carlo with 10,000 runouts."),
        (
            {"Monte-Carlo": LOST, "CFRv1": OPEN},
            "; loses to Monte-Carlo; does not differ significantly from CFRv1.",
        ),
        (
            dict.fromkeys(NAMES, OPEN),
            "default bot beats 0 of 7: it does not differ significantly from Fish",
        ),
    ],
)
def test_the_default_bot_is_judged_by_intervals(
    found: Found, changes: dict[str, Estimate], words: str
) -> None:
    won = {**dict.fromkeys(NAMES, WON), **changes}
    changed = replace(found, champion=replace(found.champion, won=won))
    assert words in said(changed, "Aim 2")
    beside = compared(changed, "Aim 2")
    assert (beside["v Fish"].published, beside["v CFRv2"].published) == (1.56, None)  # table 2
    assert (beside["v Fish"].better, beside["v Random"].better) == ("", "")  # other rules
    beaten = sum(each is WON for each in won.values())
    assert compared(changed, "Published")["default bot v Monte-Carlo (published: CFRv2)"].note == (
        f"beats {beaten} of 7"
    )


@pytest.mark.parametrize(
    ("won", "fared", "helped"),
    [
        (WON, "CFRv2 beats", "here they help, too"),
        (LOST, "CFRv2 loses to", "here they do not"),
        (OPEN, "CFRv2 does not differ significantly from", "here the result is inconclusive"),
    ],
)
def test_the_cfr_bots_are_judged_by_intervals(
    found: Found, won: Estimate, fared: str, helped: str
) -> None:
    given = {("CFRv2", "Monte-Carlo"): won, ("CFRv2", "CFRv1"): won}
    text = said(with_table(found, given), "table of seven")
    assert f"{fared} Monte-Carlo ({won.text('+')}); in the thesis, with 10 million, both" in text
    # Table 2: CFRv2 won 2.13 from CFRv1.
    assert f"{fared} CFRv1 ({won.text('+')}); in the thesis it won +2.13" in text
    assert f"helped there: {helped}." in text


def test_both_tables_of_seven(found: Found) -> None:
    ours, published = (rows(found, "table of seven", place) for place in (0, 1))
    assert tuple(ours) == tuple(published) == NAMES
    assert published["Fish"][:3] == ("", "+0.81", "+68.65")  # table 2
    assert [row[place] for place, row in enumerate(ours.values())] == [""] * 7


def test_failed_decisions_are_told(found: Found) -> None:
    assert "failed" not in said(with_table(found, {}), "table of seven")
    assert "failed in 3 dec" in said(with_table(found, {}, failures=3), "table of seven")


def test_pairs_that_can_be_compared() -> None:
    """Of Fish's row: Honest (+0.81), Monte-Carlo (-2.00) and both CFRs, not Random, Rule-based."""
    won = {"Fish": dict.fromkeys(NAMES[1:], LOST)}
    alike, others = (agreement(won, comparable=which) for which in (True, False))
    assert (alike.pairs, alike.clear, alike.same, alike.inside) == (4, 4, 3, 3)
    assert (others.pairs, others.clear, others.same, others.inside) == (2, 2, 1, 0)
    assert agreement(won, engine=True).pairs == 5  # there with Random
    assert agreement({"Fish": {"Honest": OPEN}}).clear == 0
    assert agreement({"Fish": {"Honest": UNKNOWN}}).inside == 0


def test_pairs_are_counted_apart(found: Found) -> None:
    """Five of the seven can be compared: 10 pairs of 21; inside the engine Random, too: 15."""
    upper = {row: dict.fromkeys(NAMES[place:], WON) for place, row in enumerate(NAMES[:-1], 1)}
    engine = replace(found.engine, missing="", hands=60, won=upper, hands_per_second=400.0)
    changed = with_table(replace(found, engine=engine), {})
    text = said(changed, "table of seven")
    assert "Of the 10 pairs that can be compared" in text
    assert "the 11 pairs with Random or Rule-based, which can" in text
    text = said(changed, "inside PyPokerEngine")
    assert "Of the 15 pairs that can be compared" in text
    assert "the 6 pairs with Rule-based, which can" in text
    # Of table 2 +2.0 ± 0.5 holds +1.75 only; +0.81, +2.75, +1.75, +68.65, +16.04 have its winner.
    assert "within our interval in 1. 15 of these pairs have a significant result, and 5" in text
    assert "400 hands per second" in text
    cells = rows(changed, "inside PyPokerEngine")
    assert cells["Fish"][1] == "+2.00 ± 0.50 (+68.65)"
    assert cells["CFRv1"] == ("",) * 5 + ("+2.00 ± 0.50 (-2.13)",)


def test_a_missing_engine_is_told(found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverboat.protocols.pypokerengine._table.Dealer", None)
    with pytest.raises(ArenaError) as missing:
        need_engine()
    changed = replace(found, engine=Found(missing=str(missing.value)))
    text = said(changed, "inside PyPokerEngine")
    assert "was not played. PyPokerEngine is not installed: pip install 'riverboat[py" in text
    assert "in a checkout uv run --extra pypokerengine. Once" in text
    assert "`uv run riverboat reproduce cardiff --resume`" in text
    row = rows(changed, "The setting")["table"]
    assert row[1] == "the rules of poker; not in PyPokerEngine, which is not installed"


def test_the_setting_is_the_run(found: Found) -> None:
    engine = replace(found.engine, missing="")
    facts = {"iterations": 300_000, "hands": 2_000, "engine_hands": 60, "workers": 3}
    setting = replace(found.setting, menu=DATA.effort["quick"].menu, **facts)
    changed = replace(found, engine=engine, setting=setting)
    ours = {what: row[1] for what, row in rows(changed, "The setting").items()}
    assert "300,000 iterations, threads: 3" in ours["algorithm"]
    assert "over 2,000 hands" in ours["scored by"]
    assert ours["actions"] == "the same (`min ; cap 3 each`)"
    assert ours["table"] == "the rules of poker; then PyPokerEngine over 60 hands per pair"
    (tiny,) = parts(section(changed, "The setting", "tiny"), Table)
    assert tiny.rows[2][2] == "fewer raises (`min ; cap 1`)"


def with_training(found: Found, bounds: tuple[Estimate, Estimate], **changes: Any) -> Found:
    """Make a training of 1,000 and 10,000 iterations, a thousand a second."""
    points = tuple(
        Found(
            iterations=count,
            seconds=count / 1000,
            value=OPEN,
            bound=bound,
            visited=10,
            trained=8,
        )
        for count, bound in zip((1_000, 10_000), bounds, strict=True)
    )
    return replace(found, training=replace(found.training, points=points, **changes))


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ((WON, OPEN), "falls significantly, from 2 to 0.1 chips per hand (10 thousandths"),
        ((OPEN, WON), "does not fall significantly"),
        ((OPEN, OPEN), "does not fall significantly"),
    ],
)
def test_the_bound_is_judged_by_intervals(
    found: Found, bounds: tuple[Estimate, Estimate], words: str
) -> None:
    assert words in said(with_training(found, bounds), "Training")


@pytest.mark.parametrize(
    ("value", "both", "words"),
    [
        (LOST, OPEN, "passes the author's test as well"),
        (OPEN, OPEN, "With so few deals"),
        (LOST, WON, "does not contain 0 here"),
    ],
)
def test_uniform_play_is_judged_by_intervals(
    found: Found, value: Estimate, both: Estimate, words: str
) -> None:
    changes = {"uniform_value": value, "uniform_both_seats": both}
    text = said(with_training(found, (WON, OPEN), **changes), "Training")
    cases = ("passes the author's test as well", "With so few deals", "does not contain 0 here")
    assert [case for case in cases if case in text] == [words]


def test_the_summary_compares_what_can_be_compared(found: Found) -> None:
    changed = with_training(found, (WON, OPEN), resident_bytes=102_000_000)
    changed = with_table(changed, {("CFRv2", "CFRv1"): UNKNOWN}, hands=100)
    changed = replace(changed, cleaning=replace(found.cleaning, before=8))
    beside, text = compared(changed, "Published"), said(changed, "Published")
    memory, longest = beside["memory of the process in training"], beside["longest decision"]
    assert (memory.published, memory.ours, memory.unit) == (None, 102, "MB")
    assert "8 GB" in memory.note
    assert longest.published is None
    assert "35 s" in longest.note
    for what in ("CFRv2 v Random", "CFRv2 v Fish", "CSV file before cleaning"):
        assert beside[what].better == ""
    assert "PyPokerEngine's rules; ours poker's" in beside["CFRv2 v Fish"].note
    assert beside["CFRv2 v CFRv1"].margin == -1.0  # not known
    assert beside["match of 100,000 hands"].note.endswith("extrapolated from 100 hands")
    before = beside["CSV rows before cleaning"]
    visited = beside["infosets visited: all have a row before cleaning in the thesis"]
    assert (before.published, before.ours) == (None, 8 / 1e6)
    assert (visited.published, visited.ours) == (5.53, 10 / 1e6)  # figure 19
    value = beside["EV of the small blind with this average strategy, chips per hand"]
    assert value.note.startswith("not the game's value: exploitability is at least 0.10 ± 0.50, a")
    assert "trained 10,000 iterations only" in text
    # From 1,000 to 10,000 iterations in 1 to 10 s: 9,000 in 9 s.
    assert "over the whole training: 10 s, threads:" in text
    assert "first 1,000 iterations it did 1,000 per second" in text


def test_cleaning_says_what_is_counted(found: Found) -> None:
    changed = with_training(found, (WON, OPEN))
    changed = replace(changed, cleaning=replace(found.cleaning, before=8, after=7))
    text, beside = said(changed, "cleaning"), compared(changed, "cleaning")
    # The menu of tests: 4 decisions before the flop and 12 on it.
    assert "169 and 76,895 hands by street at 4 and 12 decisions" in text
    assert "we visited fewer than the author's 5.53 million, 10 after" in text
    assert "8 of ours have an average strategy" in text
    assert beside["rows before cleaning"].ours == 8 / 1e6
    assert beside["share of visited information sets kept"].ours == 7 / 10
    visited = beside["information sets visited, with and without a row"]
    assert (visited.published, visited.ours) == (5.53, 10 / 1e6)
    points = tuple(replace(point, visited=6_000_000) for point in changed.training.points)
    many = replace(changed, training=replace(changed.training, points=points))
    assert "we visited more than the author's" in said(many, "cleaning")


def test_noise_of_the_published_results(found: Found) -> None:
    """Deviations 3 and 30: standard errors 0.0095 and 0.095 beside +0.06 and +0.09."""
    changed = with_table(found, {}, deviations={"CFRv1": 3.0, "CFRv2": 30.0})
    text = said(changed, "What differs")
    assert "(standard error 0.00949 over 100,000 hands), and its published +0.06 lies outs" in text
    assert "(standard error 0.0949 over 100,000 hands), and its published +0.09 lies withi" in text


@pytest.mark.parametrize(
    ("longest", "words"),
    [(0.2, "is met here, the longest decision took 200 ms"), (40.0, "is missed")],
)
def test_the_aim_of_35_seconds(found: Found, longest: float, words: str) -> None:
    times = {name: replace(each, longest=longest) for name, each in found.table.times.items()}
    assert words in said(with_table(found, {}, times=times), "Response times")


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (Estimate.with_margin(-0.2, 0.7), "none reaches beyond 0.9 small blinds per hand"),
        (WON, "differ significantly against Fish (+2.00 ± 0.50), in 2 comparisons"),
        (UNKNOWN, "too few hands"),
    ],
)
def test_the_csv_file_is_judged_by_intervals(
    found: Found, difference: Estimate, words: str
) -> None:
    matches = {"Fish": Found(from_file=WON, from_csv=WON, difference=difference)}
    csv = replace(found.csv, matches=matches, against_itself=OPEN, largest_difference=0.0078)
    changed = replace(found, csv=csv)
    text = said(changed, "CSV file")
    assert words in text
    assert "No row differs by more than 0.0078" in text
    assert "the bot of the CSV file won +0.10 ± 0.50 small blinds per hand against the bot" in text
    assert all(rows(changed, "CSV file")["Fish"])
    both = replace(found, csv=replace(csv, against_itself=LOST))
    assert "head to head (-2.00 ± 0.50)" in said(both, "CSV file")


def with_streets(found: Found, speeds: dict[int, tuple[float, float]]) -> Found:
    """Give speeds of both schemes by the number of streets."""
    given = tuple(
        Found(
            streets=streets,
            decisions=196,
            chance=chance,
            external=external,
            suitless_infosets=1,
            suitless_bytes=24_160_000_000,
        )
        for streets, (chance, external) in speeds.items()
    )
    return replace(found, streets=Found(rows=given, seconds=1.0))


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ((8.0, 12.5), "The claim holds here: every step lies in that range."),
        ((10.0, 20.0), "in part: only the step to 3 streets lies in that range."),
        ((5.0, 20.0), "no step lies in that range, but their mean does"),
        ((20.0, 20.0), "no step lies in that range, and their mean is above it."),
        ((2.0, 3.0), "no step lies in that range, and their mean is below it."),
    ],
)
def test_the_tenfold_claim(found: Found, steps: tuple[float, float], words: str) -> None:
    third, fourth = 10_000.0 / steps[0], 10_000.0 / steps[0] / steps[1]
    changed = with_streets(found, {2: (1e4, 1e4), 3: (third, 5e3), 4: (fourth, 5e3)})
    text = said(changed, "tenfold")
    assert words in text
    assert "count 7 to 14 times as" in text
    assert f"{steps[0]:g} times with 3 streets, {steps[1]:g} times with 4 streets; the geom" in text
    assert "card abstraction therefore changes with the streets" in text
    assert rows(changed, "tenfold")["4"][2] == f"{steps[1]:.1f}x"
    assert rows(changed, "tenfold")["2"][6] == "24.2 GB"
    factor = compared(changed, "tenfold")["slowdown per further street, chance sampling"]
    assert factor.ours == pytest.approx((steps[0] * steps[1]) ** 0.5)


def test_one_number_of_streets_claims_nothing(found: Found) -> None:
    kinds = [type(part) for part in section(with_streets(found, {2: (1e4, 1e4)}), "tenf").parts]
    assert kinds == [Table]


@pytest.mark.parametrize(
    ("external", "words"),
    [(5_000.0, "slows down less"), (100.0, "about as much"), (1.0, "slows down more")],
)
def test_external_sampling_by_streets(found: Found, external: float, words: str) -> None:
    changed = with_streets(found, {2: (10_000.0, 10_000.0), 4: (100.0, external)})
    assert words in said(changed, "tenfold")


@pytest.mark.parametrize("suits", [WON, OPEN, LOST])
def test_ideas_are_judged_by_intervals(found: Found, suits: Estimate) -> None:
    base = found.ideas["base"]
    won = {"turn": WON, "suits": suits, "raises": LOST}
    others = {
        name: replace(base, buckets=(169, 900), won={"base": each, **base.won})
        for name, each in won.items()
    }
    changed = replace(found, ideas=Found(base=base, **others))
    text = said(changed, "future work")
    raises = DATA.variants["raises"].title
    assert 'one training each of the same time, better: "to the turn"' in text
    assert ('; inconclusive: "suits, coarser ranks".' in text) == (suits is OPEN)
    assert (f'; worse: "suits, coarser ranks" and "{raises}"' in text) == (suits is LOST)
    assert f'"{raises}"' in text
    assert ("If suits help little here, a reason may be" in text) == (suits is OPEN)
    assert ("A possible reason why suits do not help" in text) == (suits is LOST)
    infosets = base.trained.infosets
    assert f"900 buckets on the flop ({infosets} infosets) against 5 ({infosets})" in text
    assert rows(changed, "future work")["to the turn"][2] == "169 / 900"
    assert rows(changed, "future work", 2)["to the turn"][0] == "+2.00 ± 0.50"
    assert rows(changed, "future work", 2)["as published"][0] == ""


def test_every_picture_has_a_caption(found: Found) -> None:
    sections = find_reproduction("cardiff").sections(found, "tiny", 2026)
    pictures = [picture for each in sections for picture in parts(each, Picture)]
    assert len({picture.caption for picture in pictures}) == len(pictures) == 10


def test_pairs_with_another_winner_are_explained_by_what_turns_them(found: Found) -> None:
    """Table 2: CFRv2 lost 1.75 to Monte-Carlo, and won 2.13 from CFRv1."""
    changed = DATA.changed
    tried = {name: dict.fromkeys(each, OPEN) for name, each in found.reversed.won.items()}
    tried["CFRv2 v Monte-Carlo"] = {changed.order: LOST, changed.samples: WON}
    won = {"Monte-Carlo": {"CFRv1": OPEN, "CFRv2": WON}, "CFRv1": {"CFRv2": LOST}}
    engine = replace(found.engine, won=won)
    table = replace(found.table, seats=dict.fromkeys(found.table.seats, (OPEN, OPEN)))
    given = {("CFRv2", "Monte-Carlo"): WON, ("CFRv2", "CFRv1"): LOST}
    told = with_table(replace(found, reversed=Found(won=tried), engine=engine, table=table), given)
    text = said(told, "another winner")
    assert (
        f"CFRv2 v Monte-Carlo: the published winner wins where {changed.order}, and where "
        f"{changed.engine}." in text
    )
    assert f"CFRv2 v CFRv1: the published winner wins where {changed.engine}." in text
    assert (
        "CFRv1 v Monte-Carlo: under none of these conditions does the published winner win sig"
        in text
    )
    cells = rows(told, "another winner")
    assert cells["published"] == ("-2.75", "-1.75", "+2.13")
    assert cells[changed.engine][1:] == ("-2.00 ± 0.50", "+2.00 ± 0.50")
    assert cells[changed.samples][2] == ""
