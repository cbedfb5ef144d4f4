"""What the API takes and answers. Made by clients/generate.py from the schema of the API; do not edit."""

from __future__ import annotations

from typing import Any, Generic, Literal, NotRequired, TypeAlias, TypedDict, TypeVar

Row = TypeVar("Row")


class Page(TypedDict, Generic[Row]):
    """A page of a list: `Ludoscore.rows` yields the rows of it and of those that follow."""

    next: str | None
    results: list[Row]


class AcceptInputRequest(TypedDict):
    """The secret of an invitation."""

    secret: str


class AcceptPendingInputRequest(TypedDict):
    """Which sheets to accept: of one round, or all."""

    round: NotRequired[int]


class AcceptedOutput(TypedDict):
    """What was accepted, and the tables in dispute that were not."""

    accepted: list[ReportOutput]
    disputed: list[str]


class ActionOutput(TypedDict):
    """Something that was done: who, what, when, why."""

    verb: str
    actor: str
    reason: NotRequired[str]
    facts: NotRequired[Any]
    at: str


class AdviceOutput(TypedDict):
    """What a strong player would do, and why."""

    number: int
    move: str
    words: str
    reason: str


AnswerEnum: TypeAlias = "Literal['vouch', 'reject']"


class AnswersInputRequest(TypedDict):
    """An answer for entries that are unproven."""

    answer: NotRequired[AnswerEnum]
    entries: NotRequired[list[str]]


AnyFileRequest: TypeAlias = "EventFileRequest | ClubFileRequest"
AnyTaken: TypeAlias = "TakenOutput | ClubTakenOutput"


class AttemptOutput(TypedDict):
    """A sheet that was refused."""

    code: str
    sheet: Any
    verdict: VerdictOutput
    player: PersonOutput | None
    author: str
    created_at: str


class AwardOutput(TypedDict):
    """A prize, and all who share it."""

    kind: PrizeKindEnum
    place: int | None
    name: str
    winners: list[WinnerOutput]


class AwardsOutput(TypedDict):
    """The prizes of an event."""

    event: str
    finished: bool
    up_to_date: bool
    prizes: list[AwardOutput]


BlankEnum: TypeAlias = "Literal['']"


class BoardOutput(Page["BoardRowOutput"]):
    """A page of a leaderboard."""

    previous: str | None
    game: str
    version: int
    up_to_date: bool


class BoardRowOutput(TypedDict):
    """A place on a leaderboard."""

    rank: int
    player: PersonOutput
    rating: float
    provisional: bool
    tables: int
    last_played: str
    change_30_days: float | None


class BrowserKeysRequest(TypedDict):
    """What messages to a browser are encrypted for."""

    p256dh: str
    auth: str


class BulkInputRequest(TypedDict):
    """Players to enter."""

    entries: list[EntryRowRequest]


class BulkOutput(TypedDict):
    """What became of each row, in their order."""

    event: str
    entered: int
    results: list[RowOutput]


CallInputKindEnum: TypeAlias = "Literal['question', 'problem', 'seats']"


class CallInputRequest(TypedDict):
    """What the organiser is called for."""

    kind: NotRequired[CallInputKindEnum]
    text: NotRequired[str]
    other: NotRequired[str]


class CallOutput(TypedDict):
    """A call for the organiser."""

    id: str
    table: str
    table_number: int
    kind: str
    text: str
    status: str
    entry: str | None
    player: PersonOutput | None
    other: str | None
    created_at: str


CallPatchStatusEnum: TypeAlias = "Literal['coming', 'done', 'agreed', 'refused']"


class ChallengeBoardOutput(TypedDict):
    """The board of a challenge: the first hundred, and how many there are."""

    game: str
    variant: str
    options: dict[str, Any]
    club: NotRequired[str | None]
    day: str
    ends_at: str
    closes_at: str
    count: int
    may_look: bool
    results: list[ChallengeRowOutput]


class ChallengeOutput(TypedDict):
    """Which challenge it is."""

    game: str
    variant: str
    options: dict[str, Any]
    club: NotRequired[str | None]
    day: str
    ends_at: str
    closes_at: str


class ChallengeRowOutput(TypedDict):
    """A result on the board of a challenge."""

    rank: int
    id: str
    name: str
    score: int
    is_won: bool | None
    finished_at: str


class ChangeOutput(TypedDict):
    """What a table did to a rating."""

    table: str
    event: str
    event_name: str
    played_at: str
    before: float
    after: float
    delta: float
    rank: int
    seats: int


class CheckInInputRequest(TypedDict):
    """Who is here."""

    entries: NotRequired[list[str]]


class ClashOutput(TypedDict):
    """A value that two phones wrote differently since they last agreed."""

    path: list[Any]
    theirs: dict[str, Any] | None
    yours: dict[str, Any] | None
    place: str
    author: str
    author_name: str


ClockEnum: TypeAlias = "Literal['paused', 'running']"


class ClubFile(TypedDict):
    """Everything of a club."""

    format: ClubFileFormatEnum
    club: FileClub
    definitions: NotRequired[list[FileDefinition]]
    people: list[FilePerson]
    seasons: list[SeasonInput]
    events: list[EventFile]


ClubFileFormatEnum: TypeAlias = "Literal['ludoscore.club/1']"


class ClubFileRequest(TypedDict):
    """Everything of a club."""

    format: ClubFileFormatEnum
    club: FileClubRequest
    definitions: NotRequired[list[FileDefinitionRequest]]
    people: list[FilePersonRequest]
    seasons: list[SeasonInputRequest]
    events: list[EventFileRequest]


class ClubInputRequest(TypedDict):
    """A club to create."""

    name: str
    slug: NotRequired[str]
    public: NotRequired[bool]
    time_zone: NotRequired[str]


class ClubOutput(TypedDict):
    """A club."""

    slug: str
    name: str
    public: bool
    rated: bool
    time_zone: str
    mails_players: bool
    created_at: str


class ClubTakenOutput(TypedDict):
    """What became of a club's file."""

    games: list[TakenGameOutput]
    events: list[TakenOutput]


class CodeOutput(TypedDict):
    """A code that proves a player on another phone."""

    code: str
    expires_at: str


ConfirmationEnum: TypeAlias = "Literal['trust', 'confirm', 'organiser']"


class ConvertedOutput(TypedDict):
    """What a table would report of the game."""

    report: dict[str, Any]


class CopyInputRequest(TypedDict):
    """When an event is to happen again."""

    starts_at: NotRequired[str]
    name: NotRequired[str]
    times: NotRequired[int]
    every: NotRequired[int]


class CutMove(TypedDict):
    """The entries in the final."""

    before: list[str]
    after: list[str]


class CutOutput(TypedDict):
    """What happened at the line of a cut: who was level on points, for how many places, and what decided."""

    contested: NotRequired[list[str]]
    tied: NotRequired[list[str]]
    places: NotRequired[int]
    decided_by: NotRequired[str]
    order: NotRequired[list[str]]
    seed: NotRequired[int]


class DecisionInputRequest(TypedDict):
    """What the result of a table is, and why: one of `report_id`, `report`, `ranking`, `drop`."""

    report_id: NotRequired[str]
    report: NotRequired[Sheet]
    ranking: NotRequired[list[PlaceInputRequest]]
    drop: NotRequired[bool]
    forfeits: NotRequired[list[str]]
    reason: NotRequired[str]


DecisionOrPreview: TypeAlias = "DecisionOutput | PreviewOutput"


class DecisionOutput(TypedDict):
    """What counts now."""

    table: str
    status: str
    report: ReportOutput | None
    rounds_seated_after: list[int]


class DefinitionToCheckRequest(TypedDict):
    """DefinitionToCheckRequest"""

    definition: Any
    report: NotRequired[Any]


