#!/usr/bin/python3
# ctest: device twin heavy share
"""--clip, --cap and --section against the samples: numpy says what a plane keeps, where its cap is, and which grey a
section has there."""
import math
import subprocess

import numpy

from cli import *

N, SIZE = 48, 240
CENTRE = (N - 1) / 2
RADIUS = 17.0
SCALE = SIZE / 60  # pixels of a length of 1
DISTANCE = 60 / (2 * math.tan(0.5236 / 2))  # so far away, the picture is 60 high


def write(folder, name, samples, type="float32"):
    depth, height, width = samples.shape
    path = os.path.join(folder, f"{name}_{width}x{height}x{depth}_{type}.raw")
    samples.astype(type).tofile(path)
    return path


def ball(folder):
    z, y, x = numpy.mgrid[0:N, 0:N, 0:N].astype(float) - CENTRE
    return write(folder, "ball", RADIUS - numpy.sqrt(x * x + y * y + z * z))


def drawn(folder, volume, *args, iso="0", light="off", middle=(CENTRE,) * 3, colours="red"):
    """The picture as rows, columns, channels. It is seen along y, with x to the right and z up."""
    picture = os.path.join(folder, "picture.png")
    look = ",".join(map(str, (*middle, DISTANCE, 1, 1, 0, 0)))
    ran = cubist("render", volume, "--iso", iso, "--up", "z", "--ortho", "--camera", look, "--size", f"{SIZE}x{SIZE}",
                 "--background", "#000000", "--light", light, "--color", colours, "-o", picture, "-q", *args)
    if not check(ran.code == 0, ran):
        finish()
    data = subprocess.run(["convert", picture, "-depth", "8", "rgb:-"], check=True, capture_output=True).stdout
    return numpy.frombuffer(data, numpy.uint8).reshape(SIZE, SIZE, 3).astype(int)


def same(a, b, *what):
    check(numpy.array_equal(a, b), *what, numpy.abs(a - b).max(), (a != b).sum())


def places(depth, middle=(CENTRE,) * 3):
    """For each pixel: x, y, z of its point in the plane y = depth."""
    across = (numpy.arange(SIZE) + 0.5 - SIZE / 2) / SCALE
    x, z = numpy.meshgrid(middle[0] + across, middle[2] - across)
    return numpy.stack([x, numpy.full_like(x, depth), z], -1)


def sampled(samples, at, nearest=False):
    """The samples (z, y, x), interpolated at places (x, y, z) in samples; NaN outside, and in cells with a NaN."""
    last = numpy.array(samples.shape[::-1]) - 1
    inside = ((at >= -1e-9) & (at <= last + 1e-9)).all(-1)
    at = numpy.clip(at, 0, last)
    if nearest:
        i, j, k = numpy.moveaxis(numpy.floor(at + 0.5).astype(int), -1, 0)
        found = samples[k, j, i].astype(float)
    else:
        cell = numpy.minimum(numpy.floor(at), last - 1).astype(int)
        share = at - cell
        found = 0
        for corner in range(8):
            bit = numpy.array([corner & 1, corner >> 1 & 1, corner >> 2])
            i, j, k = numpy.moveaxis(cell + bit, -1, 0)
            weight = numpy.where(bit == 1, share, 1 - share).prod(-1)
            found = found + numpy.where(numpy.isfinite(samples[k, j, i]), weight, 1) * samples[k, j, i]
    return numpy.where(inside, found, numpy.nan)


