#!/usr/bin/python3
# ctest: plain share
"""render by several ranks: the file of one process, byte for byte; what they cannot draw so is refused."""
from mpi import *

COUNTS = [1, 2, 3, 4, 7]


def one(raw, *more):
    """The file that one process writes, and its report."""
    path = os.path.join(os.path.dirname(raw), "one.png")
    ran = cubist("render", raw, "-o", path, *more)
    if not check(ran.code == 0, ran):
        finish()
    with open(path, "rb") as file:
        return file.read(), ran


def same(mpi, counts, raw, *more):
    """Ranks write what one process writes, and count as many triangles."""
    wanted, alone = one(raw, *more)
    path = os.path.join(os.path.dirname(raw), "ranks.png")
    for count in counts:
        ran = mpi.cubist(count, "render", raw, "-o", path, *more)
        if not check(ran.code == 0 and ran.err == alone.err, ran):
            continue
        with open(path, "rb") as file:
            check(file.read() == wanted, "another picture:", ran)
        os.remove(path)
        triangles = [re.search(r"([\d,]+) triangles", out.out)[1] for out in (alone, ran)]
        check(triangles[0] == triangles[1] and ran.out.count("\n") == 1, triangles, ran)
        check((f", on {count} ranks" in ran.out) == (count > 1), ran)


def equal(mpi, folder):
    raw = sample(folder, "gyroid", "24x20x17", "uint8")
    small = ["--size", "180x120"]
    same(mpi, [3], raw, *small, "--light", "off", "--box", "--validate")
    same(mpi, [2], raw, *small, "--background", "transparent", "--iso", "60%")


def equal_whole(mpi, folder):
    raw = sample(folder, "gyroid", "40x44x37", "uint16")
    noise = sample(folder, "noise", "30x30x4", "uint8")
    lobb = sample(folder, "marschner-lobb", "48x48x48", "float32")
    small = ["--size", "300x200"]
    for samples in "1", "2", "4", "8":
        ran = cubist("render", raw, *small, "--samples", samples, "-o", os.path.join(folder, "try.png"))
        if ran.code == 0:
            same(mpi, COUNTS, raw, *small, "--light", "off", "--samples", samples)
        else:
            check(ran.code == 4, ran)
    for more in ["--light", "occlusion"], ["--flat"], ["--ortho", "--box", "--view", "front"], ["--color", "#3366cc"], \
            ["--background", "transparent", "--box"], ["--memory-budget", "30"], ["--validate"]:
        same(mpi, [2, 3], raw, *small, *more)
    same(mpi, [4, 7], noise, *small)  # more ranks than layers
    same(mpi, [3], lobb, *small, "--iso", "0.5")
    same(mpi, [2], lobb, "--size", "1100x2100")  # several bands


def refusals(mpi, folder):
    raw = sample(folder, "gyroid", "24x20x17", "uint8")
    target = os.path.join(folder, "old.png")
    with open(target, "w") as file:
        file.write("old")
    before = snapshot(folder)
    for more in ["--wireframe"], ["--edges"], ["--show", "cells"]:
        ran = mpi.cubist(2, "render", raw, "-o", target, *more)
        refused(ran, 2, f"{more[0]} out, or draw it with cubist", folder, before)
    refused(mpi.cubist(2, "render", raw, "-o", "-"), 2, "standard output: give a file", folder, before)
    refused(mpi.cubist(2, "render", "-", "-o", target), 2, "standard input", folder, before)
    refused(mpi.cubist(2, "render", raw, "-o", os.path.join(folder, "no", "p.png")), 5, "its folder", folder, before)
    # Rank 1 does not find the file.
    script = 'test "$OMPI_COMM_WORLD_RANK$PMI_RANK" = 1 && cd /; exec "$0" "$@"'
    ran = mpi.run(3, "sh", "-c", script, mpi.program, "render", os.path.basename(raw), "-o", target, cwd=folder)
    refused(ran, 3, f"rank 1 .*cannot open '{os.path.basename(raw)}'", folder, before)


need_mpi()
need_device()
with Folder() as path:
    for each in MPIS if WHOLE else MPIS[:1]:
        equal(each, path)
        refusals(each, path)
        if WHOLE:
            equal_whole(each, path)
finish()
