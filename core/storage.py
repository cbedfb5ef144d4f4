"""How static files are collected for a deployment."""

from __future__ import annotations

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
