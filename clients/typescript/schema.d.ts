// Made by clients/generate.py from the schema of the API; do not edit.

/** The secret of an invitation. */
export interface AcceptInputRequest {
  /** A secret; shown once. */
  secret: string;
}

/** Which sheets to accept: of one round, or all. */
export interface AcceptPendingInputRequest {
  /** The number of the round. */
  round?: number;
}

/** What was accepted, and the tables in dispute that were not. */
export interface AcceptedOutput {
  /** The reports that count now. */
  accepted: Array<ReportOutput>;
  /** Ids of the tables in dispute. */
  disputed: Array<string>;
}

/** Something that was done: who, what, when, why. */
export interface ActionOutput {
  /** What was done. */
  verb: string;
  /** The kind of credential and what it stands for. */
  actor: string;
  /** Why, in a sentence. */
  reason?: string;
  /** What else is known of it, by name. */
  facts?: unknown;
  /** When it happened. */
  at: string;
}

/** What a strong player would do, and why. */
export interface AdviceOutput {
  /** How many moves were made: the one that `move` would answer. */
  number: number;
  /** As it is sent. */
  move: string;
  /** What the move does. */
  words: string;
  /** Why a strong player would make it. */
  reason: string;
}

export type AnswerEnum = "vouch" | "reject";

/** An answer for entries that are unproven. */
export interface AnswersInputRequest {
  /** What to say of them. */
  answer?: AnswerEnum;
  /** Ids of entries; all that wait where it is left out. */
  entries?: Array<string>;
}

export type AnyFileRequest = EventFileRequest | ClubFileRequest;

export type AnyTaken = TakenOutput | ClubTakenOutput;

/** A sheet that was refused. */
export interface AttemptOutput {
  /** What it is, stable and in kebab-case; or a code that people type. */
  code: string;
  /** The sheet as its game has it; null where players were ranked by hand. */
  sheet: unknown;
  /** What the rules say of it. */
  verdict: VerdictOutput;
  /** The player, or their id. */
  player: PersonOutput | null;
  /** The kind of caller who sent it. */
  author: string;
  /** When it was made. */
  created_at: string;
}

/** A prize, and all who share it. */
export interface AwardOutput {
  /** What it is for. */
  kind: PrizeKindEnum;
  /** `place`: which one. */
  place: number | null;
  /** What there is to win. */
  name: string;
  /** Best place first; empty where nobody qualifies. */
  winners: Array<WinnerOutput>;
}

/** The prizes of an event. */
export interface AwardsOutput {
  /** The id of the event, or the event. */
  event: string;
  /** Before the event is finished nobody has won anything. */
  finished: boolean;
  /** False while the standings are being computed. */
  up_to_date: boolean;
  /** What there is to win, in order. */
  prizes: Array<AwardOutput>;
}

export type BlankEnum = "";

/** A page of a leaderboard. */
export interface BoardOutput {
  /** The address of the next page; null on the last. */
  next: string | null;
  /** The address of the page before; null on the first. */
  previous: string | null;
  /** The slug of the game. */
  game: string;
  /** Rises with every change. */
  version: number;
  /** False while a computation is pending. */
  up_to_date: boolean;
  /** The rows of this page. */
  results: Array<BoardRowOutput>;
}

/** A place on a leaderboard. */
export interface BoardRowOutput {
  /** The place, from 1; equals share one. */
  rank: number;
  /** The player, or their id. */
  player: PersonOutput;
  /** The rating, with three decimals. */
  rating: number;
  /** Whether too few tables were played for a firm rating. */
  provisional: boolean;
  /** The tables, or how many were played. */
  tables: number;
  /** When they last played a rated table. */
  last_played: string;
  /** By how much it moved in the last 30 days. */
  change_30_days: number | null;
}

/** What messages to a browser are encrypted for. */
export interface BrowserKeysRequest {
  /** The public key of the browser, base64url. */
  p256dh: string;
  /** The secret that comes with it, base64url. */
  auth: string;
}

/** Players to enter. */
export interface BulkInputRequest {
  /** The entries, or their ids. */
  entries: Array<EntryRowRequest>;
}

/** What became of each row, in their order. */
export interface BulkOutput {
  /** The id of the event, or the event. */
  event: string;
  /** How many were entered. */
  entered: number;
  /** The rows of this page. */
  results: Array<RowOutput>;
}

export type CallInputKindEnum = "question" | "problem" | "seats";

/** What the organiser is called for. */
export interface CallInputRequest {
  /** Which kind it is. */
  kind?: CallInputKindEnum;
  /** What is said, in the words of who says it. */
  text?: string;
  /** Wrong seats: the entry on whose seat the caller sits. */
  other?: string;
}

/** A call for the organiser. */
export interface CallOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The id of the table. */
  table: string;
  /** The number of the table in its round. */
  table_number: number;
  /** Which kind it is. */
  kind: string;
  /** What is said, in the words of who says it. */
  text: string;
  /** How far it has come. */
  status: string;
  /** Who called; null for the slip. */
  entry: string | null;
  /** The player, or their id. */
  player: PersonOutput | null;
  /** The other one it is about; null where there is none. */
  other: string | null;
  /** When it was made. */
  created_at: string;
}

export type CallPatchStatusEnum = "coming" | "done" | "agreed" | "refused";

/** The board of a challenge: the first hundred, and how many there are. */
export interface ChallengeBoardOutput {
  /** The slug of the game. */
  game: string;
  /** The slug of the variant. */
  variant: string;
  /** What was set before the game, where it is not the default. */
  options: Record<string, unknown>;
  /** The slug of the club. */
  club?: string | null;
  /** Which day it is of. */
  day: string;
  /** Until then it can be begun. */
  ends_at: string;
  /** Until then it can be finished; then the records are open. */
  closes_at: string;
  /** How many there are. */
  count: number;
  /** Whether the caller may read the records. */
  may_look: boolean;
  /** The rows of this page. */
  results: Array<ChallengeRowOutput>;
}

/** Which challenge it is. */
export interface ChallengeOutput {
  /** The slug of the game. */
  game: string;
  /** The slug of the variant. */
  variant: string;
  /** What was set before the game, where it is not the default. */
  options: Record<string, unknown>;
  /** The slug of the club. */
  club?: string | null;
  /** Which day it is of. */
  day: string;
  /** Until then it can be begun. */
  ends_at: string;
  /** Until then it can be finished; then the records are open. */
  closes_at: string;
}

/** A result on the board of a challenge. */
export interface ChallengeRowOutput {
  /** The place, from 1; equals share one. */
  rank: number;
  /** Its id, for the addresses of the API. */
  id: string;
  /** The name, as people read it. */
  name: string;
  /** The game's own score; null where players were ranked by hand. */
  score: number;
  /** Whether the person came first; null where nobody plays against them. */
  is_won: boolean | null;
  /** When it was finished. */
  finished_at: string;
}

/** What a table did to a rating. */
export interface ChangeOutput {
  /** The id of the table. */
  table: string;
  /** The id of the event, or the event. */
  event: string;
  /** The name of the event. */
  event_name: string;
  /** When the table was played. */
  played_at: string;
  /** The value before. */
  before: number;
  /** The value afterwards. */
  after: number;
  /** By how much it moved. */
  delta: number;
  /** The place, from 1; equals share one. */
  rank: number;
  /** The seats, in order; or how many there may be. */
  seats: number;
}

/** Who is here. */
export interface CheckInInputRequest {
  /** Ids of entries; all that are `registered` where it is left out. */
  entries?: Array<string>;
}

/** A value that two phones wrote differently since they last agreed. */
export interface ClashOutput {
  /** Field names and indices from 0. */
  path: Array<unknown>;
  /** What is there; null where it was taken away. */
  theirs: Record<string, unknown> | null;
  /** What you wrote; null where you took it away. */
  yours: Record<string, unknown> | null;
  /** Where that is on the sheet, for people and without the seat. */
  place: string;
  /** The entry whose phone wrote what is there, or the kind of caller. */
  author: string;
  /** Their name, for people. */
  author_name: string;
}

export type ClockEnum = "paused" | "running";

/** Everything of a club. */
export interface ClubFile {
  /** How players are seated from round to round; or the kind of a file. */
  format: ClubFileFormatEnum;
  /** The slug of the club. */
  club: FileClub;
  /** Of its own games, every version. */
  definitions?: Array<FileDefinition>;
  /** The people, or how many of them. */
  people: Array<FilePerson>;
  /** The seasons. */
  seasons: Array<SeasonInput>;
  /** The events, or how many of them. */
  events: Array<EventFile>;
}

export type ClubFileFormatEnum = "ludoscore.club/1";

/** Everything of a club. */
export interface ClubFileRequest {
  /** How players are seated from round to round; or the kind of a file. */
  format: ClubFileFormatEnum;
  /** The slug of the club. */
  club: FileClubRequest;
  /** Of its own games, every version. */
  definitions?: Array<FileDefinitionRequest>;
  /** The people, or how many of them. */
  people: Array<FilePersonRequest>;
  /** The seasons. */
  seasons: Array<SeasonInputRequest>;
  /** The events, or how many of them. */
  events: Array<EventFileRequest>;
}

/** A club to create. */
export interface ClubInputRequest {
  /** The name, as people read it. */
  name: string;
  /** Its part of an address; made from the name if left out. */
  slug?: string;
  /** Whether anybody may read it. */
  public?: boolean;
  /** A name such as `Europe/Paris`. */
  time_zone?: string;
}

/** A club. */
export interface ClubOutput {
  /** Its part of an address. */
  slug: string;
  /** The name, as people read it. */
  name: string;
  /** Anybody may read events and standings. */
  public: boolean;
  /** Its results count for ratings; the operator may withdraw that. */
  rated: boolean;
  /** What its clocks show: times of its events have this offset. */
  time_zone: string;
  /** Whether players who left an address are mailed their tables and their final place. */
  mails_players: boolean;
  /** When it was made. */
  created_at: string;
}

/** What became of a club's file. */
export interface ClubTakenOutput {
  /** The definitions it came with. */
  games: Array<TakenGameOutput>;
  /** The events, or how many of them. */
  events: Array<TakenOutput>;
}

/** A code that proves a player on another phone. */
export interface CodeOutput {
  /** What it is, stable and in kebab-case; or a code that people type. */
  code: string;
  /** When it ends. */
  expires_at: string;
}

export type ConfirmationEnum = "trust" | "confirm" | "organiser";

/** What a table would report of the game. */
export interface ConvertedOutput {
  /** The sheet, or the id of the report. */
  report: Record<string, unknown>;
}

/** When an event is to happen again. */
export interface CopyInputRequest {
  /** Left out: the next time that is whole weeks after its start. */
  starts_at?: string;
  /** Several get the day added. */
  name?: string;
  /** How often. */
  times?: number;
  /** Weeks between. */
  every?: number;
}

/** The entries in the final. */
export interface CutMove {
  /** The value before. */
  before: Array<string>;
  /** The value afterwards. */
  after: Array<string>;
}

/** What happened at the line of a cut: who was level on points, for how many places, and what decided. */
export interface CutOutput {
  /** Ids of entries. */
  contested?: Array<string>;
  /** Those whom lots or a play-off decide. */
  tied?: Array<string>;
  /** The places at the table, best first; or how often each was reached. */
  places?: number;
  /** `tie-breaks`, `play-off`, `lots`, `organiser` or empty. */
  decided_by?: string;
  /** The lots as drawn. */
  order?: Array<string>;
  /** To draw them again. */
  seed?: number;
}

/** What the result of a table is, and why: one of `report_id`, `report`, `ranking`, `drop`. */
export interface DecisionInputRequest {
  /** The id of a report of this table that is to count. */
  report_id?: string;
  /** The sheet, or the id of the report. */
  report?: Sheet;
  /** The places, given by hand. */
  ranking?: Array<PlaceInputRequest>;
  /** The table counts for nobody. */
  drop?: boolean;
  /** They take the last places. */
  forfeits?: Array<string>;
  /** Why, in a sentence. */
  reason?: string;
}

export type DecisionOrPreview = DecisionOutput | PreviewOutput;

/** What counts now. */
export interface DecisionOutput {
  /** The id of the table. */
  table: string;
  /** How far it has come. */
  status: string;
  /** The sheet, or the id of the report. */
  report: ReportOutput | null;
  /** They were seated by standings that may have changed; they stay. */
  rounds_seated_after: Array<number>;
}

export interface DefinitionToCheckRequest {
  /** What the club says of the game. */
  definition: unknown;
  /** The sheet, or the id of the report. */
  report?: unknown;
}

/** A message to a webhook, and what became of it. */
export interface DeliveryOutput {
  /** The header `webhook-id`, the same in every attempt. */
  id: string;
  /** Which kind it is. */
  type: TypeEnum;
  /** How far it has come. */
  status: DeliveryOutputStatusEnum;
  /** How often it was tried to deliver it. */
  attempts: number;
  /** When it was made. */
  created_at: string;
  /** When it is tried again; null where it is done or given up. */
  next_attempt_at: string | null;
  /** When it arrived. */
  delivered_at: string | null;
  /** Why the last attempt failed. */
  failure: FailureEnum | BlankEnum;
  /** What the receiver last answered. */
  response_status: number | null;
  /** How long that took. */
  response_ms: number | null;
  /** The message as it is sent. */
  payload: MessageOutput;
}

export type DeliveryOutputStatusEnum = "waiting" | "delivered" | "failed";

/** The first entry in which two sheets differ. */
export interface DifferenceOutput {
  /** The reports, oldest first; or how many of them. */
  reports: Array<string>;
  /** Where it is: names of fields and indices from 0. */
  path: Array<unknown>;
  /** Where the two sheets differ, in words. */
  place: string;
  /** What each of the two sheets says. */
  values: Array<Record<string, unknown> | null>;
}

/** A name that looks like somebody whom the club knows: no second record is made unless `as_new` says so. */
export interface DoubtfulOutput {
  /** From 1. */
  line: number;
  /** The name, as people read it. */
  name: string;
  /** Whom the club knows by a name that looks like it. */
  like: Array<PlayerOutput>;
}

/** A sheet as far as it is filled in, and the version it was made from: 0 for the first. */
export interface DraftInputRequest {
  /** The sheet as its game has it; null where players were ranked by hand. */
  sheet: Record<string, unknown>;
  /** Rises with every change. */
  version: number;
}

/** The sheet of a table in progress. */
export interface DraftOutput {
  /** The id of the table. */
  table: string;
  /** Rises with every change. */
  version: number;
  /** The sheet as its game has it; null where players were ranked by hand. */
  sheet: Record<string, unknown>;
  /** The entry whose phone it was, or the kind of caller. */
  author: string | null;
  /** When it last changed. */
  updated_at: string | null;
}

/** A CSV file of players to enter: one name a line, or a first line that says which column is the `name`. */
export interface EntriesCsvRequest {
  /** The text of the file. */
  csv: string;
}

/** A player to enter: by a new name, as a known player, or with the join code as whom a proof is of. */
export interface EntryInputRequest {
  /** The name, as people read it. */
  name?: string;
  /** The player, or their id. */
  player?: string;
  /** Players join with it. */
  join_code?: string;
  /** An `lse_…` of the player, or a code from a phone that holds one. */
  proof?: string;
  /** Of a player who joins or signs up, for news of this event alone. */
  email?: string;
  /** Where players check in, said by an organiser: whether they are here already. */
  here?: boolean;
  /** That the name is right although it looks like another (409 `name-alike`). */
  confirm_alike?: boolean;
}

/** A player in an event. */
export interface EntryOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The id of the event, or the event. */
  event: string;
  /** The player, or their id. */
  player: PersonOutput;
  /** How far it has come. */
  status: string;
  /** Whether they proved who they are. */
  verified: boolean;
  /** The known player whom an unproven phone says to be. */
  claims: string | null;
  /** The first round they play in. */
  first_round: number;
}

/** A player to enter: by a new name, or as a player whom the club knows. */
export interface EntryRowRequest {
  /** The name, as people read it. */
  name?: string;
  /** The player, or their id. */
  player?: string;
}

export type EntryStatusEnum = "registered" | "checked_in" | "dropped" | "waiting";

/** An entry with the secret of the player's personal link, and the table at which they always sit. */
export interface EntryWithToken {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The id of the event, or the event. */
  event: string;
  /** The player, or their id. */
  player: PersonOutput;
  /** How far it has come. */
  status: string;
  /** Whether they proved who they are. */
  verified: boolean;
  /** The known player whom an unproven phone says to be. */
  claims: string | null;
  /** The first round they play in. */
  first_round: number;
  /** The number of the table at which they always sit. */
  fixed_table: number | null;
  /** Return the secret of the personal link. */
  token: string;
}

