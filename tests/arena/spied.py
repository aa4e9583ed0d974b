"""A program that plays the spy in matches: `python spied.py --seed N`, as people type it."""

import json
import sys
from pathlib import Path
from typing import Any

from arena import spy
from riverboat.arena import DealSeed, Ledger, MatchResult, play_match


def said(result: MatchResult) -> str:
    """What the spy boasted of."""
    return str(result.said(0).get("raised", ""))


def main(seed: int) -> None:
    """Play it three times: dealt from the seed, from a secret, and as a bot of a file."""
    given: dict[str, Any] = {
        "hands": spy.HANDS,
        "duplicate": False,
        "keep_going": True,
        "seed": seed,
    }
    found = {
        "seed": said(play_match([spy.Spy, "checkcall"], ledger=Ledger(), **given)),
        "secret": said(
            play_match([spy.Spy, "checkcall"], ledger=Ledger(), deal_seed=DealSeed.draw(), **given)
        ),
        "file": said(
            play_match([f"{Path(spy.__file__)}:Spy", "checkcall"], ledger=Ledger(), **given)
        ),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[-1]))
