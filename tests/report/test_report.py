"""Reports as data, and what is written of them."""

from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from riverboat.report import (
    Axes,
    Compared,
    Comparison,
    Curve,
    Picture,
    Report,
    Section,
    Table,
    Text,
    draw_curves,
    draw_estimates,
    html_page,
    markdown,
    new_figure,
    new_panels,
    plain_ticks,
    print_report,
    write_report,
)
from riverboat.statistics import Estimate

PNG = b"\x89PNG\r\n\x1a\n"


def report_of(*parts: Text | Table | Comparison | Picture) -> Report:
    section = Section("Speed & size", parts)
    return Report(
        "cardiff", "reproduce", "Cardiff <1>", "quick", 7, 61.0, "2 cores", "0.1.0", (section,)
    )


@pytest.mark.parametrize(("others", "said"), [(None, False), (0.04, False), (0.38, True)])
def test_a_loaded_machine_is_named(others: float | None, said: bool) -> None:
    report = msgspec.structs.replace(report_of(), others=others)
    assert ("Other programs used 38 % of the machine's CPU time" in markdown(report)) is said


@pytest.mark.parametrize(
    ("published", "ours", "better", "ratio"),
    [
        (200.0, 100.0, "higher", 0.5),
        (200.0, 100.0, "lower", 2.0),
        (2.0, 1.0, "", None),  # neither way is better
        (-2.0, -1.0, "higher", None),  # half the loss is no ratio
        (None, 1.0, "higher", None),
        (1.0, None, "higher", None),
        (-1.75, 3.66, "higher", None),  # a sign that turned has no ratio
        (0.0, 3.0, "higher", None),
        (3.0, 0.0, "lower", None),
    ],
)
def test_a_ratio_above_one_is_better(
    published: float | None, ours: float | None, better: str, ratio: float | None
) -> None:
    row = msgspec.convert(
        {"what": "x", "published": published, "ours": ours, "better": better}, Compared
    )
    assert row.ratio == ratio


def test_rows_are_written_with_units_and_intervals() -> None:
    row = Compared("CFRv2 v Fish", 1.56, 1.47, "sb/h", margin=0.12, better="higher")
    times = Compared("training", 39_600.0, 38.0, "s", better="lower")
    text = markdown(report_of(Comparison("x", (row, times))))
    assert "| CFRv2 v Fish | 1.56 sb/h | 1.47 ± 0.12 sb/h | 0.942x |\n" in text
    assert "| training | 11 h | 38 s | 1,040x |\n" in text


def test_a_terminal_gets_all_parts() -> None:
    out = StringIO()
    parts = (Text("a `b`"), Table("T", ("bot", "x"), (("fish", "1"),)), Picture("a.png", "A plot"))
    print_report(report_of(*parts), Console(file=out, width=100, markup=False, highlight=False))
    shown = out.getvalue()
    assert all(
        words in shown for words in ("Cardiff <1>", "Speed & size", "a b\n", "[a.png] A plot")
    )
    assert "fish   1" in shown


def test_markdown_leaves_out_empty_columns_and_escapes_bars() -> None:
    rows = (Compared("a|b", 1.0, 2.0, better="higher"),)
    text = markdown(report_of(Comparison("Speeds", rows)))
    assert "|  | published | ours | ratio |\n" in text
    assert "| a\\|b | 1 | 2 | 2x |\n" in text


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    rows = (("game", "no-limit", "12"), ("cards", "169 classes, then words", "+3 ± 1"))
    text = markdown(report_of(Table("x", ("", "ours", "mbb/h"), (*rows, ("bets", "all", "")))))
    assert "|  | ours | mbb/h |\n| --- | --- | ---: |\n" in text
    notes = Table("y", ("", ""), (("a", "0.6 to 0.7 may be as good; by chips 0.5"), ("b", "")))
    assert "|  |  |\n| --- | --- |\n" in markdown(report_of(notes))


