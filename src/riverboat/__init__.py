"""Riverboat trains, measures and plays Texas Hold'em bots on one ordinary computer."""

__all__ = ["__version__"]

__version__: str


def __getattr__(name: str) -> str:
    # On first use: importlib.metadata is slow to import.
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 - slow to import

        return version("riverboat")
    raise AttributeError(f"module 'riverboat' has no attribute {name!r}")
