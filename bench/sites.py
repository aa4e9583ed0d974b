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

from riverboat.histories import HandRecord, read
from riverboat.histories.sites import parts_of

_SUFFIXES = (".txt", ".xml", ".html", ".dat", ".log", ".DAT", "")
_PARTS = ("cash", "tour", "SampleHandHistories")
_NOT_NO_LIMIT = re.compile(r"fixed|\bLHE|PLHE|FL[-_]|limit/FL|pot-limit", re.IGNORECASE)


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
_BETS = re.compile(r"^\*?Player (.*?) (?:shows|mucks|does not).*Bets: ([0-9.]+)\. Collects: ([0-9.]+)\.", re.M)
_BALANCE = re.compile(r"^(.*?) balance .*?(?:net ([+-][0-9.,]+)|lost ([0-9.,]+))", re.MULTILINE)
_PLAYER = re.compile(r"<player\b[^>]*>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


_ID = re.compile(r"(?:#|Game |ID |hand |id=\")([A-Z0-9-]{6,})")


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
        if name in names:
            nets[names[name]] = amount(collects) - amount(bets)
    for name, net, lost in _BALANCE.findall(text):
        if name in names:
            nets[names[name]] = amount(net) if net else -amount(lost)
    for tag in _PLAYER.findall(text):
        values = dict(_ATTRIBUTE.findall(tag))
        if values.get("name") in names and "win" in values and "bet" in values:
            if amount(values["bet"]) > amount(values["chips"]):
                return {}  # the element contradicts itself
            nets[names[values["name"]]] = amount(values["win"]) - amount(values["bet"])
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
            found[match.group(1)] = part.text
    return found


def main() -> None:
    """Print a row for each site."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--reasons", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--match", default="", help="pattern of names of files")
    asked = parser.parse_args()
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    reasons: dict[str, Counter[str]] = defaultdict(Counter)
    where: dict[tuple[str, str], str] = {}
    for path in sorted(asked.folder.rglob("*")):
        if not path.is_file() or path.suffix not in _SUFFIXES or path.name.startswith("."):
            continue
        site = site_of(path, asked.folder)
        if not re.search(asked.match, path.name):
            continue
        if asked.only and asked.only.lower() != site.lower():
            continue
        began = process_time()
        try:
            result = read(path)
            texts = texts_of(path)
        except Exception as error:  # a crash is a finding
            reasons[site][f"CRASH {type(error).__name__}: {error}"] += 1
            where[site, f"CRASH {type(error).__name__}: {error}"] = path.name
            rows[site]["crashed"] += 1
            continue
        rows[site]["ms"] += int(1000 * (process_time() - began))
        for record in result.hands:
            if record.spec.betting != "no-limit":
                rows[site]["other betting"] += 1
                continue
            rows[site]["read"] += 1
            rows[site]["checked"] += bool(stated_nets(texts.get(record.hand_id, ""), record))
            for text in complaints(texts.get(record.hand_id, ""), record):
                rows[site]["wrong"] += 1
                text = re.sub(r"-?[0-9][0-9.,]*", "N", text)
                reasons[site][f"WRONG {text}"] += 1
                where.setdefault((site, f"WRONG {text}"), f"{path.name} {record.hand_id}")
        for bad in result.refused:
            if bad.game:
                rows[site]["other games"] += 1
            elif not result.format:
                rows[site]["files not known"] += 1
                reasons[site][f"not known: {bad.text_head}"] += 1
                where[site, f"not known: {bad.text_head}"] = path.name
            else:
                rows[site]["refused"] += 1
                reason = re.sub(r"[0-9][0-9.,]*", "N", re.sub(r"'.*'", "..", bad.reason))
                reasons[site][reason] += 1
                where.setdefault((site, reason), f"{path.name}:{bad.line} {bad.reason}")
    print("| site | read | refused | share | wrong | nets checked | other games | other betting | unknown files | ms |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for site, row in sorted(rows.items()):
        total = row["read"] + row["refused"]
        share = f"{row['read'] / total:.1%}" if total else "-"
        print(
            f"| {site} | {row['read']} | {row['refused']} | {share} | {row['wrong']} | {row['checked']} |"
            f" {row['other games']} | {row['other betting']} | {row['files not known']} |"
            f" {row['ms']} |"
        )
        for reason, count in reasons[site].most_common(asked.reasons):
            print(f"    {count} {reason[:110]}   [{where.get((site, reason), '')[:170]}]")


if __name__ == "__main__":
    main()
