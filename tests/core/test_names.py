"""Names: one form each, every script as it is written, and nothing that hides."""

from __future__ import annotations

import unicodedata
from string import ascii_letters

import pytest
from confusable_homoglyphs.confusables import confusables_data
from hypothesis import given
from hypothesis import strategies as st

from core.likeness import alike, looks, prototype
from core.names import LONGEST, NameInvalidError, clean_name, unlinked
from core.short_names import sort_key


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("  Ana \u00a0 B. ", "Ana B."),
        ("Zoe\u0308", "Zoë"),
        ("e\u0301" * 60, "é" * 60),
        ("<b>", "<b>"),
        ("=1+1", "=1+1"),
    ],
)
def test_names_have_one_form(given, name):
    assert clean_name(given) == name
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Locked: https://evil.example/unlock", "Locked: https: / /evil. example/unlock"),
        ("www.evil.com", "www. evil. com"),
        ("evil\u3002com//x", "evil\u3002 com/ /x"),
        ("ana@evil.com", "ana@ evil. com"),
        ("mailto:eve tel:+331", "mailto: eve tel: +331"),
        ("J.R. Smith", "J. R. Smith"),
        ("Ana\nB.", "Ana B."),
    ],
)
def test_nothing_in_a_name_becomes_a_link_where_it_is_told(name, written):
    assert unlinked(name) == written
    assert unlinked(written) == written


@pytest.mark.parametrize("name", ["Ana B.", "Dr. Who", "Zoé 2.0", "@everyone", "Ana :)", "10:30", "AC/DC", "…"])
def test_other_names_are_told_as_they_are(name):
    assert unlinked(name) == name


LEGAL = {
    "Arabic": ["محمد", "عَلِيّ", "نرم\u200cافزار"],
    "Armenian": ["Արամ"],
    "Bengali": ["র\u200d্যাব", "ক্ষমা"],
    "Burmese": ["မြန်မာ"],
    "Chinese": ["李小龍", "𠮷野"],
    "Cyrillic": ["Дарья-Мария", "Їжак", "DJ Иван"],
    "Devanagari": ["राष्ट्र", "क्\u200dष", "श्री"],
    "emoji": ["👩\u200d🚀", "👍🏽", "1\ufe0f\u20e3", "❤\ufe0f", "🏳\ufe0f\u200d🌈", "🧔🏽\u200d♂\ufe0f", "🎲", "🫨"],
    "flags": ["🇫🇷", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"],
    "Georgian": ["ნინო"],
    "Greek": ["Γιώργος", "Ωmega"],
    "Hebrew": ["משה", "שָּׁלוֹם", "אַבְרָהָם"],
    "Japanese": ["葛\U000e0100城", "さくら", "ガブリエル", "田中ゆき"],
    "Khmer": ["ខ្មែរ"],
    "Korean": ["김철수", "박하늘"],
    "Malayalam": ["മലയാളം ന്\u200d"],
    "Mongolian": ["ᠮᠣᠩᠭᠣᠯ"],
    "Navajo": ["ǫ́ dóó"],
    "Sinhala": ["ශ්\u200dරී"],
    "Tamil": ["தமிழ்"],
    "Thai": ["สมชาย", "กู้"],
    "Tibetan": ["བསྒྲུབས"],
    "Vietnamese": ["Nguyễn Thị Ế", unicodedata.normalize("NFD", "Trần Đường Ữ")],
    "Yoruba": ["Ọlọ́run", "ẹ̀kọ́"],
    "others": ["O’Neill", "D'Arcy", "X Æ A-12", "Ştefan", "ʻIolani", "3", "Łukasz", "lse_aaaaaaaaaaaaaaaa"],
}


@pytest.mark.parametrize("script", LEGAL)
def test_names_of_every_script_pass_as_they_are_written(script):
    for name in LEGAL[script]:
        assert clean_name(name) == unicodedata.normalize("NFC", name)


HIDDEN = {
    "nothing": ["", " ", "\u0301", "\u200d", "\u200b", "...", "--", "\u2003"],
    "controls": ["a\0", "a\tb", "a\x7fb", "a\ud800", "a\ue000", "a\uffff", "a\U000e0fffb"],
    "directions": [f"a{chr(mark)}b" for mark in [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F]],
    "no width": ["a\ufeffb", "a\u00adb", "a\u2060b", "x\u034fy"],
    "joiners": ["Ana\u200d", "A\u200dna", "Ana\u200c", "\u200dAna", "😀\u200d", "Ana \u200d B", "ا\u200cAna"],
    "variants": ["Ana\ufe0f", "A\U000e0100na", "A\ufe00na", "1\ufe0f", "\ufe0fAna"],
    "fillers": [
        "\u3164",
        "\u2800",
        "Ana\u3164",
        "\u2800Ana",
        "\u115f\u1160",
        "\uffa0",
        "Ana\u17b4",
        "\ufffc",
        "\U00013441",
        "\U00013442Ana",
    ],
    "tags": ["\U000e0041Ana", "Ana\U000e0061\U000e007f", "🏴\U000e0067\U000e0062\U000e0041\U000e007f"],
    "piles": ["Z\u0301\u0300\u0302a", "ก" + "็" * 3, "Ana \u0301", "\u0301Ana", "ế\u0328", "Z" + "\u0336" * 2],
    "twins": ["Аna", "αlpha", "Pоker", "jоhn Аna"],
    "too long": ["x" * 61, "\u0301\u0316" * 5_000],
}


@pytest.mark.parametrize("kind", HIDDEN)
def test_names_nobody_can_see_or_tell_apart_are_refused(kind):
    for name in HIDDEN[kind]:
        with pytest.raises(NameInvalidError):
            clean_name(name)


@given(st.text(max_size=4 * LONGEST + 8))
def test_a_name_that_passes_is_visible_bounded_and_stays_as_it_is(text):
    try:
        name = clean_name(text)
    except NameInvalidError:
        return
    assert clean_name(name) == name
    assert 0 < len(name) <= LONGEST
    assert not {"Cc", "Cs", "Co", "Zl", "Zp"} & {unicodedata.category(each) for each in name}
    assert not set(name) & set("\u3164\u2800\u115f\u1160\u200b\u202e\u2066\ufeff")


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20))
def test_looks_do_not_depend_on_case_width_accents_or_joiners(text):
    assert looks(text) & looks(text.upper()) or looks(text) & looks(text.lower())
    assert alike(text, [unicodedata.normalize("NFKC", text)])
    assert alike(text + "\u200d", [text])
    assert alike("a" + text, ["á" + text])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "Аnа"),
        ("Сара", "Capa"),
        ("Alex", "Аӏех"),
        ("NICO", "ΝΙϹΟ"),
        ("Coco", "ϲοϲο"),
        ("Stefan", "Steſan"),
        ("Olli", "O│li"),
        ("Olli", "O❘⏐i"),
        ("Ines", "丨nes"),
        ("Olli", "O⼁li"),
        ("Olli", "O।׀i"),
        ("Olli", "○lli"),
        ("Lisa", "ꓡꓲꓢꓮ"),
        ("Alice", "AIice"),
        ("Alice", "A1ice"),
        ("ALICE", "alice"),
        ("Zoe", "Zoë"),
        ("Ana", "Ａｎａ"),
        ("Ana", "𝐀𝐧𝐚"),
        ("Ana", "Ana."),
        ("Ana B", "AnaB"),
        ("Lukasz", "Łukasz"),
        ("葛城", "葛\U000e0100城"),
        ("نرم\u200cافزار", "نرمافزار"),
        ("O'Brien", "O\u02bcBrien"),
        ("O’Brien", "O\u02bbBrien"),
        ("O\u02bcBrien", "O`Brien"),
        ("O\u02bcBrien", "O´Brien"),
        ("Мар'яна", "Мар\u02bcяна"),
        ("Anne-Marie", "Anne\u2212Marie"),
        ("Ana!", "Ana\u01c3"),
        ("علی", "على"),
        ("کیان", "كيان"),
        ("محمد", "محم\u0640د"),
        ("ANA", "ᴀɴᴀ"),
        ("Ana", "Ana\u2d7f"),
        ("Ana", "A\U0001107fna"),
        ("Ana", "Ana\u05b0"),
        ("Ana", "ⓐna"),
        ("Ana", "🄰na"),
        ("Ana", "🅐🅝🅐"),
        ("Ana", "🅰\ufe0fna"),
        ("Ines", "🅸nes"),
        ("Ana 2", "Ana ②"),
        ("Ana 2", "Ana ❷"),
        ("Ana 12", "Ana ⓬"),
        ("Bill", "Biǁ"),
        ("BILL", "biǁ"),
        ("Bill", "Bi∥"),
        ("Bill", "Bi‖"),
        ("Cooper", "Cꝏper"),
        ("Cooper", "CꝎPER"),
        ("Cooper", "C∞per"),
        ("Aaron", "Ꜳron"),
        ("Mats", "Maʦ"),
        ("Laura", "Lꜷra"),
        ("Крылов", "КРЫЛОВ"),
        ("Emma", "E𑜀ma"),
    ],
)
def test_names_that_look_the_same_are_alike(one, other):
    assert alike(one, [other]) == [other]
    assert alike(other, [one]) == [one]


