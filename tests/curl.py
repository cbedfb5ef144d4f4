"""Stand in for curl where the documents use it, so that the tests need none. It knows the options shown there."""

from __future__ import annotations

import argparse
import sys
import urllib.error
import urllib.request
from pathlib import Path


def main() -> None:
    """Send the request and print the body of the answer, whatever its status."""
    parser = argparse.ArgumentParser(prog="curl", allow_abbrev=False)
    parser.add_argument("url")
    parser.add_argument("-s", action="store_true")
    parser.add_argument("-N", action="store_true")
    parser.add_argument("-X", dest="method")
    parser.add_argument("-H", dest="headers", action="append", default=[])
    parser.add_argument("-d", "--data-binary", dest="data")
    options = parser.parse_args()
    headers = dict(line.split(": ", 1) for line in options.headers)
    data = None if options.data is None else _body(options.data)
    request = urllib.request.Request(options.url, data, headers, method=options.method)
    try:
        answer = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        answer = error
    sys.stdout.buffer.write(answer.read())


def _body(data: str) -> bytes:
    return Path(data[1:]).read_bytes() if data.startswith("@") else data.encode()


if __name__ == "__main__":
    main()