class DeliveryOutput(TypedDict):
    """A message to a webhook, and what became of it."""

    id: str
    type: TypeEnum
    status: DeliveryOutputStatusEnum
    attempts: int
    created_at: str
    next_attempt_at: str | None
    delivered_at: str | None
    failure: FailureEnum | BlankEnum
    response_status: int | None
    response_ms: int | None
    payload: MessageOutput


DeliveryOutputStatusEnum: TypeAlias = "Literal['waiting', 'delivered', 'failed']"


class DifferenceOutput(TypedDict):
    """The first entry in which two sheets differ."""

    reports: list[str]
    path: list[Any]
    place: str
    values: list[dict[str, Any] | None]


class DoubtfulOutput(TypedDict):
    """A name that looks like somebody whom the club knows: no second record is made unless `as_new` says so."""

    line: int
    name: str
    like: list[PlayerOutput]


class DraftInputRequest(TypedDict):
    """A sheet as far as it is filled in, and the version it was made from: 0 for the first."""

    sheet: dict[str, Any]
    version: int


class DraftOutput(TypedDict):
    """The sheet of a table in progress."""

    table: str
    version: int
    sheet: dict[str, Any]
    author: str | None
    updated_at: str | None


class EntriesCsvRequest(TypedDict):
    """A CSV file of players to enter: one name a line, or a first line that says which column is the `name`."""

    csv: str


class EntryInputRequest(TypedDict):
    """A player to enter: by a new name, as a known player, or with the join code as whom a proof is of."""

    name: NotRequired[str]
    player: NotRequired[str]
    join_code: NotRequired[str]
    proof: NotRequired[str]
    email: NotRequired[str]
    here: NotRequired[bool]
    confirm_alike: NotRequired[bool]


class EntryOutput(TypedDict):
    """A player in an event."""

    id: str
    event: str
    player: PersonOutput
    status: str
    verified: bool
    claims: str | None
    first_round: int


class EntryRowRequest(TypedDict):
    """A player to enter: by a new name, or as a player whom the club knows."""

    name: NotRequired[str]
    player: NotRequired[str]


EntryStatusEnum: TypeAlias = "Literal['registered', 'checked_in', 'dropped', 'waiting']"


class EntryWithToken(TypedDict):
    """An entry with the secret of the player's personal link, and the table at which they always sit."""

    id: str
    event: str
    player: PersonOutput
    status: str
    verified: bool
    claims: str | None
    first_round: int
    fixed_table: int | None
    token: str


class EventAsSeen(TypedDict):
    """An event as its caller sees it: the last two fields are for organisers."""

    id: str
    club: str
    name: str
    game: str
    game_version: int | None
    variant: str
    format: str
    status: str
    rounds: int
    table_size: TableSize
    points: str
    podium_points: list[int]
    tiebreaks: list[str]
    confirmation: str
    rated: bool
    public: bool
    cut_to: int | None
    stages: list[int]
    tie_rule: TieRuleEnum
    standings_shown: StandingsShownEnum
    standings_number: int | None
    prizes: list[Prize]
    advance: int | None
    tables_counted: int | None
    tables_least: int
    round_minutes: int | None
    season: str | None
    joining: JoiningEnum
    most_entries: int | None
    table_labels: list[TableLabel]
    sign_up_ahead: bool
    sign_up_closes_at: str | None
    check_in: bool
    starts_at: str
    ends_at: str | None
    time_zone: str
    version: int
    join_code: NotRequired[str]
    possible: NotRequired[list[str]]


EventEnum: TypeAlias = "Literal['change']"


class EventFile(TypedDict):
    """An event with everything that was played in it."""

    format: FileFormatEnum
    event: FileEvent
    definitions: NotRequired[list[FileDefinition]]
    people: list[FilePerson]
    entries: list[FileEntry]
    rounds: list[FileRound]
    penalties: NotRequired[list[FilePenalty]]
    history: list[FileAction]


class EventFileRequest(TypedDict):
    """An event with everything that was played in it."""

    format: FileFormatEnum
    event: FileEventRequest
    definitions: NotRequired[list[FileDefinitionRequest]]
    people: list[FilePersonRequest]
    entries: list[FileEntryRequest]
    rounds: list[FileRoundRequest]
    penalties: NotRequired[list[FilePenaltyRequest]]
    history: list[FileActionRequest]


class EventForOrganisers(TypedDict):
    """An event as its organisers see it."""

    id: str
    club: str
    name: str
    game: str
    game_version: int | None
    variant: str
    format: str
    status: str
    rounds: int
    table_size: TableSize
    points: str
    podium_points: list[int]
    tiebreaks: list[str]
    confirmation: str
    rated: bool
    public: bool
    cut_to: int | None
    stages: list[int]
    tie_rule: TieRuleEnum
    standings_shown: StandingsShownEnum
    standings_number: int | None
    prizes: list[Prize]
    advance: int | None
    tables_counted: int | None
    tables_least: int
    round_minutes: int | None
    season: str | None
    joining: JoiningEnum
    most_entries: int | None
    table_labels: list[TableLabel]
    sign_up_ahead: bool
    sign_up_closes_at: str | None
    check_in: bool
    starts_at: str
    ends_at: str | None
    time_zone: str
    version: int
    join_code: str
    possible: list[str]


class EventInputRequest(TypedDict):
    """What an organiser says about an event."""

    club: str
    name: str
    game: str
    game_version: NotRequired[int]
    variant: NotRequired[str]
    format: NotRequired[FormatEnum]
    rounds: NotRequired[int]
    table_size: NotRequired[TableSizeRequest]
    points: NotRequired[PointsEnum]
    podium_points: NotRequired[list[int]]
    tiebreaks: NotRequired[list[TieBreakEnum]]
    confirmation: NotRequired[ConfirmationEnum]
    rated: NotRequired[bool]
    public: NotRequired[bool]
    cut_to: NotRequired[int | None]
    stages: NotRequired[list[int]]
    tie_rule: NotRequired[TieRuleEnum]
    standings_shown: NotRequired[StandingsShownEnum]
    standings_number: NotRequired[int | None]
    prizes: NotRequired[list[PrizeRequest]]
    advance: NotRequired[int | None]
    tables_counted: NotRequired[int | None]
    tables_least: NotRequired[int]
    round_minutes: NotRequired[int | None]
    season: NotRequired[str | None]
    joining: NotRequired[JoiningEnum]
    most_entries: NotRequired[int | None]
    table_labels: NotRequired[list[TableLabelRequest]]
    sign_up_ahead: NotRequired[bool]
    sign_up_closes_at: NotRequired[str | None]
    check_in: NotRequired[bool]
    starts_at: str
    ends_at: NotRequired[str | None]


class EventOutput(TypedDict):
    """An event."""

    id: str
    club: str
    name: str
    game: str
    game_version: int | None
    variant: str
    format: str
    status: str
    rounds: int
    table_size: TableSize
    points: str
    podium_points: list[int]
    tiebreaks: list[str]
    confirmation: str
    rated: bool
    public: bool
    cut_to: int | None
    stages: list[int]
    tie_rule: TieRuleEnum
    standings_shown: StandingsShownEnum
    standings_number: int | None
    prizes: list[Prize]
    advance: int | None
    tables_counted: int | None
    tables_least: int
    round_minutes: int | None
    season: str | None
    joining: JoiningEnum
    most_entries: int | None
    table_labels: list[TableLabel]
    sign_up_ahead: bool
    sign_up_closes_at: str | None
    check_in: bool
    starts_at: str
    ends_at: str | None
    time_zone: str
    version: int


EventStatusEnum: TypeAlias = "Literal['draft', 'registration', 'running', 'finished', 'cancelled']"
FailureEnum: TypeAlias = "Literal['private-target', 'unknown-host', 'unreachable', 'tls', 'timeout', 'no-answer', 'redirect', 'status', 'our-fault']"


