"""Every page there is, on a phone in the evening and on a desktop by day; `--screenshots` keeps pictures of them.

A route that is neither visited here nor known to show nothing fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.tokens import default_token_generator
from django.core.cache import cache as counted
from django.urls import URLPattern, get_resolver, reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlencode, urlsafe_base64_encode

from engines import GAMES
from scoring.demo.people import names
from tests.browser import DESKTOP, PHONE, Camera, opened
from tests.factories import (
    ClubFactory,
    CredentialFactory,
    DeliveryFactory,
    KeyFactory,
    PlayerFactory,
    SeasonFactory,
    WebhookFactory,
)
from tests.pages.leagues import League, catch_up
from tests.pages.markup import tags
from tests.pages.organisers import event_with, log_in, seated
from tests.pages.phones import link_of
from tests.pages.test_console import report
from tests.pages.test_design import is_inline
from tournaments import links
from tournaments.models import Confirmation, Entry, Event, Format, Membership, Role, Table
from tournaments.services import members, tables

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response

pytestmark = pytest.mark.django_db(transaction=True)

MOST_BYTES = 100_000  # on a first visit, with nothing cached
GRAVE = {"serious", "critical"}
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}  # the other rules ask what does not change by day
TRANSFERRED = """() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
    .reduce((sum, entry) => sum + entry.transferSize, 0)"""
SMALL = """() => [...document.querySelectorAll("a, button, summary, select, input:not([type=hidden])")]
    .filter(element => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".is-replaced"))
    .filter(element => !element.matches(".skip, p > a:not([class]), .document a"))
    .map(element => [element, (element.closest("label.choice") ?? element).getBoundingClientRect()])
    .filter(([, box]) => box.width < 44 || box.height < 44)
    .map(([element]) => element.innerText || element.name || element.outerHTML)"""

# What answers a form, a script or a program, or leads on to a page.
SHOWS_NOTHING = {
    *("pages:logout", "pages:revoke-token", "pages:member", "pages:take-back-invitation", "pages:revoke-key"),
    *("pages:change-entry", "pages:manifest", "pages:worker", "pages:join-people", "pages:personal-link"),
    *("pages:slip", "pages:webhook-rotate", "pages:webhook-test", "pages:webhook-on", "pages:webhook-off"),
    *("pages:webhook-delete", "pages:webhook-redeliver"),
    *("scoring:console-part", "scoring:act-event", "scoring:console-round-part", "scoring:act-round"),
    *("scoring:act-table", "scoring:desk-rank", "scoring:projector-part", "scoring:evening-live"),
    *("scoring:evening-act", "scoring:table-live", "scoring:table-act", "scoring:event-live"),
    *("scoring:embed-club", "scoring:embed-club-picture", "scoring:embed-player-picture", "scoring:club-calendar"),
}


@dataclass(frozen=True)
class Visit:
    """A page, who looks at it (nobody, the organiser, or the phone of an entry), and a button that leads to it."""

    route: str
    path: str
    who: str | Entry = "nobody"
    state: str = ""
    press: str = ""
    status: int = 200

    @property
    def name(self) -> str:
        """What its picture is called."""
        return "-".join([self.route.partition(":")[2], *self.state.lower().split()])


class House:
    """A club with evenings behind it and one in progress, and everybody who looks at its pages."""

    def __init__(self) -> None:
        self.club = ClubFactory(name="Café Meeple", slug="cafe-meeple")
        self.league = League(self.club, [PlayerFactory(name=name) for name in names(0)[:16]])
        Membership.objects.update(role=Role.OWNER)
        self.olga = self.league.organiser.user
        self.season = SeasonFactory(club=self.club, name="House league")
        self.past = self.league.evening(played=3, name="DIX for the title", season=self.season)
        self.tonight = self.league.evening(is_over=False, seed=2, name="DIX tonight", round_minutes=30)
        Event.objects.filter(pk=self.tonight.pk).update(confirmation=Confirmation.CONFIRM)
        self.tables = list(
            Table.objects.filter(round__event=self.tonight, round__number=2)
            .select_related("round__event__club")
            .order_by("number")
        )
        disputed, reported, late, final = self.tables
        report(disputed, 1)
        report(disputed, 2, by=1)
        report(reported)
        tables.nudge(actor=self.league.organiser, table=late)
        Event.objects.filter(pk=self.tonight.pk).update(confirmation=Confirmation.TRUST)
        report(Table.objects.select_related("round__event__club").get(pk=final.pk))
        self.soon = event_with(self.club, 5, name="DIX on Wednesday")
        self.seated = event_with(self.club, 9, name="Sixmix", game="sixmix")
        seated(self.olga, self.seated)
        self.draft = event_with(self.club, 0, name="Dice Run", game="dice-run", status="draft")
        self.open = event_with(self.club, 4, name="Open tables", format=Format.OPEN, status="running")
        self.webhook = WebhookFactory(club=self.club)
        DeliveryFactory(webhook=self.webhook)
        KeyFactory(club=self.club, name="our website")
        CredentialFactory(user=self.olga)
        invited = {"club": self.club, "email": "ines@example.org", "role": Role.ORGANISER, "page": "/"}
        self.invitation = members.invite(actor=self.league.organiser, **invited)[1]
        catch_up()

    def seat(self, table: int, position: int) -> Entry:
        """Return who sits somewhere tonight."""
        return self.tables[table].seats.select_related("entry__event").get(position=position).entry

    def let_in(self, page: Page, who: str | Entry) -> Page:
        """Give a browser what makes it somebody's."""
        if who == "olga":
            return log_in(page, self.olga)
        if isinstance(who, Entry):
            page.goto(f"/me/{link_of(who)}/")
        return page

    def visits(self) -> Iterator[Visit]:
        """Yield every page, some of them in more than one state."""
        yield from self._of_everybody()
        yield from self._of_phones()
        for visit in self._of_the_organiser():
            yield Visit(**{**vars(visit), "who": "olga"})

    def _of_everybody(self) -> Iterator[Visit]:
        slug, player = self.club.slug, self.league.players[0].uid
        user = {"user": urlsafe_base64_encode(force_bytes(self.olga.pk))}
        user["token"] = default_token_generator.make_token(self.olga)
        for name in ("front", "login", "reset-password", "reset-sent", "join", "offline", "styleguide"):
            yield page(f"pages:{name}")
        yield page("pages:set-password", query=user)
        yield page("pages:invitation", query={"secret": self.invitation})
        yield page("pages:invitation", query={"secret": "x"}, state="refused", status=404)
        yield page("pages:join-event", self.soon.join_code)
        yield page("pages:join-event", "222222", state="wrong", status=404)
        for name in ("games", "clubs", "leaderboards", "docs"):
            yield page(f"scoring:{name}")
        yield page("scoring:document", "ratings.md")
        for game in GAMES:
            yield page("scoring:game", game, state=game)
        yield page("scoring:club", slug)
        yield page("scoring:season", self.season.uid)
        yield page("scoring:player", player)
        yield page("scoring:player-game", player, "dix")
        yield page("scoring:leaderboard", "dix")
        yield page("scoring:leaderboard", "sixmix", state="empty")
        yield page("scoring:club-leaderboard", slug, "dix")
        yield page("scoring:event", self.tonight.uid, state="running")
        yield page("scoring:event", self.past.uid, state="finished")
        yield page("scoring:event", self.soon.uid, state="soon")
        yield page("scoring:table", self.tonight.uid, self.tables[3].uid, state="public")
        for event in (self.tonight, self.soon):
            yield page("scoring:projector", event.uid, state=event.status, query={"key": links.projector_key(event)})
        yield Visit("pages:error", "/nowhere/", status=404)

    def _of_phones(self) -> Iterator[Visit]:
        uid, moments = self.tonight.uid, {"differ": (0, 1), "confirm": (1, 2), "play": (2, 1), "final": (3, 1)}
        for state, (table, position) in moments.items():
            who = self.seat(table, position)
            yield page("scoring:evening", uid, who=who, state=state)
            yield page("scoring:table", uid, self.tables[table].uid, who=who, state=state)
        for event in (self.soon, self.seated, self.open, self.past):
            yield page("scoring:evening", event.uid, who=event.entries.first(), state=event.name)

    def _of_the_organiser(self) -> Iterator[Visit]:
        slug, uid = self.club.slug, self.tonight.uid
        disputed, reported, _late, final = (table.uid for table in self.tables)
        for name in ("account", "password", "clubs", "new-club"):
            yield page(f"pages:{name}")
        for name in ("desk", "club-settings", "members", "keys", "club-seasons", "new-event", "webhooks"):
            yield page(f"pages:{name}", slug)
        yield page("pages:club-season", slug, self.season.uid)
        yield page("pages:webhook", slug, self.webhook.uid)
        yield page("pages:new-event", slug, query={"game": "dix"}, state="dix")
        yield page("pages:event-settings", uid)
        yield page("pages:entries", uid)
        yield page("pages:entries", self.draft.uid, state="empty")
        yield page("pages:entry", uid, self.seat(0, 1).uid)
        for event in (self.draft, self.soon, self.seated, self.tonight, self.open, self.past):
            yield page("scoring:console", event.uid, state=event.name)
        yield page("scoring:console-round", uid, 1)
        yield page("scoring:desk", uid, disputed, state="disputed")
        yield page("scoring:desk", uid, reported, state="reported")
        yield page("scoring:desk", uid, final, state="final")
        yield page("scoring:desk-sheet", uid, disputed)
        choose = page("scoring:desk", uid, disputed, press="Choose this sheet")
        yield Visit(**{**vars(choose), "route": "scoring:decide"})
        for name in ("print", "print-poster", "print-standings"):
            yield page(f"scoring:{name}", uid)
        for name in ("print-seating", "print-slips"):
            yield page(f"scoring:{name}", uid, 2)