def test_letters_that_unicode_takes_for_latin_ones_look_like_them():
    letters = [
        letter for code in range(0x3000) if (letter := chr(code)).isalpha() and prototype(letter) in ascii_letters
    ]
    assert [letter for letter in letters if not alike(letter, [prototype(letter)])] == ["\u037a"], "a mark on its own"


def test_characters_that_unicode_takes_for_several_plain_ones_look_like_them():
    pairs = [
        (character, each["c"])
        for character, others in confusables_data.items()
        for each in others
        if len(character) == 1 and not character.isascii() and len(each["c"]) > 1
    ]
    plain = [(one, other) for one, other in pairs if other.isascii() and other.isalnum() and other != "rn"]
    assert len(plain) > 70
    assert [one for one, other in plain if not alike(f"Kim {one}", [f"Kim {other}"])] == []
    assert all(alike(one, ["m"]) for one, other in pairs if other == "rn")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "Anna"),
        ("Ana", "Ana 2"),
        ("Player 1", "Player 2"),
        ("राम", "रमा"),
        ("علي", "علا"),
        ("🎲", "🎯"),
        ("กา", "กู"),
        ("アン", "アーン"),
        ("ノノ", "ナナ"),
        ("Ana FR", "Ana 🇫🇷"),
        ("Ana ❶", "Ana ❷"),
        ("Erna", "Ema"),
        ("Wim", "VVim"),
        ("Dora", "clora"),
        ("Юлия", "Олия"),
    ],
)
def test_names_that_look_different_are_not(one, other):
    assert alike(one, [other]) == []


def test_names_sort_as_people_sort_them():
    names = ["Zoé", "élan", "Oeuf", "Ångström", "Ana", "Øystein", "Łukasz", "Œdipe", "Olga", "Emil", "Lutz", "bo"]
    assert sorted(names, key=sort_key) == [
        "Ana", "Ångström", "bo", "élan", "Emil", "Łukasz", "Lutz", "Œdipe", "Oeuf", "Olga", "Øystein", "Zoé",
    ]  # fmt: skip
