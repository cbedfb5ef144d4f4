"""Pictures to share: what they say, to whom, in every script, and at what cost."""

from __future__ import annotations

import copy
import struct
from io import BytesIO

import pytest
from django.test import Client, override_settings
from PIL import Image, ImageFont

from core import conditional, costly
from tests.factories import ClubFactory, EventFactory, MembershipFactory, PlayerFactory, RatingFactory
from tests.web.leagues import League
from tests.web.markup import tags
from tests.web.phones import phone_of
from tests.web.public.test_public import rows_of
from tests.web.test_design import STATIC
from tournaments.models import Club, Event, Showing
from web import standings
from web.pictures import drawing, letters
from web.pictures.drawing import HEIGHT, IN_LIST, ON_STEPS, WIDTH, Card, Figure, Place, Podium, drawn
from web.public import pictures

SCRIPTS = ["Łukasz Wójcik", "Nguyễn Thị Hạnh", "Αλέξανδρος", "Олександр", "יעל כהן", "ليلى منصور", "प्रिया शर्मा"]
UNKNOWN = ["田中 さくら", "김민준", "🎲🦊", "\u202e", "\U0010ffff", "", "\x00\x07", "ก็", "👩‍👩‍👧"]
LONG = "Alexandre-Maximilien de Montmorency-Laval"


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    monkeypatch.setattr("scoring.tasks.publish", lambda *_: None)
    conditional.forget_all()


@pytest.fixture
def said(monkeypatch) -> list[Card | Podium]:
    """What was drawn."""
    contents: list[Card | Podium] = []

    def keep(content: Card | Podium) -> bytes:
        contents.append(content)
        return drawn(content)

    monkeypatch.setattr(pictures, "drawn", keep)
    return contents


def league(people: int = 12, **fields) -> League:
    players = [PlayerFactory(name=f"Player {number}") for number in range(people)]
    return League(ClubFactory(slug="cafe-meeple", name="Café Meeple", **fields), players)


@pytest.fixture(scope="module")
def evenings(shared_rows) -> tuple[League, Event, Event]:
    ours = league()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("scoring.tasks.publish", lambda *_: None)
        return ours, ours.evening(), ours.evening(is_over=False)


@pytest.fixture
def ours(evenings, db) -> League:
    """A club of twelve players."""
    return copy.deepcopy(evenings[0])


@pytest.fixture
def over(evenings, db) -> Event:
    """An evening of the club that is over."""
    return copy.deepcopy(evenings[1])


@pytest.fixture
def on(evenings, db) -> Event:
    """An evening of the club whose second round is under way."""
    return copy.deepcopy(evenings[2])


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def addresses(event: Event) -> list[str]:
    table = event.rounds.get(number=1).tables.first()
    player = event.entries.first().player
    return [
        f"/e/{event.uid}/picture.png",
        f"/e/{event.uid}/table/{table.uid}/picture.png",
        f"/players/{player.uid}/picture.png",
        f"/clubs/{event.club.slug}/picture.png",
    ]


# --- Text -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCRIPTS)
def test_names_are_drawn_in_shipped_fonts_letter_by_letter(name):
    for style in (letters.sans(30), letters.serif(30)):
        found = letters.runs(name, style)
        assert "".join(sorted("".join(run.text for run in found))) == "".join(sorted(name))
        assert all(str(STATIC) in str(run.font.path) for run in found)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", [*UNKNOWN, *SCRIPTS, LONG, "W" * 5000, "a\u0301" * 400, "-" * 300])
def test_no_name_breaks_a_picture(name):
    place = Place(1, "somebody", name, "12")
    for content in (
        Card(name, name, (name,), (Figure(name, "1"),), "x", name),
        Podium(name, name, (place,) * 9, name),
    ):
        assert size_of(drawn(content)) == (WIDTH, HEIGHT)


def test_letters_that_no_font_has_are_left_out():
    assert [run.text for run in letters.runs("Ana 🎲", letters.sans(30))] == ["Ana "]
    assert letters.runs("田中", letters.sans(30)) == ()


