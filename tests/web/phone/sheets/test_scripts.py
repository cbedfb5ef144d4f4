"""The scripts read a form as the server does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engines.base import Engine, Variant
from tests.engines.games import every_variant, played
from tests.web.phone.sheets.filling import form_of, read_back, rendered, submitted

if TYPE_CHECKING:
    from playwright.sync_api import Page

READ = """async (fields) => {
  const form = document.querySelector("form.sheet");
  const game = (await import(form.dataset.script)).default;
  form.reset();
  game.prepare?.(form, fields);
  for (const [name, value] of fields) {
    const field = form.elements[name];
    if (field.type === "checkbox") field.checked = true;
    else field.value = value;
  }
  return game.read(form);
}"""


@pytest.mark.parametrize(("engine", "variant"), every_variant())
def test_script_reads_what_the_server_reads(desktop: Page, engine: Engine, variant: Variant) -> None:
    people = variant.people[-1]
    desktop.goto(f"/games/{engine.slug}/?variant={variant.slug}&people={people}")
    desktop.wait_for_selector("form.sheet[data-state]")
    for number in range(3):
        report = played(engine, variant, people, number).report
        fields = list(submitted(rendered(form_of(report))).items())
        read, wanted = desktop.evaluate(READ, fields), read_back(report)
        assert engine.minimal(read) == engine.minimal(wanted)
        assert engine.check(read) == engine.check(wanted)
