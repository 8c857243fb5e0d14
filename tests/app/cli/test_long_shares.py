#!/usr/bin/python3
# ctest: long
"""extract --share and merge: every mesh format has the bytes of one extract, and the report its facts, for 1,
2, 3, 4, 7 and 16 shares, in any order, of volumes of several types, of two layers, with samples that are not
finite, mirrored, compressed, from standard input, of slices, of VTI in base64, and in parts
within a small budget."""
import base64
import gzip
import shutil
import struct
import subprocess
import zlib

from cli import *
from share_files import *

FORMATS = formats_written("meshes")


def every_count(top, raw, iso, *more, formats=FORMATS):
    whole = Whole(top, raw, iso, formats, *more)
    for n in COUNTS:
        whole.equals(top, make(top, raw, iso, n, *more), os.path.basename(raw), f"{n} shares")


def types(top):
    every_count(top, sample(top, "gyroid", "64x60x70", "uint8"), "120.5", "--spacing", "1,2,3", "--memory-budget", "8")
    every_count(top, sample(top, "noise", "40x33x21", "uint16"), "30000")
    every_count(top, sample(top, "torus", "50x50x50", "int16"), "0")
    every_count(top, sample(top, "sphere", "33x33x33", "float32"), "0.25")
    every_count(top, with_gaps(top, (31, 29, 27)), "0.5")
    every_count(top, with_gaps(top, (31, 29, 2)), "0.5")
    every_count(top, sample(top, "noise", "120x110x4", "uint8"), "128", "--memory-budget", "2")  # rows of layers
    every_count(top, sample(top, "sphere", "24x24x24", "uint8"), "255")  # no surface


def inputs(top):
    raw = sample(top, "marschner-lobb", "41x41x41", "float32")
    header = os.path.join(top, "mirrored.nhdr")
    with open(header, "w") as file:
        file.write("NRRD0005\ntype: float\ndimension: 3\nsizes: 41 41 41\nendian: little\nencoding: raw\n"
                   "space: left-posterior-superior\nspace directions: (-1,0,0) (0,1,0) (0,0,2)\n"
                   f"space origin: (900,7,-3)\ndata file: {os.path.basename(raw)}\n")
    every_count(top, header, "0.4")
    # Forward only: the shares of the raw file are shares of the packed one, and the other way round.
    packed = raw + ".gz"
    with open(raw, "rb") as file, gzip.open(packed, "wb") as out:
        shutil.copyfileobj(file, out)
    whole = Whole(top, raw, "0.4", ["ply"])
    mixed = make(top, raw, "0.4", 5, numbers=[2, 4]) + make(top, packed, "0.4", 5, numbers=[1, 3, 5])
    with open(raw, "rb") as file:
        again = os.path.join(top, "piped.share")
        done = subprocess.run([CUBIST, "extract", "-", "--dims", "41", "--type", "float32", "--iso", "0.4", "--share",
                               "3/5", "-o", again, "-q"], stdin=file, capture_output=True, timeout=120)
        check(done.returncode == 0, done)
    mixed = [path for path in mixed if not path.endswith("x.3.share")] + [again]
    for path in mixed:
        os.utime(path)
    found = os.path.join(top, "mixed.ply")
    ran = cubist("merge", *mixed, "-o", found, "-q")
    check(ran.code == 0 and read(found) == whole.meshes["ply"], "raw, packed and piped:", ran)


def png(width, rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, 0, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) + chunk(b"IEND", b"")


def other_kinds(top):
    """A folder of slices, and a VTI in base64: the shares of all three kinds fit together."""
    width, height, depth = 30, 28, 26
    raw = sample(top, "gyroid", f"{width}x{height}x{depth}", "uint8")
    content = read(raw)
    folder, file = os.path.join(top, "slices"), os.path.join(top, "base64.vti")
    os.mkdir(folder)
    for z in range(depth):
        rows = [content[(z * height + y) * width:(z * height + y + 1) * width] for y in range(height)]
        with open(os.path.join(folder, f"{z:02}.png"), "wb") as out:
            out.write(png(width, rows))
    extent = f"0 {width - 1} 0 {height - 1} 0 {depth - 1}"
    with open(file, "wb") as out:
        out.write((f'<VTKFile type="ImageData" version="0.1" byte_order="LittleEndian"><ImageData WholeExtent="{extent}" '
                   f'Origin="0 0 0" Spacing="1 1 1"><Piece Extent="{extent}"><PointData Scalars="s"><DataArray '
                   'type="UInt8" Name="s" format="binary">').encode() +
                  base64.b64encode(struct.pack("<I", len(content)) + content) +
                  b"</DataArray></PointData></Piece></ImageData></VTKFile>\n")
    every_count(top, folder, "120", formats=["ply"])
    every_count(top, file, "120", formats=["ply"])
    ran = cubist("extract", file, "--iso", "120", "--share", "1/3", "-o", os.path.join(top, "y.1.share"))
    check(ran.code == 0, ran)
    mixed = [os.path.join(top, "y.1.share")] + make(top, folder, "120", 3, numbers=[2]) + make(top, raw, "120", 3, numbers=[3])
    found = os.path.join(top, "found.ply")
    ran = cubist("merge", *mixed, "-o", found, "-q")
    check(ran.code == 0 and read(found) == Whole(top, raw, "120", ["ply"]).meshes["ply"], "raw, slices and VTI:", ran)


def large(top):
    """More than a piece holds. The memory of merge does not grow with the mesh."""
    raw = sample(top, "noise", "160x150x90", "uint8")
    every_count(top, raw, "128", formats=["ply", "stl"])
    paths = make(top, raw, "128", 3)
    check(sum(map(os.path.getsize, paths)) > 150 << 20, "large shares:", [os.path.getsize(path) for path in paths])
    for format in "vtp", "stl":
        done = subprocess.run(["bash", "-c", 'ulimit -v 65536; exec "$0" merge "$@"', CUBIST, *paths, "-o",
                               os.path.join(top, "m." + format)], capture_output=True, timeout=120)
        check(done.returncode == 0, "in 64 MiB:", format, done.stderr)


need_device()
with Folder() as top:
    types(top)
    inputs(top)
    other_kinds(top)
    large(top)
finish()
