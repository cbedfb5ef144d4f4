"""Players in the API: search, profiles, renaming, merging, importing, forgetting."""

from __future__ import annotations

import csv
import io

import pytest
from django.utils import timezone

from core.brute_force import A_MINUTE
from tests.api.callers import bearer
from tests.factories import AffiliationFactory, ClubFactory, MembershipFactory, PlayerFactory
from tests.tournaments.events import enter, event_of
from tournaments import trust
from tournaments.access import credentials
from tournaments.models import Affiliation, Club, Merge, Player

PLAYERS = "/api/v1/clubs/cafe-meeple/players/"
ORGANISERS = [200, 200, 403, 200, 403, 403, 403]


@pytest.fixture
def ana(cast):
    return PlayerFactory(name="Ana", club=cast.club)


def path_of(player, verb=""):
    return f"/api/v1/players/{player.uid}/{verb}"


def names(answer):
    return [player["name"] for player in answer.json()["results"]]


def test_who_may_do_what(cast, ana):
    ben = PlayerFactory(club=cast.club)
    gone = PlayerFactory(club=cast.club)
    cast.owner.post(path_of(gone, "merge/"), {"into": ana.uid})
    created = [status + (status == 200) for status in ORGANISERS]
    people = [200, 200, 403, 403, 403, 403, 403]  # a key is no person
    assert cast.statuses("get", PLAYERS) == [200] * 7
    assert cast.statuses("post", PLAYERS, {"name": "Ben"}) == created
    assert cast.statuses("post", PLAYERS + "import/", {"csv": "Ben"}) == ORGANISERS
    assert cast.statuses("get", path_of(ana)) == [200] * 7
    assert cast.statuses("patch", path_of(ana), {"name": "Anna"}) == ORGANISERS
    assert cast.statuses("post", path_of(ana, "merge/"), {"into": ben.uid}) == ORGANISERS
    assert cast.statuses("post", path_of(gone, "unmerge/")) == ORGANISERS
    assert cast.statuses("post", path_of(ana, "link/"), {}) == people
    assert cast.statuses("delete", path_of(ana, "link/")) == ORGANISERS
    assert cast.statuses("post", path_of(ana, "anonymise/")) == [200, 403, 403, 403, 403, 403, 403]


def test_players_of_a_private_club_exist_only_for_those_who_belong_to_it(cast, ana):
    Club.objects.filter(pk=cast.club.pk).update(is_public=False)
    assert cast.statuses("get", PLAYERS) == [200, 200, 200, 200, 200, 404, 404]
    assert cast.statuses("get", path_of(ana)) == [200, 200, 200, 200, 200, 404, 404]
    assert cast.statuses("patch", path_of(ana), {"name": "X"})[-2:] == [404, 404]


def test_a_club_does_not_rename_a_player_whom_it_does_not_know(cast):
    elsewhere = PlayerFactory(club=ClubFactory())
    assert cast.owner.get(path_of(elsewhere)).status_code == 200
    assert cast.owner.patch(path_of(elsewhere), {"name": "X"}).status_code == 403


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("an", ["Ana", "Joanna An", "Zed ander"]),
        ("AN", ["Ana", "Joanna An", "Zed ander"]),
        (" ana ", ["Ana"]),
        ("zed a", ["Zed ander"]),
        ("nn", []),
        ("%", []),
        ("_", []),
    ],
)
def test_suggestions_are_names_with_a_word_that_begins_so(cast, typed, found):
    for name in ("Zed ander", "Ana", "Joanna An", "Ben"):
        PlayerFactory(name=name, club=cast.club)
    PlayerFactory(name="Ana elsewhere", club=ClubFactory())
    assert names(cast.nobody.get(PLAYERS, {"q": typed})) == found


def test_a_search_nobody_can_type_is_refused(cast):
    for typed in ("\0", "x" * 61):
        assert cast.nobody.get(PLAYERS, {"q": typed}).status_code == 400


def test_one_person_is_listed_once_and_the_anonymous_not_at_all(cast, ana):
    other, gone = PlayerFactory(name="Anna", club=cast.club), PlayerFactory(name="Gone", club=cast.club)
    cast.owner.post(path_of(other, "merge/"), {"into": ana.uid})
    cast.owner.post(path_of(gone, "anonymise/"))
    assert names(cast.nobody.get(PLAYERS)) == ["Ana"]


