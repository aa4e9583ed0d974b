"""Many spots in one folder: a solution a board with common settings, and an index of them."""

from __future__ import annotations

import json
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from riverboat import __version__
from riverboat.cards import cards_text, parse_cards
from riverboat.errors import SpotError
from riverboat.files import atomic_path, is_file, json_value, locked, read_text
from riverboat.runs import Run, Stop, run_jobs
from riverboat.spots._forecast import forecast, gpu_notice, refuse_memory
from riverboat.spots._many import solve_many
from riverboat.spots._run import FarSpot, SolveFiles, solve_far, solve_file, write_far
from riverboat.spots._settings import SolveSettings
from riverboat.spots._solution import Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from riverboat.spots._follow import Imported
    from riverboat.spots._solve import SpotReport
    from riverboat.spots._spot import Spot

    #: The reports of each spot, by its place.
    _Settled = Generator[tuple[int, Iterable[SpotReport]], None, None]

_INDEX: Final = "index.json"
_KIND: Final = "riverboat-library"
_FORMAT: Final = 1
_MOST_BOARDS: Final = 22_100  # all flops
#: Flops, and others with larger tables, have nothing to gain: tests/gpu/h200.log has times, at once
#: and in turn.
_FLOP_CARDS: Final = 3
_SMALL_BYTES: Final = 16_000_000


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


class LibrarySpot(NamedTuple):
    """One spot of a library."""

    spot: Spot
    files: SolveFiles


class LibraryReport(NamedTuple):
    """How a library stands."""

    number: int
    """Which of its jobs, from 1."""
    job: LibrarySpot
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
            refuse_memory("the largest of these spots", self.memory_bytes, self.available_bytes)


@dataclass(frozen=True)
class Library:
    """A folder of solutions, and the spots that belong there.

    Examples
    --------
    >>> import tempfile
    >>> from riverboat.spots import Library, SolveSettings, Spot
    >>> spot = Spot(board="2s3h4d6c7c", pot=20, stack=10, oop="AsAh, QsQh", ip="KsKh", menu="a")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     library = Library.of(folder, [spot, spot.changed({"board": "2s3h4d6c8c"})])
    ...     for step in library.solve(SolveSettings(target=0.01)):
    ...         pass
    ...     [path.name for path in Library.files(folder)]
    ['2s3h4d6c7c.solution', '2s3h4d6c8c.solution']
    """

    folder: Path
    jobs: tuple[LibrarySpot, ...]

    @classmethod
    def of(cls, folder: Path | str, spots: Sequence[Spot]) -> Library:
        """Make the library of some spots; boards name the files."""
        place = Path(folder)
        if place.exists() and not place.is_dir():
            raise SpotError(f"solutions of many boards go into a folder, and {place} is a file")
        jobs = [
            LibrarySpot(spot, SolveFiles.of(place / f"{spot.board}.solution")) for spot in spots
        ]
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

    def forecast(self, settings: SolveSettings = SolveSettings()) -> LibraryForecast:  # noqa: B008 - frozen
        """Say what solving will take."""
        plans = [forecast(job.spot, settings) for job in self.jobs]
        return LibraryForecast(
            len(plans),
            sum(plan.seconds for plan in plans),
            max(plan.engine.bytes for plan in plans),
            plans[0].available_bytes,
            plans[0].place.notice,
        )

    def solve(
        self,
        settings: SolveSettings = SolveSettings(),  # noqa: B008 - frozen
        *,
        against: Solution | Imported | None = None,
        resume: bool = False,
        force: bool = False,
        plot: bool = True,
    ) -> Iterator[LibraryReport]:
        """Solve the spots in turn; yield reports. Ctrl-C ends it, and keeps what there is.

        A graphics card solves small ones first, many at once.

        Parameters
        ----------
        settings
            How each is solved.
        against
            With `settings.exploit`: the other player's strategy.
        resume
            Whether to go on: what was solved stays, what was stopped goes on from its checkpoint.
        force
            Whether to begin again over old files.
        plot
            Whether exploitability is drawn against time.
        """
        settle = partial(self._here, settings, against, force or resume, plot)
        return self._run(settle, settings, resume, force)

    def _here(  # noqa: PLR0913, PLR0917 - all that `solve` was given
        self,
        settings: SolveSettings,
        against: Solution | Imported | None,
        force: bool,
        plot: bool,
        states: Sequence[_State],
        stop: Stop,
    ) -> _Settled:
        """The reports of each job, by its place: first of those that a card solves at once."""
        fresh = [(i, job.spot) for i, job in enumerate(self.jobs) if states[i] == "fresh"]
        together = [] if against else _together(fresh, settings)
        yield from self._packs(together, settings, stop, plot)
        for index, (job, state) in enumerate(zip(self.jobs, states, strict=True)):
            if stop.asked:
                return
            if state == "solved" or index in together:
                continue
            resume = state == "begun"
            yield index, solve_file(
                job.spot, job.files.solution, settings,
                against=against, resume=resume, force=force and not resume, plot=plot, stop=stop,
            )  # fmt: skip

    def _packs(
        self, together: Sequence[int], settings: SolveSettings, stop: Stop, plot: bool
    ) -> _Settled:
        """Have a card solve many at once, and write their files."""
        spots = [self.jobs[index].spot for index in together]
        waiting = iter(together)
        for solving in solve_many(spots, settings, stop) if spots else ():
            # Whoever stops gets fewer, not those at the end alone.
            index = next(each for each in waiting if self.jobs[each].spot is solving.spot)
            yield index, Run(solving, self.jobs[index].files, force=True, plot=plot, stop=stop)

    def solve_on_workers(
        self,
        settings: SolveSettings = SolveSettings(),  # noqa: B008 - frozen
        *,
        workers: int | None = None,
        resume: bool = False,
        force: bool = False,
    ) -> Iterator[LibraryReport]:
        """Solve the spots on workers, one core each, those that take longest first.

        They may be those of other machines (`riverboat.runs.working_at`). Reports come as spots
        are solved; what was under way when Ctrl-C came is solved anew by `resume`.

        Parameters
        ----------
        settings
            How each is solved; by one thread of a CPU.
        workers
            How many spots are solved at once; by default one a core, as far as memory goes.
        resume, force
            Whether to leave what is solved, or to begin again over old files.
        """
        settings = settings.changed(threads=1, device="cpu")
        return self._run(partial(self._there, settings, workers), settings, resume, force)

    def _there(
        self, settings: SolveSettings, workers: int | None, states: Sequence[_State], stop: Stop
    ) -> _Settled:
        """The report of each job that a worker has done."""
        left = [
            FarSpot(index, job.spot, settings)
            for index, job in enumerate(self.jobs)
            if states[index] != "solved"
        ]
        plans = {each.number: forecast(each.spot, settings) for each in left}
        # Those that take longest first, so that none is left alone at the end.
        left.sort(key=lambda each: (-plans[each.number].seconds, each.number))
        memory = max((plan.engine.bytes for plan in plans.values()), default=0)
        work = run_jobs(
            solve_far, left, workers, name="spot", memory=memory, retries=2, ordered=False,
            stopped=lambda: stop.asked,
        )  # fmt: skip
        with closing(work) as results:
            for done, solution in results:
                write_far(solution, self.jobs[done.number].files)
                yield done.number, [solution.report]

    def _run(
        self,
        settle: Callable[[Sequence[_State], Stop], _Settled],
        settings: SolveSettings,
        resume: bool,
        force: bool,
    ) -> Iterator[LibraryReport]:
        """Have the jobs done, and keep the index up to date."""
        with self._mine(resume=resume, force=force), Stop() as stop:
            entries = [_entry(job) for job in self.jobs]
            states = [_state(job, settings) if resume else "fresh" for job in self.jobs]
            for index, state in enumerate(states):
                if state == "solved":
                    yield LibraryReport(index + 1, self.jobs[index], None)
            with closing(settle(states, stop)) as done:
                for index, reports in done:
                    for report in reports:
                        yield LibraryReport(index + 1, self.jobs[index], report)
                    entries[index] = _entry(self.jobs[index])
                    self._write_index(entries)
            self._write_index(entries)

    @contextmanager
    def _mine(self, *, resume: bool, force: bool) -> Iterator[None]:
        """Keep other runs from the folder; refuse to begin over old files."""
        with locked(self.folder / _INDEX) as mine:
            if not mine:
                raise SpotError(f"another run is writing {self.folder}: wait for it, or end it")
            for job in () if resume else self.jobs:
                job.files.refuse(force=force)
            yield

    def as_dict(self) -> dict[str, Any]:
        """Return what is known of the spots, as plain values."""
        return {"folder": str(self.folder), "spots": [_entry(job) for job in self.jobs]}

    def _write_index(self, entries: Sequence[dict[str, Any]]) -> None:
        head = {"kind": _KIND, "format": _FORMAT, "version": __version__}
        with atomic_path(self.folder / _INDEX) as temporary:
            text = json.dumps({**head, "spots": entries}, indent=1)
            temporary.write_text(text + "\n", encoding="utf-8")


