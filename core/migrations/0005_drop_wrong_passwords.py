"""Remove what django-axes kept of wrong passwords: nothing is written down about them any more."""

from __future__ import annotations

from typing import Any

from django.db import migrations

TABLES = (
    "axes_accessattemptexpiration",  # refers to the next
    "axes_accessattempt",
    "axes_accessfailurelog",
    "axes_accesslog",
)


def drop(_apps: Any, editor: Any) -> None:
    for table in TABLES:
        editor.execute(f"DROP TABLE IF EXISTS {table}")


class Migration(migrations.Migration):
    dependencies = [("core", "0004_answer_grants")]
    operations = [migrations.RunPython(drop, migrations.RunPython.noop)]
