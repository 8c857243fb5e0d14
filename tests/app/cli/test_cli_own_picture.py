#!/usr/bin/python3
# ctest: device
"""A picture that cubist draws into a folder of slices does not become one of them."""
import shutil
import struct
import zlib

import numpy

from cli import *


def image(pixels, chunks=b""):
    """A PNG image of bytes, with further chunks behind its header."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    height, width = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) + \
        chunks + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def among_slices(folder):
    z, y, x = numpy.mgrid[:12, :12, :12]
    slices = (200 - 30 * numpy.sqrt((z - 5.5) ** 2 + (y - 5.5) ** 2 + (x - 5.5) ** 2)).clip(0).astype("uint8")
    for number, pixels in enumerate(slices):
        with open(os.path.join(folder, f"{number:02}.png"), "wb") as file:
            file.write(image(pixels))
    facts = cubist("info", "--json", ".", cwd=folder)
    check(facts.code == 0 and "note" not in facts.err, facts)
    for count in 1, 1, 2:  # the second run replaces its own picture
        name = "0z.png" if count == 1 else "cubist.png"
        ran = cubist("render", ".", "--iso", "90", "--size", "12x12", "-o", name, cwd=folder)
        check(ran.code == 0, "draws into its folder:", ran)
        ran = cubist("info", "--json", ".", cwd=folder)
        word = "1 PNG image that cubist drew is no slice ('0z.png')" if count == 1 else \
               "2 PNG images that cubist drew are no slice ('0z.png', ...)"
        check(ran.code == 0 and ran.out == facts.out and ran.err.count(word) == 1, "passes over it:", ran)
    check(cubist("render", ".", "--iso", "90", "--size", "12x12", "-o", "cubist.png", cwd=folder)
          .err.count("cubist drew") == 1, "one note a folder")
    with open(os.path.join(folder, "cubist.png"), "rb") as file:
        data = file.read()
    text = b"tEXtSoftware\0cubist " + cubist("--version").out.split()[-1].encode()
    check(data[37:37 + len(text)] == text and
          data[37 + len(text):41 + len(text)] == struct.pack(">I", zlib.crc32(text)), data[:80])
    ran = cubist("animate", ".", "--iso", "90", "--frames", "2", "--size", "12x12", "-o", "f{n}.png", cwd=folder)
    ran = cubist("info", "--json", ".", cwd=folder)
    check(ran.out == facts.out and "4 PNG images" in ran.err, "frames of animate:", ran)
    # An image that another program drew, or saved again, is a slice.
    with open(os.path.join(folder, "12.png"), "wb") as file:
        other = b"tEXtSoftware\0cubism 1.0"
        file.write(image(slices[0], struct.pack(">I", len(other) - 4) + other +
                         struct.pack(">I", zlib.crc32(other))))
    ran = cubist("info", "--json", ".", cwd=folder)
    check(ran.json()["dims"] == [12, 12, 13], ran)
    # A folder of nothing but pictures; and a picture by its name.
    for name in os.listdir(folder):
        if name[0] in "01" and name != "0z.png":
            os.remove(os.path.join(folder, name))
    refused(cubist("info", ".", cwd=folder), 3, "cubist drew its PNG images \\('0z.png', ...\\)")
    ran = cubist("info", "0z.png", "--atlas", "1x2", cwd=folder)
    refused(ran, 3, "is a colour image")


def beside_tiff_and_dicom(folder, picture):
    """The picture does not hide what else is in the folder."""
    page = numpy.arange(16, dtype="uint8").tobytes()
    tags = [(256, 4), (257, 4), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, 4), (279, 16)]
    tiff = b"II*\0" + struct.pack("<I", 24) + page + struct.pack("<H", len(tags)) + \
        b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags) + bytes(4)
    for name, content in ("slices/1.tif", tiff), ("slices/2.tif", tiff), ("series/I1", bytes(128) + b"DICM"):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        shutil.copy(picture, os.path.join(os.path.dirname(path), "cubist.png"))
    ran = cubist("info", "slices", cwd=folder)
    if "built without libtiff" not in ran.err:
        check(ran.code == 0 and "4 x 4 x 2" in ran.out and "cubist drew" in ran.err and
              "not TIFF" not in ran.err, "TIFF slices beside a picture:", ran)
    ran = cubist("info", "series", cwd=folder)
    check(ran.code == 3 and ("DICOM" in ran.err or "series" in ran.err), ran)


with Folder() as top, Folder() as other:
    among_slices(top)
    beside_tiff_and_dicom(other, os.path.join(top, "0z.png"))
finish()
