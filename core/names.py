"""Names that people give to players, clubs and events. What is markup or a formula elsewhere is a name here."""

from __future__ import annotations

import unicodedata
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.errors import DomainError

LONGEST = 60
JOINERS = "\u200c\u200d"  # invisible, and part of how Persian words and many emoji are written
INVISIBLE = {"Cc", "Cf", "Cs"}  # controls, formats such as bidirectional overrides, lone surrogates
VISIBLE = "LNPS"  # letters, numbers, punctuation, symbols


class NameInvalidError(DomainError):
    """A name is empty, too long, or has characters that nobody can see."""

    code = "name-invalid"
    status = 400


def clean_name(text: str, *, longest: int = LONGEST) -> str:
    """Return a name in its one form: composed (NFC), with single spaces; raises `NameInvalidError`."""
    text = text.strip()
    # Composing takes quadratic time on hostile input, so it never sees more than could shrink to a name.
    if len(text) <= 4 * longest:
        if any(unicodedata.category(each) in INVISIBLE and each not in JOINERS for each in text):
            raise NameInvalidError(_("A name cannot have control characters or invisible marks."))
        text = " ".join(unicodedata.normalize("NFC", text).split())
    if len(text) > longest:
        raise NameInvalidError(_("A name can have {longest} characters at the most.").format(longest=longest))
    if not any(unicodedata.category(each)[0] in VISIBLE for each in text):
        raise NameInvalidError(_("Give a name."))
    return text


class NameField(serializers.CharField):
    """A name in the body of a request."""

    def __init__(self, *, longest: int = LONGEST, **options: Any) -> None:
        self.longest = longest
        super().__init__(max_length=longest, **options)

    def to_internal_value(self, data: Any) -> str:
        """Return the name in its one form."""
        try:
            return clean_name(super().to_internal_value(data), longest=self.longest)
        except NameInvalidError as error:
            raise serializers.ValidationError(error.detail, code=error.code) from None
