"""An event as its organiser and its players call it."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone
from rest_framework.test import APIClient

from tests.api.callers import bearer, club_with_organiser
from tournaments.models import Round, Table


class Evening:
    """An event with its organiser and its players as callers."""

    def __init__(self, **fields):
        self.club, self.organiser = club_with_organiser()
        body = {
            "club": self.club.slug,
            "name": "Wednesday",
            "game": "sixmix",
            "rounds": 4,
            "table_size": {"min": 3, "max": 5, "preferred": 4},
            "starts_at": (timezone.now() - dt.timedelta(minutes=5)).isoformat(),
        } | fields
        self.event = self.organiser.post("/api/v1/events/", body).json()
        self.url = f"/api/v1/events/{self.event['id']}/"
        self.organiser.patch(self.url, {"status": "registration"})
        self.entries = {}

    def join(self, name):
        body = {"name": name, "join_code": self.event["join_code"]}
        response = APIClient().post(f"{self.url}entries/", body)
        assert response.status_code == 201, response.json()
        self.entries[name] = response.json()
        return response.json()

    def enter(self, *names):
        """Enter people by one call of the organiser, where how they come in is not the test's subject."""
        response = self.organiser.post(f"{self.url}entries/bulk/", {"entries": [{"name": name} for name in names]})
        assert response.json()["entered"] == len(names), response.json()
        entered = [row["entry"] for row in response.json()["results"]]
        self.entries |= dict(zip(names, entered, strict=True))
        return entered

    def phone(self, name):
        return bearer(self.entries[name]["token"])

    def seat(self, expect=201, **body):
        response = self.organiser.post(f"{self.url}rounds/", body)
        assert response.status_code == expect, response.json()
        return response.json()

    def patch_round(self, number, expect=200, **body):
        response = self.organiser.patch(f"{self.url}rounds/{number}/", body)
        assert response.status_code == expect, response.json()
        return response.json()

    def close_round(self, number):
        """Have a round over without a result, where how it ends is not the test's subject."""
        current = Round.objects.get(event__uid=self.event["id"], number=number)
        current.tables.update(status=Table.Status.DROPPED)
        Round.objects.filter(pk=current.pk).update(status=Round.Status.CLOSED)

    def finish_round(self, number):
        """Start a round, settle every table by dropping it, and close it: results are not this test's subject."""
        self.patch_round(number, status="running")
        refused = self.patch_round(number, expect=409, status="closed")
        assert refused["code"] == "round-incomplete"
        for table in self.organiser.get(f"{self.url}rounds/{number}/").json()["tables"]:
            change = {"status": "dropped", "reason": "only the seating counts here"}
            assert self.organiser.patch(f"/api/v1/tables/{table['id']}/", change).status_code == 200
        self.patch_round(number, status="closed")
