#!/usr/bin/python3
# ctest: plain share
"""`cubist verify --draw rays`: the device's rays meet the surface where those of the CPU do, in every view and
every volume; and it exits with 6 for each kind of damage. Rays that only touch the surface, or go where it touches
itself, are few, and what they meet is checked, too."""
import math
import os
import random
import re
import struct

from cli import *

CHECKS = ["hits", "depths", "cells", "sides", "same_again"]
ALL = "dda", "kd-jump", "single-bvh", "wavefront-dda", "wavefront-bvh"
SINGLE, ROUNDS = ALL[:3], ALL[3:]
TOTAL = len(CHECKS) + (len(CHECKS) + 1) * (len(ALL) - 1)
SMALL = "--size", "120x80"


def rays(path, *args):
    return cubist("verify", path, "--draw", "rays", *args)


def sound(path, *args, hits=True, casters=ALL if WHOLE else SINGLE):
    ran = rays(path, "--json", "-q", "--caster", ",".join(casters), *(() if "--size" in args else SMALL), *args)
    if not check(ran.code == 0 and not ran.err, "sound:", args, ran):
        return 0
    found = ran.json()
    expected = [(name, c) for name in casters for c in (CHECKS if name == ALL[0] else [*CHECKS, "same_bytes"])]
    check(found["ok"] and [(c["caster"], c["name"]) for c in found["checks"]] == expected, "all checks:", found)
    check((found["hits"] > 0) == hits, "hits:", args, found["hits"])
    return found["hits"]


def nrrd(folder, name, dims, values, directions=((1, 0, 0), (0, 1, 0), (0, 0, 1)), type="float"):
    path = os.path.join(folder, name + ".nrrd")
    with open(path, "wb") as file:
        vectors = " ".join("(%g,%g,%g)" % tuple(v) for v in directions)
        file.write(f"NRRD0004\ntype: {type}\ndimension: 3\nsizes: {dims[0]} {dims[1]} {dims[2]}\n"
                   f"space dimension: 3\nspace directions: {vectors}\nspace origin: (0,0,0)\n"
                   f"endian: little\nencoding: raw\n\n".encode())
        code = {"float": "f", "int": "i", "short": "h", "uchar": "B"}[type]
        file.write(struct.pack("<%d%s" % (len(values), code), *values))
    return path


def ball(dims, value=lambda r: 10 - r):
    middle = [(d - 1) / 2 for d in dims]
    return [value(math.dist((x, y, z), middle))
            for z in range(dims[2]) for y in range(dims[1]) for x in range(dims[0])]


def views(folder):
    """Along each axis, from inside, with parallel rays that are in faces and along edges of cells."""
    path = sample(folder, "noise", "24x21x18")
    known = ["--view", "left", "--ortho"], ["--view", "top", "--ortho", "--size", "97x61"], ["--view", "front"], \
        ["--zoom", "40"], ["--zoom", "300", "--view", "iso"], ["--camera", "11,10,9,2.5,0.6,0.2,-0.1,0.4"], \
        ["--up", "x", "--size", "1x300"], ["--size", "1x1"], ["--view", "33,-71", "--ortho"], ["--zoom", "0.01"], []
    for view in known if WHOLE else known[3:5]:
        sound(path, "--iso", "104", *view)  # the value of some samples
    sound(path, "--iso", "-3", "--size", "40x30", hits=False)
    sound(path, "--iso", "999", "--size", "40x30", hits=False)


