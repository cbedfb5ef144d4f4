"""Events that everybody plays alone: no page, phone, paper or answer speaks as if to people who sit together."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.services.reports import submit_report
from tests.factories import ClubFactory, EventFactory, MembershipFactory
from tests.scoring.evenings import sheet_of
from tests.web.leagues import catch_up
from tests.web.phones import phone_of, slip_of
from tournaments import links
from tournaments.actors import Actor, Kind
from tournaments.models import Entry, Event, Format, Points, Role, Table

pytestmark = pytest.mark.django_db

LONG = "Alexandre-Maximilien de Montmorency-Laval"
READ_OUT = ("aria-label", "title", "alt", "placeholder", "label")
COMPANY = {
    "en": r"\btables?\b|\bopponents?\b|\bothers\b|\b(another|other|next) player\b|\bseats?\b|\bsits?\b|\bsat\b"
    r"|\b(two|both|all) of you\b|\beach other\b|\btogether\b|\bround \d|\bof 1\b",
    "fr": r"\btables?\b|\badversaires?\b|\b(les|aux|des) autres\b|\bautre joueur\b|\bass(ey|oi|is|ié)\w*"
    r"|\binstallez-vous\b|\bvous deux\b|\bensemble\b|\brondes? \d|\bsur 1\b",
}
OF_THE_DESK = (
    *("console", "entries", "penalties", "event-settings", "copy-event", "event-history", "event", "projector"),
    *("print", "print-poster", "print-sheet", "print-standings", "print-certificates"),
)


class Words(HTMLParser):
    """What of a page is read, or read out."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.is_code = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what is read out, and leave out what is code."""
        self.is_code = tag in {"script", "style"}
        self.said += [value for name, value in attrs if name in READ_OUT and value]

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        if not self.is_code:
            self.said.append(" ".join(data.split()))


class Alone:
    """An event that people play alone, made by its organiser in the pages, and what on them speaks of company."""

    def __init__(self, game: str, language: str) -> None:
        self.language = language
        self.found: list[tuple[str, str]] = []
        self.club = ClubFactory(slug="cafe", name="Café")
        self.desk = Client()
        owner = MembershipFactory(club=self.club, role=Role.OWNER).user
        self.desk.force_login(owner, "django.contrib.auth.backends.ModelBackend")
        address = reverse("web:new-event", args=["cafe"]) + f"?game={game}&variant=solo"
        form = self.look(address, self.desk).context["form"]
        self.desk.post(address, {field.html_name: typed(field.value()) for field in form if field.value()})
        self.event = Event.objects.get()

    def look(self, path: str, client: Client) -> Any:
        """Open a page, and note what on it speaks of company."""
        answer = client.get(path, headers={"accept-language": self.language})
        assert answer.status_code == 200, path
        said = Words(answer.content.decode()).said
        self.found += [(path, text) for text in said if re.search(COMPANY[self.language], text, re.IGNORECASE)]
        return answer

    def move(self, status: str) -> None:
        """Press one of the buttons that move the event on."""
        self.desk.post(reverse("web:act-event", args=[self.event.uid]), {"do": status})
        catch_up()
        self.event.refresh_from_db()
        assert self.event.status == status

    def join(self, name: str) -> Entry:
        """Join as somebody."""
        Client().post(reverse("web:join-event", args=[self.event.join_code]), {"name": name, "key": name})
        return self.event.entries.get(name=name)

    def play(self, entry: Entry) -> Table:
        """Begin a game on somebody's phone: one press, and it is on."""
        phone_of(entry).post(reverse("web:phone-home-act", args=[self.event.uid, "form"]))
        return Table.objects.get(seats__entry=entry, status=Table.Status.PLAYING)

    def look_around(self) -> None:
        """Look at every page of the event as it is now, as its organiser, as each player, by a slip and as anybody."""
        for path, client in [*self._of_the_desk(), *self._of_players(), *self._of_anybody()]:
            self.look(path, client)

    def _page(self, route: str, *more: object) -> str:
        return reverse(f"web:{route}", args=[self.event.uid, *more])

    def _of_the_desk(self) -> Iterator[tuple[str, Client]]:
        yield from ((self._page(route), self.desk) for route in OF_THE_DESK)
        for table in Table.objects.filter(round__event=self.event):
            yield self._page("table-decision", table.uid), self.desk
            yield self._page("print-slips", table.number), self.desk
            yield self._page("print-sheets", table.number), self.desk
        yield self._page("entry", self.event.entries.all()[0].uid), self.desk

    def _of_players(self) -> Iterator[tuple[str, Client]]:
        for entry in self.event.entries.all():
            phone = phone_of(entry)
            yield self._page("phone-home"), phone
            for table in Table.objects.filter(seats__entry=entry):
                yield self._page("table", table.uid), phone
                if not self.event.is_over:
                    yield self._page("table-call", table.uid), phone

    def _of_anybody(self) -> Iterator[tuple[str, Client]]:
        yield self._page("event"), Client()
        yield self._page("event-history"), Client()
        yield self._page("projector") + f"?key={links.projector_key(self.event)}", Client()
        if not self.event.is_over:
            yield reverse("web:join-event", args=[self.event.join_code]), Client()
        for table in Table.objects.filter(round__event=self.event):
            by_slip = Client()
            by_slip.cookies[f"phone-{table.uid}"] = slip_of(table)
            yield self._page("table", table.uid), by_slip