class FileAction(TypedDict):
    """Something that was done: who, what, when, why."""

    verb: str
    actor: str
    reason: str
    facts: dict[str, Any]
    table: str | None
    at: str


class FileActionRequest(TypedDict):
    """Something that was done: who, what, when, why."""

    verb: str
    actor: str
    reason: str
    facts: dict[str, Any]
    table: str | None
    at: str


class FileClub(TypedDict):
    """The club that a file is of."""

    slug: str
    name: str


class FileClubRequest(TypedDict):
    """The club that a file is of."""

    slug: str
    name: str


class FileDefinition(TypedDict):
    """A version of one of the club's own games."""

    id: str
    version: int
    definition: dict[str, Any]


class FileDefinitionRequest(TypedDict):
    """A version of one of the club's own games."""

    id: str
    version: int
    definition: dict[str, Any]


class FileEntry(TypedDict):
    """A person's entry."""

    id: str
    player: str
    name: str
    status: EntryStatusEnum
    verified: bool
    claims: str | None
    first_round: int
    fixed_table: int | None
    waiting_since: str | None
    joined_at: str


class FileEntryRequest(TypedDict):
    """A person's entry."""

    id: str
    player: str
    name: str
    status: EntryStatusEnum
    verified: bool
    claims: str | None
    first_round: int
    fixed_table: int | None
    waiting_since: str | None
    joined_at: str


class FileEvent(TypedDict):
    """The settings of the event."""

    id: str
    name: str
    game: str
    game_version: NotRequired[int | None]
    variant: str
    format: FormatEnum
    status: EventStatusEnum
    rounds: int
    table_size: FileSizes
    points: PointsEnum
    podium_points: list[int]
    tiebreaks: list[TieBreakEnum]
    confirmation: ConfirmationEnum
    rated: bool
    public: bool
    cut_to: int | None
    advance: int | None
    tables_counted: int | None
    tables_least: int
    round_minutes: int | None
    joining: JoiningEnum
    most_entries: int | None
    starts_at: str
    ends_at: str | None
    season: str | None
    schedule: list[list[list[str]]]
    table_labels: list[TableLabel]
    sign_up_ahead: bool
    sign_up_closes_at: str | None
    check_in: bool
    stages: NotRequired[list[int]]
    tie_rule: NotRequired[TieRuleEnum]
    standings_shown: NotRequired[StandingsShownEnum]
    standings_number: NotRequired[int | None]
    prizes: NotRequired[list[Prize]]
    created_at: str


class FileEventRequest(TypedDict):
    """The settings of the event."""

    id: str
    name: str
    game: str
    game_version: NotRequired[int | None]
    variant: str
    format: FormatEnum
    status: EventStatusEnum
    rounds: int
    table_size: FileSizesRequest
    points: PointsEnum
    podium_points: list[int]
    tiebreaks: list[TieBreakEnum]
    confirmation: ConfirmationEnum
    rated: bool
    public: bool
    cut_to: int | None
    advance: int | None
    tables_counted: int | None
    tables_least: int
    round_minutes: int | None
    joining: JoiningEnum
    most_entries: int | None
    starts_at: str
    ends_at: str | None
    season: str | None
    schedule: list[list[list[str]]]
    table_labels: list[TableLabelRequest]
    sign_up_ahead: bool
    sign_up_closes_at: str | None
    check_in: bool
    stages: NotRequired[list[int]]
    tie_rule: NotRequired[TieRuleEnum]
    standings_shown: NotRequired[StandingsShownEnum]
    standings_number: NotRequired[int | None]
    prizes: NotRequired[list[PrizeRequest]]
    created_at: str


FileFormatEnum: TypeAlias = "Literal['ludoscore.event/1']"


class FilePenalty(TypedDict):
    """Points taken off an entry."""

    id: str
    entry: str
    points: str
    round: int | None
    reason: str
    created_at: str
    taken_back_at: str | None


class FilePenaltyRequest(TypedDict):
    """Points taken off an entry."""

    id: str
    entry: str
    points: str
    round: int | None
    reason: str
    created_at: str
    taken_back_at: str | None


class FilePerson(TypedDict):
    """Somebody in the event."""

    id: str
    name: str


class FilePersonRequest(TypedDict):
    """Somebody in the event."""

    id: str
    name: str


class FileReport(TypedDict):
    """A sheet of a table; for those outside of the club only the one that counts."""

    id: str
    version: int
    status: ReportStatusEnum
    sheet: Sheet | None
    standings: list[FileStanding]
    forfeits: list[str]
    played_at: str | None
    created_at: str
    entry: str | None
    author: str
    reason: str
    flags: list[Any]
    voices: list[FileVoice]


class FileReportRequest(TypedDict):
    """A sheet of a table; for those outside of the club only the one that counts."""

    id: str
    version: int
    status: ReportStatusEnum
    sheet: Sheet | None
    standings: list[FileStandingRequest]
    forfeits: list[str]
    played_at: str | None
    created_at: str
    entry: str | None
    author: str
    reason: str
    flags: list[Any]
    voices: list[FileVoiceRequest]


class FileRound(TypedDict):
    """A round."""

    number: int
    kind: FileRoundKindEnum
    status: RoundStatusEnum
    seed: int
    steps: int
    quality: dict[str, int]
    points: dict[str, int]
    started_at: str | None
    closed_at: str | None
    minutes: int | None
    extra_minutes: int
    stage: NotRequired[int]
    cut: NotRequired[dict[str, Any]]
    paused_at: NotRequired[str | None]
    paused_seconds: NotRequired[int]
    seated_at: str
    tables: list[FileTable]
    sitting_out: list[str]


FileRoundKindEnum: TypeAlias = "Literal['normal', 'final', 'playoff', 'open']"


class FileRoundRequest(TypedDict):
    """A round."""

    number: int
    kind: FileRoundKindEnum
    status: RoundStatusEnum
    seed: int
    steps: int
    quality: dict[str, int]
    points: dict[str, int]
    started_at: str | None
    closed_at: str | None
    minutes: int | None
    extra_minutes: int
    stage: NotRequired[int]
    cut: NotRequired[dict[str, Any]]
    paused_at: NotRequired[str | None]
    paused_seconds: NotRequired[int]
    seated_at: str
    tables: list[FileTableRequest]
    sitting_out: list[str]


class FileSizes(TypedDict):
    """How many sit at a table."""

    min: int
    max: int
    preferred: int


class FileSizesRequest(TypedDict):
    """How many sit at a table."""

    min: int
    max: int
    preferred: int


class FileStanding(TypedDict):
    """A seat's place; read where a result was ranked by hand, judged anew where there is a sheet."""

    seat: str
    rank: int
    score: int | None
    key: list[int]


class FileStandingRequest(TypedDict):
    """A seat's place; read where a result was ranked by hand, judged anew where there is a sheet."""

    seat: str
    rank: int
    score: int | None
    key: list[int]


class FileTable(TypedDict):
    """A table of a round."""

    id: str
    number: int
    status: TableStatusEnum
    variant: str
    label: str
    room: str
    extra_minutes: NotRequired[int]
    seats: list[str]
    final_at: str | None
    reports: list[FileReport]


class FileTableRequest(TypedDict):
    """A table of a round."""

    id: str
    number: int
    status: TableStatusEnum
    variant: str
    label: str
    room: str
    extra_minutes: NotRequired[int]
    seats: list[str]
    final_at: str | None
    reports: list[FileReportRequest]


class FileVoice(TypedDict):
    """What another seat said of a report."""

    entry: str
    says: SaysEnum
    reason: str
    at: str


class FileVoiceRequest(TypedDict):
    """What another seat said of a report."""

    entry: str
    says: SaysEnum
    reason: str
    at: str


class FindingOutput(TypedDict):
    """One thing that is wrong, and where."""

    code: str
    path: list[Any]
    message: str