def volumes(folder):
    """Every type, extreme values, gaps, the smallest volumes, cells that are flat, sheared or mirrored."""
    kinds = ("noise", "12x13x14", "int32"), ("noise", "2x2x2", "int8"), ("marschner-lobb", "31x31x31", "float64"), \
        ("torus", "33x17x9", "uint16"), ("gyroid", "16x16x16", "float32"), ("noise", "2x30x25", "int16"), \
        ("sphere", "20x20x20", "uint32")
    for name, dims, kind in kinds if WHOLE else kinds[:1]:
        sound(sample(folder, name, dims, kind), "--iso", "50%")
    dims = 24, 22, 20
    values = ball(dims)
    frames = ("sheared", ((-1, 0, 0), (0.5, 1, 0), (0.25, -0.5, 2))), ("flat", ((1, 0, 0), (0, 1, 0), (0, 0, 1e-3))), \
        ("small", ((1e-5, 0, 0), (0, 1e-5, 0), (0, 0, 2e-5))), ("large", ((1e5, 0, 0), (0, 1e5, 0), (0, 0, 2e5)))
    for name, directions in frames if WHOLE else frames[:1]:  # the first is mirrored, too
        sound(nrrd(folder, name, dims, values, directions), "--iso", "2")
    gaps = list(values)
    for i in range(len(gaps)):
        if i % 24 == 12 or i % 997 == 5:
            gaps[i] = [math.nan, math.inf, -math.inf][i % 3]
    sound(nrrd(folder, "gaps", dims, gaps), "--iso", "2")
    extremes = ball(dims, lambda r: 3e38 * math.cos(r))
    sound(nrrd(folder, "extremes", dims, extremes), "--iso", "1e38")
    sound(nrrd(folder, "tiny", dims, [v * 1e-42 for v in values]), "--iso", "2e-42")
    dice = random.Random(1)
    whole = [dice.choice((-2**31, -2**30, 2**24 + 1, 2**31 - 1)) for _ in range(1000)]
    sound(nrrd(folder, "whole", (10, 10, 10), whole, type="int"), "--iso", "0")
    levels = [dice.randrange(3) for _ in range(1000)]  # whole faces have the isovalue
    sound(nrrd(folder, "levels", (10, 10, 10), levels, type="uchar"), "--iso", "1", "--ortho", "--view", "front")
    sound(nrrd(folder, "constant", (10, 10, 10), [7] * 1000, type="uchar"), "--iso", "7", hits=False)


