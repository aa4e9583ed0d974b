"""Many spots in one folder: a solution a board with common settings, and an index of them."""

from __future__ import annotations

import json
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from riverboat import __version__
from riverboat.cards import cards_text, parse_cards
from riverboat.errors import SpotError
from riverboat.files import atomic_path, is_file, json_value, locked, read_text
from riverboat.report import size
from riverboat.runs import Stop, run_jobs
from riverboat.spots._devices import gpu_notice
from riverboat.spots._farm import FarSpot, solve_far, write_far
from riverboat.spots._forecast import forecast
from riverboat.spots._many import solving_many
from riverboat.spots._run import SolveFiles, keep_solved, solve_file
from riverboat.spots._schedule import DEFAULT
from riverboat.spots._solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from riverboat.spots._solve import SpotReport
    from riverboat.spots._spot import Spot

__all__ = ["Job", "JobReport", "Library", "LibraryForecast", "parse_boards"]

_INDEX: Final = "index.json"
_KIND: Final = "riverboat-library"
_FORMAT: Final = 1
_MOST_BOARDS: Final = 22_100  # all flops
#: Flops, and others with larger tables, have nothing to gain: tests/gpu/h200.log has times, at once
#: and in turn.
_FLOP_CARDS: Final = 3
_SMALL_BYTES: Final = 16_000_000
#: Options of spots that a card solves at once, and of their files.
_TOGETHER: Final = ("target", "iterations", "threads", "schedule", "device")
_KEPT: Final = ("rivers", "plot")


def parse_boards(text: str) -> tuple[str, ...]:
    r"""Read boards with commas or ends of lines between; `#` begins a comment.

    Examples
    --------
    >>> parse_boards("Ks7h2d, Td9d6h\nQc 8c 3h  # two clubs")
    ('Ks7h2d', 'Td9d6h', 'Qc8c3h')
    """
    lines = [line.partition("#")[0] for line in text.splitlines()]
    parts = ["".join(part.split()) for line in lines for part in line.split(",")]
    boards = [cards_text(parse_cards(part)) for part in parts if part]
    if not 0 < len(boards) <= _MOST_BOARDS:
        raise SpotError(f"a set has 1 to {_MOST_BOARDS:,} boards, not {len(boards):,}")
    seen: set[frozenset[int]] = set()
    for board in boards:
        cards = frozenset(parse_cards(board))
        if cards in seen:
            raise SpotError(f"the board {board} is there twice")
        seen.add(cards)
    return tuple(boards)


_State = Literal["fresh", "begun", "solved"]


class Job(NamedTuple):
    """One spot of a library."""

    spot: Spot
    files: SolveFiles


class JobReport(NamedTuple):
    """How a library stands."""

    number: int
    """Which of its jobs, from 1."""
    job: Job
    report: SpotReport | None
    """Of the job; None where an earlier run had solved it."""


class LibraryForecast(NamedTuple):
    """What solving a library will take."""

    spots: int
    seconds: float
    """To 0.3 % of the pot each, roughly."""
    memory_bytes: int
    """Of memory, by the largest spot."""
    available_bytes: int
    notice: str
    """Why they are not solved where it was wanted; empty where they are."""

    def check(self) -> None:
        """Refuse what does not fit into memory."""
        if self.memory_bytes > self.available_bytes:
            raise SpotError(
                f"the largest of these spots takes {size(self.memory_bytes)} of memory, and "
                f"{size(self.available_bytes)} are free: take fewer bet sizes, narrower ranges or "
                "16 bits"
            )


