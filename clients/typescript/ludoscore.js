// A client of the Ludoscore API for browsers and Node, without a build step and without dependencies.
//
// What fails on the way is sent again where that is safe: each POST that stores something carries an
// Idempotency-Key, so it is done once however often it is sent. `calls.js` has a method per call.

import { CALLS } from "./calls.js";

const API = "/api/v1/";
const FIRST_PAUSE = 0.5; // seconds before the second attempt, twice as long before each after it
const WORTH_A_RETRY = new Set([429, 502, 503, 504]);
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);
const KEPT_ANSWERS = 256;
const SILENCE = 45; // seconds without a sign of life after which a stream is given up; one comes every fifteen
const SHORTEST = 1; // seconds before coming back to a stream
const LONGEST = 15;
const LOOK_AGAIN = 0.3;

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** An answer that says no: `code` is stable, `detail` is for people, `errors` list single faults. */
export class Problem extends Error {
  constructor(response, body) {
    const moved = response.headers.get("Location");
    const said = isObject(body) ? body : { detail: moved ? `moved to ${moved}` : response.statusText };
    super(`${response.status} ${said.code ?? ""}: ${said.detail ?? ""}`);
    this.name = "Problem";
    this.status = response.status;
    this.body = said;
    this.code = String(said.code ?? "");
    this.detail = String(said.detail ?? "");
    this.errors = said.errors ?? [];
    this.retryAfter = retryAfter(response);
  }
}

/** The API of one service, with one credential or none. */
export class Ludoscore {
  #url;
  #token;
  #options;
  #known = new Map(); // by address: entity tag and answer

