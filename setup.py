"""What pyproject.toml cannot say: the folders of files, which a wheel keeps together under `ludoscore`."""

from __future__ import annotations

from setuptools import find_packages, setup

PACKAGES = ("api", "config", "core", "demo", "engines", "ops", "play", "scoring", "tournaments", "web")
FILES = ("docs", "locale", "static", "templates")

setup(
    packages=[
        *find_packages(include=[pattern for name in PACKAGES for pattern in (name, f"{name}.*")]),
        *(f"ludoscore.{name}" for name in FILES),
    ],
    package_dir={f"ludoscore.{name}": name for name in FILES},
    package_data={
        "api": ["*.json"],
        "engines": ["py.typed", "data/*.json", "data/*.zip", "*/*.jsonl"],
        **{f"ludoscore.{name}": ["**/*"] for name in FILES},
    },
    include_package_data=False,
)
