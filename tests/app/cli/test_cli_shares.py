#!/usr/bin/python3
# ctest: plain
"""extract --share and merge: the bytes and the facts of one extract, for shares in any order and empty ones.
merge refuses, by name, what is missing, there twice, of something else, or damaged. What fails or is stopped
leaves the old file. All counts of shares, and larger volumes, are in test_long_shares.py."""
import shutil
import signal
import struct
import subprocess
import time
import zlib

from cli import *
from share_files import *


def same(top):
    formats = formats_written("meshes")
    raw = sample(top, "gyroid", "30x22x9", "uint8")
    whole = Whole(top, raw, "120.5", formats, "--spacing", "1,2.5,3")
    paths = make(top, raw, "120.5", 3, "--spacing", "1,2.5,3", numbers=[1, 3])
    # One of them within a small budget, in several parts.
    paths += make(top, raw, "120.5", 3, "--spacing", "1,2.5,3", "--memory-budget", "2", numbers=[2])
    whole.equals(top, paths, "a gyroid of 3")
    check_text(paths, whole)
    # Two layers, more shares than layers, samples that are not finite.
    gaps = with_gaps(top, (17, 15, 3))
    whole = Whole(top, gaps, "0.5", ["ply"])
    shares = make(top, gaps, "0.5", 4, name="gaps")
    whole.equals(top, shares, "2 layers of 4")
    return raw, paths, shares


def check_text(paths, whole):
    ran = cubist("merge", *paths)
    check(ran.code == 0 and ran.err == "", ran)
    for line in (r"shares +3  \(30 x 22 x 9 uint8\)", r"isovalue +120\.5", f"triangles +{whole.report['triangles']:,}",
                 "area +", "Euler number +", "bounds +x ", "milliseconds +check "):
        check(re.search("^" + line, ran.out, re.M), f"no /{line}/ in the report:", ran)
    ran = cubist("merge", *paths, "-o", "-", text=False)
    check(ran.code == 0 and ran.out == whole.meshes["ply"] and "shares" in ran.err, "-o -:", ran.code, ran.err)


def report(top, raw):
    path = os.path.join(top, "one.share")
    ran = cubist("extract", raw, "--iso", "120", "--share", "2/3", "-o", path, "--json")
    found = ran.json() if check(ran.code == 0, ran) else {"share": None}
    check(found["share"] == {"number": 2, "of": 3, "first_layer": 2, "layers": 3}, "report:", found)
    check(found["format"] == "share" and found["triangles"] > 0 and "area" not in found, "report:", found)
    # Its slices, and one on either side.
    check(found["slabs"]["bytes_read"] == 30 * 22 * 6, "what is read:", found["slabs"])
    ran = cubist("extract", raw, "--iso", "120", "--share", "2/9", "-o", path)
    check(re.search(r"^share +2 of 9: no layer of 8$|^share +2 of 9: layers 0 to 0 of 8$", ran.out, re.M), ran)
    ran = cubist("extract", raw, "--iso", "120", "--share", "1/9", "-o", "-", text=False)
    check(ran.code == 0 and ran.out.startswith(b"\x89cubist share") and "no layer of 8" in ran.err, ran.err)
    refused(cubist("info", path), 3, "a share of a mesh, which cubist does not read; .*cubist merge")


def usage(top, raw, paths):
    mesh, share = os.path.join(top, "m.ply"), os.path.join(top, "s.share")
    before = snapshot(top)
    for value in "0/3", "4/3", "3", "1/", "/3", "1/3/3", "-1/3", "1.5/3", "1/10001", "a/b", "":
        refused(cubist("extract", raw, "--iso", "9", "--share", value, "-o", share), 2, "--share", top, before)
    for iso in [], ["--iso", "auto"], ["--iso", "40%"], ["--iso", "p40"]:
        refused(cubist("extract", raw, *iso, "--share", "1/3", "-o", share), 2, "--iso with a number.*cubist info", top, before)
    refused(cubist("extract", raw, "--iso", "9", "--share", "1/3"), 2, r"-o mesh\.1\.share", top, before)
    refused(cubist("extract", raw, "--iso", "9", "--share", "1/3", "-o", mesh), 2,
            r"m\.ply: --share writes a share, not a mesh; expected a name that ends in \.share, such as mesh\.1\.share", top, before)
    refused(cubist("extract", raw, "--iso", "9", "--share", "1/3", "-o", share, "--format", "ply"), 2, "merge", top, before)
    refused(cubist("render", raw, "--share", "1/3", "-o", "x.png"), 2, "render takes no --share", top, before)
    refused(cubist("merge"), 2, "merge needs FILE", top, before)
    refused(cubist("merge", *paths, "--iso", "3"), 2, "merge takes no --iso", top, before)
    refused(cubist("merge", *paths, "--device", "0"), 2, "merge takes no --device", top, before)
    refused(cubist("merge", *paths, "-o", share), 2, "unknown kind of file", top, before)
    refused(cubist("merge", *paths, "--format", "ply"), 2, "-o FILE", top, before)
    refused(cubist("merge", *paths, "--format", "ply", "-o", paths[1]), 2, "part of the input", top, before)


