"""An example of a package that extends Riverboat: entry points in pyproject.toml name its parts."""
