// The client against a service that answers as it is told. Against a real one: tests/clients of the project.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Ludoscore, Problem } from "./ludoscore.js";

/** A service that answers as it is told, one outcome per request, the last one again and again; nothing takes time. */
function wire(...outcomes) {
  const asked = [];
  const slept = [];
  const fetch = async (url, request) => {
    asked.push({ url, ...request });
    const outcome = outcomes.length > 1 ? outcomes.shift() : outcomes[0];
    if (outcome instanceof Error) throw outcome;
    return outcome();
  };
  const sleep = async (seconds) => void slept.push(seconds);
  const api = (options) => new Ludoscore("https://scores.test/", "lsu_1", { fetch, sleep, ...options });
  return { api, asked, slept };
}

const answer = (status, body, headers = {}) => () =>
  new Response([204, 304].includes(status) ? null : JSON.stringify(body), { status, headers });
const ok = (body, headers) => answer(200, body, headers);
const text = (said, headers = {}) => () => new Response(said, { headers });
const told = (...messages) =>
  text(":\n\n" + messages.map(([id, what]) =>
    `id: ${id}\nevent: change\ndata: ${JSON.stringify({ version: id, what })}\n\n`).join(""));
const cut = () => new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
const refused = () => new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
const header = (request, name) => request.headers.get(name);

async function all(rows) {
  const found = [];
  for await (const row of rows) found.push(row);
  return found;
}

test("a POST is repeated under one key", async () => {
  const { api, asked, slept } = wire(answer(503), cut(), answer(409, { code: "idempotency-running" }), ok({ id: "e1" }));
  assert.deepEqual(await api().events_create({ body: {} }), { id: "e1" });
  assert.equal(asked.length, 4);
  assert.equal(new Set(asked.map((each) => header(each, "Idempotency-Key"))).size, 1);
  assert.match(header(asked[0], "Idempotency-Key"), /^[0-9a-f]{32}$/);
  assert.ok(slept[1] > slept[0]);
});

test("what would be done twice is not repeated", async () => {
  for (const failure of [answer(503), cut()]) {
    const { api, asked } = wire(failure, ok({}));
    await assert.rejects(api().rounds_change({ uid: "e1", number: 1, body: { extend: 5 } }));
    assert.equal(asked.length, 1);
    assert.equal(header(asked[0], "Idempotency-Key"), null);
  }
});

test("what was certainly not done is repeated", async () => {
  for (const failure of [answer(429, {}, { "Retry-After": "7" }), refused()]) {
    const { api } = wire(failure, ok({ number: 1 }));
    assert.deepEqual(await api().rounds_change({ uid: "e1", number: 1, body: { extend: 5 } }), { number: 1 });
  }
});

test("the service says how long to wait", async () => {
  const soon = new Date(Date.now() + 20_000).toUTCString();
  const { api, slept } = wire(
    answer(429, {}, { "Retry-After": "7" }),
    answer(503, {}, { "Retry-After": soon }),
    answer(503, {}, { "Retry-After": "soon, I hope" }),
    ok({}),
  );
  await api().clubs_list();
  assert.equal(slept[0], 7);
  assert.ok(slept[1] > 15 && slept[1] <= 20);
  assert.ok(slept[2] < 5);
});

test("nobody waits for an hour", async () => {
  const { api, slept } = wire(answer(429, { code: "throttled" }, { "Retry-After": "3600" }));
  await assert.rejects(api().clubs_list(), { code: "throttled", retryAfter: 3600 });
  assert.deepEqual(slept, []);
});

test("attempts end", async () => {
  const { api, asked } = wire(() => new Response("<h1>Down</h1>", { status: 503 }));
  await assert.rejects(api({ attempts: 3 }).clubs_list(), Problem);
  assert.equal(asked.length, 3);
});

test("a refusal is told at once", async () => {
  for (const status of [400, 403, 404, 409, 422, 500]) {
    const { api, asked } = wire(answer(status, { code: "no", detail: "No.", errors: [{ path: [] }] }));
    await assert.rejects(api().clubs_list(), { status, code: "no", detail: "No.", errors: [{ path: [] }] });
    assert.equal(asked.length, 1);
  }
});

