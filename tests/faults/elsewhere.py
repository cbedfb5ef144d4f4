"""Faults whose tests lie beside what they test; `./run faults` counts them."""

ELSEWHERE = {
    "tests/ops/test_certificates.py": (50, "passwords and links over plain HTTP on a café's Wi-Fi"),
    "tests/ops/test_backup.py": (52, "`restore --overwrite` with a file that is no good backup"),
    "tests/ops/test_first_commands.py": (59, "any command of the tutorial on an empty folder"),
}
