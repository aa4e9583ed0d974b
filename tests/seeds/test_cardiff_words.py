"""What cardiff's report says of results: of made-up ones, as every case is needed."""

from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from riverboat.errors import ArenaError
from riverboat.protocols.pypokerengine._table import need_engine
from riverboat.report._report import Section
from riverboat.seeds import (
    Compared,
    Comparison,
    Picture,
    Table,
    Text,
    find_seed,
)
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._work import Trained, Won
from riverboat.seeds.cardiff.ablations import Ablation, Ablations, ablations_section
from riverboat.seeds.cardiff.champion import Champion, champion_section
from riverboat.seeds.cardiff.cleaning import Cleaned, cleaning_section
from riverboat.seeds.cardiff.convergence import Convergence, Point
from riverboat.seeds.cardiff.csv_play import CsvMatch, CsvPlay, csv_section
from riverboat.seeds.cardiff.data import data
from riverboat.seeds.cardiff.engine import EngineTable, engine_section
from riverboat.seeds.cardiff.pairs import Cell, count_pairs
from riverboat.seeds.cardiff.setting import setting_section
from riverboat.seeds.cardiff.speed_section import speed_section
from riverboat.seeds.cardiff.streets import StreetSpeed, StreetSpeeds, streets_section
from riverboat.seeds.cardiff.summary import differences_section, summary_section
from riverboat.seeds.cardiff.table import SevenTable, Times, table_section
from riverboat.seeds.cardiff.training_section import training_section


def texts(section: Section) -> str:
    """All that a section says in words and cells."""
    found = []
    for part in section.parts:
        match part:
            case Text(text):
                found.append(text)
            case Table(caption, columns, rows):
                found += [caption, *columns, *(cell for row in rows for cell in row)]
            case Comparison(caption, compared):
                found += [caption, *(f"{row.what} {row.note}" for row in compared)]
            case Picture(_, caption):
                found.append(caption)
    return "\n".join(found)


WON, LOST, OPEN = Won(2.0, 0.5, 100), Won(-2.0, 0.5, 100), Won(0.1, 0.5, 100)


NAMES = tuple(seat.title for seat in data().bots)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave pictures out: what is said of many cases needs none. `test_pictures` draws them."""
    drawn = {
        "champion": "draw_bars",
        "ablations": "draw_bars",
        "cleaning": "draw_bars",
        "table": "draw_pairs",
        "training_section": "draw_panels",
    }
    for module, name in drawn.items():
        found = import_module(f"riverboat.seeds.cardiff.{module}")
        monkeypatch.setattr(found, name, lambda *_, **__: None)


def a_run(folder: Path) -> Reproduction:
    return Reproduction("cardiff", folder, find_seed("cardiff").steps)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("won", "said"),
    [
        ((WON,) * 7, "It beats all 7, Monte-Carlo with 10,000 run-outs included."),
        ((*(WON,) * 4, LOST, OPEN, WON), "It loses to Monte-Carlo."),
        ((*(WON,) * 4, LOST, OPEN, WON), "Against CFRv1 the interval holds zero"),
    ],
)
def test_champion_is_judged_by_intervals(tmp_path: Path, won: tuple[Won, ...], said: str) -> None:
    section = champion_section(a_run(tmp_path), Champion(NAMES, won))
    assert said in texts(section)


def seven(monte_carlo: Won, first: Won = OPEN) -> SevenTable:
    """A made-up table; CFRv2 against Monte-Carlo and against CFRv1 as given."""
    given = {(6, 4): monte_carlo, (6, 5): first}
    cells = tuple(Cell(i, j, given.get((i, j), OPEN)) for i in range(7) for j in range(7) if i != j)
    times = (Times("Fish", 10, 1e-6, 1e-6, 0.2),)
    return SevenTable(100, cells, times, 1.0, 100.0, 0, (3.0, 30.0))


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("won", "said"),
    [(WON, "CFRv2 beats"), (LOST, "CFRv2 loses to"), (OPEN, "CFRv2 cannot be told from")],
)
def test_table_is_judged_by_intervals(tmp_path: Path, won: Won, said: str) -> None:
    section = table_section(a_run(tmp_path), seven(won))
    assert f"{said} Monte-Carlo ({won.text()})" in texts(section)
    assert "+68.65" in texts(section)
    assert "With the 10,000,000 iterations of this run CFRv1" in texts(section)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("won", "said", "helped"),
    [
        (WON, "CFRv2 beats", "here they help, too"),
        (LOST, "CFRv2 loses to", "here they do not"),
        (OPEN, "CFRv2 cannot be told from", "here it is not clear that they do"),
    ],
)
def test_more_simulations_are_judged_by_the_interval(
    tmp_path: Path, won: Won, said: str, helped: str
) -> None:
    found = texts(table_section(a_run(tmp_path), seven(OPEN, won)))
    # Table 2: CFRv2 won 2.13 from CFRv1.
    assert f"{said} CFRv1 ({won.text()}); in the thesis it won +2.13" in found
    assert f"helped there: {helped}." in found


def test_pairs_that_can_be_compared() -> None:
    """Of Fish's row: Honest (+0.81), Monte-Carlo (-2.00) and both CFRs, not Random, Rule-based."""
    cells = [Cell(0, column, LOST) for column in range(1, 7)]
    alike, others = count_pairs([*cells, *(Cell(c.column, c.row, WON) for c in cells)])
    assert (alike.pairs, alike.clear, alike.same, alike.inside) == (4, 4, 3, 3)
    assert (others.pairs, others.clear, others.same, others.inside) == (2, 2, 1, 0)
    assert count_pairs([Cell(0, 1, OPEN)])[0].clear == 0


