"""Plots for reports in a common style: colours, curves with bands, bars."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec

from riverboat.files import atomic_path
from riverboat.statistics import Estimate

Palette = Literal["usual", "colour-blind"]
Rgb = tuple[int, int, int]

#: Okabe & Ito (2008).
COLOURS: Final = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000",
)  # fmt: skip
#: Upper limits of the first three bet colours, in shares of the pot; larger bets have the last.
_LIMITS: Final = (0.4, 0.8, 1.2)


class ActionColours(NamedTuple):
    """The colours of a palette."""

    fold: Rgb
    call: Rgb
    """Also of a check."""
    bets: tuple[Rgb, Rgb, Rgb, Rgb]
    """Up to 40 %, 80 % and 120 % of the pot, and larger."""
    all_in: Rgb
    other: Rgb
    """Discards and unknown actions."""


ACTION_COLOURS: Final[dict[Palette, ActionColours]] = {
    "usual": ActionColours(
        fold=(58, 134, 224),
        call=(60, 176, 92),
        bets=((247, 197, 60), (240, 140, 40), (222, 62, 52), (146, 84, 190)),
        all_in=(240, 120, 190),
        other=(150, 150, 150),
    ),
    "colour-blind": ActionColours(
        fold=(0, 114, 178),
        call=(0, 158, 115),
        bets=((240, 228, 66), (230, 159, 0), (213, 94, 0), (204, 121, 167)),
        all_in=(86, 180, 233),
        other=(150, 150, 150),
    ),
}


def action_colour(kind: str, pot_share: float = 0.0, palette: Palette = "usual") -> Rgb:
    """Return the colour of an action.

    Parameters
    ----------
    kind
        `fold`, `check`, `call`, `bet` (also for raises) or anything else.
    pot_share
        Size of a bet relative to the pot; infinite for all-in.
    palette
        `usual` or `colour-blind`.

    Examples
    --------
    >>> action_colour("fold"), action_colour("bet", 0.5), action_colour("bet", float("inf"))
    ((58, 134, 224), (240, 140, 40), (240, 120, 190))
    """
    colours = ACTION_COLOURS[palette]
    if kind == "bet" and math.isinf(pot_share):
        return colours.all_in
    if kind == "bet":
        return colours.bets[sum(pot_share > limit for limit in _LIMITS)]
    return {"fold": colours.fold, "check": colours.call, "call": colours.call}.get(
        kind, colours.other
    )


def hex_colour(colour: Rgb) -> str:
    """Write a colour in hexadecimal, for web pages and plots.

    Examples
    --------
    >>> hex_colour((58, 134, 224))
    '#3a86e0'
    """
    return "#{:02x}{:02x}{:02x}".format(*colour)


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve, with a band if `lows` and `highs` are given."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    lows: Sequence[float] = ()
    highs: Sequence[float] = ()
    dashed: bool = False

    @classmethod
    def of(cls, label: str, x: Sequence[float], estimates: Iterable[Estimate]) -> "Curve":
        """Build a curve from estimates: means, with 95 % confidence intervals as band."""
        means, margins = heights(estimates)
        pairs = list(zip(means, margins, strict=True))
        return cls(label, x, means, [m - d for m, d in pairs], [m + d for m, d in pairs])


def heights(estimates: Iterable[Estimate]) -> tuple[list[float], list[float]]:
    """Return means and 95 % margins; an unknown margin becomes 0.

    Examples
    --------
    >>> heights([Estimate.exact(3.0), Estimate(2.0, None)])
    ([3.0, 2.0], [0.0, 0.0])
    """
    pairs = [(one.mean, one.margin if one.known else 0.0) for one in estimates]
    return [mean for mean, _ in pairs], [margin for _, margin in pairs]


class Axes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Title and axis labels of a plot, and which axes are logarithmic."""

    title: str = ""
    x: str = ""
    y: str = ""
    x_log: bool = False
    y_log: bool = False

    def filled(self, **facts: object) -> "Axes":
        """Return a copy with the names in braces replaced by values.

        Examples
        --------
        >>> Axes("A deck of {cards} cards").filled(cards=12).title
        'A deck of 12 cards'
        """
        words = {name: getattr(self, name).format(**facts) for name in ("title", "x", "y")}
        return msgspec.structs.replace(self, **words)

    def write(self, axes: Any) -> None:
        """Set title, labels and scales of Matplotlib axes."""
        if self.x_log:
            axes.set_xscale("log")
            plain_ticks(axes.xaxis)
        if self.y_log:
            axes.set_yscale("log", nonpositive="clip")
            plain_ticks(axes.yaxis)
        axes.set_title(self.title, fontsize="medium")
        axes.set_xlabel(self.x)
        axes.set_ylabel(self.y)


