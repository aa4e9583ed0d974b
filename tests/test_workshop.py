"""Contributors' tools: make targets, CONTRIBUTING.md, and the workflows of a forge."""

import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
if not (ROOT / ".ci").exists():  # an sdist has no workshop
    pytest.skip("not in a checkout", allow_module_level=True)

MAKEFILE = (ROOT / "Makefile").read_text()
# Each target and its commands.
TARGETS = dict(re.findall(r"^([a-z-]+):.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_every_target_is_phony_and_every_word_of_the_page_is_a_target() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony.split() == list(TARGETS)
    page = (ROOT / "CONTRIBUTING.md").read_text()
    named = set(re.findall(r"`make ([a-z-]+)`", page))
    assert named <= set(TARGETS)
    assert set(TARGETS) - named <= {"test"}  # `uv run pytest` is named instead


def test_every_suite_has_a_target_that_selects_it() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]
    markers = [text.partition(":")[0] for text in settings["ini_options"]["markers"]]
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    used = [marker for marker in markers if f"pytest.mark.{marker}" in tests]
    assert {"slow", "peer"} <= set(used)
    targets = {**TARGETS, "test-threads": (ROOT / "scripts" / "sanitize").read_text()}
    for marker in used:
        assert re.search(rf'(pytest|check).* -m "?{marker}\b', targets[f"test-{marker}"])


def test_scripts_of_the_targets_can_be_run() -> None:
    texts = [*TARGETS.values(), (ROOT / ".ci" / "run").read_text()]
    texts += [path.read_text() for path in WORKFLOWS]
    scripts = set(re.findall(r"\bscripts/\w+", "\n".join(texts)))
    assert {"scripts/wheels", "scripts/check_wheel", "scripts/try_wheel"} <= scripts
    for script in scripts:
        assert (ROOT / script).stat().st_mode & 0o111, script


def test_workflows_run_the_checks_and_build_for_linux_and_macos() -> None:
    checks, wheels = (path.read_text() for path in WORKFLOWS)
    assert "bash .ci/run" in checks
    assert "cibuildwheel" in wheels
    assert {"ubuntu", "macos"} <= set(re.findall(r"[a-z]+(?=-\d)", wheels))


@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / "scripts" / "wheels"], ids=lambda p: p.name)
def test_no_host_is_named(path: Path) -> None:
    assert not re.search(r"https?:|\bpypi\b|index-url", path.read_text(), re.IGNORECASE)


def check_wheel(folder: Path) -> tuple[int, list[str]]:
    """Return the exit code and output lines of the script."""
    command = [sys.executable, str(ROOT / "scripts" / "check_wheel"), str(folder)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not result.stderr
    return result.returncode, [line.strip() for line in result.stdout.splitlines()]


def write_wheel(folder: Path, *changes: str) -> None:
    """Write a wheel with all required files; `-name` omits one, other names are added."""
    source = ROOT / "src"
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "riverboat"]
    names = subprocess.run(listed, cwd=source, capture_output=True, text=True, check=True).stdout
    suffix = "cpython-312-x86_64-linux-gnu.so"
    core = [f"riverboat/_core/{name}.{suffix}" for name in ("_baseline", "_cpu", "_x86_64_v3")]
    with ZipFile(folder / "riverboat-0-cp312-cp312-manylinux_2_28_x86_64.whl", "w") as wheel:
        for name in [*names.splitlines(), *core, "riverboat-0.dist-info/RECORD", "riverboat/"]:
            if f"-{name}" not in changes:
                wheel.writestr(name, "")
        for name in changes:
            if not name.startswith("-"):
                wheel.writestr(name, "")


def test_a_whole_wheel_passes(tmp_path: Path) -> None:
    write_wheel(tmp_path)
    assert check_wheel(tmp_path)[0] == 0


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("-riverboat/report/page.html.j2", "riverboat/report/page.html.j2 is missing"),
        (
            "-riverboat/blueprint/data/default.blueprint",
            "riverboat/blueprint/data/default.blueprint is missing",
        ),
        ("-riverboat/_core/_cpu.cpython-312-x86_64-linux-gnu.so", "_cpu is missing"),
        ("riverboat/notes.txt", "riverboat/notes.txt should not be there"),
        (
            "riverboat/_core/_cpu.cpython-311-x86_64-linux-gnu.so",
            "riverboat/_core/_cpu.cpython-311-x86_64-linux-gnu.so is not for cpython-312",
        ),
    ],
)
def test_a_wheel_with_a_fault_is_refused(change: str, fault: str, tmp_path: Path) -> None:
    write_wheel(tmp_path, change)
    code, lines = check_wheel(tmp_path)
    assert (code, lines[1:]) == (1, [fault])


def test_no_wheel_is_a_fault(tmp_path: Path) -> None:
    assert check_wheel(tmp_path) == (1, [f"{tmp_path} has no wheel"])


def script(name: str) -> dict[str, Any]:
    """Return the names defined in a script without running it."""
    return runpy.run_path(str(ROOT / "scripts" / name), run_name="script")


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Solve rivers in batches\n\nBecause of X.\n", ""),
        ("# a comment\nFix the log\n", ""),
        ("\n", "no subject"),
        ("x" * 72, "72 characters"),
        ("Fix the log.", "dot"),
        ("Fix the log\nand more", "blank line"),
    ],
)
def test_subjects_of_commits(message: str, words: str) -> None:
    found = script("check_subject")["fault"](message)
    assert words in found
    assert bool(found) == bool(words)


def test_a_release_dates_the_changelog_and_sets_the_version() -> None:
    release = script("release")
    text = "# Changelog\n\n## Unreleased\n- New.\n\n## 0.1.0 (2026-01-02)\n- Old.\n"
    dated = release["released"](text, "0.2.0", "2026-03-04")
    assert dated.split("\n## ") == [
        "# Changelog\n",
        "Unreleased\n",
        "0.2.0 (2026-03-04)\n- New.\n",
        "0.1.0 (2026-01-02)\n- Old.\n",
    ]
    with pytest.raises(SystemExit, match="nothing under Unreleased"):
        release["released"](dated, "0.3.0", "2026-03-05")
    project = 'name = "riverboat"\nversion = "0.2.0"\n'
    assert release["with_version"](project, "0.3.0") == project.replace("0.2.0", "0.3.0")
    for wrong in ("0.2.0", "0.4.0", "1.2.0", "0.3"):
        with pytest.raises(SystemExit, match="does not follow"):
            release["with_version"](project, wrong)


def test_every_release_of_the_changelog_has_its_date() -> None:
    heads = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert heads[0] == "Unreleased"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)", head) for head in heads[1:])
    release = script("release")
    project = (ROOT / "pyproject.toml").read_text()
    assert release["VERSION"].search(project)