def test_controls_of_direction_are_not_followed():
    assert "".join(run.text for run in letters.runs("ab\u202ecd", letters.sans(30))) == "abcd"


def test_names_written_from_right_to_left_are_laid_out_so():
    first, second = letters.runs("ליל Ana", letters.sans(30))
    assert (first.text, second.text) == ("Ana", "ליל ")


@pytest.mark.parametrize("name", [LONG, "W" * 60, SCRIPTS[5] * 6, "e\u0301" * 90])
@pytest.mark.parametrize("width", [40, 180, 333])
def test_no_text_is_wider_than_its_place(name, width):
    style = letters.bold(27)
    short = letters.shortened(name, style, width)
    assert short.endswith("…")
    assert letters.width_of(short, style) <= width
    lines = letters.wrapped(name, style, width, 2)
    assert len(lines) <= 2
    assert all(letters.width_of(line, style) <= width for line in lines)
    assert letters.width_of(*letters.fitted(name, letters.serif(60), width, 40)) <= width


def test_lines_end_after_a_space_or_a_hyphen():
    assert letters.wrapped(LONG, letters.bold(24), 200, 4) == ["Alexandre-", "Maximilien de", "Montmorency-", "Laval"]


def test_a_machine_whose_library_cannot_read_the_fonts_draws_all_the_same(monkeypatch):
    read = ImageFont.truetype

    def cannot(font, *more, **options):
        if isinstance(font, str):
            raise OSError("unknown file format")
        return read(font, *more, **options)  # the one that is part of the library

    for cached in (letters.runs, letters._font, letters._has):
        cached.cache_clear()
    monkeypatch.setattr(ImageFont, "truetype", cannot)
    try:
        assert [run.text for run in letters.runs("Ana", letters.sans(30))] == ["Ana"]
    finally:
        for cached in (letters.runs, letters._font, letters._has):
            cached.cache_clear()


@override_settings(PICTURE_FONTS=["/nowhere/noto-sans-jp.ttf"])
def test_a_font_that_is_not_there_is_no_obstacle():
    letters.runs.cache_clear()
    assert letters.runs("田中 and Bo", letters.sans(31))
    letters.runs.cache_clear()


def test_the_fonts_of_pictures_have_their_licences():
    for path in (STATIC / "fonts/pictures").glob("*.woff2"):
        licence = (path.parent / f"OFL-{path.stem}.txt").read_text()
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence
        assert "Reserved Font Name" not in licence.partition("PREAMBLE")[0]


# --- What they say ----------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_every_picture_is_of_the_size_that_sites_ask_for(client, over):
    for address in addresses(over):
        response = client.get(address)
        assert (response.status_code, response.headers["Content-Type"]) == (200, "image/png")
        assert size_of(response.content) == (WIDTH, HEIGHT)
        assert len(response.content) < 150_000


@pytest.mark.django_db
def test_the_result_of_an_event_is_a_podium_with_six_places_more(client, said, over):
    client.get(f"/e/{over.uid}/picture.png")
    (podium,) = said
    assert isinstance(podium, Podium)
    assert podium.over.startswith("Final standings · Café Meeple · DIX")
    assert (podium.title, len(podium.places), podium.more) == (over.name, 9, "and 3 more")
    rows = over.standings.order_by("place").values_list("rank", "entry__name")[:9]
    assert [(each.rank, each.name) for each in podium.places] == list(rows)


@pytest.mark.django_db
@pytest.mark.parametrize(("hidden", "left"), [({}, 21), ({"standings_shown": Showing.TOP, "standings_number": 12}, 3)])
def test_a_picture_reads_the_places_that_it_shows(client, said, monkeypatch, hidden, left):
    """Of 2,000 players each was read before it was known whether the picture was drawn already."""
    read, move = [], standings._move
    monkeypatch.setattr(standings, "_move", lambda row: read.append(row) or move(row))
    event = EventFactory(status=Event.Status.RUNNING, **hidden)
    rows_of(event, 30)
    client.get(f"/e/{event.uid}/picture.png")
    assert len(said[0].places) == len(read) == ON_STEPS + IN_LIST
    assert said[0].more == f"and {left} more"


