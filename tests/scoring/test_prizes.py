"""Prizes of an event: set, copied, carried in its file, won, shown to everybody and printed."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils.translation import override

from core.ids import new_id
from scoring.selectors import awards
from tests.api.callers import bearer
from tests.factories import ClubFactory, EntryFactory, PlayerFactory
from tests.scoring.rankings.standings.events import event_with, play
from tests.scoring.test_hidden_standings import NAMES, computed, evening, link_of, member
from tests.web.markup import tags
from tournaments.errors import EventInvalidError, EventStatusError
from tournaments.models import Event, Round
from tournaments.services import copying, events
from web.console.event_forms import PrizesField

pytestmark = pytest.mark.django_db
FIRST = {"kind": "place", "place": 1, "name": "A game"}
SHEET, NEWCOMER = {"kind": "best_sheet", "name": "A pen"}, {"kind": "best_newcomer", "name": "A book"}
ALL = [FIRST, SHEET, NEWCOMER]


def hat(entry=None, name="Nicest hat"):
    return {"kind": "free", "name": name, "entry": entry}


@pytest.fixture
def house():
    return ClubFactory(is_public=True)


def finished(event):
    Event.objects.filter(pk=event.pk).update(status="finished")
    event.refresh_from_db()
    computed(event)
    return event


def won(event):
    return {award.name: [each.name for each in award.winners] for award in awards(event)}


def test_places_sheets_newcomers_and_what_is_given_by_hand(house):
    earlier, before = event_with(["Zoë"], club=house)
    earlier.starts_at -= dt.timedelta(days=7)
    earlier.save()
    play(earlier, 1, [before["Zoë"]])
    event, entries = evening(house, prizes=ALL)
    merged = entries["Zoë"].player  # the same person under another record
    merged.merged_into = before["Zoë"].player
    merged.save()
    event.prizes = [*ALL, hat(entries["Wim"].uid), hat(name="Best cake"), {**FIRST, "place": 9, "name": "A cup"}]
    event.save()
    assert set(map(tuple, won(event).values())) == {()}, "nobody wins before the end"
    assert won(finished(event)) == {
        "A game": ["Zoë"],
        "A pen": ["Zoë"],
        "A book": ["Yan"],
        "Nicest hat": ["Wim"],
        "Best cake": [],
        "A cup": [],
    }


def test_another_club_or_a_later_evening_makes_nobody_known_here(house):
    event, entries = evening(house, prizes=[NEWCOMER])
    for club, days in ((ClubFactory(), -7), (house, 7)):
        other, _none = event_with([], club=club)
        other.starts_at += dt.timedelta(days=days)
        other.save()
        play(other, 1, [EntryFactory(event=other, player=entries["Zoë"].player)])
    assert won(finished(event)) == {"A book": ["Zoë"]}


@pytest.mark.parametrize(("is_public_house", "is_public", "winner"), [(1, 1, "Zoë"), (1, 0, "Yan"), (0, 1, "Yan")])
def test_a_private_evening_makes_nobody_known_at_one_that_everybody_sees(is_public_house, is_public, winner):
    house = ClubFactory(is_public=bool(is_public_house))
    event, entries = evening(house, prizes=[NEWCOMER])
    Event.objects.filter(pk=event.pk).update(is_public=bool(is_public))
    secret, _none = event_with([], club=house, is_public=False)
    secret.starts_at -= dt.timedelta(days=7)
    secret.save()
    play(secret, 1, [EntryFactory(event=secret, player=entries["Zoë"].player)])
    assert won(finished(event)) == {"A book": [winner]}


def test_what_does_not_count_wins_no_prize_for_the_best_sheet(house):
    event, entries = event_with(NAMES, club=house, prizes=[SHEET])
    play(event, 1, [entries["Zoë"], entries["Yan"]], forfeits=[entries["Zoë"]])
    play(event, 2, [entries["Xia"]])
    Round.objects.filter(event=event, number=2).update(status="cancelled")
    assert won(finished(event)) == {"A pen": ["Yan"]}


def test_winners_are_found_in_one_statement(house, django_assert_num_queries):
    event, _entries = evening(house, prizes=ALL)
    finished(event)
    with django_assert_num_queries(1):
        awards(event)
    event.prizes = []
    with django_assert_num_queries(0):
        assert awards(event) == []


def test_prizes_are_refused_where_they_make_no_sense(house):
    _page, _api, organiser = member(house, "organiser")
    event, _entries = evening(house)
    _other, strangers = event_with(["Ana"])
    wrong = [
        [FIRST] * 21,
        [{"kind": "place", "name": "A game"}],
        [{**FIRST, "place": 0}],
        [{**SHEET, "kind": "loudest"}],
        [{**SHEET, "name": "x" * 61}],
        [{**SHEET, "name": "a\u202eb"}],
        [{**SHEET, "name": "  "}],
        [hat(strangers["Ana"].uid)],
    ]
    for prizes in wrong:
        with pytest.raises(EventInvalidError) as caught:
            events.edit_event(actor=organiser, event=event, fields={"prizes": prizes})
        assert caught.value.errors[0]["path"][0] == "prizes"
    event.refresh_from_db()
    assert event.prizes == []


def test_a_hat_is_given_when_all_is_over_and_nothing_else_changes_then(house):
    _page, _api, organiser = member(house, "organiser")
    event, entries = evening(house, prizes=[hat()])
    finished(event)
    given = [hat(entries["Xia"].uid)]
    event = events.edit_event(actor=organiser, event=event, fields={"prizes": given})
    assert won(event) == {"Nicest hat": ["Xia"]}
    with pytest.raises(EventStatusError):
        events.edit_event(actor=organiser, event=event, fields={"prizes": [], "cut_to": 4})
    (again,) = copying.copy_event(actor=organiser, event=event, starts_at=event.starts_at + dt.timedelta(days=7))
    assert again.prizes == [hat()]


def test_the_api_sets_them_and_names_the_winners(house):
    _page, api, _actor = member(house, "organiser")
    event, entries = evening(house, standings_shown="later")
    path = f"/api/v1/events/{event.uid}/"
    sent = [FIRST, {"kind": "free", "name": "  Nicest   hat "}]
    assert api.patch(path, {"prizes": sent}).json()["prizes"] == [
        {**FIRST, "entry": None},
        {**hat(), "place": None},
    ]
    shown = Client().get(path).json()["prizes"]
    assert api.patch(path, {"prizes": shown}).json()["prizes"] == shown, "what is read can be sent"
    refused = api.patch(path, {"prizes": [{"kind": "place", "name": "A game"}]})
    assert (refused.status_code, refused.json()["code"]) == (422, "event-invalid")
    hidden = Client().get(f"{path}prizes/").json()
    assert not hidden["finished"]
    assert [each["winners"] for each in hidden["prizes"]] == [[], []]
    finished(event)
    read = Client().get(f"{path}prizes/").json()
    assert read["finished"]
    assert read["up_to_date"]
    zoe = entries["Zoë"]
    winner = {"entry": zoe.uid, "player": {"id": zoe.player.uid, "name": "Zoë"}, "rank": 1}
    assert read["prizes"][0] == {"kind": "place", "place": 1, "name": "A game", "winners": [winner]}


def test_a_file_carries_them_with_their_winners(house):
    _page, api, _actor = member(house, "owner")
    event, _none = event_with([], club=house, status="registration")
    ana = EntryFactory(event=event, player=PlayerFactory(name="Ana", home=house))
    event.prizes = [FIRST, hat(ana.uid)]
    event.save()
    file = api.get(f"/api/v1/events/{event.uid}/file/").json()
    assert file["event"]["prizes"] == event.prizes
    file["event"]["id"] = new_id()
    taken = api.post(f"/api/v1/clubs/{house.slug}/files/", file)
    assert taken.status_code == 201, taken.json()
    copy = Event.objects.exclude(pk=event.pk).get()
    assert copy.prizes[0] == FIRST
    assert copy.prizes[1]["entry"] == copy.entries.get().uid != ana.uid
    file["event"] |= {"id": new_id(), "prizes": [hat(new_id())]}
    refused = api.post(f"/api/v1/clubs/{house.slug}/files/", file)
    assert refused.json()["code"] == "file-invalid"


def test_what_is_typed_is_what_is_kept():
    field = PrizesField(required=False)
    field.people = {"e1": "Ana", "e2": "Bo"}
    prizes = [FIRST, SHEET, NEWCOMER, hat("e2"), hat(), hat(name="a = b"), hat("e1", "a =b"), hat(name="1: =")]
    assert field.clean(field.prepare_value(prizes)) == prizes
    typed = "\n 1 :A game\n\nBest  Sheet: A pen\nNEWCOMER:A book\nother: Nicest hat = bo\n"
    assert field.clean(typed) == [FIRST, SHEET, NEWCOMER, hat("e2")]
    with override("fr"):
        assert field.clean(field.prepare_value(prizes)) == prizes
        assert field.clean(typed) == [FIRST, SHEET, NEWCOMER, hat("e2")]
    for wrong in ("A game", "loudest: A game", "other:", "other: Nicest hat = Zed"):
        with pytest.raises(Exception, match=r"begin with|Nobody"):
            field.clean(wrong)


def test_everybody_sees_the_end_and_winners_are_told(house):
    event, entries = event_with(NAMES, club=house, is_public=True, tiebreaks=[], prizes=[*ALL, hat()])
    play(event, 1, [entries[name] for name in NAMES])
    play(event, 2, [entries["Yan"], entries["Zoë"]], kind="final")
    computed(event)
    address = f"/e/{event.uid}/"
    for path in (address, f"{address}projector/part/"):
        assert "A game" not in Client().get(path).content.decode(), "before the end"
    finished(event)
    page, wall = (Client().get(path).content.decode() for path in (address, f"{address}projector/part/"))
    assert wall.index('data-slide="podium-1"') < wall.index('data-slide="prizes-1"') < wall.index('"standings-1"')
    for text in (page, wall):
        assert text.count("won the final") == 1
        assert "A game" in text
        assert "Nicest hat" in text
        assert "nobody" in text
    for name, is_winner in (("Yan", True), ("Wim", False)):
        phone = Client()
        phone.get(f"/me/{link_of(entries[name])}/")
        html = phone.get(f"/e/{event.uid}/me/").content.decode()
        assert ("You won: A game" in html) == is_winner
        assert html.count("won the final") == 1
        assert f"/e/{event.uid}/picture.png" in html


@pytest.mark.parametrize("is_public", [True, False])
def test_phone_leads_only_to_pages_that_it_can_open_after_the_end(house, is_public):
    """The link that a phone holds ends with the event, and opens nothing of a private one but its own page."""
    event, entries = evening(house)
    Event.objects.filter(pk=event.pk).update(is_public=is_public)
    finished(event)
    phone = Client()
    phone.get(f"/me/{link_of(entries['Yan'])}/")
    html = phone.get(f"/e/{event.uid}/me/").content.decode()
    assert "Podium" in html
    assert "Your tables" in html
    leads = {tag.attributes["href"] for tag in tags(html, "a")}
    table = event.rounds.get().tables.get()
    pages = {f"/e/{event.uid}/", f"/e/{event.uid}/picture.png", f"/e/{event.uid}/table/{table.uid}/"}
    assert leads & pages == (pages if is_public else set())
    assert {phone.get(page).status_code for page in pages} == {200 if is_public else 404}


def test_the_end_costs_one_statement_more(house, django_assert_num_queries, django_assert_max_num_queries):
    plain, with_prizes = (evening(house, name=name, prizes=prizes)[0] for name, prizes in (("A", []), ("B", ALL)))
    for event, queries in ((plain, 7), (with_prizes, 8)):
        finished(event)
        with django_assert_num_queries(queries):
            Client().get(f"/e/{event.uid}/")
        with django_assert_max_num_queries(8):
            Client().get(f"/e/{event.uid}/projector/")


@pytest.mark.parametrize("players", [1, 2, 3, 4, 7])
@pytest.mark.django_db(transaction=True)
def test_twenty_prizes_that_are_shared_fit_the_wall(house, desktop, players):
    names = [f"Alexandre-Maximilien de Montmorency-Laval {number}" for number in range(players)]
    prizes = [FIRST | {"name": f"A box of six wooden dice and a leather cup {number}"} for number in range(20)]
    event, entries = event_with(names, club=house, is_public=True, tiebreaks=[], prizes=prizes)
    for number, name in enumerate(names):
        play(event, number + 1, [entries[name]])
    finished(event)
    desktop.goto(f"/e/{event.uid}/projector/")
    slides = desktop.locator(".slide.podium, .slide.prizes")
    assert slides.count() == 8
    for slide in slides.all():
        room, shown = (part.bounding_box() for part in (slide, slide.locator("dl, ol")))
        assert room["y"] <= shown["y"]
        assert shown["y"] + shown["height"] <= room["y"] + room["height"]


def test_a_phone_that_is_given_a_prize_later_hears_of_it(house):
    _page, _api, organiser = member(house, "organiser")
    event, entries = evening(house, prizes=[hat()])
    finished(event)
    phone = Client()
    phone.get(f"/me/{link_of(entries['Wim'])}/")
    live = f"/e/{event.uid}/me/live/"
    tag = phone.get(live)["ETag"]
    assert phone.get(live, headers={"If-None-Match": tag}).status_code == 304
    events.edit_event(actor=organiser, event=event, fields={"prizes": [hat(entries["Wim"].uid)]})
    assert "You won: Nicest hat" in phone.get(live, headers={"If-None-Match": tag}).content.decode()


def test_the_whole_room_may_share_a_place(house):
    names = [f"Player {number}" for number in range(9)]
    event, entries = event_with(names, club=house, is_public=True, tiebreaks=[], prizes=[FIRST])
    for number, name in enumerate(names):
        play(event, number + 1, [entries[name]])
    finished(event)
    page = Client().get(f"/e/{event.uid}/").content.decode()
    assert "and 3 more" in page


def test_every_winner_has_a_certificate(house):
    page, _api, _actor = member(house)
    event, entries = evening(house, prizes=ALL)
    path = f"/e/{event.uid}/print/certificates/"
    assert "when the event is finished" in page.get(path).content.decode()
    assert "Zoë" not in page.get(path).content.decode()
    finished(event)
    paper = page.get(path).content.decode()
    assert paper.count('class="certificate"') == 3
    for text in ("Zoë", "A game", "1st place", event.club.name, event.name, "Came 1st"):
        assert text in paper
    assert path in page.get(f"/e/{event.uid}/print/").content.decode()
    assert Client().get(path).status_code == 302
    assert bearer(link_of(entries["Zoë"])).get(path).status_code == 302
