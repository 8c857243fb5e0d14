#!/usr/bin/python3
# ctest: plain share
"""cubist-mpi info: the report has the bytes of one process's, each sample is read once by all ranks together (32
bits and floats twice), and what several processes cannot read is refused before work starts. extract --plan
says what they read."""
import gzip
import math
import random
import shutil
import struct
import zlib

from mpi import *

need_mpi()
# A rank begins in a folder of its own, if there is one.
BY_RANK = 'r=${OMPI_COMM_WORLD_RANK-$PMI_RANK}; [ ! -d "rank$r" ] || cd "rank$r"; exec "$0" "$@"'


def zeros(top):
    """The lowest value is both 0 and -0; there are NaN and infinities; one slice has nothing finite."""
    path = os.path.join(top, "zeros_5x4x6_float32.raw")
    values = [[-0.0, 0.0, 1.5, math.nan, 3.0][(x + z) % 5] if z != 3 else math.inf for z in range(6) for x in range(20)]
    with open(path, "wb") as file:
        file.write(struct.pack("<120f", *values))
    return path


def same(path, passes, counts=(3,), mpis=MPIS):
    text, report = cubist("info", path), cubist("info", path, "--json").json()
    size = report["bytes"]
    for mpi in mpis:
        for n in counts:
            ran = mpi.cubist(n, "info", path)
            check(ran.code == 0 and ran.out == text.out, "another report:", text.out, ran)
            ran = mpi.cubist(n, "info", path, "--json")
            found = ran.json() if check(ran.code == 0 and ran.err == "", ran) else {}
            ranks = found.pop("ranks", [])
            check(found == report, "another report:", found, report)
            check([r["rank"] for r in ranks] == list(range(n)) and all(r["host"] for r in ranks), ranks)
            check(sum(r["bytes_read"] for r in ranks) == passes * size, passes, size, ranks)
            check(sum(r["slices"] for r in ranks) == report["dims"][2], ranks)
            check(all(r["bytes_read"] * report["dims"][2] == passes * r["slices"] * size for r in ranks), ranks)


def planned(path):
    """extract --plan says what each rank reads, also where the isovalue is found first."""
    runs = (4, "40%", []), (3, "30000", []), (3, "30000", ["--balance", "steal"])
    for n, iso, more in runs if WHOLE else runs[:1]:
        ran = MPIS[0].cubist(n, "extract", path, "--iso", iso, "--json", *more)
        found = ran.json() if check(ran.code == 0, ran) else {"ranks": []}
        said = cubist("extract", path, "--iso", iso, "--plan", f"ranks={n}", "--json", *more, env=NO_DRIVER).json()
        for key in "layers", "bytes_read":
            read, expected = ([r[key] for r in report["ranks"]] for report in (found, said))
            # Who makes which shares is only known later; the ends of the volume have fewer slices.
            check(sum(read) == sum(expected) if more else read == expected, key, "as planned:", read, expected, more)


def refusals(top, path):
    mpi = MPIS[0]
    line = r"cubist: (rank 0 \(.*\): )?"
    refused(mpi.cubist(2, "info", path, "--iso", "3"), 2, line + ".*cubist info.* by 2 processes with extract")
    refused(mpi.cubist(2, "info", "-", "--dims", "4"), 2, line + ".*standard input")
    pipe = os.path.join(top, "pipe.raw")
    os.mkfifo(pipe)
    refused(mpi.cubist(2, "info", pipe, "--dims", "4"), 2, line + ".*not a file but a pipe")
    refused(mpi.cubist(2, "extract", pipe, "--dims", "4", "--iso", "1"), 2, line + ".*not a file but a pipe")
    text = os.path.join(top, "text.vti")
    with open(text, "w") as file:
        file.write('<VTKFile type="ImageData"><ImageData WholeExtent="0 1 0 1 0 1"><Piece Extent="0 1 0 1 0 1">'
                   '<PointData><DataArray Name="a" type="UInt8" format="ascii">1 2 3 4 5 6 7 8</DataArray></PointData>'
                   '</Piece></ImageData></VTKFile>')
    ran = mpi.cubist(2, "info", text)
    check(ran.code == 0 and ran.out == cubist("info", text).out and "each of 2 processes decodes it" in ran.err, ran)
    packed = path + ".gz"
    with open(path, "rb") as file, gzip.open(packed, "wb") as out:
        shutil.copyfileobj(file, out)
    ran = mpi.cubist(3, "info", packed)
    check(ran.code == 0 and ran.out == cubist("info", packed).out, ran)
    check(ran.err.count("\n") == 1 and re.match("cubist: note: .*each of 3 processes.*cubist convert", ran.err), ran)