@pytest.mark.django_db
@pytest.mark.parametrize(("hidden", "left"), [({}, 2), ({"standings_shown": Showing.TOP, "standings_number": 12}, 0)])
def test_whoever_sat_out_takes_nobody_s_place_in_a_picture(client, said, hidden, left):
    event = EventFactory(status=Event.Status.RUNNING, **hidden)
    rows_of(event, 14)
    event.standings.filter(place__in=[2, 5, 6]).update(tables=0)
    client.get(f"/e/{event.uid}/picture.png")
    assert (len(said[0].places), said[0].more) == (9, f"and {left} more" if left else "")


@pytest.mark.django_db
def test_before_the_first_result_the_picture_says_when_and_what(client, said):
    event = EventFactory(name="Thursday")
    client.get(f"/e/{event.uid}/picture.png")
    assert isinstance(said[0], Card)
    assert (said[0].title, said[0].over) == ("Thursday", event.club.name)


@pytest.mark.django_db
def test_a_table_shows_places_and_scores_and_nothing_before_they_count(client, said, on):
    counted, open_one = (on.rounds.get(number=number).tables.first() for number in (1, 2))
    client.get(f"/e/{on.uid}/table/{counted.uid}/picture.png")
    placings = counted.result.placings.order_by("rank", "seat").values_list("rank", "score")
    assert [(each.rank, int(each.value)) for each in said[0].places] == list(placings)
    assert client.get(f"/e/{on.uid}/table/{open_one.uid}/picture.png").status_code == 404


@pytest.mark.django_db
def test_a_player_shows_ratings_and_only_clubs_that_anybody_may_know(client, said):
    player = PlayerFactory(name="Bo", club=ClubFactory(name="Open"))
    player.clubs.add(ClubFactory(name="Secret", is_public=False))
    RatingFactory(player=player, rating=1_700_400, tables=3)
    client.get(f"/players/{player.uid}/picture.png")
    assert said[0] == Card("Open", "Bo", (), (Figure("10 Phases", "1700?"),), player.uid, "testserver")


@pytest.mark.django_db
def test_pictures_are_in_the_readers_language(client, said, over):
    client.get(f"/e/{over.uid}/picture.png", headers={"accept-language": "fr"})
    assert said[0].over.startswith("Classement final")
    assert said[0].more == "et 3 de plus"


# --- Who sees them ----------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("hidden", ["event", "club"])
def test_private_things_have_pictures_for_those_only_who_see_their_pages(client, ours, on, hidden):
    (Event if hidden == "event" else Club).objects.update(is_public=False)
    private = addresses(on)[:2] if hidden == "event" else addresses(on)
    assert {client.get(address).status_code for address in private} == {404}
    client.force_login(MembershipFactory().user, "django.contrib.auth.backends.ModelBackend")
    assert {client.get(address).status_code for address in private} == {404}
    seeing = Client()
    seeing.force_login(ours.organiser.user, "django.contrib.auth.backends.ModelBackend")
    for address in private:
        response = seeing.get(address)
        assert response.status_code == 200
        assert response.headers["Cache-Control"] == "private, no-cache"
        assert "Access-Control-Allow-Origin" not in response.headers
    assert {client.get(address).status_code for address in private} == {404}  # what was drawn is kept for nobody else
    phone = phone_of(on.entries.first())
    assert {phone.get(address).status_code for address in private[:2]} == {200}


