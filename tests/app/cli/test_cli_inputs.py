#!/usr/bin/python3
"""Files that are not a volume, or not the one that they claim to be: one clear line, the right exit code,
bounded time, and nothing left behind. No device is needed: the file is read first."""
import gzip
import json
import os
import pty
import resource
import shutil
import socket
import struct
import subprocess
import zlib

from cli import *


def png(width, height, bits=8, colour=0, rows=None, idat=None, ihdr=None):
    """The bytes of a PNG; `rows` are raw scanlines without filter bytes."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    if rows is None:
        rows = [bytes(width * channels * bits // 8)] * height
    if idat is None:
        idat = zlib.compress(b"".join(b"\0" + row for row in rows), 1)
    head = ihdr or struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", idat) + chunk(b"IEND", b"")


def put(folder, name, content):
    path = os.path.join(os.fsencode(folder), os.fsencode(name))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
    return path


def sparse(folder, name, size):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.truncate(size)
    return path


def raw_files(folder):
    """(path or bytes and name, further arguments, exit codes, pattern)"""
    few = bytes(range(64))
    packed = gzip.compress(few)
    table = [
        ("empty_4x4x4_uint8.raw", b"", [], 3, "empty|0 bytes"),
        ("byte_4x4x4_uint8.raw", b"x", [], 3, r"\b1 byte"),
        ("short_4x4x4_uint8.raw", few[:63], [], 3, r"\b63\b.*\b64\b|\b64\b.*\b63\b"),
        ("long_4x4x4_uint8.raw", few + b"x", [], 3, r"\b65\b.*\b64\b|\b64\b.*\b65\b"),
        ("odd_4x4x4_uint16.raw", few + few + b"x", [], 3, r"\b129\b.*\b128\b|\b128\b.*\b129\b"),
        ("nameless.raw", few, [], 3, "--dims.*--type"),
        ("no_type_but_odd_4x4x4.raw", few[:50], [], 3, r"\b50\b"),
        ("x1x2x3x4_uint8.raw", few, [], 3, "."),
        ("zero_0x5x5_uint8.raw", few, [], 3, "two samples|at least 2"),
        ("flat_64x1x1_uint8.raw", few, [], 3, "two samples|at least 2"),
        ("flat_1x8x8_uint8.raw", few, [], 3, "two samples|at least 2"),
        ("flat_8x8x1_uint8.raw", few, [], 3, "two samples|at least 2"),
        ("negative_4x-4x4_uint8.raw", few, [], 3, "."),
        ("exponent_1e1x4x4_uint8.raw", few, [], 3, "."),
        ("wrap32_65536x65536x2_uint8.raw", few, [], (3, 4), "."),
        ("wrap64_4294967295x4294967295x4294967295_uint8.raw", few, [], 4, "."),
        ("huge_99999999999999999999x4x4_uint8.raw", few, [], (3, 4), "."),
        ("big_2147483648x4x4_uint8.raw", few, [], (3, 4), "."),
        ("type_4x4x4_uint24.raw", few, [], 3, "."),
        ("past_4x4x4_uint8.raw", few, ["--offset", "65"], 3, "offset|beyond|bytes"),
        ("past_4x4x4_uint8.raw", few, ["--offset", "9223372036854775807"], 3, "offset|beyond|bytes"),
        ("dims_4x4x4_uint8.raw", few, ["--dims", "4x4x5"], 3, r"\b80\b"),
        ("type_4x4x4_uint8.raw", few, ["--type", "float32"], 3, r"\b256\b"),
        ("cut_4x4x4_uint8.raw.gz", packed[:-9], [], 3, "."),
        ("crc_4x4x4_uint8.raw.gz", packed[:-8] + b"\0\0\0\0" + packed[-4:], [], 3, "."),
        ("empty_4x4x4_uint8.raw.gz", b"", [], 3, "."),
        ("short_4x4x4_uint8.raw.gz", gzip.compress(few[:60]), [], 3, "."),
        ("bomb_4x4x4_uint8.raw.gz", gzip.compress(bytes(10_000_000)), [], 3, "."),
        ("what_4x4x4_uint8.dat", few, [], 3, "."),
    ]
    for name, content, more, code, pattern in table:
        path = put(folder, name, content)
        bad(path, more, code, pattern, folder)
        os.remove(path)
    bad(os.path.join(folder, "missing_4x4x4_uint8.raw"), [], 3, "No such file")
    bad("", [], 3, "path")
    # Far more than any memory here, and the file really has that size: over the limit, not asked for.
    path = sparse(folder, "vast_65536x65536x1024_uint8.raw", 1 << 42)
    bad(path, [], 4, "limit|memory|large")
    os.remove(path)


def bad(path, more, code, pattern, folder=None):
    before = snapshot(folder) if folder else None
    ran = cubist("info", path, *more, env=NO_DRIVER, timeout=20)
    if isinstance(code, tuple):
        check(ran.code in code, f"expected exit {code}:", ran)
        code = ran.code
    refused(ran, code, pattern, folder, before)
    check(ran.err.count("\n") == 1, "a refusal is one line:", ran)


def odd_things(folder):
    fifo = os.path.join(folder, "fifo_4x4x4_uint8.raw")
    os.mkfifo(fifo)
    bad(fifo, [], 3, "pipe|fifo|regular")
    here = os.path.join(folder, "socket_4x4x4_uint8.raw")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(here)
        bad(here, [], 3, "socket|regular|open")
    bad("/dev/zero", ["--dims", "4x4x4", "--type", "uint8"], 3, "device|regular")
    bad("/dev/null", ["--dims", "4x4x4", "--type", "uint8"], 3, "device|regular")
    bad("-", [], 3, "standard input")  # is empty here
    os.mkdir(os.path.join(folder, "bare"))
    bad(os.path.join(folder, "bare"), [], 3, "no PNG|no .*slices|images")
    os.symlink("loop", os.path.join(folder, "loop"))
    bad(os.path.join(folder, "loop"), [], 3, ".")
    # Names are printed as they are, without what a terminal would obey and what printf would.
    for name, shown in (b"\x1b]0;owned\x07_4x4x4_uint8.raw", r"\\x1b\]0;owned\\x07"), \
            (b"%s%n%d_4x4x4_uint8.raw", "%s%n%d"), (b"caf\xc3\xa9_4x4x4_uint8.raw", "café"), \
            (b"caf\xe9_4x4x4_uint8.raw", r"caf\\xe9"), \
            (b"two\nlines_4x4x4_uint8.raw", r"two\\x0alines"):
        bad(put(folder, name, b"x"), [], 3, shown)
        path = put(folder, name, bytes(range(64)))
        ran = cubist("info", path, "--json", env=NO_DRIVER)
        check(ran.code == 0 and ran.json()["dims"] == [4, 4, 4], "a strange name is no fault:", ran)


def from_standard_input(folder):
    """A pipe is read as the file would be; what is not whole is refused as there."""
    raw = os.path.join(folder, "piped_9x8x7_uint16.raw")
    cubist("generate", "sphere", "--dims", "9x8x7", "--type", "uint16", "-o", raw, env=NO_DRIVER)
    nrrd = os.path.join(folder, "piped.nrrd")
    cubist("convert", raw, "-o", nrrd, "--gzip", env=NO_DRIVER)

    def piped(path, *arguments):
        with open(path, "rb") as file:
            return subprocess.run([CUBIST, "info", "-", "--json", *arguments], stdin=file,
                                  capture_output=True, env=NO_DRIVER)

    for path, arguments in (raw, ["--dims", "9x8x7", "--type", "uint16"]), (nrrd, []):
        ran = piped(path, *arguments)
        said = json.loads(ran.stdout) if ran.returncode == 0 else {}
        known = cubist("info", path, "--json", env=NO_DRIVER).json()
        check(said.get("histogram") == known["histogram"] and said["dims"] == [9, 8, 7],
              f"{path} by standard input is {said or ran.stderr}")
    ran = piped(put(folder, "more.nrrd", b"NRRD0001\ntype: uchar\n"
                    b"dimension: 3\nsizes: 2 2 2\nencoding: raw\n\n123456789"))
    check(ran.returncode == 0 and b"warning: 'standard input' has 1 byte after" in ran.stderr and
          b"/dev/fd" not in ran.stderr, f"a warning about a pipe: {ran}")
    ran = piped(raw, "--dims", "9x8x8", "--type", "uint16")
    check(ran.returncode == 3 and b"standard input" in ran.stderr and ran.stderr.count(b"\n") == 1,
          f"a short pipe: {ran}")


def standard_input_that_fails(folder):
    """Where it cannot be read, or not be kept: one line."""
    table = [
        ({"stdin": os.open(folder, os.O_RDONLY)}, 3, "cannot read standard input: Is a directory"),
        ({"stdin": pty.openpty()[1]}, 3, "standard input is a terminal"),
        ({"env": {**NO_DRIVER, "TMPDIR": folder + "/missing"}}, 4, "cannot make a temporary file"),
        ({"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))}, 4,
         "cannot keep standard input in a temporary file: File too large"),
    ]
    path = put(folder, "many", bytes(1 << 20))
    for how, code, pattern in table:
        with open(path, "rb") as file:
            how = {"stdin": file, "env": NO_DRIVER, **how}
            done = subprocess.run([CUBIST, "info", "-"], capture_output=True, timeout=20, **how)
        refused(Ran(["info", "-"], done.returncode, done.stdout.decode(), done.stderr.decode()),
                code, pattern)


def system_that_refuses(folder):
    """Reading that fails below us, and a system without openat2, by strace."""
    if not shutil.which("strace") or subprocess.run(["strace", "-o", "/dev/null", "true"]).returncode:
        print("not tried: no strace here, so system calls cannot be made to fail")
        return
    os.mkdir(os.path.join(folder, "below"))
    raw = put(folder, "below/x.raw", bytes(64))
    head = b"NRRD0001\ntype: uchar\ndimension: 3\nsizes: 4 4 4\nencoding: raw\ndata file: "
    path = put(folder, "x.nhdr", head + b"below/x.raw\n")
    os.symlink("x.raw", os.path.join(folder, "below", "link"))
    link = put(folder, "link.nhdr", head + b"below/link\n")
    missing = put(folder, "missing.nhdr", head + b"missing/x.raw\n")

    # The sanitized build's leak checker does not work in a traced process.
    traced_env = {**NO_DRIVER, "ASAN_OPTIONS": "detect_leaks=0"}

    def traced(what, file, *more):
        done = subprocess.run(["strace", "-f", "-o", "/dev/null", "-e", f"inject={what}", *more, CUBIST,
                               "info", file, "--json"], capture_output=True, env=traced_env, timeout=60)
        return Ran([what, file], done.returncode, done.stdout.decode(), done.stderr.decode())
    without = "openat2:error=ENOSYS"
    ran = traced(without, path)
    check(ran.code == 0 and ran.json()["dims"] == [4, 4, 4], "without openat2:", ran)
    refused(traced(without, link), 3, "symbolic link")
    refused(traced(without, missing), 3, "No such file")
    ran = traced("pread64:error=EINTR:when=1", path, "-P", raw, "-P", path)
    check(ran.code == 0, "a read that is interrupted:", ran)
    refused(traced("pread64:error=EIO", path, "-P", raw), 3, "cannot read '.*x.raw' at byte 0: Input")


def unreadable(folder):
    path = put(folder, "secret_4x4x4_uint8.raw", bytes(64))
    os.chmod(path, 0)
    if os.getuid() != 0:
        bad(path, [], 3, "ermission denied")
        return
    os.chmod(folder, 0o755)
    drop = lambda: (os.setgroups([]), os.setgid(65534), os.setuid(65534))
    try:
        subprocess.run([CUBIST, "--version"], preexec_fn=drop, stdout=subprocess.DEVNULL, check=True)
    except (OSError, subprocess.SubprocessError):
        print("not tried: nobody cannot start cubist here, so EACCES cannot be made")
        return
    refused(cubist("info", path, env=NO_DRIVER, preexec_fn=drop), 3, "ermission denied")


def pictures(folder):
    grey = png(8, 8)
    # One image of 2x2 tiles, each 4x4.
    table = [
        ("tiles.png", grey, [], 3, "--atlas"),
        ("tiles.png", grey, ["--atlas", "3x2"], 3, "."),
        ("tiles.png", grey, ["--atlas", "2x2", "--slices", "5"], (2, 3), "."),
        ("tiles.png", grey, ["--atlas", "2x2", "--slices", "1"], (2, 3), "."),
        ("tiles.png", grey, ["--atlas", "8x8"], 3, "two samples|at least 2"),
        ("cut.png", grey[:50], ["--atlas", "2x2"], 3, "."),
        ("magic.png", grey[:8], ["--atlas", "2x2"], 3, "."),
        ("empty.png", b"", ["--atlas", "2x2"], 3, "."),
        ("idat.png", png(8, 8, idat=b"\x78\x9c broken"), ["--atlas", "2x2"], 3, "."),
        ("few.png", png(8, 8, idat=zlib.compress(b"\0")), ["--atlas", "2x2"], 3, "."),
        ("zero.png", png(8, 8, ihdr=struct.pack(">IIBBBBB", 0, 8, 8, 0, 0, 0, 0)), ["--atlas", "2x2"], 3, "."),
        ("wide.png", png(8, 8, ihdr=struct.pack(">IIBBBBB", 20000, 8, 8, 0, 0, 0, 0)), ["--atlas", "2x2"], 4, "."),
        # stb_image issue 1924: the product of these wraps to 0 in 32 bits.
        ("wrap.png", png(8, 8, ihdr=struct.pack(">IIBBBBB", 32768, 16384, 16, 0, 0, 0, 0)), ["--atlas", "2x2"], 4, "."),
        ("colour.png", png(8, 8, colour=2, rows=[b"\1\2\3" * 8] * 8), ["--atlas", "2x2"], 3, "colour|grey|gray|channel"),
        ("jpeg.png", b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(200), ["--atlas", "2x2"], 3, "."),
        ("gif.png", b"GIF89a\x08\0\x08\0" + bytes(100), ["--atlas", "2x2"], 3, "."),
    ]
    for name, content, more, code, pattern in table:
        bad(put(folder, name, content), more, code, pattern, folder)

    def slices(name, *contents):
        where = os.path.join(folder, name)
        for i, content in enumerate(contents):
            put(where, f"s{i}.png", content)
        return where
    bad(slices("sizes", png(8, 8), png(8, 8), png(8, 9)), [], 3, r"s2\.png")
    bad(slices("depths", png(8, 8), png(8, 8, bits=16)), [], 3, r"s1\.png")
    bad(slices("colours", png(8, 8), png(8, 8, colour=2, rows=[b"\1\2\3" * 8] * 8)), [], 3, r"s1\.png")
    bad(slices("broken", png(8, 8), png(8, 8)[:60]), [], 3, r"s1\.png")
    bad(slices("single", png(8, 8)), [], 3, "two samples|at least 2|slice")
    bad(slices("narrow", png(1, 8), png(1, 8)), [], 3, "two samples|at least 2")


def good(folder):
    """What looks strange and is right."""
    few = bytes(range(8))
    path = put(folder, "least_2x2x2_uint8.raw", few)
    found = cubist("info", path, "--json", env=NO_DRIVER).json()
    check(found["dims"] == [2, 2, 2] and found["range"] == [0, 7], "2x2x2:", found)
    path = put(folder, "Digits_2016_1x2x3_2x2x2_uint8.raw", few)
    check(cubist("info", path, "--json", env=NO_DRIVER).json()["dims"] == [2, 2, 2], "anchored at the end")
    path = put(folder, "lying_9x9x9_uint16.raw", few)
    ran = cubist("info", path, "--dims", "2x2x2", "--type", "u8", "--json", env=NO_DRIVER)
    check("warning" in ran.err, "a name that says else is worth a warning:", ran)
    check(ran.code == 0 and ran.json()["dims"] == [2, 2, 2], "options win over the name:", ran)
    path = put(folder, "untyped_2x2x2.raw", few * 2)
    ran = cubist("info", path, "--json", env=NO_DRIVER)
    check(ran.code == 0 and ran.json()["type"] == "uint16" and "uint16" in ran.err, "an inferred type is said:", ran)
    path = put(folder, "double_2x2x2_float64.raw", struct.pack("<8d", *range(8)))
    ran = cubist("info", path, "--json", env=NO_DRIVER)
    check(ran.code == 0 and ran.json()["type"] == "float64" and "float32" in ran.err, "float64 is said:", ran)
    path = put(folder, "big.bin.raw", b"head" + struct.pack(">8h", *range(-4, 4)))
    ran = cubist("info", path, "--dims", "2x2x2", "--type", "int16", "--endian", "big", "--offset", "4",
                 "--spacing", "1,2,0.5", "--json", env=NO_DRIVER)
    check(ran.code == 0 and ran.json()["range"] == [-4, 3] and ran.json()["spacing"] == [1, 2, 0.5], "raw options:", ran)
    path = put(folder, "packed_2x2x2_uint8.raw.gz", gzip.compress(few))
    check(cubist("info", path, "--json", env=NO_DRIVER).json()["range"] == [0, 7], "raw.gz")
    path = put(folder, "plain_2x2x2_uint8.raw.gz", few)
    ran = cubist("info", path, "--json", env=NO_DRIVER)
    check(ran.json()["range"] == [0, 7] and "warning" in ran.err, "the magic wins over the name:", ran)
    path = put(folder, "atlas.png", png(4, 4, rows=[bytes(range(4 * y, 4 * y + 4)) for y in range(4)]))
    found = cubist("info", path, "--atlas", "2x2", "--json", env=NO_DRIVER).json()
    check(found["dims"] == [2, 2, 4] and found["range"] == [0, 15], "an atlas:", found)
    where = os.path.join(folder, "stack")
    for i in range(12):
        put(where, f"slice{i}.png", png(3, 2, bits=16, rows=[struct.pack(">3H", i, i, 1000)] * 2))
    found = cubist("info", where, "--json", env=NO_DRIVER).json()
    check(found["dims"] == [3, 2, 12] and found["type"] == "uint16" and found["range"] == [0, 1000], "a stack:", found)
    path = put(folder, "gaps_2x2x2_float32.raw", struct.pack("<8f", float("nan"), float("inf"), *range(6)))
    found = cubist("info", path, "--json", env=NO_DRIVER).json()
    check(found["not_finite"] == 2 and found["range"] == [0, 5], "not finite:", found)
    path = put(folder, "void_2x2x2_float32.raw", struct.pack("<8f", *[float("nan")] * 8))
    found = cubist("info", path, "--json", env=NO_DRIVER).json()
    check(found["not_finite"] == 8 and found["range"] is None and found["iso"] is None, "nothing finite:", found)


for part in (raw_files, odd_things, from_standard_input, standard_input_that_fails,
             system_that_refuses, unreadable, pictures, good):
    with Folder() as top:
        part(top)
finish()
