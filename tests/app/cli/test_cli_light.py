#!/usr/bin/python3
# ctest: device twin heavy
"""--light: how much light the surroundings leave, where closed forms say it: on a plane all, in the edge of two
planes a half, in a corner of three a quarter, in a narrow hole and within a closed sphere none. --look: three looks."""
import array
import math
import subprocess

from cli import *

N, SIZE = 48, 160


def write(folder, name, value):
    samples = array.array("f", (value(x, y, z) for z in range(N) for y in range(N) for x in range(N)))
    path = os.path.join(folder, f"{name}_{N}x{N}x{N}_float32.raw")
    with open(path, "wb") as file:
        samples.tofile(file)
    return path


def brightness(picture):
    """How bright each pixel is, before the shader compresses what is bright."""
    data = subprocess.run(["convert", picture, "-depth", "8", "rgb:-"], check=True, capture_output=True).stdout

    def light(byte):
        shown = byte / 255
        linear = shown / 12.92 if shown <= 0.04045 else ((shown + 0.055) / 1.055) ** 2.4
        found = linear
        for _ in range(40):
            found = linear * (1 + 0.18 * found * found)
        return found

    table = [light(byte) for byte in range(256)]
    return [table[byte] for byte in data[2::3]]


def drawn(folder, volume, *args):
    picture = os.path.join(folder, "picture.png")
    ran = cubist("render", volume, "--iso", "0", "--up", "z", "--size", f"{SIZE}x{SIZE}", "--samples", "1",
                 "--background", "#000000", "-o", picture, *args)
    check(ran.code == 0, ran)
    return brightness(picture)


def shares(folder, volume, *args, samples="8"):
    """Of the pixels that light reaches: their share of it, in order."""
    off = drawn(folder, volume, *args, "--light", "off")
    lit = drawn(folder, volume, *args, "--light", "occlusion", "--light-samples", samples)
    # surface.frag darkens by 0.04 + 0.96 share^1.5.
    found = sorted(max(0, (b / a - 0.04) / 0.96) ** (2 / 3) for a, b in zip(off, lit) if a > 0.02)
    if not check(len(found) > SIZE * SIZE / 20, "there is something to be seen:", volume, len(found)):
        finish()
    return found


def closed_forms(folder):
    def part(found, share):
        return found[int(share * (len(found) - 1))]

    def expect(what, value, least, most):
        check(least <= value <= most, f"{what}: {value:.3f}, not {least} to {most}")

    for name, slope in ("plane", (0, 0)), ("tilted", (0.31, 0.5)):
        for side in 1, -1:  # also where the greater values are in front: that side of an open plane is as free
            volume = write(folder, name, lambda x, y, z: side * (20.3 - z + slope[0] * (x - 24) + slope[1] * (y - 24)))
            found = shares(folder, volume, "--ortho", "--view", "top")
            expect(f"{name}, side {side}: least", found[0], 0.96, 1.03)
    edge = write(folder, "edge", lambda x, y, z: max(20.3 - z, 20.3 - x))
    for view in "top", "90,35":
        found = shares(folder, edge, "--ortho", "--view", view)
        expect(f"edge from {view}: least", found[0], 0.46, 0.56)
        expect(f"edge from {view}: most", part(found, 0.9), 0.97, 1.03)
    corner = write(folder, "corner", lambda x, y, z: max(20.3 - z, 20.3 - x, 20.3 - y))
    expect("corner: least", shares(folder, corner, "--view", "135,35")[0], 0.20, 0.30)

    def radius(x, y, z):
        return math.hypot(x - 23.5, y - 23.5, z - 23.5)

    ball = write(folder, "ball", lambda x, y, z: 18 - radius(x, y, z))
    expect("ball: least", shares(folder, ball, "--view", "front")[0], 0.95, 1.05)
    # Spheres around the camera: a hollow, seen from its empty inside, and a ball, seen from its solid inside.
    inside = ["--camera", "23.5,23.5,23.5,1,0.70710678,0.70710678,0,0"]
    hollow = write(folder, "hollow", lambda x, y, z: radius(x, y, z) - 4.5)
    small = write(folder, "small", lambda x, y, z: 4.5 - radius(x, y, z))
    for what, volume in ("hollow", hollow), ("ball from inside", small):
        found = shares(folder, volume, *inside)
        expect(f"{what}: most", found[-1], 0, 0.25)
    # More rays come closer to what very many find.
    def apart(samples):
        found = drawn(folder, edge, "--view", "90,35", "--light-samples", samples)
        return sum((a - b) ** 2 for a, b in zip(found, many)) ** 0.5

    many = drawn(folder, edge, "--view", "90,35", "--light-samples", "256")
    few = [apart(samples) for samples in ("1", "4", "16", "64")]
    check(few[0] > 2 * few[1] > 2 * few[2] > 2 * few[3], "more rays converge:", few)


