#!/usr/bin/python3
# ctest: device twin heavy share
"""render --draw rays: the picture of the mesh but for edges, in every kind of view and frame, with box, light and
gaps; in bands; in parts; and what rays cannot draw is refused."""
import array
import math
import shutil

from cli import *

if not shutil.which("convert"):
    skip("convert is not installed")

SIZE = "240x200"


def bytes_of(path):
    return subprocess.run(["convert", path, "-depth", "8", "rgba:-"], check=True, capture_output=True).stdout


def drawn(raw, *args, size=SIZE, **more):
    picture = os.path.join(os.path.dirname(raw), "picture.png")
    ran = cubist("render", raw, "--size", size, "-o", picture, *args, **more)
    if not check(ran.code == 0, ran):
        finish()
    return bytes_of(picture), ran.out


def agree(raw, *args, size=SIZE, apart=0.08):
    """Rays against triangles: what is wholly covered or free is so in both, but for one pixel in 200, and most
    colours are nearly equal."""
    args = (*args, "--background", "transparent", *(() if "--samples" in args else ("--samples", "1")))
    mesh, _said = drawn(raw, *args, size=size)
    rays, said = drawn(raw, *args, "--draw", "rays", size=size)
    pixels = len(mesh) // 4
    wrong = sum(mesh[i] in (0, 255) and mesh[i] != rays[i] for i in range(3, len(mesh), 4))
    check(wrong <= pixels / 200, f"{wrong} of {pixels} pixels are covered otherwise:", raw, *args)
    both = [i for i in range(0, len(mesh), 4) if mesh[i + 3] == 255 and rays[i + 3] == 255]
    other = sum(max(abs(mesh[i + k] - rays[i + k]) for k in range(3)) > 24 for i in both)
    check(len(both) > pixels / 20 and other <= apart * len(both), f"{other} of {len(both)} colours differ:", raw, *args)
    check(re.search(r", [1-9][\d,]* hits of rays by dda\n", said), said)


def framed(folder, columns, type="uint8", name="framed"):
    """A gyroid in a frame of its own."""
    raw = sample(folder, "gyroid", "30x26x22", type)
    path = os.path.join(folder, f"{name}.nhdr")
    with open(path, "w") as file:
        file.write(f"NRRD0004\ntype: {type}\ndimension: 3\nsizes: 30 26 22\nencoding: raw\nendian: little\n"
                   "space: left-posterior-superior\n"
                   f"space directions: {' '.join(columns)}\ndata file: {os.path.basename(raw)}\n")
    return path


def gaps(folder):
    """A ball in floats, with a wall of samples that are not numbers through it."""
    path = os.path.join(folder, "gaps_32x32x32_float32.raw")
    with open(path, "wb") as file:
        array.array("f", (math.nan if x == 13 and y > 9 else 12 - math.dist((x, y, z), (15.5, 15.5, 15.5))
                          for z in range(32) for y in range(32) for x in range(32))).tofile(file)
    return path


def smooth(folder):
    """Samples of pixels at edges have rays of their own: the outline has as many half covered pixels as that of
    triangles, and each of them nearly the same share."""
    ball = sample(folder, "sphere", "40x36x44", "float32")
    partly, whole = [], []
    for samples in (1, 2, 4, 8) if WHOLE else (1, 4):
        args = ("--light", "off", "--background", "transparent", "--iso", "50%", "--samples", str(samples))
        rays = drawn(ball, *args, "--draw", "rays")[0][3::4]
        shares = {round(255 * i / samples) for i in range(samples + 1)}
        check(all(min(abs(a - share) for share in shares) <= 1 for a in rays), sorted(set(rays)))
        partly.append(sum(0 < a < 255 for a in rays))
        whole.append(sum(rays) / 255)
        ran = cubist("render", ball, "-o", os.path.join(folder, "samples.png"), *args)
        if ran.code == 4 and samples in (2, 8):  # a device draws triangles with 1 and 4 samples; rays need no device's
            refused(ran, 4, rf"does not draw {samples} samples per pixel")
            continue
        mesh = drawn(ball, *args)[0][3::4]
        halves = sum(0 < a < 255 for a in mesh)
        check(abs(halves - partly[-1]) <= halves / 8 and (samples == 1) == (partly[-1] == 0), halves, partly, samples)
        apart = sum(abs(a - b) for a, b in zip(mesh, rays)) / 255
        check(apart <= 40, f"{apart:.0f} pixels are covered otherwise, at {samples} samples")
    check(partly == sorted(set(partly)), "more samples, more shares:", partly)
    check(max(whole) - min(whole) <= 10, "pixels that are covered:", whole)


