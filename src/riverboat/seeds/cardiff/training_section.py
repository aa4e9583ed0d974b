"""What the training showed: sections with figures 17 and 18."""

from riverboat.report import Part, Picture, Section, Table, Text, duration, number
from riverboat.seeds._reproduction import Reproduction
from riverboat.seeds.cardiff.convergence import Convergence
from riverboat.seeds.cardiff.data import data
from riverboat.seeds.cardiff.pictures import Panel, draw_panels

__all__ = ["training_section"]


def training_section(run: Reproduction, found: Convergence) -> Section:
    """Show the small blind's value and the exploitability bound over iterations and time."""
    _draw(run, found)
    parts: list[Part] = [
        Text(
            "The author prints the mean of what the updating player won, over both seats, and "
            "takes a number near 0 for convergence. That mean tends to 0 for any strategy, "
            "because what one seat wins the other loses. We print what one seat wins, here the "
            "small blind, when both play the average strategy. It becomes the value of the game "
            "as the strategy converges. How far it is from that, exploitability tells: what a "
            "response trained against it wins is a lower bound. Both are taken on fresh deals, "
            "and the intervals are of these deals only."
        ),
        _author_table(found),
        Text(_judged(found)),
        Picture(
            "training-iterations.png",
            "As figure 17: value for the small blind under the average strategy, and a lower "
            "bound on exploitability, over iterations. Bands are 95 % intervals.",
        ),
        Picture(
            "training-time.png",
            "As figure 18: the same over the time of training. The author needed 11 hours for "
            "10 million iterations.",
        ),
        _table(found),
    ]
    return Section("Training: value and exploitability", tuple(parts))


def _author_table(found: Convergence) -> Table:
    published = data().published["game_value"]
    rows = (
        ("published", f"{published.value} ({published.where})", "-"),
        ("ours, trained", found.both_seats.text(3), found.last.value.text(3)),
        ("ours, uniform play", found.uniform_both_seats.text(3), found.uniform_value.text(3)),
    )
    columns = ("", "mean over both seats (the author's figure)", "small blind alone")
    return Table("Two figures, chips a hand, 95 % intervals", columns, rows)


def _author_test(found: Convergence) -> str:
    """Say what the author's figure tells of play that nobody has trained."""
    if found.uniform_both_seats.sign:
        return (
            "The mean over both seats of uniform play misses 0 here, though it is 0 in "
            "expectation: one 95 % interval in 20 does. "
        )
    if found.uniform_value.sign == 0:
        return "On so few deals uniform play does not yet show what the mean over seats hides. "
    return (
        "Uniform play, which nobody has trained, passes the author's test as well: its mean over "
        "both seats cannot be told from 0, while its small blind clearly does not break even. "
    )


def _judged(found: Convergence) -> str:
    start, end = found.points[0].bound, found.last.bound
    if end.mean + end.margin < start.mean - start.margin:
        second = (
            f"The bound on exploitability does fall, from {number(start.mean)} to "
            f"{number(end.mean)} chips a hand ({number(end.mean * 100)} thousandths of a big "
            "blind)."
        )
    else:
        second = (
            "The bound on exploitability has not clearly fallen between the first and the last "
            "point of this run."
        )
    return _author_test(found) + second


def _draw(run: Reproduction, found: Convergence) -> None:
    over: dict[str, tuple[str, list[float]]] = {
        "training-iterations.png": ("iterations", [p.iterations for p in found.points]),
        "training-time.png": ("seconds of training", [p.seconds for p in found.points]),
    }
    for file, (label, x) in over.items():
        value = Panel(
            "Small blind, both play the average strategy",
            label,
            "chips a hand",
            x,
            [point.value.mean for point in found.points],
            [point.value.margin for point in found.points],
        )
        bound = Panel(
            "Exploitability is at least",
            label,
            "chips a hand",
            x,
            [point.bound.mean for point in found.points],
            [point.bound.margin for point in found.points],
            log_y=True,
        )
        draw_panels(run.path(file), [value, bound])


def _table(found: Convergence) -> Table:
    rows = [
        (
            f"{point.iterations:,}",
            duration(point.seconds),
            point.value.text(),
            point.bound.text(),
            f"{point.visited:,}",
            f"{point.trained:,}",
        )
        for point in found.points
    ]
    columns = (
        "iterations",
        "training",
        "small blind, chips a hand",
        "exploitability at least, chips a hand",
        "infosets visited",
        "with a strategy",
    )
    return Table(f"On the way, of {found.infosets:,} infosets", columns, tuple(rows))
