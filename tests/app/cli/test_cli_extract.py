#!/usr/bin/python3
# ctest: heavy share
"""Extraction by the command line, of small volumes: their known facts, all storages on the device, and
edge cases that every method must handle."""
import itertools
import math
import os
import re
import struct

from cli import *


def small_volumes(folder):
    """Generated ones: analytic facts, spacing, and the ways to keep the volume on the device."""
    raw = sample(folder, "sphere", "33x35x31", "float32")
    info = cubist("info", raw, "--json").json()
    iso = str(info["range"][0] + 0.5 * (info["range"][1] - info["range"][0]))
    plain = os.path.join(folder, "plain.ply")
    unit = cubist("extract", raw, "--iso", iso, "--json", "-o", plain).json()
    check(unit["closed"] and unit["volume"] > 0, "a sphere is closed:", unit)
    # Of all bodies a ball has the least area for its volume; marching cubes come close to it.
    ball = (36 * math.pi * unit["volume"] ** 2) ** (1 / 3)
    check(0.99 < unit["area"] / ball < 1.1, "area and volume of a sphere:", unit["area"], ball)
    scaled = os.path.join(folder, "scaled.ply")
    other = cubist("extract", raw, "--iso", iso, "--json", "--spacing", "2,2,2", "-o", scaled).json()
    check(math.isclose(other["area"], 4 * unit["area"], rel_tol=1e-5), "area in the volume's units")
    check(math.isclose(other["volume"], 8 * unit["volume"], rel_tol=1e-5), "volume in the volume's units")
    if have_checker():
        check_mesh(plain, raw, iso)
        check_mesh(scaled, raw, iso, "--spacing", "2,2,2")
    with open(plain, "rb") as file:
        wanted = file.read()
    again = os.path.join(folder, "again.ply")
    for knobs in [], ["--storage", "image"], ["--storage", "buffer"], \
            ["--storage", "image", "--max-extent", "64"], ["--storage", "buffer", "--max-extent", "40"]:
        for method in next_methods():
            ran = cubist("extract", raw, "--iso", iso, "--method", method, *knobs, "-o", again)
            with open(again, "rb") as file:
                check(ran.code == 0 and file.read() == wanted, "another mesh:", ran)
    ran = cubist("extract", raw, "--max-extent", "8")
    check(ran.code == 4 and len(ran.err.splitlines()) == 1, "a slice larger than an image:", ran)


def edge_cases(folder):
    def floats(name, values, dims="4x4x4"):
        path = os.path.join(folder, f"{name}_{dims}_float32.raw")
        with open(path, "wb") as file:
            file.write(struct.pack(f"<{len(values)}f", *values))
        return path
    ramp = [float(i % 4) for i in range(64)]
    hole = list(ramp)
    hole[21] = float("nan")
    infinite = list(ramp)
    infinite[42] = float("-inf")
    checker = [float((i + i // 4 + i // 16) % 2) for i in range(64)]
    table = [
        # (volume, isovalue, active cells or None, words on stderr)
        (floats("ramp", ramp), "1.5", 9, None),
        (floats("ramp", ramp), "1", 9, None),
        (floats("ramp", ramp), "50%", 9, None),
        (floats("ramp", ramp), "0", 0, "lower end"),
        (floats("ramp", ramp), "-1", 0, "outside the range|lies outside"),
        (floats("ramp", ramp), "3", 9, None),
        (floats("ramp", ramp), "3.5", 0, "outside"),
        (floats("ramp", ramp), "-1e308", 0, "outside"),
        (floats("hole", hole), "1.5", 5, None),
        (floats("infinite", infinite), "1.5", 5, None),
        (floats("constant", [7.0] * 64), "7", 0, "empty"),
        (floats("constant", [7.0] * 64), "auto", 0, "empty"),
        (floats("nothing", [float("nan")] * 64), "auto", 0, "no sample is finite"),
        (floats("checker", checker), "0.5", 27, None),
        (floats("denormal", [v * 1e-44 for v in ramp]), "2e-44", None, None),
        (floats("least", [0, 0, 0, 0, 0, 0, 0, 1], "2x2x2"), "0.5", 1, None),
    ]
    for raw, iso, cells, words in table if WHOLE else table[1::2]:
        for method in next_methods():
            mesh = os.path.join(folder, "edge.ply")
            ran = cubist("extract", raw, "--iso", iso, "--method", method, "--json", "-o", mesh)
            if not check(ran.code == 0, ran):
                continue
            found = ran.json()
            check(cells is None or found["active_cells"] == cells, f"expected {cells} cells:", ran)
            check((found["triangles"] == 0) == (found["active_cells"] == 0), "cells make triangles:", ran)
            check(found["watertight"] or "hole" in raw or "infinite" in raw, "watertight:", ran)
            check(bool(re.search(words, ran.err)) if words else ran.err == "", f"stderr, expected {words}:", ran)
        # Every method where the cells are of another kind, otherwise in turn.
        whole = "checker" in raw or WHOLE and (iso == "1.5" or "nothing" in raw)
        ran = cubist("verify", raw, "--iso", iso, *([] if whole else ["--method", next(turns)]))
        check(ran.code == 0, "verify:", ran)
    integers = sample(folder, "torus", "20x21x22", "int16")
    for iso in "0", "0.5", "-0.5", "100.25", "40%":
        one = [] if iso == "0.5" else ["--method", next(turns)]
        check(cubist("verify", integers, "--iso", iso, *one).code == 0, "integers at", iso)


def percentiles(folder):
    """pN is a sample with N % of all at or below it; each command and the bench read it."""
    values = [0, 0, 0, 0, 10, 20, 30, 40] * 8
    raw = os.path.join(folder, "p_4x4x4_uint8.raw")
    with open(raw, "wb") as file:
        file.write(bytes(values))
    for text, iso in ("p50", 0), ("p50.1", 10), ("p75", 20), ("p99", 40), ("p100", 40), ("p0", 0), ("p62.5", 10):
        ran = cubist("extract", raw, "--iso", text, "--json")
        check(ran.code == 0 and ran.json()["iso"] == iso, f"{text} is {iso}:", ran)
    check(cubist("verify", raw, "--iso", "p75").code == 0, "verify at p75")
    ran = cubist("bench", "extract", raw, "--iso", "p62.5,p75", "--repeat", "1", "--json")
    check([run["iso"] for run in ran.json()["runs"]] == [10, 20], "bench:", ran)


def one_answer(folder):
    """A method that takes fewer cells at a time than the volume has works part by part, within a
    budget and without one: the same surface."""
    raw = sample(folder, "sphere", "290x290x290")
    picture = os.path.join(folder, "parts.png")
    found = set()
    for more in ["--method", "redzone-1"], ["--method", "redzone-1", "--memory-budget", "8000"], []:
        ran = cubist("render", raw, "--iso", "50%", "--size", "64", *more, "-o", picture)
        slabs = re.search(r"^volume parts +(\d+) of", ran.out, re.M)
        check(ran.code == 0 and (slabs[1] if slabs else "1") == ("2" if more else "1"), "parts:", ran)
        found.add(re.search(r"([\d,]+) triangles by|$", ran.out)[1])
    check(len(found) == 1 and None not in found, "another surface:", found)


def next_methods():
    """The next in turn, or the next three."""
    return [next(turns) for _ in range(3 if WHOLE else 1)]


need_device()
turns = itertools.cycle(methods())
with Folder() as top:
    edge_cases(top)
    small_volumes(top)
    percentiles(top)
    one_answer(top)
finish()