@pytest.mark.django_db
@pytest.mark.parametrize(("showing", "places"), [(Showing.LATER, 0), (Showing.TOP, 2)])
def test_standings_that_are_hidden_for_now_are_in_no_picture_and_on_no_other_site(client, said, on, showing, places):
    Event.objects.update(standings_shown=showing, standings_number=places or 3)
    assert client.get(f"/e/{on.uid}/picture.png").status_code == 200
    assert len(getattr(said[0], "places", ())) == places
    assert getattr(said[0], "more", "") == ""
    assert client.get(addresses(on)[1]).status_code == 404
    html = client.get(f"/embed/events/{on.uid}/").content.decode()
    assert html.count('part="name"') == places


@pytest.mark.django_db
def test_drafts_and_merged_people_have_none(client):
    draft = EventFactory(status=Event.Status.DRAFT)
    merged = PlayerFactory(club=draft.club, merged_into=PlayerFactory(club=draft.club))
    assert client.get(f"/e/{draft.uid}/picture.png").status_code == 404
    assert client.get(f"/players/{merged.uid}/picture.png").status_code == 404


@pytest.mark.django_db
def test_a_public_picture_is_kept_by_any_cache_and_sent_once(client, said, over):
    for address in addresses(over):
        first = client.get(address)
        assert first.headers["Cache-Control"] == "public, max-age=300"
        assert "Accept-Language" in first.headers["Vary"]
        assert "Cookie" not in first.headers["Vary"]
        assert not first.cookies
        assert client.get(address, headers={"if-none-match": first.headers["ETag"]}).status_code == 304
    drawn_once = len(said)
    for address in addresses(over):
        client.get(address)
    assert len(said) == drawn_once == 4


@pytest.mark.django_db
def test_a_new_name_is_in_the_next_picture(client, said, over):
    client.get(f"/e/{over.uid}/picture.png")
    entry = over.standings.order_by("place").first().entry
    entry.name = "Renamed"
    entry.save()
    client.get(f"/e/{over.uid}/picture.png")
    assert said[1].places[0].name == "Renamed"


@pytest.mark.django_db
def test_pictures_are_drawn_one_at_a_time_and_others_asked_to_come_back(client):
    event = EventFactory()
    with costly.bounded(costly.PICTURE):
        response = client.get(f"/e/{event.uid}/picture.png")
    assert (response.status_code, response.headers["Retry-After"]) == (429, "2")


# --- What links show elsewhere ----------------------------------------------------------------------------------


def preview(client: Client, address: str) -> dict[str, str]:
    html = client.get(address).content.decode()
    found = [tag.attributes for tag in tags(html, "meta")]
    return {each["property"]: each["content"] for each in found if each.get("property", "").startswith("og:")}


@pytest.mark.django_db
@override_settings(PUBLIC_URL="https://scores.example.org")
def test_links_are_shown_with_a_whole_address_and_a_picture_that_is_there(client, over):
    Event.objects.update(name='Bo <the> "Great"')
    for address in addresses(over):
        page = address.removesuffix("picture.png")
        shown = preview(client, page)
        assert shown["og:url"] == f"https://scores.example.org{page}"
        assert shown["og:image"].startswith(f"https://scores.example.org{address}")
        path = shown["og:image"].removeprefix("https://scores.example.org")
        assert client.get(path).status_code == 200
        assert (shown["og:image:width"], shown["og:image:height"]) == (str(WIDTH), str(HEIGHT))
        assert shown["og:title"]
        assert shown["og:description"]
    assert preview(client, f"/e/{over.uid}/")["og:title"] == 'Bo <the> "Great"'


@pytest.mark.django_db
def test_a_private_page_has_no_preview(client, ours, over):
    Club.objects.update(is_public=False)
    client.force_login(ours.organiser.user, "django.contrib.auth.backends.ModelBackend")
    for address in addresses(over):
        assert preview(client, address.removesuffix("picture.png")) == {}


def test_a_picture_shows_the_mark_of_its_player():
    shown = Image.open(BytesIO(drawn(Card("", "Bo", mark="somebody")))).convert("RGB")
    colour = drawing.mark_of("somebody").colour
    assert shown.getpixel((90, 200)) == tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))