def mixed(top, raw, paths, others):
    mesh = os.path.join(top, "old.ply")
    with open(mesh, "w") as file:
        file.write("old")
    first, second, third = sorted(paths)
    more = make(top, raw, "120", 3, "--spacing", "1,2.5,3", numbers=[2], name="iso")
    more += make(top, raw, "120.5", 3, numbers=[2], name="spacing")
    changed = os.path.join(top, "changed_30x22x9_uint8.raw")
    content = bytearray(read(raw))
    content[5 * 30 * 22 + 77] ^= 1  # in slice 5, the last one of the second share and the first of the third
    with open(changed, "wb") as file:
        file.write(content)
    more += make(top, changed, "120.5", 3, "--spacing", "1,2.5,3", numbers=[2], name="changed")
    cut, bent = os.path.join(top, "cut.share"), os.path.join(top, "bent.share")
    with open(cut, "wb") as file:
        file.write(read(second)[:-1000])
    with open(bent, "wb") as file:
        content = bytearray(read(second))
        content[len(content) // 2] ^= 16
        file.write(content)
    before = snapshot(top)
    for shares, pattern in (
            ([first, third], r"layers 2 to 4 of 8 are in no share: .*x\.3\.share"),
            ([first, second], r"layers 5 to 7 of 8 are in no share: .*x\.2\.share"),
            ([second, third], r"layers 0 to 1 of 8 are in no share: .*x\.2\.share"),
            ([first, second, third, second], r"x\.2\.share' has layers 2 to 4, and .* one share only"),
            ([first, more[0], third], r"iso\.2\.share' is of isovalue 120, .*x\.1\.share' is of isovalue 120\.5; make one of them again: "
             "all shares need the same input and --iso"),
            ([first, more[1], third], r"spacing\.2\.share' is a share of another input: its spacing"),
            ([first, more[2], third], r"changed\.2\.share' and .*x\.3\.share' are shares of different inputs: slice 5"),
            ([first, others[0], third], r"gaps\.\d\.share' is a share of another input: its volume is 17x15x3"),
            ([first, cut, third], r"cut\.share' is cut short.*make this share again"),
            ([first, bent, third], r"bent\.share' is damaged.*make this share again"),
            ([first, raw, third], r"\.raw' is not a share"),
            ([first, os.path.join(top, "none.share")], r"none\.share': No such file"),
            ([first, top], "directory")):
        refused(cubist("merge", *shares, "-o", mesh), 3, pattern, top, before)
    # A copy has another time: no refusal, because it is right, and a warning, because it may not be.
    copy = os.path.join(top, "copy", os.path.basename(raw))
    os.mkdir(os.path.dirname(copy))
    shutil.copy(raw, copy)
    os.utime(copy, (1, 1))
    with_copy = make(top, copy, "120.5", 3, "--spacing", "1,2.5,3", numbers=[2], name="copied")
    ran = cubist("merge", first, with_copy[0], third, "-o", mesh)
    check(ran.code == 0 and re.search("^cubist: warning: when '.*(copied).*another size or time", ran.err), ran)


def limits(top):
    """A share whose end says more vertices than PLY can count: refused before the rest is looked at. The file is
    a hole of 52 GB."""
    path, mesh = os.path.join(top, "huge.share"), os.path.join(top, "huge.ply")
    head = b"\x89cubist share\r\n\x1a" + struct.pack(
        "<9I16d", 2, 0, 4, 5, 5, 5, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5)
    head = head.ljust(252, b"\0")
    with open(path, "wb") as file:
        file.write(head + struct.pack("<I", zlib.crc32(head)))
        file.seek(2**31 * 24 + 1000)
        file.write((b"end " + struct.pack("<I4Q", 0, 2**31, 9, 1, 9)).ljust(64, b"\0"))
    before = snapshot(top)
    refused(cubist("merge", path, "-o", mesh), 4, "2147483648 vertices.*vtp", top, before)
    refused(cubist("merge", path, "-o", mesh, "--format", "vtp"), 3, r"huge\.share' is damaged", top, before)
    os.remove(path)


def failing(top, raw):
    """No room, and Ctrl-C: nothing is left beside the old file."""
    refused(cubist("extract", raw, "--iso", "120", "--share", "1/3", "-o", "/dev/full"), 5, "/dev/full.*No space")
    big = sample(top, "noise", "60x60x40", "uint8")
    path, mesh = os.path.join(top, "big.share"), os.path.join(top, "old.obj")
    with open(mesh, "w") as file:
        file.write("old")
    make(top, big, "128", 1, name="big")
    path = os.path.join(top, "big.1.share")
    before = snapshot(top)
    refused(cubist("merge", path, "-o", "/dev/full", "--format", "obj"), 5, "/dev/full.*No space", top, before)
    done = subprocess.run(["bash", "-c", 'ulimit -f 1000; trap "" XFSZ; exec "$0" merge "$1" -o "$2"', CUBIST, path, mesh],
                          capture_output=True, text=True, timeout=120)
    check(done.returncode == 5 and "too large" in done.stderr, "no room:", done)
    check(snapshot(top) == before, "no room:", before, snapshot(top))
    for number, code in (signal.SIGINT, 130), (signal.SIGTERM, 130):
        process = subprocess.Popen([CUBIST, "merge", path, "-o", mesh], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        end = time.monotonic() + 60
        while not any(name.endswith(".part") for name in os.listdir(top)) and time.monotonic() < end:
            time.sleep(0.005)
        start = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=120)
        # While it reads a share, or while it writes the mesh.
        told = re.fullmatch(r"cubist: (interrupted|loading '[^']*\.share' was cancelled)\n", err)
        check(process.returncode == code and out == "" and told, process.returncode, out, err)
        check(time.monotonic() - start < 5, "took too long to stop")
        check(snapshot(top) == before, "interrupted:", before, snapshot(top))


need_device()
with Folder() as top:
    raw, paths, others = same(top)
    report(top, raw)
    usage(top, raw, paths)
    mixed(top, raw, paths, others)
    limits(top)
    failing(top, raw)
finish()
