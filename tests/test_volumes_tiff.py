#!/usr/bin/python3
"""TIFF stacks: pages of every type and layout, made here byte by byte; ImageJ's descriptions; files
that are cut short, scrambled or no stack. Without libtiff: the word that says so."""
import random
import struct
import zlib

import numpy

from cli import *

BYTE, ASCII, SHORT, LONG, RATIONAL = 1, 2, 3, 4, 5
KINDS = {"uint8": (8, 1), "int8": (8, 2), "uint16": (16, 1), "int16": (16, 2), "uint32": (32, 1),
         "int32": (32, 2), "float32": (32, 3), "float64": (64, 3)}


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


def samples(path, folder):
    """The samples that cubist finds, as (z, y, x), and what it says."""
    raw = os.path.join(folder, "out.raw")
    ran = cubist("convert", path, "--format", "raw", "-o", raw)
    if not check(ran.code == 0, ran):
        return None, ran
    info = cubist("info", "--json", path).json()
    with open(raw, "rb") as file:
        found = numpy.frombuffer(file.read(), "<" + numpy.dtype(info["sample_type"]).str[1:]
                                 if info["sample_type"] not in ("uint8", "int8")
                                 else info["sample_type"])
    if found.size != numpy.prod(info["dims"]):  # float64 goes out as it came
        with open(raw, "rb") as file:
            found = numpy.frombuffer(file.read(), "<f8")
    return found.reshape(info["dims"][::-1]), ran


def same(name, content, volume, folder, word=None):
    found, ran = samples(put(folder, name, content), folder)
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


def imagej(folder):
    text = b"ImageJ=1.53t\nimages=3\nslices=3\nunit=micron\nspacing=2.5\nloop=false\n\0"
    resolution = {282: (RATIONAL, [(4, 1)]), 283: (RATIONAL, [(2, 1)]), 296: (SHORT, [1])}
    volume = make("uint8")
    same("a.tif", tiff(volume, first={270: (ASCII, text), **resolution}), volume, folder)
    check(spacing(os.path.join(folder, "a.tif")) == [0.25, 0.5, 2.5], "ImageJ's spacing")
    # Dots per inch are no distance of samples.
    same("b.tif", tiff(volume, first=resolution), volume, folder)
    check(spacing(os.path.join(folder, "b.tif")) == [1, 1, 1], "dots per inch")
    # Two channels and two time steps of three slices.
    text = b"ImageJ=1.53t\nimages=12\nchannels=2\nslices=3\nframes=2\nhyperstack=true\n\0"
    volume = make("uint8", (12, 5, 6))
    same("c.tif", tiff(volume, first={270: (ASCII, text)}), volume[0:6:2], folder, "2 channels")
    text = text.replace(b"slices=3", b"slices=4")
    refused(cubist("info", put(folder, "d.tif", tiff(volume, first={270: (ASCII, text)}))), 3,
            "2 channels, 4 slices and 2 time steps in 12 pages")
    # A stack of bare samples behind one page.
    for big in (False, True):
        volume = make("uint16", (4, 5, 6))
        text = b"ImageJ=1.53t\nimages=4\nslices=4\n\0"
        content = tiff(volume[:1], big, first={270: (ASCII, text), 273: (LONG, [4096])})
        bare = volume.astype(volume.dtype.newbyteorder(">" if big else "<")).tobytes()
        same("e.tif", content.ljust(4096, b"\0") + bare, volume, folder)
        refused(cubist("info", put(folder, "f.tif", content.ljust(4096, b"\0") + bare[:-1])), 3,
                "f.tif")
    # OME: one channel at one time is a stack.
    text = b'<?xml version="1.0"?><OME><Pixels SizeC="%d" SizeT="1" SizeZ="3" ' \
           b'PhysicalSizeX="0.5" PhysicalSizeY="0.5" PhysicalSizeZ="2"/></OME>\0'
    volume = make("uint8")
    same("g.tif", tiff(volume, first={270: (ASCII, text % 1)}), volume, folder)
    check(spacing(os.path.join(folder, "g.tif")) == [0.5, 0.5, 2], "OME's spacing")
    refused(cubist("info", put(folder, "h.tif", tiff(volume, first={270: (ASCII, text % 3)}))), 3,
            "3 channels")


def folders(top):
    """A file for each slice, in natural order."""
    for type in ("uint8", "int16", "float32", "float64"):
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
        (tiff(volume, tags={262: (SHORT, [3]), 320: (SHORT, [0] * 768)}), "palette"),
        (tiff(volume, tags={262: (SHORT, [8])}), "no grey image"),
        (tiff(volume, tags={258: (SHORT, [12])}), "12-bit"),
        (tiff(volume, tags={258: (SHORT, [1])}), "1-bit"),
        (tiff(volume, tags={258: (SHORT, [16]), 339: (SHORT, [3])}), "16-bit float"),
        (tiff(volume, tags={259: (SHORT, [40000])}), "compressed in a way"),
        (tiff(volume, tags={256: None}), "."),
        (tiff(volume, tags={254: (LONG, [1])}), "previews"),
        (tiff(volume, tags={257: (LONG, [21])}), "damaged|cut short"),
        (tiff(volume, tags={256: (LONG, [4000000000]), 257: (LONG, [4000000000])}), "."),
        (tiff(volume, tags={273: (LONG, [len(sound) + 100])}), "damaged|cut short"),
        (tiff(volume[:, :1], ), "two samples"),
        (sound[:8], "."),
    ]
    for content, pattern in cases:
        ran = cubist("info", put(folder, "w.tif", content))
        refused(ran, ran.code if ran.code in (3, 4) else 3, pattern)


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
    cut_and_scrambled(folder)
finish()
