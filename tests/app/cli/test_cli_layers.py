#!/usr/bin/python3
# ctest: device twin heavy
"""Transparent contours: colours of nested spheres by the closed form, whatever the order and the caster."""
import math
import shutil

from cli import *

if not shutil.which("convert"):
    skip("convert is not installed")

need_device()
folder = tempfile.mkdtemp(prefix="cubist-test-")
raw = sample(folder, dims="32x32x32")


def drawn(volume, size, *options):
    path = os.path.join(folder, "x.png")
    ran = cubist("render", volume, "--size", f"{size[0]}x{size[1]}", "--light", "off", "--draw", "rays", "--background",
                 "transparent", "-o", path, *options)
    if not check(ran.code == 0 and "not smooth" not in ran.err, ran):
        finish()
    with open(path, "rb") as file:
        return file.read()


SIZE = 200, 160
CAMERA = "--camera", "15.5,15.5,15.5,90,1,0,0,0"


def render(isos, *options, samples="1"):
    return drawn(raw, SIZE, *CAMERA, "--samples", samples, "--iso", isos, *options)


def pixels(picture):
    out = subprocess.run(["convert", "png:-", "-depth", "8", "rgba:-"], input=picture, check=True,
                         capture_output=True).stdout
    return [out[i:i + 4] for i in range(0, len(out), 4)]


def linear(byte):
    s = byte / 255
    return s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4


def displayed(light):
    return 255 * (12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055)


# The contour at 100 encloses that at 140, and this one that at 180.
alone = [pixels(render(iso, "--color", colour)) for iso, colour in (("100", "red"), ("140", "white"), ("180", "blue"))]
three = render("100,140,180", "--color", "red,white,blue", "--opacity", "0.3,0.5,1")
inner = outer = 0
for at, pixel in enumerate(pixels(three)):
    a, b, c = (picture[at] for picture in alone)
    if c[3] == 255:
        inner += 1
        for i in range(3):
            light = 0.3 * linear(a[i]) + 0.7 * (0.5 * linear(b[i]) + 0.5 * linear(c[i]))
            # Three colours of 8 bits, of which each may be off by half a step.
            if not check(pixel[3] == 255 and abs(pixel[i] - displayed(light)) <= 2, (at, pixel, a, b, c)):
                finish()
    elif b[3] == 0 and a[3] == 255: # the outer one's front and back
        outer += 1
        if not check(abs(pixel[3] - 255 * (1 - 0.7 * 0.7)) <= 1, (at, pixel)):
            finish()
    elif a[3] == 0:
        check(pixel[3] == 0, (at, pixel))
check(inner > 500 and outer > 100, (inner, outer))

orders = ("180,100,140", "blue,red,white", "1,0.3,0.5"), ("140,180,100", "white,blue,red", "0.5,1,0.3")
for order, colours, opacities in orders if WHOLE else orders[1:]:
    check(render(order, "--color", colours, "--opacity", opacities) == three, f"{order}: other bytes")
casters = ["--caster", "wavefront-dda", "--method", "ink-compact"], ["--caster", "kd-jump"], \
    ["--caster", "wavefront-bvh", "--method", "chag"]
for options in casters if WHOLE else casters[:1]:
    check(render("100,140,180", "--color", "red,white,blue", "--opacity", "0.3,0.5,1", *options) == three, options)
check(render("100,140,180", "--color", "red", "--opacity", "0,0,1") == render("180", "--color", "red"),
      "a contour without opacity is there")
check(render("100,180", "--opacity", "0.999999,1") != render("180"), "a contour with opacity is absent")

# Samples at edges, in any layer: their mean is the mean of many rays. An edge of steps would be off by half a pixel's.
LAYERED = "100,140,180", "--color", "red,white,blue", "--opacity", "0.3,0.5,1"
SIDE = 4  # rays of the reference along a pixel's side
lights = [linear(byte) for byte in range(256)]


def premultiplied(pixel):
    return [lights[byte] * pixel[3] / 255 for byte in pixel[:3]] + [pixel[3] / 255]