def one_rank_fails(top):
    """A rank finds no file, another volume, or one that is cut short."""
    name = "v_9x8x6_uint16.raw"
    own = os.path.join(top, "rank1")
    os.mkdir(own)
    shutil.copy(sample(top, "sphere", "9x8x6", "uint16"), os.path.join(top, name))

    def run(*args):
        return MPIS[0].run(3, "sh", "-c", BY_RANK, MPIS[0].program, "info", name, *args, cwd=top, timeout=60)
    refused(run(), 3, r"cubist: rank 1 \(.*\): cannot open 'v_9x8x6_uint16.raw'")
    shutil.copy(sample(top, "sphere", "9x8x7", "uint16"), os.path.join(own, name))
    refused(run(), 3, r"cubist: rank 1 \(.*\): .*v_9x8x6_uint16.raw")
    if WHOLE:
        refused(run("--dims", "9x8x6"), 3, r"cubist: rank 1 \(.*\): .*v_9x8x6_uint16.raw")
    for text, dims in (("9x8x6", "9x8x6"), ("9x8x7", "9x4x14")):
        header = "NRRD0004\ntype: ushort\ndimension: 3\nendian: little\nencoding: raw\n"
        with open(os.path.join(top if text == "9x8x6" else own, "v.nrrd"), "wb") as file:
            file.write(f"{header}sizes: {dims.replace('x', ' ')}\n\n".encode() + bytes(9 * 8 * 7 * 2))
    ran = MPIS[0].run(3, "sh", "-c", BY_RANK, MPIS[0].program, "info", "v.nrrd", cwd=top, timeout=60)
    refused(ran, 3, r"rank 1 \(.*\): 'v.nrrd' is 9x4x14 uint16 here, but 9x8x6 uint16 on rank 0")
    samples = bytearray(9 * 8 * 7 * 2)
    samples[2 * 9 * 8 * 3] = 1  # in the slice in the middle
    with open(os.path.join(top, "s_9x8x7_uint16.raw"), "wb") as file:
        file.write(samples)
    with open(os.path.join(own, "s_9x8x7_uint16.raw"), "wb") as file:
        file.write(bytes(len(samples)))
    ran = MPIS[0].run(3, "sh", "-c", BY_RANK, MPIS[0].program, "info", "s_9x8x7_uint16.raw", cwd=top, timeout=60)
    refused(ran, 3, r"rank 1 \(.*\): 's_9x8x7_uint16.raw' is not the file that rank 0 reads: it has other contents")
    # While the others already wait for its counts.
    packed = gzip.compress(bytes(random.Random(1).randbytes(2 * 9 * 8 * 7)))
    for folder, size in (top, len(packed)), (own, len(packed) // 2):
        with open(os.path.join(folder, "p_9x8x7_uint16.raw.gz"), "wb") as file:
            file.write(packed[:size])
    ran = MPIS[0].run(3, "sh", "-c", BY_RANK, MPIS[0].program, "info", "p_9x8x7_uint16.raw.gz", "-q", cwd=top, timeout=60)
    refused(ran, 3, r"rank 1 \(.*\): 'p_9x8x7_uint16.raw.gz'")


def among_others(folder):
    """Files that lie among slices are no input, in whatever order the folder has them."""
    slices = os.path.join(folder, "slices")
    os.mkdir(slices)
    for i in range(40):
        with open(os.path.join(slices, f"log{i}.txt"), "wb") as file:
            file.write(bytes(200))
    for i in range(4):
        rows = b"".join(b"\0" + bytes(50 * i + x for x in range(5)) for _ in range(6))
        with open(os.path.join(slices, f"{i}.png"), "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + b"".join(
                struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
                for kind, data in ((b"IHDR", struct.pack(">IIBBBBB", 5, 6, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(rows)),
                                   (b"IEND", b""))))
    ran = MPIS[0].cubist(2, "info", "--json", slices)
    check(ran.code == 0 and ran.json()["dims"] == [5, 6, 4], ran)


with Folder() as folder:
    among_others(folder)
    same(zeros(folder), 2)
    if WHOLE:
        same(sample(folder, "gyroid", "20x18x33", "uint16"), 1, counts=(4,), mpis=MPIS[:1])
    same(sample(folder, "noise", "12x11x3", "int32"), 2, counts=(4,), mpis=MPIS[:1])  # more ranks than slices
    planned(sample(folder, "gyroid", "60x50x70", "uint16"))
    refusals(folder, sample(folder, "torus", "9x8x7", "int16"))
    one_rank_fails(folder)
finish()