/** An event as its caller sees it: the last two fields are for organisers. */
export interface EventAsSeen {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The slug of the club. */
  club: string;
  /** The name, as people read it. */
  name: string;
  /** The slug of the game. */
  game: string;
  /** The version of the club's own game. */
  game_version: number | null;
  /** The slug of the variant. */
  variant: string;
  /** How players are seated from round to round; or the kind of a file. */
  format: string;
  /** How far it has come. */
  status: string;
  /** The rounds, or how many are planned. */
  rounds: number;
  /** How many sit at a table. */
  table_size: TableSize;
  /** What a table gives: a share of opponents beaten, points per place, or the game's own score. */
  points: string;
  /** Points per place, best first, where `points` is `podium`. */
  podium_points: Array<number>;
  /** What decides between players level on points, in order. */
  tiebreaks: Array<string>;
  /** When a sheet counts: at once, once another seat confirms, or once the organiser approves. */
  confirmation: string;
  /** Whether its results count for ratings. */
  rated: boolean;
  /** Whether anybody may read it. */
  public: boolean;
  /** How many play the final; no final where null. */
  cut_to: number | null;
  /** How many play in each stage of the final, such as 8 and 4; instead of `cut_to`. */
  stages: Array<number>;
  /** What decides a tie at the line of a cut. */
  tie_rule: TieRuleEnum;
  /** Which places everybody sees while the event runs: all, the first ones, or none for now. */
  standings_shown: StandingsShownEnum;
  /** `top`: how many places are shown; `later`: the round after which all are, null for the last. */
  standings_number: number | null;
  /** What there is to win, in order. */
  prizes: Array<Prize>;
  /** Elimination: how many of each table play on; half of it where null. */
  advance: number | null;
  /** Open play: how many of a player's best tables count; the mean of all where null. */
  tables_counted: number | null;
  /** Open play: how many tables somebody plays before they are ranked. */
  tables_least: number;
  /** How long a round lasts; null for as long as it takes. */
  round_minutes: number | null;
  /** The id of the season, or its name in a file. */
  season: string | null;
  /** Whether players come in by the join code. */
  joining: JoiningEnum;
  /** How many come in by the join code; null for any number. */
  most_entries: number | null;
  /** What the club calls its tables, by number from table 1. */
  table_labels: Array<TableLabel>;
  /** Whether players sign up on the public page, before the evening. */
  sign_up_ahead: boolean;
  /** When sign-up ahead closes. */
  sign_up_closes_at: string | null;
  /** With sign-up ahead: players say that they are here before they are seated. */
  check_in: boolean;
  /** With the offset of the club's time zone. */
  starts_at: string;
  /** When it ends. */
  ends_at: string | null;
  /** The club's time zone, as `Europe/Paris`. */
  time_zone: string;
  /** Rises with every change. */
  version: number;
  /** Players join with it. */
  join_code?: string;
  /** The statuses it can be moved to now. */
  possible?: Array<string>;
}

export type EventEnum = "change";

/** An event with everything that was played in it. */
export interface EventFile {
  /** How players are seated from round to round; or the kind of a file. */
  format: FileFormatEnum;
  /** The id of the event, or the event. */
  event: FileEvent;
  /** Of its game, where that is the club's own. */
  definitions?: Array<FileDefinition>;
  /** The people, or how many of them. */
  people: Array<FilePerson>;
  /** The entries, or their ids. */
  entries: Array<FileEntry>;
  /** The rounds, or how many are planned. */
  rounds: Array<FileRound>;
  /** Points that were taken off entries, each with its reason. */
  penalties?: Array<FilePenalty>;
  /** Who did what, oldest first. */
  history: Array<FileAction>;
}

/** An event with everything that was played in it. */
export interface EventFileRequest {
  /** How players are seated from round to round; or the kind of a file. */
  format: FileFormatEnum;
  /** The id of the event, or the event. */
  event: FileEventRequest;
  /** Of its game, where that is the club's own. */
  definitions?: Array<FileDefinitionRequest>;
  /** The people, or how many of them. */
  people: Array<FilePersonRequest>;
  /** The entries, or their ids. */
  entries: Array<FileEntryRequest>;
  /** The rounds, or how many are planned. */
  rounds: Array<FileRoundRequest>;
  /** Points that were taken off entries, each with its reason. */
  penalties?: Array<FilePenaltyRequest>;
  /** Who did what, oldest first. */
  history: Array<FileActionRequest>;
}

/** An event as its organisers see it. */
export interface EventForOrganisers {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The slug of the club. */
  club: string;
  /** The name, as people read it. */
  name: string;
  /** The slug of the game. */
  game: string;
  /** The version of the club's own game. */
  game_version: number | null;
  /** The slug of the variant. */
  variant: string;
  /** How players are seated from round to round; or the kind of a file. */
  format: string;
  /** How far it has come. */
  status: string;
  /** The rounds, or how many are planned. */
  rounds: number;
  /** How many sit at a table. */
  table_size: TableSize;
  /** What a table gives: a share of opponents beaten, points per place, or the game's own score. */
  points: string;
  /** Points per place, best first, where `points` is `podium`. */
  podium_points: Array<number>;
  /** What decides between players level on points, in order. */
  tiebreaks: Array<string>;
  /** When a sheet counts: at once, once another seat confirms, or once the organiser approves. */
  confirmation: string;
  /** Whether its results count for ratings. */
  rated: boolean;
  /** Whether anybody may read it. */
  public: boolean;
  /** How many play the final; no final where null. */
  cut_to: number | null;
  /** How many play in each stage of the final, such as 8 and 4; instead of `cut_to`. */
  stages: Array<number>;
  /** What decides a tie at the line of a cut. */
  tie_rule: TieRuleEnum;
  /** Which places everybody sees while the event runs: all, the first ones, or none for now. */
  standings_shown: StandingsShownEnum;
  /** `top`: how many places are shown; `later`: the round after which all are, null for the last. */
  standings_number: number | null;
  /** What there is to win, in order. */
  prizes: Array<Prize>;
  /** Elimination: how many of each table play on; half of it where null. */
  advance: number | null;
  /** Open play: how many of a player's best tables count; the mean of all where null. */
  tables_counted: number | null;
  /** Open play: how many tables somebody plays before they are ranked. */
  tables_least: number;
  /** How long a round lasts; null for as long as it takes. */
  round_minutes: number | null;
  /** The id of the season, or its name in a file. */
  season: string | null;
  /** Whether players come in by the join code. */
  joining: JoiningEnum;
  /** How many come in by the join code; null for any number. */
  most_entries: number | null;
  /** What the club calls its tables, by number from table 1. */
  table_labels: Array<TableLabel>;
  /** Whether players sign up on the public page, before the evening. */
  sign_up_ahead: boolean;
  /** When sign-up ahead closes. */
  sign_up_closes_at: string | null;
  /** With sign-up ahead: players say that they are here before they are seated. */
  check_in: boolean;
  /** With the offset of the club's time zone. */
  starts_at: string;
  /** When it ends. */
  ends_at: string | null;
  /** The club's time zone, as `Europe/Paris`. */
  time_zone: string;
  /** Rises with every change. */
  version: number;
  /** For organisers only: players join with it. */
  join_code: string;
  /** The statuses it can be moved to now. */
  possible: Array<string>;
}

/** What an organiser says about an event. */
export interface EventInputRequest {
  /** The slug of the club; only when creating. */
  club: string;
  /** The name, as people read it. */
  name: string;
  /** A slug, or `custom:` and the slug of the club's own game. */
  game: string;
  /** Of the club's own game; the newest if left out. */
  game_version?: number;
  /** The slug of the variant. */
  variant?: string;
  /** How players are seated from round to round; or the kind of a file. */
  format?: FormatEnum;
  /** The rounds, or how many are planned. */
  rounds?: number;
  /** How many sit at a table. */
  table_size?: TableSizeRequest;
  /** What a table gives: a share of opponents beaten, points per place, or the game's own score. */
  points?: PointsEnum;
  /** Points per place, best first, where `points` is `podium`. */
  podium_points?: Array<number>;
  /** What decides between players level on points, in order. */
  tiebreaks?: Array<TieBreakEnum>;
  /** When a sheet counts: at once, once another seat confirms, or once the organiser approves. */
  confirmation?: ConfirmationEnum;
  /** Whether its results count for ratings. */
  rated?: boolean;
  /** Whether anybody may read it. */
  public?: boolean;
  /** How many play the final; no final where null. */
  cut_to?: number | null;
  /** How many play in each stage of the final, such as 8, 4; instead of `cut_to`. */
  stages?: Array<number>;
  /** For a tie at the line of a cut. */
  tie_rule?: TieRuleEnum;
  /** Which places everybody sees while the event runs: all, the first ones, or none for now. */
  standings_shown?: StandingsShownEnum;
  /** `top`: how many places are shown; `later`: the round after which all are, null for the last. */
  standings_number?: number | null;
  /** In order; names of at most 60 letters. */
  prizes?: Array<PrizeRequest>;
  /** Elimination: how many of each table play on; half of it where null. */
  advance?: number | null;
  /** Open play: how many of a player's best tables count; the mean of all where null. */
  tables_counted?: number | null;
  /** Open play: how many tables somebody plays before they are ranked. */
  tables_least?: number;
  /** How long a round lasts; null for as long as it takes. */
  round_minutes?: number | null;
  /** The id of the season, or its name in a file. */
  season?: string | null;
  /** By the join code. */
  joining?: JoiningEnum;
  /** Who come in by the join code; null for any number. */
  most_entries?: number | null;
  /** By number, from table 1. */
  table_labels?: Array<TableLabelRequest>;
  /** Players enter without the code until it starts; a full event has a waiting list. */
  sign_up_ahead?: boolean;
  /** When sign-up ahead closes. */
  sign_up_closes_at?: string | null;
  /** With sign-up ahead: players are `registered` until they are here. */
  check_in?: boolean;
  /** Without an offset it is what the club's clocks show. */
  starts_at: string;
  /** When it ends. */
  ends_at?: string | null;
}

/** An event. */
export interface EventOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The slug of the club. */
  club: string;
  /** The name, as people read it. */
  name: string;
  /** The slug of the game. */
  game: string;
  /** The version of the club's own game. */
  game_version: number | null;
  /** The slug of the variant. */
  variant: string;
  /** How players are seated from round to round; or the kind of a file. */
  format: string;
  /** How far it has come. */
  status: string;
  /** The rounds, or how many are planned. */
  rounds: number;
  /** How many sit at a table. */
  table_size: TableSize;
  /** What a table gives: a share of opponents beaten, points per place, or the game's own score. */
  points: string;
  /** Points per place, best first, where `points` is `podium`. */
  podium_points: Array<number>;
  /** What decides between players level on points, in order. */
  tiebreaks: Array<string>;
  /** When a sheet counts: at once, once another seat confirms, or once the organiser approves. */
  confirmation: string;
  /** Whether its results count for ratings. */
  rated: boolean;
  /** Whether anybody may read it. */
  public: boolean;
  /** How many play the final; no final where null. */
  cut_to: number | null;
  /** How many play in each stage of the final, such as 8 and 4; instead of `cut_to`. */
  stages: Array<number>;
  /** What decides a tie at the line of a cut. */
  tie_rule: TieRuleEnum;
  /** Which places everybody sees while the event runs: all, the first ones, or none for now. */
  standings_shown: StandingsShownEnum;
  /** `top`: how many places are shown; `later`: the round after which all are, null for the last. */
  standings_number: number | null;
  /** What there is to win, in order. */
  prizes: Array<Prize>;
  /** Elimination: how many of each table play on; half of it where null. */
  advance: number | null;
  /** Open play: how many of a player's best tables count; the mean of all where null. */
  tables_counted: number | null;
  /** Open play: how many tables somebody plays before they are ranked. */
  tables_least: number;
  /** How long a round lasts; null for as long as it takes. */
  round_minutes: number | null;
  /** The id of the season, or its name in a file. */
  season: string | null;
  /** Whether players come in by the join code. */
  joining: JoiningEnum;
  /** How many come in by the join code; null for any number. */
  most_entries: number | null;
  /** What the club calls its tables, by number from table 1. */
  table_labels: Array<TableLabel>;
  /** Whether players sign up on the public page, before the evening. */
  sign_up_ahead: boolean;
  /** When sign-up ahead closes. */
  sign_up_closes_at: string | null;
  /** With sign-up ahead: players say that they are here before they are seated. */
  check_in: boolean;
  /** With the offset of the club's time zone. */
  starts_at: string;
  /** When it ends. */
  ends_at: string | null;
  /** The club's time zone, as `Europe/Paris`. */
  time_zone: string;
  /** Rises with every change. */
  version: number;
}

export type EventStatusEnum = "draft" | "registration" | "running" | "finished" | "cancelled";

export type FailureEnum = "private-target" | "unknown-host" | "unreachable" | "tls" | "timeout" | "no-answer" | "redirect" | "status" | "our-fault";

/** Something that was done: who, what, when, why. */
export interface FileAction {
  /** What was done. */
  verb: string;
  /** Who did it: the kind of credential and what it stands for. */
  actor: string;
  /** Why, in a sentence. */
  reason: string;
  /** What else is known of it, by name. */
  facts: Record<string, unknown>;
  /** The id of the table. */
  table: string | null;
  /** When it happened. */
  at: string;
}

/** Something that was done: who, what, when, why. */
export interface FileActionRequest {
  /** What was done. */
  verb: string;
  /** Who did it: the kind of credential and what it stands for. */
  actor: string;
  /** Why, in a sentence. */
  reason: string;
  /** What else is known of it, by name. */
  facts: Record<string, unknown>;
  /** The id of the table. */
  table: string | null;
  /** When it happened. */
  at: string;
}

/** The club that a file is of. */
export interface FileClub {
  /** Its part of an address. */
  slug: string;
  /** The name, as people read it. */
  name: string;
}

/** The club that a file is of. */
export interface FileClubRequest {
  /** Its part of an address. */
  slug: string;
  /** The name, as people read it. */
  name: string;
}

/** A version of one of the club's own games. */
export interface FileDefinition {
  /** Of the game: all its versions have it. */
  id: string;
  /** Rises with every change. */
  version: number;
  /** As the club gave it; judged again on the way in. */
  definition: Record<string, unknown>;
}

/** A version of one of the club's own games. */
export interface FileDefinitionRequest {
  /** Of the game: all its versions have it. */
  id: string;
  /** Rises with every change. */
  version: number;
  /** As the club gave it; judged again on the way in. */
  definition: Record<string, unknown>;
}

/** A person's entry. */
export interface FileEntry {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The id of a person of the file. */
  player: string;
  /** The name, as people read it. */
  name: string;
  /** How far it has come. */
  status: EntryStatusEnum;
  /** Whether they proved who they are. */
  verified: boolean;
  /** The known person whom an unproven phone says to be. */
  claims: string | null;
  /** The first round they play in. */
  first_round: number;
  /** The number of the table at which they always sit. */
  fixed_table: number | null;
  /** Since when they wait for a place. */
  waiting_since: string | null;
  /** When they entered. */
  joined_at: string;
}

/** A person's entry. */
export interface FileEntryRequest {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The id of a person of the file. */
  player: string;
  /** The name, as people read it. */
  name: string;
  /** How far it has come. */
  status: EntryStatusEnum;
  /** Whether they proved who they are. */
  verified: boolean;
  /** The known person whom an unproven phone says to be. */
  claims: string | null;
  /** The first round they play in. */
  first_round: number;
  /** The number of the table at which they always sit. */
  fixed_table: number | null;
  /** Since when they wait for a place. */
  waiting_since: string | null;
  /** When they entered. */
  joined_at: string;
}

