"""Every page there is, on a phone in the evening and on a desktop by day; `--screenshots` keeps pictures of them.

A route that is neither visited here nor known to show nothing fails.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.tokens import default_token_generator
from django.templatetags.static import static
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlencode, urlsafe_base64_encode

from core.models import User
from demo.people import names
from demo.programme import HARBOUR
from engines import GAMES
from engines.simulation import Plan, play_game
from play.services import challenges, games
from play.services.games import Phone
from tests.browser import DESKTOP, PHONE, Camera, opened
from tests.factories import (
    ClubFactory,
    CredentialFactory,
    DeliveryFactory,
    KeyFactory,
    MergeRequestFactory,
    PlayerFactory,
    SeasonFactory,
    TableRecordFactory,
    UserFactory,
    WebhookFactory,
)
from tests.play.people import ALIX, ALONE, BO, PRACTICE, play_on
from tests.web.accounts.test_second_factor import first_step, protect
from tests.web.console.test_console import report
from tests.web.leagues import League, catch_up
from tests.web.markup import tags
from tests.web.organisers import event_with, log_in, seated, with_session
from tests.web.phones import link_of
from tests.web.test_design import is_inline
from tournaments import links
from tournaments.access import usage
from tournaments.models import Confirmation, Entry, Event, Format, Membership, Role, Table
from tournaments.services import members, tables
from tournaments.services.games import define_game, share_game
from web.play.base import COOKIE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response

pytestmark = pytest.mark.django_db(transaction=True)

PLAYER = Phone("a-phone-on-which-somebody-plays")
ONE = {each.game: each for each in (ALONE, ALIX, PRACTICE[1], PRACTICE[-1])}

MOST_BYTES, MOST_BYTES_WITH_FONTS = 100_000, 160_000  # on a first visit, with nothing cached
PRIZES = [
    {"kind": "place", "place": 1, "name": "A box of six wooden dice and a leather cup"},
    {"kind": "best_sheet", "name": "A golden pen"},
    {"kind": "free", "name": "Nicest hat", "entry": None},
]
GRAVE = {"serious", "critical"}
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}  # the other rules ask what does not change by day
# Describing what is in order, element by element, would take most of the time.
VIOLATIONS = """async options => (await axe.run(document, { ...options, resultTypes: ["violations"] })).violations"""
# Counted as transferSize counts, a lump sum for headers and all, but also for what the browser still had in memory.
# Each address once: its cache is off so that every visit is a first one, and on a busy machine a page may ask for the
# same font twice, which a phone has by then. Of the fonts those of our own letters: who sits at a table, and so which
# others are needed for their names, is up to chance.
TRANSFERRED = """async () => {
    await document.fonts.ready;
    const loaded = ["resource", "navigation"].flatMap(kind => performance.getEntriesByType(kind));
    // What an open page asks again and again is no part of a first visit: on a slow machine it has asked by now.
    const isPolled = entry => /\\/(live|news)\\/$/.test(new URL(entry.name).pathname);
    const once = loaded.filter(entry => !isPolled(entry));
    const entries = [...new Map(once.map(entry => [entry.name, entry])).values()];
    const weigh = isWeighed => entries.filter(isWeighed).reduce((sum, entry) => sum + entry.encodedBodySize + 300, 0);
    const isFont = entry => entry.name.endsWith(".woff2");
    return [weigh(entry => !isFont(entry)), weigh(entry => isFont(entry) && /-latin\\.[^-]+$/.test(entry.name))];
}"""
SMALL = """() => [...document.querySelectorAll("a, button, summary, select, input:not([type=hidden])")]
    .filter(element => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".is-replaced"))
    .filter(element => !element.matches(".skip, p > a:not([class]), .document a"))
    .map(element => [element, (element.closest("label.choice") ?? element).getBoundingClientRect()])
    .filter(([, box]) => box.width < 44 || box.height < 44)
    .map(([element]) => element.innerText || element.name || element.outerHTML)"""
# Stands in for every font of a machine: its letters take next to no room, so only what a component asks for is left.
NARROW = """async font => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@font-face { font-family: Narrow; src: url("${font}"); size-adjust: 1%; }
        * { font-family: Narrow !important; }`);
    document.adoptedStyleSheets.push(sheet);
    await document.fonts.load("1em Narrow");
}"""

# What answers a form, a script or a program, or leads on to a page.
SHOWS_NOTHING = {
    *("web:logout", "web:end-session", "web:end-other-sessions", "web:revoke-token", "web:member"),
    *("web:take-back-invitation", "web:revoke-key", "web:answer-merge"),
    *("web:change-entry", "web:manifest", "web:worker", "web:join-people"),
    *(
        "web:sign-up-people",
        "web:act-entries",
        "web:act-person",
        "web:export-person",
        "web:start",
    ),  # the last needs a service without any account
    *("web:slip", "web:webhook-rotate", "web:webhook-test", "web:webhook-on", "web:webhook-off"),
    *("web:webhook-delete", "web:webhook-redeliver", "web:take-back-penalty"),
    *("web:preview-game", "web:share-game", "web:unshare-game", "web:remove-game", "web:club-game-file"),
    *("web:phone-home-news", "web:table-news", "web:event-news", "web:console-news", "web:projector-news"),
    *("web:console-part", "web:act-event", "web:console-round-part", "web:act-round"),
    *("web:act-table", "web:table-decision-rank", "web:projector-part", "web:phone-home-live"),
    *("web:phone-home-act", "web:table-live", "web:table-act", "web:event-live"),
    *("web:solo-sign", "web:embed-challenge", "web:embed-club-challenge"),
    *("web:embed-club", "web:embed-event", "web:embed-club-picture", "web:embed-player-picture", "web:club-calendar"),
    *("web:event-picture", "web:table-picture", "web:player-picture", "web:club-picture"),
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
        self.league = League(self.club, [PlayerFactory(name=name) for name in names(0)[19:35]])  # in a dozen scripts
        Membership.objects.update(role=Role.OWNER)
        self.olga = self.league.organiser.user
        User.objects.filter(pk=self.olga.pk).update(is_superuser=True)  # who also may found clubs
        for number, side in enumerate(("gone", "kept")):
            MergeRequestFactory(**{side: PlayerFactory(name=names(1)[number], club=self.club)})
        self.season = SeasonFactory(club=self.club, name="House league")
        game = define_game(actor=self.league.organiser, club=self.club, definition=HARBOUR)
        self.game = share_game(actor=self.league.organiser, game=game)
        before = timezone.now() - dt.timedelta(days=60)
        self.league.evening(name="DIX to begin with", season=self.season, starts_at=before, seed=3)
        self.past = self.league.evening(played=3, name="DIX for the title", season=self.season, prizes=PRIZES)
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
        self.drafted = event_with(self.club, 8, name="A draft", format=Format.ROTATION)
        seated(self.olga, self.drafted, is_draft=True)
        self.ahead = event_with(self.club, 12, name="Ahead", sign_up_ahead=True, most_entries=11)
        _here, *others = self.ahead.entries.order_by("pk")
        Entry.objects.filter(pk__in=[each.pk for each in others]).update(status="registered")
        Entry.objects.filter(pk=others[-1].pk).update(status="waiting", waiting_since=timezone.now())
        self.draft = event_with(self.club, 0, name="Dice Run", game="dice-run", status="draft")
        self.open = event_with(self.club, 4, name="Open tables", format=Format.OPEN, status="running")
        self.webhook = WebhookFactory(club=self.club)
        self.key = KeyFactory(club=self.club, scope="results events", expires_at=timezone.now() + dt.timedelta(days=9))
        usage.note(self.key.pk, "POST", "api/v1/clubs/<slug:slug>/webhooks/<slug:uid>/deliveries/", 403)
        usage.write()
        DeliveryFactory(webhook=self.webhook)
        KeyFactory(club=self.club, name="our website")
        CredentialFactory(user=self.olga)
        self.pia = UserFactory(name="Pia")
        protect(self.pia)
        invited = {"club": self.club, "email": "ines@example.org", "role": Role.ORGANISER, "page": "/"}
        self.invitation = members.invite(actor=self.league.organiser, **invited)[1]
        self.solo = {
            each.game: games.start_game(phone=PLAYER, setup=each) for each in (ALONE, ALIX, PRACTICE[1], PRACTICE[-1])
        }
        self.replays = {game: play_on(games.start_game(phone=BO, setup=ONE[game])) for game in ONE}
        self.tried = play_on(games.start_challenge(phone=PLAYER, challenge=challenges.challenge_of(game="dix")))
        self.result = TableRecordFactory(**_record_of(self.tables[3]))
        catch_up()

    def seat(self, table: int, position: int) -> Entry:
        """Return who sits somewhere tonight."""
        return self.tables[table].seats.select_related("entry__event").get(position=position).entry

    def let_in(self, page: Page, who: str | Entry) -> Page:
        """Give a browser what makes it somebody's."""
        if who in {"olga", "pia"}:
            return log_in(page, self.olga if who == "olga" else self.pia)
        if who == "pia without a code":
            client = Client()
            first_step(client, self.pia)
            return with_session(page, client)
        if who == "a player":
            page.goto("/")
            page.context.add_cookies([{"name": COOKIE, "value": PLAYER.secret, "url": page.url}])
        if isinstance(who, Entry):
            page.goto(f"/me/{link_of(who)}/")
        return page

    def visits(self) -> dict[str, list[Visit]]:
        """Return every page by who looks at it, some of them in more than one state."""
        of_the_organiser = [Visit(**{**vars(visit), "who": "olga"}) for visit in self._of_the_organiser()]
        return {
            "everybody": list(self._of_everybody()),
            "players and the organiser": [*self._of_phones(), *of_the_organiser],
        }

    def _of_everybody(self) -> Iterator[Visit]:
        slug, player = self.club.slug, self.league.players[0].uid
        user = {"user": urlsafe_base64_encode(force_bytes(self.olga.pk))}
        user["token"] = default_token_generator.make_token(self.olga)
        for name in ("front", "login", "reset-password", "reset-sent", "join", "offline", "styleguide"):
            yield page(f"web:{name}")
        yield page("web:set-password", query=user)
        yield page("web:login-code", who="pia without a code")
        yield page("web:second-factor", who="pia", state="on")
        yield page("web:invitation", query={"secret": self.invitation})
        yield page("web:invitation", query={"secret": "x"}, state="refused", status=404)
        yield page("web:join-event", self.soon.join_code)
        yield page("web:join-event", "222222", state="wrong", status=404)
        for name in ("games", "clubs", "leaderboards", "docs"):
            yield page(f"web:{name}")
        yield page("web:document", "ratings.md")
        for game in GAMES:
            yield page("web:game", game, state=game)
            yield page("web:game-sheet", game, state=game)
            yield page("web:begin", game, state=game)
            yield page("web:solo", self.solo[game].uid, who="a player", state=game)
            yield page("web:solo-replay", self.replays[game].uid, state=game, query={"move": "40"})
        yield page("web:play", who="a player")
        yield page("web:solo", self.tried.uid, who="a player", state="over")
        yield page("web:challenge", "dix", who="a player")
        yield page("web:club-challenge", slug, "ten-phases")
        yield page("web:record")
        yield page("web:table-record", self.tonight.uid, self.tables[3].uid)
        yield page("web:club", slug)
        yield page("web:club-events", slug)
        yield page("web:season", self.season.uid)
        yield page("web:player", player)
        yield page("web:player-game", player, "dix")
        yield page("web:leaderboard", "dix")
        yield page("web:leaderboard", "sixmix", state="empty")
        yield page("web:club-leaderboard", slug, "dix")
        yield page("web:event", self.tonight.uid, state="running")
        yield page("web:event", self.past.uid, state="finished")
        yield page("web:event", self.soon.uid, state="soon")
        yield page("web:event-history", self.past.uid)
        yield page("web:event", self.ahead.uid, state="ahead")
        yield page("web:sign-up", self.ahead.uid)
        yield page("web:table", self.tonight.uid, self.tables[3].uid, state="public")
        for event in (self.tonight, self.soon, self.past):
            yield page("web:projector", event.uid, state=event.status, query={"key": links.projector_key(event)})
        yield Visit("web:error", "/nowhere/", status=404)

    def _of_phones(self) -> Iterator[Visit]:
        uid, moments = self.tonight.uid, {"differ": (0, 1), "confirm": (1, 2), "play": (2, 1), "final": (3, 1)}
        for state, (table, position) in moments.items():
            who = self.seat(table, position)
            yield page("web:phone-home", uid, who=who, state=state)
            yield page("web:table", uid, self.tables[table].uid, who=who, state=state)
        yield page("web:table-call", uid, self.tables[2].uid, who=self.seat(2, 1))
        yield page("web:attach-record", uid, self.tables[3].uid, who=self.seat(3, 1))
        yield page("web:personal-link", link_of(self.seat(2, 2)), who=self.seat(2, 1), state="of another")
        for event in (self.soon, self.seated, self.open, self.past):
            yield page("web:phone-home", event.uid, who=event.entries.first(), state=event.name)
        signed_up, *_others, waiting = self.ahead.entries.exclude(status="checked_in").order_by("pk")
        yield page("web:phone-home", self.ahead.uid, who=signed_up, state="signed up")
        yield page("web:phone-home", self.ahead.uid, who=waiting, state="waiting")
        yield page("web:join-event", self.ahead.join_code, who=signed_up, state="at the door")

    def _of_the_organiser(self) -> Iterator[Visit]:
        slug, uid = self.club.slug, self.tonight.uid
        disputed, reported, _late, final = (table.uid for table in self.tables)
        for name in ("account", "password", "second-factor", "organise", "new-club", "merges"):
            yield page(f"web:{name}")
        for name in (
            "organise-club",
            "club-settings",
            "members",
            "keys",
            "club-seasons",
            "new-event",
            "webhooks",
            "club-files",
        ):
            yield page(f"web:{name}", slug)
        yield page("web:club-season", slug, self.season.uid)
        yield page("web:penalties", uid)
        yield page("web:people", slug)
        yield page("web:import-people", slug)
        ana, bo = self.club.players.filter(home=self.club, merged_into=None).order_by("pk")[:2]
        yield page("web:club-person", slug, ana.uid, query={"other": bo.name})
        yield page("web:merge-people", slug, ana.uid, bo.uid)
        yield page("web:webhook", slug, self.webhook.uid)
        yield page("web:key", slug, self.key.uid)
        yield page("web:new-event", slug, query={"game": "dix"}, state="dix")
        yield page("web:own-games", slug)
        yield page("web:new-game", slug)
        yield page("web:new-game", slug, query={"from": "building"}, state="building")
        yield page("web:own-game", slug, "harbour")
        yield page("web:club-game", slug, "harbour", query={"example": "1"})
        yield page("web:club-game-sheet", slug, "harbour")
        yield page("web:shared-game", self.game.link)
        yield page("web:event-settings", uid)
        yield page("web:entries", uid)
        yield page("web:entries", self.draft.uid, state="empty")
        yield page("web:entries", self.ahead.uid, state="check-in")
        yield page("web:copy-event", uid)
        yield page("web:entry", uid, self.seat(0, 1).uid)
        for event in (self.draft, self.soon, self.drafted, self.seated, self.tonight, self.open, self.past):
            yield page("web:console", event.uid, state=event.name)
        yield page("web:console-round", uid, 1)
        yield page("web:table-decision", uid, disputed, state="disputed")
        yield page("web:table-decision", uid, reported, state="reported")
        yield page("web:table-decision", uid, final, state="final")
        yield page("web:table-decision-sheet", uid, disputed)
        choose = page("web:table-decision", uid, disputed, press="Choose this sheet")
        yield Visit(**{**vars(choose), "route": "web:decide"})
        for name in ("print", "print-poster", "print-sheet", "print-standings"):
            yield page(f"web:{name}", uid)
        yield page("web:print-plan", self.drafted.uid)
        yield page("web:print-certificates", self.past.uid)
        for name in ("print-seating", "print-slips", "print-sheets"):
            yield page(f"web:{name}", uid, 2)


def _record_of(table: Table) -> dict[str, Any]:
    """Return what a table keeps of a record that is as long as that of its game."""
    final = table.reports.get(status="final")
    seats = final.sheet["seats"]
    played = play_game(Plan(table.round.event.game, table.variant, len(seats), 1), 1)
    return {"table": table, "seats": seats, "moves": played.record["moves"], "minimal": final.minimal}


def page(route: str, *args: object, query: dict[str, str] | None = None, **more: Any) -> Visit:
    """Return a visit to a route."""
    return Visit(route, reverse(route, args=args) + (f"?{urlencode(query)}" if query else ""), **more)


def routes() -> set[str]:
    """Return the names of every route outside the API and the admin."""

    def walk(patterns: list[Any]) -> Iterator[URLPattern]:
        for pattern in patterns:
            yield from [pattern] if isinstance(pattern, URLPattern) else walk(pattern.url_patterns)

    return {f"web:{each.name}" for each in walk(get_resolver().namespace_dict["web"][1].url_patterns)}


@cache
def axe_script() -> str:
    """Return the script that looks for faults of access."""
    script: str = Axe().axe_script
    return script


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
    without_fonts, fonts = page.evaluate(TRANSFERRED)
    if without_fonts >= MOST_BYTES or without_fonts + fonts >= MOST_BYTES_WITH_FONTS:
        yield f"weighs {without_fonts} bytes, and {fonts} of fonts"
    if small := page.evaluate(SMALL):
        yield f"has what no thumb hits: {small}"
    yield from faults_of_sight(page, {})


def faults_of_sight(page: Page, options: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with how a page looks at its size and in its colours."""
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        yield "slides sideways"
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe_script())
    for each in page.evaluate(VIOLATIONS, options):
        if each["impact"] in GRAVE:
            yield f"{each['id']}: {each['nodes'][0]['html']}"


def faults_in_a_narrow_font(page: Page) -> Iterator[str]:
    """Yield what keeps its size only by the letters inside it."""
    page.evaluate(NARROW, static("fonts/noto-sans-latin.woff2"))
    if small := page.evaluate(SMALL):
        yield f"has what no thumb hits: {small}"


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


@pytest.mark.parametrize("audience", ["everybody", "players and the organiser"])
def test_every_page_is_light_fits_and_keeps_nobody_out(
    browser: Browser, live_server: Any, settings: Any, camera: Camera, audience: str
) -> None:
    settings.MEDIA_ROOT = "/nowhere"  # else the tests' server answers for documents itself, with their source
    house, found = House(), {}
    visits = house.visits()
    visited = {visit.route for some in visits.values() for visit in some}
    assert visited - {"web:error"} == routes() - SHOWS_NOTHING
    with ExitStack() as stack:
        pages: dict[str | Entry, Page] = {}
        for visit in visits[audience]:
            if visit.who not in pages:
                pages[visit.who] = house.let_in(
                    stack.enter_context(opened(browser, live_server.url, PHONE)), visit.who
                )
            settings.DEBUG = visit.route == "web:styleguide"
            answer = go(by_night(pages[visit.who]), visit)
            wrong = list(faults(pages[visit.who], answer, visit))
            camera(pages[visit.who], visit.name)
            wrong += [f"by day: {fault}" for fault in faults_of_sight(by_day(pages[visit.who]), COLOURS)]
            camera(pages[visit.who], visit.name)
            wrong += [f"in a narrow font: {fault}" for fault in faults_in_a_narrow_font(by_night(pages[visit.who]))]
            if wrong:
                found[visit.name] = wrong
    assert found == {}
