#!/usr/bin/python3
# ctest: device twin heavy
"""render --show: bricks, cells, their order, the HistoPyramid's levels and the atlas, where and in which colour closed forms
say they are."""
import math
import shutil

from cli import *

if not shutil.which("convert"):
    skip("convert is not installed")

SIZE = 240
HALF = math.tan(0.5236 / 2)  # of the height, at distance 1
RAMP = [0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725]


def volume(folder, name, dims, inside):
    """A raw volume that is 255 at these samples and 0 elsewhere."""
    path = os.path.join(folder, f"{name}_{dims[0]}x{dims[1]}x{dims[2]}_uint8.raw")
    data = bytearray(dims[0] * dims[1] * dims[2])
    for x, y, z in inside:
        data[(z * dims[1] + y) * dims[0] + x] = 255
    with open(path, "wb") as file:
        file.write(data)
    return path


said = []  # the reports of pictures


class Picture:
    def __init__(self, raw, target, distance, *more, turn="1,0,0,0", size=(SIZE, SIZE)):
        path = os.path.join(os.path.dirname(raw), "picture.png")
        ran = cubist("render", raw, "--iso", "128", "--size", f"{size[0]}x{size[1]}", "--background", "transparent",
                     "--camera", f"{','.join(map(str, target))},{distance},{turn}", "-o", path, *more)
        if not check(ran.code == 0, ran):
            finish()
        said.append(ran.out)
        self.width, self.height = size
        self.data = subprocess.run(["convert", path, "-depth", "8", "rgba:-"], check=True, capture_output=True).stdout
        self.unit = size[1] / (2 * HALF * distance)  # pixels, at the target

    def at(self, x, y):
        i = 4 * (int(y) * self.width + int(x))
        return self.data[i:i + 4]

    def covered(self):
        """How many pixels are covered, and their centroid; a pixel that is partly covered counts as its part."""
        sums = [0, 0, 0]
        for i, alpha in enumerate(self.data[3::4]):
            sums[0] += alpha / 255
            sums[1] += alpha / 255 * (i % self.width + 0.5)
            sums[2] += alpha / 255 * (i // self.width + 0.5)
        return sums[0], sums[1] / max(sums[0], 1e-9), sums[2] / max(sums[0], 1e-9)

    def bounds(self):
        """Left, right, top and bottom of what is covered."""
        places = [(i % self.width, i // self.width) for i, alpha in enumerate(self.data[3::4]) if alpha > 127]
        xs, ys = [p[0] for p in places], [p[1] for p in places]
        return min(xs), max(xs) + 1, min(ys), max(ys) + 1


def ramp(place):
    """The colour as displayed."""
    at = min(max(place, 0), 1) * (len(RAMP) - 1)
    i = min(int(at), len(RAMP) - 2)
    return [(RAMP[i] >> shift & 255) * (1 - at + i) + (RAMP[i + 1] >> shift & 255) * (at - i) for shift in (16, 8, 0)]


def linear(shown):
    return [((c / 255 + 0.055) / 1.055) ** 2.4 if c > 0.04045 * 255 else c / 255 / 12.92 for c in shown]


def near(found, expected, slack, *what):
    check(all(abs(f - e) <= slack for f, e in zip(found, expected)), *what, found, "is not", expected)


DIMS = (40, 6, 6)
FIRST, MIDDLE, LAST = (0, 0, 0), (39, 0, 0), (39, 5, 5)  # corners: one active cell each


def cells(folder):
    """A point is where its cell's centre is, with the size of a cell; in pictures of the whole volume, too."""
    raw = volume(folder, "first", DIMS, [FIRST])
    for dx, dy, distance in (2, 1, 20), (-1.5, 2, 30):
        picture = Picture(raw, (0.5 + dx, 0.5 + dy, 0.5), distance, "--ortho", "--show", "cells")
        area, x, y = picture.covered()
        near((x, y), (SIZE / 2 - dx * picture.unit, SIZE / 2 + dy * picture.unit), 0.5, "the point of the first cell")
        near([area], [math.pi * (0.42 * picture.unit) ** 2], 0.06 * area, "its area", distance)
    # In perspective, before the target.
    picture = Picture(raw, (-0.5, 0.5, -2.5), 20, "--show", "cells")
    unit = picture.unit * 20 / (20 - 3)
    area, x, y = picture.covered()
    near((x, y), (SIZE / 2 + unit, SIZE / 2), 0.6, "the point in perspective")
    near([area], [math.pi * (0.42 * unit) ** 2], 0.06 * area, "its area in perspective")
    # A cell of another shape, from afar: its point has the least size.
    spaced = Picture(raw, (0.5, 1.5, 2.5), 1000, "--ortho", "--show", "cells", "--spacing", "1,3,5")
    near(spaced.covered(), (math.pi * 1.2 ** 2, SIZE / 2, SIZE / 2), 1.2, "the least point")


def order(folder):
    """A point for each of three cells: the first, the middle and the last one have the ramp's colours, however they
    are lit."""
    raw = volume(folder, "three", DIMS, [FIRST, MIDDLE, LAST])
    for method in "histopyramid", "scan-scatter-hs":
        picture = Picture(raw, (19.5, 2.5, 2.5), 90, "--ortho", "--show", "order", "--method", method)
        near([picture.covered()[0]], [3 * math.pi * (0.42 * picture.unit) ** 2], 4, "three points")
        for place, (x, y) in enumerate(((0.5, 0.5), (38.5, 0.5), (38.5, 4.5))):
            found = picture.at(SIZE / 2 + (x - 19.5) * picture.unit, SIZE / 2 - (y - 2.5) * picture.unit)
            check(found[3] == 255, method, "a point at", x, y)
            found, expected = linear(found[:3]), linear(ramp(place / 2))
            share = max(found) / max(expected)
            check(0.5 < share < 1.01, method, "how bright it is", share)
            near(found, [share * c for c in expected], 0.01, method, "the colour of cell", place)
        check(f"\nOrder of the 3 active cells, {method} " in said[-1] and "colors: #440154 first to #fde725 last\n" in said[-1],
              "words for a caption:", said[-1])
    # Only one cell: it is the first.
    alone = Picture(volume(folder, "alone", DIMS, [LAST]), (38.5, 4.5, 4.5), 20, "--ortho", "--show", "order")
    found, expected = linear(alone.at(SIZE / 2, SIZE / 2)[:3]), linear(ramp(0))
    near(found, [max(found) / max(expected) * c for c in expected], 0.01, "a single cell")


def bricks(folder):
    """A box is as large as the brick, or what the volume has of it, and its near side covers the far one."""
    whole, rest = volume(folder, "whole", DIMS, [FIRST]), volume(folder, "rest", DIMS, [LAST])
    for raw, low, high in (whole, (0, 0, 0), (32, 4, 4)), (rest, (32, 4, 4), (39, 5, 5)):
        middle = [(a + b) / 2 for a, b in zip(low, high)]
        picture = Picture(raw, middle, 90, "--ortho", "--show", "bricks")
        left, right, top, bottom = picture.bounds()
        near((left, right, top, bottom),
             (SIZE / 2 + (low[0] - middle[0]) * picture.unit, SIZE / 2 + (high[0] - middle[0]) * picture.unit,
              SIZE / 2 - (high[1] - middle[1]) * picture.unit, SIZE / 2 - (low[1] - middle[1]) * picture.unit), 1,
             "the box of", os.path.basename(raw))
    # From the side, along x.
    picture = Picture(whole, (16, 2, 2), 30, "--ortho", "--show", "bricks", turn="0.70710678,0,0.70710678,0")
    half = 2 * picture.unit
    near(picture.bounds(), (SIZE / 2 - half, SIZE / 2 + half) * 2, 1, "the box from the side")
    # In perspective the outline is that of the near side, whichever side that is.
    for turn in "1,0,0,0", "0,0,1,0":
        picture = Picture(whole, (16, 2, 2), 80, "--show", "bricks", turn=turn)
        half = 16 * picture.unit * 80 / (80 - 2)
        near(picture.bounds()[:2], (SIZE / 2 - half, SIZE / 2 + half), 1, "the near side")
    # The side's own colour is not that of its edges.
    picture = Picture(whole, (16, 2, 4), 20, "--ortho", "--show", "bricks")
    face, edge = picture.at(SIZE / 2, SIZE / 2), picture.at(SIZE / 2, SIZE / 2 + 2 * picture.unit - 0.5)
    check(sum(face[:3]) > 1.4 * sum(edge[:3]), "a box has dark edges", tuple(face), tuple(edge))


def squares(width, height):
    """listed_squares of app/picture/listed.c."""
    scale = max(0.75, min(width, height) / 800)
    gap, least, margin = (int(n * scale) for n in (6, 10, 28))
    most = 2 ** int(math.log2(max(least, min(0.34 * height, 0.30 * width))))
    found, bottom = [], height - margin
    for level in range(16):
        side = max(least, most >> level)
        found.append((margin + (most - side) // 2, bottom - side, side))
        bottom -= side + gap
    return found


def levels(folder):
    """One active brick has 16 rows: a base of 4 x 4 nodes, 2 x 2 above, and the apex. Sample (9, 1, 3) makes the
    cells around it active: two each in the rows y = 0 and 1 of z = 2 and 3."""
    raw = volume(folder, "rows", (32, 5, 5), [(9, 1, 3)])
    size = (500, 400)
    for method in "histopyramid", "histopyramid-vec4":
        picture = Picture(raw, (16, 2, 2), 400, "--show", "levels", "--method", method, size=size)
        # Rows are numbered z * 4 + y, nodes along the Z-order curve: row (y, z) is at (y & 1 | (z & 1) << 1, ...).
        counts = [0] * 16
        for z, y in (2, 0), (2, 1), (3, 0), (3, 1):
            counts[z * 4 + y] = 2
        for level in range(3):
            left, top, side = squares(*size)[level]
            wide = 4 >> level
            for node in range(wide * wide):
                x = sum((node >> 2 * b & 1) << b for b in range(2))
                y = sum((node >> 2 * b + 1 & 1) << b for b in range(2))
                sum_below = sum(counts[node * 4 ** level:(node + 1) * 4 ** level])
                expected = ramp(math.sqrt(sum_below / (32 * 4 ** level)))
                found = picture.at(left + (x + 0.5) * side / wide, top + (y + 0.5) * side / wide)
                check(found[3] == 255, method, "level", level, "is there")
                near(found[:3], expected, 3, method, "level", level, "node", node)
        # Above the apex there is nothing.
        left, top, side = squares(*size)[3]
        check(picture.at(left + side / 2, top + side / 2)[3] == 0, "nothing above the apex")


def many(folder):
    """A volume of 10 slices, its path and its active cells; two tiles of 37 x 6 side by side."""
    dims = (37, 6, 10)
    inside = {(x, y, z) for z in range(10) for y in range(6) for x in range(37) if (7 * x + 5 * y * y + 3 * z * z) % 23 == 0}
    corners = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    cells = [(x, y, z) for z in range(9) for y in range(5) for x in range(36)
             if 0 < sum((x + a, y + b, z + c) in inside for a, b, c in corners) < 8]
    return dims, volume(folder, "many", dims, inside), cells


def tiles(folder):
    """The pyramid over the slices: the cells at their texels in the Z-order of these, and at the right the levels, each
    half as large as the one before. Where there are fewer pixels than texels, the first levels are left out."""
    dims, raw, cells = many(folder)
    counts = [{(z % 2 * dims[0] + x, z // 2 * dims[1] + y): 1 for x, y, z in cells}]
    wide = [(74, 30)]
    while wide[-1] != (1, 1):
        above = {}
        for (u, v), count in counts[-1].items():
            above[u // 2, v // 2] = above.get((u // 2, v // 2), 0) + count
        counts.append(above)
        wide.append(((wide[-1][0] + 1) // 2, (wide[-1][1] + 1) // 2))

    def z_order(at):
        return sum((at[0] >> b & 1) << 2 * b | (at[1] >> b & 1) << 2 * b + 1 for b in range(7))

    for size, side, left, top, left_out in ((500, 400), 232, 12, 84, 0), ((100, 90), 32, 12, 29, 2):
        picture = Picture(raw, (18, 3, 5), 90, "--show", "levels", "--box", "--method", "histopyramid:atlas", size=size)
        check("HistoPyramid of histopyramid:atlas. Left: " in said[-1], "words for a caption:", said[-1])
        if not left_out:  # each texel has 3 x 3 pixels
            for number, at in enumerate(sorted(counts[0], key=z_order)):
                found = picture.at(left + 3 * at[0] + 1, top + 3 * at[1] + 1)
                near(found[:3], ramp(number / (len(cells) - 1)), 2, "the cell at", at)
        x, y = left + side + 12, top
        for place in range(1, len(counts) - left_out):
            level, most = place + left_out, max(wide[place + left_out])
            own = (side - 1 >> place) + 1
            w, h = (max(n * own // most, 1) for n in wide[level])
            for i in range(w * h):
                u, v = ((n + 0.5) * t / s for n, t, s in zip((i % w, i // w), wide[level], (w, h)))
                if min(u % 1, v % 1, -u % 1, -v % 1) < 0.01:
                    continue  # between two texels
                sum_below = counts[level].get((int(u), int(v)), 0)
                found = picture.at(x + i % w, y + i // w)
                if sum_below:
                    near(found[:3], ramp(math.sqrt(sum_below / 4 ** level)), 3, size, "level", level, "texel", u, v)
                else:
                    check(found[3] == 255 and len(set(found[:3])) == 1, size, "level", level, "an empty texel", u, v)
            x, y = (x + own + 4, y) if place == 1 else (x, y + own + 4)
        check(picture.at(x, min(y + 4, size[1] - 1))[3] == 0, "nothing above the apex")


def atlas(folder):
    """Each active cell is at its texel in the slices, and at its place in the list, in one colour. What is lit is the
    same for all methods; the colours of one that keeps the order are those of the stream."""
    dims, raw, cells = many(folder)
    cells.sort(key=lambda c: (c[2] // 4, c[1] // 4, c[0] // 32, c[2], c[1], c[0]))
    cols = 2  # two tiles of 37 side by side: 74 x 30
    every = [name for name in methods() if name not in ("auto", "cpu-remove")]
    for size, side, left, top, names in ((500, 400), 232, 12, 84, every[:1]), ((300, 240), 120, 24, 60, every), \
            ((100, 90), 32, 12, 29, ["histopyramid"]):
        for method in names:
            picture = Picture(raw, (18, 3, 5), 90, "--show", "atlas", "--box", "--method", method, size=size)
            lit = {(i % size[0], i // size[0]): tuple(picture.data[4 * i:4 * i + 3]) for i in range(size[0] * size[1])
                   if len(set(picture.data[4 * i:4 * i + 3])) > 1}  # all but the frames and tiles, which are grey
            wide, shown = math.isqrt(len(cells) - 1) + 1, []
            for is_list, across, down in (False, cols * dims[0], math.ceil(dims[2] / cols) * dims[1]), (True, wide, wide):
                most, begin = max(across, down), left + is_list * (side + 12)
                w, h = [n * (side // most) if most <= side else n * side // most for n in (across, down)]
                places, colours = [], {}  # of pixels; of cells at one pixel the last in the list is seen
                for number, (x, y, z) in enumerate(cells):
                    u, v = (number % wide, number // wide) if is_list else (z % cols * dims[0] + x, z // cols * dims[1] + y)
                    x0, y0 = u * w // across, v * h // down
                    places.append((begin + x0, top + y0))
                    for px in range(x0, max((u + 1) * w // across, x0 + 1)):
                        for py in range(y0, max((v + 1) * h // down, y0 + 1)):
                            colours[begin + px, top + py] = ramp(number / (len(cells) - 1))
                found = {at: rgb for at, rgb in lit.items() if begin <= at[0] < begin + side}
                check(found.keys() == colours.keys(), method, size, "lit:", len(found), "not", len(colours))
                if is_list or method == "histopyramid":
                    wrong = [at for at in found.keys() & colours if max(abs(a - b) for a, b in zip(found[at], colours[at])) > 2]
                    check(not wrong, method, size, "the colours at", wrong[:4])
                shown.append(sorted(lit.get(at, (0, 0, 0)) for at in places))
            check(size[0] < 300 or shown[0] == shown[1], method, "a cell has one colour at both sides")


def others(folder):
    """What is refused, and what goes on in parts."""
    raw = sample(folder, "gyroid", "64x60x70")
    out = os.path.join(folder, "out.png")
    render = ["render", raw, "--iso", "50%", "--size", "200", "-o", out]
    refused(cubist(*render, "--show", "levels", "--method", "ink-collate"), 2,
            "ink-collate builds no HistoPyramid; choose --method histopyramid")
    refused(cubist(*render, "--show", "triangles"), 2, "--show.*triangles")
    for own, every in ([], False), (["--no-skip"], True):
        ran = cubist(*render, "--show", "bricks", *own)
        found = re.search(r"Active bricks: ([\d,]+) of ([\d,]+) ", ran.out)
        check(ran.code == 0 and found and (found[1] == found[2]) == every, own, "bricks that are drawn:", ran)
    need = re.search(r"\((\d+) bytes\)", cubist(*render, "--memory-budget", "1").err)
    memory = ["--memory-budget", str(2 + math.ceil(int(need[1]) / 2 ** 20))]
    refused(cubist(*render, "--show", "order", *memory), 4, "--show order needs the volume on the device as one part")
    for what in "cells", "bricks":
        pictures = []
        for own in [], memory:
            ran = cubist(*render, "--show", what, "--background", "transparent", *own)
            check(ran.code == 0, ran)
            pictures.append(subprocess.run(["convert", out, "-depth", "8", "rgba:-"], check=True,
                                           capture_output=True).stdout)
        alpha = [picture[3::4] for picture in pictures]
        check(sum(a > 0 for a in alpha[0]) > 5000, what, "are drawn")
        if what == "cells":  # parts begin at any layer, so their bricks may not be the whole's
            check(sum(abs(a - b) > 64 for a, b in zip(*alpha)) < 20, "the same cells in parts")


def main():
    need_device()
    with Folder() as folder:
        cells(folder)
        order(folder)
        bricks(folder)
        levels(folder)
        tiles(folder)
        atlas(folder)
        others(folder)
    finish()


main()
