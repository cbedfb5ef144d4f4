"""Build a wheel of a folder of this project, and install it where only it and the packages it asks for are found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from tests.documents import ROOT

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


class Installation:
    """A fresh environment with one wheel, and beside it the packages that the tests themselves run on."""

    def __init__(self, wheel: Path, folder: Path) -> None:
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
        others = [path for path in sys.path if Path(path).name == "site-packages" and not ROOT.samefile(path)]
        (self.packages / "others.pth").write_text("\n".join(others))

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
