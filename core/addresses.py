"""E-mail addresses: which are one, whatever their case."""

from __future__ import annotations

from django.db.models import TextField, Value
from django.db.models.functions import Lower
from django.db.models.lookups import Exact


def is_address(field: str, address: str) -> Exact:
    """Return the condition that a field holds an address, told from others as the constraints tell them.

    `iexact` compares capitals on PostgreSQL, and those of ı and ſ are I and S: it takes two addresses for one.
    """
    return Exact(Lower(field), Lower(Value(address, TextField())))