def new_figure(width: float = 7.5, height: float = 4.2) -> tuple[Any, Any]:
    """Return a new figure with one set of axes; no window is opened.

    Examples
    --------
    >>> figure, axes = new_figure()
    >>> _ = axes.plot([1, 2], [3, 4])
    """
    figure, (axes,) = new_panels(1, 1, (width, height))
    return figure, axes


def new_panels(
    rows: int, columns: int, size: tuple[float, float], *, shared: bool = True
) -> tuple[Any, list[Any]]:
    """Return a new figure of panels, row by row; its size is in inches.

    Panels share their scales unless `shared` is false.

    Examples
    --------
    >>> figure, panels = new_panels(2, 3, (7.5, 4.2))
    >>> len(panels)
    6
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to import

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.subplots(rows, columns, sharex=shared, sharey=shared, squeeze=False)
    for axes in grid.flat:
        axes.grid(visible=True, alpha=0.3)
        axes.set_axisbelow(True)
    return figure, list(grid.flat)


def save_figure(figure: Any, path: Path, dpi: int = 110) -> None:
    """Write a figure atomically: as SVG or PDF if the file name ends so, else as PNG."""
    kind = path.suffix.lower()[1:]
    with atomic_path(path) as temporary:
        figure.savefig(temporary, format=kind if kind in ("svg", "pdf") else "png", dpi=dpi)


def plain_ticks(axis: Any) -> None:
    """Label a logarithmic axis of less than three decades with 20, 50, 100k, not 2 x 10^1."""
    from matplotlib import ticker  # noqa: PLC0415 - slow to import

    low, high = axis.get_view_interval()
    if high < 1_000 * low:
        ticks = (1.0, 2.0, 5.0) if high >= 10 * low else (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)
        axis.set_major_locator(ticker.LogLocator(subs=ticks))
        axis.set_major_formatter(ticker.FuncFormatter(_tick))
        axis.set_minor_formatter(ticker.NullFormatter())


def _tick(value: float, place: int | None = None) -> str:  # noqa: ARG001 - Matplotlib's signature
    """Write a number; in thousands from 10,000, in millions from 1,000,000."""
    if value >= 1e6:
        return f"{value / 1e6:,.10g}M"
    return f"{value / 1e3:.10g}k" if value >= 1e4 else f"{value:,.10g}"


def plot_curves(axes: Any, curves: Sequence[Curve], most_points: int = 40) -> None:
    """Plot curves in the common colours, with markers unless a curve has too many points."""
    for index, curve in enumerate(curves):
        colour = COLOURS[index % len(COLOURS)]
        marker = "o" if len(curve.x) <= most_points else None
        style = {"marker": marker, "markersize": 3, "color": colour, "label": curve.label}
        axes.plot(curve.x, curve.y, "--" if curve.dashed else "-", **style)
        if curve.lows:
            axes.fill_between(curve.x, curve.lows, curve.highs, color=colour, alpha=0.2, lw=0)


def draw_curves(
    path: Path, curves: Sequence[Curve], words: Axes, legend: str | tuple[float, float] = "best"
) -> None:
    """Draw curves to a file; if all x are whole numbers, so are the ticks.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "line.png"
    ...     draw_curves(path, [Curve("a", [1, 2], [3, 4])], Axes("a line", "x", "y"))
    ...     path.read_bytes()[1:4]
    b'PNG'
    """
    figure, axes = new_figure()
    plot_curves(axes, curves)
    if not words.x_log and all(isinstance(x, int) for curve in curves for x in curve.x):
        axes.xaxis.get_major_locator().set_params(integer=True)
    words.write(axes)
    if len(curves) > 1 or (curves and curves[0].label):
        axes.legend(fontsize="small", loc=legend)
    save_figure(figure, path)


def draw_estimates(
    path: Path, measured: Mapping[str, Estimate], words: Axes, *, points: bool = False
) -> None:
    """Draw labelled bars or points with 95 % confidence intervals, the first on top."""
    figure, axes = new_figure(height=1.2 + (0.36 if points else 0.32) * max(3, len(measured)))
    places = list(range(len(measured)))[::-1]
    means, margins = heights(measured.values())
    if points:
        axes.errorbar(means, places, xerr=margins, fmt="o", color=COLOURS[0], capsize=3)
        axes.set_ylim(-0.6, len(measured) - 0.4)
        axes.xaxis.set_major_formatter("{x:,.0f}")
    else:
        colours = [COLOURS[0] if mean >= 0 else COLOURS[5] for mean in means]
        error = margins if any(margins) else None  # exact numbers have no whiskers
        axes.barh(places, means, xerr=error, color=colours, capsize=3, height=0.65)
    axes.axvline(0, color="black", lw=0.8)
    axes.set_yticks(places, list(measured))
    words.write(axes)
    save_figure(figure, path)
