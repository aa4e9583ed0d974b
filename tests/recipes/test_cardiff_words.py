"""What cardiff's report says of results: of made-up ones, as every case is needed."""

from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from riverboat.recipes import (
    Compared,
    Comparison,
    Picture,
    Table,
    Text,
    find_seed,
)
from riverboat.recipes.cardiff.ablations import Ablation, Ablations, ablations_section
from riverboat.recipes.cardiff.champion import Champion, champion_section
from riverboat.recipes.cardiff.cleaning import Cleaned, cleaning_section
from riverboat.recipes.cardiff.convergence import Convergence, Point
from riverboat.recipes.cardiff.csv_play import CsvMatch, CsvPlay, csv_section
from riverboat.recipes.cardiff.data import data
from riverboat.recipes.cardiff.engine import EngineTable, engine_section
from riverboat.recipes.cardiff.speed_section import speed_section
from riverboat.recipes.cardiff.streets import StreetSpeed, StreetSpeeds, streets_section
from riverboat.recipes.cardiff.summary import (
    differences_section,
    setting_section,
    summary_section,
)
from riverboat.recipes.cardiff.table import Cell, SevenTable, Times, table_section
from riverboat.recipes.cardiff.training_section import training_section
from riverboat.recipes.report import Section
from riverboat.recipes.run import Run
from riverboat.recipes.work import Trained, Won


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
        found = import_module(f"riverboat.recipes.cardiff.{module}")
        monkeypatch.setattr(found, name, lambda *_, **__: None)


def a_run(folder: Path) -> Run:
    return Run("cardiff", folder, find_seed("cardiff").steps)


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


def seven(monte_carlo: Won) -> SevenTable:
    cells = [Cell(i, j, OPEN) for i in range(7) for j in range(7) if i != j]
    kept = [cell for cell in cells if (cell.row, cell.column) != (6, 4)]
    times = (Times("Fish", 10, 1e-6, 1e-6, 0.2),)
    deviations = (3.0, 30.0)
    return SevenTable(100, (*kept, Cell(6, 4, monte_carlo)), times, 1.0, 100.0, 0, deviations)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("won", "said"),
    [(WON, "CFRv2 beats"), (LOST, "CFRv2 loses to"), (OPEN, "CFRv2 cannot be told from")],
)
def test_table_is_judged_by_intervals(tmp_path: Path, won: Won, said: str) -> None:
    section = table_section(a_run(tmp_path), seven(won))
    assert f"{said} Monte-Carlo ({won.text()})" in texts(section)
    assert "+68.65" in texts(section)


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
    for effort, iterations, hands in (("full", "10,000,000", "100,000"), ("quick", "300,000", "2")):
        run = Run("cardiff", tmp_path, find_seed("cardiff").steps, effort, workers=3)  # type: ignore[arg-type]
        rows = {row[0]: row[2] for row in tables_of(setting_section(run))[0].rows}
        assert f"{iterations} iterations, threads: 3" in rows["algorithm"]
        assert f"over {hands}" in rows["scored by"]
        assert "cap 3 each" in rows["actions"]


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


@pytest.mark.usefixtures("undrawn")
def test_cleaning_says_what_is_counted(tmp_path: Path) -> None:
    found = trained((WON, OPEN), LOST, OPEN)
    said = texts(cleaning_section(a_run(tmp_path), found, CLEANED))
    # The whole menu: 14 decisions before the flop and 182 on it (test_recipe_is_the_thesis).
    assert "169 and 76,895 hands by street at 14 and 182 decisions" in said
    assert "10 are visited, fewer than the author's 5.53 million" in said
    assert "8 have an average strategy" in said


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


@pytest.mark.parametrize(
    ("slow", "said"),
    [(100.0, "The claim holds: 10 times"), (1.0, "more than tenfold"), (2500.0, "less than")],
)
def test_tenfold_claim(slow: float, said: str) -> None:
    rows = (
        StreetSpeed(2, 196, 10_000.0, 10_000.0, 1, 1),
        StreetSpeed(4, 33_320, slow, 5_000.0, 1, 1),
    )
    assert said in texts(streets_section(StreetSpeeds(rows, 1.0)))


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


def test_engine_missing_is_said() -> None:
    said = texts(engine_section(EngineTable("PyPokerEngine is not installed: pip install it")))
    assert "was not played. PyPokerEngine is not installed" in said
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
@pytest.mark.parametrize("suits", [WON, OPEN])
def test_future_work_is_judged_by_intervals(tmp_path: Path, suits: Won) -> None:
    said = texts(ablations_section(a_run(tmp_path), ablations(suits)))
    assert 'Better: "turn"' in said
    assert ('Not told apart on these hands: "suits".' in said) == (suits is OPEN)
    assert 'Worse: "raises".' in said
    assert ("A possible reason" in said) == (suits is OPEN)
    assert "900 buckets on the flop (50 infosets) against 900 (50)" in said
    assert "169 / 900" in said


def test_cleaned_round_trip() -> None:
    """Steps are kept as JSON: a struct of each kind comes back the same."""
    assert msgspec.json.decode(msgspec.json.encode(CLEANED), type=Cleaned) == CLEANED
