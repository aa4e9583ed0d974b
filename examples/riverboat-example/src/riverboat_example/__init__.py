"""An example of a package that extends Riverboat: see the entry points in pyproject.toml."""
