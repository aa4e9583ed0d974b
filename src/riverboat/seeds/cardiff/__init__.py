"""Cardiff: Monte-Carlo CFR to the flop, simulation after it (bachelor's thesis, 2025)."""

from collections.abc import Iterator

from riverboat.report import Section
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds._seed import Seed
from riverboat.seeds.cardiff.ablations import Ablations, ablations_section, try_variants
from riverboat.seeds.cardiff.champion import Champion, champion_section, play_champion
from riverboat.seeds.cardiff.cleaning import Cleaned, clean, cleaning_section
from riverboat.seeds.cardiff.convergence import Convergence, train_and_measure
from riverboat.seeds.cardiff.csv_play import CsvPlay, csv_section, play_from_csv
from riverboat.seeds.cardiff.engine import announce_engine, engine_section, engine_step
from riverboat.seeds.cardiff.setting import setting_section
from riverboat.seeds.cardiff.speed_section import speed_section
from riverboat.seeds.cardiff.streets import StreetSpeeds, measure_streets, streets_section
from riverboat.seeds.cardiff.summary import differences_section, summary_section
from riverboat.seeds.cardiff.table import SevenTable, play_table, table_section
from riverboat.seeds.cardiff.training_section import training_section

__all__ = ["SEED"]


def _sections(run: Reproduction) -> Iterator[Section]:
    announce_engine(run)
    trained = run.step("training", Convergence, lambda: train_and_measure(run))
    cleaned = run.step("cleaning", Cleaned, lambda: clean(run, trained.blueprint))
    played = run.step("csv", CsvPlay, lambda: play_from_csv(run, cleaned))
    table = run.step("table", SevenTable, lambda: play_table(run, cleaned.cleaned))
    champion = run.step("champion", Champion, lambda: play_champion(run, cleaned.cleaned))
    engine = engine_step(run)
    streets = run.step("streets", StreetSpeeds, lambda: measure_streets(run))
    ablations = run.step("future work", Ablations, lambda: try_variants(run))
    yield setting_section(run, engine)
    yield summary_section(run, trained, cleaned, table, champion)
    yield training_section(run, trained)
    yield cleaning_section(run, trained, cleaned)
    yield csv_section(played)
    yield table_section(run, table)
    yield speed_section(trained, table)
    yield engine_section(engine)
    yield champion_section(run, champion)
    yield streets_section(streets)
    yield ablations_section(run, ablations)
    yield differences_section(table)


#: `riverboat reproduce cardiff`.
SEED = Seed(
    name="cardiff",
    title="Cardiff: Monte-Carlo CFR to the flop, simulation after it",
    line="chance-sampled CFR on a two-street toy game, a CSV strategy, seven bots at a table",
    steps=(
        "training",
        "cleaning",
        "csv",
        "table",
        "champion",
        "engine",
        "streets",
        "future work",
    ),
    minutes=(10.0, 2.2),
    memory_bytes=2_500_000_000,
    sections=_sections,
)
