#!/usr/bin/python3
# ctest: plain share
"""NumPy archives: what numpy.savez and zipfile write, stored and deflated, of 32 and 64 bits, and what is cut or changed."""
import io
import itertools
import zipfile

from cli import *

try:
    import numpy
except ImportError:
    skip("python3-numpy is not installed")


def samples(path, *more):
    made = os.path.join(FOLDER, "out.nrrd")
    ran = cubist("convert", path, "-q", "-o", made, *more)
    if not check(ran.code == 0, ran):
        return b""
    with open(made, "rb") as file:
        return file.read().split(b"\n\n", 1)[1]


def put(data):
    path = os.path.join(FOLDER, "a.npz")
    with open(path, "wb") as file:
        file.write(data)
    return path


def archive(members, method, wide=False, comment=b""):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as made:
        made.comment = comment
        for name, array in members.items():
            with made.open(zipfile.ZipInfo(name) if method == zipfile.ZIP_STORED else name, "w", force_zip64=wide) as member:
                numpy.lib.format.write_array(member, array)
    return out.getvalue()


with Folder() as folder:
    FOLDER = folder
    a = numpy.arange(24, dtype="u2").reshape(2, 3, 4)
    b = numpy.arange(60, dtype=">f4").reshape(3, 4, 5)
    members = {"flat": numpy.arange(3), "a": a, "sub/b": numpy.asfortranarray(b)}
    for save in numpy.savez, numpy.savez_compressed:
        path = os.path.join(folder, "s.npz")
        save(path, **members)
        check(samples(path) == a.tobytes(), save)
        check(samples(path, "--array", "sub/b") == b.T.astype("<f4").tobytes(), save)
        ran = cubist("info", "--json", path)
        found = ran.json()["contents"]["arrays"]
        check([row["path"] for row in found] == ["flat", "a", "sub/b"] and [row["read"] for row in found] == [False, True, False], found)
        check("a is read (--array selects one of flat, a, sub/b)" in ran.err, ran)
        refused(cubist("info", path, "--array", "flat"), 3, r"shape \(3,\)")
        refused(cubist("info", path, "--array", "c"), 3, "no array 'c'; it has flat, a, sub/b")
    for method, wide, comment in itertools.product((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED), (False, True), (b"", b"PK\5\6" * 9)):
        data = archive({"x.npy": a}, method, wide, comment)
        check(samples(put(data)) == a.tobytes(), method, wide, comment)
        if not comment:
            for size in range(4, len(data), 7 if WHOLE else 37):
                refused(cubist("info", put(data[:size])), 3, "cut short|not valid|zip archive")
    # As an archive of more than 4 GiB, or of more than 65535 members, says where its directory is.
    data = archive({"x.npy": a}, zipfile.ZIP_STORED)
    end = data.rindex(b"PK\5\6")
    directory = int.from_bytes(data[end + 16:end + 20], "little")
    place = (1).to_bytes(8, "little") + (end - directory).to_bytes(8, "little") + directory.to_bytes(8, "little")
    wide = b"PK\6\6" + bytes(20) + bytes(8) + place
    locator = b"PK\6\7" + bytes(4) + end.to_bytes(8, "little") + bytes(4)
    check(samples(put(data[:end] + wide + locator + data[end:end + 10] + b"\xff" * 10 + data[end + 20:])) == a.tobytes(), "64 bits")
    refused(cubist("info", put(archive({"x.npy": a}, zipfile.ZIP_BZIP2))), 3, "another method")
    secret = bytearray(data)
    secret[directory + 8] |= 1
    refused(cubist("info", put(secret)), 3, "encrypted")
    # Whatever the samples become, the whole is refused. A stored array is read up to the wrong slice.
    c = numpy.arange(3 * 40 * 50, dtype="u2").reshape(3, 40, 50) * 11
    for method in zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED:
        data = archive({"x.npy": c, "y.npy": a}, method)
        with zipfile.ZipFile(io.BytesIO(data)) as of:
            size = of.getinfo("x.npy").compress_size
        begin = 30 + len("x.npy") + int.from_bytes(data[28:30], "little")
        check(samples(put(data)) == c.tobytes(), method)
        for at in range(begin + 140, begin + size, (997 if method == zipfile.ZIP_STORED else 13) * (1 if WHOLE else 4)):
            wrong = bytearray(data)
            wrong[at] ^= 16
            refused(cubist("info", put(wrong)), 3, "checksum" if method == zipfile.ZIP_STORED else "")
            check(method == zipfile.ZIP_DEFLATED or "checksum" in cubist("convert", put(wrong), "-o", os.path.join(folder, "w.nrrd")).err, at)
            check(samples(put(wrong), "--array", "y") == a.tobytes(), at)
        wrong = bytearray(data)
        directory = data.rindex(b"PK\1\2", 0, data.rindex(b"PK\1\2"))
        wrong[directory + 17] ^= 1
        refused(cubist("info", put(wrong)), 3, "do not have the bytes of their checksum")
    random = numpy.random.default_rng(3)
    for data in archive({"x.npy": a, "y.npy": b}, zipfile.ZIP_STORED), archive({"x.npy": a, "y.npy": b}, zipfile.ZIP_DEFLATED):
        for _ in range(150 if WHOLE else 30):
            wrong = bytearray(data)
            for at in random.integers(0, len(data), 3):
                wrong[at] = random.integers(0, 256)
            ran = cubist("info", put(wrong))
            check(ran.code in (0, 3, 4) and (ran.code == 0 or len(ran.err.splitlines()) == 1), ran)
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w") as made:
        made.writestr("readme.txt", "no array")
    refused(cubist("info", put(plain.getvalue())), 3, "a zip archive")
finish()
