"""A damaged file of answers: a sentence, or the last intact state; never another error."""

import json
import os
import random
import shutil
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cli.typed import riverboat
from riverboat.errors import RiverboatError
from riverboat.learn import History, Question
from sizes import few_or_many

START = datetime(2026, 1, 1, tzinfo=UTC)
ANSWER = ("f", 0.25, 1.5, 0.01)


def question(number: int) -> Question:
    hole = f"{'23456789TJQKA'[number % 13]}h{'23456789TJQKA'[number // 13]}s"
    names = ("deck", "b25", "", hole, "preflop", "BB", "raised")
    return Question(*names, pot=35, to_call=15, big_blind=10, options=("f", "c"))


def use(path: Path) -> list[Any]:
    """Everything that the trainer does with its file."""
    history = History(path)
    found = history.answers()
    history.due("deck", START + timedelta(days=400))
    history.export(path.with_suffix(".json"))
    for number in range(2):
        history.add(question(number), ANSWER, "again", START + timedelta(days=1))
    return found


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of 40 answers, and its backup of 20."""
    folder = tmp_path_factory.mktemp("kept")
    path = folder / "drill.sqlite3"
    for first in (0, 20):
        history = History(path)
        for number in range(first, first + 20):
            history.add(question(number), ANSWER, "hard", START)
        if not first:
            history.back_up()
    assert len(History(path).answers()) == 40
    return folder


def damaged(data: bytes, choice: random.Random) -> bytes:
    """Change bytes, cut, or fill with another byte."""
    kind, at = choice.randrange(4), choice.randrange(len(data))
    if kind == 0:
        return data[:at]
    changed = bytearray(data)
    for place in [at] if kind == 1 else choice.choices(range(len(data)), k=kind * 20):
        changed[place] = choice.randrange(256)
    return bytes(changed)


@pytest.mark.parametrize("backup", [True, False])
@pytest.mark.parametrize("attempts", few_or_many(30, 1500))
def test_damage_gives_a_sentence_or_an_intact_state(
    kept: Path, tmp_path: Path, backup: bool, attempts: int
) -> None:
    whole = History(kept / "drill.sqlite3").answers()
    data, sentences = (kept / "drill.sqlite3").read_bytes(), []
    for attempt in range(attempts):
        choice, folder = random.Random(attempt), tmp_path / str(attempt)
        shutil.copytree(kept, folder)
        path = folder / "drill.sqlite3"
        path.write_bytes(damaged(data, choice))
        if not backup:
            path.with_name("drill.sqlite3.backup").unlink()
        if backup:
            assert use(path) in (whole, whole[:20]), attempt
        else:
            try:
                found = use(path)
            except RiverboatError as error:
                sentences.append(str(error))
            else:
                assert found in (whole, []), attempt
        shutil.rmtree(folder)
    assert all(len(sentence) < 500 for sentence in sentences)


@pytest.mark.parametrize("journal", [False, True])
def test_a_missing_file_is_restored_from_an_old_backup(
    kept: Path, tmp_path: Path, journal: bool
) -> None:
    """Whoever deletes the file, or is killed while restoring it, keeps the backup."""
    shutil.copytree(kept, tmp_path / "mine")
    path = tmp_path / "mine" / "drill.sqlite3"
    backup = path.with_name("drill.sqlite3.backup")
    os.utime(backup, (0, 0))
    path.unlink()
    if journal:
        path.with_name("drill.sqlite3-journal").write_bytes(b"left")
    history = History(path)
    assert len(history.answers()) == 20
    assert not path.with_name("drill.sqlite3-journal").exists()
    assert "is missing" in history.notice
    assert "20 answers" in history.notice
    backup.write_bytes(b"no backup")
    path.unlink()
    with pytest.raises(RiverboatError, match="move the backup away"):
        History(path)


def test_two_programs_answer_a_new_question(tmp_path: Path) -> None:
    path = tmp_path / "drill.sqlite3"
    first, second = History(path), History(path)
    first.add(question(0), ANSWER, "good", START)
    with closing(sqlite3.connect(path)) as database, ThreadPoolExecutor() as threads:
        database.execute("BEGIN IMMEDIATE")
        other = threads.submit(second.add, question(1), ANSWER, "good", START)
        time.sleep(0.5)  # without a lock, the other one has seen now that the question is new
        database.execute(
            "INSERT INTO questions (key, source, line, board, hole, street, position, pot_type,"
            " card, due) SELECT ?, source, line, board, hole, street, position, pot_type, card,"
            " due FROM questions",
            (question(1).key,),
        )
        database.commit()
        other.result()
    assert len(History(path).answers()) == 2


def test_forged_schedules_and_types_give_a_sentence(tmp_path: Path) -> None:
    for number, text in enumerate(("[]", "{}", '{"card_id": "x"}', "nonsense", '{"due": 5}')):
        path = tmp_path / f"{number}.sqlite3"
        History(path).add(question(0), ANSWER, "good", START)
        path.with_name(f"{path.name}.backup").unlink(missing_ok=True)
        with sqlite3.connect(path) as database:
            database.execute("UPDATE questions SET card = ?", (text,))
        database.close()
        with pytest.raises(RiverboatError, match="damaged"):
            use(path)


def test_the_command_says_what_it_restored(kept: Path, tmp_path: Path) -> None:
    shutil.copytree(kept, tmp_path / "mine")
    path = tmp_path / "mine" / "drill.sqlite3"
    path.write_bytes(path.read_bytes()[:5000])
    shown = riverboat("drill", "--progress", "--json", "--history", str(path))
    assert json.loads(shown.stdout)["progress"][-1]["answers"] == 20
    told = " ".join(shown.stderr.split())
    assert "is damaged" in told
    assert "20 answers" in told
    assert (path.parent / "damaged" / path.name).read_bytes()


def test_deleted_answers_are_in_no_backup(tmp_path: Path) -> None:
    history = History(tmp_path / "drill.sqlite3")
    history.add(question(3), ANSWER, "hard", START)
    history.back_up()
    assert history.delete() == 1
    for path in tmp_path.iterdir():
        assert question(3).hole.encode() not in path.read_bytes()
    assert History(tmp_path / "drill.sqlite3").answers() == []


def test_files_of_version_1_are_converted(tmp_path: Path) -> None:
    """Version 1 had no checksums: those of 0.2."""
    path = tmp_path / "drill.sqlite3"
    History(path).add(question(0), ANSWER, "hard", START)
    with sqlite3.connect(path) as database:
        for table in ("questions", "answers"):
            database.execute(f"ALTER TABLE {table} DROP COLUMN checksum")
        database.execute("PRAGMA user_version = 1")
    database.close()
    assert [each.hole for each in History(path).answers()] == [question(0).hole]
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (2,)
    database.close()
