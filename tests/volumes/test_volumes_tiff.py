#!/usr/bin/python3
# ctest: heavy
"""TIFF stacks: pages of every type and layout, made here byte by byte; ImageJ's descriptions; files
that are cut, scrambled or not a stack. Without libtiff: the message that says so."""
import itertools
import random
import struct
import zlib

import numpy

from cli import *
from tiff_files import shared_strips

BYTE, ASCII, SHORT, LONG, RATIONAL = 1, 2, 3, 4, 5
KINDS = {"uint8": (8, 1), "int8": (8, 2), "uint16": (16, 1), "int16": (16, 2), "uint32": (32, 1),
         "int32": (32, 2), "float16": (16, 3), "float32": (32, 3), "float64": (64, 3)}


def packbits(row):
    out = b""
    for i in range(0, len(row), 128):
        part = row[i:i + 128]
        out += bytes([len(part) - 1]) + part
    return out


def tiff(volume, big=False, layout="strip", compression=1, rows=None, tags=None, first=None,
         previews=False):
    """The bytes of a TIFF whose pages are the slices of `volume` (z, y, x). `tags`: further or
    other entries of each page, `first` of the first alone; a value of None drops an entry."""
    order = ">" if big else "<"
    bits, kind = KINDS[volume.dtype.name]
    depth, height, width = volume.shape
    out = bytearray((b"MM" if big else b"II") + struct.pack(order + "HI", 42, 0))
    last = 4  # where the offset of the next page stands

    def pack(part):
        part = part.astype(part.dtype.newbyteorder(order)).tobytes()
        return zlib.compress(part) if compression == 8 else \
            packbits(part) if compression == 32773 else part

    def page(image, entries):
        nonlocal last
        pieces, extra = [], {}
        if layout == "tile":
            for y in range(0, height, 16):
                for x in range(0, width, 16):
                    tile = numpy.zeros((16, 16), image.dtype)
                    part = image[y:y + 16, x:x + 16]
                    tile[:part.shape[0], :part.shape[1]] = part
                    pieces.append(pack(tile))
            extra = {322: (SHORT, [16]), 323: (SHORT, [16])}
        else:
            step = rows or height
            pieces = [pack(image[y:y + step]) for y in range(0, height, step)]
            extra = {278: (LONG, [step])}
        offsets = []
        for piece in pieces:
            offsets.append(len(out))
            out.extend(piece + b"\0" * (len(piece) % 2))
        extra[324 if layout == "tile" else 273] = (LONG, offsets)
        extra[325 if layout == "tile" else 279] = (LONG, [len(p) for p in pieces])
        all_tags = {256: (LONG, [width]), 257: (LONG, [height]), 258: (SHORT, [bits]),
                    259: (SHORT, [compression]), 262: (SHORT, [1]), 277: (SHORT, [1]),
                    339: (SHORT, [kind]), **extra, **(tags or {}), **entries}
        rows_out = b""
        for tag, entry in sorted((t, e) for t, e in all_tags.items() if e):
            form, values = entry
            if form == ASCII:
                body, count = values, len(values)
            elif form == RATIONAL:
                body = b"".join(struct.pack(order + "II", *v) for v in values)
                count = len(values)
            else:
                body = b"".join(struct.pack(order + {BYTE: "B", SHORT: "H", LONG: "I"}[form], v)
                                for v in values)
                count = len(values)
            if len(body) > 4:
                where = len(out)
                out.extend(body + b"\0" * (len(body) % 2))
                body = struct.pack(order + "I", where)
            rows_out += struct.pack(order + "HHI", tag, form, count) + body.ljust(4, b"\0")
        struct.pack_into(order + "I", out, last, len(out))
        out.extend(struct.pack(order + "H", len(rows_out) // 12) + rows_out)
        last = len(out)
        out.extend(b"\0\0\0\0")

    for z in range(depth):
        page(volume[z], first if z == 0 and first else {})
        if previews:
            page(volume[z], {254: (LONG, [1])})
    return bytes(out)


def make(type, shape=(3, 20, 37)):
    values = numpy.arange(numpy.prod(shape)).reshape(shape) % 200
    if type in ("int8", "int16", "int32"):
        values = values % 100 - 50
    return (values / 4 if type.startswith("float") else values).astype(type)


def put(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content)
    return path


def samples(path, folder, *options):
    """The samples that cubist finds, as (z, y, x), and what it says."""
    raw = os.path.join(folder, "out.raw")
    ran = cubist("convert", path, "--format", "raw", "-o", raw, *options)
    if not check(ran.code == 0, ran):
        return None, ran
    info = cubist("info", "--json", path, *options).json()
    with open(raw, "rb") as file:
        found = numpy.frombuffer(file.read(), "<" + numpy.dtype(info["sample_type"]).str[1:]
                                 if info["sample_type"] not in ("uint8", "int8")
                                 else info["sample_type"])
    if found.size != numpy.prod(info["dims"]):  # float64 goes out as it came
        with open(raw, "rb") as file:
            found = numpy.frombuffer(file.read(), "<f8")
    return found.reshape(info["dims"][::-1]), ran


def same(name, content, volume, folder, word=None, *options):
    found, ran = samples(put(folder, name, content), folder, *options)
    check(found is not None and found.shape == volume.shape and (found == volume).all(),
          "samples differ:", name)
    check(word in ran.err if word else "warning" not in ran.err, f"expected '{word}':", ran)


def every_layout(folder):
    for type in KINDS:
        for big in (False, True):
            same("a.tif", tiff(make(type), big), make(type), folder)
    volume = make("uint16")
    for big in (False, True):
        for compression in (1, 8, 32773):
            for layout, rows in (("strip", 7), ("strip", 1), ("strip", 4000), ("tile", None)):
                content = tiff(volume, big, layout, compression, rows)
                same("b.tiff", content, volume, folder)
    # A preview behind each page is no slice; neither is a name needed.
    same("c", tiff(volume, previews=True), volume, folder)
    same("d.tif", tiff(volume, tags={262: (SHORT, [0])}), volume, folder, "white is 0")


def spacing(path):
    return cubist("info", "--json", path).json()["spacing"]


def unit_is(path, expected):
    """Information names the unit of lengths; None: none. With a spacing of the user it is unknown."""
    json, text = cubist("info", "--json", path).json(), cubist("info", path).out
    check(json.get("unit") == expected and ("unit" in json) == (expected is not None), path, expected, json.get("unit"))
    line = next(line for line in text.splitlines() if line.startswith("spacing"))
    check(line.split()[4:] == ([expected] if expected else []), path, line)
    check("unit" not in cubist("info", "--json", path, "--spacing", "1,2,3").json(), path)


def imagej(folder):
    text = b"ImageJ=1.53t\nimages=3\nslices=3\nunit=micron\nspacing=2.5\nloop=false\n\0"
    resolution = {282: (RATIONAL, [(4, 1)]), 283: (RATIONAL, [(2, 1)]), 296: (SHORT, [1])}
    volume = make("uint8")
    same("a.tif", tiff(volume, first={270: (ASCII, text), **resolution}), volume, folder)
    check(spacing(os.path.join(folder, "a.tif")) == [0.25, 0.5, 2.5], "ImageJ's spacing")
    unit_is(os.path.join(folder, "a.tif"), "um")
    # Dots per inch are no distance of samples.
    same("b.tif", tiff(volume, first=resolution), volume, folder)
    check(spacing(os.path.join(folder, "b.tif")) == [1, 1, 1], "dots per inch")
    unit_is(os.path.join(folder, "b.tif"), None)
    # Two channels and two time steps of three slices.
    text = b"ImageJ=1.53t\nimages=12\nchannels=2\nslices=3\nframes=2\nhyperstack=true\n\0"
    volume = make("uint8", (12, 5, 6))
    same("c.tif", tiff(volume, first={270: (ASCII, text)}), volume[0:6:2], folder, "2 channels")
    text = text.replace(b"slices=3", b"slices=4")
    refused(cubist("info", put(folder, "d.tif", tiff(volume, first={270: (ASCII, text)}))), 3,
            "2 channels, 4 slices and 2 time steps in 12 pages")
    # In every order: which of channel, slice and time step differs from page to page.
    volume = make("uint8", (12, 5, 6))
    for order in itertools.permutations("czt"):
        sizes = {"c": 2, "z": 3, "t": 2}
        pages = numpy.arange(12).reshape([sizes[axis] for axis in reversed(order)])
        slices = pages.transpose([order[::-1].index(axis) for axis in "ctz"])[0, 0]
        text = f"ImageJ=1.53t\nimages=12\nchannels=2\nslices=3\nframes=2\norder={''.join(order)}\n"
        content = tiff(volume, first={270: (ASCII, text.encode() + b"\0")})
        same("o.tif", content, volume[slices], folder, "2 channels and 2 time steps")
        text = f'<OME><Pixels DimensionOrder="XY{"".join(order).upper()}" SizeC="2" SizeZ="3" ' \
               f'SizeT="2"><TiffData IFD="0" PlaneCount="12"/></Pixels></OME>'
        content = tiff(volume, first={270: (ASCII, text.encode() + b"\0")})
        same("o.tif", content, volume[slices], folder, "2 channels and 2 time steps")
        other = pages.transpose([order[::-1].index(axis) for axis in "ctz"])[1, 1]
        same("o.tif", content, volume[other], folder, None, "--channel", "1", "--time", "1")
    text = b"ImageJ=1.53t\nimages=12\nchannels=2\nslices=6\norder=czx\n\0"
    refused(cubist("info", put(folder, "o.tif", tiff(volume, first={270: (ASCII, text)}))), 3,
            "does not say in which order")
    # A unit for each axis: the spacing is in that of x.
    volume = make("uint8")
    for units, right, unit in [(b"unit=nm\nzunit=um\nyunit=nm", [0.25, 0.5, 2500], "nm"),
                               (b"unit=\\u00B5m\nyunit=mm\nzunit=nm", [0.25, 500, 0.0025], "um"),
                               (b"unit=pixel", [1, 1, 2.5], None), (b"unit=inch", [0.25, 0.5, 2.5], "in"),
                               (b"unit=um\nzunit=sec", [0.25, 0.5, 2.5], None), (b"unit=sec", [0.25, 0.5, 2.5], None),
                               (b"zunit=um\nyunit=um", [1, 1, 2.5], None)]:
        text = b"ImageJ=1.53t\nimages=3\nslices=3\n" + units + b"\nspacing=2.5\n\0"
        path = put(folder, "u.tif", tiff(volume, first={270: (ASCII, text), **resolution}))
        check(spacing(path) == right, units, spacing(path))
        check(("cannot be compared" in cubist("info", path).err) == units.startswith((b"zunit", b"unit=um")), units)
        unit_is(path, unit)
    text = b'<OME><Pixels PhysicalSizeX="0.1" PhysicalSizeXUnit="\xc2\xb5m" PhysicalSizeY="0.1" ' \
           b'PhysicalSizeYUnit="\xc2\xb5m" PhysicalSizeZ="500" PhysicalSizeZUnit="nm"/></OME>\0'
    path = put(folder, "u.tif", tiff(volume, first={270: (ASCII, text)}))
    check(spacing(path) == [0.1, 0.1, 0.5], "OME's units", spacing(path))
    unit_is(path, "um")
    text = b'<OME><Pixels PhysicalSizeX="5" PhysicalSizeXUnit="nm"/></OME>\0'
    unit_is(put(folder, "u.tif", tiff(volume, first={270: (ASCII, text)})), None)
    # A stack of bare samples behind one page.
    for big in (False, True):
        volume = make("uint16", (4, 5, 6))
        text = b"ImageJ=1.53t\nimages=4\nslices=4\n\0"
        content = tiff(volume[:1], big, first={270: (ASCII, text), 273: (LONG, [4096])})
        bare = volume.astype(volume.dtype.newbyteorder(">" if big else "<")).tobytes()
        same("e.tif", content.ljust(4096, b"\0") + bare, volume, folder)
        refused(cubist("info", put(folder, "f.tif", content.ljust(4096, b"\0") + bare[:-1])), 3,
                "f.tif")
    # Neither where a preview comes first, nor with strips in another order, or channels that are
    # not one after the other. A palette of ImageJ's only shows the samples.
    volume = make("uint8", (4, 8, 6))
    text = b"ImageJ=1.53t\nimages=4\nchannels=2\nslices=2\norder=zct\n\0"
    content = tiff(volume[:1], rows=4, tags={270: (ASCII, text), 273: (LONG, [4096, 4120])})
    same("n.tif", content.ljust(4096, b"\0") + volume.tobytes(), volume[:2], folder, "2 channels")
    text = b"ImageJ=1.53t\nimages=4\nslices=4\n\0"
    content = tiff(volume[:1], rows=4, tags={270: (ASCII, text), 273: (LONG, [4096, 4120])})
    same("i.tif", content.ljust(4096, b"\0") + volume.tobytes(), volume, folder)
    content = tiff(volume[:1], rows=4, tags={270: (ASCII, text), 273: (LONG, [4120, 4096])})
    refused(cubist("info", put(folder, "j.tif", content.ljust(4096, b"\0") + volume.tobytes())), 3,
            "one page")
    map = {262: (SHORT, [3]), 320: (SHORT, [0] * 768)}
    content = tiff(volume[:1], tags={270: (ASCII, text), 273: (LONG, [4096]), **map})
    same("k.tif", content.ljust(4096, b"\0") + volume.tobytes(), volume, folder)
    text = b"ImageJ=1.53t\nimages=4\nchannels=2\nslices=2\n\0"
    content = tiff(volume[:1], tags={270: (ASCII, text), 273: (LONG, [4096])})
    content = content.ljust(4096, b"\0") + volume.tobytes()
    same("l.tif", content, volume[::2], folder, "2 channels and 1 time steps")
    same("l.tif", content, volume[1::2], folder, None, "--channel", "1")
    # OME: one channel at one time is a stack.
    text = b'<?xml version="1.0"?><OME><Pixels SizeC="%d" SizeT="1" SizeZ="3" ' \
           b'PhysicalSizeX="0.5" PhysicalSizeY="0.5" PhysicalSizeZ="2"/></OME>\0'
    volume = make("uint8")
    same("g.tif", tiff(volume, first={270: (ASCII, text % 1)}), volume, folder)
    check(spacing(os.path.join(folder, "g.tif")) == [0.5, 0.5, 2], "OME's spacing")
    refused(cubist("info", put(folder, "h.tif", tiff(volume, first={270: (ASCII, text % 3)}))), 3,
            "3 channels")
    text = b'<?xml version="1.0"?><OME><Pixels PhysicalSizeX="1e-300"/></OME>\0'
    refused(cubist("info", put(folder, "m.tif", tiff(volume, first={270: (ASCII, text)}))), 3,
            "1e-300")


def folders(top):
    """A file for each slice, in natural order."""
    for type in ("uint8", "int16", "float16", "float32", "float64"):
        folder = os.path.join(top, type)
        os.mkdir(folder)
        volume = make(type, (11, 6, 5))
        for z in range(11):
            put(folder, f"s{z}.tif", tiff(volume[z:z + 1], big=z % 2 == 1))
        found, ran = samples(folder, top)
        check(found is not None and (found == volume).all() and
              "warning" not in ran.err, "a folder:", ran)
    put(folder, "s4.tif", tiff(make("float64", (2, 6, 5))))
    refused(cubist("info", folder), 3, "s4.tif' has 2 pages")
    put(folder, "s4.tif", tiff(make("float32", (1, 6, 5))))
    refused(cubist("info", folder), 3, "s4.tif' is 5x6 float32, the other slices are 5x6 float64")
    put(folder, "s4.tif", tiff(make("float64", (1, 6, 5)))[:100])
    refused(cubist("info", folder), 3, "s4.tif")


def wrong(folder):
    volume = make("uint8")
    sound = tiff(volume)
    cases = [
        (tiff(volume[:1]), "one page"),
        (tiff(volume, first={257: (LONG, [19]), 278: (LONG, [19])}), "page 2 is 37x20"),
        (tiff(volume, tags={277: (SHORT, [3])}), "3 channels"),
        (tiff(volume.astype("uint16"), tags={262: (SHORT, [3]), 320: (SHORT, [0] * 3 * 65536)}),
         "palette for other than 8-bit"),
        (tiff(volume, tags={32997: (LONG, [4])}), "several slices"),
        (tiff(volume, tags={259: (SHORT, [34661])}), "compressed in a way"),
        (tiff(volume, tags={262: (SHORT, [8])}), "not a grey image"),
        (tiff(volume, tags={258: (SHORT, [12])}), "12-bit"),
        (tiff(volume, tags={258: (SHORT, [1])}), "1-bit"),
        (tiff(volume, tags={258: (SHORT, [24]), 339: (SHORT, [3])}), "24-bit float"),
        (tiff(volume, tags={259: (SHORT, [40000])}), "compressed in a way"),
        (tiff(volume, tags={256: None}), "."),
        (tiff(volume, tags={254: (LONG, [1])}), "previews"),
        (tiff(volume, tags={257: (LONG, [21])}), "damaged|cut short"),
        (tiff(volume, tags={256: (LONG, [4000000000]), 257: (LONG, [4000000000])}), "."),
        (tiff(volume, tags={273: (LONG, [len(sound) + 100])}), "damaged|cut short"),
        (tiff(volume, tags={273: (LONG, [0])}), "has no data"),
        (tiff(volume, rows=7, tags={279: None}), "StripByteCounts"),
        (tiff(volume, rows=7, tags={279: (LONG, [259, 259, 221])}),
         "page 1 .*: strip 3 has 221 bytes, its samples take 222"),
        (tiff(volume, layout="tile", tags={325: (LONG, [256, 256, 9] * 2)}),
         "tile 3 has 9 bytes, its samples take 256"),
        # A width that is too small: the strip has more than its rows.
        (tiff(volume, compression=8, tags={256: (LONG, [36])}), "too many samples"),
        (tiff(volume, compression=8, tags={257: (LONG, [19])}), "too many samples"),
        (tiff(volume[:, :1], ), "two samples"),
        (sound[:8], "."),
        # Pages that share their strip: together they are more than the file has.
        (tiff(numpy.zeros((40, 1, 37), "uint8"), tags={257: (LONG, [20]), 278: (LONG, [20]),
                                                       273: (LONG, [8]), 279: (LONG, [740])}),
         "its first 9 pages together should have 37x20x9 samples, but .* cannot hold so many"),
        # Pages that share one long list of strips.
        (shared_strips(100, 3000, 4),
         "its first 12 pages should have 36000 strips or tiles"),
    ]
    for content, pattern in cases:
        ran = cubist("info", put(folder, "w.tif", content))
        refused(ran, ran.code if ran.code in (3, 4) else 3, pattern)


def sizes_of_strips(folder):
    """Files state the bytes of uncompressed strips as they like: all that is needed is there."""
    volume = make("int16")
    for sizes in ([518, 518, 518], [518, 518, 100000], [100000] * 3, [8, 600, 900]):
        same("a.tif", tiff(volume, rows=7, tags={279: (LONG, sizes)}), volume, folder)
    same("b.tif", tiff(volume, tags={279: (LONG, [0])}), volume, folder)
    same("c.tif", tiff(volume, tags={279: None}), volume, folder)
    # A palette that is missing: the samples are greys.
    same("p.tif", tiff(volume, tags={262: (SHORT, [3])}), volume, folder)
    # The bits of each byte the other way round.
    mirror = bytes(int(f"{i:08b}"[::-1], 2) for i in range(256))
    flipped = numpy.frombuffer(volume.tobytes().translate(mirror), "<i2").reshape(volume.shape)
    same("d.tif", tiff(volume, tags={266: (SHORT, [2])}), flipped, folder)
    same("e.tif", tiff(volume, layout="tile", compression=8, tags={266: (SHORT, [1])}), volume,
         folder)


def palettes(folder):
    """The greys of a palette, as of a PNG image with one; colours only where no sample has them."""
    volume = make("uint8", (3, 6, 7))
    values = [(7 * i + 5) % 256 for i in range(256)]
    greys = numpy.array(values, "uint8")[volume]
    for scale in (257, 256, 1):
        entries = [scale * v for v in values]
        map = {262: (SHORT, [3]), 320: (SHORT, entries * 3)}
        for big in (False, True):
            same("a.tif", tiff(volume, big, tags=map), greys, folder, "greys of its palette")
    # A table of ImageJ's, or of OME-TIFF, says how to show the samples, whatever its colours.
    for table in entries * 3, [257 * (i % 256) for i in range(768)], [7 * i for i in range(768)]:
        for text in b"ImageJ=1.53t\nimages=3\nslices=3\n\0", b"<OME><Pixels SizeZ='3'/></OME>\0":
            tags = {262: (SHORT, [3]), 320: (SHORT, table)}
            same("t.tif", tiff(volume, tags=tags, first={270: (ASCII, text)}), volume, folder)
    tags = {262: (SHORT, [3]), 320: (SHORT, [257 * (i % 256) for i in range(768)])}
    same("i.tif", tiff(volume, tags=tags), volume, folder)
    check("note" not in cubist("info", os.path.join(folder, "i.tif")).err, "a palette of no change")
    slices = os.path.join(folder, "slices")
    os.mkdir(slices)
    for z in range(3):
        put(slices, f"{z}.tif", tiff(volume[z:z + 1], tags=map))
    found, ran = samples(slices, folder)
    check(found is not None and (found == greys).all() and
          "3 of 3 images are the greys of a palette" in ran.err, "a folder with palettes:", ran)
    # Of the 256 entries the samples use the first 126.
    map[320][1][256 + 126] = 77
    same("b.tif", tiff(volume, tags=map), greys, folder, "greys of its palette")
    map[320][1][256 + 125] = 77
    refused(cubist("info", put(folder, "c.tif", tiff(volume, tags=map))), 3,
            "page 3 has a palette of colours")
    put(slices, "2.tif", tiff(volume[2:3], tags=map))
    refused(cubist("info", slices), 3, "2.tif': page 1 has a palette of colours")
    # A grey of 16 bits is none of 8.
    map[320] = (SHORT, ([0x1234] + [257 * v for v in values[1:]]) * 3)
    refused(cubist("info", put(folder, "d.tif", tiff(volume, tags=map))), 3, "palette of colours")


def nothing_that_is_not_there(folder):
    """Data of one row more than the strip has: what the library leaves unwritten is no sample."""
    random.seed(2)
    row = bytes(random.randrange(256) for _ in range(64))
    for compression in (8, 32773):
        for part in (row * 129, row * 128 + row[:1], row * 127, zlib.compress(b"")):
            packed = zlib.compress(part, 0) if compression == 8 else packbits(part)
            out = bytearray(tiff(numpy.zeros((2, 1, 1), "uint8"), compression=compression, tags={
                256: (LONG, [64]), 257: (LONG, [128]), 278: (LONG, [128]), 273: (LONG, [1 << 16]),
                279: (LONG, [len(packed)])}))
            out = bytes(out.ljust(1 << 16, b"\0")) + packed
            path = put(folder, "n.tif", out)
            for perturb in ("85", "170"):
                refused(cubist("info", path, env={**os.environ, "MALLOC_PERTURB_": perturb}), 3,
                        "page 1 is damaged or cut short")


def one_line(folder):
    """What is refused is refused in one line: no warning says before what was read."""
    volume = make("uint8", (12, 5, 6))
    text = b"ImageJ=1.53t\nimages=12\nchannels=2\nslices=3\nframes=2\nhyperstack=true\n\0"
    sound = tiff(volume, tags={262: (SHORT, [0])}, first={270: (ASCII, text)})
    same("a.tif", sound, volume[0:6:2], folder, "white is 0")
    same("a.tif", sound, volume[0:6:2], folder, "2 channels and 2 time steps")
    broken = tiff(volume, compression=8, tags={262: (SHORT, [0]), 257: (LONG, [4])},
                  first={270: (ASCII, text)})
    ran = cubist("info", put(folder, "b.tif", broken))
    refused(ran, 3, "too many samples")
    check(ran.err.count("\n") == 1, "more than one line:", ran)
    # A folder: one warning each, whatever the number of slices, and none before a refusal.
    slices = os.path.join(folder, "white")
    os.mkdir(slices)
    for z in (1, 2, 4):
        put(slices, f"{z}.tif", tiff(volume[z:z + 1], tags={262: (SHORT, [0 if z < 4 else 1])}))
    put(slices, "3.jpg", b"x")
    for more in ([], ["--type", "uint16", "--offset", "5"]):
        ran = cubist("info", slices, *more)
        check(ran.code == 0 and "white is 0 in 2 of 3 images" in ran.err and
              "number 3" in ran.err and "3.jpg" in ran.err, "warnings:", ran)
        check(ran.err.count("\n") == (5 if more else 3), "one line each:", ran)
    put(slices, "4.tif", tiff(volume[4:5], compression=8, tags={257: (LONG, [4])}))
    put(slices, "1.tif", tiff(volume[4:5, :4]))
    put(slices, "2.tif", tiff(volume[4:5, :4]))
    ran = cubist("info", slices, "--type", "uint16")
    refused(ran, 3, "4.tif': page 1 .*too many samples")
    check(ran.err.count("\n") == 1, "more than one line:", ran)


def cut_and_scrambled(folder):
    """No signal, no hang, nothing but a volume or one line; a cut file is never a whole one."""
    random.seed(1)
    volume = make("uint16", (3, 4, 5))
    for layout, compression in (("strip", 1), ("tile", 8)):
        sound = tiff(volume, layout=layout, compression=compression)
        for size in sorted(random.sample(range(len(sound)), 60)):
            ran = cubist("info", "--json", put(folder, "x.tif", sound[:size]))
            check(ran.code == 3, f"cut to {size} of {len(sound)}:", ran)
        for _ in range(120):
            content = bytearray(sound)
            for _ in range(random.randint(1, 4)):
                content[random.randrange(len(content))] = random.randrange(256)
            ran = cubist("info", "--json", put(folder, "y.tif", bytes(content)), timeout=20)
            check(ran.code in (0, 3, 4), "scrambled:", ran)


with Folder() as folder:
    ran = cubist("info", put(folder, "probe.tif", tiff(make("uint8"))))
    if "built without libtiff" in ran.err:
        refused(ran, 3, "PNG")
        finish()
        sys.exit(0)
    every_layout(folder)
    imagej(folder)
    folders(folder)
    wrong(folder)
    sizes_of_strips(folder)
    palettes(folder)
    nothing_that_is_not_there(folder)
    one_line(folder)
    cut_and_scrambled(folder)
finish()
