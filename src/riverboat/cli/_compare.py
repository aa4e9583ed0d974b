"""`riverboat compare`: how fast schemes converge on a small game."""

from functools import partial
from pathlib import Path
from typing import Annotated

from riverboat.cli._command import argument, option
from riverboat.cli._output import Answer, check_place, grid, status
from riverboat.cli._progress import counted_schemes
from riverboat.evaluate import check_comparison_path, compare

_SECONDS = 5.0


def compare_command(
    game: Annotated[
        str,
        argument("A small game of the catalogue: kuhn, leduc, kuhn3."),
    ],
    schemes: Annotated[
        str, option("Names with commas between (docs/solve.md), or of your own package.")
    ] = "cfr,cfr+,dcfr,external",
    seconds: Annotated[
        float | None, option("Of iterating, for each scheme; 5 if nothing is given.")
    ] = None,
    iterations: Annotated[int | None, option("Most iterations of each scheme.")] = None,
    seed: Annotated[int, option("Of all runs.")] = 1,
    marks: Annotated[int, option("Measurements while the number of iterations grows tenfold.")] = 8,
    output: Annotated[
        list[Path] | None,
        option("Write .png, .csv, .parquet or .json; may be repeated."),
    ] = None,
) -> Answer:
    """Run solvers on a small game and show how fast each becomes unexploitable.

    Ctrl-C ends it with what there is.
    """
    for path in output or []:
        check_comparison_path(path)
        check_place(path)
    if seconds is None and iterations is None:
        seconds = _SECONDS
    with counted_schemes() as progress:
        found = compare(
            game,
            schemes,
            seconds=seconds,
            iterations=iterations,
            seed=seed,
            marks=marks,
            progress=progress,
        )
    if not found.curves:
        raise KeyboardInterrupt
    if not found.finished:
        status.print("Stopped: this is what there is.")
    rows = []
    for curve in found.curves:
        last = curve.points[-1]
        numbers = (f"{last.iterations:,}", f"{last.seconds:.2f}", f"{last.exploitability:.3g}")
        rows.append((curve.scheme, *numbers))
    return Answer(
        found.as_dict(),
        f"{found.game}, seed {found.seed}: exploitability at the end",
        grid(["scheme", "iterations", "seconds", "chips/hand"], rows),
        files=[(path, partial(found.write, path)) for path in output or []],
    )