class FinishOutput(TypedDict):
    """Where somebody stood in an event."""

    event: str
    event_name: str
    club: str
    game: str
    status: str
    starts_at: str
    rank: int
    tables: int


FormEnum: TypeAlias = "Literal['json', 'discord', 'slack']"
FormatEnum: TypeAlias = "Literal['swiss', 'rotation', 'open', 'elimination']"


class GameDetailOutput(TypedDict):
    """A game with the shapes it reads."""

    slug: str
    name: str
    summary: str
    variants: list[VariantOutput]
    schema: dict[str, Any]
    assist_schema: dict[str, Any]


class GameOutput(TypedDict):
    """A game in a list."""

    slug: str
    name: str
    summary: str
    variants: list[VariantOutput]


class GamesOutput(Page["GameOutput"]):
    """The list of games; it is short, so there is one page."""

    previous: str | None


class ImportInputRequest(TypedDict):
    """A CSV file of players: one name a line, or a first line that says which column is the `name`."""

    csv: str
    dry_run: NotRequired[bool]
    as_new: NotRequired[list[int]]


class ImportOutput(TypedDict):
    """What an import did, or would do."""

    dry_run: bool
    new: list[ImportedOutput]
    doubtful: list[DoubtfulOutput]
    known: list[PlayerOutput]
    problems: list[ProblemLineOutput]


class ImportedOutput(TypedDict):
    """A player whom the club did not know."""

    id: str | None
    name: str


class InvitationInputRequest(TypedDict):
    """An invitation to send."""

    email: str
    role: RoleEnum


class InvitationOutput(TypedDict):
    """An invitation that was not accepted yet."""

    id: str
    email: str
    role: RoleEnum
    expires_at: str


class InvitationWithSecret(TypedDict):
    """An invitation with its secret."""

    id: str
    email: str
    role: RoleEnum
    expires_at: str
    secret: str | None


class JoinedOutput(TypedDict):
    """What somebody is in a club now."""

    club: str
    role: RoleEnum


JoiningEnum: TypeAlias = "Literal['open', 'closed']"


class KeepApartInputRequest(TypedDict):
    """Two players who should not meet."""

    players: list[str]
    event: NotRequired[str | None]


class KeepApartOutput(TypedDict):
    """Two players who should not meet."""

    id: str
    event: str | None
    first: PlayerOutput
    second: PlayerOutput


class KeyInputRequest(TypedDict):
    """A key to make: with `scopes`, or with one `scope`."""

    name: str
    scope: NotRequired[ScopeEnum]
    scopes: NotRequired[list[ScopeEnum]]
    expires_at: NotRequired[str | None]


class KeyOutput(TypedDict):
    """A key, without its secret."""

    id: str
    name: str
    prefix: str
    created_at: str
    last_used_at: str | None
    scope: KeyReachEnum
    scopes: list[ScopeEnum]
    expires_at: str | None


KeyReachEnum: TypeAlias = "Literal['read', 'write', 'some']"


class KeyUseOutput(TypedDict):
    """How often a key made a call on a day, answered alike."""

    day: str
    method: str
    route: str
    status: KeyUseOutputStatusEnum
    count: int
    last_at: str


KeyUseOutputStatusEnum: TypeAlias = "Literal['2xx', '3xx', '4xx', '5xx']"


class KeyWithSecret(TypedDict):
    """A new key."""

    id: str
    name: str
    prefix: str
    created_at: str
    last_used_at: str | None
    scope: KeyReachEnum
    scopes: list[ScopeEnum]
    expires_at: str | None
    token: str


LanguageEnum: TypeAlias = "Literal['en', 'fr']"


class LegalOutput(TypedDict):
    """What is possible: how many moves, and the first of them."""

    count: int
    moves: list[OfferOutput]


class LengthOutput(TypedDict):
    """Minutes that three of four tables need."""

    minutes: int
    tables: int


class LinkInputRequest(TypedDict):
    """How somebody shows that a player is them."""

    token: NotRequired[str]


class MeWithClubs(TypedDict):
    """Who one is to the API, and the clubs one belongs to."""

    kind: MeWithClubsKindEnum
    user: MyUserOutput | None
    entry: str | None
    table: str | None
    scopes: list[ScopeEnum] | None
    clubs: list[MyClubOutput]


MeWithClubsKindEnum: TypeAlias = "Literal['nobody', 'user', 'key', 'entry', 'table']"


class MemberOutput(TypedDict):
    """A member of a club."""

    id: str
    email: str
    name: str
    role: RoleEnum
    since: str


class MergeInputRequest(TypedDict):
    """The record to keep."""

    into: str


class MergePreviewOutput(TypedDict):
    """What merging two records would do."""

    gone: PlayerOutput
    kept: PlayerOutput
    entries: int
    tables: int
    clubs: list[PlayerClubOutput]
    needs_consent: bool
    refusal: str


class MergeRequestInputRequest(TypedDict):
    """Two records of one person, one of which is the caller's to speak for."""

    gone: str
    kept: str


class MergeRequestOutput(TypedDict):
    """A request to merge two records."""

    id: str
    gone: PlayerOutput
    kept: PlayerOutput
    status: MergeRequestOutputStatusEnum
    asked_by: str | None
    awaits: str
    created_at: str
    expires_at: str
    answered_at: str | None


MergeRequestOutputStatusEnum: TypeAlias = "Literal['open', 'accepted', 'declined', 'withdrawn', 'expired']"


class MessageOutput(TypedDict):
    """A message as it is sent."""

    type: TypeEnum
    timestamp: str
    data: dict[str, Any]


class MirroredPlace(TypedDict):
    """A place at a table."""

    player: PersonOutput
    rank: int
    score: int | None
    forfeit: bool


class MirroredResult(TypedDict):
    """A line: the result of a table as it is now."""

    table: str
    event: str
    club: str
    game: str
    round: int
    report: str
    rated: bool
    counted: bool
    played_at: str
    final_at: str
    modified_at: str
    places: list[MirroredPlace]


class MomentOutput(TypedDict):
    """A moment of a game."""

    number: int
    actor: str | None
    is_over: bool
    table: dict[str, Any]
    legal: LegalOutput


class MoveInputRequest(TypedDict):
    """A move, and the number of moves it answers."""

    number: int
    move: str
    taken_back: NotRequired[int]


class MyClubOutput(TypedDict):
    """A club one belongs to."""

    slug: str
    name: str
    role: RoleEnum | NullEnum | None


class MyUserOutput(TypedDict):
    """One's account."""

    email: str
    name: str
    player: str | None


class NamesInputRequest(TypedDict):
    """A list of names."""

    names: list[str]
    here: NotRequired[bool]


class NamesOutput(TypedDict):
    """What a list of names came to."""

    entries: list[EntryWithToken]
    here_already: list[str]


NextRoundKindEnum: TypeAlias = "Literal['normal', 'final']"


class NextRoundRequest(TypedDict):
    """How to seat the next round; an empty object is enough."""

    seed: NotRequired[int]
    kind: NotRequired[NextRoundKindEnum]
    publish: NotRequired[bool]
    entries: NotRequired[list[str]]


class NoteInput(TypedDict):
    """What a club's organisers write down about a player."""

    note: str


class NoteInputRequest(TypedDict):
    """What a club's organisers write down about a player."""

    note: str


NullEnum: TypeAlias = "None"


class ObjectionOutput(TypedDict):
    """A seat that did not."""

    entry: str
    player: PersonOutput
    at: str
    reason: str


class OfferOutput(TypedDict):
    """A move that is possible."""

    move: str
    words: str


class OpponentOutput(TypedDict):
    """Somebody met at tables, and how often one was ahead of, level with or behind them."""

    player: PersonOutput
    tables: int
    ahead: int
    level: int
    behind: int


