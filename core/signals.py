"""What other parts of the service are told of."""

from __future__ import annotations

from django.dispatch import Signal

# Somebody's password was replaced by another, or taken away; sent with `user`, inside the transaction that saves it.
password_replaced = Signal()