/** The settings of the event. */
export interface FileEvent {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The name, as people read it. */
  name: string;
  /** The slug of the game. */
  game: string;
  /** Which version of a club's own game is played. */
  game_version?: number | null;
  /** The slug of the variant. */
  variant: string;
  /** How players are seated from round to round; or the kind of a file. */
  format: FormatEnum;
  /** How far it has come. */
  status: EventStatusEnum;
  /** The rounds, or how many are planned. */
  rounds: number;
  /** How many sit at a table. */
  table_size: FileSizes;
  /** What a table gives: a share of opponents beaten, points per place, or the game's own score. */
  points: PointsEnum;
  /** Points per place, best first, where `points` is `podium`. */
  podium_points: Array<number>;
  /** What decides between players level on points, in order. */
  tiebreaks: Array<TieBreakEnum>;
  /** When a sheet counts: at once, once another seat confirms, or once the organiser approves. */
  confirmation: ConfirmationEnum;
  /** Whether its results count for ratings. */
  rated: boolean;
  /** Whether anybody may read it. */
  public: boolean;
  /** How many play the final; no final where null. */
  cut_to: number | null;
  /** Elimination: how many of each table play on; half of it where null. */
  advance: number | null;
  /** Open play: how many of a player's best tables count; the mean of all where null. */
  tables_counted: number | null;
  /** Open play: how many tables somebody plays before they are ranked. */
  tables_least: number;
  /** How long a round lasts; null for as long as it takes. */
  round_minutes: number | null;
  /** Whether players come in by the join code. */
  joining: JoiningEnum;
  /** How many come in by the join code; null for any number. */
  most_entries: number | null;
  /** When it starts. */
  starts_at: string;
  /** When it ends. */
  ends_at: string | null;
  /** The name of a season of the club. */
  season: string | null;
  /** Rotation: the rounds still to come, by entries; for those outside of the club none. */
  schedule: Array<Array<Array<string>>>;
  /** What the club calls its tables, by number from table 1. */
  table_labels: Array<TableLabel>;
  /** Whether players sign up on the public page, before the evening. */
  sign_up_ahead: boolean;
  /** When sign-up ahead closes. */
  sign_up_closes_at: string | null;
  /** With sign-up ahead: players say that they are here before they are seated. */
  check_in: boolean;
  /** How many play in each stage of the final, such as 8 and 4; instead of `cut_to`. */
  stages?: Array<number>;
  /** What decides a tie at the line of a cut. */
  tie_rule?: TieRuleEnum;
  /** Which places everybody sees while the event runs: all, the first ones, or none for now. */
  standings_shown?: StandingsShownEnum;
  /** `top`: how many places are shown; `later`: the round after which all are, null for the last. */
  standings_number?: number | null;
  /** What there is to win, in order. */
  prizes?: Array<Prize>;
  /** When it was made. */
  created_at: string;
}

/** The settings of the event. */
export interface FileEventRequest {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The name, as people read it. */
  name: string;
  /** The slug of the game. */
  game: string;
  /** Which version of a club's own game is played. */
  game_version?: number | null;
  /** The slug of the variant. */
  variant: string;
  /** How players are seated from round to round; or the kind of a file. */
  format: FormatEnum;
  /** How far it has come. */
  status: EventStatusEnum;
  /** The rounds, or how many are planned. */
  rounds: number;
  /** How many sit at a table. */
  table_size: FileSizesRequest;
  /** What a table gives: a share of opponents beaten, points per place, or the game's own score. */
  points: PointsEnum;
  /** Points per place, best first, where `points` is `podium`. */
  podium_points: Array<number>;
  /** What decides between players level on points, in order. */
  tiebreaks: Array<TieBreakEnum>;
  /** When a sheet counts: at once, once another seat confirms, or once the organiser approves. */
  confirmation: ConfirmationEnum;
  /** Whether its results count for ratings. */
  rated: boolean;
  /** Whether anybody may read it. */
  public: boolean;
  /** How many play the final; no final where null. */
  cut_to: number | null;
  /** Elimination: how many of each table play on; half of it where null. */
  advance: number | null;
  /** Open play: how many of a player's best tables count; the mean of all where null. */
  tables_counted: number | null;
  /** Open play: how many tables somebody plays before they are ranked. */
  tables_least: number;
  /** How long a round lasts; null for as long as it takes. */
  round_minutes: number | null;
  /** Whether players come in by the join code. */
  joining: JoiningEnum;
  /** How many come in by the join code; null for any number. */
  most_entries: number | null;
  /** When it starts. */
  starts_at: string;
  /** When it ends. */
  ends_at: string | null;
  /** The name of a season of the club. */
  season: string | null;
  /** Rotation: the rounds still to come, by entries; for those outside of the club none. */
  schedule: Array<Array<Array<string>>>;
  /** What the club calls its tables, by number from table 1. */
  table_labels: Array<TableLabelRequest>;
  /** Whether players sign up on the public page, before the evening. */
  sign_up_ahead: boolean;
  /** When sign-up ahead closes. */
  sign_up_closes_at: string | null;
  /** With sign-up ahead: players say that they are here before they are seated. */
  check_in: boolean;
  /** How many play in each stage of the final, such as 8 and 4; instead of `cut_to`. */
  stages?: Array<number>;
  /** What decides a tie at the line of a cut. */
  tie_rule?: TieRuleEnum;
  /** Which places everybody sees while the event runs: all, the first ones, or none for now. */
  standings_shown?: StandingsShownEnum;
  /** `top`: how many places are shown; `later`: the round after which all are, null for the last. */
  standings_number?: number | null;
  /** What there is to win, in order. */
  prizes?: Array<PrizeRequest>;
  /** When it was made. */
  created_at: string;
}

export type FileFormatEnum = "ludoscore.event/1";

/** Points taken off an entry. */
export interface FilePenalty {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The entry, or its id. */
  entry: string;
  /** What a table gives: a share of opponents beaten, points per place, or the game's own score. */
  points: string;
  /** The number of the round. */
  round: number | null;
  /** Why, in a sentence. */
  reason: string;
  /** When it was made. */
  created_at: string;
  /** Since then it counts nothing. */
  taken_back_at: string | null;
}

/** Points taken off an entry. */
export interface FilePenaltyRequest {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The entry, or its id. */
  entry: string;
  /** What a table gives: a share of opponents beaten, points per place, or the game's own score. */
  points: string;
  /** The number of the round. */
  round: number | null;
  /** Why, in a sentence. */
  reason: string;
  /** When it was made. */
  created_at: string;
  /** Since then it counts nothing. */
  taken_back_at: string | null;
}

/** Somebody in the event. */
export interface FilePerson {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The name, as people read it. */
  name: string;
}

/** Somebody in the event. */
export interface FilePersonRequest {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The name, as people read it. */
  name: string;
}

/** A sheet of a table; for those outside of the club only the one that counts. */
export interface FileReport {
  /** Its id, for the addresses of the API. */
  id: string;
  /** Rises with every change. */
  version: number;
  /** How far it has come. */
  status: ReportStatusEnum;
  /** None where an organiser ranked the players by hand. */
  sheet: Sheet | null;
  /** The places, best first; null where the sheet is not legal. */
  standings: Array<FileStanding>;
  /** Ids of the players who gave up: they take the last places. */
  forfeits: Array<string>;
  /** When the table was played. */
  played_at: string | null;
  /** When it was made. */
  created_at: string;
  /** Who sent it; none for the club. */
  entry: string | null;
  /** The kind of caller who sent it. */
  author: string;
  /** Why, in a sentence. */
  reason: string;
  /** Why somebody should look at it. */
  flags: Array<unknown>;
  /** What other seats said of it. */
  voices: Array<FileVoice>;
}

/** A sheet of a table; for those outside of the club only the one that counts. */
export interface FileReportRequest {
  /** Its id, for the addresses of the API. */
  id: string;
  /** Rises with every change. */
  version: number;
  /** How far it has come. */
  status: ReportStatusEnum;
  /** None where an organiser ranked the players by hand. */
  sheet: Sheet | null;
  /** The places, best first; null where the sheet is not legal. */
  standings: Array<FileStandingRequest>;
  /** Ids of the players who gave up: they take the last places. */
  forfeits: Array<string>;
  /** When the table was played. */
  played_at: string | null;
  /** When it was made. */
  created_at: string;
  /** Who sent it; none for the club. */
  entry: string | null;
  /** The kind of caller who sent it. */
  author: string;
  /** Why, in a sentence. */
  reason: string;
  /** Why somebody should look at it. */
  flags: Array<unknown>;
  /** What other seats said of it. */
  voices: Array<FileVoiceRequest>;
}

/** A round. */
export interface FileRound {
  /** Its number, from 1. */
  number: number;
  /** Which kind it is. */
  kind: FileRoundKindEnum;
  /** How far it has come. */
  status: RoundStatusEnum;
  /** Seats the same round again. */
  seed: number;
  /** How long the seating was searched for. */
  steps: number;
  /** What the seating costs. */
  quality: Record<string, number>;
  /** By entry: what it was seated by. */
  points: Record<string, number>;
  /** When the round began. */
  started_at: string | null;
  /** When the round was closed. */
  closed_at: string | null;
  /** How long the round lasts; null for as long as it takes. */
  minutes: number | null;
  /** Minutes that were added to the round. */
  extra_minutes: number;
  /** Of the final, from 1. */
  stage?: number;
  /** Who was level at the line of the cut, and what decided. */
  cut?: Record<string, unknown>;
  /** Since when its clock is paused. */
  paused_at?: string | null;
  /** How long its clock was paused before. */
  paused_seconds?: number;
  /** When the round was seated. */
  seated_at: string;
  /** The tables, or how many were played. */
  tables: Array<FileTable>;
  /** Those who do not play in this round because the numbers force it. */
  sitting_out: Array<string>;
}

export type FileRoundKindEnum = "normal" | "final" | "playoff" | "open";

/** A round. */
export interface FileRoundRequest {
  /** Its number, from 1. */
  number: number;
  /** Which kind it is. */
  kind: FileRoundKindEnum;
  /** How far it has come. */
  status: RoundStatusEnum;
  /** Seats the same round again. */
  seed: number;
  /** How long the seating was searched for. */
  steps: number;
  /** What the seating costs. */
  quality: Record<string, number>;
  /** By entry: what it was seated by. */
  points: Record<string, number>;
  /** When the round began. */
  started_at: string | null;
  /** When the round was closed. */
  closed_at: string | null;
  /** How long the round lasts; null for as long as it takes. */
  minutes: number | null;
  /** Minutes that were added to the round. */
  extra_minutes: number;
  /** Of the final, from 1. */
  stage?: number;
  /** Who was level at the line of the cut, and what decided. */
  cut?: Record<string, unknown>;
  /** Since when its clock is paused. */
  paused_at?: string | null;
  /** How long its clock was paused before. */
  paused_seconds?: number;
  /** When the round was seated. */
  seated_at: string;
  /** The tables, or how many were played. */
  tables: Array<FileTableRequest>;
  /** Those who do not play in this round because the numbers force it. */
  sitting_out: Array<string>;
}

/** How many sit at a table. */
export interface FileSizes {
  /** The fewest. */
  min: number;
  /** The most. */
  max: number;
  /** How many sit at a table where the numbers allow it. */
  preferred: number;
}

/** How many sit at a table. */
export interface FileSizesRequest {
  /** The fewest. */
  min: number;
  /** The most. */
  max: number;
  /** How many sit at a table where the numbers allow it. */
  preferred: number;
}

/** A seat's place; read where a result was ranked by hand, judged anew where there is a sheet. */
export interface FileStanding {
  /** The id of a person, or the game's own partner. */
  seat: string;
  /** The place, from 1; equals share one. */
  rank: number;
  /** The game's own score; null where players were ranked by hand. */
  score: number | null;
  /** Decides the rank. */
  key: Array<number>;
}

/** A seat's place; read where a result was ranked by hand, judged anew where there is a sheet. */
export interface FileStandingRequest {
  /** The id of a person, or the game's own partner. */
  seat: string;
  /** The place, from 1; equals share one. */
  rank: number;
  /** The game's own score; null where players were ranked by hand. */
  score: number | null;
  /** Decides the rank. */
  key: Array<number>;
}

/** A table of a round. */
export interface FileTable {
  /** Its id, for the addresses of the API. */
  id: string;
  /** Its number, from 1. */
  number: number;
  /** How far it has come. */
  status: TableStatusEnum;
  /** The slug of the variant. */
  variant: string;
  /** What the club calls the table. */
  label: string;
  /** The room the table is in. */
  room: string;
  /** Minutes that were added to the round. */
  extra_minutes?: number;
  /** Ids of entries, in order. */
  seats: Array<string>;
  /** When it first had a result: the order of ratings. */
  final_at: string | null;
  /** The reports, oldest first; or how many of them. */
  reports: Array<FileReport>;
}

/** A table of a round. */
export interface FileTableRequest {
  /** Its id, for the addresses of the API. */
  id: string;
  /** Its number, from 1. */
  number: number;
  /** How far it has come. */
  status: TableStatusEnum;
  /** The slug of the variant. */
  variant: string;
  /** What the club calls the table. */
  label: string;
  /** The room the table is in. */
  room: string;
  /** Minutes that were added to the round. */
  extra_minutes?: number;
  /** Ids of entries, in order. */
  seats: Array<string>;
  /** When it first had a result: the order of ratings. */
  final_at: string | null;
  /** The reports, oldest first; or how many of them. */
  reports: Array<FileReportRequest>;
}

/** What another seat said of a report. */
export interface FileVoice {
  /** The entry, or its id. */
  entry: string;
  /** Whether the seat agrees. */
  says: SaysEnum;
  /** Why, in a sentence. */
  reason: string;
  /** When it happened. */
  at: string;
}

/** What another seat said of a report. */
export interface FileVoiceRequest {
  /** The entry, or its id. */
  entry: string;
  /** Whether the seat agrees. */
  says: SaysEnum;
  /** Why, in a sentence. */
  reason: string;
  /** When it happened. */
  at: string;
}

/** One thing that is wrong, and where. */
export interface FindingOutput {
  /** Stable, kebab-case. */
  code: string;
  /** Field names and indices from 0. */
  path: Array<unknown>;
  /** For people, in the language of the request. */
  message: string;
}

/** Where somebody stood in an event. */
export interface FinishOutput {
  /** The id of the event, or the event. */
  event: string;
  /** The name of the event. */
  event_name: string;
  /** The slug of the club. */
  club: string;
  /** The slug of the game. */
  game: string;
  /** How far it has come. */
  status: string;
  /** When it starts. */
  starts_at: string;
  /** The place, from 1; equals share one. */
  rank: number;
  /** The tables, or how many were played. */
  tables: number;
}

export type FormEnum = "json" | "discord" | "slack";

export type FormatEnum = "swiss" | "rotation" | "open" | "elimination";

/** A game with the shapes it reads. */
export interface GameDetailOutput {
  /** Its part of an address. */
  slug: string;
  /** The name, as people read it. */
  name: string;
  /** The game in a sentence. */
  summary: string;
  /** The ways to play it. */
  variants: Array<VariantOutput>;
  /** JSON Schema of a report. */
  schema: Record<string, unknown>;
  /** JSON Schema of a position sent for assistance. */
  assist_schema: Record<string, unknown>;
}

/** A game in a list. */
export interface GameOutput {
  /** Its part of an address. */
  slug: string;
  /** The name, as people read it. */
  name: string;
  /** The game in a sentence. */
  summary: string;
  /** The ways to play it. */
  variants: Array<VariantOutput>;
}

/** The list of games; it is short, so there is one page. */
export interface GamesOutput {
  /** The address of the next page; null on the last. */
  next: string | null;
  /** The address of the page before; null on the first. */
  previous: string | null;
  /** The rows of this page. */
  results: Array<GameOutput>;
}

/** A CSV file of players: one name a line, or a first line that says which column is the `name`. */
export interface ImportInputRequest {
  /** The text of the file. */
  csv: string;
  /** Only say what would happen. */
  dry_run?: boolean;
  /** Lines of names that are somebody new, although they look like somebody known. */
  as_new?: Array<number>;
}

/** What an import did, or would do. */
export interface ImportOutput {
  /** Whether it only says what would happen. */
  dry_run: boolean;
  /** Those who were not known before. */
  new: Array<ImportedOutput>;
  /** Names that look like somebody the club knows. */
  doubtful: Array<DoubtfulOutput>;
  /** Players whom the club knows by that name. */
  known: Array<PlayerOutput>;
  /** The lines that cannot be used. */
  problems: Array<ProblemLineOutput>;
}

/** A player whom the club did not know. */
export interface ImportedOutput {
  /** None in a dry run. */
  id: string | null;
  /** The name, as people read it. */
  name: string;
}

/** An invitation to send. */
export interface InvitationInputRequest {
  /** The e-mail address. */
  email: string;
  /** What they may do in the club. */
  role: RoleEnum;
}

/** An invitation that was not accepted yet. */
export interface InvitationOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The e-mail address. */
  email: string;
  /** What they may do in the club. */
  role: RoleEnum;
  /** When it ends. */
  expires_at: string;
}

/** An invitation with its secret. */
export interface InvitationWithSecret {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The e-mail address. */
  email: string;
  /** What they may do in the club. */
  role: RoleEnum;
  /** When it ends. */
  expires_at: string;
  /** None where mail is set up: the secret went to the address alone. */
  secret: string | null;
}

/** What somebody is in a club now. */
export interface JoinedOutput {
  /** The slug of the club. */
  club: string;
  /** What they may do in the club. */
  role: RoleEnum;
}

export type JoiningEnum = "open" | "closed";

/** Two players who should not meet. */
export interface KeepApartInputRequest {
  /** The players, or their ids. */
  players: Array<string>;
  /** Only in this event; in all if left out. */
  event?: string | null;
}

