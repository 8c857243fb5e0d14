#!/usr/bin/env python3
# ctest: long
"""The suggested isovalue shows what a volume was made to show, in all volumes of a table of people's
judgements but those that tests/bench/results/suggestion.md names."""
import os
import re
import subprocess
import sys

from cli import *

bench = os.path.join(os.path.join(os.environ["CUBIST_SOURCE"], "tests"), "bench")
table = os.path.join(os.environ.get("CUBIST_DATA", ""), "first.json")
if not os.path.exists(table):
    print("no table at CUBIST_DATA: skipped")
    sys.exit(77)
ran = subprocess.run([sys.executable, os.path.join(bench, "suggestion.py"), CUBIST, table], check=True,
                     capture_output=True, text=True)
with open(os.path.join(bench, "results", "suggestion.md")) as file:
    known = set(re.findall(r"^\| (\S+) \|", file.read(), re.M))
failed = set(re.findall(r"^\| (\S+) \|", ran.stdout, re.M)) - {"volume", "---"}
check(failed <= known, "volumes that the suggestion misses:", failed - known)
right = int(re.search(r"^(\d+) of", ran.stdout, re.M)[1])
check(right >= 30, "volumes that were tried:", ran.stdout)
