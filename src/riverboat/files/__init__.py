"""Files: atomic writing, locks, arrays with checksums, and limits for untrusted text.

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
from riverboat.files._limits import (
    LONGEST_TEXT,
    JsonLines,
    bounded,
    check_json,
    is_file,
    json_lines,
    json_value,
    read_text,
    toml_table,
)
from riverboat.files._writing import (
    alone,
    atomic_path,
    cache_folder,
    hands_path,
    ledger_path,
    locked,
    row_checksum,
    set_aside,
)

__all__ = [
    "LONGEST_TEXT",
    "ArrayFile",
    "ArrayFileWriter",
    "ArraySpec",
    "JsonLines",
    "alone",
    "atomic_path",
    "bounded",
    "cache_folder",
    "check_json",
    "hands_path",
    "is_file",
    "json_lines",
    "json_value",
    "ledger_path",
    "let_go",
    "locked",
    "read_text",
    "row_checksum",
    "set_aside",
    "toml_table",
]