class Tags(HTMLParser):
    """Collects what a page refers to, and whether its elements are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.sources: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take what it refers to."""
        self.sources += [value or "" for name, value in attrs if name in {"src", "href"}]
        if tag not in {"meta", "img"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the element that was opened last."""
        assert self.open.pop() == tag


def test_a_page_needs_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    table = Table("Of <all>", ("bot", "sb/h"), (("`fish` & co", "1"),))
    page = html_page([report_of(Text("a `b` c"), table, Picture("a.png", "A plot"))], [tmp_path])
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert [source.partition(",")[0] for source in tags.sources] == ["data:image/png;base64"]
    assert "<code>fish</code> &amp; co" in page
    assert "Of &lt;all&gt;" in page


def test_long_texts_get_room_and_numbers_are_not_broken() -> None:
    rows = (
        ("a", "won", "a note that is long enough for two lines", "+3 ± 1"),
        ("b", "lost", "", ""),
    )
    page = html_page([report_of(Table("x", ("", "", "", ""), rows))], [Path()])
    kinds = ["text", "text", "text long", "number"]
    cells = [cell.replace(" ± ", "\xa0±\xa0") for cell in rows[0]]
    assert all(
        f'<td class="{kind}" data-column="">{cell}<' in page
        for kind, cell in zip(kinds, cells, strict=True)
    )


def test_numbers_of_the_first_column_are_named_on_a_narrow_screen() -> None:
    """There its heading is hidden, and a row would begin with a bare number."""
    page = html_page([report_of(Table("x", ("cores", "gain"), (("2", "10.5 %"),)))], [Path()])
    assert '<td class="number" data-column="cores">2<' in page
    assert 'td.number:first-child:not([data-column=""])::before' in page
    assert ">10.5\xa0%<" in page


def test_a_report_is_read_again_from_its_json(tmp_path: Path) -> None:
    report = report_of(Text("x"), Comparison("y", (Compared("z", None, 1.0),)))
    write_report(report, tmp_path)
    assert msgspec.json.decode((tmp_path / "report.json").read_bytes(), type=Report) == report
    assert (tmp_path / "report.md").read_text(encoding="utf-8") == markdown(report)
    assert {path.name for path in tmp_path.iterdir()} == {
        "report.json",
        "report.md",
        "report.html",
    }


def test_plots_are_pictures(tmp_path: Path) -> None:
    curve = Curve("a", [1, 10], [2, 3], [1, 2], [3, 4], dashed=True)
    words = Axes("t", "x", "y", x_log=True, y_log=True)
    draw_curves(tmp_path / "c.png", [curve, curve], words)
    won = {"a": Estimate.with_margin(1.0, 0.1), "b": Estimate.with_margin(-1.0, 0.2)}
    draw_estimates(tmp_path / "b.png", won, Axes("t", "x"))
    one = {"a": Estimate(1.0, None)}
    draw_estimates(tmp_path / "p.png", one, Axes("t", "x"), points=True)
    for name in ("c.png", "b.png", "p.png"):
        assert (tmp_path / name).read_bytes()[:8] == PNG


@pytest.mark.parametrize(("least", "plain"), [(2.0, True), (0.001, False)])
def test_short_logarithmic_axes_have_plain_numbers(least: float, plain: bool) -> None:
    figure, axes = new_figure()
    axes.plot([1, 2], [least, 30])
    axes.set_yscale("log")
    plain_ticks(axes.yaxis)
    figure.canvas.draw()
    labels = {label.get_text() for label in axes.get_yticklabels()}
    assert ({"2", "5", "10", "20"} <= labels) == plain
    assert any("10^" in label for label in labels) != plain


def test_panels_with_scales_of_their_own_and_large_ticks() -> None:
    figure, (left, right) = new_panels(1, 2, (9.0, 3.6), shared=False)
    left.plot([6_000, 3_000_000], [1, 2])
    right.plot([1, 2], [70, 80])
    left.set_xscale("log")
    plain_ticks(left.xaxis)
    figure.canvas.draw()
    labels = [label.get_text() for label in left.get_xticklabels()]
    assert {"10k", "200k", "1M", "2M"} <= set(labels)
    assert left.get_ylim()[1] < 3 < right.get_ylim()[0]
    right.set_yscale("log")
    right.set_ylim(0.7, 1.6)
    plain_ticks(right.yaxis)
    figure.canvas.draw()
    assert {"0.8", "1", "1.5"} <= {label.get_text() for label in right.get_yticklabels()}
