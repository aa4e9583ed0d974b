"""The length of untrusted texts is checked before they are parsed."""

import tomllib
from pathlib import Path

import pytest

from riverboat.errors import GameError
from riverboat.files import JsonLines, bounded, json_lines, json_value, read_text, toml_table

LONG = 240_000


def refusal(text: str) -> str:
    """Return the error message of a text as TOML."""
    with pytest.raises(GameError) as caught:
        toml_table(text, "it", GameError)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a" + ".a" * 20_000 + " = 1", "a key of more than 16 parts"),
        ("[a" + " . a" * 20_000 + "]", "a key of more than 16 parts"),
        ("x = {" + '"a".' * 20_000 + "a = 1}", "a key of more than 16 parts"),
        ("x = " + "[" * 20_000, "more than 16 nested brackets"),
        ("x = " + "{a = " * 20_000, "more than 16 nested brackets"),
        ("x = " + "9" * 20_000, "more than 100 digits"),
        ("x = 0x" + "f" * 20_000, "more than 100 digits"),
        ("x = " + "1_" * 200, "more than 100 digits"),
        ("x = " + "1" * 300_000, "at most 250,000 are allowed"),
        ('x = """' + '\\"""' * (LONG // 4), "not TOML"),
        ("x = '''" + "'" * LONG, "not TOML"),
        ('"' * LONG, "not TOML"),
        ("x = '" + "\\" * LONG, "not TOML"),
    ],
    ids=range(13),
)
def test_long_and_deep_toml_is_refused(text: str, reason: str) -> None:
    assert reason in refusal(text)


def test_the_deepest_brackets_that_are_read() -> None:
    assert toml_table("x = " + "[" * 16 + "]" * 16, "it", GameError)
    assert "more than 16" in refusal("x = " + "[" * 17 + "]" * 17)
    assert json_value("[" * 200 + "]" * 200, "it", GameError)
    with pytest.raises(GameError, match="more than 200"):
        json_value("[" * 201 + "]" * 201, "it", GameError)


@pytest.mark.parametrize(
    "text",
    [
        'x = "[[[[[[[[[[[[[[[[[[[[[[[[[[ not brackets"',
        "x = '{{{{{{{{{{{{{{{{{{{{{{{{{{ \\'",
        'x = """\n[[[[[[[[[[[[[[[[[[[[[[[[ \\""" """"',
        "x = '''\n]]]] [[[[[[[[[[[[[[[[[[[[[[ '''''",
        "# a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w [[[[[[[[[[[[[[[[[[[[\nx = 1",
        "x = [" + "0.5, " * 1_000 + "]",
        "a.b.c.d = 'a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t'",
        "x = '" + "9" * 5_000 + "'",
    ],
)
def test_what_stands_in_strings_and_comments_does_not_count(text: str) -> None:
    assert toml_table(text, "it", GameError) == tomllib.loads(text)


def test_json() -> None:
    assert json_value('["[[[[", {"a": 1.5}]', "it", GameError) == ["[[[[", {"a": 1.5}]
    for text in ("[" * 100_000, '{"a":' * 100_000, "-" + "9" * 5_000, '"\\', "[1", "\ud800"):
        with pytest.raises(GameError, match=r"it (has|is)"):
            json_value(text, "it", GameError)


def test_texts_that_are_none() -> None:
    with pytest.raises(GameError, match="a menu must be text, not int"):
        bounded(7, "a menu", GameError)
    with pytest.raises(GameError, match="a menu has 30,000 characters: at most 20,000 are allowed"):
        bounded("x" * 30_000, "a menu", GameError)


def test_files_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "x"
    for data, reason in ((b"abc\xff", "not UTF-8 text: byte 3"), (b"a" * 101, "more than 100")):
        file.write_bytes(data)
        with pytest.raises(GameError, match=reason):
            read_text(file, "it", GameError, most=100)
    with pytest.raises(GameError, match="cannot be read: Is a directory"):
        read_text(tmp_path, "it", GameError)
    endless = Path("/dev/zero")
    if endless.exists():
        with pytest.raises(GameError, match="more than 100 bytes"):
            read_text(endless, "it", GameError, most=100)


def test_torn_lines_are_counted(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b'{"a": 1}\n\n{"a"\n\xff\n7\n' + b"[" * 9_000 + b'\n{"a": 2}\n{"a": 3')
    lines = json_lines(log, lambda line: isinstance(line, dict))
    assert lines == [{"a": 1}, {"a": 2}]
    assert lines.torn == 5
    assert json_lines(tmp_path / "none", bool) == JsonLines()
