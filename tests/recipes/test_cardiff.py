"""Cardiff reproduced: a tiny run from end to end, and what is said about results."""

import base64
import re
from pathlib import Path

import msgspec
import pytest

from riverboat.cards import HandStrength
from riverboat.recipes import (
    Compared,
    Comparison,
    Picture,
    Report,
    Standing,
    Table,
    Text,
    find_seed,
    reproduce,
)
from riverboat.recipes.cardiff import champion as champion_module
from riverboat.recipes.cardiff.ablations import Ablation, Ablations, ablations_section
from riverboat.recipes.cardiff.champion import Champion, champion_section
from riverboat.recipes.cardiff.cleaning import Cleaned
from riverboat.recipes.cardiff.convergence import Convergence, Point, train_and_measure
from riverboat.recipes.cardiff.csv_play import CsvMatch, CsvPlay, csv_section
from riverboat.recipes.cardiff.data import data, toy_game
from riverboat.recipes.cardiff.engine import EngineTable, engine_section
from riverboat.recipes.cardiff.streets import StreetSpeed, StreetSpeeds, streets_section
from riverboat.recipes.cardiff.table import Cell, SevenTable, table_section
from riverboat.recipes.cardiff.training_section import training_section
from riverboat.recipes.report import Section
from riverboat.recipes.run import Run
from riverboat.recipes.work import Trained, Won
from riverboat.training import load_recipe
from riverboat.tree import Tree

STEPS = ("training", "cleaning", "csv", "table", "champion", "engine", "streets", "future work")


