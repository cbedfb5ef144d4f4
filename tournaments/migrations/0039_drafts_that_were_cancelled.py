"""Write down which rounds were cancelled while they were drafts: they never closed, and nobody but the club sees them."""

from django.db import migrations


def fill(apps, editor):
    actions = apps.get_model("tournaments", "Action").objects.filter(verb="round-cancelled").order_by("pk")
    rounds = apps.get_model("tournaments", "Round").objects.filter(status="cancelled").exclude(kind="open")
    events = actions.filter(facts__before="draft").order_by().values_list("event", flat=True).distinct()
    for event in list(events):
        said = list(actions.filter(event=event).values_list("facts", flat=True))
        for number in {facts["round"] for facts in said if facts.get("before") == "draft"}:
            # A number is given again once its round is cancelled, so both are in one order.
            before = [facts.get("before") for facts in said if facts.get("round") == number]
            keys = rounds.filter(event=event, number=number).order_by("pk").values_list("pk", flat=True)
            drafts = [key for key, status in zip(keys, before) if status == "draft"]
            rounds.filter(pk__in=drafts).update(closed_at=None)


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0038_looks_of_several_letters"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
