from collections.abc import Iterator
from riverboat.recipes.report import Section, Text
from riverboat.recipes.run import Run
from riverboat.recipes.husky.speed import measure_speeds
from riverboat.recipes.husky.sweeps import play_sweeps, play_claim
from riverboat.recipes.husky.opponents import play_opponents
from riverboat.recipes.husky.training import train_both
from riverboat.recipes.husky.translation import play_translation
from riverboat.recipes.husky.killer import play_killer
from riverboat.recipes.husky.table import play_table
from riverboat.recipes.husky.seats import play_seats
def sections(run: Run) -> Iterator[Section]:
    measure_speeds(run); play_sweeps(run); play_claim(run); play_opponents(run)
    both = train_both(run)
    play_translation(run, both); play_killer(run); play_table(run, both); play_seats(run)
    yield Section("x", (Text("y"),))
