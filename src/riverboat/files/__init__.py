"""Files: where they are, whole or not at all, one writer at a time, arrays with checksums.

>>> import tempfile
>>> from pathlib import Path
>>> from riverboat.files import atomic_path
>>> with tempfile.TemporaryDirectory() as folder:
...     with atomic_path(Path(folder) / "note") as temporary:
...         _ = temporary.write_text("whole")
...     (Path(folder) / "note").read_text()
'whole'
"""

from riverboat.files._arrays import ArrayFile, ArrayFileWriter, ArraySpec, let_go
from riverboat.files._atomic import atomic_path
from riverboat.files._locks import alone, locked
from riverboat.files._places import cache_folder, ledger_path

__all__ = [
    "ArrayFile",
    "ArrayFileWriter",
    "ArraySpec",
    "alone",
    "atomic_path",
    "cache_folder",
    "ledger_path",
    "let_go",
    "locked",
]
