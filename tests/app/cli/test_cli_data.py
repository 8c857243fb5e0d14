#!/usr/bin/python3
# ctest: data share
"""Extraction of real volumes: the known facts with every method, and meshes that an independent
checker accepts, of volumes below 2 MiB. The methods take turns, two per isovalue; CUBIST_EVERY_METHOD=1:
all methods for every isovalue, of all volumes. Small volumes are also extracted in parts, with the smallest
budget that is not refused; CUBIST_EVERY_PART=1: all volumes."""
import hashlib
import math
import os
import re

from cli import *


EVERY = os.environ.get("CUBIST_EVERY_METHOD") == "1"
EVERY_PART = os.environ.get("CUBIST_EVERY_PART") == "1"
turn = 0


def next_methods(every, count):
    """The next few, of the first and those whose turn it is."""
    global turn
    taken = [every[(turn + i) % len(every)] for i in range(count)]
    turn += count
    return taken


def in_parts(raw, iso, method, mesh):
    """The report of an extraction in the smallest budget."""
    def run(budget):
        return cubist("extract", raw, "--iso", iso, "--method", method, "--json", "--memory-budget", str(budget),
                      "-o", mesh, timeout=280)
    ran = run(1)
    need = re.search(r"needs ([\d.]+) MiB \(\d+ bytes\)", ran.err)
    if need:
        ran = run(math.ceil(float(need[1])))
    return ran


def real_volumes(folder):
    index = os.path.join(DATA, "INDEX.md")
    if not os.path.exists(index):
        skip("the real volumes are not here (CUBIST_DATA)")
    with open(index) as file:
        rows = re.findall(r"^\| (\S+\.raw) \| (\S+) \| (\d+) \| (\d+) \| (\d+) \|$", file.read(), re.M)
    check(len(rows) >= 20, "rows in INDEX.md:", len(rows))
    checker = have_checker()
    if not checker:
        print("not tried: check_mesh.py needs python3-numpy and CUBIST_TOOLS")
    every = methods()
    for name, iso, _inside, cells, vertices in rows if WHOLE or EVERY or EVERY_PART else rows[::3]:
        raw = os.path.join(DATA, name)
        if os.path.getsize(raw) >= 2 << 20 and not (EVERY or EVERY_PART):
            continue
        digests = set()
        for method in (every if EVERY else next_methods(every, 2)):
            mesh = os.path.join(folder, "mesh.ply")
            ran = cubist("extract", raw, "--iso", iso, "--method", method, "--json", "-o", mesh)
            if not check(ran.code == 0, ran):
                continue
            found = ran.json()
            check((found["active_cells"], found["vertices"]) == (int(cells), int(vertices)), name, iso, method,
                  "expected", cells, vertices, "found", found["active_cells"], found["vertices"])
            check(found["watertight"] is True, name, iso, method, "is not watertight")
            with open(mesh, "rb") as file:
                digests.add(hashlib.sha256(file.read()).digest())
        if EVERY_PART or os.path.getsize(raw) < 200000:
            ran = in_parts(raw, iso, every[turn % len(every)], mesh)
            if check(ran.code == 0, ran):
                found = ran.json()
                check((found["active_cells"], found["vertices"]) == (int(cells), int(vertices)), "parts:", ran)
                check(found["device_bytes"] <= found["slabs"]["budget_bytes"], "parts held more:", ran)
                with open(mesh, "rb") as file:
                    digests.add(hashlib.sha256(file.read()).digest())
        check(len(digests) == 1, name, iso, "the methods wrote different meshes")
        if checker:
            check_mesh(mesh, raw, iso)


need_device()
with Folder() as top:
    real_volumes(top)
finish()
