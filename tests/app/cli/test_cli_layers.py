#!/usr/bin/python3
# ctest: device once
"""Transparent contours: colours of nested spheres by the closed form, whatever the order and the caster."""
import shutil

from cli import *

if not shutil.which("convert"):
    skip("convert is not installed")

need_device()
folder = tempfile.mkdtemp(prefix="cubist-test-")
raw = sample(folder, dims="32x32x32")


def render(isos, *options):
    path = os.path.join(folder, "x.png")
    ran = cubist("render", raw, "--size", "200x160", "--light", "off", "--draw", "rays", "--samples", "1",
                 "--background", "transparent", "--camera", "15.5,15.5,15.5,90,1,0,0,0", "--iso", isos, "-o", path,
                 *options)
    if not check(ran.code == 0, ran):
        finish()
    with open(path, "rb") as file:
        return file.read()


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

for order, colours, opacities in (("180,100,140", "blue,red,white", "1,0.3,0.5"),
                                  ("140,180,100", "white,blue,red", "0.5,1,0.3")):
    check(render(order, "--color", colours, "--opacity", opacities) == three, f"{order}: other bytes")
for options in (["--caster", "kd-jump"], ["--caster", "wavefront-bvh", "--method", "chag"],
                ["--caster", "wavefront-dda", "--method", "ink-compact"]):
    check(render("100,140,180", "--color", "red,white,blue", "--opacity", "0.3,0.5,1", *options) == three, options)
check(render("100,140,180", "--color", "red", "--opacity", "0,0,1") == render("180", "--color", "red"),
      "a contour without opacity is there")
check(render("100,180", "--opacity", "0.999999,1") != render("180"), "a contour with opacity is absent")

# A contour that is nowhere, and planes that keep all, change no shadow.
shadowed = render("100", "--color", "red", "--shadow")
check(shadowed != render("100", "--color", "red"), "there is no shadow")
for isos, options in (("100,300", []), ("300,100", []), ("100", ["--clip", "i=0"]),
                      ("100", ["--clip", "i=0,j=0", "--clip-all"]), ("100,300", ["--clip", "i=0"])):
    check(render(isos, "--color", "red", "--shadow", *options) == shadowed, (isos, options))

target = os.path.join(folder, "never.png")
ran = cubist("render", raw, "--draw", "rays", "--opacity", "0.5", "--shadow", "-o", target)
check(ran.code == 2 and "have no shadow" in ran.err and len(ran.err.splitlines()) == 1, ran)
shutil.rmtree(folder)
finish()
