"""The trainer's SQLite file: questions with their spaced-repetition state, and all answers.

The package `fsrs` (the FSRS algorithm) computes when a question is due again.
"""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import msgspec
from fsrs import Card, Rating, Scheduler
from platformdirs import user_data_path

from riverboat.errors import ReviewError, in_words
from riverboat.files import atomic_path
from riverboat.learn._decks import OF_FOLDER
from riverboat.learn._history_file import back_up, backup_of, check, opened, sign

if TYPE_CHECKING:
    from pathlib import Path

    from riverboat.learn._decks import Question
    from riverboat.learn._grade import RatingName

_RATINGS: Final = {"again": Rating.Again, "hard": Rating.Hard, "good": Rating.Good}
_ASKED: Final = ("key", "source", "line", "board", "hole", "street", "position", "pot_type")


def history_path() -> Path:
    """Return the default file of answers, in the user's data folder."""
    return user_data_path("riverboat", appauthor=False) / "drill.sqlite3"


class Answered(msgspec.Struct, frozen=True):
    """An answer with its question."""

    at: str
    source: str
    line: str
    board: str
    hole: str
    street: str
    position: str
    pot_type: str
    did: str
    frequency: float
    loss_bb: float | None
    error_bb: float | None
    rating: str


class History:
    """The file of questions and answers.

    Parameters
    ----------
    path
        Created if it is missing; None = `history_path()`. A damaged file is moved away, and its
        backup is used.
    root
        The folder whose folder `damaged` gets a damaged file; None = that of the file.

    Attributes
    ----------
    notice
        What was restored from the backup; empty if the file was intact.

    Raises
    ------
    ReviewError
        If the file is damaged and has no backup, or cannot be used.
    """

    def __init__(self, path: Path | None = None, root: Path | None = None) -> None:
        self.path = path or history_path()
        if not self.path.parent.is_dir() and path is not None:
            raise ReviewError(f"{str(path)!r} cannot be created: its folder does not exist")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.notice = check(self.path, root)

    def back_up(self) -> None:
        """Copy the file to its backup; this happens by itself once every ten minutes."""
        back_up(self.path)

    def due(self, source: str, now: datetime) -> list[tuple[str, str, str, str]]:
        """Return source, line, board and hole cards of due questions, longest overdue first.

        The source may be a folder; then the questions of all its solutions are returned.
        """
        with opened(self.path) as database:
            rows = database.execute(
                "SELECT source, line, board, hole FROM questions WHERE due <= :now AND "
                "(source = :source OR substr(source, 1, length(:part)) = :part) ORDER BY due",
                {"now": _text(now), "source": source, "part": f"{source}{OF_FOLDER}"},
            ).fetchall()
        return [(row["source"], row["line"], row["board"], row["hole"]) for row in rows]

    def add(
        self,
        question: Question,
        answer: tuple[str, float, float | None, float],
        rating: RatingName,
        now: datetime,
    ) -> datetime:
        """Save an answer (action, frequency, EV loss and error in bb); return when it is due."""
        with opened(self.path) as database:
            database.execute("BEGIN IMMEDIATE")  # others may answer the same question first
            row = database.execute(
                "SELECT id, card FROM questions WHERE key = ?", (question.key,)
            ).fetchone()
            card, due = _next_card("" if row is None else row["card"], rating, now)
            if row is None:
                values = [getattr(question, name) for name in _ASKED]
                places = ", ".join("?" * (len(_ASKED) + 2))
                number = database.execute(
                    f"INSERT INTO questions ({', '.join(_ASKED)}, card, due) VALUES ({places})",  # noqa: S608 - our own words
                    (*values, card, _text(due)),
                ).lastrowid
            else:
                number = row["id"]
                database.execute(
                    "UPDATE questions SET card = ?, due = ? WHERE id = ?",
                    (card, _text(due), number),
                )
            database.execute(
                "INSERT INTO answers (question, at, did, frequency, loss_bb, error_bb, rating) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (number, _text(now), *answer, rating),
            )
            sign(database, "questions", number)
            sign(database, "answers", database.execute("SELECT max(id) FROM answers").fetchone()[0])
        return due

    def answers(self) -> list[Answered]:
        """Return all answers, oldest first."""
        names = [field.name for field in msgspec.structs.fields(Answered)]
        with opened(self.path) as database:
            rows = database.execute(
                f"SELECT {', '.join(names)} FROM answers JOIN questions "  # noqa: S608 - our own words
                "ON questions.id = answers.question ORDER BY answers.id"
            ).fetchall()
        return [Answered(**{name: row[name] for name in names}) for row in rows]

    def export(self, path: Path) -> None:
        """Write all answers to a .json or .csv file."""
        rows = [msgspec.to_builtins(each) for each in self.answers()]
        kind = path.suffix.lower()
        if kind not in (".json", ".csv"):
            raise ReviewError(f"answers are exported to .json or .csv, not {path.name!r}")
        with atomic_path(path) as temporary:
            text = json.dumps({"answers": rows}) if kind == ".json" else _csv(rows)
            temporary.write_text(text, encoding="utf-8", newline="")

    def delete(self) -> int:
        """Delete all questions and answers; return the number of answers."""
        with opened(self.path) as database:
            (count,) = database.execute("SELECT count(*) FROM answers").fetchone()
            database.execute("DELETE FROM answers")
            database.execute("DELETE FROM questions")
        backup_of(self.path).unlink(missing_ok=True)
        with opened(self.path) as database:
            database.execute("VACUUM")  # removes deleted rows from the file
        return int(count)


def _csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO(newline="")
    names = [field.name for field in msgspec.structs.fields(Answered)]
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _text(time: datetime) -> str:
    """Return a time as text that sorts."""
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def _next_card(card: str, rating: RatingName, now: datetime) -> tuple[str, datetime]:
    """Return a question's FSRS state after an answer, and when it is due.

    Parameters
    ----------
    card
        FSRS state as JSON; empty for a new question.
    rating, now
        Rating and time (UTC) of the answer.
    """
    try:
        before = Card.from_json(card) if card else Card(card_id=1, due=now)
    except (ValueError, LookupError, TypeError, AttributeError) as error:  # with a forged checksum
        raise ReviewError(f"the schedule of a question is damaged: {in_words(error)}") from error
    after, _ = Scheduler(enable_fuzzing=False).review_card(before, _RATINGS[rating], now)
    return after.to_json(), after.due