def white(picture):
    return (picture == 255).all(-1)


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
    outer = ["i=0", "-i=47", "x=0%", "-2,0,0,-200", "view=0%"]
    for outside in outer if WHOLE else outer[1::2]:
        same(drawn(folder, volume, "--clip", outside), whole, "a plane outside:", outside)
    same(drawn(folder, volume, "--clip", "x=50%", "--clip-off"), whole, "planes that are off")
    right = drawn(folder, volume, "--clip", "x=50%", "--cap", "none")
    ways = ["i=23.5", "x=23.5", "1,0,0,23.5", "2,0,0,50%"]
    for alike in ways if WHOLE else ways[::3]:
        same(drawn(folder, volume, "--clip", alike, "--cap", "none"), right, "the same plane:", alike)
    middle = SIZE // 2
    check((right[:, :middle - 1] == 0).all(), "what is removed is gone")
    same(right[:, middle + 1:], whole[:, middle + 1:], "what is kept stays as it was")


def areas(folder, volume):
    """A plane at h from the middle of a ball has a cap of pi (r^2 - h^2)."""
    for h in [0, 5, 11.3] if WHOLE else [11.3]:
        picture = drawn(folder, volume, "--clip", f"y={CENTRE + h}", "--cap", "values", "--grey=-1:0", "--samples", "4")
        area = linear(picture[:, :, 1]).sum() / SCALE ** 2
        wanted = math.pi * (RADIUS ** 2 - h ** 2)
        check(abs(area - wanted) <= 0.005 * wanted, "the cap at", h, "has the area", area, "not", wanted)


def octants(folder, volume):
    """What all of three planes remove is an octant."""
    whole = drawn(folder, volume)
    planes = f"x={CENTRE},y={CENTRE},z={CENTRE}"
    picture = drawn(folder, volume, "--clip", planes, "--clip-all", "--cap", "values", "--grey=-1:0")
    middle = SIZE // 2
    below, left = slice(middle + 1, None), slice(None, middle - 1)
    disc = sampled(RADIUS - numpy.linalg.norm(
        numpy.stack(numpy.mgrid[0:N, 0:N, 0:N], -1) - CENTRE, axis=-1), places(CENTRE))
    missing = white(picture)[below, left]
    check((missing == (disc[below, left] > 0)).mean() > 0.99, "the missing octant has a cap")
    check((picture != whole).any(-1).sum() - (picture != whole).any(-1)[below, left].sum() <= 4 * SCALE * RADIUS,
          "what is beside the octant stays")


