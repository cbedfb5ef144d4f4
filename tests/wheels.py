"""Build a wheel of a folder of this project, and install it where only it and the packages it asks for are found."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from packaging.requirements import Requirement

# Nothing of what surrounds the tests: not their settings, not their path, not this checkout as the present folder.
PASSED_ON = ("LANG", "PATH", "PYTHONPYCACHEPREFIX", "TMPDIR")


def build(names: list[str], source: Path, folder: Path) -> Path:
    """Build a wheel from the named files and folders below a source, copied, so that no build leaves traces there."""
    copy = folder / "source"
    copy.mkdir()
    for name in names:
        if (source / name).is_dir():
            shutil.copytree(source / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source / name, copy / name)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    done = subprocess.run(
        [*pip, "--wheel-dir", str(folder), str(copy)], check=False, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    [wheel] = folder.glob("*.whl")
    return wheel


def with_what_they_need(names: list[str]) -> set[Path]:
    """Return the installed files and folders of distributions and of all that they need."""
    found: set[Path] = set()
    todo, seen = list(names), set()
    while todo:
        name = todo.pop()
        seen.add(name)
        distribution = importlib.metadata.distribution(name)
        tops = {file.parts[0] for file in distribution.files or []} - {"..", "__pycache__"}
        found |= {Path(str(distribution.locate_file(top))) for top in tops}
        needed = map(Requirement, distribution.requires or [])
        todo += {each.name for each in needed if not each.marker or each.marker.evaluate({"extra": ""})} - seen
    return found


class Installation:
    """A fresh environment with one wheel, and beside it the packages that the tests themselves run on.

    With `only`, it finds of those no more than the ones named and what they ask for themselves.
    """

    def __init__(self, wheel: Path, folder: Path, only: list[str] | None = None) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.place = folder / "empty"  # where commands run
        venv.create(folder / "venv", symlinks=True)
        self.packages = Path(
            sysconfig.get_path("purelib", vars={"base": str(folder / "venv"), "platbase": str(folder / "venv")})
        )
        for made in (self.home, self.place):
            made.mkdir()
        pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(self.program("python"))]
        subprocess.run(
            [*pip, "install", "--no-deps", "--no-index", "--no-compile", str(wheel)], check=True, timeout=120
        )
        if only is None:
            others = [path for path in sys.path if Path(path).name == "site-packages"]
            (self.packages / "others.pth").write_text("\n".join(others))
        else:
            for path in with_what_they_need(only):
                (self.packages / path.name).symlink_to(path)

    def program(self, name: str) -> Path:
        """Return a program of the environment."""
        return self.folder / "venv" / "bin" / name

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of a user who has just logged in."""
        kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        return {**kept, "HOME": str(self.home), **more}

    def run(self, name: str, *words: str, given: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment in an empty folder."""
        return subprocess.run(
            [str(self.program(name)), *words],
            check=False,
            cwd=self.place,
            env=self.environment(**more),
            input=given,
            capture_output=True,
            text=True,
            timeout=60,
        )
