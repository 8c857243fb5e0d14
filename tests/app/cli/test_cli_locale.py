#!/usr/bin/python3
# ctest: plain
"""A locale with a decimal comma: numbers on the command line, in headers, meshes, tables and JSON are the
same as in other locales, byte for byte. The locale is made here, in a folder of its own."""
import csv
import os
import re

from cli import *
from volume_bytes import cube, dx, slc
from locales import comma_locale

ISO = "100.5"
NUMBERS = {  # volumes whose headers are full of fractions
    "a.nrrd": b"NRRD0004\ntype: float\ndimension: 3\nsizes: 6 5 4\nendian: little\nencoding: text\n"
              b"space dimension: 3\nspace directions: (0.5,0,0) (0,1.25,0) (0,0,2.75)\nspace origin: (0.1,-2.5,1e-3)\n\n"
              + " ".join(f"{i * 1.75:.2f}" for i in range(120)).encode(),
    "a.mha": b"NDims = 3\nDimSize = 6 5 4\nElementSpacing = 0.5 1.25 2.75\nOffset = 0.1 -2.5 0.001\n"
             b"ElementType = MET_UCHAR\nElementDataFile = LOCAL\n" + bytes(range(120)),
    "a.vti": b'<VTKFile type="ImageData" version="0.1" byte_order="LittleEndian"><ImageData WholeExtent="0 5 0 4 0 3" '
             b'Origin="0.1 -2.5 0.001" Spacing="0.5 1.25 2.75"><Piece Extent="0 5 0 4 0 3"><PointData Scalars="s">'
             b'<DataArray type="Float32" Name="s" format="ascii">' + " ".join(f"{i * 1.75:.2f}" for i in range(120)).encode()
             + b"</DataArray></PointData></Piece></ImageData></VTKFile>",
    "a.vtk": b"# vtk DataFile Version 3.0\nx\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 6 5 4\nORIGIN 0.1 -2.5 0.001\n"
             b"SPACING 0.5 1.25 2.75\nPOINT_DATA 120\nSCALARS s float 1\nLOOKUP_TABLE default\n"
             + " ".join(f"{i * 1.75:.2f}" for i in range(120)).encode() + b"\n",
    "a.cube": cube((6, 5, 4), bytes(range(120))),
    "a.dx": dx((6, 5, 4), bytes(range(120))),
    "a.slc": slc((6, 5, 4), bytes(range(120))),
    "a.dat": b"RawFile: a_6x5x4_uint8.raw\nResolution: 6 5 4\nFormat: UINT8\nSpacing: 0.5 1.25 2.75\nOffset: 0.1 -2.5 0.001\n",
    "a.bov": b"DATA_FILE: a_6x5x4_uint8.raw\nDATA_SIZE: 6 5 4\nDATA_FORMAT: BYTE\nBRICK_SIZE: 2.5 5.0 8.25\nBRICK_ORIGIN: 0.1 -2.5 0.001\n",
}


def timeless(text):
    """Without what is measured: times and rates, with as much space as they take."""
    if text.startswith("{"):
        return {key: value for key, value in json.loads(text).items() if key not in ("times", "stages") and
                not key.endswith("_ms")}
    return re.sub(r"milliseconds.*|\d+\.\d+ ms|, write \d+", "T", text)


def ungrouped(text):
    """The text without its counts, as 1,014,940, and without the commas of lists."""
    return re.sub(r"(?<![\d.,])\d{1,3}(,\d{3})+(?![\d.,])", "N", text).replace(", ", "")


def both(german, *args, wanted=None):
    """The same with a comma and without; returns what was said."""
    here, there = (cubist(*args, env={**os.environ, **more}) for more in ({"LC_ALL": "C"}, german))
    for ran in here, there:
        check(ran.code == 0, ran)
        check(not re.search(r"\d,\d", ungrouped(ran.out)), "a number with a comma:", ran)
    check(timeless(here.out) == timeless(there.out) and timeless(here.err) == timeless(there.err),
          "a comma makes a difference:", here, there)
    if wanted:
        check(wanted in there.out, f"says {wanted}:", there)
    return there


