#!/usr/bin/python3
# ctest: plain
"""extract --plan: what it says of a run of several processes is what such a run reads and writes; it needs no
samples and no device, also for 10^12 voxels."""
from cli import *
from share_files import *


def plan(*args, code=0):
    ran = cubist("extract", *args, "--json", env=NO_DRIVER)
    check(ran.code == code, ran)
    return ran.json() if ran.code == 0 else None


def as_it_comes(top):
    """Bytes read by shares, sizes of shares and meshes: those of a real run."""
    width, height, depth = 40, 36, 33
    raw = sample(top, "gyroid", f"{width}x{height}x{depth}", "uint16")
    slice_bytes = width * height * 2
    mesh = os.path.join(top, "m.ply")
    report = cubist("extract", raw, "--iso", "30000", "-o", mesh, "--json").json()
    rate = report["vertices"] / (width * height * depth)
    for n in 3, 40:
        said = plan(raw, "--iso", "30000", "--plan", f"ranks={n},shares={n},vertices={rate:.17g}")
        check(said["bytes"] == os.path.getsize(raw) and len(said["ranks"]) == n, said)
        check(abs(said["vertices"] - report["vertices"]) <= 1, said["vertices"], report["vertices"])
        check(sum(r["layers"] for r in said["ranks"]) == depth - 1, said)
        check(said["bytes_read"] == sum(r["bytes_read"] for r in said["ranks"]), said)
        for rank in said["ranks"] if n < 40 else said["ranks"][3:6]:
            share = os.path.join(top, "one.share")
            ran = cubist("extract", raw, "--iso", "30000", "--share", f"{rank['rank'] + 1}/{n}", "-o", share, "--json")
            found = ran.json()
            first, layers = rank["first_layer"], rank["layers"]
            check(found["share"]["layers"] == layers, found["share"], rank)
            if layers > 0:
                check(found["share"]["first_layer"] == first, found["share"], rank)
                # Beside these, the slice in the middle of the volume.
                check(rank["bytes_read"] == found["slabs"]["bytes_read"] + slice_bytes, rank, found["slabs"])
    # A closed surface, with two triangles for each vertex.
    raw = sample(top, "sphere", "50x50x50", "uint16")
    rate = cubist("extract", raw, "--iso", "30000", "--json").json()["vertices"] / 50**3
    shares = make(top, raw, "30000", 3)
    said = plan(raw, "--iso", "30000", "--plan", f"ranks=3,shares=3,vertices={rate:.17g}")
    found = sum(map(os.path.getsize, shares))
    check(abs(said["share_bytes"] - found) < 0.02 * found, "shares:", said["share_bytes"], found)
    for planned in said["meshes"]:
        if planned["format"] not in formats_written("meshes") or planned["format"] == "pvtp":
            continue
        mesh = os.path.join(top, "m." + planned["format"])
        check(cubist("extract", raw, "--iso", "30000", "-o", mesh, "-q").code == 0, mesh)
        found = os.path.getsize(mesh)
        slack = 0.2 if planned["format"] in ("obj", "off") else 0.02
        check(abs(planned["bytes"] - found) < slack * found + 3000, planned, found)
        check(planned["fits"] and planned["why"] is None, planned)
    # With an isovalue that is not a number, all samples are read once more.
    once, more = (plan(raw, "--iso", iso, "--plan", "ranks=5,shares=5")["bytes_read"] for iso in ("7", "40%"))
    check(more - once == os.path.getsize(raw), "to count:", once, more)
    check(plan(raw, "--iso", "p40", "--plan", "ranks=5,shares=5")["bytes_read"] == more, "to count for a percentile")


