#!/usr/bin/python3
# ctest: device twin heavy
"""A picture shows the surface, not the volume's box: it fills the picture but for a margin, and is in its
middle. Counted in the pixels of transparent pictures."""
import array
import math
import re
import subprocess

from cli import *


def write(folder, name, dims, value):
    samples = array.array("f", (value(x, y, z) for z in range(dims[2]) for y in range(dims[1])
                                for x in range(dims[0])))
    path = os.path.join(folder, f"{name}_{'x'.join(map(str, dims))}_float32.raw")
    with open(path, "wb") as file:
        samples.tofile(file)
    return path


def bounds(picture):
    """Width and height of a picture, and its part that is not transparent: left, top, right, bottom."""
    out = subprocess.run(["convert", picture, "-alpha", "extract", "-threshold", "20%", "-format", "%w %h %@", "info:"],
                         check=True, capture_output=True, text=True).stdout
    width, height, w, h, x, y = map(int, re.findall(r"\d+", out))
    return width, height, x, y, x + w, y + h


def framed(folder, size, *args, least=0.80, off=0.05):
    picture = os.path.join(folder, "picture.png")
    ran = cubist("render", *args, "--background", "transparent", "--size", size, "-o", picture)
    check(ran.code == 0, ran)
    width, height, left, top, right, bottom = bounds(picture)
    what = f"{args} at {size}: x {left} to {right}, y {top} to {bottom}"
    check(least <= max((right - left) / width, (bottom - top) / height) <= 0.90, what)
    check(abs((left + right) / width - 1) <= off and abs((top + bottom) / height - 1) <= off, what)


def main():
    need_device()
    with tempfile.TemporaryDirectory() as folder:
        ball = sample(folder, "sphere", "48x48x48", "uint8")
        blob = write(folder, "blob", (64, 56, 60), lambda x, y, z: math.exp(
            -((x - 45.3) ** 2 + (y - 13.7) ** 2 + (z - 40.1) ** 2) / 100))
        rod = write(folder, "rod", (120, 20, 24), lambda x, y, z: 1 - ((x - 60) / 50) ** 2
                    - ((y - 11) / 4) ** 2 - ((z - 9) / 5) ** 2)
        mask = write(folder, "mask", (40, 40, 40), lambda x, y, z: 5 <= x <= 20 and 9 <= y <= 30 and 22 <= z <= 33)
        framed(folder, "400x300", ball)
        framed(folder, "300x400", ball, "--iso", "150")
        framed(folder, "400x300", ball, "--spacing", "1,1,3")
        framed(folder, "600x200", blob, "--iso", "0.4")
        framed(folder, "300x400", blob, "--iso", "0.8", least=0.75)  # ten cells: one is a lot
        framed(folder, "400x300", rod, "--iso", "0.1")
        framed(folder, "200x500", rod, "--iso", "0.1")
        framed(folder, "500x200", rod, "--iso", "0.1", "--spacing", "0.2,1,1")
        framed(folder, "400x300", mask)
        # A few cells do not fill the picture, but are in its middle.
        framed(folder, "400x300", blob, "--iso", "0.99", least=0.1, off=0.1)
    finish()


main()