def _entry(job: LibrarySpot) -> dict[str, Any]:
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


def _together(spots: Sequence[tuple[int, Spot]], settings: SolveSettings) -> list[int]:
    """Which spots a card solves at once: small ones, where nothing is asked for besides."""
    besides = (settings.bits, settings.seconds, settings.locks, settings.exploit)
    whole = besides == (32, None, (), None) and settings.isomorphism
    if not whole or settings.device == "cpu" or gpu_notice():
        return []
    small = [
        index
        for index, spot in spots
        if len(spot.cards) > _FLOP_CARDS
        and forecast(spot, settings.changed(device="cpu")).engine.table_bytes < _SMALL_BYTES
    ]
    return small if len(small) > 1 else []


def _state(job: LibrarySpot, settings: SolveSettings) -> _State:
    """How an earlier run left a job."""
    if job.files.checkpoint.exists():
        return "begun"
    return "solved" if _is_solved(job, settings) else "fresh"


def _is_solved(job: LibrarySpot, settings: SolveSettings) -> bool:
    """Whether an earlier run solved a spot as well as is wanted now; refuse another spot's file."""
    files = job.files
    if not files.solution.exists() or files.checkpoint.exists():
        return False
    solution = Solution.open(files.solution)
    facts = solution.facts
    wanted = {
        "spot": (solution.spot, job.spot),
        "bits": (facts.bits, settings.bits),
        "locks": (facts.locks, settings.locks),
        "exploit": (facts.exploited, settings.exploit or ""),
    }
    other = [name for name, (found, given) in wanted.items() if found != given]
    if other:
        raise SpotError(
            f"{files.solution} was solved with another {', '.join(other)}: resume with its own, or "
            "start again with --force"
        )
    return facts.target <= settings.target


def _indexed(path: Path) -> list[str]:
    """The files that an index names; none of another folder."""
    values = json_value(read_text(path, str(path), SpotError), str(path), SpotError)
    if not isinstance(values, dict) or values.get("kind") != _KIND:
        return []
    spots = values.get("spots")
    entries = spots if isinstance(spots, list) else []
    names = [entry.get("file") for entry in entries if isinstance(entry, dict)]
    return [name for name in names if isinstance(name, str) and Path(name).name == name]
