"""French is complete, compiled and typographically right; every text of code and templates is in the catalogue."""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path

from django.template import Engine, Node
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "locale/fr/LC_MESSAGES/django.po"
TEMPLATES = ROOT / "templates"
PACKAGES = ("config", "ops", "api", "web", "core", "tournaments", "scoring", "play")
PLAIN = {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy"}
WITH_CONTEXT = {"pgettext", "pgettext_lazy"}


def entries() -> Iterator[dict[str, str]]:
    """Read the catalogue: per entry its `msgid`, `msgid_plural`, `msgstr` or `msgstr[n]`.

    As gettext does it, a context stands before the `msgid`, divided from it by a control character.
    """
    for block in CATALOGUE.read_text().split("\n\n")[1:]:
        entry: dict[str, str] = {}
        for line in (line for line in block.splitlines() if not line.startswith("#")):
            keyword, _, quoted = line.partition('"')
            keyword = keyword.strip() or list(entry)[-1]
            entry[keyword] = entry.get(keyword, "") + ast.literal_eval(f'"{quoted}')
        if "msgctxt" in entry:
            entry["msgid"] = entry.pop("msgctxt") + "\x04" + entry["msgid"]
        yield entry


def texts_of_templates() -> Iterator[str]:
    for path in TEMPLATES.rglob("*.*"):
        nodes = Engine.get_default().get_template(str(path.relative_to(TEMPLATES))).nodelist
        for kind in (TranslateNode, BlockTranslateNode):
            yield from map(text_of, nodes.get_nodes_by_type(kind))


def text_of(node: Node) -> str:
    assert isinstance(node, BlockTranslateNode | TranslateNode)
    context = f"{node.message_context.var}\x04" if node.message_context else ""
    if isinstance(node, BlockTranslateNode):
        return context + node.render_token_list(node.singular)[0]
    return context + str(node.filter_expression.var.literal)


def texts_of_code() -> Iterator[str]:
    paths = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    for node in (node for path in paths for node in ast.walk(ast.parse(path.read_text()))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PLAIN | WITH_CONTEXT:
            yield "\x04".join(map(ast.literal_eval, node.args[: 1 + (node.func.id in WITH_CONTEXT)]))


def translations() -> list[tuple[str, str]]:
    return [
        (entry["msgid_plural" if key == "msgstr[1]" else "msgid"], text)
        for entry in entries()
        for key, text in entry.items()
        if key.startswith("msgstr")
    ]


def test_catalogue_holds_every_text_and_no_other() -> None:
    assert {entry["msgid"] for entry in entries()} == {*texts_of_templates(), *texts_of_code()}


def test_every_text_is_translated() -> None:
    assert [original for original, text in translations() if not text] == []
    assert "#, fuzzy" not in CATALOGUE.read_text()


def test_placeholders_survive_translation() -> None:
    def names(text: str) -> set[str]:
        return set(re.findall(r"%\((\w+)\)s|\{(\w*)\}", text))

    assert [original for original, text in translations() if names(original) != names(text)] == []


def test_compiled_catalogue_is_up_to_date() -> None:
    with CATALOGUE.with_suffix(".mo").open("rb") as file:
        compiled = vars(gettext.GNUTranslations(file))["_catalog"]
    expected: dict[object, str] = {}
    for entry in entries():
        for key, text in entry.items():
            if plural := re.fullmatch(r"msgstr\[(\d)\]", key):
                expected[entry["msgid"], int(plural[1])] = text
            elif key == "msgstr":
                expected[entry["msgid"]] = text
    assert {key: text for key, text in compiled.items() if key} == expected


def test_french_typography() -> None:
    """Spaces before high punctuation and inside guillemets do not break; apostrophes are curved."""
    wrong = re.compile(r"(?<![\u00a0\u202f])[:;!?»](?=\s|$)|«(?![\u00a0\u202f])|'")
    assert [text for _, text in translations() if wrong.search(text)] == []