class PaginatedActionOutputList(Page["ActionOutput"]):
    """PaginatedActionOutputList"""

    previous: NotRequired[str | None]


class PaginatedAttemptOutputList(Page["AttemptOutput"]):
    """PaginatedAttemptOutputList"""

    previous: NotRequired[str | None]


class PaginatedChangeOutputList(Page["ChangeOutput"]):
    """PaginatedChangeOutputList"""

    previous: NotRequired[str | None]


class PaginatedClubOutputList(Page["ClubOutput"]):
    """PaginatedClubOutputList"""

    previous: NotRequired[str | None]


class PaginatedDeliveryOutputList(Page["DeliveryOutput"]):
    """PaginatedDeliveryOutputList"""

    previous: NotRequired[str | None]


class PaginatedEntryOutputList(Page["EntryOutput"]):
    """PaginatedEntryOutputList"""

    previous: NotRequired[str | None]


class PaginatedEventOutputList(Page["EventOutput"]):
    """PaginatedEventOutputList"""

    previous: NotRequired[str | None]


class PaginatedFinishOutputList(Page["FinishOutput"]):
    """PaginatedFinishOutputList"""

    previous: NotRequired[str | None]


class PaginatedInvitationOutputList(Page["InvitationOutput"]):
    """PaginatedInvitationOutputList"""

    previous: NotRequired[str | None]


class PaginatedKeepApartOutputList(Page["KeepApartOutput"]):
    """PaginatedKeepApartOutputList"""

    previous: NotRequired[str | None]


class PaginatedKeyOutputList(Page["KeyOutput"]):
    """PaginatedKeyOutputList"""

    previous: NotRequired[str | None]


class PaginatedKeyUseOutputList(Page["KeyUseOutput"]):
    """PaginatedKeyUseOutputList"""

    previous: NotRequired[str | None]


class PaginatedMemberOutputList(Page["MemberOutput"]):
    """PaginatedMemberOutputList"""

    previous: NotRequired[str | None]


class PaginatedMergeRequestOutputList(Page["MergeRequestOutput"]):
    """PaginatedMergeRequestOutputList"""

    previous: NotRequired[str | None]


class PaginatedPlayerOutputList(Page["PlayerOutput"]):
    """PaginatedPlayerOutputList"""

    previous: NotRequired[str | None]


class PaginatedRoundOutputList(Page["RoundOutput"]):
    """PaginatedRoundOutputList"""

    previous: NotRequired[str | None]


class PaginatedSeasonOutputList(Page["SeasonOutput"]):
    """PaginatedSeasonOutputList"""

    previous: NotRequired[str | None]


class PaginatedSessionOutputList(Page["SessionOutput"]):
    """PaginatedSessionOutputList"""

    previous: NotRequired[str | None]


class PaginatedTokenOutputList(Page["TokenOutput"]):
    """PaginatedTokenOutputList"""

    previous: NotRequired[str | None]


class PaginatedVersionOutputList(Page["VersionOutput"]):
    """PaginatedVersionOutputList"""

    previous: NotRequired[str | None]


class PaginatedWebhookOutputList(Page["WebhookOutput"]):
    """PaginatedWebhookOutputList"""

    previous: NotRequired[str | None]


class PatchedCallPatchRequest(TypedDict):
    """An answer to a call."""

    status: NotRequired[CallPatchStatusEnum]


class PatchedClubPatchRequest(TypedDict):
    """A change of a club."""

    name: NotRequired[str]
    public: NotRequired[bool]
    time_zone: NotRequired[str]
    mails_players: NotRequired[bool]


class PatchedDraftMergeRequest(TypedDict):
    """What a phone wrote, and the sheet as it knew it before."""

    sheet: NotRequired[dict[str, Any]]
    base: NotRequired[dict[str, Any]]
    version: NotRequired[int]


class PatchedEntryPatchRequest(TypedDict):
    """A change of an entry."""

    status: NotRequired[EntryStatusEnum]
    fixed_table: NotRequired[int | None]
    join_code: NotRequired[str]


class PatchedEventPatchRequest(TypedDict):
    """A change of an event: any of its settings, or its status."""

    name: NotRequired[str]
    game: NotRequired[str]
    game_version: NotRequired[int]
    variant: NotRequired[str]
    format: NotRequired[FormatEnum]
    rounds: NotRequired[int]
    table_size: NotRequired[TableSizeRequest]
    points: NotRequired[PointsEnum]
    podium_points: NotRequired[list[int]]
    tiebreaks: NotRequired[list[TieBreakEnum]]
    confirmation: NotRequired[ConfirmationEnum]
    rated: NotRequired[bool]
    public: NotRequired[bool]
    cut_to: NotRequired[int | None]
    stages: NotRequired[list[int]]
    tie_rule: NotRequired[TieRuleEnum]
    standings_shown: NotRequired[StandingsShownEnum]
    standings_number: NotRequired[int | None]
    prizes: NotRequired[list[PrizeRequest]]
    advance: NotRequired[int | None]
    tables_counted: NotRequired[int | None]
    tables_least: NotRequired[int]
    round_minutes: NotRequired[int | None]
    season: NotRequired[str | None]
    joining: NotRequired[JoiningEnum]
    most_entries: NotRequired[int | None]
    table_labels: NotRequired[list[TableLabelRequest]]
    sign_up_ahead: NotRequired[bool]
    sign_up_closes_at: NotRequired[str | None]
    check_in: NotRequired[bool]
    starts_at: NotRequired[str]
    ends_at: NotRequired[str | None]
    status: NotRequired[EventStatusEnum]
    reason: NotRequired[str]
    unproven: NotRequired[AnswerEnum]


class PatchedMemberPatchRequest(TypedDict):
    """A change of a member."""

    role: NotRequired[RoleEnum]


class PatchedNameInputRequest(TypedDict):
    """The name on a result."""

    name: NotRequired[str]


class PatchedPlayerInputRequest(TypedDict):
    """A player's name."""

    name: NotRequired[str]


class PatchedRoundPatchRequest(TypedDict):
    """A change of a round: its status, more time, or who sits where."""

    status: NotRequired[RoundStatusEnum]
    reason: NotRequired[str]
    extend: NotRequired[int]
    clock: NotRequired[ClockEnum]
    tables: NotRequired[list[TableSeatsRequest]]


class PatchedSeasonInputRequest(TypedDict):
    """A season to create or change."""

    name: NotRequired[str]
    best_of: NotRequired[int]
    tiebreaks: NotRequired[list[SeasonTieBreakEnum]]
    starts_on: NotRequired[str | None]
    ends_on: NotRequired[str | None]


class PatchedTablePatchRequest(TypedDict):
    """A change of a table."""

    seats: NotRequired[list[str]]
    status: NotRequired[TablePatchStatusEnum]
    extend: NotRequired[int]
    label: NotRequired[str]
    room: NotRequired[str]
    reason: NotRequired[str]


class PatchedWebhookPatchRequest(TypedDict):
    """A change of a webhook."""

    url: NotRequired[str]
    types: NotRequired[list[TypesEnum]]
    language: NotRequired[LanguageEnum]
    active: NotRequired[bool]


class PenaltyInputRequest(TypedDict):
    """Points to take off an entry."""

    entry: str
    points: str
    reason: str
    round: NotRequired[int | None]


class PenaltyOutput(TypedDict):
    """Points taken off an entry."""

    id: str
    entry: str
    player: PersonOutput
    points: str
    round: int | None
    reason: str
    created_at: str
    taken_back_at: str | None


class PersonOutput(TypedDict):
    """A player under the name they have in the event."""

    id: str
    name: str


class PlaceInputRequest(TypedDict):
    """A place given by hand."""

    player: str
    rank: int
    score: NotRequired[int | None]


class PlacesOutput(TypedDict):
    """How often a place was reached."""

    rank: int
    tables: int