def page(route: str, *args: object, query: dict[str, str] | None = None, **more: Any) -> Visit:
    """Return a visit to a route."""
    return Visit(route, reverse(route, args=args) + (f"?{urlencode(query)}" if query else ""), **more)


def routes() -> set[str]:
    """Return the names of every route outside the API and the admin."""
    spaces = get_resolver().namespace_dict

    def walk(patterns: list[Any]) -> Iterator[URLPattern]:
        for pattern in patterns:
            yield from [pattern] if isinstance(pattern, URLPattern) else walk(pattern.url_patterns)

    return {f"{space}:{each.name}" for space in ("pages", "scoring") for each in walk(spaces[space][1].url_patterns)}


@cache
def axe() -> Axe:
    """Return what looks for faults of access; it reads a long script once."""
    return Axe()


@pytest.fixture(autouse=True)
def _no_guess_counted() -> Iterator[None]:
    counted.clear()
    yield
    counted.clear()


def go(page: Page, visit: Visit) -> Response:
    """Open a page as if nothing of it had ever been loaded."""
    page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})
    answer = page.goto(visit.path)
    if visit.press:
        with page.expect_response(lambda answer: answer.request.is_navigation_request()) as pressed:
            page.get_by_role("button", name=visit.press).first.click()
        page.wait_for_load_state()
        answer = pressed.value
    return answer


