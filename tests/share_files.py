"""Shared by the tests of shares: makes volumes and shares, and compares what merge makes of them with one
extract of the whole."""
import math
import random
import struct

from cli import *

COUNTS = 1, 2, 3, 4, 7, 16
# What a report says of the surface itself.
FACTS = "dims", "type", "iso", "active_cells", "vertices", "triangles", "area", "volume", "parts", "euler", \
    "watertight", "closed", "open_edges", "bounds"


def with_gaps(top, dims):
    """Noise with NaN and infinities; returns its path."""
    width, height, depth = dims
    draw = random.Random(7)
    path = os.path.join(top, f"gaps_{width}x{height}x{depth}_float32.raw")
    with open(path, "wb") as file:
        for _ in range(width * height * depth):
            chance = draw.random()
            file.write(struct.pack("<f", math.nan if chance < 0.02 else math.inf if chance < 0.03 else draw.random()))
    return path


def make(top, raw, iso, n, *more, numbers=None, name="x"):
    """Makes the shares in no order; returns the paths."""
    numbers = list(numbers or range(1, n + 1))
    random.Random(n).shuffle(numbers)
    paths = []
    for k in numbers:
        path = os.path.join(top, f"{name}.{k}.share")
        ran = cubist("extract", raw, "--iso", iso, "--share", f"{k}/{n}", "-o", path, "-q", *more)
        check(ran.code == 0 and ran.out + ran.err == "", ran)
        paths.append(path)
    return paths


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Whole:
    """One extract of the whole volume, in each of the formats."""

    def __init__(self, top, raw, iso, formats, *more):
        self.meshes = {}
        for format in formats:
            path = os.path.join(top, "whole." + format)
            ran = cubist("extract", raw, "--iso", iso, "--json", "-o", path, *more)
            check(ran.code == 0, ran)
            self.report = ran.json()
            self.meshes[format] = read(path)
            os.remove(path)

    def equals(self, top, paths, *what):
        """Merges the shares to each format, and compares bytes and facts."""
        for format, expected in self.meshes.items():
            path = os.path.join(top, "merged." + format)
            ran = cubist("merge", *paths, "--json", "-o", path, env=NO_DRIVER)
            told = "surface is empty" in ran.err if self.report["triangles"] == 0 else ran.err == ""
            if not check(ran.code == 0 and told, *what, ran):
                return
            check(read(path) == expected, "another mesh:", format, *what)
            found = ran.json()
            for key in FACTS:
                check(found[key] == self.report[key], key, found[key], self.report[key], *what)
            check(found["shares"] == len(paths) and found["format"] == format, "report:", found)
            os.remove(path)