class PlacingOutput(TypedDict):
    """The place of a seat."""

    seat: str
    rank: int
    score: int | None
    key: list[int]


class PlannedRound(TypedDict):
    """A round of a rotation's plan."""

    number: int
    status: str
    tables: list[PlannedTable]
    sitting_out: list[PersonOutput]


class PlannedTable(TypedDict):
    """A table of a rotation's plan."""

    number: int
    players: list[PersonOutput]


class PlayerClubOutput(TypedDict):
    """A club that knows a player."""

    slug: str
    name: str


class PlayerInputRequest(TypedDict):
    """A player's name."""

    name: str


class PlayerOutput(TypedDict):
    """A player."""

    id: str
    name: str


PointsEnum: TypeAlias = "Literal['placement', 'podium', 'score']"


class PositionOutput(TypedDict):
    """How somebody fares from a seat."""

    position: int
    tables: int
    wins: int


class PreviewOutput(TypedDict):
    """What a decision would change."""

    standings: list[RankMove]
    season: list[RankMove]
    cut: CutMove
    ratings: list[RatingMove]
    rounds_seated_after: list[int]


class Prize(TypedDict):
    """Something to win."""

    kind: PrizeKindEnum
    place: NotRequired[int | None]
    name: str
    entry: NotRequired[str | None]


PrizeKindEnum: TypeAlias = "Literal['place', 'best_sheet', 'best_newcomer', 'free']"


class PrizeRequest(TypedDict):
    """Something to win."""

    kind: PrizeKindEnum
    place: NotRequired[int | None]
    name: str
    entry: NotRequired[str | None]


class ProblemLineOutput(TypedDict):
    """Why a line cannot be imported."""

    line: int
    code: str
    message: str


class ProblemOutput(TypedDict):
    """An error, after RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    errors: NotRequired[list[FindingOutput]]


class ProfileOutput(TypedDict):
    """What everybody may know of a player."""

    id: str
    name: str
    clubs: list[PlayerClubOutput]
    merged_into: str | None
    anonymous: bool
    home: str | None


class ProofInputRequest(TypedDict):
    """What proves that the caller is the player, besides their credential."""

    proof: NotRequired[str]


class PushOutput(TypedDict):
    """The browsers of an entry that are told, and how another one subscribes."""

    public_key: str
    subscriptions: list[SubscriptionOutput]


class QualityOutput(TypedDict):
    """What a seating costs."""

    repeats: int
    repeats_bound: int
    spread: int
    spread_bound: int
    positions: int
    apart_broken: int


class RankMove(TypedDict):
    """Somebody whose rank would change; none where they are not ranked."""

    player: PersonOutput
    rank_before: int | None
    rank_after: int | None


class RatedProfileOutput(TypedDict):
    """What everybody may know of a player, with their ratings."""

    id: str
    name: str
    clubs: list[PlayerClubOutput]
    merged_into: str | None
    anonymous: bool
    home: str | None
    ratings: list[RatingOutput]


class RatingMove(TypedDict):
    """Somebody whose rating would change; none where they have none."""

    player: PersonOutput
    before: float | None
    after: float | None


class RatingOutput(TypedDict):
    """A rating in a game."""

    game: str
    club: str | None
    rating: float
    provisional: bool
    tables: int
    last_played: str


class ReasonOutput(TypedDict):
    """What put a place behind the one above, as a code; the facts that come with it depend on the code."""

    code: str
    key: NotRequired[str]
    above: NotRequired[str | None]
    own: NotRequired[str | None]
    least: NotRequired[int]


class ReasonRequest(TypedDict):
    """Why, in a sentence."""

    reason: NotRequired[str]


class RecordInputRequest(TypedDict):
    """A game as it was played, move by move."""

    game: str
    variant: str
    seats: list[str]
    options: NotRequired[dict[str, Any]]
    moves: list[str]


class RecordOutput(TypedDict):
    """A record that replays."""

    game: str
    variant: str
    seats: list[str]
    options: NotRequired[dict[str, Any]]
    moves: list[str]


class RefusedOutput(TypedDict):
    """A sheet that was not taken, and why; its table is dropped where it counted."""

    code: str
    path: list[Any]
    message: str
    errors: list[FindingOutput]


class ReportInputRequest(TypedDict):
    """The result of a table."""

    report: Sheet
    seat: NotRequired[str]
    played_at: NotRequired[str]


class ReportOutput(TypedDict):
    """A legal result as somebody reported it."""

    id: str
    table: str
    version: int
    status: ReportStatusEnum
    report: Sheet | None
    verdict: VerdictOutput
    confirmations: list[VoiceOutput]
    disputes: list[ObjectionOutput]
    player: PersonOutput | None
    author: str
    forfeits: list[str]
    flags: list[Any]
    reason: str
    played_at: str | None
    created_at: str


ReportStatusEnum: TypeAlias = "Literal['pending', 'final', 'disputed', 'replaced', 'withdrawn']"


class ReportsOutput(TypedDict):
    """The reports of a table, newest first, and where two of them part."""

    results: list[ReportOutput]
    difference: DifferenceOutput | None


class ResultOutput(TypedDict):
    """A seat's place at a table that counts."""

    round: int
    table: str
    table_number: int
    position: int
    player: PersonOutput
    rank: int
    score: int | None
    forfeit: bool
    report: str
    played_at: str


class ResultsOutput(TypedDict):
    """All counted places of an event."""

    event: str
    version: int
    hidden: bool
    rows: list[ResultOutput]


RoleEnum: TypeAlias = "Literal['owner', 'organiser', 'scorekeeper']"


class Root(TypedDict):
    """Root"""

    games: str
    clubs: str
    events: str
    me: str
    schema: str
    docs: str


class RoundOutput(TypedDict):
    """A round with its tables."""

    number: int
    kind: str
    stage: int
    cut: CutOutput
    status: str
    seed: int
    quality: QualityOutput
    started_at: str | None
    minutes: int | None
    extra_minutes: int
    paused_at: str | None
    ends_at: str | None
    version: int
    tables: list[TableOutput]
    sitting_out: list[PersonOutput]


class RoundPlacingOutput(TypedDict):
    """What a round brought."""

    round: int
    rank: int
    points: str | None
    place: int | None
    seats: int | None


RoundStatusEnum: TypeAlias = "Literal['draft', 'seated', 'running', 'closed', 'cancelled']"


class RowOutput(TypedDict):
    """What became of one row: an entry or a problem."""

    row: int
    entry: EntryWithToken | None
    problem: RowProblem | None


class RowProblem(TypedDict):
    """Why somebody could not be entered."""

    code: str
    detail: str
    suggestion: NotRequired[str]
    player: NotRequired[str]


SaysEnum: TypeAlias = "Literal['confirm', 'dispute']"
ScopeEnum: TypeAlias = "Literal['read', 'results', 'events', 'people', 'write']"


class SeasonCourseOutput(TypedDict):
    """How a season came about."""

    season: str
    version: int
    up_to_date: bool
    events: list[SeasonEventOutput]
    rows: list[SeasonLineOutput]


class SeasonEventOutput(TypedDict):
    """An event that counts in a season."""

    id: str
    name: str
    starts_at: str


class SeasonInput(TypedDict):
    """A season to create or change."""

    name: str
    best_of: NotRequired[int]
    tiebreaks: NotRequired[list[SeasonTieBreakEnum]]
    starts_on: NotRequired[str | None]
    ends_on: NotRequired[str | None]


class SeasonInputRequest(TypedDict):
    """A season to create or change."""

    name: str
    best_of: NotRequired[int]
    tiebreaks: NotRequired[list[SeasonTieBreakEnum]]
    starts_on: NotRequired[str | None]
    ends_on: NotRequired[str | None]


class SeasonLineOutput(TypedDict):
    """A player's way through a season."""

    rank: int
    player: PersonOutput
    steps: list[SeasonStepOutput]


