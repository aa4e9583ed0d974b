"""Every parser against texts of strangers: only sentences come out, and soon."""

import os
import time
from pathlib import Path
from random import Random

import pytest

from hostile.mutations import STONES, texts
from hostile.parsers import PARSERS, Parser
from hostile.trial import Trial, tried
from riverboat.errors import RiverboatError

SHORT = 300
INPUTS = int(os.environ.get("RIVERBOAT_FUZZ_INPUTS", "2000"))
#: Drawn, so that runs add up; set to repeat one.
SEED = int(os.environ.get("RIVERBOAT_FUZZ_SEED") or Random().randrange(2**32))
LONGEST = 5_000  # bytes of a sentence
LEAST, MOST = 0.002, 24  # seconds that are told apart, and between 8 and 64
SECONDS = 5.0  # of the processor, for one text of the longest


def complaint(parser: Parser, text: str) -> str:
    """Feed a parser; say what came out if it was no sentence, or one without end."""
    try:
        parser.feed(text)
    except RiverboatError as error:
        sentence = str(error).encode("utf-8", "backslashreplace")
        return "" if 0 < len(sentence) < LONGEST else f"a sentence of {len(sentence)} bytes"
    except Exception as error:  # the text is what one needs to repeat it
        return repr(error)[:300]
    return ""


def fuzz(name: str, folder: Path, trial: Trial, count: int) -> None:
    """Feed a parser so many texts, and fail with what is needed to repeat those that failed."""
    parser, found, slowest = PARSERS[name](folder), list[str](), 0.0
    assert trial.seed is not None
    for number, text in enumerate(texts(parser.samples, parser.pieces, count, trial.seed)):
        began = time.thread_time()
        if said := complaint(parser, text):
            found.append(f"seed {trial.seed}, text {number}, {text[:200]!r}: {said}")
        slowest = max(slowest, time.thread_time() - began)
    trial.attempts, trial.failures, trial.seconds = count, len(found), slowest
    if found:
        pytest.fail("\n".join(found[:10]), pytrace=False)


@pytest.mark.parametrize("name", PARSERS)
def test_a_few_texts(name: str, quick_folder: Path) -> None:
    fuzz(name, quick_folder, Trial("parsers", name, seed=1), SHORT)


@pytest.mark.parametrize("name", PARSERS)
def test_samples_are_good(name: str, quick_folder: Path) -> None:
    """A parser that refuses everything would pass."""
    if name == "array headers":
        pytest.skip("its sums are not right: the header alone is looked at")
    parser = PARSERS[name](quick_folder)
    for sample in parser.samples:
        parser.feed(sample)


@pytest.mark.hostile
@pytest.mark.parametrize("name", PARSERS)
def test_many_texts(name: str, quick_folder: Path) -> None:
    with tried("parsers", name, SEED) as trial:
        fuzz(name, quick_folder, trial, INPUTS)
        assert trial.seconds is not None
        assert trial.seconds < SECONDS


def seconds(parser: Parser, text: str) -> float:
    """Processor time of one text, the least of three."""
    found = []
    for _ in range(3):
        began = time.thread_time()
        complaint(parser, text)
        found.append(time.thread_time() - began)
    return min(found)


@pytest.mark.hostile
@pytest.mark.parametrize("name", PARSERS)
def test_work_grows_with_the_text_and_not_with_its_square(name: str, quick_folder: Path) -> None:
    """Eight times the text is eight times the work; with the square it would be 64 times."""
    parser = PARSERS[name](quick_folder)
    with tried("growth", name, 0) as trial:
        for word in (*STONES, *parser.pieces):
            for sample in parser.samples[:2]:
                half = len(sample) // 2
                short, long = (
                    sample[:half] + word * (length // len(word)) + sample[half:]
                    for length in (2_000, 16_000)
                )
                trial.attempts += 1
                ratio = seconds(parser, long) / max(LEAST, seconds(parser, short))
                assert ratio < MOST, f"{name}: {word!r} in {sample[:50]!r}"
