"""How the pages become a site: `make docs` (Sphinx, all warnings are errors)."""

import re
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

# Pages: the same headings can be linked to as where the repository is read.
myst_heading_anchors = 3

# Reference: what each package's __all__ names. Backticks stand around code.
default_role = "code"
autodoc_default_options = {"members": True}
autodoc_member_order = "groupwise"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_typehints_format = "short"
napoleon_google_docstring = False
napoleon_use_rtype = False

# Everything that a page shows is in the site: nothing is fetched.
html_theme = "furo"
html_title = "Riverboat"
html_copy_source = False
html_show_sphinx = False

_LONGEST_VALUE = 80  # characters of a constant that are worth showing


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
            value = getattr(package, name)
            if _is_constant(value):
                hide = [":meta hide-value:", ""] if len(repr(value)) > _LONGEST_VALUE else []
                analyzer.attr_docs["", name] = [*found.get(name, [""]), *hide]


def _is_constant(value: Any) -> bool:
    return not callable(value) or getattr(value, "__module__", "") == "typing"


def _keep_colons(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:  # noqa: ARG001, PLR0913, PLR0917 - as Sphinx calls it
    """Stop napoleon from taking the words before a colon for a type: an empty comment does."""
    if what in ("attribute", "data", "property") and lines and ":" in lines[0]:
        lines[:0] = ["..", ""]


def _leave_out_missing(app: Any, name: str, source: list[str]) -> None:  # noqa: ARG001 - as Sphinx calls it
    """Take out what the site has not: links to files above, reproductions where there are none."""
    source[0] = re.sub(r"\[([^\]]+)\]\(\.\./[A-Z]+\.md\)", r"\1", source[0])
    if name == "index" and not list((Path(__file__).parent / "reproductions").glob("*.md")):
        source[0] = source[0].replace("\nreproductions/*\n", "\n")


def _name_terms(app: Sphinx, _: Any) -> None:
    """Let other pages link to the terms of the glossary, `glossary.md#runout`."""
    if app.env.docname == "glossary":
        names = re.findall(r'<a id="([^"]+)"></a>', Path(app.env.doc2path("glossary")).read_text())
        slugs = app.env.metadata["glossary"].setdefault("myst_slugs", {})
        slugs.update({name: (0, name, name) for name in names})


def _leave_out_borrowed(app: Any, what: str, name: str, obj: Any, *_: Any) -> bool | None:  # noqa: ARG001 - as Sphinx calls it
    """Describe a name on the page of the package that it comes from, not where it is handed on."""
    page = Path(app.env.docname).name
    home = getattr(obj, "__module__", None) or ""
    ours = home.startswith("riverboat.") and not home.startswith("riverboat._core")
    borrowed = what == "module" and ours and not f"{home}.".startswith(f"riverboat.{page}.")
    return True if borrowed else None


def setup(app: Sphinx) -> None:
    """Hook into the build, before napoleon does."""
    app.connect("autodoc-skip-member", _leave_out_borrowed)
    app.connect("builder-inited", _describe_constants)
    app.connect("source-read", _leave_out_missing)
    app.connect("doctree-read", _name_terms)
    app.connect("autodoc-process-docstring", _keep_colons, priority=400)