def options(folder):
    ball = sample(folder, "gyroid", "32x32x32", "uint8")

    def file(*args):
        path = os.path.join(folder, "file.png")
        ran = cubist("render", ball, "--size", "100x80", "-o", path, *args)
        check(ran.code == 0, ran)
        with open(path, "rb") as picture:
            return picture.read()

    usual = file()
    check(usual == file("--light", "occlusion") == file("--light-samples", "8"), "what is usual")
    check(usual != file("--light", "off"), "--light off changes nothing")
    check(usual != file("--light-samples", "3"), "--light-samples 3 changes nothing")
    refused(cubist("render", ball, "--light", "sun", "-o", "x.png"), 2, "off or occlusion")
    refused(cubist("render", ball, "--light-samples", "0", "-o", "x.png"), 2, "1 to 256")


def looks(folder):
    """Three looks. None has a halo of another colour: on black, no pixel of bone or clay is more blue than red."""
    ball = sample(folder, "sphere", "32x32x32", "uint8")
    seen = set()
    for look in "bone", "clay", "scan":
        picture = os.path.join(folder, look + ".png")
        ran = cubist("render", ball, "--look", look, "--size", "200x200", "--samples", "1", "--background", "#000000", "-o", picture)
        check(ran.code == 0, ran)
        data = subprocess.run(["convert", picture, "-depth", "8", "rgb:-"], check=True, capture_output=True).stdout
        halo = sum(blue > red for red, blue in zip(data[::3], data[2::3]))
        check(look == "scan" or halo == 0, look, halo, "pixels are more blue than red")
        check(sum(map(bool, data)) > 30000, "there is something to be seen:", look)
        seen.add(data)
    check(len(seen) == 3, "looks that are the same")
    refused(cubist("render", ball, "--look", "gold", "-o", "x.png"), 2, "bone, clay(, or| or) scan")


def only_takes(folder):
    """No pixel is brighter with occlusion than without, also where a triangle covers only a part of it."""
    noise = sample(folder, "noise", "24x24x24", "uint8")

    def colours(light):
        picture = os.path.join(folder, light + ".png")
        ran = cubist("render", noise, "--iso", "60%", "--size", "240x240", "--samples", "4", "--light", light, "-o", picture)
        check(ran.code == 0, ran)
        return subprocess.run(["convert", picture, "-depth", "8", "rgb:-"], check=True, capture_output=True).stdout

    off, lit = colours("off"), colours("occlusion")
    brighter = sum(b > a + 1 for a, b in zip(off, lit))
    check(brighter == 0 and off != lit, "occlusion makes", brighter, "values of pixels brighter")


def main():
    need_device()
    if not shutil.which("convert"):
        skip("convert is not installed")
    with tempfile.TemporaryDirectory() as folder:
        closed_forms(folder)
        options(folder)
        looks(folder)
        only_takes(folder)
    finish()


main()