class SeasonOutput(TypedDict):
    """A season."""

    id: str
    club: str
    name: str
    best_of: int
    tiebreaks: list[str]
    starts_on: str | None
    ends_on: str | None


class SeasonPlaceOutput(TypedDict):
    """A place in a season."""

    rank: int
    player: PersonOutput
    points: str
    events: int
    results: list[SeasonResultOutput]
    reason: ReasonOutput
    explanation: str


class SeasonResultOutput(TypedDict):
    """What an event gives a player in a season."""

    event: str
    rank: int
    entrants: int
    points: int
    is_counted: bool


class SeasonStepOutput(TypedDict):
    """Where a player stood after an event of a season."""

    event: str
    place: int
    rank: int
    points: str


class SeasonTableOutput(TypedDict):
    """The table of a season."""

    season: str
    version: int
    up_to_date: bool
    rows: list[SeasonPlaceOutput]


SeasonTieBreakEnum: TypeAlias = "Literal['wins', 'best_event', 'events', 'last_event']"


class SeatOutput(TypedDict):
    """A player at a table."""

    position: int
    entry: str
    player: PersonOutput


class SeatsOutput(TypedDict):
    """How many seats a variant has."""

    min: int
    max: int


class SessionOutput(TypedDict):
    """Where one is logged in with a browser."""

    id: str
    browser: str
    created_at: str
    last_seen_at: str
    is_this_one: bool


class SharedDraftOutput(TypedDict):
    """The draft with what you wrote, and what has to be asked: save the answer as another change."""

    table: str
    version: int
    sheet: dict[str, Any]
    author: str | None
    updated_at: str | None
    clashes: list[ClashOutput]
    clash_count: int


Sheet: TypeAlias = "SheetOfGame | SheetOther"


class SheetDiceRun(TypedDict):
    """A finished game of Dice Run."""

    game: Literal["dice-run"]
    variant: Literal["standard"]
    seats: list[str]
    stages: list[SheetDiceRunStage]
    points: NotRequired[dict[str, int]]
    colours: NotRequired[str]


class SheetDiceRunStage(TypedDict):
    """One stage of the race."""

    podium: list[str]
    revealer: NotRequired[str]
    objectives: NotRequired[dict[str, str]]
    groups: NotRequired[list[str]]


class SheetDix(TypedDict):
    """A sheet of dix."""

    game: Literal["dix"]


class SheetDixFillsShape(TypedDict):
    """For every claimed run its cards, from the first number to the last."""

    blue: NotRequired[str]
    green: NotRequired[str]
    orange: NotRequired[str]
    pink: NotRequired[str]


class SheetDixHandShape(TypedDict):
    """What one player has at the end."""

    runs: SheetDixRunsShape
    coins: NotRequired[int]
    consolation: NotRequired[int]
    card_count: NotRequired[int]
    points: NotRequired[int]
    cards: NotRequired[str]
    fills: NotRequired[SheetDixFillsShape]


class SheetDixRunsShape(TypedDict):
    """A run per colour; null or nothing where there is none."""

    blue: NotRequired[str | None]
    green: NotRequired[str | None]
    orange: NotRequired[str | None]
    pink: NotRequired[str | None]


class SheetDixSoloReport(TypedDict):
    """The report of a player against ALIX, who has the second seat."""

    game: Literal["dix"]
    seats: list[str]
    hands: dict[str, SheetDixHandShape]
    variant: Literal["solo"]
    difficulty: int


class SheetDixTableReport(TypedDict):
    """The report of two to five players."""

    game: Literal["dix"]
    seats: list[str]
    hands: dict[str, SheetDixHandShape]
    variant: Literal["standard", "bust-buy"]


SheetOfGame: TypeAlias = "SheetTenPhases | SheetSixmix | SheetDix | SheetDiceRun"


class SheetOther(TypedDict):
    """A sheet of a club's own game."""

    game: str


class SheetOutput(TypedDict):
    """A result worth remembering."""

    table: str
    event: str
    event_name: str
    score: int
    rank: int
    played_at: str


class SheetSixmix(TypedDict):
    """A sheet of sixmix."""

    game: Literal["sixmix"]


class SheetSixmixStandardReport(TypedDict):
    """A game of three to five players with one colour each."""

    game: Literal["sixmix"]
    variant: Literal["standard"]
    seats: list[str]
    rounds: list[SheetSixmixStandardRound]
    colours: NotRequired[dict[str, str]]
    youngest_first: NotRequired[list[str]]
    lead: NotRequired[dict[str, int]]
    held: NotRequired[dict[str, str]]


class SheetSixmixStandardRound(TypedDict):
    """A round with one row per seat."""

    tokens: dict[str, int]
    rows: NotRequired[dict[str, str]]
    dice: NotRequired[dict[str, str]]
    starter: NotRequired[str]


class SheetSixmixTwoPlayerReport(TypedDict):
    """A game of two players with two colours each."""

    game: Literal["sixmix"]
    variant: Literal["two-player"]
    seats: list[str]
    rounds: list[SheetSixmixTwoPlayerRound]
    colours: NotRequired[dict[str, str]]
    youngest_first: NotRequired[list[str]]
    lead: NotRequired[dict[str, int]]
    held: NotRequired[dict[str, str]]


class SheetSixmixTwoPlayerRound(TypedDict):
    """A round with two rows per seat."""

    tokens: dict[str, int]
    rows: NotRequired[dict[str, str]]
    dice: NotRequired[dict[str, str]]
    starter: NotRequired[str]


class SheetTenPhases(TypedDict):
    """A sheet of ten-phases."""

    game: Literal["ten-phases"]


class SheetTenPhasesSoloColumn(TypedDict):
    """The column of somebody who plays alone."""

    phases: list[int]
    bonus5: Literal[0, 40]
    bonus10: Literal[0, 40]
    total: int
    dice: NotRequired[list[str | None]]
    misses: list[int]


class SheetTenPhasesSoloReport(TypedDict):
    """A finished game of one player."""

    game: Literal["ten-phases"]
    variant: Literal["solo"]
    seats: list[str]
    block: dict[str, SheetTenPhasesSoloColumn]


class SheetTenPhasesStandardColumn(TypedDict):
    """A column of the standard game."""

    phases: list[int]
    bonus5: Literal[0, 40]
    bonus10: Literal[0, 40]
    total: int
    dice: NotRequired[list[str | None]]
    turns: NotRequired[list[int]]


class SheetTenPhasesStandardReport(TypedDict):
    """A finished game of two to eight players."""

    game: Literal["ten-phases"]
    variant: Literal["standard"]
    seats: list[str]
    block: dict[str, SheetTenPhasesStandardColumn]


class SoloOutput(TypedDict):
    """A game of one person, as they see it."""

    id: str
    game: str
    variant: str
    options: dict[str, Any]
    seats: list[str]
    house: str
    status: SoloStatusEnum
    challenge: ChallengeOutput | None
    name: str
    taken_back: int
    score: int | None
    is_won: bool | None
    seed: str | None
    position: MomentOutput
    since: list[ToldOutput]


SoloStatusEnum: TypeAlias = "Literal['playing', 'over']"


class StandingOutput(TypedDict):
    """A place."""

    rank: int
    player: PersonOutput
    entry: str
    status: str
    points: str
    tables: int
    tiebreaks: list[TieBreakOutput]
    is_ranked: bool
    reason: ReasonOutput
    penalty: str
    explanation: str
    rounds: list[RoundPlacingOutput]


class StandingsOutput(TypedDict):
    """The standings of an event."""

    event: str
    version: int
    up_to_date: bool
    problem: bool
    hidden: bool
    rows: list[StandingOutput]


StandingsShownEnum: TypeAlias = "Literal['always', 'top', 'later']"