@pytest.mark.usefixtures("undrawn")
def test_sections_count_pairs_apart(tmp_path: Path) -> None:
    """Five of the seven can be compared: 10 pairs of 21."""
    cells = tuple(Cell(i, j, WON) for i in range(7) for j in range(i + 1, 7))
    engine = texts(engine_section(EngineTable("", 60, 1000, cells, 400.0)))
    for said in (texts(table_section(a_run(tmp_path), seven(OPEN))), engine):
        assert "Of the 10 pairs that can be compared" in said
        assert "the 11 pairs with Random or Rule-based, which cannot be compared" in said
    # Of table 2 +2.0 ± 0.5 holds +1.75 only; +0.81, +2.75 and +1.75 have its winner.
    assert "within our interval in 1. 10 of these pairs are clear on these hands, and 3" in engine


def point(iterations: int, bound: Won) -> Point:
    return Point(iterations, iterations / 1000, OPEN, bound, 10, 8)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("bounds", "said"),
    [((WON, OPEN), "does fall"), ((OPEN, WON), "has not clearly fallen")],
)
def test_training_is_judged_by_intervals(
    tmp_path: Path, bounds: tuple[Won, Won], said: str
) -> None:
    section = training_section(a_run(tmp_path), trained(bounds, LOST, OPEN))
    assert said in texts(section)
    assert "passes the author's test as well" in texts(section)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("value", "both", "said"),
    [
        (LOST, OPEN, "passes the author's test as well"),
        (OPEN, OPEN, "On so few deals"),
        (LOST, WON, "misses 0 here"),
    ],
)
def test_uniform_play_is_judged_by_intervals(
    tmp_path: Path, value: Won, both: Won, said: str
) -> None:
    found = texts(training_section(a_run(tmp_path), trained((WON, OPEN), value, both)))
    cases = ("passes the author's test", "On so few deals", "misses 0 here")
    assert said in found
    assert sum(case in found for case in cases) == 1


def trained(bounds: tuple[Won, Won], value: Won, both: Won) -> Convergence:
    """A made-up training; `value` and `both` are of uniform play."""
    points = (point(1_000, bounds[0]), point(10_000, bounds[1]))
    return Convergence(points, 20, 1, 102_000_000, OPEN, value, both, "x", 1)


CLEANED = Cleaned(9_000, 8, 7, 6, 5, 4, 1.0, 1.0, 7, ("a",), ("b",), "c", "d")


def test_setting_is_the_run(tmp_path: Path) -> None:
    played = EngineTable("", 60, 1000, (), 400.0)
    for effort, iterations, hands in (("full", "10,000,000", "100,000"), ("quick", "300,000", "2")):
        run = Reproduction("cardiff", tmp_path, find_seed("cardiff").steps, effort, workers=3)  # type: ignore[arg-type]
        rows = {row[0]: row[2] for row in tables_of(setting_section(run, played))[0].rows}
        assert f"{iterations} iterations, threads: 3" in rows["algorithm"]
        assert f"over {hands}" in rows["scored by"]
        assert rows["actions"] == "the same (`min ; cap 3 each`)"
        assert rows["table"] == "the rules of poker; then PyPokerEngine over 60 hands a pair"


def test_setting_without_engine_or_with_another_menu(tmp_path: Path) -> None:
    run = Reproduction("cardiff", tmp_path, find_seed("cardiff").steps, "tiny")
    section = setting_section(run, EngineTable("PyPokerEngine is not installed"))
    rows = {row[0]: row[2] for row in tables_of(section)[0].rows}
    assert rows["table"] == "the rules of poker; not in PyPokerEngine, which is not installed"
    assert rows["actions"] == "fewer raises (`min ; cap 1`)"
    assert "`cap 3 each` allows three raises a player and street" in texts(section)