def views(folder):
    gyroid = sample(folder, "gyroid", "40x36x44", "uint16")
    agree(gyroid)
    agree(gyroid, "--ortho", "--view", "30,20", "--box", "--light", "off")
    # Mirrored, with steps of several sizes.
    agree(framed(folder, ["(-1,0,0)", "(0,2.5,0)", "(0,0,0.7)"]), "--view", "-20,30", "--light", "off")
    agree(gaps(folder), "--iso", "0", "--light", "off")
    if not WHOLE:
        return
    agree(gyroid, "--zoom", "6", "--light", "off")  # the eye is inside
    agree(gyroid, "--light", "off", "--samples", "4", "--look", "scan", "--color", "teal")
    for view in "front", "left", "top":
        agree(gyroid, "--ortho", "--view", view)
    agree(sample(folder, "sphere", "30x30x30", "float32"), "--iso", "40%", "--box")
    agree(framed(folder, ["(1,0,0)", "(0.6,1,0)", "(0,0.3,1)"], name="sheared"), "--iso", "100")
    # Two bands.
    agree(gyroid, "--light", "off", size="1100x1000")


ROUNDS = "--caster", "wavefront-dda"


def rounds(folder):
    """Casters in rounds draw what a single kernel draws, in two bands, too."""
    raw = sample(folder, "gyroid", "40x36x44", "uint16")
    for size in ("61x47", "1100x1000") if WHOLE else ("61x47",):
        single, _ = drawn(raw, "--draw", "rays", size=size)
        ways = (), ("--method", "histopyramid", "--rounds", "host"), ("--method", "ink-compact", "--rounds", "0"), \
            ("--method", "auto", "--rounds", "64")
        for options in ways if WHOLE else ways[:2]:
            picture, said = drawn(raw, "--draw", "rays", *ROUNDS, *options, size=size)
            method = options[1] if options and options[1] != "auto" else "ink-collate"
            check(picture == single and said.endswith(f" hits of rays by wavefront-dda with {method}\n"), options, said)


def empty(folder):
    """No surface, and the least volume."""
    raw = sample(folder, "sphere")
    for iso in "0", "300":
        picture, said = drawn(raw, "--iso", iso, "--draw", "rays", "--background", "#102030", size="20x10")
        check(picture == bytes([0x10, 0x20, 0x30, 255]) * 200 and ", 0 hits of rays by dda\n" in said, iso, said)
    drawn(sample(folder, "noise", "2x2x2"), "--iso", "100", "--draw", "rays")
    drawn(raw, "--draw", "rays", size="1x1")


def refusals(folder):
    raw = sample(folder, "gyroid", "40x36x44", "uint16")
    before = snapshot(folder)
    for word in ("--wireframe",), ("--edges",), ("--flat",), ("--show", "cells"), ("--method", "auto"), \
            ("--rounds", "host"):
        ran = cubist("render", raw, "--draw", "rays", *word, "-o", os.path.join(folder, "no.png"))
        refused(ran, 2, rf"--draw rays: .* leave {word[0]} out", folder, before)
    ran = cubist("render", raw, "--draw", "rays", "--method", "chag", "-o", os.path.join(folder, "no.png"))
    refused(ran, 2, "dda is a single kernel .* give --caster .*wavefront-dda", folder, before)
    for rounds in "-1", "65", "1.5", "hosts":
        refused(cubist("render", raw, "--draw", "rays", *ROUNDS, f"--rounds={rounds}", "-o", "no.png"), 2,
                "--rounds .*: expected a whole number, 0 to 64, or host")
    refused(cubist("render", raw, "--rounds", "3", "-o", "no.png"), 2, "--rounds: .*--draw rays")
    refused(cubist("render", raw, "--draw", "rays", *ROUNDS, "--method", "redzone-2", "-o", "no.png"), 4,
            "redzone-2 cannot compact rays: ")
    refused(cubist("render", raw, "--shadow", "-o", "no.png"), 2, "--shadow: .*--draw rays")
    refused(cubist("render", raw, "--caster", "dda", "-o", "no.png"), 2, "--caster: .*--draw rays")
    refused(cubist("render", raw, "--shadow", "--caster", "dda", "-o", "no.png"), 2, "--caster: .*--draw rays")
    refused(cubist("render", raw, "--shadow", "-o", "no.png"), 2, "--shadow: only rays find shadows; give --draw rays")
    unknown = cubist("render", raw, "--draw", "rays", "--caster", "daa", "-o", "no.png")
    refused(unknown, 2, "--caster daa: .*dda")
    text = cubist("help", "render").out
    for caster in re.split(", | or ", unknown.err.split("expected ")[-1].split(";")[0]):
        check(caster in text, "not in the help:", caster)
    refused(cubist("render", raw, "--draw", "points", "-o", "no.png"), 2, "--draw points: expected triangles or rays")
    long = sample(folder, "noise", "2x2x16400")
    refused(cubist("render", long, "--iso", "9", "--draw", "rays", "-o", os.path.join(folder, "no.png")), 4,
            "rays go through volumes of at most 16384 samples")


