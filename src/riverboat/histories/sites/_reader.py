"""Reads the hands of every site: a grammar says how lines look, `Notes` what they mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from riverboat.errors import HistoryError, RiverboatError
from riverboat.files import bounded
from riverboat.histories._times import time_of
from riverboat.histories.sites._games import betting_of, check_holdem
from riverboat.histories.sites._notes import HANDLERS, Notes, sum_of
from riverboat.histories.sites._xml import element_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from riverboat.histories._record import HandRecord
    from riverboat.histories.sites._grammar import Grammar

_LONGEST = 1000  # characters of a line
_LONGEST_HEADER = 3000
_LINE_END = re.compile(r"\r\n|\n|\r")
_CODES = {"$": "USD", "€": "EUR", "£": "GBP", "₹": "INR", "C$": "CAD", "CA$": "CAD"}
_TOURNAMENT = re.compile(r"(?i)\b(?:tournament|tourney|trny|sit ?(?:&|and) ?go|freeroll)\b")
_THREE_AFTER_A_DOT = re.compile(r"[0-9]\.[0-9]{3}(?![0-9])")


def read_hand(grammar: Grammar, text: str) -> HandRecord:
    """Read one hand; raise `HistoryError` with the reason if that is not possible."""
    reader = Reader(grammar)
    if grammar.dots:
        reader.dots = _THREE_AFTER_A_DOT.search(text) is not None
    if grammar.xml is not None:
        return _read_xml(grammar, reader, text)
    reader.header(text)
    match = grammar.lines.pattern.fullmatch
    before, once = "", grammar.repeats
    for line in map(str.strip, _LINE_END.split(text)):
        if not line or (once and line == before):
            continue
        before = line
        if len(line) > _LONGEST:
            # Names are free text: a long line would make the patterns slow.
            bounded(line, "a line", HistoryError, _LONGEST)
        reader.read(line, match(line))
    return reader.finish()


def _read_xml(grammar: Grammar, reader: Reader, text: str) -> HandRecord:
    """Read a hand of a site that writes XML."""
    root = element_of(text)
    try:
        assert grammar.xml is not None  # noqa: S101 - for the type checker
        grammar.xml(reader, root)
    except (KeyError, ValueError) as error:
        if isinstance(error, RiverboatError):
            raise
        raise HistoryError(f"an element of the hand lacks or has a wrong {error}") from error
    return reader.finish()


class Reader(Notes):
    """Reads the lines of a hand."""

    # ---- The header ----------------------------------------------------------

    def header(self, text: str) -> None:
        """Read what stands before the list of players."""
        end = self.grammar.head_end.search(text)
        self.info_from(text[: min(end.start() if end else _LONGEST_HEADER, _LONGEST_HEADER)])

    def info_from(self, head: str) -> None:
        """Read the parts of the header by the patterns of the grammar."""
        self.sheet.raked = _TOURNAMENT.search(head) is None
        info: dict[str, str] = {}
        for pattern in self.grammar.infos:
            if match := pattern.search(head):
                for key, value in match.groupdict().items():
                    if value is not None and key not in info:
                        info[key] = value
        self.use_info(info)

    def use_info(self, info: Mapping[str, str]) -> None:
        """Put the parts of a header into the sheet."""
        sheet, get = self.sheet, info.get
        check_holdem(get("game"))
        sheet.betting = betting_of(get("limit"))
        small, big = (self.plain(get(key, "") or "") for key in ("small", "big"))
        if sheet.betting == "fixed-limit":
            sheet.limit_bets = (small, big)
        else:
            sheet.small, sheet.big = small, big
        if get("button"):
            sheet.dealer = int(info["button"])
        if get("cap"):
            sheet.cap = self.plain(info["cap"])
        sign = get("sign") or ""
        sheet.details |= {
            "hand_id": (get("id") or "").strip(),
            "site": (get("site") or self.grammar.site).strip(),
            "table": (get("table") or "").strip(),
            "date": time_of(dict(info), self.grammar.zone) if get("y") else None,
            "currency": get("currency") or _CODES.get(sign, ""),
        }
        if get("size"):
            sheet.details["table_size"] = int(info["size"])

    # ---- Lines ---------------------------------------------------------------

    def read(self, line: str, match: re.Match[str] | None) -> None:
        """Read one line."""
        lines = self.grammar.lines
        if self.odd_names and self.by_name(line):
            return
        if match is None:
            self.unknown(line)
            return
        index = match.lastindex or 0
        kind, names, by_player = lines.kinds[index]
        values = _values(match, index, names)
        if by_player:
            values["player"] = match.group(lines.player)
        self.line = line
        self.note(kind, values)

    def note(self, kind: str, values: dict[str, str]) -> None:
        """Put what a line says into the sheet."""
        handler = HANDLERS.get(kind)
        if handler is None:
            return
        if "player" in values and kind not in ("seat", "seat-button"):
            name = values["player"]
            chair = self.chairs.get(name) or self.chairs.get(name.strip())
            if chair is None:
                self.unknown(self.line)
                return
            if values.get("cap"):
                self.cap(0, {"amount": values["cap"]})
            handler(self, chair, values)
        else:
            handler(self, 0, values)

    def unknown(self, line: str) -> None:
        """Read a line that no rule matches; only some sites refuse it."""
        if self.in_summary or self.by_name(line) or not self.grammar.strict_acts:
            return
        for name in self.chairs:
            if line.startswith(f"{name}: "):
                raise HistoryError(f"{line[:80]!r} is not an action that can be read")

    def by_name(self, line: str) -> bool:
        """Read an act of a player whose name may look like another line; whether it is one."""
        lines = self.grammar.lines
        for name in sorted(self.chairs, key=len, reverse=True):
            if not line.startswith(name):
                continue
            match = lines.act.fullmatch(line, len(name))
            if match:
                index = match.lastindex or 0
                kind, names, _ = lines.act_kinds[index]
                values = _values(match, index, names)
                handler = HANDLERS.get(kind)
                self.line = line
                if values.get("cap"):
                    self.cap(0, {"amount": values["cap"]})
                if handler is not None:
                    handler(self, self.chairs[name], values)
                return True
        return False

    # ---- The end -------------------------------------------------------------

    def finish(self) -> HandRecord:
        """Replay the hand and return its record."""
        sheet = self.sheet
        if not sheet.names:
            raise HistoryError("the text ends before the list of players")
        if self.grammar.summary and not self.in_summary:
            raise HistoryError("the text ends before the summary")
        if len(self.dealt) == 1:
            sheet.details.setdefault("hero_chair", self.dealt[0])
        seats = max(sheet.names)
        if sheet.details.get("table_size", seats) < seats:
            del sheet.details["table_size"]
        if self.grammar.positions:
            self.order_by_position()
        self.close_runs()
        self.add_blinds()
        return self.record()

    def record(self) -> HandRecord:
        """Replay the hand; a small post out of turn is dead at some sites, and live at others."""
        sheet = self.sheet
        try:
            return sheet.record()
        except HistoryError:
            unsure = [chair for chair in self.unsure if chair not in sheet.blinds]
            if not unsure:
                raise
            for chair in unsure:
                sheet.post(chair, "extra", sheet.dead.pop(chair))
            return sheet.record()

    def order_by_position(self) -> None:
        """Number the chairs by the positions that are the names, unless they have that order."""
        sheet = self.sheet
        acting = {move.chair for move in sheet.moves} | {*sheet.blinds, *sheet.antes, *sheet.dead}
        chairs = sorted(acting, key=lambda chair: _rank(sheet.names[chair]))
        if len(chairs) > 2 and sorted(chairs) != _turned(chairs):
            sheet.renumber({chair: number for number, chair in enumerate(chairs, start=1)})
            chairs = list(range(1, len(chairs) + 1))
        if chairs:
            sheet.dealer = chairs[-1]

    def add_blinds(self) -> None:
        """Complete stakes and blinds that the text leaves out."""
        sheet = self.sheet
        posted = {kind: sheet.blinds[chair] for chair, kind in sheet.kinds.items()}
        if sheet.betting == "fixed-limit":
            if sheet.limit_bets and sheet.limit_bets[0] and not self.grammar.limit_by_blinds:
                return
            big = posted.get("big") or (sheet.limit_bets or ("",))[0]
            sheet.limit_bets = (big, sum_of(big or "0", big or "0"))
            return
        sheet.small = sheet.small or posted.get("small", "")
        sheet.big = sheet.big or posted.get("big", "")
        if not sheet.kinds and self.grammar.implied_blinds and sheet.big and sheet.dealer:
            chairs = sorted({move.chair for move in sheet.moves} | {*sheet.pots.get(0, ())})
            if len(chairs) < 2:
                return
            after = [chair for chair in chairs if chair > sheet.dealer]
            order = after + [chair for chair in chairs if chair <= sheet.dealer]
            if len(order) == 2:
                order.reverse()
            sheet.post(order[0], "small", sheet.small)
            sheet.post(order[1], "big", sheet.big)

    def close_runs(self) -> None:
        """Put the first of several boards where the board belongs."""
        sheet = self.sheet
        if not sheet.run_outs:
            return
        full = [run for run in sheet.run_outs if len(run) == 5]
        if len(sheet.board) < 5 and full:
            sheet.board = full.pop(0)
        sheet.run_outs = full


def _values(match: re.Match[str], index: int, names: tuple[str, ...]) -> dict[str, str]:
    """Return the parts of a line, which are the groups before `index`."""
    first = index - len(names)
    return {name: match.group(first + at) for at, name in enumerate(names)}


_POSITIONS = {"Small Blind": 0, "Big Blind": 1, "UTG": 2, "Dealer": 99}


def _rank(name: str) -> int:
    """Return the order of a position: the small blind first, the dealer last."""
    if name.startswith("UTG+") and name[4:].isdigit():
        return 2 + int(name[4:])
    return _POSITIONS.get(name, 98)


def _turned(chairs: list[int]) -> list[int]:
    """Return the chairs from the lowest, in their order around the table."""
    first = chairs.index(min(chairs))
    return chairs[first:] + chairs[:first]
