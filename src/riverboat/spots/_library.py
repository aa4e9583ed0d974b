"""A library: a folder with the solutions of many boards, and an index."""

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

    #: Yields the index and reports of each spot.
    _Settled = Generator[tuple[int, Iterable[SpotReport]], None, None]

_INDEX: Final = "index.json"
_KIND: Final = "riverboat-library"
_FORMAT: Final = 1
_MOST_BOARDS: Final = 22_100  # all flops
#: Packs on a GPU gain nothing for flops and for larger tables; tests/gpu/h200.log has times of
#: packs and of single solves.
_FLOP_CARDS: Final = 3
_SMALL_BYTES: Final = 16_000_000


def parse_boards(text: str) -> tuple[str, ...]:
    r"""Read boards, separated by commas or line ends; `#` begins a comment.

    Examples
    --------
    >>> parse_boards("Ks7h2d, Td9d6h\nQc 8c 3h  # two clubs")
    ('Ks7h2d', 'Td9d6h', 'Qc8c3h')
    """
    lines = [line.partition("#")[0] for line in text.splitlines()]
    parts = ["".join(part.split()) for line in lines for part in line.split(",")]
    boards = [cards_text(parse_cards(part)) for part in parts if part]
    if not 0 < len(boards) <= _MOST_BOARDS:
        raise SpotError(f"a set must have 1 to {_MOST_BOARDS:,} boards, not {len(boards):,}")
    seen: set[frozenset[int]] = set()
    for board in boards:
        cards = frozenset(parse_cards(board))
        if cards in seen:
            raise SpotError(f"the board {board} is listed twice")
        seen.add(cards)
    return tuple(boards)


_State = Literal["fresh", "begun", "solved"]


class LibrarySpot(NamedTuple):
    """One spot of a library."""

    spot: Spot
    files: SolveFiles


class LibraryReport(NamedTuple):
    """Progress of a library."""

    number: int
    """Number of the job, from 1."""
    job: LibrarySpot
    report: SpotReport | None
    """Report of the job; None if an earlier run had solved it."""


class LibraryForecast(NamedTuple):
    """Estimate of solving a library."""

    spots: int
    seconds: float
    """Estimated seconds to 0.3 % of the pot in each spot."""
    memory_bytes: int
    """Memory of the largest spot."""
    available_bytes: int
    notice: str
    """Why the requested device is not used; empty if it is."""

    def check(self) -> None:
        """Refuse a library whose largest spot does not fit into memory."""
        if self.memory_bytes > self.available_bytes:
            refuse_memory("the largest of these spots", self.memory_bytes, self.available_bytes)


