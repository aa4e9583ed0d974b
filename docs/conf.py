"""How the pages become a site: `make docs` (Sphinx, all warnings are errors)."""

from importlib import import_module
from importlib.metadata import version as installed_version
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

project = "Riverboat"
author = "the Riverboat authors"
version = release = installed_version("riverboat")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
exclude_patterns = ["conf.py"]
suppress_warnings = [
    "toc.empty_glob",  # pages that are yet to be written
]

# Pages: the same headings can be linked to as where the repository is read.
myst_heading_anchors = 3

# Reference: what each package's __all__ names, in that order. Backticks stand around code.
default_role = "code"
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
napoleon_google_docstring = False
napoleon_use_rtype = False

# Everything that a page shows is in the site: nothing is fetched.
html_theme = "furo"
html_title = "Riverboat"
html_copy_source = False
html_show_sphinx = False


def _describe_constants(app: Sphinx) -> None:  # noqa: ARG001 - Sphinx gives it
    """Let each package know what is said of its constants where they are defined.

    Sphinx reads the comments of the module that it documents, and a package only hands on what
    its modules define.
    """
    for page in sorted((Path(__file__).parent / "reference").glob("*.md")):
        package = import_module(f"riverboat.{page.stem}")
        modules = iter_modules(getattr(package, "__path__", []), f"{package.__name__}.")
        found: dict[str, list[str]] = {}
        for module in modules:
            said = ModuleAnalyzer.for_module(module.name).find_attr_docs()
            found |= {name: text for (scope, name), text in said.items() if not scope}
        analyzer = ModuleAnalyzer.for_module(package.__name__)
        analyzer.analyze()
        for name in package.__all__:
            if _is_constant(getattr(package, name)):
                analyzer.attr_docs.setdefault(("", name), found.get(name, [""]))


def _is_constant(value: Any) -> bool:
    return not callable(value) or getattr(value, "__module__", "") == "typing"


def setup(app: Sphinx) -> None:
    """Hook into the build."""
    app.connect("builder-inited", _describe_constants)
