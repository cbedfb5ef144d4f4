import type { Calls, StandingsOutput, TableOutput } from "./schema.js";

export type * from "./schema.js";

/** A page of a list. */
export interface Page<Row> {
  next: string | null;
  results: Row[];
}

/** Something of an event changed: `what` has names out of event, entries, round, tables and standings. */
export interface Change {
  id: string;
  version: number;
  what: string[];
}

export interface Options {
  /** How often a request is sent at the most; 5 unless told. */
  attempts?: number;
  /** Seconds that all pauses of a request together may take; 60 unless told. */
  patience?: number;
  /** Seconds that an answer may take; 10 unless told. */
  timeout?: number;
  /** What sends requests, where it is not the global `fetch`. */
  fetch?: typeof fetch;
  /** What waits, in seconds. */
  sleep?: (seconds: number) => Promise<void>;
}

export interface Asked {
  body?: unknown;
  query?: Record<string, unknown>;
  headers?: Record<string, string | undefined>;
  /** Send an Idempotency-Key along, so that a POST may be repeated. */
  keyed?: boolean;
}

/** An answer that says no: `code` is stable, `detail` is for people, `errors` list single faults. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: Array<Record<string, unknown>>;
  readonly body: Record<string, unknown>;
  /** Seconds that the service asks to wait. */
  readonly retryAfter: number | null;
}

/** The API of one service, with one credential or none; a method per call, as `Calls` has them. */
export class Ludoscore {
  constructor(url: string, token?: string | null, options?: Options);
  /** The same service for another caller: a player's `lse_…`, a table's `lst_…`, or null for nobody. */
  withToken(token: string | null): Ludoscore;
  /** Make any call under /api/v1/ and return the answer; throws a Problem. */
  request(method: string, path: string, asked?: Asked): Promise<unknown>;
  /** Every row of a list, from a page of it on; the pages after it are fetched as they are needed. */
  rows<Row>(page: Page<Row>): AsyncGenerator<Row, void>;
  /** What changes of an event until it is over; comes back by itself, and misses nothing. */
  stream(event: string, options?: { lastId?: string }): AsyncGenerator<Change, void>;
  /** The standings once everything reported so far is in them, or `patience` seconds have passed. */
  settledStandings(event: string, options?: { patience?: number }): Promise<StandingsOutput>;
}
export interface Ludoscore extends Calls {}

/** The players of a table in seat order: the labels of its report. */
export function seatsOf(table: TableOutput): string[];
