"""The client for browsers and Node: its own tests, and against a running service."""

from __future__ import annotations

import json
import re

import pytest

from tests.api.schemas import published
from tests.clients.nodes import FOLDER, needs_node, node, script
from tests.documents import blocks

pytestmark = needs_node

LIVE = """
import { Ludoscore } from "ludoscore-client";

const { URL: url, TOKEN: token, CLUB: slug } = process.env;
const api = new Ludoscore(url, token);
const made = [];
for (let number = 0; number < 5; number += 1) {
  made.push((await api.players_create({ slug, body: { name: `P${number}` } })).id);
}
const found = [];
const first = await api.players_list({ slug, query: { page_size: 2 } });
for await (const row of api.rows(first)) found.push(row.id);

const body = { club: slug, name: "Friday", game: "dix", starts_at: "2026-11-20T19:00:00+01:00" };
const uid = (await api.events_create({ body })).id;
const before = await api.events_retrieve({ uid });
const again = await api.events_retrieve({ uid });
const refused = await api.events_change({ uid, body: { nmae: "Saturday" } }).catch((problem) => problem);

const heard = [];
for await (const change of api.stream(uid)) {
  heard.push(change.version);
  if (heard.length === 1) await api.events_change({ uid, body: { status: "registration" } });
  if (heard.length === 2) await api.events_change({ uid, body: { status: "cancelled" } });
}
console.log(JSON.stringify({ made, found, before, again, code: refused.code, heard }));
"""


def test_own_tests_pass():
    assert "# fail 0" in node("--test", "--test-reporter", "tap")


@pytest.mark.parametrize("number", [0, 1])
def test_blocks_of_the_documents_run(service, tmp_path, number):
    [block] = [*blocks("clients/typescript/README.md", "js"), *blocks("docs/clients.md", "js")][number : number + 1]
    script(block, tmp_path)


def test_client_works_with_the_service(service, tmp_path):
    seen = json.loads(script(LIVE, tmp_path))
    assert sorted(seen["found"]) == sorted(seen["made"])
    assert seen["again"] == seen["before"]
    assert seen["code"] == "unknown-field"
    assert len(seen["heard"]) >= 2
    assert seen["heard"] == sorted(seen["heard"])


def test_every_call_is_a_method_and_every_method_a_call():
    paths = published()["paths"]
    names = {call["operationId"] for item in paths.values() for call in item.values()} - {"events_stream"}
    listed = node("-e", 'import("./ludoscore.js").then((m) => console.log(Object.keys(m.Ludoscore.prototype).join()))')
    assert set(listed.strip().split(",")) == names
    declared = (FOLDER / "schema.d.ts").read_text().partition("export interface Calls {")[2]
    assert set(re.findall(r"^  (\w+)\(", declared, re.MULTILINE)) == names
