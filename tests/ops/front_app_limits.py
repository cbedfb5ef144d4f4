"""The limits of the front that `test_front.py` meets, small enough to be met."""

THREADS, WAITING, GRACE, RATE = 2, 2, 0.5, 20_000.0
HELD, SMALL = 400_000, 16_000
UNREAD, READING, PACE = 4_000_000, 4.0, 20_000.0
LONG = 1_000_000
