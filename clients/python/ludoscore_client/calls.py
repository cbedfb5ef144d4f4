"""A method per call of the API. Made by clients/generate.py from the schema of the API; do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ludoscore_client import models
from ludoscore_client.exchange import part


class Calls:
    """Every call; `request` is waited for."""

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str | None] | None = None,
        keyed: bool = False,
    ) -> Any:
        """Make any call."""
        raise NotImplementedError

    def attempts_list(
        self, uid: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedAttemptOutputList:
        """List the refused sheets of a table."""
        answer: models.PaginatedAttemptOutputList = self.request(
            "GET", f"tables/{part(uid)}/attempts/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def calls_answer(self, uid: str, body: models.PatchedCallPatchRequest | None = None) -> models.CallOutput:
        """Say that one is coming."""
        answer: models.CallOutput = self.request("PATCH", f"calls/{part(uid)}/", body=body)
        return answer

    def calls_answer_at_table(
        self, table: str, uid: str, body: models.PatchedCallPatchRequest | None = None
    ) -> models.CallOutput:
        """Answer a call."""
        answer: models.CallOutput = self.request("PATCH", f"tables/{part(table)}/calls/{part(uid)}/", body=body)
        return answer

    def calls_create(self, uid: str, body: models.CallInputRequest | None = None) -> models.CallOutput:
        """Call the organiser to a table."""
        answer: models.CallOutput = self.request("POST", f"tables/{part(uid)}/calls/", body=body, keyed=True)
        return answer

    def calls_list(self, uid: str) -> list[models.CallOutput]:
        """List the calls of a table that are not done."""
        answer: list[models.CallOutput] = self.request("GET", f"tables/{part(uid)}/calls/")
        return answer

    def calls_of_event(self, uid: str) -> list[models.CallOutput]:
        """List the calls of an event that are not done."""
        answer: list[models.CallOutput] = self.request("GET", f"events/{part(uid)}/calls/")
        return answer

    def challenge_retrieve(
        self, game: str, *, day: str | None = None, play_token: str | None = None
    ) -> models.ChallengeBoardOutput:
        """Show a challenge that is everybody's."""
        answer: models.ChallengeBoardOutput = self.request(
            "GET", f"challenges/{part(game)}/", query={"day": day}, headers={"Play-Token": play_token}
        )
        return answer

    def clubs_challenge_retrieve(
        self, slug: str, game: str, *, day: str | None = None, play_token: str | None = None
    ) -> models.ChallengeBoardOutput:
        """Show the challenge of a club."""
        answer: models.ChallengeBoardOutput = self.request(
            "GET",
            f"clubs/{part(slug)}/challenges/{part(game)}/",
            query={"day": day},
            headers={"Play-Token": play_token},
        )
        return answer

    def clubs_change(self, slug: str, body: models.PatchedClubPatchRequest | None = None) -> models.ClubOutput:
        """Change a club."""
        answer: models.ClubOutput = self.request("PATCH", f"clubs/{part(slug)}/", body=body)
        return answer

    def clubs_create(self, body: models.ClubInputRequest) -> models.ClubOutput:
        """Create a club where the operator lets anybody do so."""
        answer: models.ClubOutput = self.request("POST", "clubs/", body=body, keyed=True)
        return answer

    def clubs_file(self, slug: str) -> models.ClubFile:
        """Read everything of a club as one file."""
        answer: models.ClubFile = self.request("GET", f"clubs/{part(slug)}/file/")
        return answer

    def clubs_leaderboard(
        self,
        slug: str,
        game: str,
        *,
        active_since: str | None = None,
        cursor: str | None = None,
        min_tables: int | None = None,
        provisional: bool | None = None,
        search: str | None = None,
    ) -> models.BoardOutput:
        """Read a page of 50 of the ratings of a club's players."""
        answer: models.BoardOutput = self.request(
            "GET",
            f"clubs/{part(slug)}/leaderboards/{part(game)}/",
            query={
                "active_since": active_since,
                "cursor": cursor,
                "min_tables": min_tables,
                "provisional": provisional,
                "search": search,
            },
        )
        return answer

    def clubs_length(
        self, slug: str, *, game: str | None = None, players: int | None = None, variant: str | None = None
    ) -> models.LengthOutput:
        """Read how long a table of a game likely takes in a club."""
        answer: models.LengthOutput = self.request(
            "GET", f"clubs/{part(slug)}/length/", query={"game": game, "players": players, "variant": variant}
        )
        return answer

    def clubs_list(self, *, cursor: str | None = None, page_size: int | None = None) -> models.PaginatedClubOutputList:
        """List clubs by name."""
        answer: models.PaginatedClubOutputList = self.request(
            "GET", "clubs/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def clubs_results(self, slug: str, *, modified_since: str | None = None) -> list[models.MirroredResult]:
        """Stream the result of every table of a club that one may know of."""
        answer: list[models.MirroredResult] = self.request(
            "GET", f"clubs/{part(slug)}/results/", query={"modified_since": modified_since}
        )
        return answer

    def clubs_retrieve(self, slug: str) -> models.ClubOutput:
        """Read a club."""
        answer: models.ClubOutput = self.request("GET", f"clubs/{part(slug)}/")
        return answer

    def decisions_accept_all(
        self, uid: str, body: models.AcceptPendingInputRequest | None = None
    ) -> models.AcceptedOutput:
        """Accept every legal sheet that waits."""
        answer: models.AcceptedOutput = self.request("POST", f"events/{part(uid)}/decisions/", body=body, keyed=True)
        return answer

    def decisions_create(
        self, uid: str, body: models.DecisionInputRequest | None = None, *, preview: bool | None = None
    ) -> models.DecisionOrPreview:
        """Decide a table."""
        answer: models.DecisionOrPreview = self.request(
            "POST", f"tables/{part(uid)}/decision/", body=body, query={"preview": preview}, keyed=True
        )
        return answer

    def definitions_check(self, body: models.DefinitionToCheckRequest) -> dict[str, Any]:
        """Judge a definition."""
        answer: dict[str, Any] = self.request("POST", "definitions/check/", body=body)
        return answer

    def definitions_list(self) -> dict[str, Any]:
        """Read the JSON Schema of a definition."""
        answer: dict[str, Any] = self.request("GET", "definitions/")
        return answer

    def drafts_merge(self, uid: str, body: models.PatchedDraftMergeRequest | None = None) -> models.SharedDraftOutput:
        """Add to the draft what changed on one phone."""
        answer: models.SharedDraftOutput = self.request("PATCH", f"tables/{part(uid)}/draft/", body=body)
        return answer

    def drafts_retrieve(self, uid: str) -> models.DraftOutput:
        """Read the draft."""
        answer: models.DraftOutput = self.request("GET", f"tables/{part(uid)}/draft/")
        return answer

    def drafts_save(self, uid: str, body: models.DraftInputRequest) -> models.DraftOutput:
        """Save the draft over the version it was made from."""
        answer: models.DraftOutput = self.request("PUT", f"tables/{part(uid)}/draft/", body=body)
        return answer

    def entries_bulk(self, uid: str, body: models.BulkInputRequest) -> models.BulkOutput:
        """Enter up to 500 players at once."""
        answer: models.BulkOutput = self.request("POST", f"events/{part(uid)}/entries/bulk/", body=body, keyed=True)
        return answer

    def entries_change(self, uid: str, body: models.PatchedEntryPatchRequest | None = None) -> models.EntryOutput:
        """Check a player in."""
        answer: models.EntryOutput = self.request("PATCH", f"entries/{part(uid)}/", body=body)
        return answer

    def entries_check_in(self, uid: str, body: models.CheckInInputRequest | None = None) -> list[models.EntryOutput]:
        """Check in all players who are registered."""
        answer: list[models.EntryOutput] = self.request(
            "POST", f"events/{part(uid)}/entries/check-in/", body=body, keyed=True
        )
        return answer

    def entries_create(self, uid: str, body: models.EntryInputRequest | None = None) -> models.EntryWithToken:
        """Enter a player."""
        answer: models.EntryWithToken = self.request("POST", f"events/{part(uid)}/entries/", body=body, keyed=True)
        return answer

    def entries_import(self, uid: str, body: models.EntriesCsvRequest) -> models.BulkOutput:
        """Enter the players of a CSV file by their names."""
        answer: models.BulkOutput = self.request("POST", f"events/{part(uid)}/entries/import/", body=body, keyed=True)
        return answer

    def entries_link(self, uid: str) -> models.EntryWithToken:
        """Show the secret of a player's personal link again."""
        answer: models.EntryWithToken = self.request("GET", f"entries/{part(uid)}/link/")
        return answer

    def entries_link_renew(self, uid: str) -> models.EntryWithToken:
        """Make the personal link invalid and give the player another."""
        answer: models.EntryWithToken = self.request("POST", f"entries/{part(uid)}/link/", keyed=True)
        return answer

    def entries_list(
        self,
        uid: str,
        *,
        cursor: str | None = None,
        ordering: Literal["-joined", "-name", "joined", "name"] | None = None,
        page_size: int | None = None,
        status: list[Literal["checked_in", "dropped", "registered", "waiting"]] | None = None,
    ) -> models.PaginatedEntryOutputList:
        """List the players of an event."""
        answer: models.PaginatedEntryOutputList = self.request(
            "GET",
            f"events/{part(uid)}/entries/",
            query={"cursor": cursor, "ordering": ordering, "page_size": page_size, "status": status},
        )
        return answer

    def entries_list_names(self, uid: str, body: models.NamesInputRequest) -> models.NamesOutput:
        """Enter everybody on a list of names."""
        answer: models.NamesOutput = self.request("POST", f"events/{part(uid)}/entries/names/", body=body, keyed=True)
        return answer

    def entries_no_shows(self, uid: str) -> list[models.EntryOutput]:
        """Take out everybody who is registered and not here."""
        answer: list[models.EntryOutput] = self.request("POST", f"events/{part(uid)}/entries/no-shows/", keyed=True)
        return answer

    def entries_proof_code(self, uid: str) -> models.CodeOutput:
        """Show a code that proves the player on another phone."""
        answer: models.CodeOutput = self.request("POST", f"entries/{part(uid)}/proof-code/")
        return answer

    def entries_push(self, uid: str) -> models.PushOutput:
        """List the browsers that are told what is asked of the player."""
        answer: models.PushOutput = self.request("GET", f"entries/{part(uid)}/push/")
        return answer

    def entries_push_retrieve(self, uid: str, phone: str) -> models.SubscriptionOutput:
        """Read one of the browsers that are told."""
        answer: models.SubscriptionOutput = self.request("GET", f"entries/{part(uid)}/push/{part(phone)}/")
        return answer

    def entries_push_subscribe(self, uid: str, body: models.SubscriptionInputRequest) -> models.SubscriptionOutput:
        """Let a browser be told from now on."""
        answer: models.SubscriptionOutput = self.request("POST", f"entries/{part(uid)}/push/", body=body, keyed=True)
        return answer

    def entries_push_unsubscribe(self, uid: str, phone: str) -> None:
        """Tell a browser nothing more."""
        self.request("DELETE", f"entries/{part(uid)}/push/{part(phone)}/")

    def entries_reject(self, uid: str) -> models.EntryOutput:
        """Say that an entry is not the known player."""
        answer: models.EntryOutput = self.request("POST", f"entries/{part(uid)}/reject/", keyed=True)
        return answer

    def entries_retrieve(self, uid: str) -> models.EntryOutput:
        """Read an entry."""
        answer: models.EntryOutput = self.request("GET", f"entries/{part(uid)}/")
        return answer

    def entries_substitute(self, uid: str, body: models.SubstituteInputRequest | None = None) -> models.EntryWithToken:
        """Put another player in somebody's place from now on."""
        answer: models.EntryWithToken = self.request("POST", f"entries/{part(uid)}/substitute/", body=body, keyed=True)
        return answer

    def entries_take_back(self, uid: str, body: models.ProofInputRequest | None = None) -> models.EntryWithToken:
        """Give an entry to the player it is of."""
        answer: models.EntryWithToken = self.request("POST", f"entries/{part(uid)}/take-back/", body=body, keyed=True)
        return answer

    def entries_vouch(self, uid: str, body: models.ProofInputRequest | None = None) -> models.EntryOutput:
        """Say that an entry really is the known player."""
        answer: models.EntryOutput = self.request("POST", f"entries/{part(uid)}/vouch/", body=body, keyed=True)
        return answer

    def entries_vouch_all(self, uid: str, body: models.AnswersInputRequest | None = None) -> list[models.EntryOutput]:
        """Vouch for all entries that are unproven."""
        answer: list[models.EntryOutput] = self.request(
            "POST", f"events/{part(uid)}/entries/vouch/", body=body, keyed=True
        )
        return answer

    def events_change(
        self, uid: str, body: models.PatchedEventPatchRequest | None = None
    ) -> models.EventForOrganisers:
        """Change an event's settings."""
        answer: models.EventForOrganisers = self.request("PATCH", f"events/{part(uid)}/", body=body)
        return answer

    def events_copy(self, uid: str, body: models.CopyInputRequest | None = None) -> list[models.EventForOrganisers]:
        """Create an event again."""
        answer: list[models.EventForOrganisers] = self.request(
            "POST", f"events/{part(uid)}/copy/", body=body, keyed=True
        )
        return answer

    def events_create(self, body: models.EventInputRequest) -> models.EventForOrganisers:
        """Create an event as a draft."""
        answer: models.EventForOrganisers = self.request("POST", "events/", body=body, keyed=True)
        return answer

    def events_file(self, uid: str) -> models.EventFile:
        """Read a whole event as one file."""
        answer: models.EventFile = self.request("GET", f"events/{part(uid)}/file/")
        return answer

    def events_history(
        self, uid: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedActionOutputList:
        """List who did what in an event."""
        answer: models.PaginatedActionOutputList = self.request(
            "GET", f"events/{part(uid)}/history/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def events_join_code_renew(self, uid: str) -> models.EventForOrganisers:
        """Give the event another join code."""
        answer: models.EventForOrganisers = self.request("POST", f"events/{part(uid)}/join-code/", keyed=True)
        return answer

    def events_list(
        self,
        *,
        club: str | None = None,
        cursor: str | None = None,
        game: str | None = None,
        ordering: Literal["-name", "-starts_at", "name", "starts_at"] | None = None,
        page_size: int | None = None,
        season: str | None = None,
        starts_after: str | None = None,
        starts_before: str | None = None,
        status: list[Literal["cancelled", "draft", "finished", "registration", "running"]] | None = None,
    ) -> models.PaginatedEventOutputList:
        """List events."""
        answer: models.PaginatedEventOutputList = self.request(
            "GET",
            "events/",
            query={
                "club": club,
                "cursor": cursor,
                "game": game,
                "ordering": ordering,
                "page_size": page_size,
                "season": season,
                "starts_after": starts_after,
                "starts_before": starts_before,
                "status": status,
            },
        )
        return answer

    def events_retrieve(self, uid: str) -> models.EventAsSeen:
        """Read an event."""
        answer: models.EventAsSeen = self.request("GET", f"events/{part(uid)}/")
        return answer

    def files_import(self, slug: str, body: models.AnyFileRequest | None = None) -> models.AnyTaken:
        """Take an event."""
        answer: models.AnyTaken = self.request("POST", f"clubs/{part(slug)}/files/", body=body, keyed=True)
        return answer

    def games_assist(self, slug: str, body: Any = None) -> dict[str, Any]:
        """Help with a position."""
        answer: dict[str, Any] = self.request("POST", f"games/{part(slug)}/assist/", body=body)
        return answer

    def games_check(self, slug: str, body: models.Sheet | None = None) -> models.VerdictOutput:
        """Judge a report by the rules."""
        answer: models.VerdictOutput = self.request("POST", f"games/{part(slug)}/check/", body=body)
        return answer

    def games_list(self) -> models.GamesOutput:
        """List the games."""
        answer: models.GamesOutput = self.request("GET", "games/")
        return answer

    def games_retrieve(self, slug: str) -> models.GameDetailOutput:
        """Describe a game with the JSON Schemas of its report and of a position for assistance."""
        answer: models.GameDetailOutput = self.request("GET", f"games/{part(slug)}/")
        return answer

    def games_vectors(self, slug: str) -> models.VectorsOutput:
        """List reports with the verdicts that every implementation of the rules must reach."""
        answer: models.VectorsOutput = self.request("GET", f"games/{part(slug)}/vectors/")
        return answer

    def invitations_accept(self, body: models.AcceptInputRequest) -> models.JoinedOutput:
        """Accept an invitation that was sent to the address of one's account."""
        answer: models.JoinedOutput = self.request("POST", "invitations/accept/", body=body, keyed=True)
        return answer

    def invitations_create(self, slug: str, body: models.InvitationInputRequest) -> models.InvitationWithSecret:
        """Invite somebody by e-mail."""
        answer: models.InvitationWithSecret = self.request(
            "POST", f"clubs/{part(slug)}/invitations/", body=body, keyed=True
        )
        return answer

    def invitations_list(
        self, slug: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedInvitationOutputList:
        """List the invitations that nobody accepted yet."""
        answer: models.PaginatedInvitationOutputList = self.request(
            "GET", f"clubs/{part(slug)}/invitations/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def invitations_revoke(self, slug: str, uid: str) -> None:
        """Take an invitation back."""
        self.request("DELETE", f"clubs/{part(slug)}/invitations/{part(uid)}/")

    def join(self, code: str) -> models.EventOutput:
        """Find the event that players join with a code."""
        answer: models.EventOutput = self.request("GET", f"join/{part(code)}/")
        return answer

    def keep_apart_create(self, slug: str, body: models.KeepApartInputRequest) -> models.KeepApartOutput:
        """Keep two players of the club apart."""
        answer: models.KeepApartOutput = self.request("POST", f"clubs/{part(slug)}/keep-apart/", body=body, keyed=True)
        return answer

    def keep_apart_list(
        self, slug: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedKeepApartOutputList:
        """List the pairs."""
        answer: models.PaginatedKeepApartOutputList = self.request(
            "GET", f"clubs/{part(slug)}/keep-apart/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def keep_apart_remove(self, slug: str, uid: str) -> None:
        """Let two players meet again."""
        self.request("DELETE", f"clubs/{part(slug)}/keep-apart/{part(uid)}/")

    def keys_create(self, slug: str, body: models.KeyInputRequest) -> models.KeyWithSecret:
        """Make a key."""
        answer: models.KeyWithSecret = self.request("POST", f"clubs/{part(slug)}/keys/", body=body, keyed=True)
        return answer

    def keys_list(
        self, slug: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedKeyOutputList:
        """List the keys of a club that were not revoked."""
        answer: models.PaginatedKeyOutputList = self.request(
            "GET", f"clubs/{part(slug)}/keys/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def keys_read(self, slug: str, uid: str) -> models.KeyOutput:
        """Read a key."""
        answer: models.KeyOutput = self.request("GET", f"clubs/{part(slug)}/keys/{part(uid)}/")
        return answer

    def keys_revoke(self, slug: str, uid: str) -> None:
        """Revoke a key."""
        self.request("DELETE", f"clubs/{part(slug)}/keys/{part(uid)}/")

    def keys_uses(
        self, slug: str, uid: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedKeyUseOutputList:
        """List what a key was used for in the last 90 days."""
        answer: models.PaginatedKeyUseOutputList = self.request(
            "GET", f"clubs/{part(slug)}/keys/{part(uid)}/uses/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def leaderboards_retrieve(
        self,
        game: str,
        *,
        active_since: str | None = None,
        cursor: str | None = None,
        min_tables: int | None = None,
        provisional: bool | None = None,
        search: str | None = None,
    ) -> models.BoardOutput:
        """Read a page of 50 of everybody's ratings."""
        answer: models.BoardOutput = self.request(
            "GET",
            f"leaderboards/{part(game)}/",
            query={
                "active_since": active_since,
                "cursor": cursor,
                "min_tables": min_tables,
                "provisional": provisional,
                "search": search,
            },
        )
        return answer

    def me(self) -> models.MeWithClubs:
        """Say who the caller is to the API, and in which clubs."""
        answer: models.MeWithClubs = self.request("GET", "me/")
        return answer

    def members_change(
        self, slug: str, number: int, body: models.PatchedMemberPatchRequest | None = None
    ) -> models.MemberOutput:
        """Give a member another role."""
        answer: models.MemberOutput = self.request("PATCH", f"clubs/{part(slug)}/members/{part(number)}/", body=body)
        return answer

    def members_list(
        self, slug: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedMemberOutputList:
        """List the members of a club."""
        answer: models.PaginatedMemberOutputList = self.request(
            "GET", f"clubs/{part(slug)}/members/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def members_remove(self, slug: str, number: int) -> None:
        """Remove a member."""
        self.request("DELETE", f"clubs/{part(slug)}/members/{part(number)}/")

    def merge_requests_accept(self, uid: str) -> models.MergeRequestOutput:
        """Agree for the side that was asked."""
        answer: models.MergeRequestOutput = self.request("POST", f"merge-requests/{part(uid)}/accept/", keyed=True)
        return answer

    def merge_requests_create(self, body: models.MergeRequestInputRequest) -> models.MergeRequestOutput:
        """Ask the other side whether two records are one person."""
        answer: models.MergeRequestOutput = self.request("POST", "merge-requests/", body=body, keyed=True)
        return answer

    def merge_requests_decline(self, uid: str) -> models.MergeRequestOutput:
        """Say no for the side that was asked."""
        answer: models.MergeRequestOutput = self.request("POST", f"merge-requests/{part(uid)}/decline/", keyed=True)
        return answer

    def merge_requests_list(
        self,
        *,
        cursor: str | None = None,
        page_size: int | None = None,
        status: list[Literal["accepted", "declined", "expired", "open", "withdrawn"]] | None = None,
    ) -> models.PaginatedMergeRequestOutputList:
        """List the requests to merge that concern the caller or their clubs."""
        answer: models.PaginatedMergeRequestOutputList = self.request(
            "GET", "merge-requests/", query={"cursor": cursor, "page_size": page_size, "status": status}
        )
        return answer

    def merge_requests_retrieve(self, uid: str) -> models.MergeRequestOutput:
        """Read a request to merge."""
        answer: models.MergeRequestOutput = self.request("GET", f"merge-requests/{part(uid)}/")
        return answer

    def merge_requests_withdraw(self, uid: str) -> models.MergeRequestOutput:
        """Take a request back."""
        answer: models.MergeRequestOutput = self.request("POST", f"merge-requests/{part(uid)}/withdraw/", keyed=True)
        return answer

    def own_games_change(self, club: str, slug: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Change a game."""
        answer: dict[str, Any] = self.request("PATCH", f"clubs/{part(club)}/games/{part(slug)}/", body=body)
        return answer

    def own_games_check(self, club: str, slug: str, body: Any = None) -> models.VerdictOutput:
        """Judge a sheet by the newest version of a game."""
        answer: models.VerdictOutput = self.request("POST", f"clubs/{part(club)}/games/{part(slug)}/check/", body=body)
        return answer

    def own_games_check_version(self, club: str, slug: str, number: int, body: Any = None) -> models.VerdictOutput:
        """Judge a sheet by one version of a game."""
        answer: models.VerdictOutput = self.request(
            "POST", f"clubs/{part(club)}/games/{part(slug)}/versions/{part(number)}/check/", body=body
        )
        return answer

    def own_games_create(self, club: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Describe a game."""
        answer: dict[str, Any] = self.request("POST", f"clubs/{part(club)}/games/", body=body, keyed=True)
        return answer

    def own_games_list(self, club: str) -> dict[str, Any]:
        """List a club's own games by slug."""
        answer: dict[str, Any] = self.request("GET", f"clubs/{part(club)}/games/")
        return answer

    def own_games_remove(self, club: str, slug: str) -> None:
        """Remove a game that no event is played by."""
        self.request("DELETE", f"clubs/{part(club)}/games/{part(slug)}/")

    def own_games_retrieve(self, club: str, slug: str) -> dict[str, Any]:
        """Read a game in its newest version."""
        answer: dict[str, Any] = self.request("GET", f"clubs/{part(club)}/games/{part(slug)}/")
        return answer

    def own_games_share(self, club: str, slug: str) -> dict[str, Any]:
        """Give the game a link."""
        answer: dict[str, Any] = self.request("POST", f"clubs/{part(club)}/games/{part(slug)}/link/")
        return answer

    def own_games_shared(self, link: str) -> dict[str, Any]:
        """Read a game by the link that its club has given."""
        answer: dict[str, Any] = self.request("GET", f"shared-games/{part(link)}/")
        return answer

    def own_games_unshare(self, club: str, slug: str) -> None:
        """End the link."""
        self.request("DELETE", f"clubs/{part(club)}/games/{part(slug)}/link/")

    def own_games_version(self, club: str, slug: str, number: int) -> dict[str, Any]:
        """Read a game in one of its versions."""
        answer: dict[str, Any] = self.request("GET", f"clubs/{part(club)}/games/{part(slug)}/versions/{part(number)}/")
        return answer

    def own_games_versions(
        self, club: str, slug: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedVersionOutputList:
        """List the definitions a club has given of a game."""
        answer: models.PaginatedVersionOutputList = self.request(
            "GET", f"clubs/{part(club)}/games/{part(slug)}/versions/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def penalties_create(self, uid: str, body: models.PenaltyInputRequest) -> models.PenaltyOutput:
        """Take points off an entry."""
        answer: models.PenaltyOutput = self.request("POST", f"events/{part(uid)}/penalties/", body=body, keyed=True)
        return answer

    def penalties_list(self, uid: str) -> list[models.PenaltyOutput]:
        """List the penalties of an event."""
        answer: list[models.PenaltyOutput] = self.request("GET", f"events/{part(uid)}/penalties/")
        return answer

    def penalties_retrieve(self, uid: str, penalty: str) -> models.PenaltyOutput:
        """Read a penalty."""
        answer: models.PenaltyOutput = self.request("GET", f"events/{part(uid)}/penalties/{part(penalty)}/")
        return answer

    def penalties_take_back(self, uid: str, penalty: str) -> None:
        """Take a penalty back."""
        self.request("DELETE", f"events/{part(uid)}/penalties/{part(penalty)}/")

    def players_anonymise(self, uid: str) -> models.ProfileOutput:
        """Replace somebody's name everywhere and for good."""
        answer: models.ProfileOutput = self.request("POST", f"players/{part(uid)}/anonymise/", keyed=True)
        return answer

    def players_change(self, uid: str, body: models.PatchedPlayerInputRequest | None = None) -> models.ProfileOutput:
        """Rename a player."""
        answer: models.ProfileOutput = self.request("PATCH", f"players/{part(uid)}/", body=body)
        return answer

    def players_create(self, slug: str, body: models.PlayerInputRequest) -> models.PlayerOutput:
        """Make a record of somebody new."""
        answer: models.PlayerOutput = self.request("POST", f"clubs/{part(slug)}/players/", body=body, keyed=True)
        return answer

    def players_events(
        self, uid: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedFinishOutputList:
        """List where a player stood in their events."""
        answer: models.PaginatedFinishOutputList = self.request(
            "GET", f"players/{part(uid)}/events/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def players_export(self, uid: str) -> dict[str, Any]:
        """Read everything that is stored about a person."""
        answer: dict[str, Any] = self.request("GET", f"players/{part(uid)}/export/")
        return answer

    def players_import(self, slug: str, body: models.ImportInputRequest) -> models.ImportOutput:
        """Import players from CSV, as an organiser."""
        answer: models.ImportOutput = self.request(
            "POST", f"clubs/{part(slug)}/players/import/", body=body, keyed=True
        )
        return answer

    def players_link(self, uid: str, body: models.LinkInputRequest | None = None) -> models.ProfileOutput:
        """Say that a player is oneself."""
        answer: models.ProfileOutput = self.request("POST", f"players/{part(uid)}/link/", body=body, keyed=True)
        return answer

    def players_list(
        self, slug: str, *, cursor: str | None = None, page_size: int | None = None, q: str | None = None
    ) -> models.PaginatedPlayerOutputList:
        """List the players a club knows by name."""
        answer: models.PaginatedPlayerOutputList = self.request(
            "GET", f"clubs/{part(slug)}/players/", query={"cursor": cursor, "page_size": page_size, "q": q}
        )
        return answer

    def players_merge(self, uid: str, body: models.MergeInputRequest) -> models.ProfileOutput:
        """Merge a record into another one of the same person."""
        answer: models.ProfileOutput = self.request("POST", f"players/{part(uid)}/merge/", body=body, keyed=True)
        return answer

    def players_merge_preview(self, uid: str, body: models.MergeInputRequest) -> models.MergePreviewOutput:
        """Say what merging a record into another would do."""
        answer: models.MergePreviewOutput = self.request("POST", f"players/{part(uid)}/merge-preview/", body=body)
        return answer

    def players_note(self, slug: str, uid: str) -> models.NoteInput:
        """Read the note that a club's organisers keep about a player."""
        answer: models.NoteInput = self.request("GET", f"clubs/{part(slug)}/players/{part(uid)}/note/")
        return answer

    def players_note_write(self, slug: str, uid: str, body: models.NoteInputRequest) -> models.NoteInput:
        """Write the note about a player anew."""
        answer: models.NoteInput = self.request("PUT", f"clubs/{part(slug)}/players/{part(uid)}/note/", body=body)
        return answer

    def players_ratings(
        self, uid: str, game: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedChangeOutputList:
        """List what each table that one may know of did to a player's rating."""
        answer: models.PaginatedChangeOutputList = self.request(
            "GET", f"players/{part(uid)}/ratings/{part(game)}/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def players_retrieve(self, uid: str) -> models.RatedProfileOutput:
        """Read a player's profile."""
        answer: models.RatedProfileOutput = self.request("GET", f"players/{part(uid)}/")
        return answer

    def players_statistics(self, uid: str, game: str) -> models.StatisticsOutput:
        """Read what a player has done in a game."""
        answer: models.StatisticsOutput = self.request("GET", f"players/{part(uid)}/statistics/{part(game)}/")
        return answer

    def players_unlink(self, uid: str) -> models.ProfileOutput:
        """Part a player from their account."""
        answer: models.ProfileOutput = self.request("DELETE", f"players/{part(uid)}/link/")
        return answer

    def players_unmerge(self, uid: str) -> models.ProfileOutput:
        """Take the merge of a record back."""
        answer: models.ProfileOutput = self.request("POST", f"players/{part(uid)}/unmerge/", keyed=True)
        return answer

    def prizes_retrieve(self, uid: str) -> models.AwardsOutput:
        """Read the prizes of an event."""
        answer: models.AwardsOutput = self.request("GET", f"events/{part(uid)}/prizes/")
        return answer

    def records_check(self, slug: str, body: models.RecordInputRequest) -> models.VerdictOutput:
        """Replay a record and judge its game."""
        answer: models.VerdictOutput = self.request("POST", f"games/{part(slug)}/records/check/", body=body)
        return answer

    def records_convert(self, slug: str, body: models.RecordInputRequest) -> models.ConvertedOutput:
        """Replay a record and return the report of its game."""
        answer: models.ConvertedOutput = self.request("POST", f"games/{part(slug)}/records/convert/", body=body)
        return answer

    def records_step(self, slug: str, body: models.StepInputRequest) -> models.StepOutput:
        """Show a record."""
        answer: models.StepOutput = self.request("POST", f"games/{part(slug)}/records/step/", body=body)
        return answer

    def reports_clear_flags(self, uid: str) -> models.ReportOutput:
        """Say that a marked report was looked at and is fine."""
        answer: models.ReportOutput = self.request("POST", f"reports/{part(uid)}/clear-flags/", keyed=True)
        return answer

    def reports_confirm(self, uid: str) -> models.ReportOutput:
        """Agree as another seat of the table."""
        answer: models.ReportOutput = self.request("POST", f"reports/{part(uid)}/confirm/", keyed=True)
        return answer

    def reports_create(self, uid: str, body: models.ReportInputRequest) -> models.ReportOutput:
        """Report the result of a table."""
        answer: models.ReportOutput = self.request("POST", f"tables/{part(uid)}/reports/", body=body, keyed=True)
        return answer

    def reports_dispute(self, uid: str, body: models.ReasonRequest | None = None) -> models.ReportOutput:
        """Object as another seat of the table."""
        answer: models.ReportOutput = self.request("POST", f"reports/{part(uid)}/dispute/", body=body, keyed=True)
        return answer

    def reports_list(self, uid: str) -> models.ReportsOutput:
        """List the reports."""
        answer: models.ReportsOutput = self.request("GET", f"tables/{part(uid)}/reports/")
        return answer

    def reports_retrieve(self, uid: str) -> models.ReportOutput:
        """Read a report."""
        answer: models.ReportOutput = self.request("GET", f"reports/{part(uid)}/")
        return answer

    def reports_withdraw(self, uid: str, body: models.WithdrawInputRequest | None = None) -> models.ReportOutput:
        """Take one's own report back while it does not count."""
        answer: models.ReportOutput = self.request("POST", f"reports/{part(uid)}/withdraw/", body=body, keyed=True)
        return answer

    def results_list(self, uid: str) -> models.ResultsOutput:
        """Read every counted place at every table."""
        answer: models.ResultsOutput = self.request("GET", f"events/{part(uid)}/results/")
        return answer

    def root(self) -> models.Root:
        """List the addresses to begin with."""
        answer: models.Root = self.request("GET", "")
        return answer

    def rounds_add_table(self, uid: str, number: int) -> models.TableOutput:
        """Put an empty table into a draft."""
        answer: models.TableOutput = self.request(
            "POST", f"events/{part(uid)}/rounds/{part(number)}/tables/", keyed=True
        )
        return answer

    def rounds_change(
        self, uid: str, number: int, body: models.PatchedRoundPatchRequest | None = None
    ) -> models.RoundOutput:
        """Change who sits where."""
        answer: models.RoundOutput = self.request("PATCH", f"events/{part(uid)}/rounds/{part(number)}/", body=body)
        return answer

    def rounds_create(self, uid: str, body: models.NextRoundRequest | None = None) -> models.RoundOutput:
        """Seat the next round."""
        answer: models.RoundOutput = self.request("POST", f"events/{part(uid)}/rounds/", body=body, keyed=True)
        return answer

    def rounds_list(
        self, uid: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedRoundOutputList:
        """List the rounds of an event with their tables."""
        answer: models.PaginatedRoundOutputList = self.request(
            "GET", f"events/{part(uid)}/rounds/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def rounds_plan(self, uid: str) -> list[models.PlannedRound]:
        """Read who meets whom in every round."""
        answer: list[models.PlannedRound] = self.request("GET", f"events/{part(uid)}/plan/")
        return answer

    def rounds_retrieve(self, uid: str, number: int) -> models.RoundOutput:
        """Read a round with its tables and seats."""
        answer: models.RoundOutput = self.request("GET", f"events/{part(uid)}/rounds/{part(number)}/")
        return answer

    def seasons_change(self, uid: str, body: models.PatchedSeasonInputRequest | None = None) -> models.SeasonOutput:
        """Change a season."""
        answer: models.SeasonOutput = self.request("PATCH", f"seasons/{part(uid)}/", body=body)
        return answer

    def seasons_course(self, uid: str) -> models.SeasonCourseOutput:
        """Read where everybody stood after each event of a season."""
        answer: models.SeasonCourseOutput = self.request("GET", f"seasons/{part(uid)}/course/")
        return answer

    def seasons_create(self, slug: str, body: models.SeasonInputRequest) -> models.SeasonOutput:
        """Create a season."""
        answer: models.SeasonOutput = self.request("POST", f"clubs/{part(slug)}/seasons/", body=body, keyed=True)
        return answer

    def seasons_list(
        self, slug: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedSeasonOutputList:
        """List the seasons of a club."""
        answer: models.PaginatedSeasonOutputList = self.request(
            "GET", f"clubs/{part(slug)}/seasons/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def seasons_retrieve(self, uid: str) -> models.SeasonOutput:
        """Read a season."""
        answer: models.SeasonOutput = self.request("GET", f"seasons/{part(uid)}/")
        return answer

    def seasons_standings(self, uid: str) -> models.SeasonTableOutput:
        """Read the table of a season."""
        answer: models.SeasonTableOutput = self.request("GET", f"seasons/{part(uid)}/standings/")
        return answer

    def sessions_end(self, uid: str) -> None:
        """Log out in one browser."""
        self.request("DELETE", f"me/sessions/{part(uid)}/")

    def sessions_end_all(self) -> None:
        """Log out everywhere."""
        self.request("DELETE", "me/sessions/")

    def sessions_list(
        self, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedSessionOutputList:
        """List the browsers in which one is logged in."""
        answer: models.PaginatedSessionOutputList = self.request(
            "GET", "me/sessions/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def solo_advice(self, uid: str, *, play_token: str | None = None) -> models.AdviceOutput:
        """Say what a strong player would do now in practice."""
        answer: models.AdviceOutput = self.request(
            "GET", f"solo/{part(uid)}/advice/", headers={"Play-Token": play_token}
        )
        return answer

    def solo_move(
        self, uid: str, body: models.MoveInputRequest, *, play_token: str | None = None
    ) -> models.SoloOutput:
        """Make the move that answers move `number`; sent again."""
        answer: models.SoloOutput = self.request(
            "POST", f"solo/{part(uid)}/moves/", body=body, headers={"Play-Token": play_token}
        )
        return answer

    def solo_record(self, uid: str, *, play_token: str | None = None) -> models.RecordOutput:
        """Return the record of a finished game."""
        answer: models.RecordOutput = self.request(
            "GET", f"solo/{part(uid)}/record/", headers={"Play-Token": play_token}
        )
        return answer

    def solo_remove(self, uid: str, *, play_token: str | None = None) -> None:
        """Delete a game of one's own."""
        self.request("DELETE", f"solo/{part(uid)}/", headers={"Play-Token": play_token})

    def solo_retrieve(self, uid: str, *, play_token: str | None = None) -> models.SoloOutput:
        """Show a game to whoever plays it."""
        answer: models.SoloOutput = self.request("GET", f"solo/{part(uid)}/", headers={"Play-Token": play_token})
        return answer

    def solo_sign(
        self, uid: str, body: models.PatchedNameInputRequest | None = None, *, play_token: str | None = None
    ) -> models.SoloOutput:
        """Write a name on the result of a challenge."""
        answer: models.SoloOutput = self.request(
            "PATCH", f"solo/{part(uid)}/", body=body, headers={"Play-Token": play_token}
        )
        return answer

    def solo_start(self, body: models.StartInputRequest, *, play_token: str | None = None) -> models.StartedOutput:
        """Begin a game alone or against house players."""
        answer: models.StartedOutput = self.request("POST", "solo/", body=body, headers={"Play-Token": play_token})
        return answer

    def solo_undo(
        self, uid: str, body: models.UndoInputRequest, *, play_token: str | None = None
    ) -> models.SoloOutput:
        """Take back one's last move in practice."""
        answer: models.SoloOutput = self.request(
            "POST", f"solo/{part(uid)}/undo/", body=body, headers={"Play-Token": play_token}
        )
        return answer

    def standings_retrieve(self, uid: str) -> models.StandingsOutput:
        """Read the standings."""
        answer: models.StandingsOutput = self.request("GET", f"events/{part(uid)}/standings/")
        return answer

    def tables_change(self, uid: str, body: models.PatchedTablePatchRequest | None = None) -> models.TableOutput:
        """Write down how people really sat."""
        answer: models.TableOutput = self.request("PATCH", f"tables/{part(uid)}/", body=body)
        return answer

    def tables_form(self, uid: str, body: models.TableInputRequest | None = None) -> models.TableOutput:
        """Form a table in open play."""
        answer: models.TableOutput = self.request("POST", f"events/{part(uid)}/tables/", body=body, keyed=True)
        return answer

    def tables_history(
        self, uid: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedActionOutputList:
        """List who did what at a table."""
        answer: models.PaginatedActionOutputList = self.request(
            "GET", f"tables/{part(uid)}/history/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def tables_leave(self, uid: str) -> models.TableOutput:
        """Stand up from a table of open play that has not begun."""
        answer: models.TableOutput = self.request("POST", f"tables/{part(uid)}/leave/", keyed=True)
        return answer

    def tables_nudge(self, uid: str) -> models.TableOutput:
        """Ask a table for its result."""
        answer: models.TableOutput = self.request("POST", f"tables/{part(uid)}/nudge/", keyed=True)
        return answer

    def tables_record_attach(self, uid: str, body: Any = None) -> models.RecordOutput:
        """Attach the record of its game to a table."""
        answer: models.RecordOutput = self.request("PUT", f"tables/{part(uid)}/record/", body=body)
        return answer

    def tables_record_remove(self, uid: str) -> None:
        """Take the record off a table."""
        self.request("DELETE", f"tables/{part(uid)}/record/")

    def tables_record_retrieve(self, uid: str) -> models.RecordOutput:
        """Return the record that belongs to the result of a table."""
        answer: models.RecordOutput = self.request("GET", f"tables/{part(uid)}/record/")
        return answer

    def tables_remove(self, uid: str) -> None:
        """Take a table out of a draft."""
        self.request("DELETE", f"tables/{part(uid)}/")

    def tables_retrieve(self, uid: str) -> models.TableOutput:
        """Read a table."""
        answer: models.TableOutput = self.request("GET", f"tables/{part(uid)}/")
        return answer

    def tables_sit_down(self, uid: str, body: models.TableCodeRequest) -> models.TableOutput:
        """Sit down at a table by its code."""
        answer: models.TableOutput = self.request("POST", f"events/{part(uid)}/tables/join/", body=body, keyed=True)
        return answer

    def tables_slip_renew(self, uid: str) -> models.TableOutput:
        """Make the slip of a table invalid and give it another."""
        answer: models.TableOutput = self.request("POST", f"tables/{part(uid)}/slip/", keyed=True)
        return answer

    def tokens_create(self, body: models.TokenInputRequest) -> models.TokenWithSecret:
        """Make a token."""
        answer: models.TokenWithSecret = self.request("POST", "me/tokens/", body=body, keyed=True)
        return answer

    def tokens_list(
        self, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedTokenOutputList:
        """List one's tokens that work."""
        answer: models.PaginatedTokenOutputList = self.request(
            "GET", "me/tokens/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def tokens_revoke(self, uid: str) -> None:
        """Revoke one of one's tokens."""
        self.request("DELETE", f"me/tokens/{part(uid)}/")

    def webhooks_change(
        self, slug: str, uid: str, body: models.PatchedWebhookPatchRequest | None = None
    ) -> models.WebhookOutput:
        """Change a webhook."""
        answer: models.WebhookOutput = self.request("PATCH", f"clubs/{part(slug)}/webhooks/{part(uid)}/", body=body)
        return answer

    def webhooks_create(self, slug: str, body: models.WebhookInputRequest) -> models.WebhookWithSecret:
        """Make a webhook."""
        answer: models.WebhookWithSecret = self.request("POST", f"clubs/{part(slug)}/webhooks/", body=body, keyed=True)
        return answer

    def webhooks_delete(self, slug: str, uid: str) -> None:
        """Delete a webhook and its log."""
        self.request("DELETE", f"clubs/{part(slug)}/webhooks/{part(uid)}/")

    def webhooks_deliveries(
        self, slug: str, uid: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedDeliveryOutputList:
        """List what was sent to a webhook in the last 30 days and what is waiting."""
        answer: models.PaginatedDeliveryOutputList = self.request(
            "GET",
            f"clubs/{part(slug)}/webhooks/{part(uid)}/deliveries/",
            query={"cursor": cursor, "page_size": page_size},
        )
        return answer

    def webhooks_list(
        self, slug: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedWebhookOutputList:
        """List the webhooks of a club."""
        answer: models.PaginatedWebhookOutputList = self.request(
            "GET", f"clubs/{part(slug)}/webhooks/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    def webhooks_redeliver(self, slug: str, uid: str, delivery: str) -> models.DeliveryOutput:
        """Send a message again under the same id."""
        answer: models.DeliveryOutput = self.request(
            "POST", f"clubs/{part(slug)}/webhooks/{part(uid)}/deliveries/{part(delivery)}/redeliver/", keyed=True
        )
        return answer

    def webhooks_retrieve(self, slug: str, uid: str) -> models.WebhookOutput:
        """Read a webhook."""
        answer: models.WebhookOutput = self.request("GET", f"clubs/{part(slug)}/webhooks/{part(uid)}/")
        return answer

    def webhooks_rotate(self, slug: str, uid: str) -> models.WebhookWithSecret:
        """Give a webhook a new secret."""
        answer: models.WebhookWithSecret = self.request(
            "POST", f"clubs/{part(slug)}/webhooks/{part(uid)}/rotate/", keyed=True
        )
        return answer

    def webhooks_test(self, slug: str, uid: str) -> models.DeliveryOutput:
        """Send a webhook a `ping`, as an organiser."""
        answer: models.DeliveryOutput = self.request(
            "POST", f"clubs/{part(slug)}/webhooks/{part(uid)}/test/", keyed=True
        )
        return answer


class AsyncCalls:
    """Every call; `request` is awaited."""

    async def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str | None] | None = None,
        keyed: bool = False,
    ) -> Any:
        """Make any call."""
        raise NotImplementedError

    async def attempts_list(
        self, uid: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedAttemptOutputList:
        """List the refused sheets of a table."""
        answer: models.PaginatedAttemptOutputList = await self.request(
            "GET", f"tables/{part(uid)}/attempts/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def calls_answer(self, uid: str, body: models.PatchedCallPatchRequest | None = None) -> models.CallOutput:
        """Say that one is coming."""
        answer: models.CallOutput = await self.request("PATCH", f"calls/{part(uid)}/", body=body)
        return answer

    async def calls_answer_at_table(
        self, table: str, uid: str, body: models.PatchedCallPatchRequest | None = None
    ) -> models.CallOutput:
        """Answer a call."""
        answer: models.CallOutput = await self.request("PATCH", f"tables/{part(table)}/calls/{part(uid)}/", body=body)
        return answer

    async def calls_create(self, uid: str, body: models.CallInputRequest | None = None) -> models.CallOutput:
        """Call the organiser to a table."""
        answer: models.CallOutput = await self.request("POST", f"tables/{part(uid)}/calls/", body=body, keyed=True)
        return answer

    async def calls_list(self, uid: str) -> list[models.CallOutput]:
        """List the calls of a table that are not done."""
        answer: list[models.CallOutput] = await self.request("GET", f"tables/{part(uid)}/calls/")
        return answer

    async def calls_of_event(self, uid: str) -> list[models.CallOutput]:
        """List the calls of an event that are not done."""
        answer: list[models.CallOutput] = await self.request("GET", f"events/{part(uid)}/calls/")
        return answer

    async def challenge_retrieve(
        self, game: str, *, day: str | None = None, play_token: str | None = None
    ) -> models.ChallengeBoardOutput:
        """Show a challenge that is everybody's."""
        answer: models.ChallengeBoardOutput = await self.request(
            "GET", f"challenges/{part(game)}/", query={"day": day}, headers={"Play-Token": play_token}
        )
        return answer

    async def clubs_challenge_retrieve(
        self, slug: str, game: str, *, day: str | None = None, play_token: str | None = None
    ) -> models.ChallengeBoardOutput:
        """Show the challenge of a club."""
        answer: models.ChallengeBoardOutput = await self.request(
            "GET",
            f"clubs/{part(slug)}/challenges/{part(game)}/",
            query={"day": day},
            headers={"Play-Token": play_token},
        )
        return answer

    async def clubs_change(self, slug: str, body: models.PatchedClubPatchRequest | None = None) -> models.ClubOutput:
        """Change a club."""
        answer: models.ClubOutput = await self.request("PATCH", f"clubs/{part(slug)}/", body=body)
        return answer

    async def clubs_create(self, body: models.ClubInputRequest) -> models.ClubOutput:
        """Create a club where the operator lets anybody do so."""
        answer: models.ClubOutput = await self.request("POST", "clubs/", body=body, keyed=True)
        return answer

    async def clubs_file(self, slug: str) -> models.ClubFile:
        """Read everything of a club as one file."""
        answer: models.ClubFile = await self.request("GET", f"clubs/{part(slug)}/file/")
        return answer

    async def clubs_leaderboard(
        self,
        slug: str,
        game: str,
        *,
        active_since: str | None = None,
        cursor: str | None = None,
        min_tables: int | None = None,
        provisional: bool | None = None,
        search: str | None = None,
    ) -> models.BoardOutput:
        """Read a page of 50 of the ratings of a club's players."""
        answer: models.BoardOutput = await self.request(
            "GET",
            f"clubs/{part(slug)}/leaderboards/{part(game)}/",
            query={
                "active_since": active_since,
                "cursor": cursor,
                "min_tables": min_tables,
                "provisional": provisional,
                "search": search,
            },
        )
        return answer

    async def clubs_length(
        self, slug: str, *, game: str | None = None, players: int | None = None, variant: str | None = None
    ) -> models.LengthOutput:
        """Read how long a table of a game likely takes in a club."""
        answer: models.LengthOutput = await self.request(
            "GET", f"clubs/{part(slug)}/length/", query={"game": game, "players": players, "variant": variant}
        )
        return answer

    async def clubs_list(
        self, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedClubOutputList:
        """List clubs by name."""
        answer: models.PaginatedClubOutputList = await self.request(
            "GET", "clubs/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def clubs_results(self, slug: str, *, modified_since: str | None = None) -> list[models.MirroredResult]:
        """Stream the result of every table of a club that one may know of."""
        answer: list[models.MirroredResult] = await self.request(
            "GET", f"clubs/{part(slug)}/results/", query={"modified_since": modified_since}
        )
        return answer

    async def clubs_retrieve(self, slug: str) -> models.ClubOutput:
        """Read a club."""
        answer: models.ClubOutput = await self.request("GET", f"clubs/{part(slug)}/")
        return answer

    async def decisions_accept_all(
        self, uid: str, body: models.AcceptPendingInputRequest | None = None
    ) -> models.AcceptedOutput:
        """Accept every legal sheet that waits."""
        answer: models.AcceptedOutput = await self.request(
            "POST", f"events/{part(uid)}/decisions/", body=body, keyed=True
        )
        return answer

    async def decisions_create(
        self, uid: str, body: models.DecisionInputRequest | None = None, *, preview: bool | None = None
    ) -> models.DecisionOrPreview:
        """Decide a table."""
        answer: models.DecisionOrPreview = await self.request(
            "POST", f"tables/{part(uid)}/decision/", body=body, query={"preview": preview}, keyed=True
        )
        return answer

    async def definitions_check(self, body: models.DefinitionToCheckRequest) -> dict[str, Any]:
        """Judge a definition."""
        answer: dict[str, Any] = await self.request("POST", "definitions/check/", body=body)
        return answer

    async def definitions_list(self) -> dict[str, Any]:
        """Read the JSON Schema of a definition."""
        answer: dict[str, Any] = await self.request("GET", "definitions/")
        return answer

    async def drafts_merge(
        self, uid: str, body: models.PatchedDraftMergeRequest | None = None
    ) -> models.SharedDraftOutput:
        """Add to the draft what changed on one phone."""
        answer: models.SharedDraftOutput = await self.request("PATCH", f"tables/{part(uid)}/draft/", body=body)
        return answer

    async def drafts_retrieve(self, uid: str) -> models.DraftOutput:
        """Read the draft."""
        answer: models.DraftOutput = await self.request("GET", f"tables/{part(uid)}/draft/")
        return answer

    async def drafts_save(self, uid: str, body: models.DraftInputRequest) -> models.DraftOutput:
        """Save the draft over the version it was made from."""
        answer: models.DraftOutput = await self.request("PUT", f"tables/{part(uid)}/draft/", body=body)
        return answer

    async def entries_bulk(self, uid: str, body: models.BulkInputRequest) -> models.BulkOutput:
        """Enter up to 500 players at once."""
        answer: models.BulkOutput = await self.request(
            "POST", f"events/{part(uid)}/entries/bulk/", body=body, keyed=True
        )
        return answer

    async def entries_change(
        self, uid: str, body: models.PatchedEntryPatchRequest | None = None
    ) -> models.EntryOutput:
        """Check a player in."""
        answer: models.EntryOutput = await self.request("PATCH", f"entries/{part(uid)}/", body=body)
        return answer

    async def entries_check_in(
        self, uid: str, body: models.CheckInInputRequest | None = None
    ) -> list[models.EntryOutput]:
        """Check in all players who are registered."""
        answer: list[models.EntryOutput] = await self.request(
            "POST", f"events/{part(uid)}/entries/check-in/", body=body, keyed=True
        )
        return answer

    async def entries_create(self, uid: str, body: models.EntryInputRequest | None = None) -> models.EntryWithToken:
        """Enter a player."""
        answer: models.EntryWithToken = await self.request(
            "POST", f"events/{part(uid)}/entries/", body=body, keyed=True
        )
        return answer

    async def entries_import(self, uid: str, body: models.EntriesCsvRequest) -> models.BulkOutput:
        """Enter the players of a CSV file by their names."""
        answer: models.BulkOutput = await self.request(
            "POST", f"events/{part(uid)}/entries/import/", body=body, keyed=True
        )
        return answer

    async def entries_link(self, uid: str) -> models.EntryWithToken:
        """Show the secret of a player's personal link again."""
        answer: models.EntryWithToken = await self.request("GET", f"entries/{part(uid)}/link/")
        return answer

    async def entries_link_renew(self, uid: str) -> models.EntryWithToken:
        """Make the personal link invalid and give the player another."""
        answer: models.EntryWithToken = await self.request("POST", f"entries/{part(uid)}/link/", keyed=True)
        return answer

    async def entries_list(
        self,
        uid: str,
        *,
        cursor: str | None = None,
        ordering: Literal["-joined", "-name", "joined", "name"] | None = None,
        page_size: int | None = None,
        status: list[Literal["checked_in", "dropped", "registered", "waiting"]] | None = None,
    ) -> models.PaginatedEntryOutputList:
        """List the players of an event."""
        answer: models.PaginatedEntryOutputList = await self.request(
            "GET",
            f"events/{part(uid)}/entries/",
            query={"cursor": cursor, "ordering": ordering, "page_size": page_size, "status": status},
        )
        return answer

    async def entries_list_names(self, uid: str, body: models.NamesInputRequest) -> models.NamesOutput:
        """Enter everybody on a list of names."""
        answer: models.NamesOutput = await self.request(
            "POST", f"events/{part(uid)}/entries/names/", body=body, keyed=True
        )
        return answer

    async def entries_no_shows(self, uid: str) -> list[models.EntryOutput]:
        """Take out everybody who is registered and not here."""
        answer: list[models.EntryOutput] = await self.request(
            "POST", f"events/{part(uid)}/entries/no-shows/", keyed=True
        )
        return answer

    async def entries_proof_code(self, uid: str) -> models.CodeOutput:
        """Show a code that proves the player on another phone."""
        answer: models.CodeOutput = await self.request("POST", f"entries/{part(uid)}/proof-code/")
        return answer

    async def entries_push(self, uid: str) -> models.PushOutput:
        """List the browsers that are told what is asked of the player."""
        answer: models.PushOutput = await self.request("GET", f"entries/{part(uid)}/push/")
        return answer

    async def entries_push_retrieve(self, uid: str, phone: str) -> models.SubscriptionOutput:
        """Read one of the browsers that are told."""
        answer: models.SubscriptionOutput = await self.request("GET", f"entries/{part(uid)}/push/{part(phone)}/")
        return answer

    async def entries_push_subscribe(
        self, uid: str, body: models.SubscriptionInputRequest
    ) -> models.SubscriptionOutput:
        """Let a browser be told from now on."""
        answer: models.SubscriptionOutput = await self.request(
            "POST", f"entries/{part(uid)}/push/", body=body, keyed=True
        )
        return answer

    async def entries_push_unsubscribe(self, uid: str, phone: str) -> None:
        """Tell a browser nothing more."""
        await self.request("DELETE", f"entries/{part(uid)}/push/{part(phone)}/")

    async def entries_reject(self, uid: str) -> models.EntryOutput:
        """Say that an entry is not the known player."""
        answer: models.EntryOutput = await self.request("POST", f"entries/{part(uid)}/reject/", keyed=True)
        return answer

    async def entries_retrieve(self, uid: str) -> models.EntryOutput:
        """Read an entry."""
        answer: models.EntryOutput = await self.request("GET", f"entries/{part(uid)}/")
        return answer

    async def entries_substitute(
        self, uid: str, body: models.SubstituteInputRequest | None = None
    ) -> models.EntryWithToken:
        """Put another player in somebody's place from now on."""
        answer: models.EntryWithToken = await self.request(
            "POST", f"entries/{part(uid)}/substitute/", body=body, keyed=True
        )
        return answer

    async def entries_take_back(self, uid: str, body: models.ProofInputRequest | None = None) -> models.EntryWithToken:
        """Give an entry to the player it is of."""
        answer: models.EntryWithToken = await self.request(
            "POST", f"entries/{part(uid)}/take-back/", body=body, keyed=True
        )
        return answer

    async def entries_vouch(self, uid: str, body: models.ProofInputRequest | None = None) -> models.EntryOutput:
        """Say that an entry really is the known player."""
        answer: models.EntryOutput = await self.request("POST", f"entries/{part(uid)}/vouch/", body=body, keyed=True)
        return answer

    async def entries_vouch_all(
        self, uid: str, body: models.AnswersInputRequest | None = None
    ) -> list[models.EntryOutput]:
        """Vouch for all entries that are unproven."""
        answer: list[models.EntryOutput] = await self.request(
            "POST", f"events/{part(uid)}/entries/vouch/", body=body, keyed=True
        )
        return answer

    async def events_change(
        self, uid: str, body: models.PatchedEventPatchRequest | None = None
    ) -> models.EventForOrganisers:
        """Change an event's settings."""
        answer: models.EventForOrganisers = await self.request("PATCH", f"events/{part(uid)}/", body=body)
        return answer

    async def events_copy(
        self, uid: str, body: models.CopyInputRequest | None = None
    ) -> list[models.EventForOrganisers]:
        """Create an event again."""
        answer: list[models.EventForOrganisers] = await self.request(
            "POST", f"events/{part(uid)}/copy/", body=body, keyed=True
        )
        return answer

    async def events_create(self, body: models.EventInputRequest) -> models.EventForOrganisers:
        """Create an event as a draft."""
        answer: models.EventForOrganisers = await self.request("POST", "events/", body=body, keyed=True)
        return answer

    async def events_file(self, uid: str) -> models.EventFile:
        """Read a whole event as one file."""
        answer: models.EventFile = await self.request("GET", f"events/{part(uid)}/file/")
        return answer

    async def events_history(
        self, uid: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedActionOutputList:
        """List who did what in an event."""
        answer: models.PaginatedActionOutputList = await self.request(
            "GET", f"events/{part(uid)}/history/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def events_join_code_renew(self, uid: str) -> models.EventForOrganisers:
        """Give the event another join code."""
        answer: models.EventForOrganisers = await self.request("POST", f"events/{part(uid)}/join-code/", keyed=True)
        return answer

    async def events_list(
        self,
        *,
        club: str | None = None,
        cursor: str | None = None,
        game: str | None = None,
        ordering: Literal["-name", "-starts_at", "name", "starts_at"] | None = None,
        page_size: int | None = None,
        season: str | None = None,
        starts_after: str | None = None,
        starts_before: str | None = None,
        status: list[Literal["cancelled", "draft", "finished", "registration", "running"]] | None = None,
    ) -> models.PaginatedEventOutputList:
        """List events."""
        answer: models.PaginatedEventOutputList = await self.request(
            "GET",
            "events/",
            query={
                "club": club,
                "cursor": cursor,
                "game": game,
                "ordering": ordering,
                "page_size": page_size,
                "season": season,
                "starts_after": starts_after,
                "starts_before": starts_before,
                "status": status,
            },
        )
        return answer

    async def events_retrieve(self, uid: str) -> models.EventAsSeen:
        """Read an event."""
        answer: models.EventAsSeen = await self.request("GET", f"events/{part(uid)}/")
        return answer

    async def files_import(self, slug: str, body: models.AnyFileRequest | None = None) -> models.AnyTaken:
        """Take an event."""
        answer: models.AnyTaken = await self.request("POST", f"clubs/{part(slug)}/files/", body=body, keyed=True)
        return answer

    async def games_assist(self, slug: str, body: Any = None) -> dict[str, Any]:
        """Help with a position."""
        answer: dict[str, Any] = await self.request("POST", f"games/{part(slug)}/assist/", body=body)
        return answer

    async def games_check(self, slug: str, body: models.Sheet | None = None) -> models.VerdictOutput:
        """Judge a report by the rules."""
        answer: models.VerdictOutput = await self.request("POST", f"games/{part(slug)}/check/", body=body)
        return answer

    async def games_list(self) -> models.GamesOutput:
        """List the games."""
        answer: models.GamesOutput = await self.request("GET", "games/")
        return answer

    async def games_retrieve(self, slug: str) -> models.GameDetailOutput:
        """Describe a game with the JSON Schemas of its report and of a position for assistance."""
        answer: models.GameDetailOutput = await self.request("GET", f"games/{part(slug)}/")
        return answer

    async def games_vectors(self, slug: str) -> models.VectorsOutput:
        """List reports with the verdicts that every implementation of the rules must reach."""
        answer: models.VectorsOutput = await self.request("GET", f"games/{part(slug)}/vectors/")
        return answer

    async def invitations_accept(self, body: models.AcceptInputRequest) -> models.JoinedOutput:
        """Accept an invitation that was sent to the address of one's account."""
        answer: models.JoinedOutput = await self.request("POST", "invitations/accept/", body=body, keyed=True)
        return answer

    async def invitations_create(self, slug: str, body: models.InvitationInputRequest) -> models.InvitationWithSecret:
        """Invite somebody by e-mail."""
        answer: models.InvitationWithSecret = await self.request(
            "POST", f"clubs/{part(slug)}/invitations/", body=body, keyed=True
        )
        return answer

    async def invitations_list(
        self, slug: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedInvitationOutputList:
        """List the invitations that nobody accepted yet."""
        answer: models.PaginatedInvitationOutputList = await self.request(
            "GET", f"clubs/{part(slug)}/invitations/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def invitations_revoke(self, slug: str, uid: str) -> None:
        """Take an invitation back."""
        await self.request("DELETE", f"clubs/{part(slug)}/invitations/{part(uid)}/")

    async def join(self, code: str) -> models.EventOutput:
        """Find the event that players join with a code."""
        answer: models.EventOutput = await self.request("GET", f"join/{part(code)}/")
        return answer

    async def keep_apart_create(self, slug: str, body: models.KeepApartInputRequest) -> models.KeepApartOutput:
        """Keep two players of the club apart."""
        answer: models.KeepApartOutput = await self.request(
            "POST", f"clubs/{part(slug)}/keep-apart/", body=body, keyed=True
        )
        return answer

    async def keep_apart_list(
        self, slug: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedKeepApartOutputList:
        """List the pairs."""
        answer: models.PaginatedKeepApartOutputList = await self.request(
            "GET", f"clubs/{part(slug)}/keep-apart/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def keep_apart_remove(self, slug: str, uid: str) -> None:
        """Let two players meet again."""
        await self.request("DELETE", f"clubs/{part(slug)}/keep-apart/{part(uid)}/")

    async def keys_create(self, slug: str, body: models.KeyInputRequest) -> models.KeyWithSecret:
        """Make a key."""
        answer: models.KeyWithSecret = await self.request("POST", f"clubs/{part(slug)}/keys/", body=body, keyed=True)
        return answer

    async def keys_list(
        self, slug: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedKeyOutputList:
        """List the keys of a club that were not revoked."""
        answer: models.PaginatedKeyOutputList = await self.request(
            "GET", f"clubs/{part(slug)}/keys/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def keys_read(self, slug: str, uid: str) -> models.KeyOutput:
        """Read a key."""
        answer: models.KeyOutput = await self.request("GET", f"clubs/{part(slug)}/keys/{part(uid)}/")
        return answer

    async def keys_revoke(self, slug: str, uid: str) -> None:
        """Revoke a key."""
        await self.request("DELETE", f"clubs/{part(slug)}/keys/{part(uid)}/")

    async def keys_uses(
        self, slug: str, uid: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedKeyUseOutputList:
        """List what a key was used for in the last 90 days."""
        answer: models.PaginatedKeyUseOutputList = await self.request(
            "GET", f"clubs/{part(slug)}/keys/{part(uid)}/uses/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def leaderboards_retrieve(
        self,
        game: str,
        *,
        active_since: str | None = None,
        cursor: str | None = None,
        min_tables: int | None = None,
        provisional: bool | None = None,
        search: str | None = None,
    ) -> models.BoardOutput:
        """Read a page of 50 of everybody's ratings."""
        answer: models.BoardOutput = await self.request(
            "GET",
            f"leaderboards/{part(game)}/",
            query={
                "active_since": active_since,
                "cursor": cursor,
                "min_tables": min_tables,
                "provisional": provisional,
                "search": search,
            },
        )
        return answer

    async def me(self) -> models.MeWithClubs:
        """Say who the caller is to the API, and in which clubs."""
        answer: models.MeWithClubs = await self.request("GET", "me/")
        return answer

    async def members_change(
        self, slug: str, number: int, body: models.PatchedMemberPatchRequest | None = None
    ) -> models.MemberOutput:
        """Give a member another role."""
        answer: models.MemberOutput = await self.request(
            "PATCH", f"clubs/{part(slug)}/members/{part(number)}/", body=body
        )
        return answer

    async def members_list(
        self, slug: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedMemberOutputList:
        """List the members of a club."""
        answer: models.PaginatedMemberOutputList = await self.request(
            "GET", f"clubs/{part(slug)}/members/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def members_remove(self, slug: str, number: int) -> None:
        """Remove a member."""
        await self.request("DELETE", f"clubs/{part(slug)}/members/{part(number)}/")

    async def merge_requests_accept(self, uid: str) -> models.MergeRequestOutput:
        """Agree for the side that was asked."""
        answer: models.MergeRequestOutput = await self.request(
            "POST", f"merge-requests/{part(uid)}/accept/", keyed=True
        )
        return answer

    async def merge_requests_create(self, body: models.MergeRequestInputRequest) -> models.MergeRequestOutput:
        """Ask the other side whether two records are one person."""
        answer: models.MergeRequestOutput = await self.request("POST", "merge-requests/", body=body, keyed=True)
        return answer

    async def merge_requests_decline(self, uid: str) -> models.MergeRequestOutput:
        """Say no for the side that was asked."""
        answer: models.MergeRequestOutput = await self.request(
            "POST", f"merge-requests/{part(uid)}/decline/", keyed=True
        )
        return answer

    async def merge_requests_list(
        self,
        *,
        cursor: str | None = None,
        page_size: int | None = None,
        status: list[Literal["accepted", "declined", "expired", "open", "withdrawn"]] | None = None,
    ) -> models.PaginatedMergeRequestOutputList:
        """List the requests to merge that concern the caller or their clubs."""
        answer: models.PaginatedMergeRequestOutputList = await self.request(
            "GET", "merge-requests/", query={"cursor": cursor, "page_size": page_size, "status": status}
        )
        return answer

    async def merge_requests_retrieve(self, uid: str) -> models.MergeRequestOutput:
        """Read a request to merge."""
        answer: models.MergeRequestOutput = await self.request("GET", f"merge-requests/{part(uid)}/")
        return answer

    async def merge_requests_withdraw(self, uid: str) -> models.MergeRequestOutput:
        """Take a request back."""
        answer: models.MergeRequestOutput = await self.request(
            "POST", f"merge-requests/{part(uid)}/withdraw/", keyed=True
        )
        return answer

    async def own_games_change(self, club: str, slug: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Change a game."""
        answer: dict[str, Any] = await self.request("PATCH", f"clubs/{part(club)}/games/{part(slug)}/", body=body)
        return answer

    async def own_games_check(self, club: str, slug: str, body: Any = None) -> models.VerdictOutput:
        """Judge a sheet by the newest version of a game."""
        answer: models.VerdictOutput = await self.request(
            "POST", f"clubs/{part(club)}/games/{part(slug)}/check/", body=body
        )
        return answer

    async def own_games_check_version(
        self, club: str, slug: str, number: int, body: Any = None
    ) -> models.VerdictOutput:
        """Judge a sheet by one version of a game."""
        answer: models.VerdictOutput = await self.request(
            "POST", f"clubs/{part(club)}/games/{part(slug)}/versions/{part(number)}/check/", body=body
        )
        return answer

    async def own_games_create(self, club: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Describe a game."""
        answer: dict[str, Any] = await self.request("POST", f"clubs/{part(club)}/games/", body=body, keyed=True)
        return answer

    async def own_games_list(self, club: str) -> dict[str, Any]:
        """List a club's own games by slug."""
        answer: dict[str, Any] = await self.request("GET", f"clubs/{part(club)}/games/")
        return answer

    async def own_games_remove(self, club: str, slug: str) -> None:
        """Remove a game that no event is played by."""
        await self.request("DELETE", f"clubs/{part(club)}/games/{part(slug)}/")

    async def own_games_retrieve(self, club: str, slug: str) -> dict[str, Any]:
        """Read a game in its newest version."""
        answer: dict[str, Any] = await self.request("GET", f"clubs/{part(club)}/games/{part(slug)}/")
        return answer

    async def own_games_share(self, club: str, slug: str) -> dict[str, Any]:
        """Give the game a link."""
        answer: dict[str, Any] = await self.request("POST", f"clubs/{part(club)}/games/{part(slug)}/link/")
        return answer

    async def own_games_shared(self, link: str) -> dict[str, Any]:
        """Read a game by the link that its club has given."""
        answer: dict[str, Any] = await self.request("GET", f"shared-games/{part(link)}/")
        return answer

    async def own_games_unshare(self, club: str, slug: str) -> None:
        """End the link."""
        await self.request("DELETE", f"clubs/{part(club)}/games/{part(slug)}/link/")

    async def own_games_version(self, club: str, slug: str, number: int) -> dict[str, Any]:
        """Read a game in one of its versions."""
        answer: dict[str, Any] = await self.request(
            "GET", f"clubs/{part(club)}/games/{part(slug)}/versions/{part(number)}/"
        )
        return answer

    async def own_games_versions(
        self, club: str, slug: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedVersionOutputList:
        """List the definitions a club has given of a game."""
        answer: models.PaginatedVersionOutputList = await self.request(
            "GET", f"clubs/{part(club)}/games/{part(slug)}/versions/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def penalties_create(self, uid: str, body: models.PenaltyInputRequest) -> models.PenaltyOutput:
        """Take points off an entry."""
        answer: models.PenaltyOutput = await self.request(
            "POST", f"events/{part(uid)}/penalties/", body=body, keyed=True
        )
        return answer

    async def penalties_list(self, uid: str) -> list[models.PenaltyOutput]:
        """List the penalties of an event."""
        answer: list[models.PenaltyOutput] = await self.request("GET", f"events/{part(uid)}/penalties/")
        return answer

    async def penalties_retrieve(self, uid: str, penalty: str) -> models.PenaltyOutput:
        """Read a penalty."""
        answer: models.PenaltyOutput = await self.request("GET", f"events/{part(uid)}/penalties/{part(penalty)}/")
        return answer

    async def penalties_take_back(self, uid: str, penalty: str) -> None:
        """Take a penalty back."""
        await self.request("DELETE", f"events/{part(uid)}/penalties/{part(penalty)}/")

    async def players_anonymise(self, uid: str) -> models.ProfileOutput:
        """Replace somebody's name everywhere and for good."""
        answer: models.ProfileOutput = await self.request("POST", f"players/{part(uid)}/anonymise/", keyed=True)
        return answer

    async def players_change(
        self, uid: str, body: models.PatchedPlayerInputRequest | None = None
    ) -> models.ProfileOutput:
        """Rename a player."""
        answer: models.ProfileOutput = await self.request("PATCH", f"players/{part(uid)}/", body=body)
        return answer

    async def players_create(self, slug: str, body: models.PlayerInputRequest) -> models.PlayerOutput:
        """Make a record of somebody new."""
        answer: models.PlayerOutput = await self.request("POST", f"clubs/{part(slug)}/players/", body=body, keyed=True)
        return answer

    async def players_events(
        self, uid: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedFinishOutputList:
        """List where a player stood in their events."""
        answer: models.PaginatedFinishOutputList = await self.request(
            "GET", f"players/{part(uid)}/events/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def players_export(self, uid: str) -> dict[str, Any]:
        """Read everything that is stored about a person."""
        answer: dict[str, Any] = await self.request("GET", f"players/{part(uid)}/export/")
        return answer

    async def players_import(self, slug: str, body: models.ImportInputRequest) -> models.ImportOutput:
        """Import players from CSV, as an organiser."""
        answer: models.ImportOutput = await self.request(
            "POST", f"clubs/{part(slug)}/players/import/", body=body, keyed=True
        )
        return answer

    async def players_link(self, uid: str, body: models.LinkInputRequest | None = None) -> models.ProfileOutput:
        """Say that a player is oneself."""
        answer: models.ProfileOutput = await self.request("POST", f"players/{part(uid)}/link/", body=body, keyed=True)
        return answer

    async def players_list(
        self, slug: str, *, cursor: str | None = None, page_size: int | None = None, q: str | None = None
    ) -> models.PaginatedPlayerOutputList:
        """List the players a club knows by name."""
        answer: models.PaginatedPlayerOutputList = await self.request(
            "GET", f"clubs/{part(slug)}/players/", query={"cursor": cursor, "page_size": page_size, "q": q}
        )
        return answer

    async def players_merge(self, uid: str, body: models.MergeInputRequest) -> models.ProfileOutput:
        """Merge a record into another one of the same person."""
        answer: models.ProfileOutput = await self.request("POST", f"players/{part(uid)}/merge/", body=body, keyed=True)
        return answer

    async def players_merge_preview(self, uid: str, body: models.MergeInputRequest) -> models.MergePreviewOutput:
        """Say what merging a record into another would do."""
        answer: models.MergePreviewOutput = await self.request(
            "POST", f"players/{part(uid)}/merge-preview/", body=body
        )
        return answer

    async def players_note(self, slug: str, uid: str) -> models.NoteInput:
        """Read the note that a club's organisers keep about a player."""
        answer: models.NoteInput = await self.request("GET", f"clubs/{part(slug)}/players/{part(uid)}/note/")
        return answer

    async def players_note_write(self, slug: str, uid: str, body: models.NoteInputRequest) -> models.NoteInput:
        """Write the note about a player anew."""
        answer: models.NoteInput = await self.request(
            "PUT", f"clubs/{part(slug)}/players/{part(uid)}/note/", body=body
        )
        return answer

    async def players_ratings(
        self, uid: str, game: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedChangeOutputList:
        """List what each table that one may know of did to a player's rating."""
        answer: models.PaginatedChangeOutputList = await self.request(
            "GET", f"players/{part(uid)}/ratings/{part(game)}/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def players_retrieve(self, uid: str) -> models.RatedProfileOutput:
        """Read a player's profile."""
        answer: models.RatedProfileOutput = await self.request("GET", f"players/{part(uid)}/")
        return answer

    async def players_statistics(self, uid: str, game: str) -> models.StatisticsOutput:
        """Read what a player has done in a game."""
        answer: models.StatisticsOutput = await self.request("GET", f"players/{part(uid)}/statistics/{part(game)}/")
        return answer

    async def players_unlink(self, uid: str) -> models.ProfileOutput:
        """Part a player from their account."""
        answer: models.ProfileOutput = await self.request("DELETE", f"players/{part(uid)}/link/")
        return answer

    async def players_unmerge(self, uid: str) -> models.ProfileOutput:
        """Take the merge of a record back."""
        answer: models.ProfileOutput = await self.request("POST", f"players/{part(uid)}/unmerge/", keyed=True)
        return answer

    async def prizes_retrieve(self, uid: str) -> models.AwardsOutput:
        """Read the prizes of an event."""
        answer: models.AwardsOutput = await self.request("GET", f"events/{part(uid)}/prizes/")
        return answer

    async def records_check(self, slug: str, body: models.RecordInputRequest) -> models.VerdictOutput:
        """Replay a record and judge its game."""
        answer: models.VerdictOutput = await self.request("POST", f"games/{part(slug)}/records/check/", body=body)
        return answer

    async def records_convert(self, slug: str, body: models.RecordInputRequest) -> models.ConvertedOutput:
        """Replay a record and return the report of its game."""
        answer: models.ConvertedOutput = await self.request("POST", f"games/{part(slug)}/records/convert/", body=body)
        return answer

    async def records_step(self, slug: str, body: models.StepInputRequest) -> models.StepOutput:
        """Show a record."""
        answer: models.StepOutput = await self.request("POST", f"games/{part(slug)}/records/step/", body=body)
        return answer

    async def reports_clear_flags(self, uid: str) -> models.ReportOutput:
        """Say that a marked report was looked at and is fine."""
        answer: models.ReportOutput = await self.request("POST", f"reports/{part(uid)}/clear-flags/", keyed=True)
        return answer

    async def reports_confirm(self, uid: str) -> models.ReportOutput:
        """Agree as another seat of the table."""
        answer: models.ReportOutput = await self.request("POST", f"reports/{part(uid)}/confirm/", keyed=True)
        return answer

    async def reports_create(self, uid: str, body: models.ReportInputRequest) -> models.ReportOutput:
        """Report the result of a table."""
        answer: models.ReportOutput = await self.request("POST", f"tables/{part(uid)}/reports/", body=body, keyed=True)
        return answer

    async def reports_dispute(self, uid: str, body: models.ReasonRequest | None = None) -> models.ReportOutput:
        """Object as another seat of the table."""
        answer: models.ReportOutput = await self.request(
            "POST", f"reports/{part(uid)}/dispute/", body=body, keyed=True
        )
        return answer

    async def reports_list(self, uid: str) -> models.ReportsOutput:
        """List the reports."""
        answer: models.ReportsOutput = await self.request("GET", f"tables/{part(uid)}/reports/")
        return answer

    async def reports_retrieve(self, uid: str) -> models.ReportOutput:
        """Read a report."""
        answer: models.ReportOutput = await self.request("GET", f"reports/{part(uid)}/")
        return answer

    async def reports_withdraw(self, uid: str, body: models.WithdrawInputRequest | None = None) -> models.ReportOutput:
        """Take one's own report back while it does not count."""
        answer: models.ReportOutput = await self.request(
            "POST", f"reports/{part(uid)}/withdraw/", body=body, keyed=True
        )
        return answer

    async def results_list(self, uid: str) -> models.ResultsOutput:
        """Read every counted place at every table."""
        answer: models.ResultsOutput = await self.request("GET", f"events/{part(uid)}/results/")
        return answer

    async def root(self) -> models.Root:
        """List the addresses to begin with."""
        answer: models.Root = await self.request("GET", "")
        return answer

    async def rounds_add_table(self, uid: str, number: int) -> models.TableOutput:
        """Put an empty table into a draft."""
        answer: models.TableOutput = await self.request(
            "POST", f"events/{part(uid)}/rounds/{part(number)}/tables/", keyed=True
        )
        return answer

    async def rounds_change(
        self, uid: str, number: int, body: models.PatchedRoundPatchRequest | None = None
    ) -> models.RoundOutput:
        """Change who sits where."""
        answer: models.RoundOutput = await self.request(
            "PATCH", f"events/{part(uid)}/rounds/{part(number)}/", body=body
        )
        return answer

    async def rounds_create(self, uid: str, body: models.NextRoundRequest | None = None) -> models.RoundOutput:
        """Seat the next round."""
        answer: models.RoundOutput = await self.request("POST", f"events/{part(uid)}/rounds/", body=body, keyed=True)
        return answer

    async def rounds_list(
        self, uid: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedRoundOutputList:
        """List the rounds of an event with their tables."""
        answer: models.PaginatedRoundOutputList = await self.request(
            "GET", f"events/{part(uid)}/rounds/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def rounds_plan(self, uid: str) -> list[models.PlannedRound]:
        """Read who meets whom in every round."""
        answer: list[models.PlannedRound] = await self.request("GET", f"events/{part(uid)}/plan/")
        return answer

    async def rounds_retrieve(self, uid: str, number: int) -> models.RoundOutput:
        """Read a round with its tables and seats."""
        answer: models.RoundOutput = await self.request("GET", f"events/{part(uid)}/rounds/{part(number)}/")
        return answer

    async def seasons_change(
        self, uid: str, body: models.PatchedSeasonInputRequest | None = None
    ) -> models.SeasonOutput:
        """Change a season."""
        answer: models.SeasonOutput = await self.request("PATCH", f"seasons/{part(uid)}/", body=body)
        return answer

    async def seasons_course(self, uid: str) -> models.SeasonCourseOutput:
        """Read where everybody stood after each event of a season."""
        answer: models.SeasonCourseOutput = await self.request("GET", f"seasons/{part(uid)}/course/")
        return answer

    async def seasons_create(self, slug: str, body: models.SeasonInputRequest) -> models.SeasonOutput:
        """Create a season."""
        answer: models.SeasonOutput = await self.request("POST", f"clubs/{part(slug)}/seasons/", body=body, keyed=True)
        return answer

    async def seasons_list(
        self, slug: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedSeasonOutputList:
        """List the seasons of a club."""
        answer: models.PaginatedSeasonOutputList = await self.request(
            "GET", f"clubs/{part(slug)}/seasons/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def seasons_retrieve(self, uid: str) -> models.SeasonOutput:
        """Read a season."""
        answer: models.SeasonOutput = await self.request("GET", f"seasons/{part(uid)}/")
        return answer

    async def seasons_standings(self, uid: str) -> models.SeasonTableOutput:
        """Read the table of a season."""
        answer: models.SeasonTableOutput = await self.request("GET", f"seasons/{part(uid)}/standings/")
        return answer

    async def sessions_end(self, uid: str) -> None:
        """Log out in one browser."""
        await self.request("DELETE", f"me/sessions/{part(uid)}/")

    async def sessions_end_all(self) -> None:
        """Log out everywhere."""
        await self.request("DELETE", "me/sessions/")

    async def sessions_list(
        self, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedSessionOutputList:
        """List the browsers in which one is logged in."""
        answer: models.PaginatedSessionOutputList = await self.request(
            "GET", "me/sessions/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def solo_advice(self, uid: str, *, play_token: str | None = None) -> models.AdviceOutput:
        """Say what a strong player would do now in practice."""
        answer: models.AdviceOutput = await self.request(
            "GET", f"solo/{part(uid)}/advice/", headers={"Play-Token": play_token}
        )
        return answer

    async def solo_move(
        self, uid: str, body: models.MoveInputRequest, *, play_token: str | None = None
    ) -> models.SoloOutput:
        """Make the move that answers move `number`; sent again."""
        answer: models.SoloOutput = await self.request(
            "POST", f"solo/{part(uid)}/moves/", body=body, headers={"Play-Token": play_token}
        )
        return answer

    async def solo_record(self, uid: str, *, play_token: str | None = None) -> models.RecordOutput:
        """Return the record of a finished game."""
        answer: models.RecordOutput = await self.request(
            "GET", f"solo/{part(uid)}/record/", headers={"Play-Token": play_token}
        )
        return answer

    async def solo_remove(self, uid: str, *, play_token: str | None = None) -> None:
        """Delete a game of one's own."""
        await self.request("DELETE", f"solo/{part(uid)}/", headers={"Play-Token": play_token})

    async def solo_retrieve(self, uid: str, *, play_token: str | None = None) -> models.SoloOutput:
        """Show a game to whoever plays it."""
        answer: models.SoloOutput = await self.request("GET", f"solo/{part(uid)}/", headers={"Play-Token": play_token})
        return answer

    async def solo_sign(
        self, uid: str, body: models.PatchedNameInputRequest | None = None, *, play_token: str | None = None
    ) -> models.SoloOutput:
        """Write a name on the result of a challenge."""
        answer: models.SoloOutput = await self.request(
            "PATCH", f"solo/{part(uid)}/", body=body, headers={"Play-Token": play_token}
        )
        return answer

    async def solo_start(
        self, body: models.StartInputRequest, *, play_token: str | None = None
    ) -> models.StartedOutput:
        """Begin a game alone or against house players."""
        answer: models.StartedOutput = await self.request(
            "POST", "solo/", body=body, headers={"Play-Token": play_token}
        )
        return answer

    async def solo_undo(
        self, uid: str, body: models.UndoInputRequest, *, play_token: str | None = None
    ) -> models.SoloOutput:
        """Take back one's last move in practice."""
        answer: models.SoloOutput = await self.request(
            "POST", f"solo/{part(uid)}/undo/", body=body, headers={"Play-Token": play_token}
        )
        return answer

    async def standings_retrieve(self, uid: str) -> models.StandingsOutput:
        """Read the standings."""
        answer: models.StandingsOutput = await self.request("GET", f"events/{part(uid)}/standings/")
        return answer

    async def tables_change(self, uid: str, body: models.PatchedTablePatchRequest | None = None) -> models.TableOutput:
        """Write down how people really sat."""
        answer: models.TableOutput = await self.request("PATCH", f"tables/{part(uid)}/", body=body)
        return answer

    async def tables_form(self, uid: str, body: models.TableInputRequest | None = None) -> models.TableOutput:
        """Form a table in open play."""
        answer: models.TableOutput = await self.request("POST", f"events/{part(uid)}/tables/", body=body, keyed=True)
        return answer

    async def tables_history(
        self, uid: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedActionOutputList:
        """List who did what at a table."""
        answer: models.PaginatedActionOutputList = await self.request(
            "GET", f"tables/{part(uid)}/history/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def tables_leave(self, uid: str) -> models.TableOutput:
        """Stand up from a table of open play that has not begun."""
        answer: models.TableOutput = await self.request("POST", f"tables/{part(uid)}/leave/", keyed=True)
        return answer

    async def tables_nudge(self, uid: str) -> models.TableOutput:
        """Ask a table for its result."""
        answer: models.TableOutput = await self.request("POST", f"tables/{part(uid)}/nudge/", keyed=True)
        return answer

    async def tables_record_attach(self, uid: str, body: Any = None) -> models.RecordOutput:
        """Attach the record of its game to a table."""
        answer: models.RecordOutput = await self.request("PUT", f"tables/{part(uid)}/record/", body=body)
        return answer

    async def tables_record_remove(self, uid: str) -> None:
        """Take the record off a table."""
        await self.request("DELETE", f"tables/{part(uid)}/record/")

    async def tables_record_retrieve(self, uid: str) -> models.RecordOutput:
        """Return the record that belongs to the result of a table."""
        answer: models.RecordOutput = await self.request("GET", f"tables/{part(uid)}/record/")
        return answer

    async def tables_remove(self, uid: str) -> None:
        """Take a table out of a draft."""
        await self.request("DELETE", f"tables/{part(uid)}/")

    async def tables_retrieve(self, uid: str) -> models.TableOutput:
        """Read a table."""
        answer: models.TableOutput = await self.request("GET", f"tables/{part(uid)}/")
        return answer

    async def tables_sit_down(self, uid: str, body: models.TableCodeRequest) -> models.TableOutput:
        """Sit down at a table by its code."""
        answer: models.TableOutput = await self.request(
            "POST", f"events/{part(uid)}/tables/join/", body=body, keyed=True
        )
        return answer

    async def tables_slip_renew(self, uid: str) -> models.TableOutput:
        """Make the slip of a table invalid and give it another."""
        answer: models.TableOutput = await self.request("POST", f"tables/{part(uid)}/slip/", keyed=True)
        return answer

    async def tokens_create(self, body: models.TokenInputRequest) -> models.TokenWithSecret:
        """Make a token."""
        answer: models.TokenWithSecret = await self.request("POST", "me/tokens/", body=body, keyed=True)
        return answer

    async def tokens_list(
        self, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedTokenOutputList:
        """List one's tokens that work."""
        answer: models.PaginatedTokenOutputList = await self.request(
            "GET", "me/tokens/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def tokens_revoke(self, uid: str) -> None:
        """Revoke one of one's tokens."""
        await self.request("DELETE", f"me/tokens/{part(uid)}/")

    async def webhooks_change(
        self, slug: str, uid: str, body: models.PatchedWebhookPatchRequest | None = None
    ) -> models.WebhookOutput:
        """Change a webhook."""
        answer: models.WebhookOutput = await self.request(
            "PATCH", f"clubs/{part(slug)}/webhooks/{part(uid)}/", body=body
        )
        return answer

    async def webhooks_create(self, slug: str, body: models.WebhookInputRequest) -> models.WebhookWithSecret:
        """Make a webhook."""
        answer: models.WebhookWithSecret = await self.request(
            "POST", f"clubs/{part(slug)}/webhooks/", body=body, keyed=True
        )
        return answer

    async def webhooks_delete(self, slug: str, uid: str) -> None:
        """Delete a webhook and its log."""
        await self.request("DELETE", f"clubs/{part(slug)}/webhooks/{part(uid)}/")

    async def webhooks_deliveries(
        self, slug: str, uid: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedDeliveryOutputList:
        """List what was sent to a webhook in the last 30 days and what is waiting."""
        answer: models.PaginatedDeliveryOutputList = await self.request(
            "GET",
            f"clubs/{part(slug)}/webhooks/{part(uid)}/deliveries/",
            query={"cursor": cursor, "page_size": page_size},
        )
        return answer

    async def webhooks_list(
        self, slug: str, *, cursor: str | None = None, page_size: int | None = None
    ) -> models.PaginatedWebhookOutputList:
        """List the webhooks of a club."""
        answer: models.PaginatedWebhookOutputList = await self.request(
            "GET", f"clubs/{part(slug)}/webhooks/", query={"cursor": cursor, "page_size": page_size}
        )
        return answer

    async def webhooks_redeliver(self, slug: str, uid: str, delivery: str) -> models.DeliveryOutput:
        """Send a message again under the same id."""
        answer: models.DeliveryOutput = await self.request(
            "POST", f"clubs/{part(slug)}/webhooks/{part(uid)}/deliveries/{part(delivery)}/redeliver/", keyed=True
        )
        return answer

    async def webhooks_retrieve(self, slug: str, uid: str) -> models.WebhookOutput:
        """Read a webhook."""
        answer: models.WebhookOutput = await self.request("GET", f"clubs/{part(slug)}/webhooks/{part(uid)}/")
        return answer

    async def webhooks_rotate(self, slug: str, uid: str) -> models.WebhookWithSecret:
        """Give a webhook a new secret."""
        answer: models.WebhookWithSecret = await self.request(
            "POST", f"clubs/{part(slug)}/webhooks/{part(uid)}/rotate/", keyed=True
        )
        return answer

    async def webhooks_test(self, slug: str, uid: str) -> models.DeliveryOutput:
        """Send a webhook a `ping`, as an organiser."""
        answer: models.DeliveryOutput = await self.request(
            "POST", f"clubs/{part(slug)}/webhooks/{part(uid)}/test/", keyed=True
        )
        return answer