def large(top):
    """10^12 voxels: a file that is not there, one that is all hole, and a header without its samples."""
    absent = os.path.join(top, "absent.raw")
    how = "--iso", "5", "-o", os.path.join(top, "m.vtp"), "--plan"
    ran = cubist("extract", absent, "--dims", "10000", "--type", "uint16", *how, "ranks=64", env=NO_DRIVER)
    print(ran.out)
    check(ran.code == 0 and ran.err == "" and os.listdir(top) == [], ran)
    said = plan(absent, "--dims", "10000", "--type", "uint16", *how, "ranks=64,shares=64")
    check(said["bytes"] == 2 * 10**12 and said["vertices"] == 10**10 and said["triangles"] == 2 * 10**10, said)
    # Three slices more for each rank, less at both ends, and the middle one.
    check(said["bytes_read"] == 2 * 10**8 * (10000 - 1 + 64 + 2 * 63 + 64), said["bytes_read"])
    check([r["shares"] for r in said["ranks"]] == [1] * 64 and said["plan"]["shares"] == 64, said["plan"])
    # By default 8 shares a rank, and more where one would have over 2^33 voxels.
    usual = plan(absent, "--dims", "10000", "--type", "uint16", *how, "ranks=64")
    check(usual["plan"]["shares"] == 512 and usual["memory_bytes"] == 7 * 10**8 * 23, usual["plan"], usual["memory_bytes"])
    usual = plan(absent, "--dims", "10000", "--type", "uint16", *how, "ranks=2")
    check(usual["plan"]["shares"] == 2 * 59, usual["plan"])  # of 86 layers
    fits = {m["format"]: m["fits"] for m in said["meshes"]}
    check(not (fits["ply"] or fits["stl"] or fits["glb"]) and fits["vtp"], fits)
    check([m["bytes"] for m in said["meshes"] if m["format"] == "vtp"] == [880 * 10**9], said["meshes"])
    # 16 nodes of 5 GB/s at a file system of 40 GB/s; 2 * 10^9 voxels a second on each rank.
    seconds = said["seconds"]
    check(50 < seconds["read"] < 54 and 7.8 < seconds["extract"] < 7.9, seconds)
    check(abs(seconds["write"] - 22) < 0.1 and seconds["least"] < seconds["most"], seconds)
    slow = plan(absent, "--dims", "10000", "--type", "uint16", *how,
                "ranks=64,shares=64,node=64,read=1e9,write=2e9,voxels=1e9")["seconds"]
    check(abs(slow["read"] / seconds["read"] - 40) < 0.1 and abs(slow["write"] - 440) < 1, slow)
    check(abs(slow["extract"] / seconds["extract"] - 2) < 0.01, slow)
    hole = os.path.join(top, "hole_3000x3000x3000_uint8.raw")
    with open(hole, "wb") as file:
        file.truncate(3000**3)
    named = plan(hole, *how, "ranks=4")
    check(named["dims"] == [3000] * 3 and named["type"] == "uint8", named)
    os.truncate(hole, 3000**3 // 2)  # half of it is written
    check(plan(hole, *how, "ranks=4") == named, "half a file")
    os.remove(hole)
    check(plan(hole, *how, "ranks=4") == named, "by its name alone")
    header = os.path.join(top, "big.nhdr")
    with open(header, "w") as file:
        file.write("NRRD0005\ntype: float\ndimension: 3\nsizes: 9000 8000 7000\nendian: little\nencoding: raw\n"
                   "data file: samples.raw\n")
    said = plan(header, *how, "ranks=4")
    check(said["dims"] == [9000, 8000, 7000] and said["type"] == "float32", said)
    with open(header) as file:
        small = file.read().replace("9000 8000 7000", "9 8 7")
    with open(header, "w") as file:
        file.write(small)
    check(plan(header, *how, "ranks=4")["dims"] == [9, 8, 7], "a small header")
    refused(cubist("info", header), 3, "samples.raw")  # only a plan needs no samples
    os.remove(header)


def refusals(top):
    raw = sample(top, "sphere", "9x8x7", "uint8")
    before = snapshot(top)
    for value in "", "ranks", "ranks=", "ranks=0", "ranks=1.5", "ranks=-1", "ranks=2,", "rank=2", "ranks=100001", \
            "read=0", "vertices=4", "read=inf", "read=5e9;write=3":
        refused(cubist("extract", raw, "--plan", value), 2, "--plan", top, before)
    for value, said in (("ranks=2,rank=3", "--plan rank: expected one of the names in cubist extract --help"),
                        ("read=5e9,ranks=1.5", "--plan ranks=1.5: expected ranks=NUMBER, a whole number from 1 on, at most 100000"),
                        ("vertices=4", "--plan vertices=4: expected vertices=NUMBER, above 0, at most 3"),
                        ("ranks", "--plan ranks: expected ranks=NUMBER")):
        refused(cubist("extract", raw, "--plan", value), 2, re.escape(said), top, before)
    for args, code, why in (
            (["-"], 2, "standard input"),
            ([os.path.join(top, "x.raw")], 3, "--dims and --type"),
            ([os.path.join(top, "x.raw"), "--dims", "9"], 3, "--dims and --type"),
            ([raw, "--dims", "9", "--type", "uint8", "--iso", "3", "--share", "2/3"], 2, "shares=3"),
            ([raw, "--resume", top], 2, "leave that out"),
            ([raw, "-o", "x.nothing"], 2, "x.nothing|unknown kind")):
        refused(cubist("extract", *args, "--plan", "ranks=2"), code, why, top, before)
    pipe = os.path.join(top, "pipe.raw")
    os.mkfifo(pipe)
    refused(cubist("extract", pipe, "--dims", "9", "--type", "uint8", "--plan", "ranks=2"), 2, "is not a file")
    text = os.path.join(top, "a.vti")
    with open(text, "w") as file:
        file.write('<VTKFile type="ImageData"><ImageData WholeExtent="0 1 0 1 0 1"><Piece Extent="0 1 0 1 0 1">'
                   '<PointData><DataArray Name="a" type="UInt8" format="ascii">1 2 3 4 5 6 7 8</DataArray></PointData>'
                   '</Piece></ImageData></VTKFile>')
    ran = cubist("extract", text, "--plan", "ranks=2")
    check(ran.code == 0 and re.search("compressed or text.*cubist convert", ran.err), ran)
    ran = cubist("extract", raw, "--plan", "vertices=0.001", env=NO_DRIVER)
    check(ran.code == 0 and re.search(r"^ranks +1, on 1 node;", ran.out, re.M), ran)
    ran = cubist("extract", "absent.raw", "--dims", "10000", "--type", "uint8", "-o", "x.ply", "--plan", "ranks=8")
    check(ran.code == 0 and re.search("warning.*PLY.*\\.vtp", ran.err), ran)


with Folder() as folder:
    large(folder)
    as_it_comes(folder)
with Folder() as folder:
    refusals(folder)
finish()
