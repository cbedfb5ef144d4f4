// @ts-check
// Run a whole event through the API: twelve players join, play three rounds of Dice Run, and are ranked.
//
// URL=http://127.0.0.1:8000 TOKEN=lsu_… CLUB=cafe-meeple node whole_event.js

import { Ludoscore, seatsOf } from "../ludoscore.js";

const NAMES = ["Ana", "Bo", "Chloé", "Dev", "Eva", "Fay", "Gus", "Hana", "Ivo", "Jun", "Kai", "Lea"]; // the best first
const ROUNDS = 3;

/** Run an event from its creation to its last standings.
 * @param {Ludoscore} api
 * @param {string} club
 */
async function runEvent(api, club) {
  const created = await api.events_create({
    body: {
      club,
      name: "Dice Run, by script",
      game: "dice-run",
      rounds: ROUNDS,
      table_size: { min: 3, max: 6, preferred: 4 },
      starts_at: new Date().toISOString(),
    },
  });
  const uid = created.id;
  const event = await api.events_change({ uid, body: { status: "registration" } });
  const entries = [];
  for (const name of NAMES) {
    entries.push(await api.withToken(null).entries_create({ uid, body: { name, join_code: event.join_code } }));
  }
  for (let number = 1; number <= ROUNDS; number += 1) {
    await playRound(api, uid, number, entries);
  }
  await api.events_change({ uid, body: { status: "finished" } });
  return api.settledStandings(uid);
}

/** Seat a round as planned; at each table the first phone reports and the second one confirms.
 * @param {Ludoscore} api
 * @param {string} uid
 * @param {number} number
 * @param {import("../ludoscore.js").EntryWithToken[]} entries
 */
async function playRound(api, uid, number, entries) {
  const seated = await api.rounds_create({ uid, body: { seed: number } });
  const groups = tablesOf(entries.map((entry) => entry.id), number);
  const tables = seated.tables.map(({ id }, place) => ({ id, seats: groups[place] }));
  const moved = await api.rounds_change({ uid, number, body: { tables } });
  await api.rounds_change({ uid, number, body: { status: "running" } });
  const players = entries.map((entry) => entry.player.id);
  /** @param {string} player */
  const phone = (player) => api.withToken(entries[players.indexOf(player)].token);
  for (const table of moved.tables) {
    const [first, second] = seatsOf(table);
    const sheet = sheetOf(seatsOf(table), players);
    const report = await phone(first).reports_create({ uid: table.id, body: { report: sheet } });
    await phone(second).reports_confirm({ uid: report.id });
  }
  await api.rounds_change({ uid, number, body: { status: "closed" } });
}

/** Three tables of four for a round; without a plan of our own the service seats people well by itself.
 * @param {string[]} entries
 * @param {number} number
 */
function tablesOf(entries, number) {
  /** @type {string[][]} */
  const groups = [[], [], []];
  entries.forEach((entry, place) => groups[(place + number * Math.floor(place / 3)) % 3].push(entry));
  return groups;
}

/** A Dice Run sheet on which the best win: who stood on the podium of each of the four stages.
 * @param {string[]} seats
 * @param {string[]} players
 * @returns {import("../ludoscore.js").SheetDiceRun}
 */
function sheetOf(seats, players) {
  const [first, second, third] = [...seats].sort((a, b) => players.indexOf(a) - players.indexOf(b));
  const podiums = [[first, second, third], [second, first, third], [first, third, second], [first, second, third]];
  return { game: "dice-run", variant: "standard", seats, stages: podiums.map((podium) => ({ podium })) };
}

const { URL: url = "", TOKEN: token = "", CLUB: club = "" } = process.env;
for (const row of (await runEvent(new Ludoscore(url, token), club)).rows) {
  const rank = String(row.rank).padStart(3);
  const points = String(row.points).padStart(6);
  console.log(`${rank}. ${row.player.name.padEnd(6)} ${points}  ${row.explanation}`);
}