def touching(folder):
    """Surfaces that touch themselves in edges and corners, or everywhere; and values that no scale holds at once."""
    dice, dims = random.Random(36), (24, 22, 20)
    count = math.prod(dims)
    places = [(i % 24, i // 24 % 22, i // 528) for i in range(count)]
    blocks = [sum(v // 4 for v in at) % 2 for at in places]
    extremes = 3e38, -3e38, 1e38, 1e-38, -1e-38, 1e-45, 0
    ways = ("blocks", dims, blocks, "uchar", "0.5"), \
        ("labels", dims, [dice.randrange(4) for _ in places], "uchar", "2"), \
        ("two", (17, 15, 33), [dice.choice((7, 8)) for _ in range(17 * 15 * 33)], "short", "8"), \
        ("scales", (5, 9, 17), [dice.choice(extremes) for _ in range(765)], "float", "0")
    views = (), ("--view", "33,-71", "--ortho"), ("--view", "30,0", "--size", "97x61"), ("--zoom", "5"), \
        ("--size", "640x400"), ("--view", "top", "--ortho", "--size", "160x121")
    for name, size, values, kind, iso in ways:
        path = nrrd(folder, name, size, values, type=kind)
        for view in views if WHOLE else views[1:2]:
            ran = rays(path, "--iso", iso, "--json", "-q", "--caster", ",".join(ALL if WHOLE else ALL[:1]),
                       *(() if "--size" in view else ("--size", "200x150")), *view)
            if check(ran.code == 0, name, view, ran):
                found = ran.json()
                check(found["hits"] > 500 and found["touching"] <= found["hits"] / 20, "few touch:", name, view, found)
        for damage in ("hits", "depths", "cells", "sides") if WHOLE or name == "labels" else ():
            ran = rays(path, "--iso", iso, "--caster", "dda", *SMALL, "--break", damage, "--json")
            bad = [c["name"] for c in ran.json()["checks"] if not c["ok"]]
            check(ran.code == 6 and bad == [damage], name, damage, "was noticed by", bad, ran)
    ran = rays(os.path.join(folder, "blocks.nrrd"), "--iso", "0.5", "--caster", "dda", *SMALL, "-q")
    check(ran.code == 0 and re.search(r" rays hit, [\d,]+ only touch the surface or go where it touches itself, ", ran.out),
          ran)


def damaged(folder):
    path = sample(folder, "torus", "33x17x9", "uint16")
    for damage in "hits", "depths", "cells", "sides":
        ran = rays(path, *SMALL, "--break", damage, "--json")
        bad = [c["name"] for c in ran.json()["checks"] if not c["ok"]]
        check(ran.code == 6 and bad == [damage] and not ran.json()["ok"], damage, "was noticed by", bad, ran)
        check(ran.err.count("\n") == 1, "one line says so:", ran)
    ran = rays(path, *SMALL, "--break", "depths")
    check(ran.code == 6 and re.search(r"^FAIL  dda +depths differing +2, must be at most 1: for example pixel \(\d+, \d+\); "
                                      r"at most 0\.\d+ voxels off$", ran.out, re.M), "for people:", ran)
    check(re.match(rf"cubist: the device's rays differ from the CPU's at isovalue \S+: 1 of {TOTAL} checks failed\n$", ran.err),
          "one verdict:", ran)
    ran = rays(path, *SMALL, "-q")
    verdict = r"the device's rays equal the CPU's at isovalue \S+: [\d,]+ of 9,600 rays hit, [\d,]+ only touch the surface " \
              rf"or go where it touches itself, {TOTAL} of {TOTAL} checks passed\n$"
    check(ran.code == 0 and re.match(verdict, ran.out), "only the verdict:", ran)
    ran = rays(path, *SMALL, "--break", "bytes", "--json")
    bad = [(c["caster"], c["name"], c["found"]) for c in ran.json()["checks"] if not c["ok"]]
    check(ran.code == 6 and bad == [(ALL[-1], "same_bytes", 2)], "bytes were noticed by", bad, ran)
    lists = ("single-bvh,dda", (ALL[0], ALL[2])), ("all", ALL), ("kd-jump", ALL[1:2])
    for names in lists if WHOLE else lists[:1]:
        ran = rays(path, "--caster", names[0], *SMALL, "--json")
        check(ran.code == 0 and {c["caster"] for c in ran.json()["checks"]} == {*names[1]}, "by name:", names, ran)
    refused(rays(path, "--caster", "dda,", *SMALL), 2, "--caster : expected all, dda")
    refused(rays(path, *SMALL, "--iso", "-1", "--break", "depths"), 2, "no hits to damage|fewer than two hits")
    refused(rays(path, "--break", "flip-index"), 2, "--draw triangles$")
    refused(cubist("verify", path, "--break", "sides"), 2, "--draw rays$")
    methods_of_rays(path)
    refused(cubist("verify", path, "--view", "front"), 2, "--view only with --draw rays$")
    refused(rays(path, "--caster", "dba"), 2, "did you mean dda.$")


def together(folder):
    """With planes and layers all isovalues are one picture: what rays meet behind planes and layer by layer."""
    noise, torus = sample(folder, "noise", "24x21x18"), sample(folder, "torus", "33x17x9", "uint16")
    dice = random.Random(36)
    labels = nrrd(folder, "dice", (24, 22, 20), [dice.randrange(4) for _ in range(24 * 22 * 20)], type="uchar")
    new = {"isos", "planes", "layers", "crossings"}
    layered = "--opacity", "0.1,0.2,0.05"
    ways = (noise, "104,130.5", "--clip", "x=50%,view=40%", "--clip-all"), (noise, "104,130,90", *layered), \
        (noise, "104,130", "--opacity", "0.3,1", "--clip", "-x=50%@1;y=8@1"), (torus, "50%", "--opacity", "0.5"), \
        (labels, "2,1", "--opacity", "0.2", "--clip", "1,2,0.3,30;-k=12"), (noise, "104", "--clip", "i=9,j=9,k=9"), \
        (noise, "104,104,104.001", "--opacity", "0.4", "--ortho", "--view", "top"), (torus, "9999,50%", "--opacity", "0,1")
    for path, isos, *options in ways if WHOLE else ways[:2]:
        ran = rays(path, "--iso", isos, "--json", "-q", "--caster", ",".join(ALL if WHOLE else (ALL[0], ALL[3])), *SMALL,
                   *options)
        if not check(ran.code == 0 and not ran.err, ran):
            continue
        found = ran.json()
        shown, several = len(found["isos"]), len(found["isos"]) > 1
        check(shown == len(isos.split(",")) - ("0,1" in options) and found["hits"] > 500, "one picture:", found)
        check((found["iso"] is None) == ("," in isos) and "contours" not in found, "of all isovalues:", found)
        check(("--clip" in options) == (found["planes"] > 0), "planes are counted:", found)
        check(several == any(c["name"] == "contours" for c in found["checks"]), "contours are compared:", found)
        deep = "--opacity" in options and options[options.index("--opacity") + 1] != "0,1"
        check(deep == (found.get("layers", 0) > 3) and deep == (found.get("crossings", 0) > found["hits"]), "layers:", found)
        check("104.001" in isos or found["touching"] < found["hits"] / 5, "rounding decides for few rays:", found)
    check(not new & rays(noise, "--iso", "104,130", *SMALL, "--json").json().keys(), "old reports have new members")
    damaged_together(noise)
    ran = rays(noise, "--iso", "104,130", *layered[:1], "0.3,1", "--caster", "all", "--method", "chag", *SMALL)
    said = r"^the device's rays equal the CPU's at isovalues 104,130: [\d,]+ of 9,600 rays hit, [\d,]+ go where rounding " \
           r"decides, [\d,]+ crossings in \d+ layers, \d+ of \d+ checks passed$"
    check(ran.code == 0 and re.search(said, ran.out, re.M), "for people:", ran)
    budget = "--memory-budget", "4"
    check(rays(noise, "--iso", "104,130", "--clip", "x=50%", *SMALL, *budget, "--caster", "dda").code == 0, "in parts")
    for options, said in (("--clip", "i=0"), "--clip only with --draw rays$"), (("--clip-all",), "--clip-all only with "), \
            (("--opacity", "1"), "--opacity only with --draw rays$"), (("--clip", "i=0:1"), "only animate moves"), \
            (("--draw", "triangles", "--opacity", "0.5"), "only rays show an opacity below 1"), \
            (("--draw", "triangles", "--clip", "i=0"), "--clip only with --draw rays$"), \
            (("--draw", "rays", "--clip", "i=0@2"), "a contour that is not there"):
        refused(cubist("verify", noise, "--iso", "104", *options), 2, said)


def damaged_together(path):
    """A wrong hit is noticed behind planes, and in the second layer."""
    for i, options in enumerate((("--clip", "x=50%"), ("--opacity", "0.3"))):
        every = "hits", "depths", "cells", "sides", "contours", "bytes"
        for damage in every if WHOLE else every[i::4]:
            ran = rays(path, "--iso", "104,130", *options, "--caster", "dda,kd-jump", *SMALL, "--break", damage, "--json")
            bad = [c["name"] for c in ran.json()["checks"] if not c["ok"]]
            check(ran.code == 6 and bad == [damage if damage != "bytes" else "same_bytes"], damage, "was noticed by", bad, ran)


def methods_of_rays(path):
    """A caster in rounds gives the same bytes with each method, and a method is refused where nothing is compacted."""
    every = {m["name"] for m in cubist("methods", "--json").json()["methods"] if m["runs_on"] == "device"}
    for caster in ROUNDS if WHOLE else ROUNDS[:1]:
        ran = rays(path, "--caster", f"dda,{caster}", "--method", "all", "--rounds", "2", *SMALL, "--json")
        found = [c["with"] for c in ran.json()["checks"] if c["name"] == "same_bytes"]
        check(ran.code == 0 and {*found} == {m for m in every if not m.startswith(("auto", "redzone"))}, "every method:", ran)
        ran = rays(path, "--caster", caster, "--rounds", "host", "--method", "chag", *SMALL)
        check(ran.code == 0 and f"\nok    {caster} with chag cells differing" in ran.out, "waits for each round:", ran)
    for option in ("--method", "ink-collate"), ("--rounds", "0"):
        refused(rays(path, "--caster", "dda,kd-jump", *option), 2, f"leave {option[0]} out, or give --caster {ROUNDS[0]}")
        refused(cubist("verify", path, "--rounds", "0"), 2, "--rounds only with --draw rays$")
    refused(rays(path, "--caster", ROUNDS[0], "--method", "redzone-1"), 4, "redzone-1 cannot compact rays: ")
    refused(rays(path, "--caster", ROUNDS[0], "--method", "cpu-stencil"), 4, "cpu-stencil cannot compact rays: ")


def bonsai():
    path = os.path.join(DATA, "bonsai_256x256x256_uint8.raw")
    if os.path.exists(path):
        sound(path, "--iso", "36.5", "--size", "160x100", casters=ALL)


need_device()
with Folder() as top:
    views(top)
    volumes(top)
    touching(top)
    damaged(top)
    together(top)
    if WHOLE:
        bonsai()
finish()