/** Two players who should not meet. */
export interface KeepApartOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The id of the event, or the event. */
  event: string | null;
  /** One of the two. */
  first: PlayerOutput;
  /** The other of the two. */
  second: PlayerOutput;
}

/** A key to make: with `scopes`, or with one `scope`. */
export interface KeyInputRequest {
  /** Where it is used, to tell it by. */
  name: string;
  /** The only one of its `scopes`. */
  scope?: ScopeEnum;
  /** What it may do; `write` is everything that an organiser may, and every key reads. */
  scopes?: Array<ScopeEnum>;
  /** When it ends by itself; at most five years ahead. */
  expires_at?: string | null;
}

/** A key, without its secret. */
export interface KeyOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The name, as people read it. */
  name: string;
  /** How the secret begins. */
  prefix: string;
  /** When it was made. */
  created_at: string;
  /** To the minute. */
  last_used_at: string | null;
  /** `write` for everything that an organiser may, `read` for nothing but reading, else `some`. */
  scope: KeyReachEnum;
  /** What it was made for. */
  scopes: Array<ScopeEnum>;
  /** When it ends, or ended, by itself. */
  expires_at: string | null;
}

export type KeyReachEnum = "read" | "write" | "some";

/** How often a key made a call on a day, answered alike. */
export interface KeyUseOutput {
  /** In UTC. */
  day: string;
  /** The method of HTTP. */
  method: string;
  /** The pattern of the address, under `/api/v1`. */
  route: string;
  /** `2xx`, `3xx`, `4xx` or `5xx`. */
  status: KeyUseOutputStatusEnum;
  /** How many there are. */
  count: number;
  /** To the minute. */
  last_at: string;
}

export type KeyUseOutputStatusEnum = "2xx" | "3xx" | "4xx" | "5xx";

/** A new key. */
export interface KeyWithSecret {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The name, as people read it. */
  name: string;
  /** How the secret begins. */
  prefix: string;
  /** When it was made. */
  created_at: string;
  /** To the minute. */
  last_used_at: string | null;
  /** `write` for everything that an organiser may, `read` for nothing but reading, else `some`. */
  scope: KeyReachEnum;
  /** What it was made for. */
  scopes: Array<ScopeEnum>;
  /** When it ends, or ended, by itself. */
  expires_at: string | null;
  /** Shown once. */
  token: string;
}

export type LanguageEnum = "en" | "fr";

/** What is possible: how many moves, and the first of them. */
export interface LegalOutput {
  /** How many there are. */
  count: number;
  /** Moves as the rules of the game write them, in order. */
  moves: Array<OfferOutput>;
}

/** Minutes that three of four tables need. */
export interface LengthOutput {
  /** How long the round lasts; null for as long as it takes. */
  minutes: number;
  /** How many of the club's own tables say so; 0 for simulated games. */
  tables: number;
}

/** How somebody shows that a player is them. */
export interface LinkInputRequest {
  /** The `lse_…` of an event of the home club; its organisers need none. */
  token?: string;
}

/** Who one is to the API, and the clubs one belongs to. */
export interface MeWithClubs {
  /** Which kind it is. */
  kind: MeWithClubsKindEnum;
  /** One's account; null for other credentials. */
  user: MyUserOutput | null;
  /** The entry, or its id. */
  entry: string | null;
  /** The id of the table. */
  table: string | null;
  /** What a club's key may do; null for everybody else. */
  scopes: Array<ScopeEnum> | null;
  /** The clubs, by name. */
  clubs: Array<MyClubOutput>;
}

export type MeWithClubsKindEnum = "nobody" | "user" | "key" | "entry" | "table";

/** A member of a club. */
export interface MemberOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The e-mail address. */
  email: string;
  /** The name, as people read it. */
  name: string;
  /** What they may do in the club. */
  role: RoleEnum;
  /** Since when. */
  since: string;
}

/** The record to keep. */
export interface MergeInputRequest {
  /** The id of the record to keep. */
  into: string;
}

/** What merging two records would do. */
export interface MergePreviewOutput {
  /** The record that becomes part of the other. */
  gone: PlayerOutput;
  /** The record that stays. */
  kept: PlayerOutput;
  /** Of the record that goes, in events the caller may know of. */
  entries: number;
  /** The tables, or how many were played. */
  tables: number;
  /** That know the person from then on. */
  clubs: Array<PlayerClubOutput>;
  /** The other side has to agree: ask by a request to merge. */
  needs_consent: boolean;
  /** Why the two cannot be one person, as far as the caller may know; empty if they may be one. */
  refusal: string;
}

/** Two records of one person, one of which is the caller's to speak for. */
export interface MergeRequestInputRequest {
  /** The record to merge into the other. */
  gone: string;
  /** The record to keep; its home club stays theirs. */
  kept: string;
}

/** A request to merge two records. */
export interface MergeRequestOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The record that becomes part of the other. */
  gone: PlayerOutput;
  /** The record that stays. */
  kept: PlayerOutput;
  /** How far it has come. */
  status: MergeRequestOutputStatusEnum;
  /** The club that asks; null where the person does. */
  asked_by: string | null;
  /** The record whose side answers. */
  awaits: string;
  /** When it was made. */
  created_at: string;
  /** When it ends. */
  expires_at: string;
  /** When the other side answered. */
  answered_at: string | null;
}

export type MergeRequestOutputStatusEnum = "open" | "accepted" | "declined" | "withdrawn" | "expired";

/** A message as it is sent. */
export interface MessageOutput {
  /** Which kind it is. */
  type: TypeEnum;
  /** When it happened. */
  timestamp: string;
  /** What happened, by the ids of the API. */
  data: Record<string, unknown>;
}

/** A place at a table. */
export interface MirroredPlace {
  /** The player, or their id. */
  player: PersonOutput;
  /** The place, from 1; equals share one. */
  rank: number;
  /** The game's own score; null where players were ranked by hand. */
  score: number | null;
  /** Whether they gave up. */
  forfeit: boolean;
}

/** A line: the result of a table as it is now. */
export interface MirroredResult {
  /** The id of the table. */
  table: string;
  /** The id of the event, or the event. */
  event: string;
  /** The slug of the club. */
  club: string;
  /** The slug of the game. */
  game: string;
  /** The number of the round. */
  round: number;
  /** The sheet, or the id of the report. */
  report: string;
  /** Whether its results count for ratings. */
  rated: boolean;
  /** False where the result was taken away; it has no places then. */
  counted: boolean;
  /** When the table was played. */
  played_at: string;
  /** When the table first had a result. */
  final_at: string;
  /** When the result last changed. */
  modified_at: string;
  /** The places at the table, best first; or how often each was reached. */
  places: Array<MirroredPlace>;
}

/** A moment of a game. */
export interface MomentOutput {
  /** How many moves were made. */
  number: number;
  /** Whose move it is; none for chance. */
  actor: string | null;
  /** Whether the game is finished. */
  is_over: boolean;
  /** What lies on the table, as the game has it. */
  table: Record<string, unknown>;
  /** What is possible now. */
  legal: LegalOutput;
}

/** A move, and the number of moves it answers. */
export interface MoveInputRequest {
  /** Its number, from 1. */
  number: number;
  /** A move as the rules of the game write it. */
  move: string;
  /** As the game has it: a move that was taken back is then not made again by a copy that comes late. */
  taken_back?: number;
}

/** A club one belongs to. */
export interface MyClubOutput {
  /** Its part of an address. */
  slug: string;
  /** The name, as people read it. */
  name: string;
  /** None for a key that may less than an organiser. */
  role: RoleEnum | NullEnum | null;
}

/** One's account. */
export interface MyUserOutput {
  /** The e-mail address. */
  email: string;
  /** The name, as people read it. */
  name: string;
  /** The player, or their id. */
  player: string | null;
}

/** A list of names. */
export interface NamesInputRequest {
  /** The names, one each. */
  names: Array<string>;
  /** Where players check in: whether they are here already. */
  here?: boolean;
}

/** What a list of names came to. */
export interface NamesOutput {
  /** The entries, or their ids. */
  entries: Array<EntryWithToken>;
  /** Names that were in the event. */
  here_already: Array<string>;
}

export type NextRoundKindEnum = "normal" | "final";

/** How to seat the next round; an empty object is enough. */
export interface NextRoundRequest {
  /** To seat it so again. */
  seed?: number;
  /** Which kind it is. */
  kind?: NextRoundKindEnum;
  /** False for a draft, which the club alone sees. */
  publish?: boolean;
  /** Only these entries play, instead of those whom the standings choose for a final or in elimination. */
  entries?: Array<string>;
}

/** What a club's organisers write down about a player. */
export interface NoteInput {
  /** A note for the club alone. */
  note: string;
}

/** What a club's organisers write down about a player. */
export interface NoteInputRequest {
  /** A note for the club alone. */
  note: string;
}

export type NullEnum = null;

/** A seat that did not. */
export interface ObjectionOutput {
  /** The entry, or its id. */
  entry: string;
  /** The player, or their id. */
  player: PersonOutput;
  /** When it happened. */
  at: string;
  /** Why, in a sentence. */
  reason: string;
}

/** A move that is possible. */
export interface OfferOutput {
  /** A move as the rules of the game write it. */
  move: string;
  /** What the move does, in a sentence. */
  words: string;
}

/** Somebody met at tables, and how often one was ahead of, level with or behind them. */
export interface OpponentOutput {
  /** The player, or their id. */
  player: PersonOutput;
  /** The tables, or how many were played. */
  tables: number;
  /** Tables at which one was ahead of them. */
  ahead: number;
  /** Tables at which one was level with them. */
  level: number;
  /** Tables at which one was behind them. */
  behind: number;
}

export interface PaginatedActionOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<ActionOutput>;
}

export interface PaginatedAttemptOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<AttemptOutput>;
}

export interface PaginatedChangeOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<ChangeOutput>;
}

export interface PaginatedClubOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<ClubOutput>;
}

export interface PaginatedDeliveryOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<DeliveryOutput>;
}

export interface PaginatedEntryOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<EntryOutput>;
}

export interface PaginatedEventOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<EventOutput>;
}

export interface PaginatedFinishOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<FinishOutput>;
}

export interface PaginatedInvitationOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<InvitationOutput>;
}

export interface PaginatedKeepApartOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<KeepApartOutput>;
}

export interface PaginatedKeyOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<KeyOutput>;
}

export interface PaginatedKeyUseOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<KeyUseOutput>;
}

export interface PaginatedMemberOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<MemberOutput>;
}

export interface PaginatedMergeRequestOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<MergeRequestOutput>;
}

export interface PaginatedPlayerOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<PlayerOutput>;
}

export interface PaginatedRoundOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<RoundOutput>;
}

export interface PaginatedSeasonOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<SeasonOutput>;
}

export interface PaginatedSessionOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<SessionOutput>;
}

export interface PaginatedTokenOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<TokenOutput>;
}

export interface PaginatedVersionOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<VersionOutput>;
}

export interface PaginatedWebhookOutputList {
  /** The address of the next page; null on the last. */
  next?: string | null;
  /** The address of the page before; null on the first. */
  previous?: string | null;
  /** The rows of this page. */
  results: Array<WebhookOutput>;
}

/** An answer to a call. */
export interface PatchedCallPatchRequest {
  /** The club: `coming`, `done`; who called: `done`; the other player: `agreed`, `refused`. */
  status?: CallPatchStatusEnum;
}

/** A change of a club. */
export interface PatchedClubPatchRequest {
  /** The name, as people read it. */
  name?: string;
  /** Whether anybody may read it. */
  public?: boolean;
  /** A name such as `Europe/Paris`. */
  time_zone?: string;
  /** Whether players who left an address are mailed their tables and their final place. */
  mails_players?: boolean;
}

/** What a phone wrote, and the sheet as it knew it before. */
export interface PatchedDraftMergeRequest {
  /** The sheet as it stands on the phone. */
  sheet?: Record<string, unknown>;
  /** The sheet that the phone had at `version`, from which its changes are told. */
  base?: Record<string, unknown>;
  /** Of the draft that the phone last saw; 0 for one that saw none. */
  version?: number;
}

/** A change of an entry. */
export interface PatchedEntryPatchRequest {
  /** How far it has come. */
  status?: EntryStatusEnum;
  /** For the club: the number of the table at which the player always sits. */
  fixed_table?: number | null;
  /** Shown at the door: a player who sends it is here. */
  join_code?: string;
}

/** A change of an event: any of its settings, or its status. */
export interface PatchedEventPatchRequest {
  /** The name, as people read it. */
  name?: string;
  /** A slug, or `custom:` and the slug of the club's own game. */
  game?: string;
  /** Of the club's own game; the newest if left out. */
  game_version?: number;
  /** The slug of the variant. */
  variant?: string;
  /** How players are seated from round to round; or the kind of a file. */
  format?: FormatEnum;
  /** The rounds, or how many are planned. */
  rounds?: number;
  /** How many sit at a table. */
  table_size?: TableSizeRequest;
  /** What a table gives: a share of opponents beaten, points per place, or the game's own score. */
  points?: PointsEnum;
  /** Points per place, best first, where `points` is `podium`. */
  podium_points?: Array<number>;
  /** What decides between players level on points, in order. */
  tiebreaks?: Array<TieBreakEnum>;
  /** When a sheet counts: at once, once another seat confirms, or once the organiser approves. */
  confirmation?: ConfirmationEnum;
  /** Whether its results count for ratings. */
  rated?: boolean;
  /** Whether anybody may read it. */
  public?: boolean;
  /** How many play the final; no final where null. */
  cut_to?: number | null;
  /** How many play in each stage of the final, such as 8, 4; instead of `cut_to`. */
  stages?: Array<number>;
  /** For a tie at the line of a cut. */
  tie_rule?: TieRuleEnum;
  /** Which places everybody sees while the event runs: all, the first ones, or none for now. */
  standings_shown?: StandingsShownEnum;
  /** `top`: how many places are shown; `later`: the round after which all are, null for the last. */
  standings_number?: number | null;
  /** In order; names of at most 60 letters. */
  prizes?: Array<PrizeRequest>;
  /** Elimination: how many of each table play on; half of it where null. */
  advance?: number | null;
  /** Open play: how many of a player's best tables count; the mean of all where null. */
  tables_counted?: number | null;
  /** Open play: how many tables somebody plays before they are ranked. */
  tables_least?: number;
  /** How long a round lasts; null for as long as it takes. */
  round_minutes?: number | null;
  /** The id of the season, or its name in a file. */
  season?: string | null;
  /** By the join code. */
  joining?: JoiningEnum;
  /** Who come in by the join code; null for any number. */
  most_entries?: number | null;
  /** By number, from table 1. */
  table_labels?: Array<TableLabelRequest>;
  /** Players enter without the code until it starts; a full event has a waiting list. */
  sign_up_ahead?: boolean;
  /** When sign-up ahead closes. */
  sign_up_closes_at?: string | null;
  /** With sign-up ahead: players are `registered` until they are here. */
  check_in?: boolean;
  /** Without an offset it is what the club's clocks show. */
  starts_at?: string;
  /** When it ends. */
  ends_at?: string | null;
  /** How far it has come. */
  status?: EventStatusEnum;
  /** Why, in a sentence. */
  reason?: string;
  /** The answer for all entries that are unproven: needed to finish. */
  unproven?: AnswerEnum;
}

/** A change of a member. */
export interface PatchedMemberPatchRequest {
  /** What they may do in the club. */
  role?: RoleEnum;
}

/** The name on a result. */
export interface PatchedNameInputRequest {
  /** The name, as people read it. */
  name?: string;
}

/** A player's name. */
export interface PatchedPlayerInputRequest {
  /** The name, as people read it. */
  name?: string;
}

/** A change of a round: its status, more time, or who sits where. */
export interface PatchedRoundPatchRequest {
  /** How far it has come. */
  status?: RoundStatusEnum;
  /** Why, in a sentence. */
  reason?: string;
  /** Minutes. */
  extend?: number;
  /** Stop the clock, or let it go on. */
  clock?: ClockEnum;
  /** The tables, or how many were played. */
  tables?: Array<TableSeatsRequest>;
}

/** A season to create or change. */
export interface PatchedSeasonInputRequest {
  /** The name, as people read it. */
  name?: string;
  /** How many results of a player count. */
  best_of?: number;
  /** What decides between players level on points, in order. */
  tiebreaks?: Array<SeasonTieBreakEnum>;
  /** The first day. */
  starts_on?: string | null;
  /** The last day. */
  ends_on?: string | null;
}

/** A change of a table. */
export interface PatchedTablePatchRequest {
  /** Entries as they really sat. */
  seats?: Array<string>;
  /** How far it has come. */
  status?: TablePatchStatusEnum;
  /** Minutes for this table alone. */
  extend?: number;
  /** What the club calls the table. */
  label?: string;
  /** The room the table is in. */
  room?: string;
  /** Why, in a sentence. */
  reason?: string;
}