def test_listing_costs_the_same_for_4_players_and_for_40(cast, django_assert_num_queries):
    for expected in (4, 40):
        while cast.club.players.count() < expected:
            PlayerFactory(club=cast.club)
        with django_assert_num_queries(2):
            assert len(names(cast.nobody.get(PLAYERS))) == expected
        with django_assert_num_queries(2):
            cast.nobody.get(PLAYERS + "?format=csv")


def test_a_profile_costs_the_same_for_4_clubs_and_for_40(cast, ana, django_assert_num_queries):
    for expected in (4, 40):
        while ana.clubs.count() < expected:
            AffiliationFactory(player=ana)
        with django_assert_num_queries(3):
            assert len(cast.nobody.get(path_of(ana)).json()["clubs"]) == expected


def test_csv_holds_everybody_and_no_formula(cast):
    for name in ("=1+1", "+33", "-2", "@ana", "<script>", "Ana, the first"):
        PlayerFactory(name=name, club=cast.club)
    PlayerFactory.create_batch(60, club=cast.club)
    answer = cast.nobody.get(PLAYERS + "?format=csv")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert list(rows[0]) == ["name", "id"]
    assert len(rows) == 66
    assert {row["name"] for row in rows} > {"'=1+1", "'+33", "-2", "'@ana", "<script>", "Ana, the first"}
    assert {row["id"] for row in rows} == set(Player.objects.values_list("uid", flat=True))


def test_a_problem_stays_a_problem_where_csv_was_asked_for(cast):
    answer = cast.nobody.get("/api/v1/clubs/nowhere/players/?format=csv")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["code"] == "not-found"


def test_a_profile_names_only_clubs_the_caller_may_know_of(cast, ana):
    AffiliationFactory(club=ClubFactory(is_public=False), player=ana)
    assert cast.owner.get(path_of(ana)).json() == {
        "id": ana.uid,
        "name": "Ana",
        "clubs": [{"slug": "cafe-meeple", "name": "Café Meeple"}],
        "merged_into": None,
        "anonymous": False,
        "home": "cafe-meeple",
        "ratings": [],
    }


def test_fields_that_are_not_asked_for_are_refused(cast):
    smuggled = {"name": "Ana", "uid": "x", "id": "x", "user": cast.users["owner"].pk, "merged_into": 1, "rating": 3000}
    answer = cast.organiser.post(PLAYERS, smuggled)
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown-field")
    assert not Player.objects.exists()


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "=1+1", "lse_aaaaaaaaaaaaaaaa", "Zoë 🎲", "نرم‌افزار"])
def test_odd_names_are_names(cast, name):
    headers = {"Idempotency-Key": "odd"}
    first = cast.organiser.post(PLAYERS, {"name": name}, headers=headers)
    again = cast.organiser.post(PLAYERS, {"name": name}, headers=headers)
    assert first.json()["name"] == again.json()["name"] == name
    assert first.json()["id"] == again.json()["id"]


@pytest.mark.parametrize(
    "name", ["x" * 10_000, "a\u202eb", "a\u2066b", "a\nb", "\u200b", "\u200f", "", "\u0301\u0316" * 5_000]
)
def test_names_nobody_can_read_are_refused(cast, name):
    answer = cast.organiser.post(PLAYERS, {"name": name})
    assert (answer.status_code, answer.json()["errors"][0]["path"]) == (400, ["name"])


def test_a_lone_surrogate_is_refused(cast):
    answer = cast.organiser.post(PLAYERS, b'{"name": "a\\ud800b"}', content_type="application/json")
    assert answer.status_code == 400


def test_a_merged_record_leads_to_the_person(cast, ana):
    anna = PlayerFactory(name="Anna", club=cast.club)
    merged = cast.organiser.post(path_of(anna, "merge/"), {"into": ana.uid})
    assert merged.json()["id"] == ana.uid
    assert cast.nobody.get(path_of(anna)).json()["merged_into"] == ana.uid
    refused = cast.organiser.patch(path_of(anna), {"name": "X"})
    assert (refused.status_code, refused.json()["code"]) == (409, "player-gone")
    assert refused.json()["merged_into"] == ana.uid
    assert cast.organiser.post(path_of(anna, "unmerge/")).json()["merged_into"] is None


def test_a_record_is_not_merged_into_one_the_caller_may_not_know_of(cast, ana):
    secret = PlayerFactory(club=ClubFactory(is_public=False))
    assert cast.organiser.post(path_of(ana, "merge/"), {"into": secret.uid}).status_code == 404