class StartInputRequest(TypedDict):
    """What to play."""

    game: str
    variant: NotRequired[str]
    players: NotRequired[int]
    house: NotRequired[str]
    options: NotRequired[dict[str, Any]]
    again: NotRequired[bool]
    challenge: NotRequired[bool]
    club: NotRequired[str]
    name: NotRequired[str]


class StartedOutput(TypedDict):
    """A game that was begun, and the secret that it is played with."""

    id: str
    game: str
    variant: str
    options: dict[str, Any]
    seats: list[str]
    house: str
    status: SoloStatusEnum
    challenge: ChallengeOutput | None
    name: str
    taken_back: int
    score: int | None
    is_won: bool | None
    seed: str | None
    position: MomentOutput
    since: list[ToldOutput]
    token: str


class StatisticsOutput(TypedDict):
    """What somebody has done in a game."""

    tables: int
    wins: int
    places: list[PlacesOutput]
    positions: list[PositionOutput]
    opponents: list[OpponentOutput]
    best_sheets: list[SheetOutput]


class StepInputRequest(TypedDict):
    """A record, and after how many of its moves to look; without a number at its end."""

    record: Any
    at: NotRequired[int]


class StepOutput(TypedDict):
    """A moment of a record."""

    number: int
    actor: str | None
    is_over: bool
    table: dict[str, Any]
    legal: LegalOutput
    of: int
    last: ToldOutput | None


class StreamMessage(TypedDict):
    """One message of a stream."""

    id: str
    event: EventEnum
    data: str


class SubscriptionInputRequest(TypedDict):
    """What a browser that subscribed for `public_key` gives in `PushSubscription.toJSON()`."""

    endpoint: str
    keys: BrowserKeysRequest


class SubscriptionOutput(TypedDict):
    """A browser that is told."""

    id: str
    host: str
    language: str
    created_at: str


class SubstituteInputRequest(TypedDict):
    """A player to enter: by a new name, or as a player whom the club knows."""

    name: NotRequired[str]
    player: NotRequired[str]


SwitchedOffEnum: TypeAlias = "Literal['failing', 'gone']"


class TableCodeRequest(TypedDict):
    """The code of a table that is being formed."""

    code: str


class TableInputRequest(TypedDict):
    """A table that is formed in open play."""

    entries: NotRequired[list[str]]


class TableLabel(TypedDict):
    """What a club calls one of its tables, and where it stands."""

    label: NotRequired[str]
    room: NotRequired[str]


class TableLabelRequest(TypedDict):
    """What a club calls one of its tables, and where it stands."""

    label: NotRequired[str]
    room: NotRequired[str]


class TableOutput(TypedDict):
    """A table with its seats in order."""

    id: str
    event: str
    round: int
    number: int
    status: str
    variant: str
    label: str
    room: str
    extra_minutes: int
    version: int
    seats: list[SeatOutput]
    token: NotRequired[str]
    code: NotRequired[str]


TablePatchStatusEnum: TypeAlias = "Literal['playing', 'dropped']"


class TableSeatsRequest(TypedDict):
    """A table and who is to sit at it, in order."""

    id: str
    seats: list[str]


class TableSize(TypedDict):
    """How many sit at a table."""

    min: int
    max: int
    preferred: NotRequired[int]


class TableSizeRequest(TypedDict):
    """How many sit at a table."""

    min: int
    max: int
    preferred: NotRequired[int]


TableStatusEnum: TypeAlias = "Literal['seated', 'playing', 'reported', 'disputed', 'final', 'dropped']"


class TakenCounts(TypedDict):
    """How much was taken from a file."""

    people: int
    entries: int
    rounds: int
    tables: int
    reports: int


class TakenGameOutput(TypedDict):
    """One of the club's own games in a file."""

    game: str
    taken_as: str
    version: int


class TakenOutput(TypedDict):
    """What became of a file."""

    event: str
    taken: TakenCounts
    refused: list[RefusedOutput]
    games: list[TakenGameOutput]


TieBreakEnum: TypeAlias = "Literal['wins', 'opponents', 'score_share', 'head_to_head', 'best_table', 'performance']"


class TieBreakOutput(TypedDict):
    """A value that decides between players level on points."""

    key: str
    value: str | None


TieRuleEnum: TypeAlias = "Literal['tiebreaks', 'playoff', 'lots']"


class TokenInputRequest(TypedDict):
    """A token to make."""

    name: str


class TokenOutput(TypedDict):
    """A token, without its secret."""

    id: str
    name: str
    prefix: str
    created_at: str
    last_used_at: str | None


class TokenWithSecret(TypedDict):
    """A new token."""

    id: str
    name: str
    prefix: str
    created_at: str
    last_used_at: str | None
    token: str


class ToldOutput(TypedDict):
    """A move that was made; `move` is none where the reader may not know it, `seat` where chance made it."""

    number: int
    seat: str | None
    move: str | None
    words: str


TypeEnum: TypeAlias = "Literal['result.final', 'result.corrected', 'report.submitted', 'report.disputed', 'round.seated', 'round.started', 'round.closed', 'entry.added', 'entry.changed', 'event.opened', 'event.started', 'event.finished', 'event.cancelled', 'standings.final', 'ratings.changed', 'ping']"
TypesEnum: TypeAlias = "Literal['result.final', 'result.corrected', 'report.submitted', 'report.disputed', 'round.seated', 'round.started', 'round.closed', 'entry.added', 'entry.changed', 'event.opened', 'event.started', 'event.finished', 'event.cancelled', 'standings.final', 'ratings.changed']"


class UndoInputRequest(TypedDict):
    """Which position is left: how many moves there are, and how many were taken back before."""

    number: int
    taken_back: int


class VariantOutput(TypedDict):
    """A way to play a game."""

    slug: str
    name: str
    seats: SeatsOutput
    solo: bool


class VectorOutput(TypedDict):
    """A report with the verdict that every implementation of the rules must reach."""

    id: str
    report: Any
    verdict: VectorVerdict
    why: str


class VectorVerdict(TypedDict):
    """What the rules say of the report of a vector."""

    ok: bool
    codes: list[str]
    warnings: list[str]
    standings: list[PlacingOutput] | None


class VectorsOutput(Page["VectorOutput"]):
    """The vectors of a game; there is one page."""

    previous: str | None


class VerdictOutput(TypedDict):
    """The judgement of a report."""

    ok: bool
    errors: list[FindingOutput]
    warnings: list[FindingOutput]
    standings: list[PlacingOutput] | None
    explanations: list[str] | None


class VersionOutput(TypedDict):
    """One of the definitions a club has given of a game."""

    version: int
    definition: Any
    created_at: str


class VoiceOutput(TypedDict):
    """A seat that agreed."""

    entry: str
    player: PersonOutput
    at: str


class WebhookInputRequest(TypedDict):
    """A webhook to make."""

    url: str
    types: list[TypesEnum]
    form: NotRequired[FormEnum]
    language: NotRequired[LanguageEnum]


class WebhookOutput(TypedDict):
    """A webhook, without its secret."""

    id: str
    url: str
    types: list[TypesEnum]
    form: FormEnum
    language: str
    active: bool
    switched_off: SwitchedOffEnum | BlankEnum
    failing_since: str | None
    created_at: str


class WebhookWithSecret(TypedDict):
    """A webhook with its new secret."""

    id: str
    url: str
    types: list[TypesEnum]
    form: FormEnum
    language: str
    active: bool
    switched_off: SwitchedOffEnum | BlankEnum
    failing_since: str | None
    created_at: str
    secret: str


class WinnerOutput(TypedDict):
    """Somebody who won a prize."""

    entry: str
    player: PersonOutput
    rank: int | None


class WithdrawInputRequest(TypedDict):
    """Who takes it back, for a table's slip, and why."""

    reason: NotRequired[str]
    seat: NotRequired[str]