/** A change of a webhook. */
export interface PatchedWebhookPatchRequest {
  /** A public https address. */
  url?: string;
  /** What it is told of. */
  types?: Array<TypesEnum>;
  /** Of the words to a channel. */
  language?: LanguageEnum;
  /** Whether it is switched on. */
  active?: boolean;
}

/** Points to take off an entry. */
export interface PenaltyInputRequest {
  /** The entry, or its id. */
  entry: string;
  /** Above 0, in the unit of the event's own points and in steps of 0.025. */
  points: string;
  /** Why, in a sentence. */
  reason: string;
  /** The round it is for. */
  round?: number | null;
}

/** Points taken off an entry. */
export interface PenaltyOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The entry, or its id. */
  entry: string;
  /** The player, or their id. */
  player: PersonOutput;
  /** What a table gives: a share of opponents beaten, points per place, or the game's own score. */
  points: string;
  /** The number of the round. */
  round: number | null;
  /** Why, in a sentence. */
  reason: string;
  /** When it was made. */
  created_at: string;
  /** Since then it counts nothing. */
  taken_back_at: string | null;
}

/** A player under the name they have in the event. */
export interface PersonOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The name, as people read it. */
  name: string;
}

/** A place given by hand. */
export interface PlaceInputRequest {
  /** The player, or their id. */
  player: string;
  /** The place, from 1; equals share one. */
  rank: number;
  /** The game's own score; null where players were ranked by hand. */
  score?: number | null;
}

/** How often a place was reached. */
export interface PlacesOutput {
  /** The place, from 1; equals share one. */
  rank: number;
  /** The tables, or how many were played. */
  tables: number;
}

/** The place of a seat. */
export interface PlacingOutput {
  /** The label of the seat: the id of its player. */
  seat: string;
  /** The place, from 1; equals share one. */
  rank: number;
  /** None where an organiser ranked the players by hand, without scores. */
  score: number | null;
  /** Decides the rank, higher first. */
  key: Array<number>;
}

/** A round of a rotation's plan. */
export interface PlannedRound {
  /** Its number, from 1. */
  number: number;
  /** That of the round; `planned` where it is still to come. */
  status: string;
  /** The tables, or how many were played. */
  tables: Array<PlannedTable>;
  /** Those who do not play in this round because the numbers force it. */
  sitting_out: Array<PersonOutput>;
}

/** A table of a rotation's plan. */
export interface PlannedTable {
  /** Its number, from 1. */
  number: number;
  /** The players, or their ids. */
  players: Array<PersonOutput>;
}

/** A club that knows a player. */
export interface PlayerClubOutput {
  /** Its part of an address. */
  slug: string;
  /** The name, as people read it. */
  name: string;
}

/** A player's name. */
export interface PlayerInputRequest {
  /** The name, as people read it. */
  name: string;
}

/** A player. */
export interface PlayerOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The name, as people read it. */
  name: string;
}

export type PointsEnum = "placement" | "podium" | "score";

/** How somebody fares from a seat. */
export interface PositionOutput {
  /** The seat at the table, from 1. */
  position: number;
  /** The tables, or how many were played. */
  tables: number;
  /** Tables won. */
  wins: number;
}

/** What a decision would change. */
export interface PreviewOutput {
  /** The places, best first; null where the sheet is not legal. */
  standings: Array<RankMove>;
  /** The id of the season, or its name in a file. */
  season: Array<RankMove>;
  /** Who plays in the final, before and after. */
  cut: CutMove;
  /** The ratings, one per game; or those that would change. */
  ratings: Array<RatingMove>;
  /** Rounds that were seated by standings that may have changed; they stay. */
  rounds_seated_after: Array<number>;
}

/** Something to win. */
export interface Prize {
  /** What it is for. */
  kind: PrizeKindEnum;
  /** `place`: which one. */
  place?: number | null;
  /** What there is to win. */
  name: string;
  /** `free`: the entry it is given to. */
  entry?: string | null;
}

export type PrizeKindEnum = "place" | "best_sheet" | "best_newcomer" | "free";

/** Something to win. */
export interface PrizeRequest {
  /** What it is for. */
  kind: PrizeKindEnum;
  /** `place`: which one. */
  place?: number | null;
  /** What there is to win. */
  name: string;
  /** `free`: the entry it is given to. */
  entry?: string | null;
}

/** Why a line cannot be imported. */
export interface ProblemLineOutput {
  /** From 1. */
  line: number;
  /** What it is, stable and in kebab-case; or a code that people type. */
  code: string;
  /** What is wrong, for people, in the language of the request. */
  message: string;
}

/** An error, after RFC 9457. */
export interface ProblemOutput {
  /** Which kind it is. */
  type: string;
  /** The status in words. */
  title: string;
  /** How far it has come. */
  status: number;
  /** What is wrong and what to do, for people. */
  detail: string;
  /** Stable, kebab-case. */
  code: string;
  /** To find this answer in the logs. */
  request_id: string;
  /** Everything that is wrong, each with its path. */
  errors?: Array<FindingOutput>;
}

/** What everybody may know of a player. */
export interface ProfileOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The name, as people read it. */
  name: string;
  /** The clubs, by name. */
  clubs: Array<PlayerClubOutput>;
  /** The record of the same person to use instead. */
  merged_into: string | null;
  /** Whether the name was forgotten on request. */
  anonymous: boolean;
  /** The slug of the home club, where the caller may know of it. */
  home: string | null;
}

/** What proves that the caller is the player, besides their credential. */
export interface ProofInputRequest {
  /** An `lse_…` of the player, or a code from a phone that holds one. */
  proof?: string;
}

/** The browsers of an entry that are told, and how another one subscribes. */
export interface PushOutput {
  /** The `applicationServerKey`, base64url; empty where the service sends no messages. */
  public_key: string;
  /** The browsers that are told, oldest first. */
  subscriptions: Array<SubscriptionOutput>;
}

/** What a seating costs. */
export interface QualityOutput {
  /** Pairs that met before. */
  repeats: number;
  /** No seating has fewer. */
  repeats_bound: number;
  /** Differences of points within tables, in 840ths. */
  spread: number;
  /** No tables of these sizes have less. */
  spread_bound: number;
  /** How unevenly players have had the seats; 0 is even. */
  positions: number;
  /** Pairs at one table who should not meet; for readers outside of the club always 0. */
  apart_broken: number;
}

/** Somebody whose rank would change; none where they are not ranked. */
export interface RankMove {
  /** The player, or their id. */
  player: PersonOutput;
  /** The place before; null where they are not ranked. */
  rank_before: number | null;
  /** The place afterwards; null where they are not ranked. */
  rank_after: number | null;
}

/** What everybody may know of a player, with their ratings. */
export interface RatedProfileOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The name, as people read it. */
  name: string;
  /** The clubs, by name. */
  clubs: Array<PlayerClubOutput>;
  /** The record of the same person to use instead. */
  merged_into: string | null;
  /** Whether the name was forgotten on request. */
  anonymous: boolean;
  /** The slug of the home club, where the caller may know of it. */
  home: string | null;
  /** The ratings, one per game; or those that would change. */
  ratings: Array<RatingOutput>;
}

/** Somebody whose rating would change; none where they have none. */
export interface RatingMove {
  /** The player, or their id. */
  player: PersonOutput;
  /** The value before. */
  before: number | null;
  /** The value afterwards. */
  after: number | null;
}

/** A rating in a game. */
export interface RatingOutput {
  /** The slug of the game. */
  game: string;
  /** Whose own game it is; null for ours. */
  club: string | null;
  /** The rating, with three decimals. */
  rating: number;
  /** Whether too few tables were played for a firm rating. */
  provisional: boolean;
  /** The tables, or how many were played. */
  tables: number;
  /** When they last played a rated table. */
  last_played: string;
}

/** What put a place behind the one above, as a code; the facts that come with it depend on the code. */
export interface ReasonOutput {
  /** `points`, `tie-break`, `shared`, …. */
  code: string;
  /** The tie-break that decided. */
  key?: string;
  /** The value of the place above. */
  above?: string | null;
  /** The value of this place. */
  own?: string | null;
  /** How many tables it takes to be ranked. */
  least?: number;
}

/** Why, in a sentence. */
export interface ReasonRequest {
  /** Why, in a sentence. */
  reason?: string;
}

/** A game as it was played, move by move. */
export interface RecordInputRequest {
  /** The slug of the game. */
  game: string;
  /** The slug of the variant. */
  variant: string;
  /** The seats, in order; or how many there may be. */
  seats: Array<string>;
  /** What was set before the game, where it is not the default. */
  options?: Record<string, unknown>;
  /** Moves as the rules of the game write them, in order. */
  moves: Array<string>;
}

/** A record that replays. */
export interface RecordOutput {
  /** The slug of the game. */
  game: string;
  /** The slug of the variant. */
  variant: string;
  /** The seats, in order; or how many there may be. */
  seats: Array<string>;
  /** What was set before the game, where it is not the default. */
  options?: Record<string, unknown>;
  /** Moves as the rules of the game write them, in order. */
  moves: Array<string>;
}

/** A sheet that was not taken, and why; its table is dropped where it counted. */
export interface RefusedOutput {
  /** Stable, kebab-case. */
  code: string;
  /** Field names and indices from 0. */
  path: Array<unknown>;
  /** For people, in the language of the request. */
  message: string;
  /** What the rules say of it. */
  errors: Array<FindingOutput>;
}

/** The result of a table. */
export interface ReportInputRequest {
  /** As the game's JSON Schema has it; labels are the ids of the players. */
  report: Sheet;
  /** Who speaks, for a table's slip: a player, an entry or a position. */
  seat?: string;
  /** When it was played, for a sheet sent late: from a day before the event starts, or from when it was made if that was earlier, until now. */
  played_at?: string;
}

/** A legal result as somebody reported it. */
export interface ReportOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The id of the table. */
  table: string;
  /** Rises with every change. */
  version: number;
  /** How far it has come. */
  status: ReportStatusEnum;
  /** None where an organiser ranked the players by hand. */
  report: Sheet | null;
  /** What the rules say of it. */
  verdict: VerdictOutput;
  /** The seats that agreed. */
  confirmations: Array<VoiceOutput>;
  /** The seats that objected, with their reasons. */
  disputes: Array<ObjectionOutput>;
  /** Who sent it; none for the club. */
  player: PersonOutput | null;
  /** The kind of caller who sent it. */
  author: string;
  /** Ids of the players who gave up: they take the last places. */
  forfeits: Array<string>;
  /** Why somebody should look at it. */
  flags: Array<unknown>;
  /** Why, in a sentence. */
  reason: string;
  /** When the table was played. */
  played_at: string | null;
  /** When it was made. */
  created_at: string;
}

export type ReportStatusEnum = "pending" | "final" | "disputed" | "replaced" | "withdrawn";

/** The reports of a table, newest first, and where two of them part. */
export interface ReportsOutput {
  /** The rows of this page. */
  results: Array<ReportOutput>;
  /** The first entry in which two sheets differ; null where none do. */
  difference: DifferenceOutput | null;
}

/** A seat's place at a table that counts. */
export interface ResultOutput {
  /** The number of the round. */
  round: number;
  /** The id of the table. */
  table: string;
  /** The number of the table in its round. */
  table_number: number;
  /** The seat at the table, from 1. */
  position: number;
  /** The player, or their id. */
  player: PersonOutput;
  /** The place, from 1; equals share one. */
  rank: number;
  /** The game's own score; null where players were ranked by hand. */
  score: number | null;
  /** Whether they gave up. */
  forfeit: boolean;
  /** The sheet, or the id of the report. */
  report: string;
  /** When the table was played. */
  played_at: string;
}

/** All counted places of an event. */
export interface ResultsOutput {
  /** The id of the event, or the event. */
  event: string;
  /** Rises with every change. */
  version: number;
  /** True where the standings are hidden for now, and so the results. */
  hidden: boolean;
  /** All places, best first. */
  rows: Array<ResultOutput>;
}

export type RoleEnum = "owner" | "organiser" | "scorekeeper";

export interface Root {
  /** The games there are. */
  games: string;
  /** The clubs, by name. */
  clubs: string;
  /** The events, or how many of them. */
  events: string;
  /** Who the caller is. */
  me: string;
  /** Where this description is, or the JSON Schema of a report. */
  schema: string;
  /** The page to try calls on. */
  docs: string;
}

/** A round with its tables. */
export interface RoundOutput {
  /** Its number, from 1. */
  number: number;
  /** Which kind it is. */
  kind: string;
  /** Of the final, from 1; 0 before it. */
  stage: number;
  /** Who plays in the final, before and after. */
  cut: CutOutput;
  /** How far it has come. */
  status: string;
  /** Seats the same round again. */
  seed: number;
  /** What the seating costs. */
  quality: QualityOutput;
  /** When the round began. */
  started_at: string | null;
  /** How long the round lasts; null for as long as it takes. */
  minutes: number | null;
  /** Minutes that were added to the round. */
  extra_minutes: number;
  /** Since when the clock is stopped. */
  paused_at: string | null;
  /** When the time is up; as of the pause while the clock is stopped. */
  ends_at: string | null;
  /** Rises with every change. */
  version: number;
  /** The tables, or how many were played. */
  tables: Array<TableOutput>;
  /** Those who do not play in this round because the numbers force it. */
  sitting_out: Array<PersonOutput>;
}

/** What a round brought. */
export interface RoundPlacingOutput {
  /** The number of the round. */
  round: number;
  /** In the standings after this round. */
  rank: number;
  /** With three decimals; null where there were none to win. */
  points: string | null;
  /** At the table; null without a result. */
  place: number | null;
  /** How many sat at that table. */
  seats: number | null;
}

export type RoundStatusEnum = "draft" | "seated" | "running" | "closed" | "cancelled";

/** What became of one row: an entry or a problem. */
export interface RowOutput {
  /** From 0 in a list, the line from 1 in a file. */
  row: number;
  /** The entry, or its id. */
  entry: EntryWithToken | null;
  /** What is wrong; null or false where nothing is. */
  problem: RowProblem | null;
}

/** Why somebody could not be entered. */
export interface RowProblem {
  /** As of the problem that the same call for one would be answered with. */
  code: string;
  /** What is wrong and what to do, for people. */
  detail: string;
  /** A name that is free. */
  suggestion?: string;
  /** Whom the row named by their id. */
  player?: string;
}

export type SaysEnum = "confirm" | "dispute";

export type ScopeEnum = "read" | "results" | "events" | "people" | "write";

/** How a season came about. */
export interface SeasonCourseOutput {
  /** The id of the season, or its name in a file. */
  season: string;
  /** Rises with every change. */
  version: number;
  /** False while a computation is pending. */
  up_to_date: boolean;
  /** In order of time. */
  events: Array<SeasonEventOutput>;
  /** All places, best first. */
  rows: Array<SeasonLineOutput>;
}

/** An event that counts in a season. */
export interface SeasonEventOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The name, as people read it. */
  name: string;
  /** When it starts. */
  starts_at: string;
}

/** A season to create or change. */
export interface SeasonInput {
  /** The name, as people read it. */
  name: string;
  /** How many results of a player count. */
  best_of?: number;
  /** What decides between players level on points, in order. */
  tiebreaks?: Array<SeasonTieBreakEnum>;
  /** The first day. */
  starts_on?: string | null;
  /** The last day. */
  ends_on?: string | null;
}

/** A season to create or change. */
export interface SeasonInputRequest {
  /** The name, as people read it. */
  name: string;
  /** How many results of a player count. */
  best_of?: number;
  /** What decides between players level on points, in order. */
  tiebreaks?: Array<SeasonTieBreakEnum>;
  /** The first day. */
  starts_on?: string | null;
  /** The last day. */
  ends_on?: string | null;
}

/** A player's way through a season. */
export interface SeasonLineOutput {
  /** The place, from 1; equals share one. */
  rank: number;
  /** The player, or their id. */
  player: PersonOutput;
  /** After each event, from the player's first on. */
  steps: Array<SeasonStepOutput>;
}

/** A season. */
export interface SeasonOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The slug of the club. */
  club: string;
  /** The name, as people read it. */
  name: string;
  /** How many results of a player count. */
  best_of: number;
  /** What decides between players level on points, in order. */
  tiebreaks: Array<string>;
  /** The first day. */
  starts_on: string | null;
  /** The last day. */
  ends_on: string | null;
}

/** A place in a season. */
export interface SeasonPlaceOutput {
  /** The place, from 1; equals share one. */
  rank: number;
  /** The player, or their id. */
  player: PersonOutput;
  /** With three decimals. */
  points: string;
  /** The events, or how many of them. */
  events: number;
  /** The rows of this page. */
  results: Array<SeasonResultOutput>;
  /** What put this place behind the one above, for programs. */
  reason: ReasonOutput;
  /** What put this place behind the one above, in a sentence. */
  explanation: string;
}

