"""What buckets mean, as text, where that can be said in a word."""

from riverboat.blueprint._blueprint import Blueprint
from riverboat.buckets import CardAbstraction
from riverboat.cards import HOLE_CLASS, HOLES, NUM_CLASSES, RANKS, cards_text, class_text
from riverboat.solve import enumerate_deals

_RANKS_ONLY = ("one-card", "leduc")  # showdowns that know no suits


def bucket_texts(blueprint: Blueprint) -> tuple[tuple[str, ...] | None, ...]:
    """By group of the tree, the text of each bucket; None where a bucket is many hands.

    Enumerated games say what the player has seen, `K/Q` for a king and a queen on the board;
    suits are named up to renaming. Hold'em before the flop says the starting class, `AKs`, where
    each class is a bucket.
    """
    cards = blueprint.cards
    if cards is None:
        return _enumerated_texts(blueprint)
    classes = _class_texts(cards)
    streets = blueprint.tree.group_street.tolist()
    return tuple(classes if street == 0 else None for street in streets)


def _enumerated_texts(blueprint: Blueprint) -> tuple[tuple[str, ...] | None, ...]:
    ranks_only = blueprint.header.spec.showdown in _RANKS_ONLY

    def text(part: tuple[int, ...]) -> str:
        return "".join(RANKS[rank] for rank in part) if ranks_only else cards_text(part)

    keys = enumerate_deals(blueprint.tree).bucket_keys or ()
    return tuple(
        tuple("/".join(text(part) for part in key if part) for key in group)  # type: ignore[attr-defined]  # a key is a tuple of cards
        for group in keys
    )


def _class_texts(cards: CardAbstraction) -> tuple[str, ...] | None:
    if cards.num_buckets[0] != NUM_CLASSES:
        return None
    texts = [""] * NUM_CLASSES
    for hole, pair in enumerate(HOLES.tolist()):
        texts[cards.street_bucket(pair)] = class_text(HOLE_CLASS[hole])
    return tuple(texts)
