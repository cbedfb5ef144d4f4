"""A cut over several stages, and a tie at its line: shown, and decided by the rule that was chosen beforehand."""

from __future__ import annotations

import pytest

from scoring.rankings.standings import store
from scoring.services.rounds import seat_next_round
from tests.api.callers import club_with_organiser
from tests.api.test_events import new_event
from tests.factories import MembershipFactory
from tests.scoring.rankings.standings.events import event_with, play
from tournaments.actors import Actor, Kind
from tournaments.errors import EventInvalidError
from tournaments.models import Round
from tournaments.services import events, rounds
from web.console.board import board_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser():
    return Actor(Kind.USER, user=MembershipFactory(role="owner").user)


def cup(organiser, names="abcdef", **fields):
    """Return an event in which the winners of two tables are level, and so are all second and third ones."""
    fields = {"tiebreaks": [], "table_min": 2, "cut_to": 3} | fields
    event, entries = event_with(names, club=organiser.user.memberships.get().club, **fields)
    half = len(names) // 2
    play(event, 1, [entries[name] for name in names[:half]])
    play(event, 1, [entries[name] for name in names[half:]])
    return event, entries


def final(organiser, event, seed=1, **how):
    return seat_next_round(actor=organiser, event=event, seed=seed, is_final=True, **how)


def seated(current):
    tables = current.tables.order_by("number").prefetch_related("seats__entry")
    return ["".join(seat.entry.name for seat in table.seats.order_by("position")) for table in tables]


def test_a_tie_at_the_line_is_not_settled_by_who_joined_first(organiser):
    event, _entries = cup(organiser)
    chosen = {seated(final_of(organiser, event, seed))[0] for seed in range(6)}
    assert {frozenset(names) & {"b", "e"} for names in chosen} == {frozenset("b"), frozenset("e")}


def final_of(organiser, event, seed):
    """Seat the final with a seed, and take it back."""
    current = final(organiser, event, seed)
    Round.objects.filter(pk=current.pk).update(status="cancelled")
    return current


def test_lots_are_drawn_with_a_seed_that_is_shown_and_rank_those_who_drew_them(organiser):
    event, entries = cup(organiser)
    first, again = final_of(organiser, event, 5), final(organiser, event, 5)
    assert first.cut == again.cut
    cut = again.cut
    assert (cut["decided_by"], cut["places"], cut["seed"]) == ("lots", 1, 5)
    assert {store_name(entries, uid) for uid in cut["contested"]} == {"b", "e"}
    inside, outside = (store_name(entries, uid) for uid in cut["order"])
    assert inside in seated(again)[0]
    rows = {row.entry: row for row in store.preview(event)}
    assert rows[entries[outside].pk].reason == {"code": "lots", "above": "1", "own": "2"}
    assert rows[entries[inside].pk].rank < rows[entries[outside].pk].rank
    line = board_of(event).line
    assert (set(line.contested), line.seed) == ({"b", "e"}, 5)


def test_lots_of_a_draft_rank_nobody_until_it_is_published(organiser):
    """A draft is for the club alone, and nothing is computed anew because of it."""
    event, _entries = cup(organiser)
    before = store.preview(event)
    final(organiser, event, is_draft=True)
    assert store.preview(event) == before
    rounds.change_status(actor=organiser, event=event, number=2, status="seated")
    assert store.preview(event) != before


def store_name(entries, uid):
    return next(name for name, entry in entries.items() if entry.uid == uid)


def test_tie_breaks_decide_where_they_can_and_say_that_there_was_a_tie(organiser):
    event, entries = cup(organiser, "abcdefg", points="podium", tiebreaks=["score_share"])
    current = final(organiser, event)
    assert sorted(seated(current)[0]) == ["a", "b", "d"]
    assert (current.cut["decided_by"], current.cut["places"], current.cut["order"]) == ("tie-breaks", 1, [])
    assert {store_name(entries, uid) for uid in current.cut["contested"]} == {"b", "e"}


def test_a_play_off_is_seated_before_the_final_and_decides_it(organiser):
    event, entries = cup(organiser, tie_rule="playoff")
    playoff = final(organiser, event)
    assert (playoff.kind, playoff.title, sorted(seated(playoff)[0])) == ("playoff", "Play-off", ["b", "e"])
    Round.objects.filter(pk=playoff.pk).update(status="cancelled")
    play(event, 3, [entries["e"], entries["b"]], kind="playoff")
    points = {row.entry: row.points for row in store.preview(event)}
    assert points[entries["b"].pk] == points[entries["e"].pk] == 420
    current = final(organiser, event)
    assert (current.kind, sorted(seated(current)[0])) == ("final", ["a", "d", "e"])
    assert current.cut["decided_by"] == "play-off"
    rows = {row.entry: row.reason for row in store.preview(event)}
    assert rows[entries["b"].pk]["code"] == "play-off"


def test_lots_alone_ignore_the_tie_breaks(organiser):
    event, _entries = cup(organiser, tie_rule="lots", tiebreaks=["wins", "best_table"])
    assert final(organiser, event).cut["decided_by"] == "lots"


def test_no_tie_at_the_line_says_nothing(organiser):
    event, _entries = cup(organiser, cut_to=2)
    current = final(organiser, event)
    assert (current.cut["contested"], current.cut["decided_by"]) == ([], "")
    assert board_of(event).line is None


def test_semi_finals_come_before_the_final_and_their_winners_play_it(organiser):
    event, entries = cup(organiser, "abcdefgh", cut_to=None, stages=[6, 3], table_max=5)
    play(event, 2, [entries[name] for name in "aebfcgdh"[:4]])
    play(event, 2, [entries[name] for name in "aebfcgdh"[4:]])
    semi = final(organiser, event)
    assert (semi.stage, semi.title) == (1, "Semi-finals")
    assert sum(map(len, seated(semi))) == 6
    Round.objects.filter(pk=semi.pk).update(status="closed")
    last = final(organiser, event)
    assert (last.stage, last.title) == (2, "Final")
    assert len(seated(last)) == 1
    assert len(seated(last)[0]) == 3


def test_the_best_are_dealt_to_several_tables_in_turns(organiser):
    event, entries = event_with(
        "abcdefghijkl", club=organiser.user.memberships.get().club, stages=[12], table_max=4, table_min=2
    )
    play(event, 1, list(entries.values())[:8])
    tables = seated(final(organiser, event))
    assert sorted("".join(tables)) == sorted("abcdefghijkl")
    assert [table[0] for table in tables] == list("abcdefghijkl"[: len(tables)])


def test_stages_that_do_not_become_smaller_are_refused(organiser):
    event, _entries = event_with("abc", club=organiser.user.memberships.get().club)
    for stages in ([4, 8], [4, 4], [8, 1]):
        with pytest.raises(EventInvalidError):
            events.edit_event(actor=organiser, event=event, fields={"stages": stages})
    house = club_with_organiser("Elsewhere")
    made = new_event(house, stages=[8, 4], tie_rule="lots")
    assert (made["stages"], made["tie_rule"]) == ([8, 4], "lots")
