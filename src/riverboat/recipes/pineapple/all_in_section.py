"""The report on all-in choices where the strategy was hardly trained."""

from riverboat.recipes.figures import Curve, draw_curves
from riverboat.recipes.pineapple.training import Training
from riverboat.recipes.pineapple.watch import Watching
from riverboat.recipes.pineapple.words import percent
from riverboat.recipes.report import Picture, Section, Table, Text
from riverboat.recipes.run import Run

__all__ = ["CLASSES", "all_in_section", "pooled"]

#: Least and greatest number of tenths of the training, and what such infosets are called.
CLASSES = (
    (0, 0, "never: untrained"),
    (1, 1, "one: barely trained"),
    (2, 3, "two or three"),
    (4, 6, "four to six"),
    (7, 9, "seven to nine"),
    (10, 10, "all ten"),
)


def pooled(rows: list[tuple[int, float, float]]) -> tuple[float, float]:
    """Pool (tenths, count, mean) rows: count and mean over all.

    Examples
    --------
    >>> pooled([(2, 10.0, 0.5), (3, 30.0, 0.1)])
    (40.0, 0.2)
    """
    count = sum(number for _, number, _ in rows)
    return count, sum(number * mean for _, number, mean in rows) / max(1.0, count)


def all_in_section(run: Run, training: Training, watching: Watching) -> Section:
    """All-in choices by how well infosets were trained."""
    _draw(run, training)
    columns = (
        "tenths of the training", "infosets", "all-in", "if uniform", "nearly uniform",
        "decisions in play", "all-in chosen",
    )  # fmt: skip
    rows = tuple(_line(training, watching, *each) for each in CLASSES)
    return Section(
        "All-in where barely trained",
        (
            Text(
                "The authors saw their bot go all-in where it had hardly been trained, and many "
                "infosets with nearly uniform probabilities. Infosets with all-in on the menu, by "
                "how many tenths of the training reached them:"
            ),
            Table("Probability of all-in", columns, rows),
            Picture(
                "all-in.png",
                "Mean probability of all-in over infosets, by tenths of the training that "
                "reached them; 0 = untrained, which is uniform play.",
            ),
            Text(_verdict(training)),
        ),
    )


def _line(
    training: Training, watching: Watching, low: int, high: int, name: str
) -> tuple[str, ...]:
    table = [row for row in training.all_in if low <= row.tenths <= high]
    count, all_in = pooled([(row.tenths, row.infosets, row.probability) for row in table])
    _, uniform = pooled([(row.tenths, row.infosets, row.uniform) for row in table])
    _, near = pooled([(row.tenths, row.infosets, row.near_uniform) for row in table])
    offers = [row for row in watching.last.offers if low <= row.tenths <= high]
    met, chosen = sum(row.decisions for row in offers), sum(row.chosen for row in offers)
    shares = [percent(each) if count else "-" for each in (all_in, uniform, near)]
    return (name, f"{count:,.0f}", *shares, f"{met:,}", percent(chosen / met) if met else "-")


def _draw(run: Run, training: Training) -> None:
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


def _verdict(training: Training) -> str:
    barely = [row for row in training.all_in if row.tenths == 1]
    well = [row for row in training.all_in if row.tenths >= 7]
    few, at_barely = pooled([(row.tenths, row.infosets, row.probability) for row in barely])
    many, at_well = pooled([(row.tenths, row.infosets, row.probability) for row in well])
    if not few or not many:
        return "This training is too short to tell barely trained infosets from well trained ones."
    found = (
        f"Barely trained infosets go all-in with {percent(at_barely)}, well trained ones (seven "
        f"tenths and more) with {percent(at_well)}."
    )
    if at_barely > at_well:
        return (
            f"{found} So it is as the authors saw: what is hardly trained is near uniform play, "
            "where all-in is one choice of three or four."
        )
    return f"{found} So it is not as the authors saw: training does not take all-ins away here."