def compared_in(section: Section) -> list[Compared]:
    return [row for part in section.parts if isinstance(part, Comparison) for row in part.rows]


def tables_of(section: Section) -> list[Table]:
    return [part for part in section.parts if isinstance(part, Table)]


def test_summary_compares_what_can_be_compared(tmp_path: Path) -> None:
    champion = Champion(NAMES, (Won(1.0, -1.0, 2),) * 7)
    section = summary_section(
        a_run(tmp_path), trained((WON, OPEN), LOST, OPEN), CLEANED, seven(OPEN), champion
    )
    rows = {row.what: row for row in compared_in(section)}
    for what in ("memory of the process while it trains", "longest decision"):
        assert rows[what].published is None
    assert "8 GB" in rows["memory of the process while it trains"].note
    assert "35 s" in rows["longest decision"].note
    for what in ("CFRv2 v Random", "CFRv2 v Rule-based", "CSV file before cleaning"):
        assert rows[what].better == ""
    assert rows["CFRv2 v Fish"].better == "higher"
    assert rows["default bot v Monte-Carlo (published: CFRv2)"].margin is None
    assert rows["100,000 hands of a pair"].note.endswith("at the speed of 100")
    assert "trained 10,000 iterations only" in texts(section)
    assert (rows["CSV rows before cleaning"].published, rows["CSV rows before cleaning"].ours) == (
        5.53,  # figure 19
        8 / 1e6,
    )
    assert (rows["infosets visited"].published, rows["infosets visited"].ours) == (None, 10 / 1e6)
    memory = rows["memory of the process while it trains"]
    assert (memory.ours, memory.unit) == (102, "MB")  # as in the section on memory
    value = rows["value for the small blind under this average strategy, chips a hand"]
    assert value.note.startswith(
        "not the game's value: exploitability is at least 0.10 ± 0.50, and"
    )
    # From 1,000 to 10,000 iterations in 1 to 10 s: 9,000 in 9 s.
    assert "over the whole training: 10 s, threads:" in texts(section)
    assert "first 1,000 iterations it made 1,000 a second" in texts(section)


@pytest.mark.usefixtures("undrawn")
def test_cleaning_says_what_is_counted(tmp_path: Path) -> None:
    found = trained((WON, OPEN), LOST, OPEN)
    section = cleaning_section(a_run(tmp_path), found, CLEANED)
    said, rows = texts(section), {row.what: row for row in compared_in(section)}
    # The whole menu: 14 decisions before the flop and 182 on it (test_recipe_is_the_thesis).
    assert "169 and 76,895 hands by street at 14 and 182 decisions" in said
    assert "10 are visited. Of these 8 have an average strategy" in said
    assert "before cleaning, fewer than the author's 5.53 million" in said
    assert rows["rows before cleaning"].ours == 8 / 1e6
    assert rows["share of the rows that is kept"].ours == 7 / 8
    visited = rows["information sets visited, with and without a row"]
    assert (visited.published, visited.ours) == (None, 10 / 1e6)
    many = msgspec.structs.replace(CLEANED, before=6_000_000)
    assert "more than the author's" in texts(cleaning_section(a_run(tmp_path), found, many))


def test_noise_of_the_published_results() -> None:
    """Deviations 3 and 30: standard errors 0.0095 and 0.095 beside +0.06 and +0.09."""
    said = texts(differences_section(seven(OPEN)))
    assert "(standard error 0.00949 over 100,000 hands), and its published +0.06 lies outs" in said
    assert "(standard error 0.0949 over 100,000 hands), and its published +0.09 lies withi" in said


def test_speed_section_has_the_aim() -> None:
    said = texts(speed_section(trained((WON, OPEN), LOST, OPEN), seven(OPEN)))
    assert "102 MB" in said
    found = speed_section(trained((WON, OPEN), LOST, OPEN), seven(OPEN)).parts[0]
    assert isinstance(found, Text)
    assert "it is met, the longest of all took 200 ms" in found.text


def csv_play(difference: Won) -> CsvPlay:
    return CsvPlay((CsvMatch("Fish", WON, WON, difference),), OPEN, 50, 2, 0.0078)


