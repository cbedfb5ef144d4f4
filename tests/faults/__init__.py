"""Faults and abuses, on real processes: `docs/reliability.md` lists them and their figures."""