/** What an event gives a player in a season. */
export interface SeasonResultOutput {
  /** The id of the event, or the event. */
  event: string;
  /** The place, from 1; equals share one. */
  rank: number;
  /** How many played in it. */
  entrants: number;
  /** In thousandths. */
  points: number;
  /** It is among the player's best. */
  is_counted: boolean;
}

/** Where a player stood after an event of a season. */
export interface SeasonStepOutput {
  /** The id of the event, or the event. */
  event: string;
  /** The line of the table: players who share a rank have one each. */
  place: number;
  /** The place, from 1; equals share one. */
  rank: number;
  /** The best results until then, with three decimals. */
  points: string;
}

/** The table of a season. */
export interface SeasonTableOutput {
  /** The id of the season, or its name in a file. */
  season: string;
  /** Rises with every change. */
  version: number;
  /** False while a computation is pending. */
  up_to_date: boolean;
  /** All places, best first. */
  rows: Array<SeasonPlaceOutput>;
}

export type SeasonTieBreakEnum = "wins" | "best_event" | "events" | "last_event";

/** A player at a table. */
export interface SeatOutput {
  /** The seat at the table, from 1. */
  position: number;
  /** The entry, or its id. */
  entry: string;
  /** The player, or their id. */
  player: PersonOutput;
}

/** How many seats a variant has. */
export interface SeatsOutput {
  /** The fewest. */
  min: number;
  /** The most. */
  max: number;
}

/** Where one is logged in with a browser. */
export interface SessionOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** What it calls itself; empty where that says nothing. */
  browser: string;
  /** When it was made. */
  created_at: string;
  /** To five minutes. */
  last_seen_at: string;
  /** Say whether the request came from this session. */
  is_this_one: boolean;
}

/** The draft with what you wrote, and what has to be asked: save the answer as another change. */
export interface SharedDraftOutput {
  /** The id of the table. */
  table: string;
  /** Rises with every change. */
  version: number;
  /** The sheet as its game has it; null where players were ranked by hand. */
  sheet: Record<string, unknown>;
  /** The entry whose phone it was, or the kind of caller. */
  author: string | null;
  /** When it last changed. */
  updated_at: string | null;
  /** The first 50 fields that somebody else wrote differently since `base`. */
  clashes: Array<ClashOutput>;
  /** How many such fields there are. */
  clash_count: number;
}

export type Sheet = SheetOfGame | SheetOther;

/** A finished game of Dice Run. */
export interface SheetDiceRun {
  /** The slug of the game. */
  game: "dice-run";
  /** The slug of the variant. */
  variant: "standard";
  /** The players clockwise. */
  seats: Array<string>;
  /** The four stages in order. */
  stages: Array<SheetDiceRunStage>;
  /** The totals as they were added up at the table, by seat. */
  points?: Record<string, number>;
  /** The letters of the five colours of the dice. */
  colours?: string;
}

/** One stage of the race. */
export interface SheetDiceRunStage {
  /** Who came first, second and third. */
  podium: Array<string>;
  /** Who made the stage card appear. */
  revealer?: string;
  /** The objective card each player scored with, by seat. */
  objectives?: Record<string, string>;
  /** The dice of each group, front group first, Gaps left out. */
  groups?: Array<string>;
}

/** A sheet of dix. */
export interface SheetDix {
  /** The slug of the game. */
  game: "dix";
}

/** For every claimed run its cards, from the first number to the last. */
export interface SheetDixFillsShape {
  /** Cards such as b1 b2 3* b4. */
  blue?: string;
  /** As blue. */
  green?: string;
  /** As blue. */
  orange?: string;
  /** As blue. */
  pink?: string;
}

/** What one player has at the end. */
export interface SheetDixHandShape {
  /** The run scored in each colour. */
  runs: SheetDixRunsShape;
  /** Coins left after the last purchases, at most 10; needed for a shared first place. */
  coins?: number;
  /** Number of tokens, not their worth; needed for a shared first place. */
  consolation?: number;
  /** Number cards and jokers, used in runs or not; needed for a first place shared with equal money. */
  card_count?: number;
  /** The player's own addition. */
  points?: number;
  /** Every card held, in any order: b7 a blue 7; 7*, b# and *# the three kinds of joker. */
  cards?: string;
  /** Which cards fill the runs. */
  fills?: SheetDixFillsShape;
}

/** A run per colour; null or nothing where there is none. */
export interface SheetDixRunsShape {
  /** First and last number (1-6), or one number, or null. */
  blue?: string | null;
  /** As blue. */
  green?: string | null;
  /** As blue. */
  orange?: string | null;
  /** As blue. */
  pink?: string | null;
}

/** The report of a player against ALIX, who has the second seat. */
export interface SheetDixSoloReport {
  /** The slug of the game. */
  game: "dix";
  /** Labels of the players, clockwise. */
  seats: Array<string>;
  /** The hand of each seat. */
  hands: Record<string, SheetDixHandShape>;
  /** The slug of the variant. */
  variant: "solo";
  /** 4 to 10. */
  difficulty: number;
}

/** The report of two to five players. */
export interface SheetDixTableReport {
  /** The slug of the game. */
  game: "dix";
  /** Labels of the players, clockwise. */
  seats: Array<string>;
  /** The hand of each seat. */
  hands: Record<string, SheetDixHandShape>;
  /** The slug of the variant. */
  variant: "standard" | "bust-buy";
}

export type SheetOfGame = SheetTenPhases | SheetSixmix | SheetDix | SheetDiceRun;

/** A sheet of a club's own game. */
export interface SheetOther {
  /** As `custom:harbour`. */
  game: string;
}

/** A result worth remembering. */
export interface SheetOutput {
  /** The id of the table. */
  table: string;
  /** The id of the event, or the event. */
  event: string;
  /** The name of the event. */
  event_name: string;
  /** The game's own score; null where players were ranked by hand. */
  score: number;
  /** The place, from 1; equals share one. */
  rank: number;
  /** When the table was played. */
  played_at: string;
}

/** A sheet of sixmix. */
export interface SheetSixmix {
  /** The slug of the game. */
  game: "sixmix";
}

/** A game of three to five players with one colour each. */
export interface SheetSixmixStandardReport {
  /** The slug of the game. */
  game: "sixmix";
  /** The slug of the variant. */
  variant: "standard";
  /** The players clockwise; any of them may have started. */
  seats: Array<string>;
  /** The rounds in order. */
  rounds: Array<SheetSixmixStandardRound>;
  /** The colour of each seat, one letter of gdrol; needed with dice. */
  colours?: Record<string, string>;
  /** All seats from the youngest to the oldest player. */
  youngest_first?: Array<string>;
  /** By seat the digit in the hundred-thousand square after the last round (of two, the larger); needed from seats that share the highest total when the last round has no rows. */
  lead?: Record<string, number>;
  /** Blue and yellow tokens in front of each seat at the end: 2b1y is 11 points. */
  held?: Record<string, string>;
}

/** A round with one row per seat. */
export interface SheetSixmixStandardRound {
  /** Tokens taken in this round, by seat. */
  tokens: Record<string, number>;
  /** The row of each seat: six digits from 1 to 6. */
  rows?: Record<string, string>;
  /** The colours of the dice in the row of each seat: six letters of gdrol. */
  dice?: Record<string, string>;
  /** The seat that began the round. */
  starter?: string;
}

/** A game of two players with two colours each. */
export interface SheetSixmixTwoPlayerReport {
  /** The slug of the game. */
  game: "sixmix";
  /** The slug of the variant. */
  variant: "two-player";
  /** The players clockwise; any of them may have started. */
  seats: Array<string>;
  /** The rounds in order. */
  rounds: Array<SheetSixmixTwoPlayerRound>;
  /** The colours of each seat's first and second row, two letters of gdrol; needed with dice. */
  colours?: Record<string, string>;
  /** All seats from the youngest to the oldest player. */
  youngest_first?: Array<string>;
  /** By seat the digit in the hundred-thousand square after the last round (of two, the larger); needed from seats that share the highest total when the last round has no rows. */
  lead?: Record<string, number>;
  /** Blue and yellow tokens in front of each seat at the end: 2b1y is 11 points. */
  held?: Record<string, string>;
}

/** A round with two rows per seat. */
export interface SheetSixmixTwoPlayerRound {
  /** Tokens taken in this round, by seat. */
  tokens: Record<string, number>;
  /** Both rows of each seat, in the order of the seat's colours, a space between. */
  rows?: Record<string, string>;
  /** The colours of the dice in both rows of each seat, a space between. */
  dice?: Record<string, string>;
  /** The seat that began the round. */
  starter?: string;
}

/** A sheet of ten-phases. */
export interface SheetTenPhases {
  /** The slug of the game. */
  game: "ten-phases";
}

/** The column of somebody who plays alone. */
export interface SheetTenPhasesSoloColumn {
  /** Points of the completed phases, from phase 1 on, without gaps. */
  phases: Array<number>;
  /** Bonus after phase 5. */
  bonus5: 0 | 40;
  /** Bonus after phase 10. */
  bonus10: 0 | 40;
  /** Grand total. */
  total: number;
  /** Per completed phase the dice it was made of, or null if they were not noted. */
  dice?: Array<string | null>;
  /** Per completed phase the unsuccessful attempts before it. */
  misses: Array<number>;
}

/** A finished game of one player. */
export interface SheetTenPhasesSoloReport {
  /** The game. */
  game: "ten-phases";
  /** The variant. */
  variant: "solo";
  /** The player. */
  seats: Array<string>;
  /** The column of the player, by the label of the seat. */
  block: Record<string, SheetTenPhasesSoloColumn>;
}

/** A column of the standard game. */
export interface SheetTenPhasesStandardColumn {
  /** Points of the completed phases, from phase 1 on, without gaps. */
  phases: Array<number>;
  /** Bonus after phase 5. */
  bonus5: 0 | 40;
  /** Bonus after phase 10. */
  bonus10: 0 | 40;
  /** Grand total. */
  total: number;
  /** Per completed phase the dice it was made of, or null if they were not noted. */
  dice?: Array<string | null>;
  /** Per completed phase the round it was written in; for all players with a phase or for none. */
  turns?: Array<number>;
}

/** A finished game of two to eight players. */
export interface SheetTenPhasesStandardReport {
  /** The game. */
  game: "ten-phases";
  /** The variant. */
  variant: "standard";
  /** The players clockwise, the scorekeeper first. */
  seats: Array<string>;
  /** The column of each seat, by its label. */
  block: Record<string, SheetTenPhasesStandardColumn>;
}

/** A game of one person, as they see it. */
export interface SoloOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The slug of the game. */
  game: string;
  /** The slug of the variant. */
  variant: string;
  /** What was set before the game, where it is not the default. */
  options: Record<string, unknown>;
  /** The seats, in order; or how many there may be. */
  seats: Array<string>;
  /** The house player of the other seats; empty where there is none. */
  house: string;
  /** How far it has come. */
  status: SoloStatusEnum;
  /** The challenge of a day that it is played for; null for any other game. */
  challenge: ChallengeOutput | null;
  /** The name, as people read it. */
  name: string;
  /** How often a move was taken back, in practice. */
  taken_back: number;
  /** The game's own score; null where players were ranked by hand. */
  score: number | null;
  /** None where nobody plays against them. */
  is_won: boolean | null;
  /** What every throw and card followed from, once it is over. */
  seed: string | null;
  /** The seat at the table, from 1. */
  position: MomentOutput;
  /** What happened since the last move of the person. */
  since: Array<ToldOutput>;
}

export type SoloStatusEnum = "playing" | "over";

/** A place. */
export interface StandingOutput {
  /** The place, from 1; equals share one. */
  rank: number;
  /** The player, or their id. */
  player: PersonOutput;
  /** The entry, or its id. */
  entry: string;
  /** How far it has come. */
  status: string;
  /** With three decimals. */
  points: string;
  /** The tables, or how many were played. */
  tables: number;
  /** What decides between players level on points, in order. */
  tiebreaks: Array<TieBreakOutput>;
  /** Open play: enough tables were played. */
  is_ranked: boolean;
  /** What put this place behind the one above, for programs. */
  reason: ReasonOutput;
  /** What penalties took off the points, with three decimals. */
  penalty: string;
  /** What put this place behind the one above. */
  explanation: string;
  /** Round by round, from the player's first on; empty in open play. */
  rounds: Array<RoundPlacingOutput>;
}

/** The standings of an event. */
export interface StandingsOutput {
  /** The id of the event, or the event. */
  event: string;
  /** Rises with every change. */
  version: number;
  /** False while a computation is pending. */
  up_to_date: boolean;
  /** True where it failed and waits for the people who run the service. */
  problem: boolean;
  /** True where some or all places are hidden for now. */
  hidden: boolean;
  /** All places, best first. */
  rows: Array<StandingOutput>;
}

export type StandingsShownEnum = "always" | "top" | "later";

/** What to play. */
export interface StartInputRequest {
  /** The slug of the game. */
  game: string;
  /** The slug of the variant. */
  variant?: string;
  /** With you; the others are the house. */
  players?: number;
  /** How the house plays. */
  house?: string;
  /** Of DIX alone: `difficulty` 4 to 10, `bust_buy`. */
  options?: Record<string, unknown>;
  /** Give up the unfinished game of this kind. */
  again?: boolean;
  /** Play the challenge of the day. */
  challenge?: boolean;
  /** The club whose challenge it is. */
  club?: string;
  /** For the board. */
  name?: string;
}

/** A game that was begun, and the secret that it is played with. */
export interface StartedOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The slug of the game. */
  game: string;
  /** The slug of the variant. */
  variant: string;
  /** What was set before the game, where it is not the default. */
  options: Record<string, unknown>;
  /** The seats, in order; or how many there may be. */
  seats: Array<string>;
  /** The house player of the other seats; empty where there is none. */
  house: string;
  /** How far it has come. */
  status: SoloStatusEnum;
  /** The challenge of a day that it is played for; null for any other game. */
  challenge: ChallengeOutput | null;
  /** The name, as people read it. */
  name: string;
  /** How often a move was taken back, in practice. */
  taken_back: number;
  /** The game's own score; null where players were ranked by hand. */
  score: number | null;
  /** None where nobody plays against them. */
  is_won: boolean | null;
  /** What every throw and card followed from, once it is over. */
  seed: string | null;
  /** The seat at the table, from 1. */
  position: MomentOutput;
  /** What happened since the last move of the person. */
  since: Array<ToldOutput>;
  /** Return the secret of whoever plays, for whoever plays. */
  token: string;
}

/** What somebody has done in a game. */
export interface StatisticsOutput {
  /** The tables, or how many were played. */
  tables: number;
  /** Tables won. */
  wins: number;
  /** The places at the table, best first; or how often each was reached. */
  places: Array<PlacesOutput>;
  /** How they fare from each seat. */
  positions: Array<PositionOutput>;
  /** Those met most often. */
  opponents: Array<OpponentOutput>;
  /** The best results, best first. */
  best_sheets: Array<SheetOutput>;
}

/** A record, and after how many of its moves to look; without a number at its end. */
export interface StepInputRequest {
  /** A game as a list of moves. */
  record: unknown;
  /** When it happened. */
  at?: number;
}

/** A moment of a record. */
export interface StepOutput {
  /** How many moves were made. */
  number: number;
  /** Whose move it is; none for chance. */
  actor: string | null;
  /** Whether the game is finished. */
  is_over: boolean;
  /** What lies on the table, as the game has it. */
  table: Record<string, unknown>;
  /** What is possible now. */
  legal: LegalOutput;
  /** How many moves the record has. */
  of: number;
  /** The move that led here. */
  last: ToldOutput | null;
}

/** One message of a stream. */
export interface StreamMessage {
  /** What `Last-Event-ID` says to hear of what came after it. */
  id: string;
  /** Its kind. */
  event: EventEnum;
  /** JSON with `event`, `version` and `what`: names out of event, entries, round, tables and standings. */
  data: string;
}

/** What a browser that subscribed for `public_key` gives in `PushSubscription.toJSON()`. */
export interface SubscriptionInputRequest {
  /** Where the browser's push service takes messages. */
  endpoint: string;
  /** What messages to the browser are encrypted for. */
  keys: BrowserKeysRequest;
}

/** A browser that is told. */
export interface SubscriptionOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The push service; the rest of the address is not shown. */
  host: string;
  /** In which it is told: that of the request which subscribed it. */
  language: string;
  /** When it was made. */
  created_at: string;
}

