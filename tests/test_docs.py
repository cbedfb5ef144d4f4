"""What the documents show works as shown."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted(
    path for path in ROOT.glob("**/*.md") if not {".venv", "node_modules", "var"} & set(path.relative_to(ROOT).parts)
)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_python_sessions_in_documents_run(path):
    failed, _ = doctest.testfile(str(path), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert failed == 0


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_and_pictures_lead_somewhere(path):
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" not in target and not target.startswith("mailto:"):
            assert (path.parent / target).exists(), target


def test_readme_has_an_engine_example():
    examples = doctest.DocTestParser().get_examples((ROOT / "README.md").read_text())
    assert len(examples) >= 4


def test_every_setting_is_documented():
    source = (ROOT / "config" / "settings.py").read_text()
    names = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    documented = (ROOT / "docs" / "settings.md").read_text()
    assert names
    assert {name for name in names if f"`{name}`" not in documented} == set()


def test_every_check_is_documented():
    numbers = set(re.findall(r"config\.[EW]\d{3}", (ROOT / "config" / "checks.py").read_text()))
    documented = (ROOT / "docs" / "settings.md").read_text()
    assert numbers
    assert {number for number in numbers if number not in documented} == set()