def faults(page: Page, answer: Response, visit: Visit) -> Iterator[str]:
    """Yield what is wrong with a page that was just opened on a phone."""
    if answer.status != visit.status:
        yield f"answers {answer.status}"
    if "unsafe" in answer.headers.get("content-security-policy", "unsafe: there is none"):
        yield "has no strict policy"
    if [tag for tag in tags(answer.text()) if is_inline(tag)]:
        yield "holds something inline"
    if page.locator("h1").count() != 1:
        yield "has not one main heading"
    if (weight := page.evaluate(TRANSFERRED)) >= MOST_BYTES:
        yield f"weighs {weight} bytes"
    if small := page.evaluate(SMALL):
        yield f"has what no thumb hits: {small}"
    yield from faults_of_sight(page, {})


def faults_of_sight(page: Page, options: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with how a page looks at its size and in its colours."""
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        yield "slides sideways"
    for each in axe().run(page, options=options).response["violations"]:
        if each["impact"] in GRAVE:
            yield f"{each['id']}: {each['nodes'][0]['html']}"


def by_day(page: Page) -> Page:
    """Return a page as a desktop shows it in daylight."""
    page.set_viewport_size(DESKTOP["viewport"])
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return page


def by_night(page: Page) -> Page:
    """Return a page as a phone shows it in the evening."""
    page.set_viewport_size(PHONE["viewport"])
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    return page


def test_every_page_is_light_fits_and_keeps_nobody_out(
    browser: Browser, live_server: Any, settings: Any, camera: Camera
) -> None:
    settings.MEDIA_ROOT = "/nowhere"  # else the tests' server answers for documents itself, with their source
    house, found = House(), {}
    visits = list(house.visits())
    assert {visit.route for visit in visits} - {"pages:error"} == routes() - SHOWS_NOTHING
    with ExitStack() as stack:
        pages: dict[str | Entry, Page] = {}
        for visit in visits:
            if visit.who not in pages:
                pages[visit.who] = house.let_in(
                    stack.enter_context(opened(browser, live_server.url, PHONE)), visit.who
                )
            settings.DEBUG = visit.route == "pages:styleguide"
            answer = go(by_night(pages[visit.who]), visit)
            wrong = list(faults(pages[visit.who], answer, visit))
            camera(pages[visit.who], visit.name)
            wrong += [f"by day: {fault}" for fault in faults_of_sight(by_day(pages[visit.who]), COLOURS)]
            camera(pages[visit.who], visit.name)
            if wrong:
                found[visit.name] = wrong
    assert found == {}
