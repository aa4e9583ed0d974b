"""The report on all-in choices where the strategy was hardly trained."""

from riverboat.report import Curve, Picture, Section, Table, Text, draw_curves
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.pineapple.all_in_verdict import chosen, held, in_play, in_tables
from riverboat.seeds.pineapple.training import Training
from riverboat.seeds.pineapple.watch import Watching
from riverboat.seeds.pineapple.words import percent

__all__ = ["CLASSES", "all_in_section"]

#: Least and greatest number of tenths of the training, and what such infosets are called.
CLASSES = (
    (0, 0, "never: untrained"),
    (1, 1, "one: barely trained"),
    (2, 3, "two or three"),
    (4, 6, "four to six"),
    (7, 9, "seven to nine"),
    (10, 10, "all ten"),
)


def all_in_section(run: Reproduction, training: Training, watching: Watching) -> Section:
    """All-in choices by how well infosets were trained."""
    _draw(run, training)
    columns = (
        "tenths of the training", "infosets", "all-in", "if uniform", "nearly uniform",
        "decisions in play", "if uniform, in play", "all-in chosen, 95 % interval",
    )  # fmt: skip
    rows = tuple(_line(training, watching, *each) for each in CLASSES)
    return Section(
        "All-in where barely trained",
        (
            Text(
                "The authors saw their bot go all-in where it had hardly been trained, and many "
                "infosets with nearly uniform probabilities. Infosets with all-in on the menu, by "
                "how many tenths of the training reached them. The first four columns of numbers "
                "count every infoset once, the others those that were met in play:"
            ),
            Table("Probability of all-in", columns, rows),
            Picture(
                "all-in.png",
                "Mean probability of all-in over infosets, by tenths of the training that "
                "reached them; 0 = untrained, which is uniform play.",
            ),
            Text(in_tables(training)),
            Text(in_play(watching)),
        ),
    )


def _line(
    training: Training, watching: Watching, low: int, high: int, name: str
) -> tuple[str, ...]:
    table = held(training.all_in, (low, high))
    play = chosen(watching.last.offers, (low, high))
    shares = (table.probability, table.uniform, table.near_uniform)
    cells = (percent(each) if table.infosets else "-" for each in shares)
    return (
        name,
        f"{table.infosets:,}",
        *cells,
        f"{play.decisions:,}",
        play.uniform_text,
        play.text,
    )


def _draw(run: Reproduction, training: Training) -> None:
    rows = [row for row in training.all_in if row.infosets]
    x = [float(row.tenths) for row in rows]
    draw_curves(
        run.path("all-in.png"),
        [
            Curve("average strategy", x, [100 * row.probability for row in rows]),
            Curve("uniform play", x, [100 * row.uniform for row in rows], dashed=True),
        ],
        title="All-in by how well an infoset was trained",
        x_label="tenths of the training that reached it",
        y_label="mean probability of all-in, %",
    )