def test_somebody_links_their_player_with_a_personal_link(cast, ana):
    entry = enter(event_of(cast.club), ana)
    token = credentials.derive(credentials.ENTRY, entry.uid, entry.generation)
    answer = cast.stranger.post(path_of(ana, "link/"), {"token": token})
    assert answer.status_code == 200
    assert cast.stranger.get("/api/v1/me/").json()["user"]["player"] == ana.uid
    assert cast.stranger.patch(path_of(ana), {"name": "Ana B."}).json()["name"] == "Ana B."
    taken = cast.organiser.post(path_of(ana, "link/"), {"token": token})
    assert (taken.status_code, taken.json()["code"]) == (409, "already-linked")
    for ask, verb in ((cast.stranger.get, "export/"), (cast.stranger.post, "anonymise/")):
        early = ask(path_of(ana, verb))
        assert (early.status_code, early.json()["code"]) == (403, "tied-recently")
        assert {"since", "until"} <= early.json().keys()
    Player.objects.filter(pk=ana.pk).update(tied_at=timezone.now() - trust.SETTLES)
    assert cast.stranger.get(path_of(ana, "export/")).json()["player"]["records"][0]["account_since"]
    assert cast.stranger.post(path_of(ana, "anonymise/")).json()["anonymous"] is True
    ana.refresh_from_db()
    assert (ana.user, ana.tied_at) == (None, None)


@pytest.fixture
def hidden(cast, ana):
    """Records of a private club: Ana's, another that is merged with it, and her neighbour's."""
    Club.objects.filter(pk=cast.club.pk).update(is_public=False)
    return [ana, PlayerFactory(club=cast.club, merged_into=ana), PlayerFactory(club=cast.club)]


def link_of(entry):
    return credentials.derive(credentials.ENTRY, entry.uid, entry.generation)


def test_a_player_of_a_private_club_has_all_that_is_theirs(cast, hidden):
    ana, anna, neighbour = hidden
    Player.objects.filter(pk=anna.pk).update(user=cast.users["stranger"])
    for verb in ("", "export/", "events/", "ratings/dix/", "statistics/dix/"):
        read = [cast.stranger.get(path_of(player, verb)).status_code for player in hidden]
        assert read == [200, 200, 404], verb
    other = PlayerFactory(club=ClubFactory())
    brought = PlayerFactory(club=ClubFactory(is_public=False), merged_into=ana)
    assert cast.stranger.get(path_of(brought)).status_code == 404, "what another club brought into a merge is its own"
    asked = [{"gone": gone.uid, "kept": other.uid} for gone in (ana, neighbour)]
    assert [cast.stranger.post("/api/v1/merge-requests/", each).status_code for each in asked] == [201, 404]
    brought.delete()
    assert cast.stranger.patch(path_of(ana), {"name": "Ana B."}).json()["name"] == "Ana B."
    assert cast.stranger.post(path_of(ana, "anonymise/")).json()["anonymous"] is True


def test_a_player_of_a_private_club_links_their_account_with_a_personal_link(cast, hidden):
    ana, anna, _neighbour = hidden
    token = link_of(enter(event_of(cast.club), anna))
    codes = [cast.stranger.post(path_of(player, "link/"), {"token": token}).status_code for player in hidden]
    assert codes == [200, 409, 404], "tied already, and not known"
    assert cast.stranger.post(path_of(ana, "link/"), {"token": f"{token[:-1]}x"}).status_code == 409
    assert cast.stranger.delete(path_of(ana, "link/")).status_code == 200
    for proof in ({}, {"token": f"{token[:-1]}x"}):
        assert cast.stranger.post(path_of(ana, "link/"), proof).status_code == 404


def test_a_link_of_a_private_club_shows_its_player_under_each_record(cast, hidden):
    ana, anna, _neighbour = hidden
    phone = bearer(link_of(enter(event_of(cast.club), anna)))
    assert [phone.get(path_of(player)).status_code for player in hidden] == [200, 200, 404]
    assert phone.patch(path_of(ana), {"name": "Ana B."}).json()["name"] == "Ana B."


def test_a_link_of_another_club_or_of_an_unproven_phone_shows_no_record_of_a_private_club(cast, hidden):
    """Its organisers can read it."""
    ana, anna, _neighbour = hidden
    elsewhere = enter(event_of(ClubFactory()), anna)
    unproven = enter(event_of(cast.club), PlayerFactory(club=cast.club), claims=ana, is_verified=False)
    for entry in (elsewhere, unproven):
        assert bearer(link_of(entry)).get(path_of(ana)).status_code == 404


