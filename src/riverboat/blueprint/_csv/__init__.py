"""Strategies as CSV: the layout of the Cardiff thesis, read and written."""

from riverboat.blueprint._csv._read import CsvReport, CsvStrategy, read_csv
from riverboat.blueprint._csv._write import write_csv

__all__ = ["CsvReport", "CsvStrategy", "read_csv", "write_csv"]