/** A player to enter: by a new name, or as a player whom the club knows. */
export interface SubstituteInputRequest {
  /** The name, as people read it. */
  name?: string;
  /** The player, or their id. */
  player?: string;
}

export type SwitchedOffEnum = "failing" | "gone";

/** The code of a table that is being formed. */
export interface TableCodeRequest {
  /** What it is, stable and in kebab-case; or a code that people type. */
  code: string;
}

/** A table that is formed in open play. */
export interface TableInputRequest {
  /** For the club: ids of entries, in seat order. */
  entries?: Array<string>;
}

/** What a club calls one of its tables, and where it stands. */
export interface TableLabel {
  /** What the club calls the table. */
  label?: string;
  /** The room the table is in. */
  room?: string;
}

/** What a club calls one of its tables, and where it stands. */
export interface TableLabelRequest {
  /** What the club calls the table. */
  label?: string;
  /** The room the table is in. */
  room?: string;
}

/** A table with its seats in order. */
export interface TableOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The id of the event, or the event. */
  event: string;
  /** The number of the round. */
  round: number;
  /** Its number, from 1. */
  number: number;
  /** How far it has come. */
  status: string;
  /** The slug of the variant. */
  variant: string;
  /** What the club calls the table; may be empty. */
  label: string;
  /** The room the table is in. */
  room: string;
  /** Beyond those of the round. */
  extra_minutes: number;
  /** Rises with every change. */
  version: number;
  /** The seats, in order; or how many there may be. */
  seats: Array<SeatOutput>;
  /** For organisers only: the secret on the table's slip. */
  token?: string;
  /** Open play, for the table's players: others sit down with it. */
  code?: string;
}

export type TablePatchStatusEnum = "playing" | "dropped";

/** A table and who is to sit at it, in order. */
export interface TableSeatsRequest {
  /** Its id, for the addresses of the API. */
  id: string;
  /** Ids of entries. */
  seats: Array<string>;
}

/** How many sit at a table. */
export interface TableSize {
  /** The fewest. */
  min: number;
  /** The most. */
  max: number;
  /** How many sit at a table where the numbers allow it. */
  preferred?: number;
}

/** How many sit at a table. */
export interface TableSizeRequest {
  /** The fewest. */
  min: number;
  /** The most. */
  max: number;
  /** How many sit at a table where the numbers allow it. */
  preferred?: number;
}

export type TableStatusEnum = "seated" | "playing" | "reported" | "disputed" | "final" | "dropped";

/** How much was taken from a file. */
export interface TakenCounts {
  /** The people, or how many of them. */
  people: number;
  /** The entries, or their ids. */
  entries: number;
  /** The rounds, or how many are planned. */
  rounds: number;
  /** The tables, or how many were played. */
  tables: number;
  /** The reports, oldest first; or how many of them. */
  reports: number;
}

/** One of the club's own games in a file. */
export interface TakenGameOutput {
  /** What it is called in the file. */
  game: string;
  /** What it is called here: another name where the club has such a game. */
  taken_as: string;
  /** The version it is here. */
  version: number;
}

/** What became of a file. */
export interface TakenOutput {
  /** The event it is here. */
  event: string;
  /** All nought where the club has the event already. */
  taken: TakenCounts;
  /** What was not taken, each with its path. */
  refused: Array<RefusedOutput>;
  /** The definitions it came with. */
  games: Array<TakenGameOutput>;
}

export type TieBreakEnum = "wins" | "opponents" | "score_share" | "head_to_head" | "best_table" | "performance";

/** A value that decides between players level on points. */
export interface TieBreakOutput {
  /** The name of the value, or what decides the rank. */
  key: string;
  /** The value, with three decimals; null where there is none. */
  value: string | null;
}

export type TieRuleEnum = "tiebreaks" | "playoff" | "lots";

/** A token to make. */
export interface TokenInputRequest {
  /** Where it is used, to tell it by. */
  name: string;
}

/** A token, without its secret. */
export interface TokenOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The name, as people read it. */
  name: string;
  /** How the secret begins. */
  prefix: string;
  /** When it was made. */
  created_at: string;
  /** To the minute. */
  last_used_at: string | null;
}

/** A new token. */
export interface TokenWithSecret {
  /** Its id, for the addresses of the API. */
  id: string;
  /** The name, as people read it. */
  name: string;
  /** How the secret begins. */
  prefix: string;
  /** When it was made. */
  created_at: string;
  /** To the minute. */
  last_used_at: string | null;
  /** Shown once. */
  token: string;
}

/** A move that was made; `move` is none where the reader may not know it, `seat` where chance made it. */
export interface ToldOutput {
  /** Its number, from 1. */
  number: number;
  /** The label of the seat: the id of its player. */
  seat: string | null;
  /** A move as the rules of the game write it. */
  move: string | null;
  /** What the move does, in a sentence. */
  words: string;
}

export type TypeEnum = "result.final" | "result.corrected" | "report.submitted" | "report.disputed" | "round.seated" | "round.started" | "round.closed" | "entry.added" | "entry.changed" | "event.opened" | "event.started" | "event.finished" | "event.cancelled" | "standings.final" | "ratings.changed" | "ping";

export type TypesEnum = "result.final" | "result.corrected" | "report.submitted" | "report.disputed" | "round.seated" | "round.started" | "round.closed" | "entry.added" | "entry.changed" | "event.opened" | "event.started" | "event.finished" | "event.cancelled" | "standings.final" | "ratings.changed";

/** Which position is left: how many moves there are, and how many were taken back before. */
export interface UndoInputRequest {
  /** Its number, from 1. */
  number: number;
  /** As the game has it. */
  taken_back: number;
}

/** A way to play a game. */
export interface VariantOutput {
  /** Its part of an address. */
  slug: string;
  /** The name, as people read it. */
  name: string;
  /** The seats, in order; or how many there may be. */
  seats: SeatsOutput;
  /** One person plays, for the record. */
  solo: boolean;
}

/** A report with the verdict that every implementation of the rules must reach. */
export interface VectorOutput {
  /** Tells it from the other vectors of the game. */
  id: string;
  /** A sheet, or something that is none. */
  report: unknown;
  /** What the rules say of it. */
  verdict: VectorVerdict;
  /** Which rule it shows. */
  why: string;
}

/** What the rules say of the report of a vector. */
export interface VectorVerdict {
  /** Whether it is legal. */
  ok: boolean;
  /** Every code among the errors, once. */
  codes: Array<string>;
  /** Every code among the warnings, once. */
  warnings: Array<string>;
  /** The places, best first; null where the sheet is not legal. */
  standings: Array<PlacingOutput> | null;
}

/** The vectors of a game; there is one page. */
export interface VectorsOutput {
  /** The address of the next page; null on the last. */
  next: string | null;
  /** The address of the page before; null on the first. */
  previous: string | null;
  /** The rows of this page. */
  results: Array<VectorOutput>;
}

/** The judgement of a report. */
export interface VerdictOutput {
  /** Whether it is legal. */
  ok: boolean;
  /** Everything that is wrong, each with its path. */
  errors: Array<FindingOutput>;
  /** What is odd and still legal, each with its path. */
  warnings: Array<FindingOutput>;
  /** The places, best first; null where the sheet is not legal. */
  standings: Array<PlacingOutput> | null;
  /** A sentence per row of the standings. */
  explanations: Array<string> | null;
}

/** One of the definitions a club has given of a game. */
export interface VersionOutput {
  /** Rises with every change. */
  version: number;
  /** What the club says of the game. */
  definition: unknown;
  /** When it was made. */
  created_at: string;
}

/** A seat that agreed. */
export interface VoiceOutput {
  /** The entry, or its id. */
  entry: string;
  /** The player, or their id. */
  player: PersonOutput;
  /** When it happened. */
  at: string;
}

/** A webhook to make. */
export interface WebhookInputRequest {
  /** A public https address. */
  url: string;
  /** What it is told of. */
  types: Array<TypesEnum>;
  /** `json` for programs; a channel of `discord` or `slack` is told in words, of `round.seated` and `standings.final` alone, once each. */
  form?: FormEnum;
  /** Of the words to a channel; the caller's where none is named. */
  language?: LanguageEnum;
}

/** A webhook, without its secret. */
export interface WebhookOutput {
  /** Its id, for the addresses of the API. */
  id: string;
  /** Of a channel only the beginning: who has all of it can write there. */
  url: string;
  /** What it is told of. */
  types: Array<TypesEnum>;
  /** `json`, or the channel that is told in words. */
  form: FormEnum;
  /** Of the words to a channel. */
  language: string;
  /** Whether it is switched on. */
  active: boolean;
  /** Why the service itself switched it off. */
  switched_off: SwitchedOffEnum | BlankEnum;
  /** Since when nothing could be delivered. */
  failing_since: string | null;
  /** When it was made. */
  created_at: string;
}

/** A webhook with its new secret. */
export interface WebhookWithSecret {
  /** Its id, for the addresses of the API. */
  id: string;
  /** Of a channel only the beginning: who has all of it can write there. */
  url: string;
  /** What it is told of. */
  types: Array<TypesEnum>;
  /** `json`, or the channel that is told in words. */
  form: FormEnum;
  /** Of the words to a channel. */
  language: string;
  /** Whether it is switched on. */
  active: boolean;
  /** Why the service itself switched it off. */
  switched_off: SwitchedOffEnum | BlankEnum;
  /** Since when nothing could be delivered. */
  failing_since: string | null;
  /** When it was made. */
  created_at: string;
  /** Verifies signatures; shown once. */
  secret: string;
}

/** Somebody who won a prize. */
export interface WinnerOutput {
  /** The entry, or its id. */
  entry: string;
  /** The player, or their id. */
  player: PersonOutput;
  /** Their place; null for who is not ranked. */
  rank: number | null;
}

/** Who takes it back, for a table's slip, and why. */
export interface WithdrawInputRequest {
  /** Why, in a sentence. */
  reason?: string;
  /** The label of the seat: the id of its player. */
  seat?: string;
}