@dataclass(frozen=True)
class Library:
    """A folder of solutions and its spots.

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
        """Return the library of some spots; a file is named after its board."""
        place = Path(folder)
        if place.exists() and not place.is_dir():
            raise SpotError(f"solutions of many boards need a folder, but {place} is a file")
        jobs = [
            LibrarySpot(spot, SolveFiles.of(place / f"{spot.board}.solution")) for spot in spots
        ]
        return cls(place, tuple(jobs))

    @staticmethod
    def files(folder: Path | str) -> list[Path]:
        """Return the solutions of a folder: those in its index, or without one all."""
        place = Path(folder)
        index = place / _INDEX
        named = _indexed(index) if is_file(index) else []
        files = [place / name for name in named if is_file(place / name)]
        files = files or sorted(place.glob("*.solution"))
        if not files:
            raise SpotError(f"the folder {place} has no solutions")
        return files

    def forecast(self, settings: SolveSettings = SolveSettings()) -> LibraryForecast:  # noqa: B008 - frozen
        """Estimate memory and time of solving."""
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
        """Solve the spots in turn; yield reports. Ctrl-C stops and keeps all files.

        A GPU solves small spots first, many at once.

        Parameters
        ----------
        settings
            Settings of each solve.
        against
            With `settings.exploit`: a fixed strategy of the other player.
        resume
            Whether to resume: solved spots are kept, stopped ones continue from their checkpoints.
        force
            Whether to start again and overwrite files.
        plot
            Whether to draw exploitability over time.
        """
        settle = partial(self._solve_here, settings, against, force or resume, plot)
        return self._run(settle, settings, resume, force)

    def _solve_here(  # noqa: PLR0913, PLR0917 - all options of `solve`
        self,
        settings: SolveSettings,
        against: Solution | Imported | None,
        force: bool,
        plot: bool,
        states: Sequence[_State],
        stop: Stop,
    ) -> _Settled:
        """Yield the index and reports of each job; packs on the GPU come first."""
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
        """Solve many spots at once on the GPU, and write their files."""
        spots = [self.jobs[index].spot for index in together]
        waiting = iter(together)
        for solving in solve_many(spots, settings, stop) if spots else ():
            # After a stop spots are missing, not only at the end.
            index = next(place for place in waiting if self.jobs[place].spot is solving.spot)
            yield index, Run(solving, self.jobs[index].files, force=True, plot=plot, stop=stop)

    def solve_on_workers(
        self,
        settings: SolveSettings = SolveSettings(),  # noqa: B008 - frozen
        *,
        workers: int | None = None,
        resume: bool = False,
        force: bool = False,
    ) -> Iterator[LibraryReport]:
        """Solve the spots on workers, one core each, longest first.

        Workers may run on other machines (`riverboat.runs.working_at`). A report follows each
        solved spot; spots interrupted by Ctrl-C start again with `resume`.

        Parameters
        ----------
        settings
            Settings of each solve; always one thread of a CPU.
        workers
            Spots that are solved at once; by default one per core, as far as memory allows.
        resume, force
            Whether to keep solved spots, or to start again and overwrite files.
        """
        settings = settings.changed(threads=1, device="cpu")
        settle = partial(self._solve_on_workers, settings, workers)
        return self._run(settle, settings, resume, force)

    def _solve_on_workers(
        self, settings: SolveSettings, workers: int | None, states: Sequence[_State], stop: Stop
    ) -> _Settled:
        """Yield the index and report of each job that a worker has finished."""
        left = [
            FarSpot(index, job.spot, settings)
            for index, job in enumerate(self.jobs)
            if states[index] != "solved"
        ]
        plans = {job.number: forecast(job.spot, settings) for job in left}
        # Longest first, so that no long solve is left alone at the end.
        left.sort(key=lambda job: (-plans[job.number].seconds, job.number))
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
        """Run the jobs and keep the index up to date."""
        with self._lock_folder(resume=resume, force=force), Stop() as stop:
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
    def _lock_folder(self, *, resume: bool, force: bool) -> Iterator[None]:
        """Lock the folder against other runs; refuse to overwrite files."""
        with locked(self.folder / _INDEX) as mine:
            if not mine:
                raise SpotError(f"another run is writing {self.folder}: wait for it, or stop it")
            for job in () if resume else self.jobs:
                job.files.refuse(force=force)
            yield

    def as_dict(self) -> dict[str, Any]:
        """Return the state of all spots as plain values."""
        return {"folder": str(self.folder), "spots": [_entry(job) for job in self.jobs]}

    def _write_index(self, entries: Sequence[dict[str, Any]]) -> None:
        head = {"kind": _KIND, "format": _FORMAT, "version": __version__}
        with atomic_path(self.folder / _INDEX) as temporary:
            text = json.dumps({**head, "spots": entries}, indent=1)
            temporary.write_text(text + "\n", encoding="utf-8")


def _entry(job: LibrarySpot) -> dict[str, Any]:
    """Entry of a spot in the index."""
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
    """Indices of spots for packs on a GPU: small ones, without special settings."""
    special = (settings.bits, settings.seconds, settings.locks, settings.exploit)
    plain = special == (32, None, (), None) and settings.isomorphism
    if not plain or settings.device == "cpu" or gpu_notice():
        return []
    small = [
        index
        for index, spot in spots
        if len(spot.cards) > _FLOP_CARDS
        and forecast(spot, settings.changed(device="cpu")).engine.table_bytes < _SMALL_BYTES
    ]
    return small if len(small) > 1 else []


def _state(job: LibrarySpot, settings: SolveSettings) -> _State:
    """State of a job after an earlier run."""
    if job.files.checkpoint.exists():
        return "begun"
    return "solved" if _is_solved(job, settings) else "fresh"


def _is_solved(job: LibrarySpot, settings: SolveSettings) -> bool:
    """Whether an earlier run reached the target; refuse a file of another spot or settings."""
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
    other = [name for name, (stored, given) in wanted.items() if stored != given]
    if other:
        raise SpotError(
            f"{files.solution} was solved with another {', '.join(other)}: resume with the "
            "same, or start again with --force"
        )
    return facts.target <= settings.target


def _indexed(path: Path) -> list[str]:
    """File names in an index, without paths to other folders."""
    values = json_value(read_text(path, str(path), SpotError), str(path), SpotError)
    if not isinstance(values, dict) or values.get("kind") != _KIND:
        return []
    spots = values.get("spots")
    entries = spots if isinstance(spots, list) else []
    names = [entry.get("file") for entry in entries if isinstance(entry, dict)]
    return [name for name in names if isinstance(name, str) and Path(name).name == name]