def many_rays(volume, size, *options):
    width, height = size
    means = [[0.0] * 4 for _ in range(width * height)]
    for at, pixel in enumerate(pixels(drawn(volume, (width * SIDE, height * SIDE), *options, "--samples", "1"))):
        mean = means[at // (width * SIDE) // SIDE * width + at % (width * SIDE) // SIDE]
        for i, value in enumerate(premultiplied(pixel) if pixel[3] else ()):
            mean[i] += value / SIDE ** 2
    return means


def off_by(reference, rough, smooth):
    """Of pixels at edges: their number, and the means of what they are off by without samples and with them."""
    edges = []
    for mean, *both in zip(reference, pixels(rough), pixels(smooth)):
        was, now = (max(abs(a - b) for a, b in zip(mean, premultiplied(pixel))) for pixel in both)
        if was > 0.1:
            edges.append((was, now))
    return len(edges), *(sum(column) / len(edges) for column in zip(*edges))


reference = many_rays(raw, SIZE, *CAMERA, "--iso", *LAYERED)
for samples in (4, 8) if WHOLE else (8,):
    smooth = render(*LAYERED, samples=str(samples))
    edges, was, now = off_by(reference, three, smooth)
    check(edges > 100 and now < 0.5 / samples and now < was / 3, (samples, edges, was, now))
    ways = ("180,100,140", ["--color", "blue,red,white", "--opacity", "1,0.3,0.5"]), \
        (LAYERED[0], [*LAYERED[1:], "--caster", "kd-jump"]), \
        (LAYERED[0], [*LAYERED[1:], "--caster", "wavefront-bvh", "--method", "chag"]), \
        (LAYERED[0], [*LAYERED[1:], "--caster", "wavefront-dda", "--method", "ink-compact"])
    for order, options in ways if WHOLE else ways[3:]:
        check(render(order, *options, samples=str(samples)) == smooth, (samples, order, options))
    # The silhouette is a disc of the same area. There a ray meets the outer contour's front and back alone.
    covered = [min(pixel[3] / 255 / (1 - 0.7 * 0.7), 1) for pixel in pixels(smooth)]
    radius = math.sqrt(sum(covered) / math.pi)
    off = []
    for at, share in enumerate(covered):
        x, y = at % 200 - 100, at // 200 - 80
        if abs(math.hypot(x + 0.5, y + 0.5) - radius) < 0.8:
            disc = sum(math.hypot(x + (i + 0.5) / 8, y + (j + 0.5) / 8) < radius for i in range(8) for j in range(8)) / 64
            off.append(abs(disc - share))
    check(len(off) > 100 and sum(off) / len(off) < 0.5 / samples + 0.02, (samples, len(off), sum(off) / len(off)))

# In noise the samples at edges are more than the pixels, so the list grows, and what goes through layers too.
noise = sample(folder, "noise", dims="24x24x24")
size, options = (60, 45), ("--iso", "120,140", "--opacity", "0.6,0.8", "--color", "red,white", "--zoom", "3")
smooth = drawn(noise, size, *options, "--samples", "8")
edges, was, now = off_by(many_rays(noise, size, *options), drawn(noise, size, *options, "--samples", "1"), smooth)
check(edges > 100 and now < was / 2, (edges, was, now))
if WHOLE:
    check(drawn(noise, size, *options, "--samples", "8", "--caster", "wavefront-bvh", "--rounds", "host") == smooth,
          "noise: other bytes")

# A contour that is nowhere, and planes that keep all, change no shadow.
shadowed = render("100", "--color", "red", "--shadow")
check(shadowed != render("100", "--color", "red"), "there is no shadow")
ways = ("100,300", []), ("300,100", []), ("100", ["--clip", "i=0"]), ("100", ["--clip", "i=0,j=0", "--clip-all"]), \
    ("100,300", ["--clip", "i=0"])
for isos, options in ways if WHOLE else ways[4:]:
    check(render(isos, "--color", "red", "--shadow", *options) == shadowed, (isos, options))

target = os.path.join(folder, "never.png")
ran = cubist("render", raw, "--draw", "rays", "--opacity", "0.5", "--shadow", "-o", target)
check(ran.code == 2 and "have no shadow" in ran.err and len(ran.err.splitlines()) == 1, ran)
shutil.rmtree(folder)
finish()
