"""How static files are collected for a deployment."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from whitenoise.compress import Compressor  # type: ignore[import-untyped]
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


def _draft_of(name: str) -> str:
    """Return what a file is called until it is whole, each time another: two may collect at once."""
    return f"{name}.{secrets.token_hex(4)}.part"


class WholeFiles(Compressor):
    """Compresses files; one that is there is replaced in one step, as pages of a running service ask for it."""

    def write_data(self, path: str, data: bytes, suffix: str, stat_result: os.stat_result) -> str:
        """Write a compressed file whole or not at all."""
        file = f"{path}{suffix}"
        part = Path(_draft_of(file))
        try:
            part.write_bytes(data)
            os.utime(part, (stat_result.st_atime, stat_result.st_mtime))
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)
        return file


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

    def create_compressor(self, **options: Any) -> Compressor:
        """Return what compresses files."""
        return WholeFiles(**options)

    def _save(self, name: str, content: Any) -> str:
        """Write a file whole or not at all: what a full disk cut short would be taken for done by the next try."""
        part = _draft_of(name)
        try:
            super()._save(part, content)
            Path(self.path(part)).replace(self.path(name))
        finally:
            self.delete(part)
        return name
