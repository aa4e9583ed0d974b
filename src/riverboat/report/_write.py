"""A report in a folder, in all the forms that are files."""

from pathlib import Path

import msgspec

from riverboat.files import atomic_path
from riverboat.report._html import html_page
from riverboat.report._markdown import markdown
from riverboat.report._report import Report

#: What `write_report` writes.
REPORT_FILES = ("report.json", "report.md", "report.html")


def write_report(report: Report, folder: Path) -> None:
    """Write a report as JSON, Markdown and HTML, each whole or not at all.

    Examples
    --------
    >>> import tempfile
    >>> report = Report("x", "run x", "A title", "quick", 1, 2.0, "2 cores", "0.1.0", ())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(report, Path(folder))
    ...     (Path(folder) / "report.md").read_text(encoding="utf-8")[:9]
    '# A title'
    """
    forms = (
        msgspec.json.encode(report),
        markdown(report).encode(),
        html_page([report], [folder]).encode(),
    )
    for name, form in zip(REPORT_FILES, forms, strict=True):
        with atomic_path(folder / name) as temporary:
            temporary.write_bytes(form)
