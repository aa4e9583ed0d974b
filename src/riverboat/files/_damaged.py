"""Damaged files: out of the way, and nothing lost."""

from itertools import count
from pathlib import Path

_FOLDER = "damaged"


def set_aside(path: Path, root: Path) -> Path:
    """Move a damaged file or folder into `root/damaged`, under its path in `root`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "matches" / "a.json"
    ...     file.parent.mkdir()
    ...     file.touch()
    ...     set_aside(file, Path(folder)).relative_to(folder).as_posix(), file.exists()
    ('damaged/matches/a.json', False)
    """
    wanted = root / _FOLDER / path.relative_to(root)
    places = (wanted if not number else f"{wanted}.{number}" for number in count())
    place = next(place for place in map(Path, places) if not place.exists())
    place.parent.mkdir(parents=True, exist_ok=True)
    return path.rename(place)