def typed(value: Any) -> Any:
    """Return a value of a form as a browser sends it."""
    if isinstance(value, dt.datetime):
        return value.strftime("%Y-%m-%dT%H:%M")
    return " ".join(map(str, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", ["ten-phases", "dix"])
def test_nothing_in_an_event_for_one_speaks_of_company(game, language):
    alone = Alone(game, language)
    assert (alone.event.format, alone.event.points, alone.event.rated) == (Format.OPEN, Points.SCORE, False)
    assert alone.event.tiebreaks == ["best_table"]
    alone.move("registration")
    ana, long, _waits = map(alone.join, ("Ana", LONG, "Bo"))
    alone.look_around()
    alone.move("running")
    alone.play(ana)
    for number in range(2):
        table = alone.play(long)
        submit_report(actor=Actor(Kind.ENTRY, entry=long), table=table, sheet=sheet_of(table, number))
        assert Table.objects.get(pk=table.pk).status == Table.Status.FINAL
    catch_up()
    alone.look_around()
    submit_report(
        actor=Actor(Kind.ENTRY, entry=ana), table=(table := Table.objects.get(number=1)), sheet=sheet_of(table, 3)
    )
    alone.move("finished")
    alone.look_around()
    assert not alone.found


def test_organiser_begins_a_game_for_somebody():
    alone = Alone("dix", "en")
    alone.move("registration")
    ana = alone.join("Ana")
    alone.move("running")
    page = alone.look(reverse("web:console", args=[alone.event.uid]), alone.desk).content.decode()
    assert f'type="radio" name="who" value="{ana.uid}"' in page
    alone.desk.post(reverse("web:act-event", args=[alone.event.uid]), {"do": "form-table", "who": ana.uid})
    assert Table.objects.get().status == Table.Status.PLAYING


def test_settings_of_an_older_event_for_one_leave_what_they_do_not_show():
    club = ClubFactory()
    desk = Client()
    desk.force_login(MembershipFactory(club=club).user, "django.contrib.auth.backends.ModelBackend")
    fields = {"format": Format.OPEN, "points": Points.SCORE, "rated": False, "status": Event.Status.DRAFT}
    sizes = {"table_min": 1, "table_max": 1, "table_preferred": 1}
    event = EventFactory(club=club, variant="solo", tiebreaks=["wins", "opponents"], **fields, **sizes)
    address = reverse("web:event-settings", args=[event.uid])
    form = desk.get(address).context["form"]
    assert "table_min" not in form.fields
    sent = {field.html_name: typed(field.value()) for field in form if field.value()}
    assert desk.post(address, sent | {"name": "Alone", "tiebreak_2": "best_table"}).status_code == 302
    event.refresh_from_db()
    assert (event.name, event.variant, event.format, event.table_max) == ("Alone", "solo", Format.OPEN, 1)
    assert event.tiebreaks == ["wins", "best_table"]
