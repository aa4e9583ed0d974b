"""`riverboat charts`: preflop charts of a strategy by position, on screen or as a page to print."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from rich.console import RenderableType

from riverboat.cli._command import argument, option
from riverboat.cli._completion import decisions
from riverboat.cli._opened import opened
from riverboat.cli._options import AsPlayedOption, ColourBlindOption
from riverboat.cli._output import Answer, check_place, console, grid
from riverboat.errors import ReviewError
from riverboat.learn import CHART_FILES, Chart, ChartBook, push_fold_depth, write_charts
from riverboat.report import Palette, hedged, percent


def charts_command(
    strategies: Annotated[
        list[str],
        argument(
            "Strategy files or names such as default-20bb, push-fold-10bb.",
            metavar="file",
            complete=decisions,
        ),
    ],
    output: Annotated[
        list[Path] | None,
        option("Write an .html page, .csv table or .txt ranges; may be repeated."),
    ] = None,
    ante: Annotated[float, option("Ante of each player in big blinds (push-fold).", least=0)] = 0.0,
    least: Annotated[float, option("Minimum reach of a decision, % of hands.", least=0)] = 0.2,
    as_played: AsPlayedOption = None,
    matrix: Annotated[bool, option("Draw each chart as a 13x13 matrix.")] = False,
    colour_blind: ColourBlindOption = False,
) -> Answer:
    """Show preflop charts of a strategy: open, limp, 3-bet, 4-bet and defence.

    push-fold-10bb is the equilibrium of push or fold with 10 big blinds, solved exactly.
    """
    for path in output or []:
        check_place(path, "charts are", CHART_FILES)
    palette: Palette = "colour-blind" if colour_blind else "usual"
    if ante and not any(map(push_fold_depth, strategies)):
        raise ReviewError(f"--ante {ante:g} is for push or fold: name push-fold-10bb, for example")
    books = []
    for text in strategies:
        if (depth := push_fold_depth(text)) is not None:
            books.append(ChartBook.push_fold(text, depth, ante, palette))
            continue
        blueprint, threshold = opened(text, as_played)
        limits = {"least": least / 100, "threshold": threshold}
        books.append(ChartBook.of(blueprint, text, palette=palette, **limits))
    return Answer(
        {"strategies": [book.as_dict() for book in books]},
        *_parts(books, matrix),
        files=[(path, lambda path: write_charts(path, books)) for path in output or []],
    )


def _parts(books: list[ChartBook], matrix: bool) -> Iterator[RenderableType]:
    for book in books:
        yield f"{book.name}: {book.depth:g} big blinds, {book.shown}"
        if matrix:
            for chart in book.charts:
                after = f" after {chart.line}" if chart.line else ""
                yield f"\n{chart.title}{after}, in {percent(chart.share)} of hands"
                yield from chart.view.matrix(console)
        else:
            yield grid(["chart", "line", "share of hands", "strategy"], map(_row, book.charts), 4)
    if not matrix:
        yield "--matrix draws the charts; -o charts.html writes a page to print."


def _row(chart: Chart) -> list[str]:
    actions = [
        f"{chart.words(action)} {hedged(share)} %"
        for action, share in zip(chart.actions, chart.frequencies.tolist(), strict=True)
        if share > 0
    ]
    return [chart.title, chart.line or "-", percent(chart.share), ", ".join(actions)]
