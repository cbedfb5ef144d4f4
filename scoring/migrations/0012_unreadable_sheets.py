"""Delete refused sheets and drafts that nobody can read: SQLite took NUL and half characters by a form.

No page shows half a character, and PostgreSQL takes neither, so that such a database could not be moved there. There is
no way back, and none is needed: these sheets count for nothing.
"""

from django.db import migrations
from django.db.models import TextField
from django.db.models.functions import Cast

from core import strict_json


def delete_unreadable(apps, editor):
    for name in ("Attempt", "Draft"):
        rows = apps.get_model("scoring", name).objects
        texts = rows.annotate(text=Cast("sheet", TextField())).values_list("pk", "text").iterator()
        rows.filter(pk__in=[key for key, text in texts if not is_readable(text)]).delete()


def is_readable(text):
    try:
        strict_json.read(text)
    except ValueError:
        return False
    return True


class Migration(migrations.Migration):
    dependencies = [("scoring", "0011_season_steps")]

    operations = [migrations.RunPython(delete_unreadable, migrations.RunPython.noop)]
