"""Measure how many no-limit hold'em hands of a folder are read, by site, and how many are wrong.

    python bench/sites.py FOLDER [--reasons 5] [--only winamax] [--match NLHE]

A file's site is the folder below FOLDER's last `cash`, `tour` or `SampleHandHistories`, else the
format that is recognised. Hands of other games and of other betting do not count. Every hand that
is read is compared with its text by other code than the readers': the players that the text
mentions as acting, the winnings, and the button and the blinds that its summary names.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from pathlib import Path
from time import process_time

from riverboat.histories import HandRecord, Refused, read
from riverboat.histories.sites import parts_of

_SUFFIXES = (".txt", ".xml", ".html", ".dat", ".log", ".DAT", "")
_PARTS = ("cash", "tour", "SampleHandHistories")


def site_of(path: Path, root: Path) -> str:
    """Return the name of the folder of a site."""
    parts = path.relative_to(root).parts
    for index, part in enumerate(parts[:-1]):
        if part in _PARTS and index + 1 < len(parts) - 1:
            return parts[index + 1]
    return parts[0] if len(parts) > 1 else "files"


_NAMED = re.compile(r"^Seat (\d+): (.*?) \((button|small blind|big blind)\)", re.MULTILINE)
_ON_NET = re.compile(r"^Seat (\d+): .*?, net: ([+-]?)[^0-9]*([0-9.,]+)", re.MULTILINE)
_AT_END = re.compile(r"seat (\d+) with [^0-9]*([0-9.]+) at end [^0-9]*([0-9.]+)")
_BETS = re.compile(
    r"^\*?Player (.*?) (?:shows|mucks|does not).*Bets: ([0-9.]+)\. Collects: ([0-9.]+)\.", re.M
)
_BALANCE = re.compile(r"^(.*?) balance .*?(?:net ([+-][0-9.,]+)|lost ([0-9.,]+))", re.MULTILINE)
_PLAYER = re.compile(r"<player\b[^>]*>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


_ID = re.compile(r"(?:#|Game |ID:? |hand |id=\")([A-Z0-9-]{6,})")


def amount(text: str) -> float:
    """Return a number of a summary."""
    text = re.sub(r"[^0-9.+-]", "", text.replace(",", "")).strip(".")
    return float(re.sub(r"\.([0-9]{3})$", r"\1", text) or 0)


def stated_nets(text: str, record: HandRecord) -> dict[int, float]:
    """Return net results by seat, in units of the currency, where the text states them."""
    chairs = {chair: seat for seat, chair in enumerate(record.chairs)}
    names = {name: seat for seat, name in enumerate(record.names)}
    nets: dict[int, float] = {}
    for chair, sign, net in _ON_NET.findall(text):
        if int(chair) in chairs:
            nets[chairs[int(chair)]] = -amount(net) if sign == "-" else amount(net)
    for chair, before, after in _AT_END.findall(text):
        if int(chair) in chairs:
            nets[chairs[int(chair)]] = amount(after) - amount(before)
    for name, bets, collects in _BETS.findall(text):
        if amount(collects) and not amount(bets):
            return {}  # nobody wins without a bet: the summary contradicts itself
        if name in names:
            nets[names[name]] = amount(collects) - amount(bets)
    for name, net, lost in _BALANCE.findall(text):
        if name in names:
            nets[names[name]] = amount(net) if net else -amount(lost)
    for tag in _PLAYER.findall(text):
        values = dict(_ATTRIBUTE.findall(tag))
        if values.get("name") in names and "win" in values and "bet" in values:
            nets[names[values["name"]]] = amount(values["win"]) - amount(values["bet"])
    rake = -sum(record.payoffs() or ()) / record.unit
    if "gamecode=" in text and abs(sum(nets.values()) + rake) > 0.02:
        return {}  # some elements count returned bets or antes twice: their sum is not the rake
    return nets


def complaints(text: str, record: HandRecord) -> list[str]:
    """Compare a record with what its text says after the play."""
    hand, payoffs = record.hand(), record.payoffs()
    found = []
    if not hand.finished:
        found.append("unfinished")
    if payoffs is None:
        return [*found, "no payoffs"]
    if not 0 <= -sum(payoffs) <= max(hand.pot * 0.2, 2):
        found.append(f"the payoffs {payoffs} leave {-sum(payoffs)} of {hand.pot}")
    for seat, net in stated_nets(text, record).items():
        if abs(payoffs[seat] / record.unit - net) > 0.011:
            found.append(f"net {payoffs[seat] / record.unit} is {net} in the text")
    blinds = record.spec.blinds
    for chair, _, position in _NAMED.findall(text.partition("SUMMARY")[2]):
        if int(chair) not in record.chairs:
            found.append(f"the {position} is not in the hand")
            continue
        seat = record.chairs.index(int(chair))
        wanted = {"button": hand.button, "small blind": 0}.get(position)
        if position == "big blind" and blinds[seat] < max(blinds[:2]):
            found.append("the big blind is at another seat")
        if wanted is not None and seat != wanted and record.players > 2:
            found.append(f"the {position} is seat {seat}")
    return found


def texts_of(path: Path) -> dict[str, str]:
    """Return the texts of the hands of a file by the number of the hand."""
    data = path.read_bytes()
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    text = data.decode("utf-16" if wide else "utf-8", "replace").replace("\r\n", "\n")
    found = {}
    for part in parts_of(text.replace("\0", "")):
        match = re.search(r'gamecode="([0-9]+)"', part.text) or _ID.search(part.text)
        if match:
            # Two hands with one number cannot be told apart.
            found[match.group(1)] = "" if match.group(1) in found else part.text
    return found


class Table:
    """Counts and reasons by site."""

    def __init__(self) -> None:
        self.rows: dict[str, Counter[str]] = defaultdict(Counter)
        self.reasons: dict[str, Counter[str]] = defaultdict(Counter)
        self.where: dict[tuple[str, str], str] = {}

    def add(self, site: str, path: Path) -> None:
        """Read a file."""
        began = process_time()
        try:
            result, texts = read(path), texts_of(path)
        except Exception as error:  # a crash is a finding
            self.note(site, "crashed", f"CRASH {type(error).__name__}: {error}", path.name)
            return
        self.rows[site]["ms"] += int(1000 * (process_time() - began))
        for record in result.hands:
            self.hand(site, record, texts.get(record.hand_id, ""), path)
        for bad in result.refused:
            self.refused(site, bad, path, known=bool(result.format))

    def hand(self, site: str, record: HandRecord, text: str, path: Path) -> None:
        """Count a hand that was read, and compare it with its text."""
        if record.spec.betting != "no-limit":
            self.rows[site]["other betting"] += 1
            return
        self.rows[site]["read"] += 1
        self.rows[site]["checked"] += bool(stated_nets(text, record))
        for complaint in complaints(text, record):
            reason = re.sub(r"-?[0-9][0-9.,]*", "N", complaint)
            self.note(site, "wrong", f"WRONG {reason}", f"{path.name} {record.hand_id}")

    def refused(self, site: str, bad: Refused, path: Path, *, known: bool) -> None:
        """Count a hand that was not read."""
        reason = re.sub(r"[0-9][0-9.,]*", "N", re.sub(r"'.*'", "..", bad.reason))
        if bad.game:
            self.rows[site]["other games"] += 1
        elif not known:
            self.note(site, "files not known", f"not known: {bad.text_head}", path.name)
        else:
            self.note(site, "refused", reason, f"{path.name}:{bad.line} {bad.reason}")

    def note(self, site: str, column: str, reason: str, where: str) -> None:
        """Count something with its reason."""
        self.rows[site][column] += 1
        self.reasons[site][reason] += 1
        self.where.setdefault((site, reason), where)

    def show(self, reasons: int) -> None:
        """Print a row for each site, and its most common reasons."""
        heads = ("read", "refused", "wrong", "checked", "other games", "other betting")
        columns = (*heads, "files not known", "ms")
        print(f"| site | share | {' | '.join(columns)} |")
        print("| --- " * (len(columns) + 2) + "|")
        for site, row in sorted(self.rows.items()):
            total = row["read"] + row["refused"]
            share = f"{row['read'] / total:.1%}" if total else "-"
            print(f"| {site} | {share} | {' | '.join(str(row[name]) for name in columns)} |")
            for reason, count in self.reasons[site].most_common(reasons):
                print(f"    {count} {reason[:110]}   [{self.where[site, reason][:170]}]")


def main() -> None:
    """Print a row for each site."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--reasons", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--match", default="", help="pattern of names of files")
    asked = parser.parse_args()
    table = Table()
    for path in sorted(asked.folder.rglob("*")):
        site = site_of(path, asked.folder)
        wanted = not asked.only or asked.only.lower() == site.lower()
        is_text = path.is_file() and path.suffix in _SUFFIXES and not path.name.startswith(".")
        if is_text and wanted and re.search(asked.match, path.name):
            table.add(site, path)
    table.show(asked.reasons)


if __name__ == "__main__":
    main()