  constructor(url, token = null, options = {}) {
    this.#url = url.replace(/\/+$/, "");
    this.#token = token;
    this.#options = {
      attempts: 5,
      patience: 60,
      timeout: 10,
      fetch: (...given) => globalThis.fetch(...given),
      sleep: pause,
      ...options,
    };
  }

  /** The same service for another caller: a player's `lse_…`, a table's `lst_…`, or null for nobody. */
  withToken(token) {
    return new Ludoscore(this.#url, token, this.#options);
  }

  /** Make any call under /api/v1/ and return the answer; throws a Problem. `keyed` lets a POST be repeated. */
  async request(method, path, { body, query = {}, headers = {}, keyed = false } = {}) {
    const address = this.#address(path, query);
    const sent = this.#headers({ Accept: "application/json", ...headers });
    const known = method === "GET" ? this.#known.get(address) : undefined;
    if (known) sent.set("If-None-Match", known.tag);
    if (keyed) sent.set("Idempotency-Key", newKey());
    if (body !== undefined) sent.set("Content-Type", "application/json");
    const request = { method, headers: sent, body: body === undefined ? undefined : JSON.stringify(body) };
    const attempts = this.#attempts(keyed || method === "GET" || method === "PUT");
    for (;;) {
      const outcome = await this.#send(address, request);
      const wait = attempts.waitAfter(outcome);
      if (wait === null) return this.#answer(method, address, outcome, known);
      await this.#options.sleep(wait);
    }
  }

  /** Every row of a list, from a page of it on; the pages after it are fetched as they are needed. */
  async *rows(page) {
    yield* page.results;
    while (page.next) {
      page = await this.request("GET", pathOf(page.next));
      yield* page.results;
    }
  }

  /** What changes of an event until it is over; comes back by itself, and misses nothing. */
  async *stream(event, { lastId = "" } = {}) {
    const address = this.#address(`events/${part(event)}/stream/`);
    let attempts = this.#attempts(true);
    let wait = SHORTEST;
    for (;;) {
      const headers = this.#headers({ Accept: "text/event-stream", ...(lastId && { "Last-Event-ID": lastId }) });
      const failed = {};
      for await (const message of this.#listen(address, headers, failed)) {
        if (message === null) return;
        lastId = message.id || lastId;
        attempts = this.#attempts(true);
        wait = SHORTEST;
        yield { id: lastId, version: message.data.version, what: message.data.what };
      }
      if (failed.outcome) {
        const again = attempts.waitAfter(failed.outcome);
        if (again === null) throw failed.outcome.error ?? new Problem(failed.outcome.response, failed.outcome.value);
        await this.#options.sleep(again);
      } else {
        await this.#options.sleep(wait); // it ended by itself; longer where it said nothing
        wait = Math.min(wait * 2, LONGEST);
      }
    }
  }

  /** The standings once everything reported so far is in them, or `patience` seconds have passed. */
  async settledStandings(event, { patience = 30 } = {}) {
    const end = Date.now() + patience * 1000;
    for (;;) {
      const standings = await this.standings_retrieve({ uid: event });
      if (standings.up_to_date || Date.now() >= end) return standings;
      await this.#options.sleep(LOOK_AGAIN);
    }
  }

  #attempts(safe) {
    return new Attempts(safe, this.#options.attempts, this.#options.patience);
  }

  #address(path, query = {}) {
    const url = new URL(this.#url + API + path);
    for (const [name, value] of Object.entries(query)) {
      for (const each of Array.isArray(value) ? value : [value]) {
        if (each !== undefined && each !== null) url.searchParams.append(name, String(each));
      }
    }
    return url.href;
  }

  #headers(said) {
    const present = Object.entries(said).filter(([, value]) => value !== undefined);
    return new Headers([...present, ...(this.#token ? [["Authorization", `Bearer ${this.#token}`]] : [])]);
  }

  /** One attempt: `{response, value}`, or `{error}` where nothing whole came back. */
  async #send(address, request) {
    const signal = AbortSignal.timeout(this.#options.timeout * 1000);
    try {
      const response = await this.#options.fetch(address, { ...request, ...ALONE, signal });
      return { response, value: valueOf(response, await response.text()) };
    } catch (error) {
      return { error };
    }
  }

  #answer(method, address, { response, value, error }, known) {
    if (error) throw error;
    if (response.status === 304 && known) return known.value;
    if (!response.ok) throw new Problem(response, value);
    const tag = response.headers.get("ETag");
    if (method === "GET" && tag) {
      this.#known.delete(address); // what is set anew is the youngest
      this.#known.set(address, { tag, value });
      if (this.#known.size > KEPT_ANSWERS) this.#known.delete(this.#known.keys().next().value);
    }
    return value;
  }

  /** The messages of one connection; null where the event is over. `failed` is told what went wrong. */
  async *#listen(address, headers, failed) {
    const controller = new AbortController();
    let timer;
    const wake = (seconds) => {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(new Error("the stream went silent")), seconds * 1000);
    };
    try {
      let reader;
      try {
        wake(this.#options.timeout);
        const response = await this.#options.fetch(address, { headers, ...ALONE, signal: controller.signal });
        if (response.status === 204) {
          yield null;
          return;
        }
        if (response.status !== 200) {
          failed.outcome = { response, value: valueOf(response, await response.text()) };
          return;
        }
        reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      } catch (error) {
        failed.outcome = { error };
        return;
      }
      let text = "";
      for (;;) {
        let chunk;
        try {
          wake(SILENCE);
          chunk = await reader.read();
        } catch (error) {
          failed.outcome = { error };
          return;
        }
        if (chunk.done) return;
        const blocks = (text + chunk.value).replaceAll("\r\n", "\n").split("\n\n");
        text = blocks.pop();
        clearTimeout(timer); // whoever listens may take their time
        yield* blocks.map(messageOf).filter((message) => message !== null);
      }
    } finally {
      clearTimeout(timer);
      controller.abort();
    }
  }
}

for (const [name, [method, path, keyed]] of Object.entries(CALLS)) {
  Ludoscore.prototype[name] = function call({ body, query, headers, ...parts } = {}) {
    const filled = path.replace(/\{(\w+)\}/g, (_, each) => part(parts[each]));
    return this.request(method, filled, { body, query, headers, keyed });
  };
}

// No cookie and no redirection: a credential goes to the service it was given for, and nowhere else.
const ALONE = { credentials: "omit", redirect: "manual", cache: "no-store" };

/** Decides after each attempt of a request whether to send it again, and when.
 *
 * A request that is safe may have been done already. Of others, which the service would do twice, only those are sent
 * again that it has certainly not seen or has turned away at the door.
 */
class Attempts {
  constructor(safe, most, patience) {
    Object.assign(this, { safe, left: most - 1, patience, pause: FIRST_PAUSE });
  }

  /** The seconds until the next attempt, or null where this outcome is the last. */
  waitAfter(outcome) {
    if (this.left <= 0 || !this.#isWorthIt(outcome)) return null;
    const asked = outcome.response ? retryAfter(outcome.response) : null;
    const wait = asked ?? this.pause * (0.75 + Math.random() / 2);
    if (wait > this.patience) return null;
    this.left -= 1;
    this.patience -= wait;
    this.pause *= 2;
    return wait;
  }

  #isWorthIt({ response, value, error }) {
    if (error) return this.safe || NEVER_SENT.has(error.cause?.code);
    if (response.status === 409) return this.safe && value?.code === "idempotency-running";
    return response.status === 429 || (this.safe && WORTH_A_RETRY.has(response.status));
  }
}

/** The players of a table in seat order: the labels of its report. */
export function seatsOf(table) {
  return table.seats.map((seat) => seat.player.id);
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function retryAfter(response) {
  const text = response.headers.get("Retry-After") ?? "";
  if (/^\d+$/.test(text)) return Number(text);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : Math.max(0, (moment - Date.now()) / 1000);
}

function valueOf(response, text) {
  if (!text) return null;
  if (response.headers.get("Content-Type")?.startsWith("application/x-ndjson")) {
    return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  }
  if (response.ok) return JSON.parse(text);
  try {
    return JSON.parse(text);
  } catch {
    return null; // a proxy on the way said it in its own words
  }
}

function messageOf(block) {
  let id = "";
  const data = [];
  for (const line of block.split("\n")) {
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line);
    if (name === "id") id = value;
    if (name === "data") data.push(value);
  }
  return data.length ? { id, data: JSON.parse(data.join("\n")) } : null;
}

/** A value as one part of a path: an id that came from elsewhere never leads to another call. */
function part(value) {
  const text = String(value ?? "");
  if (["", ".", ".."].includes(text)) throw new RangeError(`“${text}” cannot be a part of an address`);
  return encodeURIComponent(text);
}

/** The path of a page that an answer points to: a credential goes to no other service. */
function pathOf(address) {
  const url = new URL(address, "http://localhost");
  const start = url.pathname.indexOf(API);
  if (start < 0) throw new RangeError(`${address} is no address of the API`);
  return url.pathname.slice(start + API.length) + url.search;
}

/** A new key. Not `randomUUID`, which browsers keep from pages without HTTPS, as in a room with its own Wi-Fi. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