@pytest.fixture(scope="module")
def made(tables: HandStrength, tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    """A tiny run; any bot stands for the shipped one."""
    assert tables is not None
    folder = tmp_path_factory.mktemp("cardiff") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(champion_module, "DEFAULT_BOT", "shark")
        return reproduce("cardiff", folder, effort="tiny", workers=1), folder


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


def test_whole_run(made: tuple[Report, Path]) -> None:
    report, folder = made
    assert find_seed("cardiff").steps == STEPS
    assert {path.stem for path in (folder / "steps").iterdir()} == set(STEPS)
    assert report.sections[0].title == "The setting"
    assert isinstance(report.sections[1].parts[0], Comparison)
    assert report.sections[-1].title == "What differs and why"
    assert len(report.sections) == 12


def test_report_files(made: tuple[Report, Path]) -> None:
    report, folder = made
    page = (folder / "report.html").read_text(encoding="utf-8")
    text = (folder / "report.md").read_text(encoding="utf-8")
    pictures = [p for s in report.sections for p in s.parts if isinstance(p, Picture)]
    assert len(pictures) == 7
    assert page.count("data:image/png;base64,") == 7
    assert not re.search(r'(src|href)="(?!data:)', page)
    inside = re.findall(r"base64,([^\"]+)", page)
    assert all(base64.b64decode(each)[1:4] == b"PNG" for each in inside)
    # Section 3.2, figures 19 and 20, table 2.
    for published in ("11 h", "5,534,187", "2,751,310", "200 MB", "-1.75", "+68.65", "0.025"):
        assert published in page
        assert published in text


def test_computed_values(made: tuple[Report, Path]) -> None:
    report, folder = made
    ours = {row.what: row for s in report.sections for row in rows_of(s)}
    assert (
        0
        < (ours["infosets after cleaning"].ours or 0)
        <= (ours["infosets before cleaning"].ours or 0)
    )
    assert (ours["iterations a second"].ours or 0) > 250
    assert (ours["longest decision, aim 35 s"].ours or 99) < 35
    exploitability = ours["exploitability at least, chips a hand"]
    assert exploitability.ours is not None
    assert abs(exploitability.ours) < 100
    rows = (folder / "cardiff-clean.csv").read_text(encoding="ascii").splitlines()
    assert rows[0] == "info_set,strategies"
    assert len(rows) - 1 == ours["infosets after cleaning"].ours
    assert not any('"[0.33,0.33,0.33]"' in row for row in rows)


def rows_of(section: Section) -> list[Compared]:
    return [row for part in section.parts if isinstance(part, Comparison) for row in part.rows]


def test_resumed_from_its_steps(made: tuple[Report, Path]) -> None:
    report, folder = made
    before = {path: path.stat().st_mtime_ns for path in (folder / "steps").iterdir()}
    again = reproduce("cardiff", folder, effort="tiny", workers=1, resume=True)
    assert {path: path.stat().st_mtime_ns for path in (folder / "steps").iterdir()} == before
    assert again.sections == report.sections


def test_training_goes_on(tables: HandStrength, tmp_path: Path) -> None:
    """A training that was stopped after a measurement does not measure it again."""
    assert tables is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("riverboat.recipes.cardiff.convergence._WORTH_SAVING", 0.0)
        told: list[str] = []

        def stop(standing: Standing) -> None:
            told.append(standing.text)
            if told.count("measures at 2,000 iterations") == 1:
                raise KeyboardInterrupt

        run = Run("cardiff", tmp_path, STEPS, "tiny", workers=1, listener=stop)
        with pytest.raises(KeyboardInterrupt):
            train_and_measure(run)
        assert (tmp_path / "cardiff.checkpoint").exists()
        run.listener = lambda standing: told.append(standing.text)
        told.clear()
        found = train_and_measure(run)
    assert "measures at 300 iterations" not in told
    assert [point.iterations for point in found.points] == [300, 2_000]
    assert not (tmp_path / "cardiff.checkpoint").exists()


def test_recipe_is_the_thesis() -> None:
    found = data()
    table = found.table2.rows
    assert all(table[i][j] == -table[j][i] for i in range(7) for j in range(7))
    assert table[6] == (1.56, 0.81, 11.51, 0.09, -1.75, 2.13, 0.0)  # table 2, CFRv2
    assert found.amounts["full"].iterations[-1] == 10_000_000
    assert found.amounts["full"].table_hands == 100_000
    assert load_recipe("cardiff").spec() == toy_game(2)
    assert Tree(toy_game(2), found.amounts["full"].menu).num_decisions == (14, 182)
    assert [variant.recipe("min").spec().players for variant in found.variants] == [2] * 7


WON, LOST, OPEN = Won(2.0, 0.5, 100), Won(-2.0, 0.5, 100), Won(0.1, 0.5, 100)
NAMES = tuple(seat.title for seat in data().bots)


def a_run(folder: Path) -> Run:
    return Run("cardiff", folder, STEPS)


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
    assert (tmp_path / "champion.png").exists()


def seven(monte_carlo: Won) -> SevenTable:
    cells = [Cell(i, j, OPEN) for i in range(7) for j in range(7) if i != j]
    kept = [cell for cell in cells if (cell.row, cell.column) != (6, 4)]
    return SevenTable(100, (*kept, Cell(6, 4, monte_carlo)), (), 1.0, 100.0, 0)


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


@pytest.mark.parametrize(
    ("bounds", "said"),
    [((WON, OPEN), "does fall"), ((OPEN, WON), "has not clearly fallen")],
)
def test_training_is_judged_by_intervals(
    tmp_path: Path, bounds: tuple[Won, Won], said: str
) -> None:
    points = (point(1_000, bounds[0]), point(10_000, bounds[1]))
    found = Convergence(points, 20, 1, 1, 1, OPEN, LOST, OPEN, "x", 1)
    section = training_section(a_run(tmp_path), found)
    assert said in texts(section)
    assert "passes the author's test as well" in texts(section)
    blurred = Convergence(points, 20, 1, 1, 1, OPEN, OPEN, OPEN, "x", 1)
    assert "passes the author's test" not in texts(training_section(a_run(tmp_path), blurred))


def test_csv_is_judged_by_intervals() -> None:
    same = CsvPlay((CsvMatch("Fish", WON, Won(2.3, 0.5, 100)),), OPEN)
    other = CsvPlay((CsvMatch("Fish", WON, LOST),), OPEN)
    assert "cannot be told apart" in texts(csv_section(same))
    assert "They differ" in texts(csv_section(other))


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


def test_engine_missing_is_said() -> None:
    said = texts(engine_section(EngineTable("PyPokerEngine is not installed: pip install it")))
    assert "was not played. PyPokerEngine is not installed" in said
    cells = tuple(Cell(i, j, WON) for i in range(7) for j in range(i + 1, 7))
    played = texts(engine_section(EngineTable("", 60, 1000, cells, 400.0)))
    assert "+2.0 ± 0.5 (+68.65)" in played
    assert "400 hands a second" in played


def test_future_work_is_judged_by_intervals(tmp_path: Path) -> None:
    trained = Trained(100, 1.0, 100.0, 50, 25, 10**6, "x", 10**6, ())
    ideas = (("base", None), ("turn", WON), ("suits", OPEN), ("raises", LOST))
    rows = tuple(Ablation(name, name, trained, 10**6, won, (WON, LOST)) for name, won in ideas)
    said = texts(ablations_section(a_run(tmp_path), Ablations(2.0, 100, rows, 10**9)))
    assert "Better than the published system at equal time: turn." in said
    assert "Not told apart from it on these hands: suits." in said
    assert "Worse at equal time: raises." in said
    assert "a flush draw never gets there" in said


def test_cleaned_round_trip() -> None:
    """Steps are kept as JSON: a struct of each kind comes back the same."""
    cleaned = Cleaned(9, 8, 7, 6, 5, 4, 1.0, 1.0, 7, ("a",), ("b",), "c", "d")
    assert msgspec.json.decode(msgspec.json.encode(cleaned), type=Cleaned) == cleaned


def test_force_begins_again(tmp_path: Path) -> None:
    """A folder with an old run is cleared: its steps, too."""
    told: list[str] = []

    def stop(standing: Standing) -> None:
        told.append(standing.step)
        raise KeyboardInterrupt

    for force in (False, True):
        with pytest.raises(KeyboardInterrupt):
            reproduce("cardiff", tmp_path / "run", effort="tiny", force=force, listener=stop)
        (tmp_path / "run" / "steps" / "training.json").write_text("{}")
    assert told == ["training", "training"]