def files_equal(german, first, second, *args):
    both_paths = []
    for path, more in (first, {"LC_ALL": "C"}), (second, german):
        ran = cubist(*args, "-o", path, env={**os.environ, **more})
        check(ran.code == 0, ran)
        with open(path, "rb") as file:
            both_paths.append(file.read())
        os.remove(path)
    check(both_paths[0] == both_paths[1], "files differ by the comma:", args)


def headers_and_options(german, top):
    for name, data in NUMBERS.items():
        with open(os.path.join(top, name), "wb") as file:
            file.write(data)
    with open(os.path.join(top, "a_6x5x4_uint8.raw"), "wb") as file:
        file.write(bytes(range(120)))
    for name in NUMBERS:
        path = os.path.join(top, name)
        zyx = name in ("a.cube", "a.dx")  # the axes stay in the order of the file
        both(german, "info", path, wanted="spacing     2.75 1.25 0.5" if zyx else "spacing     0.5 1.25 2.75")
        report = both(german, "info", path, "--json").json()
        check(sorted(report["spacing"]) == [0.5, 1.25, 2.75] and abs(report["origin"][1] + 2.5) < 1e-6 or name in ("a.dat", "a.slc"),
              name, report["spacing"], report["origin"])
        for ending in ".nrrd", ".raw":
            both_names = [os.path.join(top, f"{which}_6x5x4_float32{ending}") for which in ("c", "d")]
            files_equal(german, *both_names, "convert", path, "--type", "float32", "--spacing", "0.25,0.5,1.75")
    raw = os.path.join(top, "a_6x5x4_uint8.raw")
    both(german, "info", raw, "--spacing", "0.7,0.7,1.2", wanted="0.7 0.7 1.2")
    for args in ["--spacing", "0,7,0,7,1,2"], ["--spacing", "0,5"]:
        ran = cubist("info", raw, *args, env={**os.environ, **german})
        check(ran.code == 2, "a comma is none of a number's:", ran)


def surfaces(german, top):
    raw = sample(top, "gyroid", "12x11x10")
    for ending in formats_written("meshes"):
        files_equal(german, *(os.path.join(top, f"{which}.{ending}") for which in ("c", "d")), "extract", raw, "--iso", ISO,
                    "--spacing", "0.5,1.25,2.75")
    both(german, "extract", raw, "--iso", ISO, wanted="isovalue      100.5")
    check(both(german, "extract", raw, "--iso", "40.5%", "--json").json()["triangles"] > 0, "a share of the range")
    both(german, "info", raw, "--iso", ISO, wanted="100.5")
    both(german, "verify", raw, "--iso", ISO, "--method", "ink-collate")
    ran = cubist("extract", raw, "--iso", "100,5", "--json", env={**os.environ, **german})
    check([contour["iso"] for contour in ran.json()["contours"]] == [100, 5], "100,5 are two isovalues:", ran)
    ran = cubist("render", raw, "--zoom", "1,5", "-o", os.path.join(top, "never.png"), env={**os.environ, **german})
    check(ran.code == 2, "1,5 is no factor:", ran)
    files_equal(german, *(os.path.join(top, f"{which}.png") for which in ("c", "d")), "render", raw, "--iso", ISO, "--size",
                "64x48")
    args = ["bench", "compaction", "--size", "1K", "--density", "12.5", "--method", "ink-collate", "--repeat", "1"]
    ran = cubist(*args, "--csv", "-", env={**os.environ, **german})
    rows = list(csv.DictReader(ran.out.splitlines()))
    check(ran.code == 0 and rows and all(float(row["median_ms"]) > 0 and None not in row for row in rows),
          "a table with points:", ran)
    check(cubist(*args, "--json", env={**os.environ, **german}).json()["rows"], "JSON of a bench")
    ran = cubist("bench", "extract", raw, "--iso", ISO + ",90.5", "--method", "ink-collate", "--repeat", "1",
                 env={**os.environ, **german})
    check("," not in ungrouped(ran.out), "times with points")


with Folder() as top, Folder() as locales:
    german = comma_locale(locales)
    if not german:
        skip("localedef cannot make de_DE.UTF-8 (Debian: locales)")
    headers_and_options(german, top)
    if cubist("devices").code == 0:
        surfaces(german, top)
    else:
        print("not tried: surfaces, which need a device")
finish()