/** A method per call of the API. */
export interface Calls {
  /** List the refused sheets of a table. */
  attempts_list(given: { uid: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedAttemptOutputList>;
  /** Say that one is coming. */
  calls_answer(given: { uid: string; body?: PatchedCallPatchRequest }): Promise<CallOutput>;
  /** Answer a call. */
  calls_answer_at_table(given: { table: string; uid: string; body?: PatchedCallPatchRequest }): Promise<CallOutput>;
  /** Call the organiser to a table. */
  calls_create(given: { uid: string; body?: CallInputRequest }): Promise<CallOutput>;
  /** List the calls of a table that are not done. */
  calls_list(given: { uid: string }): Promise<Array<CallOutput>>;
  /** List the calls of an event that are not done. */
  calls_of_event(given: { uid: string }): Promise<Array<CallOutput>>;
  /** Show a challenge that is everybody's. */
  challenge_retrieve(given: { game: string; query?: { day?: string }; headers?: { "Play-Token"?: string } }): Promise<ChallengeBoardOutput>;
  /** Show the challenge of a club. */
  clubs_challenge_retrieve(given: { slug: string; game: string; query?: { day?: string }; headers?: { "Play-Token"?: string } }): Promise<ChallengeBoardOutput>;
  /** Change a club. */
  clubs_change(given: { slug: string; body?: PatchedClubPatchRequest }): Promise<ClubOutput>;
  /** Create a club where the operator lets anybody do so. */
  clubs_create(given: { body: ClubInputRequest }): Promise<ClubOutput>;
  /** Read everything of a club as one file. */
  clubs_file(given: { slug: string }): Promise<ClubFile>;
  /** Read a page of 50 of the ratings of a club's players. */
  clubs_leaderboard(given: { slug: string; game: string; query?: { active_since?: string; cursor?: string; min_tables?: number; provisional?: boolean | null; search?: string } }): Promise<BoardOutput>;
  /** Read how long a table of a game likely takes in a club. */
  clubs_length(given: { slug: string; query?: { game?: string; players?: number; variant?: string } }): Promise<LengthOutput>;
  /** List clubs by name. */
  clubs_list(given?: { query?: { cursor?: string; page_size?: number } }): Promise<PaginatedClubOutputList>;
  /** Stream the result of every table of a club that one may know of. */
  clubs_results(given: { slug: string; query?: { modified_since?: string } }): Promise<Array<MirroredResult>>;
  /** Read a club. */
  clubs_retrieve(given: { slug: string }): Promise<ClubOutput>;
  /** Accept every legal sheet that waits. */
  decisions_accept_all(given: { uid: string; body?: AcceptPendingInputRequest }): Promise<AcceptedOutput>;
  /** Decide a table. */
  decisions_create(given: { uid: string; body?: DecisionInputRequest; query?: { preview?: boolean } }): Promise<DecisionOrPreview>;
  /** Judge a definition. */
  definitions_check(given: { body: DefinitionToCheckRequest }): Promise<Record<string, unknown>>;
  /** Read the JSON Schema of a definition. */
  definitions_list(): Promise<Record<string, unknown>>;
  /** Add to the draft what changed on one phone. */
  drafts_merge(given: { uid: string; body?: PatchedDraftMergeRequest }): Promise<SharedDraftOutput>;
  /** Read the draft. */
  drafts_retrieve(given: { uid: string }): Promise<DraftOutput>;
  /** Save the draft over the version it was made from. */
  drafts_save(given: { uid: string; body: DraftInputRequest }): Promise<DraftOutput>;
  /** Enter up to 500 players at once. */
  entries_bulk(given: { uid: string; body: BulkInputRequest }): Promise<BulkOutput>;
  /** Check a player in. */
  entries_change(given: { uid: string; body?: PatchedEntryPatchRequest }): Promise<EntryOutput>;
  /** Check in all players who are registered. */
  entries_check_in(given: { uid: string; body?: CheckInInputRequest }): Promise<Array<EntryOutput>>;
  /** Enter a player. */
  entries_create(given: { uid: string; body?: EntryInputRequest }): Promise<EntryWithToken>;
  /** Enter the players of a CSV file by their names. */
  entries_import(given: { uid: string; body: EntriesCsvRequest }): Promise<BulkOutput>;
  /** Show the secret of a player's personal link again. */
  entries_link(given: { uid: string }): Promise<EntryWithToken>;
  /** Make the personal link invalid and give the player another. */
  entries_link_renew(given: { uid: string }): Promise<EntryWithToken>;
  /** List the players of an event. */
  entries_list(given: { uid: string; query?: { cursor?: string; ordering?: "-joined" | "-name" | "joined" | "name"; page_size?: number; status?: Array<"checked_in" | "dropped" | "registered" | "waiting"> } }): Promise<PaginatedEntryOutputList>;
  /** Enter everybody on a list of names. */
  entries_list_names(given: { uid: string; body: NamesInputRequest }): Promise<NamesOutput>;
  /** Take out everybody who is registered and not here. */
  entries_no_shows(given: { uid: string }): Promise<Array<EntryOutput>>;
  /** Show a code that proves the player on another phone. */
  entries_proof_code(given: { uid: string }): Promise<CodeOutput>;
  /** List the browsers that are told what is asked of the player. */
  entries_push(given: { uid: string }): Promise<PushOutput>;
  /** Read one of the browsers that are told. */
  entries_push_retrieve(given: { uid: string; phone: string }): Promise<SubscriptionOutput>;
  /** Let a browser be told from now on. */
  entries_push_subscribe(given: { uid: string; body: SubscriptionInputRequest }): Promise<SubscriptionOutput>;
  /** Tell a browser nothing more. */
  entries_push_unsubscribe(given: { uid: string; phone: string }): Promise<null>;
  /** Say that an entry is not the known player. */
  entries_reject(given: { uid: string }): Promise<EntryOutput>;
  /** Read an entry. */
  entries_retrieve(given: { uid: string }): Promise<EntryOutput>;
  /** Put another player in somebody's place from now on. */
  entries_substitute(given: { uid: string; body?: SubstituteInputRequest }): Promise<EntryWithToken>;
  /** Give an entry to the player it is of. */
  entries_take_back(given: { uid: string; body?: ProofInputRequest }): Promise<EntryWithToken>;
  /** Say that an entry really is the known player. */
  entries_vouch(given: { uid: string; body?: ProofInputRequest }): Promise<EntryOutput>;
  /** Vouch for all entries that are unproven. */
  entries_vouch_all(given: { uid: string; body?: AnswersInputRequest }): Promise<Array<EntryOutput>>;
  /** Change an event's settings. */
  events_change(given: { uid: string; body?: PatchedEventPatchRequest }): Promise<EventForOrganisers>;
  /** Create an event again. */
  events_copy(given: { uid: string; body?: CopyInputRequest }): Promise<Array<EventForOrganisers>>;
  /** Create an event as a draft. */
  events_create(given: { body: EventInputRequest }): Promise<EventForOrganisers>;
  /** Read a whole event as one file. */
  events_file(given: { uid: string }): Promise<EventFile>;
  /** List who did what in an event. */
  events_history(given: { uid: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedActionOutputList>;
  /** Give the event another join code. */
  events_join_code_renew(given: { uid: string }): Promise<EventForOrganisers>;
  /** List events. */
  events_list(given?: { query?: { club?: string; cursor?: string; game?: string; ordering?: "-name" | "-starts_at" | "name" | "starts_at"; page_size?: number; season?: string; starts_after?: string; starts_before?: string; status?: Array<"cancelled" | "draft" | "finished" | "registration" | "running"> } }): Promise<PaginatedEventOutputList>;
  /** Read an event. */
  events_retrieve(given: { uid: string }): Promise<EventAsSeen>;
  /** Take an event. */
  files_import(given: { slug: string; body?: AnyFileRequest }): Promise<AnyTaken>;
  /** Help with a position. */
  games_assist(given: { slug: string; body?: unknown }): Promise<Record<string, unknown>>;
  /** Judge a report by the rules. */
  games_check(given: { slug: string; body?: Sheet }): Promise<VerdictOutput>;
  /** List the games. */
  games_list(): Promise<GamesOutput>;
  /** Describe a game with the JSON Schemas of its report and of a position for assistance. */
  games_retrieve(given: { slug: string }): Promise<GameDetailOutput>;
  /** List reports with the verdicts that every implementation of the rules must reach. */
  games_vectors(given: { slug: string }): Promise<VectorsOutput>;
  /** Accept an invitation that was sent to the address of one's account. */
  invitations_accept(given: { body: AcceptInputRequest }): Promise<JoinedOutput>;
  /** Invite somebody by e-mail. */
  invitations_create(given: { slug: string; body: InvitationInputRequest }): Promise<InvitationWithSecret>;
  /** List the invitations that nobody accepted yet. */
  invitations_list(given: { slug: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedInvitationOutputList>;
  /** Take an invitation back. */
  invitations_revoke(given: { slug: string; uid: string }): Promise<null>;
  /** Find the event that players join with a code. */
  join(given: { code: string }): Promise<EventOutput>;
  /** Keep two players of the club apart. */
  keep_apart_create(given: { slug: string; body: KeepApartInputRequest }): Promise<KeepApartOutput>;
  /** List the pairs. */
  keep_apart_list(given: { slug: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedKeepApartOutputList>;
  /** Let two players meet again. */
  keep_apart_remove(given: { slug: string; uid: string }): Promise<null>;
  /** Make a key. */
  keys_create(given: { slug: string; body: KeyInputRequest }): Promise<KeyWithSecret>;
  /** List the keys of a club that were not revoked. */
  keys_list(given: { slug: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedKeyOutputList>;
  /** Read a key. */
  keys_read(given: { slug: string; uid: string }): Promise<KeyOutput>;
  /** Revoke a key. */
  keys_revoke(given: { slug: string; uid: string }): Promise<null>;
  /** List what a key was used for in the last 90 days. */
  keys_uses(given: { slug: string; uid: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedKeyUseOutputList>;
  /** Read a page of 50 of everybody's ratings. */
  leaderboards_retrieve(given: { game: string; query?: { active_since?: string; cursor?: string; min_tables?: number; provisional?: boolean | null; search?: string } }): Promise<BoardOutput>;
  /** Say who the caller is to the API, and in which clubs. */
  me(): Promise<MeWithClubs>;
  /** Give a member another role. */
  members_change(given: { slug: string; number: number; body?: PatchedMemberPatchRequest }): Promise<MemberOutput>;
  /** List the members of a club. */
  members_list(given: { slug: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedMemberOutputList>;
  /** Remove a member. */
  members_remove(given: { slug: string; number: number }): Promise<null>;
  /** Agree for the side that was asked. */
  merge_requests_accept(given: { uid: string }): Promise<MergeRequestOutput>;
  /** Ask the other side whether two records are one person. */
  merge_requests_create(given: { body: MergeRequestInputRequest }): Promise<MergeRequestOutput>;
  /** Say no for the side that was asked. */
  merge_requests_decline(given: { uid: string }): Promise<MergeRequestOutput>;
  /** List the requests to merge that concern the caller or their clubs. */
  merge_requests_list(given?: { query?: { cursor?: string; page_size?: number; status?: Array<"accepted" | "declined" | "expired" | "open" | "withdrawn"> } }): Promise<PaginatedMergeRequestOutputList>;
  /** Read a request to merge. */
  merge_requests_retrieve(given: { uid: string }): Promise<MergeRequestOutput>;
  /** Take a request back. */
  merge_requests_withdraw(given: { uid: string }): Promise<MergeRequestOutput>;
  /** Change a game. */
  own_games_change(given: { club: string; slug: string; body?: Record<string, unknown> }): Promise<Record<string, unknown>>;
  /** Judge a sheet by the newest version of a game. */
  own_games_check(given: { club: string; slug: string; body?: unknown }): Promise<VerdictOutput>;
  /** Judge a sheet by one version of a game. */
  own_games_check_version(given: { club: string; slug: string; number: number; body?: unknown }): Promise<VerdictOutput>;
  /** Describe a game. */
  own_games_create(given: { club: string; body?: Record<string, unknown> }): Promise<Record<string, unknown>>;
  /** List a club's own games by slug. */
  own_games_list(given: { club: string }): Promise<Record<string, unknown>>;
  /** Remove a game that no event is played by. */
  own_games_remove(given: { club: string; slug: string }): Promise<null>;
  /** Read a game in its newest version. */
  own_games_retrieve(given: { club: string; slug: string }): Promise<Record<string, unknown>>;
  /** Give the game a link. */
  own_games_share(given: { club: string; slug: string }): Promise<Record<string, unknown>>;
  /** Read a game by the link that its club has given. */
  own_games_shared(given: { link: string }): Promise<Record<string, unknown>>;
  /** End the link. */
  own_games_unshare(given: { club: string; slug: string }): Promise<null>;
  /** Read a game in one of its versions. */
  own_games_version(given: { club: string; slug: string; number: number }): Promise<Record<string, unknown>>;
  /** List the definitions a club has given of a game. */
  own_games_versions(given: { club: string; slug: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedVersionOutputList>;
  /** Take points off an entry. */
  penalties_create(given: { uid: string; body: PenaltyInputRequest }): Promise<PenaltyOutput>;
  /** List the penalties of an event. */
  penalties_list(given: { uid: string }): Promise<Array<PenaltyOutput>>;
  /** Read a penalty. */
  penalties_retrieve(given: { uid: string; penalty: string }): Promise<PenaltyOutput>;
  /** Take a penalty back. */
  penalties_take_back(given: { uid: string; penalty: string }): Promise<null>;
  /** Replace somebody's name everywhere and for good. */
  players_anonymise(given: { uid: string }): Promise<ProfileOutput>;
  /** Rename a player. */
  players_change(given: { uid: string; body?: PatchedPlayerInputRequest }): Promise<ProfileOutput>;
  /** Make a record of somebody new. */
  players_create(given: { slug: string; body: PlayerInputRequest }): Promise<PlayerOutput>;
  /** List where a player stood in their events. */
  players_events(given: { uid: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedFinishOutputList>;
  /** Read everything that is stored about a person. */
  players_export(given: { uid: string }): Promise<Record<string, unknown>>;
  /** Import players from CSV, as an organiser. */
  players_import(given: { slug: string; body: ImportInputRequest }): Promise<ImportOutput>;
  /** Say that a player is oneself. */
  players_link(given: { uid: string; body?: LinkInputRequest }): Promise<ProfileOutput>;
  /** List the players a club knows by name. */
  players_list(given: { slug: string; query?: { cursor?: string; page_size?: number; q?: string } }): Promise<PaginatedPlayerOutputList>;
  /** Merge a record into another one of the same person. */
  players_merge(given: { uid: string; body: MergeInputRequest }): Promise<ProfileOutput>;
  /** Say what merging a record into another would do. */
  players_merge_preview(given: { uid: string; body: MergeInputRequest }): Promise<MergePreviewOutput>;
  /** Read the note that a club's organisers keep about a player. */
  players_note(given: { slug: string; uid: string }): Promise<NoteInput>;
  /** Write the note about a player anew. */
  players_note_write(given: { slug: string; uid: string; body: NoteInputRequest }): Promise<NoteInput>;
  /** List what each table that one may know of did to a player's rating. */
  players_ratings(given: { uid: string; game: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedChangeOutputList>;
  /** Read a player's profile. */
  players_retrieve(given: { uid: string }): Promise<RatedProfileOutput>;
  /** Read what a player has done in a game. */
  players_statistics(given: { uid: string; game: string }): Promise<StatisticsOutput>;
  /** Part a player from their account. */
  players_unlink(given: { uid: string }): Promise<ProfileOutput>;
  /** Take the merge of a record back. */
  players_unmerge(given: { uid: string }): Promise<ProfileOutput>;
  /** Read the prizes of an event. */
  prizes_retrieve(given: { uid: string }): Promise<AwardsOutput>;
  /** Replay a record and judge its game. */
  records_check(given: { slug: string; body: RecordInputRequest }): Promise<VerdictOutput>;
  /** Replay a record and return the report of its game. */
  records_convert(given: { slug: string; body: RecordInputRequest }): Promise<ConvertedOutput>;
  /** Show a record. */
  records_step(given: { slug: string; body: StepInputRequest }): Promise<StepOutput>;
  /** Say that a marked report was looked at and is fine. */
  reports_clear_flags(given: { uid: string }): Promise<ReportOutput>;
  /** Agree as another seat of the table. */
  reports_confirm(given: { uid: string }): Promise<ReportOutput>;
  /** Report the result of a table. */
  reports_create(given: { uid: string; body: ReportInputRequest }): Promise<ReportOutput>;
  /** Object as another seat of the table. */
  reports_dispute(given: { uid: string; body?: ReasonRequest }): Promise<ReportOutput>;
  /** List the reports. */
  reports_list(given: { uid: string }): Promise<ReportsOutput>;
  /** Read a report. */
  reports_retrieve(given: { uid: string }): Promise<ReportOutput>;
  /** Take one's own report back while it does not count. */
  reports_withdraw(given: { uid: string; body?: WithdrawInputRequest }): Promise<ReportOutput>;
  /** Read every counted place at every table. */
  results_list(given: { uid: string }): Promise<ResultsOutput>;
  /** List the addresses to begin with. */
  root(): Promise<Root>;
  /** Put an empty table into a draft. */
  rounds_add_table(given: { uid: string; number: number }): Promise<TableOutput>;
  /** Change who sits where. */
  rounds_change(given: { uid: string; number: number; body?: PatchedRoundPatchRequest }): Promise<RoundOutput>;
  /** Seat the next round. */
  rounds_create(given: { uid: string; body?: NextRoundRequest }): Promise<RoundOutput>;
  /** List the rounds of an event with their tables. */
  rounds_list(given: { uid: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedRoundOutputList>;
  /** Read who meets whom in every round. */
  rounds_plan(given: { uid: string }): Promise<Array<PlannedRound>>;
  /** Read a round with its tables and seats. */
  rounds_retrieve(given: { uid: string; number: number }): Promise<RoundOutput>;
  /** Change a season. */
  seasons_change(given: { uid: string; body?: PatchedSeasonInputRequest }): Promise<SeasonOutput>;
  /** Read where everybody stood after each event of a season. */
  seasons_course(given: { uid: string }): Promise<SeasonCourseOutput>;
  /** Create a season. */
  seasons_create(given: { slug: string; body: SeasonInputRequest }): Promise<SeasonOutput>;
  /** List the seasons of a club. */
  seasons_list(given: { slug: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedSeasonOutputList>;
  /** Read a season. */
  seasons_retrieve(given: { uid: string }): Promise<SeasonOutput>;
  /** Read the table of a season. */
  seasons_standings(given: { uid: string }): Promise<SeasonTableOutput>;
  /** Log out in one browser. */
  sessions_end(given: { uid: string }): Promise<null>;
  /** Log out everywhere. */
  sessions_end_all(): Promise<null>;
  /** List the browsers in which one is logged in. */
  sessions_list(given?: { query?: { cursor?: string; page_size?: number } }): Promise<PaginatedSessionOutputList>;
  /** Say what a strong player would do now in practice. */
  solo_advice(given: { uid: string; headers?: { "Play-Token"?: string } }): Promise<AdviceOutput>;
  /** Make the move that answers move `number`; sent again. */
  solo_move(given: { uid: string; body: MoveInputRequest; headers?: { "Play-Token"?: string } }): Promise<SoloOutput>;
  /** Return the record of a finished game. */
  solo_record(given: { uid: string; headers?: { "Play-Token"?: string } }): Promise<RecordOutput>;
  /** Delete a game of one's own. */
  solo_remove(given: { uid: string; headers?: { "Play-Token"?: string } }): Promise<null>;
  /** Show a game to whoever plays it. */
  solo_retrieve(given: { uid: string; headers?: { "Play-Token"?: string } }): Promise<SoloOutput>;
  /** Write a name on the result of a challenge. */
  solo_sign(given: { uid: string; body?: PatchedNameInputRequest; headers?: { "Play-Token"?: string } }): Promise<SoloOutput>;
  /** Begin a game alone or against house players. */
  solo_start(given: { body: StartInputRequest; headers?: { "Play-Token"?: string } }): Promise<StartedOutput>;
  /** Take back one's last move in practice. */
  solo_undo(given: { uid: string; body: UndoInputRequest; headers?: { "Play-Token"?: string } }): Promise<SoloOutput>;
  /** Read the standings. */
  standings_retrieve(given: { uid: string }): Promise<StandingsOutput>;
  /** Write down how people really sat. */
  tables_change(given: { uid: string; body?: PatchedTablePatchRequest }): Promise<TableOutput>;
  /** Form a table in open play. */
  tables_form(given: { uid: string; body?: TableInputRequest }): Promise<TableOutput>;
  /** List who did what at a table. */
  tables_history(given: { uid: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedActionOutputList>;
  /** Stand up from a table of open play that has not begun. */
  tables_leave(given: { uid: string }): Promise<TableOutput>;
  /** Ask a table for its result. */
  tables_nudge(given: { uid: string }): Promise<TableOutput>;
  /** Attach the record of its game to a table. */
  tables_record_attach(given: { uid: string; body?: unknown }): Promise<RecordOutput>;
  /** Take the record off a table. */
  tables_record_remove(given: { uid: string }): Promise<null>;
  /** Return the record that belongs to the result of a table. */
  tables_record_retrieve(given: { uid: string }): Promise<RecordOutput>;
  /** Take a table out of a draft. */
  tables_remove(given: { uid: string }): Promise<null>;
  /** Read a table. */
  tables_retrieve(given: { uid: string }): Promise<TableOutput>;
  /** Sit down at a table by its code. */
  tables_sit_down(given: { uid: string; body: TableCodeRequest }): Promise<TableOutput>;
  /** Make the slip of a table invalid and give it another. */
  tables_slip_renew(given: { uid: string }): Promise<TableOutput>;
  /** Make a token. */
  tokens_create(given: { body: TokenInputRequest }): Promise<TokenWithSecret>;
  /** List one's tokens that work. */
  tokens_list(given?: { query?: { cursor?: string; page_size?: number } }): Promise<PaginatedTokenOutputList>;
  /** Revoke one of one's tokens. */
  tokens_revoke(given: { uid: string }): Promise<null>;
  /** Change a webhook. */
  webhooks_change(given: { slug: string; uid: string; body?: PatchedWebhookPatchRequest }): Promise<WebhookOutput>;
  /** Make a webhook. */
  webhooks_create(given: { slug: string; body: WebhookInputRequest }): Promise<WebhookWithSecret>;
  /** Delete a webhook and its log. */
  webhooks_delete(given: { slug: string; uid: string }): Promise<null>;
  /** List what was sent to a webhook in the last 30 days and what is waiting. */
  webhooks_deliveries(given: { slug: string; uid: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedDeliveryOutputList>;
  /** List the webhooks of a club. */
  webhooks_list(given: { slug: string; query?: { cursor?: string; page_size?: number } }): Promise<PaginatedWebhookOutputList>;
  /** Send a message again under the same id. */
  webhooks_redeliver(given: { slug: string; uid: string; delivery: string }): Promise<DeliveryOutput>;
  /** Read a webhook. */
  webhooks_retrieve(given: { slug: string; uid: string }): Promise<WebhookOutput>;
  /** Give a webhook a new secret. */
  webhooks_rotate(given: { slug: string; uid: string }): Promise<WebhookWithSecret>;
  /** Send a webhook a `ping`, as an organiser. */
  webhooks_test(given: { slug: string; uid: string }): Promise<DeliveryOutput>;
}
