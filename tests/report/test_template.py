"""From a template to parts: splitting, tables, figures, comparisons, what is refused."""

from types import SimpleNamespace

import pytest
from jinja2 import UndefinedError

from riverboat.errors import RiverboatError
from riverboat.report import Compared, Comparison, Picture, Section, Table, Text, fill_template
from riverboat.statistics import Estimate

WON = Estimate.with_margin(412.0, 59.0)


def part_of(template: str, **values: object) -> object:
    (section,) = fill_template(f"## x\n\n{template}", **values)
    (part,) = section.parts
    return part


def test_headings_begin_sections_and_blank_lines_part_paragraphs() -> None:
    text = "\n## One\na\n  b\n\n\nc ## d\n## Two | 2\n"
    assert fill_template(text) == (
        Section("One", (Text("a b"), Text("c ## d"))),
        Section("Two | 2", ()),
    )


def test_a_report_begins_with_a_heading() -> None:
    with pytest.raises(RiverboatError, match="not with 'Dear'"):
        fill_template("Dear\n## One\n")


def test_tables_are_those_of_markdown() -> None:
    template = """**Won by
    {{ bot }}**
    | bot | mbb/h |
    |:---|---:|
    {% for name, won in rows %}
    | {{ name }} | {{ won | signed }} |
    {% endfor %}
    """
    table = part_of(template, bot="us", rows=[("fish", WON), ("a", None)])
    assert table == Table("Won by us", ("bot", "mbb/h"), (("fish", "+412 ± 59"), ("a", "")))


def test_tables_of_lists_may_hold_bars_and_anything() -> None:
    table = part_of('{{ table("T", ["", "n"], rows) }}', rows=[["a|b", 1_000], [None, WON]])
    assert table == Table("T", ("", "n"), (("a|b", "1,000"), ("", "412 ± 59")))


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(RiverboatError, match="a row of 'T' has 1 cells, not 2"):
        part_of("**T**\n|a|b|\n|c|\n")


def test_a_caption_belongs_to_its_table_and_text_around_stays_text() -> None:
    (section,) = fill_template("## x\nbefore\n\n**T**\n|a|\n|1|\nafter, **not** bold\n")
    assert section.parts == (
        Text("before"),
        Table("T", ("a",), (("1",),)),
        Text("after, **not** bold"),
    )


def test_figures_and_comparisons_stand_where_they_are_named() -> None:
    known = SimpleNamespace(value=60.0, where="section 6.1")
    template = """before {{ figure("a.png", "A\n plot (of all)") }} between
    {{ compare("C", [
        row("times faster", 2.5, known, better="higher"),
        row("won", won, unit="mbb/h", note="lost: " ~ number(1000)),
        row("not known", unknown, 7),
    ]) }} after"""
    (section,) = fill_template(
        f"## x\n{template}", known=known, won=WON, unknown=Estimate(1.0, None)
    )
    assert section.parts == (
        Text("before"),
        Picture("a.png", "A plot (of all)"),
        Text("between"),
        Comparison(
            "C",
            (
                Compared("times faster", 60.0, 2.5, better="higher", note="section 6.1"),
                Compared("won", None, 412.0, "mbb/h", WON.margin, note="lost: 1,000"),
                Compared("not known", 7, 1.0, margin=-1.0),
            ),
        ),
        Text("after"),
    )


def test_numbers_are_written_unless_a_filter_says_how() -> None:
    template = (
        "{{ n }} {{ n | string }} {{ x }} {{ x | percent }} {{ t | duration }} {{ e }} {{ e | pm }}"
        " {{ m | short }} {{ m | size }} {{ x | fixed(1) }} {{ l | listed }} {{ o | percent }}"
    )
    said = part_of(template, n=2026, x=0.25, t=90, e=WON, m=8_133_888, l=["a", "b"], o=None)
    assert said == Text(
        "2,026 2026 0.25 25.0 % 1 min 30 s 412 ± 59 412 ± 59 8.13 M 8.1 MB 0.2 a and b"
    )


def test_a_judgement_in_a_template() -> None:
    template = '{{ judge(won, yes="We\n  won", no="We lost", open="Not decided") }} ({{ won }}).'
    assert part_of(template, won=WON) == Text("We won (412 ± 59).")
    assert part_of(template, won=0) == Text("Not decided (0).")


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'nothing' is undefined"):
        part_of("{{ nothing }}")


def test_a_tally_is_written_by_outcome() -> None:
    found = {"a": 5.0, "b and c": 6.0, "d": -5.0, "e": 1.0}
    text = """## T
{{ told(tally(found), "beats", "loses to", "ties", apart=". ", quote="'") }}

{{ told(tally({}), "beats", "loses to", "ties") }}.
"""
    (section,) = fill_template(
        text, found={name: Estimate.with_margin(mean, 2.0) for name, mean in found.items()}
    )
    assert section.parts == (Text("beats 'a' and 'b and c'. loses to 'd'. ties 'e'"), Text("."))


def test_a_table_needs_no_rule_below_its_head() -> None:
    ruled, plain = "**T**\n| a | b |\n|---|---|\n| 1 | 2 |\n", "**T**\n| a | b |\n| 1 | 2 |\n"
    assert fill_template(f"## A\n{ruled}") == fill_template(f"## A\n{plain}")


def test_five_claims_are_a_table() -> None:
    rows = [("It converges", "It does not"), ("a", "b"), ("c", "d"), ("e", "f"), ("g", WON.text())]
    table = part_of("{{ claims(rows) }}", rows=rows)
    assert table == Table(
        "The document's claims and our results", ("claim", "we found"), tuple(rows)
    )
    with pytest.raises(RiverboatError, match="begins with 5 claims, not 4"):
        part_of("{{ claims(rows) }}", rows=rows[1:])


def test_a_sample_of_too_few_units_gives_no_verdict() -> None:
    template = '{{ judge(won, yes="won", no="lost", open="open") }}, {{ tally([won]).open }}'
    few, enough = (part_of(template, won=Estimate(9.0, 0.1, units)) for units in (7, 8))
    assert few == Text("open, 0")
    assert enough == Text("won, none")
