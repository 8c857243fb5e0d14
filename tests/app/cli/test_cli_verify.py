#!/usr/bin/python3
# ctest: plain share
"""`cubist verify` detects errors: it passes for correct results, and exits with 6 for each kind of damage."""
import itertools
import math
import os
import re

from cli import *


def sound(folder):
    volumes = ("sphere", "9x7x5", "uint8"), ("torus", "33x17x9", "uint16"), ("gyroid", "16x16x16", "float32"), \
        ("marschner-lobb", "41x41x41", "int8"), ("default", "40x36x32", "uint8"), ("gyroid", "2x3x7", "int32"), \
        ("sphere", "20x20x20", "uint32"), ("torus", "20x20x20", "float64"), ("gyroid", "12x12x12", "int16")
    isovalues = "50%", "auto", "30%", "-5%", "105%"
    for i, (name, dims, kind) in enumerate(volumes):
        raw = sample(folder, name, dims, kind)
        # All methods once, or once for each size of sample; for the other isovalues they take turns.
        every = ("uint8", "uint16", "float32") if WHOLE else ("float32",)
        for iso in isovalues if WHOLE else isovalues[i % 3::3]:  # by default in turns
            one = [] if iso == "50%" and kind in every else ["--method", next(turns)]
            ran = cubist("verify", raw, "--iso", iso, "--json", *one)
            check(ran.code == 0 and ran.json()["ok"] and all(c["ok"] for c in ran.json()["checks"]), "sound:", ran)


def damaged(folder):
    raw = sample(folder, "default", "40x36x32")
    all_methods = {c["method"] for c in cubist("verify", raw, "--json").json()["checks"]}
    # The check that must notice, for each damage.
    for damage, noticing in ("drop-cell", "active_cells"), ("flip-index", "connectivity"), ("move-vertex", "positions"):
        for one in [["--method", next(turns)] for _ in range(3 if WHOLE else 1)] + [[]]:
            ran = cubist("verify", raw, "--break", damage, "--json", *one)
            if not check(ran.code == 6, f"{damage} was not noticed:", ran):
                continue
            bad = {(c["method"], c["name"]) for c in ran.json()["checks"] if not c["ok"]}
            for method in [one[1]] if one else all_methods if damage == "drop-cell" else all_methods - CPU:
                check((method, noticing) in bad, damage, "of", method, "was noticed by", bad)
            check(ran.json()["ok"] is False and len(ran.err.splitlines()) == 1, "one line says so:", ran)
        ran = cubist("verify", raw, "--break", damage)
        check(ran.code == 6 and "FAIL" in ran.out and "\nok " in ran.out, "for people:", ran)
        check(re.match(r"cubist: the device's surface differs from the CPU's at isovalue \S+: \d+ of \d+ checks failed\n$",
                       ran.err) and "surface" not in ran.out, "one verdict:", ran)
        quiet = cubist("verify", raw, "--break", damage, "-q")
        check(quiet.code == 6 and quiet.err == ran.err and quiet.out and
              all(line.startswith("FAIL ") for line in quiet.out.splitlines()), "what fails, and the verdict:", quiet)
    ran = cubist("verify", raw, "--method", "ink-collate")
    verdict = re.match(r"the device's surface equals the CPU's at isovalue \S+: (\d+) of (\d+) checks passed$",
                       ran.out.splitlines()[-1])
    check(ran.code == 0 and verdict and verdict[1] == verdict[2], "the verdict:", ran)
    quiet = cubist("verify", raw, "--method", "ink-collate", "-q")
    check(quiet.code == 0 and quiet.out == ran.out.splitlines(True)[-1] and not quiet.err, "only the verdict:", quiet)
    ran = cubist("verify", raw, "--iso", "-1", "--break", "drop-cell")
    check(ran.code == 2, "nothing to damage:", ran)