def shadows(folder):
    """No colour gets brighter, and what the light does not meet is dark: under a ball the ground is. The same bytes in
    each run."""
    raw = os.path.join(folder, "ground_40x40x40_float32.raw")
    with open(raw, "wb") as file:
        array.array("f", (max(5 - math.dist((x, y, z), (20, 22, 20)), 6.5 - y) for z in range(40) for y in range(40)
                          for x in range(40))).tofile(file)
    args = "--iso", "0", "--up", "y", "--view", "0,70", "--draw", "rays"
    for light in ("off", "occlusion") if WHOLE else ("occlusion",):
        plain, dark = (drawn(raw, *args, "--light", light, *more)[0] for more in ((), ("--shadow",)))
        check(all(b <= a for a, b in zip(plain, dark)), light, "a shadow makes colours brighter")
        share = sum(b < 0.8 * a for a, b in zip(plain[::4], dark[::4])) / (len(plain) / 4)
        check(0.01 < share < 0.1, light, f"{share:.3f} of the picture is in the shadow")
    check(drawn(raw, *args, "--shadow")[0] == dark, "another picture in another run")


def parts(folder):
    """A volume in parts has the picture of the whole one, also with a shadow, in occlusion light and from within."""
    raw = sample(folder, "gyroid", "96x96x96", "uint16")
    ways = ("--shadow",), ("--light", "occlusion", "--ortho"), ("--zoom", "9", "--caster", "kd-jump")
    for options in ways if WHOLE else ways[2:]:
        whole, _ = drawn(raw, "--draw", "rays", *options, size="20x20")
        picture = os.path.join(folder, "parts.png")
        ran = cubist("render", raw, "--draw", "rays", *options, "--size", "20x20", "--memory-budget", "6", "--verbose",
                     "-o", picture)
        check(ran.code == 0 and re.search(r"\b([2-9]|\d\d) parts of up to", ran.err), "in parts:", ran)
        check(bytes_of(picture) == whole, "another picture in parts:", options)
    # Resident parts make room for rays at edges, which noise has everywhere.
    raw, noisy = sample(folder, "noise", "96x96x96"), ("--iso", "128", "--draw", "rays")
    ran = cubist("render", raw, *noisy, "--size", "200x200", "--memory-budget", "8", "-o", picture)
    check(ran.code == 0 and "not smooth" not in ran.err, "rays at edges have no room:", ran)
    check(bytes_of(picture) == drawn(raw, *noisy, size="200x200")[0], "another picture of noise in parts")


def films(folder):
    """animate draws rays, too: each frame as render draws it."""
    raw = sample(folder, "gyroid", "40x36x44", "uint16")
    ran = cubist("animate", raw, "--turntable", "20", "--frames", "2", "--size", "60x50", "--draw", "rays", "-o",
                 os.path.join(folder, "turn_{n}.png"))
    check(ran.code == 0, ran)
    turned = [bytes_of(os.path.join(folder, f"turn_000{i}.png")) for i in range(2)]
    check(turned[0] != turned[1], "the camera turns")


def main():
    need_device()
    with Folder() as folder:
        views(folder)
        smooth(folder)
        rounds(folder)
        empty(folder)
        parts(folder)
        refusals(folder)
        films(folder)
        shadows(folder)
    finish()


main()
