"""Speed and memory of a review of hands: `uv run python bench/review.py`.

The default bot plays hands against a rule-based bot. The hands are written as PokerStars text,
read, and reviewed by the table of action EVs (built first if it is not in the cache folder). Times
are CPU time in this process; memory is its peak.
"""

import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from riverboat.blueprint import Blueprint, default_blueprint
from riverboat.bots import make_bot
from riverboat.evaluate import action_values
from riverboat.game import Hand
from riverboat.histories import record_of, write
from riverboat.learn import Grader, read_hands, review_hands

HANDS = 10_000
PLAYED = 2_000  # the rest are copies


def play(path: str) -> None:
    """Play hands of a rule-based bot against the default one, and write them."""
    blueprint = Blueprint.open(default_blueprint())
    bots = [make_bot("shark", 1), make_bot("blueprint", 1)]
    records = []
    for seed in range(PLAYED):
        hand = Hand(blueprint.tree.spec, seed=seed)
        while hand.actor is not None:
            hand.do(bots[hand.actor].act(hand.view(hand.actor)))
        records.append(record_of(hand, names=["shark", "default"], hand_id=str(seed)))
    write(records * (HANDS // PLAYED), path)


def main() -> None:
    """Measure."""
    blueprint = Blueprint.open(default_blueprint())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hands.txt"
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:  # its memory is not ours
            pool.submit(play, str(path)).result()
        table = action_values(blueprint, blueprint.threshold)
        begin = time.process_time()
        source = read_hands(str(path))
        read = time.process_time() - begin
        grader = Grader(blueprint.query(threshold=blueprint.threshold), table)
        begin = time.process_time()
        review = review_hands(source.hands, grader, player="shark")
        seconds = time.process_time() - begin
    unit = 1 if sys.platform == "darwin" else 1024
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    count = len(review.hands)
    print(f"{count:,} hands, {len(review.decisions):,} decisions")
    print(f"read: {count / read:,.0f} hands/s; reviewed: {count / seconds:,.0f} hands/s")
    print(f"both: {count / (read + seconds):,.0f} hands/s; {memory:,.0f} MiB")


if __name__ == "__main__":
    main()