def several(folder):
    """Some methods, by name, of triangles and of rays."""
    raw = sample(folder, "default", "40x36x32")
    ran = cubist("verify", raw, "--method", "chag,cpu-remove,ink-collate", "--json")
    check(ran.code == 0 and list(dict.fromkeys(c["method"] for c in ran.json()["checks"])) ==
          ["chag", "cpu-remove", "ink-collate"] and ran.json()["skipped"] == [], "those, in this order:", ran)
    ran = cubist("verify", raw, "--draw", "rays", "--size", "16x16", "--caster", "wavefront-dda", "--method", "chag,lookback", "--json")
    check(ran.code == 0 and list(dict.fromkeys(c["with"] for c in ran.json()["checks"])) == ["chag", "lookback"], "of rays:", ran)
    for text in "chag,cgah", "chag,all", "chag,":
        refused(cubist("verify", raw, "--method", text), 2, "--method (cgah|all|): expected a name from cubist methods, or all by itself")
    ran = cubist("verify", raw, "--method", "chag,cpu-remove", "--break", "move-vertex")
    check(ran.code == 2 and "cpu-remove makes only a list of cells" in ran.err, "no mesh to damage:", ran)


def in_parts(folder):
    """With --memory-budget the mesh comes from parts, the second one from those that have stayed."""
    raw = sample(folder, "torus", "33x30x26", "float32")
    low = cubist("verify", raw, "--memory-budget", "1")
    need = re.search(r"needs ([\d.]+) MiB", low.err)
    budget = str(math.ceil(float(need[1]))) if need else "1"
    for one in ["--method", next(turns)], ["--method", next(turns), "--no-skip"]:
        ran = cubist("verify", raw, "--memory-budget", budget, "--json", *one)
        if check(ran.code == 0, "sound:", ran):
            found = ran.json()
            parts, checks = found["slabs"], {c["name"]: c for c in found["checks"]}
            check(parts["count"] > 1 and parts["resident"] + parts["loaded"] + parts["missed"] == parts["count"], parts)
            check(checks["same_mesh_again"]["ok"] and checks["triangles"]["found"] > 0, "checks:", checks)
    for damage, noticing in ("flip-index", "connectivity"), ("move-vertex", "positions"):
        ran = cubist("verify", raw, "--memory-budget", budget, "--break", damage, "--method", "ink-collate", "--json")
        check(ran.code == 6 and noticing in {c["name"] for c in ran.json()["checks"] if not c["ok"]}, damage, ran)
    ran = cubist("verify", raw, "--memory-budget", budget, "--break", "drop-cell", "--method", "ink-collate")
    check(ran.code == 2 and "no list of cells" in ran.err, "there are none to drop:", ran)


def on_the_cpu(folder):
    """The methods of the CPU are checked too, cells only; nothing else takes them."""
    raw = sample(folder, "default", "40x36x32")
    whole = cubist("verify", raw, "--json").json()
    check(CPU <= {c["method"] for c in whole["checks"]}, "checked with the others:", whole["checks"])
    check(not CPU & {s["method"] for s in whole["skipped"]}, "not skipped:", whole["skipped"])
    cells = next(c["expected"] for c in whole["checks"] if c["name"] == "active_cells")
    big = sample(folder, "torus", "200x170x170")  # more cells than go into one piece of the stream
    for method in sorted(CPU):
        ran = cubist("verify", raw, "--method", method, "--json")
        checks = {c["name"]: c for c in ran.json()["checks"]}
        check(ran.code == 0 and {c["method"] for c in checks.values()} == {method}, "alone:", ran)
        check(checks["active_cells"]["found"] == cells and checks["cells"]["found"] == 0, "its cells:", ran)
        check(("stream_order" in checks) == (method != "cpu-redzone"), "order where it is promised:", ran)
        check(cubist("verify", big, "--method", method).code == 0, method, "on a large volume")
        for damage, code in ("drop-cell", 6), ("flip-index", 2), ("move-vertex", 2):
            ran = cubist("verify", raw, "--method", method, "--break", damage)
            check(ran.code == code and len(ran.err.splitlines()) == 1, damage, "of cells only:", ran)
        for command in ["extract", raw, "-o", "never.ply"], ["render", raw, "-o", "never.png"], ["view", raw]:
            ran = cubist(*command, "--method", method)
            check(ran.code == 2 and ran.err.splitlines() == [
                f"cubist: --method {method}: runs on the CPU: in bench compaction and verify"], "refused:", ran)


need_device()
CPU = {m["name"] for m in cubist("methods", "--json").json()["methods"] if m["runs_on"] == "CPU"}
check(CPU >= {"cpu-remove", "cpu-stencil", "cpu-redzone"}, "methods of the CPU:", CPU)
turns = itertools.cycle(methods())
with Folder() as top:
    sound(top)
    damaged(top)
    several(top)
    in_parts(top)
    on_the_cpu(top)
finish()