@dataclass(frozen=True)
class Library:
    """A folder of solutions, and the spots that belong there.

    Examples
    --------
    >>> import tempfile
    >>> from riverboat.spots import Library, Spot
    >>> spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     library = Library.of(folder, [spot, spot.changed({"board": "2s3h4d6c8c"})])
    ...     for step in library.solve(target=0.01):
    ...         pass
    ...     [path.name for path in Library.files(folder)]
    ['2s3h4d6c7c.solution', '2s3h4d6c8c.solution']
    """

    folder: Path
    jobs: tuple[Job, ...]

    @classmethod
    def of(cls, folder: Path | str, spots: Sequence[Spot]) -> Library:
        """Make the library of some spots; boards name the files."""
        place = Path(folder)
        if place.exists() and not place.is_dir():
            raise SpotError(f"solutions of many boards go into a folder, and {place} is a file")
        jobs = [Job(spot, SolveFiles.of(place / f"{spot.board}.solution")) for spot in spots]
        return cls(place, tuple(jobs))

    @staticmethod
    def files(folder: Path | str) -> list[Path]:
        """Return the solutions of a folder: those of its index, else all that are there."""
        place = Path(folder)
        index = place / _INDEX
        named = _indexed(index) if is_file(index) else []
        found = [place / name for name in named if is_file(place / name)]
        found = found or sorted(place.glob("*.solution"))
        if not found:
            raise SpotError(f"the folder {place} has no solutions")
        return found

    def forecast(self, **options: Any) -> LibraryForecast:
        """Say what solving will take: `options` are those of `forecast`."""
        plans = [forecast(job.spot, **options) for job in self.jobs]
        return LibraryForecast(
            len(plans),
            sum(plan.seconds for plan in plans),
            max(plan.engine.bytes for plan in plans),
            plans[0].available_bytes,
            plans[0].place.notice,
        )

    def refuse(self, *, resume: bool, force: bool) -> None:
        """Refuse to begin over the files of an earlier run."""
        for job in self.jobs if not (resume or force) else ():
            for path in (job.files.solution, job.files.checkpoint):
                if path.exists():
                    raise SpotError(
                        f"{path} exists: --resume goes on with a run that was stopped, --force "
                        "begins again, or name another folder with --output"
                    )

    def solve(
        self,
        *,
        resume: bool = False,
        force: bool = False,
        **options: Any,
    ) -> Iterator[JobReport]:
        """Solve the spots in turn; yield reports. Ctrl-C ends it, and keeps what there is.

        A graphics card solves small ones first, many at once.

        Parameters
        ----------
        resume
            Whether to go on: what was solved stays, what was stopped goes on from its checkpoint.
        force
            Whether to begin again over old files.
        **options
            Of `solve_file`.
        """
        with self._mine(resume=resume, force=force), Stop() as stop:
            entries = [_entry(job) for job in self.jobs]
            states = [_state(job, options) if resume else "fresh" for job in self.jobs]
            for index, reports in self._runs(states, stop, force or resume, options):
                for report in reports:
                    yield JobReport(index + 1, self.jobs[index], report)
                if states[index] != "solved":
                    entries[index] = _entry(self.jobs[index])
                    self._write_index(entries)
            self._write_index(entries)

    def _runs(
        self, states: Sequence[_State], stop: Stop, force: bool, options: Mapping[str, Any]
    ) -> Iterator[tuple[int, Iterable[SpotReport | None]]]:
        """The reports of each job, by its place: first of those that a card solves at once."""
        fresh = [index for index, state in enumerate(states) if state == "fresh"]
        together = _together([(index, self.jobs[index].spot) for index in fresh], options)
        yield from self._packs(together, stop, options)
        for index in sorted(set(range(len(states))) - set(together)):
            job, state = self.jobs[index], states[index]
            if stop.asked:
                return
            if state == "solved":
                yield index, (None,)
                continue
            begin: Any = {"resume": state == "begun", "force": force, "stop": stop, **options}
            yield index, solve_file(job.spot, job.files.solution, **begin)

    def _packs(
        self, together: Sequence[int], stop: Stop, options: Mapping[str, Any]
    ) -> Iterator[tuple[int, list[SpotReport | None]]]:
        """Have a card solve many at once, and write their files."""
        known, kept = (
            {name: options[name] for name in names if name in options}
            for names in (_TOGETHER, _KEPT)
        )
        spots = [self.jobs[index].spot for index in together]
        waiting = iter(together)
        for solving in solving_many(spots, **known, stopped=lambda: stop.asked):
            # Whoever stops gets fewer, not those at the end alone.
            index = next(each for each in waiting if self.jobs[each].spot is solving.spot)
            keep_solved(solving, self.jobs[index].files.solution, **kept)
            yield index, [solving.report]

    def solve_on_workers(
        self,
        *,
        workers: int | None = None,
        resume: bool = False,
        force: bool = False,
        **options: Any,
    ) -> Iterator[JobReport]:
        """Solve the spots on workers, one core each, those that take longest first.

        They may be those of other machines (`riverboat.runs.working_at`). Reports come as spots
        are solved; what was under way when Ctrl-C came is solved anew by `resume`.

        Parameters
        ----------
        workers
            How many spots are solved at once; by default one a core, as far as memory goes.
        resume, force
            Whether to leave what is solved, or to begin again over old files.
        **options
            Of `solve_file`.
        """
        with self._mine(resume=resume, force=force), Stop() as stop:
            entries = [_entry(job) for job in self.jobs]
            left = []
            for index, job in enumerate(self.jobs):
                if resume and _is_solved(job, options):
                    yield JobReport(index + 1, job, None)
                else:
                    left.append(FarSpot(index, job.spot, options))
            far, memory = self._by_cost(left, options)
            work = run_jobs(
                solve_far, far, workers, name="spot", memory=memory, retries=2, ordered=False,
                stopped=lambda: stop.asked,
            )  # fmt: skip
            with closing(work) as results:
                for done, solution in results:
                    job = self.jobs[done.number]
                    write_far(solution, job.files)
                    entries[done.number] = _entry(job)
                    self._write_index(entries)
                    yield JobReport(done.number + 1, job, solution.report)
            self._write_index(entries)

    def _by_cost(
        self, left: list[FarSpot], options: Mapping[str, Any]
    ) -> tuple[list[FarSpot], int]:
        """Those that take longest first, so that none is left alone at the end; and the memory."""
        known = {name: options[name] for name in ("bits", "schedule", "locks") if name in options}
        plans = {each.number: forecast(each.spot, threads=1, **known) for each in left}
        left = sorted(left, key=lambda each: (-plans[each.number].seconds, each.number))
        return left, max((plan.engine.bytes for plan in plans.values()), default=0)

    @contextmanager
    def _mine(self, *, resume: bool, force: bool) -> Iterator[None]:
        """Keep other runs from the folder; refuse to begin over old files."""
        with locked(self.folder / _INDEX) as mine:
            if not mine:
                raise SpotError(f"another run is writing {self.folder}: wait for it, or end it")
            self.refuse(resume=resume, force=force)
            yield

    def as_dict(self) -> dict[str, Any]:
        """Return what is known of the spots, as plain values."""
        return {"folder": str(self.folder), "spots": [_entry(job) for job in self.jobs]}

    def _write_index(self, entries: Sequence[dict[str, Any]]) -> None:
        head = {"kind": _KIND, "format": _FORMAT, "version": __version__}
        with atomic_path(self.folder / _INDEX) as temporary:
            text = json.dumps({**head, "spots": entries}, indent=1)
            temporary.write_text(text + "\n", encoding="utf-8")


