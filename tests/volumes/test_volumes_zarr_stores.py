#!/usr/bin/python3
# ctest: plain
"""Zarr 2, Zarr 3, OME-Zarr and N5: stores by formula, and by python3-zarr where it is installed. The samples, where they lie, what is
missing or wrong, what a store holds, and that nothing is written into one."""
import itertools
import math
import warnings

from cli import *
from zarr_files import *

try:
    import numpy
except ImportError:
    skip("python3-numpy is not installed")
try:
    import numcodecs
    import zarr
    warnings.simplefilter("ignore")  # about other readers of N5
except ImportError:
    zarr = None

SHAPE = 5, 6, 7  # z y x
CHUNK = 2, 4, 3
EYE = [1, 0, 0, 0, 1, 0, 0, 0, 1]


def numbers(shape, kind="B"):
    return [(i * 37 + i // 11) % 120 - (0 if kind.isupper() else 50) for i in range(math.prod(shape))]


def put(folder, files):
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
    return folder


def samples(path, *more, says=""):
    """The samples as float32, indexed by the world's z, y, x, and the facts."""
    made = os.path.join(FOLDER, "out.nrrd")
    ran, told = cubist("convert", path, "-q", "--type", "float32", "-o", made, *more), cubist("info", "--json", path, *more)
    if not check(ran.code == told.code == 0 and not ran.err and re.search(says or "^$", re.sub(".*were rounded to float32\n", "", told.err)), ran, told):
        return None, None
    info = told.json()
    with open(made, "rb") as file:
        found = numpy.frombuffer(file.read().split(b"\n\n", 1)[1], "<f4").reshape(info["dims"][::-1])
    return found.T.transpose(numpy.abs(numpy.reshape(info["direction"], (3, 3))).argmax(1)).T, info


def holds(path, expected, *more, says=""):
    found, info = samples(path, *more, says=says)
    if info is None:
        sys.exit("not read")
    else:
        expected = numpy.asarray(expected, "f4")
        check(found.shape == expected.shape and numpy.array_equal(found, expected, equal_nan=True), path, more, found, expected)
    return info


def array(values, shape=SHAPE):
    return numpy.array(values, "f8").reshape(shape)


def every_type():
    path = os.path.join(FOLDER, "a.zarr")
    for kind, endian in itertools.product(NAMES, "<>"):
        values = numbers(SHAPE, kind)
        info = holds(put(path, zarr2(values, SHAPE, CHUNK, kind, endian, codec="zlib")), array(values))
        check(info["direction"] == EYE and info["spacing"] == [1, 1, 1], info)
        holds(put(path, zarr3(values, SHAPE, CHUNK, kind, endian)), array(values))
        holds(put(path, n5(values, SHAPE, CHUNK, kind)), array(values))
    put(path, zarr2([i % 2 for i in range(210)], SHAPE, CHUNK))
    with open(os.path.join(path, ".zarray"), "rb+") as file:
        text = file.read().replace(b"|u1", b"|b1")
        file.seek(0)
        file.write(text)
    holds(path, array([i % 2 for i in range(210)]))


def every_form():
    path, values = os.path.join(FOLDER, "a.zarr"), numbers(SHAPE, "h")
    due = array(values)
    for codec, separator, fortran in itertools.product((None, "gzip", "zlib", "lz4"), "./", (False, True)):
        holds(put(path, zarr2(values, SHAPE, CHUNK, "h", codec=codec, separator=separator, fortran=fortran)), due)
    # The axes of the volume are those of the file, fastest first.
    check(cubist("info", "--json", path).json()["dims"] == list(SHAPE), "order F")
    for order, endian in itertools.product(itertools.permutations(range(3)), "<>"):
        holds(put(path, zarr3(values, SHAPE, CHUNK, "h", endian, transpose=order, codecs=["gzip"])), due)
    for key in ("default", "/"), ("default", "."), ("v2", "."), ("v2", "/"):
        holds(put(path, zarr3(values, SHAPE, CHUNK, "h", key=key)), due)
    for codecs in ["crc32c"], ["gzip", "crc32c"], ["crc32c", "gzip"], ["zlib", "gzip", "crc32c", "lz4"]:
        for shard, start in (None, False), ((4, 8, 6), False), ((2, 4, 9), True):
            holds(put(path, zarr3(values, SHAPE, CHUNK, "h", codecs=codecs, shard=shard, start=start)), due)
    holds(put(path, zarr3(values, SHAPE, CHUNK, "h", shard=(2, 8, 3), transpose=(2, 0, 1))), due)
    for codec in "raw", "gzip", "zlib", "lz4 blocks":
        holds(put(path, n5(values, SHAPE, CHUNK, "h", codec)), due)
    for chunk in (5, 6, 7), (9, 9, 9), (1, 6, 7), (1, 1, 1), (3, 6, 7):
        for make in zarr2, zarr3, n5:
            holds(put(path, make(values, SHAPE, chunk, "h")), due)


def missing_chunks():
    path = os.path.join(FOLDER, "a.zarr")
    gone = [(0, 0, 0), (1, 1, 2), (2, 0, 1)]

    def due(values, fill):
        found = array(values)
        for z, y, x in gone:
            found[2 * z:2 * z + 2, 4 * y:4 * y + 4, 3 * x:3 * x + 3] = fill
        return found
    for kind, fill, number in (("B", 7, 7), ("h", -300, -300), ("f", "NaN", math.nan), ("d", "-Infinity", -math.inf), ("e", "Infinity", math.inf),
                               ("e", 0.0999755859375, 0.0999755859375), ("e", -65504, -65504), ("f", 1.5, 1.5), ("q", -7, -7), ("Q", 5, 5), ("B", None, 0),
                               ("f", "0x40490fdb", 3.1415927410125732), ("e", "NaN", math.nan)):
        values = numbers(SHAPE, kind)
        for endian in "<>":
            holds(put(path, zarr2(values, SHAPE, CHUNK, kind, endian, fill=fill, missing=gone)), due(values, number))
            for shard in None, (4, 4, 6):
                holds(put(path, zarr3(values, SHAPE, CHUNK, kind, endian, fill=fill, missing=gone, shard=shard)), due(values, number))
    values = numbers(SHAPE)
    holds(put(path, n5(values, SHAPE, CHUNK, missing=gone)), due(values, 0))
    for kind, fill in ("B", 256), ("B", -1), ("b", 1.5), ("h", "NaN"), ("f", "none"), ("B", [1]):
        refused(cubist("info", put(path, zarr2(values, SHAPE, CHUNK, kind, fill=fill))), 3, "fill value")


def more_axes():
    """Time and channel; images of OME with their units, steps and levels; the order of axes by name."""
    path = os.path.join(FOLDER, "a.zarr")
    shape, chunk = (2, 3, 4, 5, 6), (1, 2, 4, 2, 6)
    values = numbers(shape)
    whole = numpy.array(values).reshape(shape)
    for t, c in itertools.product((0, 1), (0, 2)):
        holds(put(path, zarr2(values, shape, chunk)), whole[t, c], "--time", str(t), "--channel", str(c))
    info = holds(put(path, zarr3(values, shape, chunk, names=["c", "t", "z", "y", "x"])), whole[1, 2], "--time", "2", "--channel", "1")
    check([axis["name"] for axis in info["contents"]["arrays"][0]["axes"]] == ["x", "y", "z", "t", "c"], info)
    four = numbers(shape[1:])
    holds(put(path, zarr2(four, shape[1:], chunk[1:])), numpy.array(four).reshape(shape[1:])[1], "--channel", "1")
    ones = numbers((4, 5, 6))
    holds(put(path, zarr2(ones, (1, 4, 1, 5, 6), (1, 2, 1, 5, 6))), array(ones, (4, 5, 6)))
    # x slowest: the axes of the volume are those of the file, and the directions say which is which.
    turned = holds(put(path, zarr3(ones, (4, 5, 6), (4, 5, 2), names=["x", "y", "z"])), array(ones, (4, 5, 6)).T)
    check(turned["direction"] == [0, 0, 1, 0, 1, 0, 1, 0, 0], turned)
    axes = [("t", "time", "second"), ("c", "channel", None), ("z", "space", "micrometer"), ("y", "space", "micrometer"), ("x", "space", "micrometer")]
    scales = [[1, 1, 2, 0.5, 0.25], [1, 1, 2, 1, 0.5]]
    starts = [[0, 0, 10, 20, 30], [0, 0, 10, 20.25, 30.125]]
    coarse = numbers((2, 3, 4, 2, 3))
    for version in "0.4", "0.5":
        make = zarr3 if version == "0.5" else zarr2
        put(path, group(image(2, axes, scales, starts, version, whole=[1, 1, 1, 2, 2]), 3 if version == "0.5" else 2,
                        **{"0": make(values, shape, chunk), "1": make(coarse, (2, 3, 4, 2, 3), (1, 3, 4, 2, 3))}))
        info = holds(path, whole[1, 2], "--time", "1", "--channel", "2")
        check(info["spacing"] == [0.5, 1, 2] and info["origin"] == [60, 40, 10], info)
        check(info["contents"]["level"] == {"count": 2, "read": 0}, info["contents"])
        check([axis["unit"] for axis in info["contents"]["arrays"][0]["axes"][:3]] == 3 * ["micrometer"], info["contents"])
        info = holds(path, numpy.array(coarse).reshape(2, 3, 4, 2, 3)[0, 0], "--level", "1")
        check(info["spacing"] == [1, 2, 2] and info["origin"] == [60.25, 40.5, 10], info)
        refused(cubist("info", path, "--level", "2"), 2, "--level 2")
        refused(cubist("info", path, "--channel", "3"), 2, "--channel 3")
    refused(cubist("info", put(path, group(image(1, axes[1:], [[1] * 4]), **{"0": zarr2(values, shape, chunk)}))), 3, "names 4 axes, its array has 5")
    refused(cubist("info", put(path, group(image(1, axes, [[1] * 4]), **{"0": zarr2(values, shape, chunk)}))), 3, "scale")
    info = holds(put(path, n5(ones, (4, 5, 6), (3, 3, 3), resolution=[4, 4, 40], offset=[1, 2, 3])), array(ones, (4, 5, 6)))
    check(info["spacing"] == [4, 4, 40] and info["origin"] == [1, 2, 3], info)
    # A film, and pictures of several channels, are volumes where they are asked for.
    put(path, zarr3(ones, (4, 5, 6), (2, 5, 3), names=["t", "y", "x"]))
    refused(cubist("info", path), 3, r"\(t 4, y 5, x 6\); expected three in space, .*; --axis-index t takes that axis as one of the three")
    info = holds(path, array(ones, (4, 5, 6)), "--axis-index", "all")
    check(info["spacing"] == [1, 1, 1] and not cubist("info", path, "--axis-index", "all").err, info)
    check("--axis-index" not in cubist("info", put(path, zarr2(numbers((6, 4)), (6, 4), (6, 4)))).err, "two axes")
    put(path, zarr3(four, shape[1:], chunk[1:], names=["c", "t", "y", "x"]))
    for index, other, at in ("c", ["--time", "2"], numpy.s_[:, 2]), ("t", ["--channel", "1"], numpy.s_[1]):
        info = holds(path, numpy.array(four).reshape(shape[1:])[at], "--axis-index", index, *other)
        check(info["spacing"] == [1, 1, 1], info)
    holds(path, numpy.array(four).reshape(shape[1:])[2], "--axis-index", "all", "--channel", "2")
    put(path, group(image(1, axes[:1] + axes[3:], [[7, 0.5, 0.25]], [[3, 1, 1]]), **{"0": zarr2(ones, (4, 5, 6), (4, 5, 6))}))
    info = holds(path, array(ones, (4, 5, 6)), "--axis-index", "t")
    check(info["spacing"] == [0.25, 0.5, 1] and info["origin"] == [1, 1, 0], info)
    ran = cubist("info", path, "--axis-index", "y")
    refused(ran, 3, "--axis-index t takes")
    ran = cubist("info", put(path, zarr2(ones, (4, 5, 6), (4, 5, 6))), "--axis-index", "t")
    check(ran.code == 0 and "--axis-index t is ignored" in ran.err, ran)
    for bad in (6, 4), (24,), (2, 2, 2, 3, 4, 5):
        refused(cubist("info", put(path, zarr2(numbers(bad), bad, bad))), 3, "expected three in space")


def fitting_levels():
    """A picture is of the finest level that fits; a mesh is of level 0."""
    path, n = os.path.join(FOLDER, "a.zarr"), 16
    values = [int(200 - 18 * math.dist((x, y, z), (7.5, 7.5, 7.5))) % 256 for x in range(n) for y in range(n) for z in range(n)]
    fine = zarr2([0], (1, 1, 1), (64, 64, 64))[".zarray"].replace(b"[1, 1, 1]", b"[400, 400, 400]")
    axes = [(name, "space", None) for name in "zyx"]
    put(path, group(image(2, axes, [[1] * 3, [25] * 3]), **{"0": {".zarray": fine}, "1": zarr2(values, (n, n, n), (n, n, n))}))
    out = os.path.join(FOLDER, "a")
    for budget, level in (64, 1), (1024, 0):
        ran = cubist("render", path, "--iso", "120", "-o", out + ".png", "--memory-budget", str(budget))
        check(ran.code == 0 and ("level 1 of 0 to 1 is read" in ran.err) == (level == 1), ran)
        check(("the surface is empty" in ran.err) == (level == 0), ran)
    ran = cubist("extract", path, "--iso", "120", "-o", out + ".ply", "--memory-budget", "64")
    check(ran.code == 0 and "400 x 400 x 400" in ran.out and "is read" not in ran.err, ran)


def many_arrays():
    path = os.path.join(FOLDER, "a.zarr")
    small, large = numbers((2, 3, 4)), numbers(SHAPE)
    words = zarr2(small, (2, 3, 4), (2, 3, 4))
    words[".zarray"] = words[".zarray"].replace(b"|u1", b"|O")
    put(path, group(None, a=group(b=zarr2(small, (2, 3, 4), (2, 3, 4)), c=words), large=zarr2(large, SHAPE, CHUNK)))
    holds(path, array(large), says="large is read")
    holds(path, array(small, (2, 3, 4)), "--array", "a/b")
    found = cubist("info", "--json", path).json()["contents"]["arrays"]
    check([(row["path"], row["read"]) for row in found] == [("a/b", False), ("a/c", False), ("large", True)], found)
    refused(cubist("info", path, "--array", "a"), 3, "no array 'a'; it has a/b, a/c, large")
    refused(cubist("info", path, "--array", "a/c"), 3, r"samples of type \|O")
    refused(cubist("info", put(path, group())), 3, "store without arrays")
    tree = {"attributes.json": text({"n5": "2.0.0"}), **{"volumes/raw/" + name: data for name, data in n5(large, SHAPE, CHUNK).items()}}
    holds(put(path, tree), array(large))
    axes = [("z", "space", None), ("y", "space", None), ("x", "space", None)]
    put(path, group(image(1, axes, [[1] * 3]), **{"0": zarr2(small, (2, 3, 4), (2, 3, 4)), "labels": group(l=zarr2(large, SHAPE, CHUNK))}))
    holds(path, array(small, (2, 3, 4)), says="/ is read")  # the image, though it is smaller
    holds(path, array(large), "--array", "labels/l")


def wrong_stores():
    path, values = os.path.join(FOLDER, "a.zarr"), numbers(SHAPE)
    out = os.path.join(FOLDER, "x.nrrd")

    def wrong(files, pattern, name=None, change=None, command="convert"):
        if name:
            files[name] = change(files[name])
        ran = cubist("info", put(path, files)) if command == "info" else \
            cubist("convert", put(path, files), "-o", out)
        refused(ran, 3, pattern)

    def swap(a, b):
        return lambda data: data.replace(a, b)
    two, three = zarr2(values, SHAPE, CHUNK, codec="gzip"), zarr3(values, SHAPE, CHUNK, shard=(4, 8, 6), codecs=["crc32c"])
    cut = lambda data: data[:-1]
    wrong(dict(two), "not valid JSON", ".zarray", cut, "info")
    wrong(dict(two), "type <c8", ".zarray", swap(b"|u1", b"<c8"), "info")
    wrong(dict(two), "not bz2", ".zarray", swap(b"gzip", b"bz2"), "info")
    wrong(dict(two), "not delta", ".zarray", swap(b'"filters": null', b'"filters": [{"id": "delta"}]'), "info")
    wrong(dict(two), "not understood", ".zarray", swap(b"[2, 4, 3]", b"[2, 4]"), "info")
    wrong(dict(two), "not understood", ".zarray", swap(b"[2, 4, 3]", b"[2, 4, 0]"), "info")
    wrong(dict(two), "not understood", ".zarray", swap(b"[5, 6, 7]", b"[5, 6, -7]"), "info")
    large = dict(two)
    large[".zarray"] = large[".zarray"].replace(b"[2, 4, 3]", b"[2, 4, 9007199254740991]")
    refused(cubist("info", put(path, large)), 4, "takes more than memory")
    wrong(dict(two), "1.0.1': the chunk is not valid gzip", "1.0.1", cut)
    wrong(dict(two), "1.0.1': the chunk is not valid gzip", "1.0.1", lambda data: b"")
    wrong(dict(two), "fewer samples", "1.0.1", lambda data: gzip.compress(bytes(23)))
    wrong(dict(two), "not valid gzip", "1.0.1", lambda data: gzip.compress(bytes(25)))
    wrong(zarr2(values, SHAPE, CHUNK), "fewer samples", "1.0.1", cut)
    wrong(zarr2(values, SHAPE, CHUNK), "more bytes", "1.0.1", lambda data: data + b"x")
    for name, change in (("c/0/0/0", cut), ("c/0/0/0", lambda data: data[:100]), ("c/0/0/0", lambda data: data[:-5] + b"xxxxx")):
        wrong(dict(three), "checksum|without its index", name, change)
    def index(first):
        entries = struct.pack("<2Q", *first) + three["c/0/0/0"][-132:-20]
        entries = (entries + bytes(16))[:len(three["c/0/0/0"][-132:-4])]
        return lambda data: data[:-132] + entries + crc32c(entries)
    wrong(dict(three), "beyond its end", "c/0/0/0", index((1 << 60, 9)))
    wrong(dict(three), "beyond its end", "c/0/0/0", index((9, 1 << 60)))
    wrong(dict(three), "checksum", "c/0/0/0", lambda data: b"\xff" + data[1:])
    wrong(dict(three), "shards", "zarr.json", swap(b'"chunk_shape": [2, 4, 3]', b'"chunk_shape": [3, 4, 3]'), "info")
    wrong(dict(three), "shards", "zarr.json", swap(b'"crc32c"}]', b'"gzip"}]'), "info")
    wrong(zarr3(values, SHAPE, CHUNK), "one size", "zarr.json", swap(b"regular", b"other"), "info")
    wrong(zarr3(values, SHAPE, CHUNK), "make no bytes", "zarr.json", swap(b'"codecs": [', b'"codecs": [], "x": ['), "info")
    wrong(zarr3(values, SHAPE, CHUNK, transpose=(2, 0, 1)), "codec transpose", "zarr.json", swap(b"[2, 0, 1]", b"[2, 0, 0]"), "info")
    wrong(n5(values, SHAPE, CHUNK), "compression xz", "attributes.json", swap(b"gzip", b"xz"), "info")
    wrong(n5(values, SHAPE, CHUNK), "another kind", "1/0/1", lambda data: b"\0\1" + data[2:])
    wrong(n5(values, SHAPE, CHUNK), "size of a block", "1/0/1", lambda data: data[:7] + b"\1" + data[8:])
    wrong(n5(values, SHAPE, CHUNK), "cut short", "1/0/1", lambda data: data[:10])
    wrong(n5(values, SHAPE, CHUNK, codec="lz4 blocks"), "not valid LZ4", "1/0/1", lambda data: data[:-30])
    # Links lead nowhere but into the store.
    os.rename(put(path, zarr2(values, SHAPE, CHUNK)) + "/0.0.1", os.path.join(FOLDER, "outside"))
    os.symlink(os.path.join(FOLDER, "outside"), path + "/0.0.1")
    refused(cubist("convert", path, "-o", out), 3, "link leads out")
    os.unlink(path + "/0.0.1")
    os.rename(os.path.join(FOLDER, "outside"), path + "/kept")
    os.symlink("kept", path + "/0.0.1")
    holds(path, array(values))
    put(path, group(image(1, [("z", "space", None)] * 3, [[1] * 3])))
    with open(path + "/.zattrs", "rb+") as file:
        of = file.read().replace(b'"path": "0"', b'"path": "../b"')
        file.seek(0)
        file.write(of)
    put(os.path.join(FOLDER, "b"), zarr2(values, SHAPE, CHUNK))
    refused(cubist("info", path), 3, "leads out")
    with open(os.path.join(FOLDER, "file.zarr"), "wb") as file:
        file.write(b"?")
    refused(cubist("info", os.path.join(FOLDER, "file.zarr")), 3, "is a file; a Zarr or N5 store is a folder")


def nothing_is_written_into_it():
    path, values = os.path.join(FOLDER, "a.zarr"), numbers(SHAPE)
    put(path, zarr2(values, SHAPE, CHUNK, separator="/"))
    before = snapshot(path)
    for name in "0/0/0", "new.nrrd", "0/new.nrrd", "0/../new.nrrd", ".zarray":
        for target in os.path.join(path, name), os.path.join(FOLDER, "b", "..", "a.zarr", name):
            refused(cubist("convert", path, "-o", target), 2, "is part of the input", path, before)
    os.symlink(path, os.path.join(FOLDER, "link"))
    refused(cubist("convert", path, "-o", os.path.join(FOLDER, "link", "new.nrrd")), 2, "in the folder", path, before)
    refused(cubist("convert", os.path.join(FOLDER, "link"), "-o", path + "/new.nrrd"), 2, "in the folder", path, before)
    ran = cubist("convert", "a.zarr", "-o", "new.nrrd", cwd=FOLDER)
    check(ran.code == 0, ran)
    refused(cubist("convert", ".", "-o", "new.nrrd", cwd=path), 2, "in the folder", path, before)


def by_zarr():
    """What python3-zarr writes, with each of its compressors."""
    random = numpy.random.default_rng(7)
    shape = 20, 33, 41
    compressors = [None, numcodecs.GZip(5), numcodecs.Zlib(1), numcodecs.Zstd(3), numcodecs.LZ4(), *(
        numcodecs.Blosc(name, 5, shuffle) for name in ("lz4", "lz4hc", "zlib", "zstd", "blosclz") for shuffle in (0, 1, 2))]
    for number, compressor in enumerate(compressors):
        for make in zarr.NestedDirectoryStore, zarr.DirectoryStore, zarr.N5Store:
            if make is zarr.N5Store and (compressor and compressor.codec_id in ("zstd", "lz4", "zlib")):
                continue  # which it writes in forms of its own
            kind = ("<u2", ">f4", "<i4", "|u1", "<f8", "<f2", ">i2", "<u8")[number % (8 if make is not zarr.N5Store else 5)]
            path = os.path.join(FOLDER, "by.zarr" if make is not zarr.N5Store else "by.n5")
            shutil.rmtree(path, ignore_errors=True)
            values = numpy.round(numpy.cumsum(random.normal(size=shape), 2) + 50).clip(0, 250).astype(kind)
            made = zarr.open_array(make(path), "w", shape=shape, chunks=(7, 16, 41) if number % 2 else (8, 20, 10), dtype=kind,
                                   compressor=compressor, order="F" if number % 3 == 2 and make is not zarr.N5Store else "C")
            made[:] = values
            holds(path, values)


with Folder() as folder:
    FOLDER = folder
    for run in every_type, every_form, missing_chunks, more_axes, fitting_levels, many_arrays, wrong_stores, nothing_is_written_into_it:
        run()
    if zarr and hasattr(zarr, "N5Store"):
        by_zarr()
    else:
        print("python3-zarr 2 is not installed: its stores are not tried")
finish()