test("pages are turned, and the credential is not carried elsewhere", async () => {
  const next = "https://elsewhere.test/api/v1/clubs/?cursor=2";
  const { api, asked } = wire(ok({ results: [1], next }), ok({ results: [2], next: null }));
  const client = api();
  assert.deepEqual(await all(client.rows(await client.clubs_list())), [1, 2]);
  assert.equal(asked[1].url, "https://scores.test/api/v1/clubs/?cursor=2");
  assert.deepEqual([asked[0].redirect, asked[0].credentials], ["manual", "omit"]);
  const astray = wire(ok({ results: [], next: "https://scores.test/admin/" })).api();
  await assert.rejects(async () => all(astray.rows(await astray.clubs_list())), RangeError);
  const moved = wire(() => new Response(null, { status: 301, headers: { Location: "https://elsewhere.test/" } })).api();
  await assert.rejects(moved.me(), /moved to https:\/\/elsewhere\.test\//);
});

test("an id from elsewhere stays one part of the path", async () => {
  const { api, asked } = wire(ok({}));
  await api().events_retrieve({ uid: "../me/tokens/?x=#" });
  assert.equal(asked[0].url, "https://scores.test/api/v1/events/..%2Fme%2Ftokens%2F%3Fx%3D%23/");
  for (const uid of ["", ".", "..", undefined]) {
    assert.throws(() => api().events_retrieve({ uid }), RangeError);
  }
});

test("answers that did not change are kept, for one caller", async () => {
  const { api, asked } = wire(ok({ kind: "user" }, { ETag: '"1"' }), answer(304), ok({ kind: "nobody" }));
  const client = api();
  assert.deepEqual([await client.me(), await client.me()], [{ kind: "user" }, { kind: "user" }]);
  assert.deepEqual(await client.withToken(null).me(), { kind: "nobody" });
  assert.equal(header(asked[1], "If-None-Match"), '"1"');
  assert.equal(header(asked[2], "If-None-Match"), null);
  assert.equal(header(asked[2], "Authorization"), null);
});

test("queries, headers and lines", async () => {
  const lines = wire(text('{"a": 1}\n{"a": 2}\n', { "Content-Type": "application/x-ndjson" }));
  assert.deepEqual(await lines.api().clubs_results({ slug: "c", query: { modified_since: undefined } }), [{ a: 1 }, { a: 2 }]);
  assert.ok(lines.asked[0].url.endsWith("/results/"));
  const { api, asked } = wire(ok({}));
  await api().leaderboards_retrieve({ game: "dix", query: { provisional: false, min_tables: 3 } });
  assert.ok(asked[0].url.endsWith("?provisional=false&min_tables=3"));
  await api().solo_retrieve({ uid: "s1", headers: { "Play-Token": "secret" } });
  assert.equal(header(asked[1], "Play-Token"), "secret");
});

test("a stream resumes by the last id", async () => {
  const { api, asked, slept } = wire(told([4, ["event"]]), cut(), answer(503), told([9, ["tables"]]), answer(204));
  assert.deepEqual(await all(api().stream("e1")), [
    { id: "4", version: 4, what: ["event"] },
    { id: "9", version: 9, what: ["tables"] },
  ]);
  assert.deepEqual(asked.map((each) => header(each, "Last-Event-ID")), [null, "4", "4", "4", "9"]);
  assert.equal(slept.length, 4);
});

test("half a message is heard again", async () => {
  const half = text('id: 5\nevent: change\ndata: {"version": 5,');
  const { api, asked } = wire(told([4, ["event"]]), half, told([5, ["tables"]]), answer(204));
  assert.deepEqual((await all(api().stream("e1"))).map((change) => change.version), [4, 5]);
  assert.equal(header(asked[2], "Last-Event-ID"), "4");
});

test("a message may come in pieces", async () => {
  const whole = 'id: 7\r\nevent: change\r\ndata: {"version": 7, "what": ["event"]}\r\n\r\n';
  const pieces = () => new Response(new ReadableStream({
    start(controller) {
      for (const letter of whole) controller.enqueue(new TextEncoder().encode(letter));
      controller.close();
    },
  }));
  const { api } = wire(pieces, answer(204));
  assert.deepEqual((await all(api().stream("e1"))).map((change) => change.version), [7]);
});

test("a silent service is asked less and less", async () => {
  const { api, slept } = wire(...Array(7).fill(text(":\n\n")), answer(204));
  assert.deepEqual(await all(api().stream("e1")), []);
  assert.deepEqual(slept, [1, 2, 4, 8, 15, 15, 15]);
});

test("a stream that is refused or stays away is told", async () => {
  await assert.rejects(all(wire(answer(404, { code: "not-found" })).api().stream("e1")), { code: "not-found" });
  await assert.rejects(all(wire(refused()).api({ attempts: 3 }).stream("e1")), /fetch failed/);
  const many = wire(answer(429, {}, { "Retry-After": "9" }), answer(204));
  assert.deepEqual(await all(many.api().stream("e1")), []);
  assert.deepEqual(many.slept, [9]);
});

test("whoever stops listening hangs up", async () => {
  let signal;
  const endless = () => new Response(new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('id: 1\ndata: {"version": 1, "what": []}\n\n'));
    },
  }));
  const fetch = async (_, request) => { signal = request.signal; return endless(); };
  for await (const change of new Ludoscore("https://scores.test", null, { fetch }).stream("e1")) {
    assert.equal(change.version, 1);
    break;
  }
  assert.ok(signal.aborted);
});
