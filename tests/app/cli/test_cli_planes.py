#!/usr/bin/python3
# ctest: device twin
"""--clip, --cap and --section against the samples: numpy says what a plane keeps, where its cap is, and which grey a
section has there."""
import subprocess

import numpy

from cli import *

N, SIZE = 48, 200
CENTRE = (N - 1) / 2
RADIUS = 17.0


def write(folder, name, samples):
    depth, height, width = samples.shape
    path = os.path.join(folder, f"{name}_{width}x{height}x{depth}_float32.raw")
    samples.astype("<f4").tofile(path)
    return path


def ball(folder):
    z, y, x = numpy.mgrid[0:N, 0:N, 0:N].astype(float) - CENTRE
    return write(folder, "ball", RADIUS - numpy.sqrt(x * x + y * y + z * z))


def drawn(folder, volume, *args, iso="0", size=SIZE):
    """The picture as an array of rows, columns and channels."""
    picture = os.path.join(folder, "picture.png")
    ran = cubist("render", volume, "--iso", iso, "--up", "z", "--view", "front", "--ortho", "--size", f"{size}x{size}",
                 "--background", "#000000", "--light", "off", "-o", picture, "-q", *args)
    if not check(ran.code == 0, ran):
        finish()
    data = subprocess.run(["convert", picture, "-depth", "8", "rgb:-"], check=True, capture_output=True).stdout
    return numpy.frombuffer(data, numpy.uint8).reshape(size, size, 3).astype(int)


def same(a, b, *what):
    check(numpy.array_equal(a, b), *what, numpy.abs(a - b).max())


def texts(folder, volume):
    for option, value in [("clip", ""), ("clip", "x"), ("clip", "x=50%,"), ("clip", "w=1"), ("clip", "x=1e999"),
                          ("clip", "0,0,0,1"), ("clip", "1,2,3"), ("clip", "view=3"), ("clip", "x=1,y=1,z=1,i=1"),
                          ("clip", "x=1@9"), ("clip", "x=1@1,"), ("clip", "x=1@1,y=1"), ("clip", "x=1:2"),
                          ("section", "k=1:2"), ("section", "k"), ("grey", "1"), ("grey", "2:1"), ("grey", "auto:1"),
                          ("grey", "p1:p101"), ("cap", "red"), ("interpolate", "cubic")]:
        ran = cubist("render", volume, "--iso", "0", "-o", os.path.join(folder, "none.png"), f"--{option}", value)
        check(ran.code == 2 and ran.err.count("\n") == 1 and f"--{option}" in ran.err, option, value, ran)


def cuts(folder, volume):
    whole = drawn(folder, volume)
    for outside in ["i=0", "-i=47", "x=0%", "-2,0,0,-200", "view=0%"]:
        same(drawn(folder, volume, "--clip", outside), whole, "a plane outside:", outside)
    same(drawn(folder, volume, "--clip", "x=50%", "--clip-off"), whole, "planes that are off")
    right = drawn(folder, volume, "--clip", "x=50%", "--cap", "none")
    for alike in ["i=23.5", "x=23.5", "1,0,0,23.5", "2,0,0,50%"]:
        same(drawn(folder, volume, "--clip", alike, "--cap", "none"), right, "the same plane:", alike)
    middle = SIZE // 2
    check((right[:, :middle - 1] == 0).all(), "what is removed is gone")
    same(right[:, middle + 1:], whole[:, middle + 1:], "what is kept stays as it was")


def main():
    need_device()
    with Folder() as folder:
        volume = ball(folder)
        texts(folder, volume)
        cuts(folder, volume)
    finish()


main()
