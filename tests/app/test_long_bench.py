#!/usr/bin/python3
# ctest: long
"""The longest streams of bench, more words than fit a texel buffer; 256M where the device binds so many."""
from cli import *

need_device()
LONGEST = 256 << 20
for method in "ink-collate", "chag-ballot", "histopyramid-vec4", "horn", "scan-scatter-bl", "redzone-2":
    ran = cubist("bench", "compaction", "--size", "31M,256M", "--method", method, "--repeat", "1", "--density", "10",
                 "--json", timeout=900)
    if not check(ran.code == 0, ran):
        continue
    sizes = {row["size"] for row in ran.json()["rows"] if row["method"] == method}
    left_out = " ".join(f"{left}" for left in ran.json()["left_out"])
    check(31 << 20 in sizes, f"31M words by {method}:", ran)
    check(LONGEST in sizes or "256M" in left_out or method in left_out, "256M words, or why not:", ran)
    print(f"{method}: {sorted(sizes)} {left_out}")
ran = cubist("bench", "compaction", "--size", "256M", "--method", "horn", "--repeat", "1", "--density", "10")
check(ran.code == 0 or ran.code == 4 and "one buffer of this device holds" in ran.err, "a row, or no success without one:", ran)
finish()