def rims(folder):
    """A pixel has a cap where the samples are at the isovalue or above, and nowhere else."""
    random = numpy.random.default_rng(7)
    coarse = random.random((N // 3, N // 3, N // 3))
    samples = coarse.repeat(3, 0).repeat(3, 1).repeat(3, 2) + 0.2 * random.random((N, N, N))
    samples = samples.astype("float32")
    samples[20:26, 18:30, 10:20] = numpy.nan
    kinds = {
        "noise": samples,
        "bytes": numpy.nan_to_num(samples * 150).astype("uint8"),
        "great": samples * numpy.float32(1e35),
        "shorts": numpy.nan_to_num(samples * 20000 - 9000).astype("int16"),
    }
    for name, own in kinds.items() if WHOLE else [*kinds.items()][:2]:
        volume = write(folder, name, own, own.dtype.name)
        iso = float(numpy.nanpercentile(own.astype(float), 60))
        low = float(numpy.nanmin(own))
        ways = [(17,), (23.4,), (40, "--storage", "image"), (23.4, "--draw", "rays")]
        for depth, *more in ways[0 if name == "noise" else 1:] if WHOLE else ways[0 if name == "noise" else 3::2]:
            picture = drawn(folder, volume, "--clip", f"y={depth}", "--cap", "values", "--samples", "1",
                            f"--grey={low * 0.9 - 1e-30}:{low * 0.99}" if low > 0 else f"--grey={low - 2}:{low - 1}",
                            *more, iso=repr(iso))
            value = sampled(own, places(depth))
            sure = ~(numpy.abs(value - iso) < 1e-3 * iso)
            wrong = (white(picture) != (value >= iso)) & sure
            # A triangle seen from its edge may be drawn in front of the plane.
            check(wrong.sum() <= 8, name, "at", depth, more, ":", wrong.sum(), "pixels are wrong of", sure.sum())
            check(0.1 < white(picture).mean() < 0.5, name, "has a cap", white(picture).mean())


def greys(folder):
    """A section has the samples, interpolated or the nearest, within a step of grey."""
    random = numpy.random.default_rng(3)
    floats = random.random((N, N, N)).astype("float32")
    floats[20:26, 18:30, 10:20] = numpy.nan
    kinds = {
        "noise": floats,
        "bytes": random.integers(0, 256, (N, N, N)).astype("uint8"),
        "words": (random.random((N, N, N)) * 4e9).astype("uint32"),
        "great": floats * numpy.float32(3e38) - numpy.float32(1.5e38),
        "tiny": floats * numpy.float32(1e-40),
    }
    for name, own in kinds.items() if WHOLE else [*kinds.items()][:3:2]:
        volume = write(folder, name, own, own.dtype.name)
        low, high = (float(numpy.nanpercentile(own.astype(float), p)) for p in (10, 80))
        for depth, how, *more in [(0, "linear"), (N - 1, "linear"), (23.4, "linear"), (31.7, "nearest"),
                           (12.6, "linear", "--draw", "rays")][slice(0, 5, 1 if WHOLE else 2) if name == "noise" else slice(2 if WHOLE else 3, 4)]:
            picture = drawn(folder, volume, "--section", f"y={depth}", "--grey", f"{low!r}:{high!r}", "--interpolate",
                            how, "--samples", "1", *more, iso=repr(-1e38) if name != "great" else "3e38")
            value = sampled(own, places(depth), how == "nearest")
            wanted = numpy.nan_to_num(255 * numpy.clip((value - low) / (high - low), 0, 1))
            apart = numpy.abs(picture - wanted[:, :, None])
            check(apart.max() <= 1.01, name, how, "at", depth, ": grey is off by", apart.max(), (apart > 1.01).sum())


def lines(folder, volume):
    """A contour's line on a section meets the rim of its solid within a pixel."""
    picture = drawn(folder, volume, "--section", f"y={CENTRE - 18}", "--grey=-100:-99", "--samples", "1", iso="-3")
    red = (picture[:, :, 0] > 200) & (picture[:, :, 1] < 200)
    at = places(0)[red]
    radius = numpy.hypot(at[:, 0] - CENTRE, at[:, 2] - CENTRE) * SCALE
    wanted = math.sqrt(20 ** 2 - 18 ** 2) * SCALE
    check(len(radius) > 100 and numpy.abs(radius - wanted).max() < 2, "the line:", len(radius), radius, wanted)


def affines(folder):
    """A sheared and a mirrored grid."""
    random = numpy.random.default_rng(5)
    samples = random.random((20, 24, 28)).astype("float32").repeat(2, 0).repeat(2, 1)
    depth, height, width = samples.shape
    raw = write(folder, "sheared", samples)
    for name, steps in [("sheared", [[0.9, 0.1, 0], [0.2, 0.8, -0.1], [0.1, 0.3, 0.7]]),
                        ("mirrored", [[-0.9, 0.1, 0], [0.2, 0.8, -0.1], [0.1, 0.3, 0.7]])]:
        steps, origin = numpy.array(steps), numpy.array([3.0, -5.0, 2.0])
        volume = placed(raw, f"{name}.nhdr", steps.tolist(), origin.tolist())
        centre = origin + (numpy.array([width, height, depth]) - 1) / 2 @ steps
        at = (places(centre[1] + 0.3, centre) - origin) @ numpy.linalg.inv(steps)
        value = sampled(samples, at)
        where = dict(iso="0.5", middle=tuple(centre))
        normal = f"0,2,0,{2 * (centre[1] + 0.3)!r}"
        for plane in [f"y={centre[1] + 0.3!r}", normal] if WHOLE else [normal]:
            picture = drawn(folder, volume, "--clip", plane, "--cap", "values", "--grey=-2:-1", "--samples", "1",
                            **where)
            sure = ~(numpy.abs(value - 0.5) < 1e-3)
            wrong = (white(picture) != (value >= 0.5)) & sure
            rim = numpy.isnan(value) != numpy.isnan(numpy.roll(value, 1, 0))
            check(wrong.sum() <= 4, name, plane, wrong.sum(), "pixels are wrong, at the rim there are", rim.sum())
            check(white(picture).sum() > 1000, name, "has a cap")


def parts(folder):
    """A volume in parts has the same caps and sections."""
    random = numpy.random.default_rng(9)
    big = numpy.kron(random.random((12, 12, 12)), numpy.ones((8, 8, 8))).astype("float32")
    volume = write(folder, "big", big)
    ways = ["--clip", "y=40", "--cap", "solid"], ["--section", "y=40,view=60%"]
    for args in ways if WHOLE else ways[1:]:
        whole = drawn(folder, volume, *args, iso="0.5", middle=(47.5,) * 3)
        parts = drawn(folder, volume, *args, "--memory-budget", "10", iso="0.5", middle=(47.5,) * 3)
        # A pixel that two parts share has two mean colours.
        check((parts != whole).any(-1).sum() <= 20, "in parts", args, (parts != whole).any(-1).sum())
    ways = ["--clip", "y=40", "--cap", "values"], ["--clip", "y=40,x=60", "--clip-all"]
    for args in ways if WHOLE else ways[1:]:
        args = [*args, "--draw", "rays"]
        whole = drawn(folder, volume, *args, iso="0.5", middle=(47.5,) * 3)
        same(drawn(folder, volume, *args, "--memory-budget", "14", iso="0.5", middle=(47.5,) * 3), whole,
             "rays in parts", args)


def linear(picture):
    shown = picture / 255
    return numpy.where(shown > 0.04045, ((shown + 0.055) / 1.055) ** 2.4, shown / 12.92)


def rays(folder, volume):
    """Rays hit caps: there is no seam beside them, and a transparent contour has a transparent cap."""
    rows, columns = numpy.mgrid[0:SIZE, 0:SIZE] + 0.5 - SIZE / 2
    away = numpy.hypot(rows, columns)
    rim = math.sqrt(RADIUS ** 2 - 25) * SCALE
    cut = ["--clip", f"y={CENTRE - 5}", "--draw", "rays"]
    for cap in ["solid", "values"] if WHOLE else ["values"]:
        grey = ["--grey=-9:20"] * (cap == "values")
        by_rays = drawn(folder, volume, *cut, "--cap", cap, *grey, colours="white")
        mesh = drawn(folder, volume, *cut[:2], "--cap", cap, *grey, colours="white")
        apart = numpy.abs(by_rays - mesh).max(-1)
        check(apart[away < rim - 2].max() <= 1, cap, "rays differ from triangles by", apart[away < rim - 2].max())
        for inner, outer in [(rim - 3, rim + 3)]:
            beside = min(by_rays[(abs(away - at) < 0.7)].min() for at in (inner, outer))
            seam = by_rays[abs(away - rim) < 1.5].min()
            check(seam >= 0.9 * beside, cap, "has a seam:", seam, "beside", beside)
        for caster in ["kd-jump", "single-bvh", "wavefront-dda", "wavefront-bvh"] if WHOLE else ["wavefront-dda"]:
            same(drawn(folder, volume, *cut, "--cap", cap, *grey, "--caster", caster, colours="white"), by_rays,
                 cap, caster)
    glass = [*cut[:2], "--opacity", "0.3", "--samples", "1"]
    closed = drawn(folder, volume, *glass, "--cap", "values", "--grey=-9:-8")
    open_ = drawn(folder, volume, *glass, "--cap", "none")
    wanted = 0.3 + 0.7 * linear(open_)
    apart = 255 * numpy.abs(linear(closed) - wanted).max(-1)
    check(apart[away < rim - 1].max() < 4, "a cap at 0.3 is off by", apart[away < rim - 1].max())
    same(closed[away > rim + 1], open_[away > rim + 1], "beside the cap")
    same(drawn(folder, volume, *glass, "--cap", "values", "--grey=-9:-8", "--method", "histopyramid"), closed, "another method")
    # A contour that is not cut hides the cap in part.
    inner = drawn(folder, volume, "--clip", f"y={CENTRE + 3}@1", "--opacity", "1,0.4", "--cap", "values",
                  "--grey=-9:-8", "--samples", "1", iso="5,0", colours="red,green")
    alone = drawn(folder, volume, "--opacity", "0.4", "--samples", "1", iso="0", colours="green")
    check((linear(inner)[SIZE // 2, SIZE // 2] > 0.55).all() and alone[SIZE // 2, SIZE // 2, 0] < 100,
          "the cap is seen through the outer contour", inner[SIZE // 2, SIZE // 2], alone[SIZE // 2, SIZE // 2])


def contours(folder, volume):
    """A cap has the colour of the highest contour around it, of those that the plane cuts."""
    middle, ring = (SIZE // 2, SIZE // 2), (SIZE // 2, round(SIZE / 2 + 13.5 * SCALE))

    def hues(only, *more):
        picture = drawn(folder, volume, "--clip", f"y={CENTRE}{only}", *more, iso="7,0", colours="red,green")
        return ["".join("rgb"[c] for c in range(3) if picture[at][c] == picture[at].max()) for at in (middle, ring)]

    check(hues("") == ["r", "g"], "both are cut", hues(""))
    check(hues("@1") == ["g", "g"], "the inner one alone", hues("@1"))
    check(hues("@2") == ["r", "g"], "the outer one alone", hues("@2"))
    check(hues("", "--hide", "1") == ["g", "g"], "the inner one is hidden", hues("", "--hide", "1"))
    grey = drawn(folder, volume, "--section", f"y={CENTRE}", "--hide", "1", "--grey=-100:-99")
    check(white(grey).sum() > 30000, "a section without a surface", white(grey).sum())


def bowls(folder, volume):
    """Light comes in where a plane cuts a solid open."""
    rows, columns = numpy.mgrid[0:SIZE, 0:SIZE] + 0.5 - SIZE / 2
    inside = numpy.hypot(rows, columns) < 9 * SCALE
    ways = ["y=75%"], ["y=75%,-x=90%"], ["y=75%,-z=0%", "--clip-all"]
    for cut in ways if WHOLE else ways[:1]:
        for draw in ("triangles", "rays") if WHOLE else ("triangles",):
            cut_open = "--clip", *cut, "--cap", "none", "--draw", draw
            dark, bright = (linear(drawn(folder, volume, *cut_open, light=light))[inside].mean() for light in ("occlusion", "off"))
            check(0.4 * bright < dark < 0.95 * bright, cut, draw, dark, "of", bright, "in the middle of a bowl")


def first_views(folder, volume):
    """Without a camera one sees the cut, from whichever side. A camera that is given stays."""
    def whites(*args):
        """The pixels of caps, and the picture."""
        ran = cubist("render", volume, "--iso", "0", "--size", "120x120", "--background", "#000000", "-o", picture, "-q", *args)
        check(ran.code == 0, ran)
        data = subprocess.run(["convert", picture, "-depth", "8", "rgb:-"], check=True, capture_output=True).stdout
        return white(numpy.frombuffer(data, numpy.uint8).reshape(120, 120, 3)).sum(), data

    picture = os.path.join(folder, "first.png")
    one_sided, uncut = 0, whites()[1]
    every = ["x=50%"], ["y=50%"], ["z=50%"], ["1,1,1,60"], ["1,-1,0,0"], ["view=50%"]
    for planes in every if WHOLE else every[4:5]:
        for flipped in "", "-":
            plane = planes[0] if not flipped else "-" + planes[0] if "=" in planes[0] else ",".join(f"{-float(v):g}" for v in planes[0].split(","))
            cut = "--clip", plane, "--cap", "values", "--grey=-9:-8"
            sees = plane != "-view=50%"
            for more in ([], ["--draw", "rays"], ["--up", "z"]) if WHOLE or not flipped else ([],):
                found, _ = whites(*cut, *more)
                check((found > 300) == sees, plane, *more, found)
            given = [whites(*cut, *more)[0] for more in (["--view=-34,20"], ["--view=146,20"])]
            one_sided += (given[0] > 300) != (given[1] > 300)
            check(whites("--clip", plane, "--clip-off")[1] == uncut, "planes that are off turn the camera", plane)
    check(one_sided >= (6 if WHOLE else 1), "a given direction shows cuts from both sides:", one_sided)
    quarter = whites("--clip", "x=50%,-y=50%,z=50%", "--clip-all", "--cap", "values", "--grey=-9:-8")[0]
    check(quarter > 300, "an octant:", quarter)


def notes(folder, volume):
    """A plane without an effect, or without anything left, is noted, and no other."""
    picture = os.path.join(folder, "noted.png")
    for option, noted in (
        ("--clip x=50%,-k=1,view=99%", []),
        ("--clip x=300,-x=300,j=-2", ["x=300: the plane keeps", "-x=300: the plane removes", "j=-2: the plane removes"]),
        ("--clip x=0%,-x=0%,-view=100%", ["x=0%: the plane removes", "-x=0%: the plane keeps", "-view=100%: the plane removes"]),
        ("--clip 1,1,0,300;-1,-1,0,-300;1,1,0,20", ["1,1,0,300: the plane keeps", "-1,-1,0,-300: the plane removes"]),
        ("--section x=0%,k=47;1,0,0,47.1", ["1,0,0,47.1: the plane is outside"]),
        ("--clip x=300 --clip-off --section j=-1 --section-off", []),
    ):
        ran = cubist("render", volume, "--iso", "0", "--size", "20x20", *option.split(), "-o", picture)
        kind = option.split()[0]
        check(ran.code == 0 and len(ran.err.splitlines()) == len(noted), ran)
        for line, text in zip(ran.err.splitlines(), noted):
            check(line.startswith(f"cubist: note: {kind} {text} ") and line.endswith("of the volume"), line)
    ran = cubist("animate", volume, "--iso", "0", "--size", "20x20", "--frames", "2", "--clip", "x=0%:100%,y=300", "-o", f"{folder}/n_{{n}}.png")
    check(ran.code == 0 and ran.err == "cubist: note: --clip y=300: the plane keeps nothing of the volume\n", ran)


def films(folder, volume):
    """A plane moves from frame to frame; only animate moves it."""
    ran = cubist("animate", volume, "--iso", "0", "--clip", "x=10:40", "--frames", "4", "--size", "80x80", "-o",
                 os.path.join(folder, "film_{n}.png"))
    check(ran.code == 0, ran)
    for frame, at in [*enumerate([10, 20, 30, 40])][0 if WHOLE else 2:]:
        still = os.path.join(folder, "still.png")
        cubist("render", volume, "--iso", "0", "--clip", f"x={at}", "--size", "80x80", "-o", still)
        with open(still, "rb") as one, open(os.path.join(folder, f"film_{frame:04}.png"), "rb") as other:
            check(one.read() == other.read(), "frame", frame, "is not the picture with x =", at)


def main():
    need_device()
    if not shutil.which("convert"):
        skip("convert is not installed")
    with Folder() as folder:
        volume = ball(folder)
        texts(folder, volume)
        cuts(folder, volume)
        areas(folder, volume)
        octants(folder, volume)
        rims(folder)
        greys(folder)
        lines(folder, volume)
        affines(folder)
        parts(folder)
        contours(folder, volume)
        rays(folder, volume)
        films(folder, volume)
        bowls(folder, volume)
        first_views(folder, volume)
        notes(folder, volume)
    finish()


main()
