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


def complaints(record: HandRecord) -> list[str]:
    """Compare a record with itself: what was won and lost balances, and the hand ended."""
    hand, payoffs = record.hand(), record.payoffs()
    found = []
    if not hand.finished:
        found.append("unfinished")
    if payoffs is None:
        found.append("no payoffs")
    elif not 0 <= -sum(payoffs) <= max(hand.pot * 0.15, 2):
        found.append(f"the payoffs {payoffs} leave {-sum(payoffs)} of {hand.pot}")
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
            for text in complaints(record):
                rows[site]["wrong"] += 1
                reasons[site][f"WRONG {text}"] += 1
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
    print("| site | read | refused | share | wrong | other games | other betting | unknown files | ms |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for site, row in sorted(rows.items()):
        total = row["read"] + row["refused"]
        share = f"{row['read'] / total:.1%}" if total else "-"
        print(
            f"| {site} | {row['read']} | {row['refused']} | {share} | {row['wrong']} |"
            f" {row['other games']} | {row['other betting']} | {row['files not known']} |"
            f" {row['ms']} |"
        )
        for reason, count in reasons[site].most_common(asked.reasons):
            print(f"    {count} {reason[:110]}   [{where.get((site, reason), '')[:170]}]")


if __name__ == "__main__":
    main()