def test_wrong_links_are_counted_and_a_right_one_works_after_them(cast, ana):
    token = link_of(enter(event_of(cast.club), ana))
    statuses = [
        cast.stranger.post(path_of(ana, "link/"), {"token": each}).status_code
        for each in [f"{token[:-1]}!"] * (A_MINUTE + 1) + [token]
    ]
    assert statuses == [403] * A_MINUTE + [429, 200]


@pytest.mark.parametrize("kind", ["other player", "other generation", "unverified", "table", "made up", "over"])
def test_a_link_that_proves_nothing_links_nothing(cast, ana, kind):
    event = event_of(cast.club, status="finished" if kind == "over" else "running")
    entry = enter(event, PlayerFactory() if kind == "other player" else ana, is_verified=kind != "unverified")
    prefix = credentials.TABLE if kind == "table" else credentials.ENTRY
    token = credentials.derive(prefix, entry.uid, entry.generation + (kind == "other generation"))
    if kind == "made up":
        token = token[:-1] + "x"
    assert cast.stranger.post(path_of(ana, "link/"), {"token": token}).status_code == 403


def test_an_import_reports_every_line_and_imports_nothing_until_clean(cast, ana):
    text = "\ufeffname;club\r\nAna;x\r\n\r\nBen;x\r\nben ;x\r\na\u202eb;x\r\nCarla;x\r\n;x\r\n"
    dry = cast.organiser.post(PLAYERS + "import/", {"csv": text, "dry_run": True}).json()
    assert dry["known"] == [{"id": ana.uid, "name": "Ana"}]
    assert [player["name"] for player in dry["new"]] == ["Ben", "Carla"]
    problems = [(5, "name-repeated"), (6, "name-invalid"), (8, "name-invalid")]
    assert [(problem["line"], problem["code"]) for problem in dry["problems"]] == problems
    wet = cast.organiser.post(PLAYERS + "import/", {"csv": text})
    assert (wet.status_code, wet.json()["code"]) == (422, "import-invalid")
    assert [(error["path"], error["code"]) for error in wet.json()["errors"]] == [
        (["csv", line], code) for line, code in problems
    ]
    assert Player.objects.count() == 1
    clean = cast.organiser.post(PLAYERS + "import/", {"csv": "Ana\nBen\nCarla\n"}).json()
    assert [player["name"] for player in clean["new"]] == ["Ben", "Carla"]
    assert names(cast.nobody.get(PLAYERS)) == ["Ana", "Ben", "Carla"]
    again = cast.organiser.post(PLAYERS + "import/", {"csv": "Ana\nBen\nCarla\n"}).json()
    assert (again["new"], len(again["known"])) == ([], 3)


def test_an_imported_player_has_an_id_and_one_that_would_be_has_none(cast):
    dry = cast.organiser.post(PLAYERS + "import/", {"csv": "Ana", "dry_run": True}).json()
    assert dry["new"] == [{"id": None, "name": "Ana"}]
    wet = cast.organiser.post(PLAYERS + "import/", {"csv": "Ana"}).json()
    assert wet["new"] == [{"id": Affiliation.objects.get().player.uid, "name": "Ana"}]


@pytest.mark.parametrize("caller", ["home", "key", "person", "other"])
def test_either_side_takes_a_merge_back_where_the_other_club_is_private(cast, ana, caller):
    """Nobody else is told of the record, and whoever speaks for the person knows of it by the merge."""
    other, theirs = ClubFactory(is_public=False), PlayerFactory(name="Anna", merged_into=ana)
    Player.objects.filter(pk=theirs.pk).update(home=other)
    Player.objects.filter(pk=ana.pk).update(user=cast.users["stranger"])
    AffiliationFactory(club=other, player=theirs)
    Merge.objects.create(gone=theirs, kept=ana, rests_on=[])
    path = path_of(theirs, "unmerge/")
    for stranger in (cast.nobody, cast.scorekeeper, cast.read_key):
        assert stranger.post(path).status_code == 404
    callers = {"home": cast.organiser, "key": cast.write_key, "person": cast.stranger}
    if caller == "other":
        MembershipFactory(club=other, user=cast.users["scorekeeper"])
    assert callers.get(caller, cast.scorekeeper).post(path).json()["merged_into"] is None
