"""Have PostgreSQL itself refuse to rewrite the history of events and the sheets of reports.

What may still change: the status and flags of a report, and references to rows that are deleted. A transaction that
sets `ludoscore.rewriting` (to forget a name) is let through. SQLite has one user, the program, and no trigger.
"""

from django.db import migrations

FUNCTION = """
CREATE FUNCTION ludoscore_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('ludoscore.rewriting', true) = 'on' THEN
        RETURN COALESCE(NEW, OLD);
    END IF;
    IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - TG_ARGV::text[] = to_jsonb(OLD) - TG_ARGV::text[] THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$
"""
MAY_CHANGE = {
    "tournaments_action": ["user_id", "table_id"],
    "scoring_report": ["status", "flags", "user_id"],
}


def protect(apps, editor):
    if editor.connection.vendor != "postgresql":
        return
    editor.execute(FUNCTION, params=None)  # a per cent sign in it is none of ours
    for table, columns in MAY_CHANGE.items():
        arguments = ", ".join(f"'{column}'" for column in columns)
        editor.execute(
            f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION ludoscore_append_only({arguments})"
        )


def unprotect(apps, editor):
    if editor.connection.vendor != "postgresql":
        return
    for table in MAY_CHANGE:
        editor.execute(f"DROP TRIGGER append_only ON {table}")
    editor.execute("DROP FUNCTION ludoscore_append_only()")


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial"), ("tournaments", "0001_initial")]

    operations = [migrations.RunPython(protect, unprotect)]
