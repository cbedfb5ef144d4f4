"""How static files are collected for a deployment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class CollectedFiles(CompressedManifestStaticFilesStorage):
    """Files named by their content and compressed; our modules import each other by these names too.

    Django can do that for all scripts or none, and some that packages bring do not survive it.
    """

    imports = (
        (r"""(?P<matched>from "(?P<url>\./[a-z/-]+\.js)")""", 'from "%(url)s"'),
        (r"""(?P<matched>import\("(?P<url>\./[a-z-]+\.js)"\))""", 'import("%(url)s")'),
    )
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("phone/*.js", imports),
        ("projector/*.js", imports),
    )

    def _save(self, name: str, content: Any) -> str:
        """Write a file whole or not at all: what a full disk cut short would be taken for done by the next try."""
        part = f"{name}.part"
        self.delete(part)
        try:
            super()._save(part, content)
            Path(self.path(part)).replace(self.path(name))
        finally:
            self.delete(part)
        return name