def _entry(job: Job) -> dict[str, Any]:
    """What the index says of a spot."""
    entry: dict[str, Any] = {"board": job.spot.board, "file": job.files.solution.name}
    if not job.files.solution.exists():
        return {**entry, "state": "missing"}
    facts = Solution.open(job.files.solution).facts
    return {
        **entry,
        "state": "stopped" if job.files.checkpoint.exists() else "solved",
        "iterations": facts.iterations,
        "seconds": facts.seconds,
        "exploitability": facts.exploitability,
        "values": list(facts.values),
    }


def _together(spots: Sequence[tuple[int, Spot]], options: Mapping[str, Any]) -> list[int]:
    """Which spots a card solves at once: small ones, where nothing is asked for besides."""
    schedule = options.get("schedule", DEFAULT)
    known = {*_TOGETHER, *_KEPT, "bits"}
    besides = any(value for name, value in options.items() if name not in known)
    on_card = options.get("device", "cpu") != "cpu" and not gpu_notice()
    if besides or not on_card or options.get("bits", 32) != 32:
        return []
    small = [
        index
        for index, spot in spots
        if len(spot.cards) > _FLOP_CARDS
        and forecast(spot, schedule=schedule).engine.table_bytes < _SMALL_BYTES
    ]
    return small if len(small) > 1 else []


def _state(job: Job, options: Mapping[str, Any]) -> _State:
    """How an earlier run left a job."""
    if job.files.checkpoint.exists():
        return "begun"
    return "solved" if _is_solved(job, options) else "fresh"


def _is_solved(job: Job, options: Mapping[str, Any]) -> bool:
    """Whether an earlier run solved a spot as well as is wanted now; refuse another spot's file."""
    files = job.files
    if not files.solution.exists() or files.checkpoint.exists():
        return False
    solution = Solution.open(files.solution)
    facts = solution.facts
    wanted = {
        "spot": (solution.spot, job.spot),
        "bits": (facts.bits, options.get("bits", 32)),
        "locks": (facts.locks, tuple(map(str, options.get("locks", ())))),
        "exploit": (facts.exploited, options.get("exploit") or ""),
    }
    other = [name for name, (found, given) in wanted.items() if found != given]
    if other:
        raise SpotError(
            f"{files.solution} was solved with another {', '.join(other)}: resume with its own, or "
            "begin again with --force"
        )
    return bool(facts.target <= options.get("target", facts.target))


def _indexed(path: Path) -> list[str]:
    """The files that an index names; none of another folder."""
    values = json_value(read_text(path, str(path), SpotError), str(path), SpotError)
    if not isinstance(values, dict) or values.get("kind") != _KIND:
        return []
    spots = values.get("spots")
    entries = spots if isinstance(spots, list) else []
    names = [entry.get("file") for entry in entries if isinstance(entry, dict)]
    return [name for name in names if isinstance(name, str) and Path(name).name == name]
