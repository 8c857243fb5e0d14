#!/usr/bin/python3
# ctest: long
"""The longest streams of bench: 256M words, more than fit a texel buffer or a storage buffer descriptor."""
from cli import *

need_device()
for method in "ink-collate", "chag-ballot", "histopyramid-vec4", "horn", "scan-scatter-bl", "redzone-2":
    ran = cubist("bench", "compaction", "--size", "256M", "--method", method, "--repeat", "1", "--density", "10",
                 "--json", timeout=900)
    if not check(ran.code == 0, ran):
        continue
    for left in ran.json()["left_out"]:
        print(f"{method}: {left}")
    rows = ran.json()["rows"]
    check(len(rows) + len(ran.json()["left_out"]) >= 2, "a row for it and the copy, or why not:", ran)
    check(all(row["size"] == 256 << 20 for row in rows), "of that size:", rows)
finish()