def test_csv_is_judged_by_intervals() -> None:
    same = texts(csv_section(csv_play(Won(-0.2, 0.7, 100))))
    assert "none reaches beyond 0.9 small blinds a hand" in same
    assert "no row differs by more than 0.0078" in same
    assert "a difference was seen against Fish (+2.00" in texts(csv_section(csv_play(WON)))
    assert "too few hands" in texts(csv_section(csv_play(Won(0.0, -1.0, 2))))
    assert all(all(row) for row in tables_of(csv_section(csv_play(WON)))[0].rows)
    assert "the bot of the CSV file won +0.10 ± 0.50 small blinds a hand from the bot" in same


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ((8.0, 12.5), "The claim holds here: every step lies in that range."),
        ((10.0, 20.0), "in part: only the step to 3 streets lies in that range."),
        ((5.0, 20.0), "No step lies in that range, only their mean does"),
        ((20.0, 20.0), "no step lies in that range, and their mean is above it."),
        ((2.0, 3.0), "no step lies in that range, and their mean is below it."),
    ],
)
def test_tenfold_claim(steps: tuple[float, float], said: str) -> None:
    third, fourth = 10_000.0 / steps[0], 10_000.0 / steps[0] / steps[1]
    rows = (
        StreetSpeed(2, 196, 10_000.0, 10_000.0, 1, 456_000_000),
        StreetSpeed(3, 2_562, third, 5_000.0, 1, 24_160_000_000),
        StreetSpeed(4, 33_320, fourth, 5_000.0, 1, 1),
    )
    found = texts(streets_section(StreetSpeeds(rows, 1.0)))
    assert said in found
    assert "a street more makes an iteration 7 to 14 times slower" in found
    assert f"{steps[0]:g} times to 3 streets, {steps[1]:g} times to 4 streets; the geom" in found
    assert "the cards change with the streets" in found
    assert "456 MB" in found
    assert "24.2 GB" in found


@pytest.mark.parametrize(
    ("external", "said"),
    [(5_000.0, "slows down less"), (100.0, "about as much"), (1.0, "slows down more")],
)
def test_external_sampling_by_streets(external: float, said: str) -> None:
    rows = (
        StreetSpeed(2, 196, 10_000.0, 10_000.0, 1, 1),
        StreetSpeed(4, 33_320, 100.0, external, 1, 1),
    )
    assert said in texts(streets_section(StreetSpeeds(rows, 1.0)))


def test_engine_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("riverboat.protocols.pypokerengine._table.Dealer", None)
    with pytest.raises(ArenaError) as missing:
        need_engine()
    said = texts(engine_section(EngineTable(str(missing.value))))
    assert "was not played. PyPokerEngine is not installed: pip install 'riverboat[py" in said
    assert "in a checkout uv run --extra pypokerengine. Once" in said
    assert "`uv run --extra pypokerengine riverboat reproduce cardiff --resume`" in said
    assert said.endswith(".")
    cells = tuple(Cell(i, j, WON) for i in range(7) for j in range(i + 1, 7))
    played = texts(engine_section(EngineTable("", 60, 1000, cells, 400.0)))
    assert "+2.0 ± 0.5 (+68.65)" in played
    assert "400 hands a second" in played


def ablations(suits: Won) -> Ablations:
    training = Trained(100, 1.0, 100.0, 50, 25, 10**6, "x", 10**6, ())
    ideas = (("base", None), ("turn", WON), ("suits", suits), ("raises", LOST))
    rows = tuple(
        Ablation(
            name, name, "min", "suitless 2", "chance", (169, 900), training, 1, won, (WON, OPEN)
        )
        for name, won in ideas
    )
    return Ablations(2.0, 100, rows, 10**9)


@pytest.mark.slow
def test_pictures(tmp_path: Path) -> None:
    """Every picture that a report names is there."""
    run, found = a_run(tmp_path), trained((WON, OPEN), LOST, OPEN)
    sections = (
        training_section(run, found),
        cleaning_section(run, found, CLEANED),
        table_section(run, seven(OPEN)),
        champion_section(run, Champion(NAMES, (WON,) * 7)),
        ablations_section(run, ablations(OPEN)),
    )
    named = [part.file for s in sections for part in s.parts if isinstance(part, Picture)]
    assert len(named) == 7
    assert {path.name for path in tmp_path.glob("*.png")} == set(named)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("suits", [WON, OPEN, LOST])
def test_future_work_is_judged_by_intervals(tmp_path: Path, suits: Won) -> None:
    said = texts(ablations_section(a_run(tmp_path), ablations(suits)))
    assert 'one training each of the same time, better: "turn"' in said
    assert ('; not told apart on these hands: "suits";' in said) == (suits is OPEN)
    assert '"raises".' in said
    assert ('; worse: "suits", "raises".' in said) == (suits is LOST)
    assert ("If suits help little here, a reason may be" in said) == (suits is OPEN)
    assert ("A possible reason why suits do not help" in said) == (suits is LOST)
    assert "900 buckets on the flop (50 infosets) against 900 (50)" in said
    assert "169 / 900" in said


def test_cleaned_round_trip() -> None:
    """Steps are kept as JSON: a struct of each kind comes back the same."""
    assert msgspec.json.decode(msgspec.json.encode(CLEANED), type=Cleaned) == CLEANED
