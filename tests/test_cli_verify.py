#!/usr/bin/python3
# ctest: device
"""`cubist verify` proves what it says: it passes on sound results and exits 6 on each damage."""
import itertools
import os

from cli import *


def sound(folder):
    for name, dims, kind in ("sphere", "9x7x5", "uint8"), ("torus", "33x17x9", "uint16"), ("gyroid", "16x16x16", "float32"), \
            ("marschner-lobb", "41x41x41", "int8"), ("default", "40x36x32", "uint8"), ("gyroid", "2x3x7", "int32"), \
            ("sphere", "20x20x20", "uint32"), ("torus", "20x20x20", "float64"), ("gyroid", "12x12x12", "int16"):
        raw = sample(folder, name, dims, kind)
        # All methods once; for the other isovalues they take turns.
        for iso in "50%", "auto", "30%", "-5%", "105%":
            one = [] if iso == "50%" else ["--method", next(turns)]
            ran = cubist("verify", raw, "--iso", iso, "--json", *one)
            check(ran.code == 0 and ran.json()["ok"] and all(c["ok"] for c in ran.json()["checks"]), "sound:", ran)


def damaged(folder):
    raw = sample(folder, "default", "40x36x32")
    all_methods = {c["method"] for c in cubist("verify", raw, "--json").json()["checks"]}
    # The check that must notice, for each damage.
    for damage, noticing in ("drop-cell", "active_cells"), ("flip-index", "connectivity"), ("move-vertex", "positions"):
        for one in [["--method", next(turns)] for _ in range(3)] + [[]]:
            ran = cubist("verify", raw, "--break", damage, "--json", *one)
            if not check(ran.code == 6, f"{damage} was not noticed:", ran):
                continue
            bad = {(c["method"], c["name"]) for c in ran.json()["checks"] if not c["ok"]}
            for method in [one[1]] if one else all_methods:
                check((method, noticing) in bad, damage, "of", method, "was noticed by", bad)
            check(ran.json()["ok"] is False and len(ran.err.splitlines()) == 1, "one line says so:", ran)
        ran = cubist("verify", raw, "--break", damage)
        check(ran.code == 6 and "FAIL" in ran.out and "checks failed" in ran.err, "for people:", ran)
    ran = cubist("verify", raw, "--iso", "-1", "--break", "drop-cell")
    check(ran.code == 2, "nothing to damage:", ran)


need_device()
turns = itertools.cycle(methods())
with Folder() as top:
    sound(top)
    damaged(top)
finish()
