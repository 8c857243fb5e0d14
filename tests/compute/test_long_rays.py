#!/usr/bin/python3
# ctest: long data
"""Rays at full size: they hit where those of the CPU do, and cover the pixels that triangles cover."""
import os
import re
import shutil
import subprocess

from cli import *

VOLUMES = ("bonsai_256x256x256_uint8.raw", "36.5"), ("aneurism_256x256x256_uint8.raw", "32.5"), \
    ("engine_256x256x128_uint8.raw", "80.5"), ("wmag_91x91x91_float32.raw", "40.25"), \
    ("headsq_quarter_64x64x93_uint16.raw", "1150.5"), ("hydrogen_orbital_64x64x64_float32.raw", "0.1"), \
    ("bucky_32x32x32_uint8.raw", "128")
VIEWS = [], ["--view", "left"], ["--view", "33,-40", "--ortho"], ["--view", "top", "--zoom", "6"]
WIDTH, HEIGHT = 1280, 800


def alpha(raw, iso, view, folder, kind):
    path = os.path.join(folder, kind + ".png")
    ran = cubist("render", raw, "--iso", iso, "--draw", kind, "--background", "transparent", "--light", "off", "-o", path, *view)
    check(ran.code == 0, ran)
    return subprocess.run(["convert", path, "-depth", "8", "-alpha", "extract", "gray:-"], check=True,
                          capture_output=True).stdout


def near_edge(coverage, i, cell):
    """Whether within a cell of pixel i some pixel is covered otherwise."""
    x, y = i % WIDTH, i // WIDTH
    return any(coverage[at * WIDTH + max(x - cell, 0):at * WIDTH + min(x + cell + 1, WIDTH)].strip(coverage[i:i + 1])
               for at in range(max(y - cell, 0), min(y + cell + 1, HEIGHT)))


def covered(raw, iso, view, folder):
    """Triangles cut corners of the surface that rays meet, by less than a cell. So pixels may differ near its
    edges, of volumes without features of a cell's size by 1 in 10,000."""
    triangles, rays = (alpha(raw, iso, view, folder, kind) for kind in ("triangles", "rays"))
    if not check(len(triangles) == len(rays) == WIDTH * HEIGHT, "pixels:", len(triangles), len(rays)):
        return
    wrong = [i for i, (t, r) in enumerate(zip(triangles, rays)) if t == 255 and r == 0 or t == 0 and r == 255]
    cells = max(int(n) for n in re.search(r"_(\d+)x(\d+)x(\d+)_", raw).groups())
    size = int(HEIGHT / cells * (6 if "--zoom" in view else 1)) + 1
    far = [i for i in wrong if not near_edge(triangles, i, size)]
    check(len(far) <= WIDTH * HEIGHT / 50000, "covered by only one, far from any edge:", len(far), raw, view)
    if "bonsai" in raw or "engine" in raw:
        check(len(wrong) <= WIDTH * HEIGHT / 10000, "covered by only one:", len(wrong), raw, view)
    check(sum(r > 0 for r in rays) > 10000, "nothing is seen:", raw, view)


need_device()
found = [(os.path.join(DATA, name), iso) for name, iso in VOLUMES if os.path.exists(os.path.join(DATA, name))]
if not found:
    skip("CUBIST_DATA has no volumes")
with Folder() as top:
    for raw, iso in found:
        for view in VIEWS:
            ran = cubist("verify", raw, "--iso", iso, "--draw", "rays", *view, timeout=600)
            check(ran.code == 0, "as the CPU's:", view, ran)
            if shutil.which("convert") and raw.endswith("uint8.raw"):
                covered(raw, iso, view, top)
finish()
