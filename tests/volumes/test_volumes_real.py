#!/usr/bin/python3
# ctest: data
"""Real files of formats that other programs write: their sizes, spacing, range and sum, and how many samples, cells
and edges a surface meets. These do not change if axes are exchanged or turned round."""
import json
import os

from cli import *

try:
    import numpy
    from reader_process import met
except ImportError:
    skip("python3-numpy is not installed")

TOP = os.path.join(os.environ.get("CUBIST_DATA", ""), "formats")
FORMATS = {"mrc", "mgh", "slc", "cube", "dx", "analyze", "zarr"}
HDF5 = os.path.exists(os.path.join(os.path.dirname(CUBIST), "cubist-read-hdf5"))
FORMATS |= {"hdf5", "netcdf"} if HDF5 else set()
MORE = {"netcdf/space_weather.nc": ["--axis-index", "height"],
        "zarr/zarrita.zarr": ["--array", "3d.chunked.mixed.i2.C"]}  # what some need

# What is said of files that are no volume, or wrong.
ODD = {
    "analyze.hdr": (3, "analyze.img"),
    "minimal.hdr": (3, "minimal.img"),
    "water_mp2.cube": (0, "has none"),
    "cubegen_ch4_6_gen_negative.cube": (0, ""),
    "mapnumeric.dx": (0, "float64"),
    "lh.Yeo2011.mgz": (3, "163842x1x1: a surface needs two samples along each axis"),
    "h2o-elf-skwtrn.ccp4": (0, "skew matrix"),
    "EMD-3001.map.bz2": (3, "bunzip2"),
    "3d.chunked.O": (3, "samples of type |O"),
    "empty.zarr": (3, "axes (8, 8)"),
    "blobs_image_v05.ome.zarr": (3, "axes (c 3, y 12, x 12)"),
    "label_multiset.n5": (0, ""),
    **({
        "bad_cdf5_begin.nc": (3, "'var_big' is larger than the file"),
        "ref_null_byte_padding_test.nc": (3, "no array of numbers with three axes"),
        "ref_szip.h5": (3, "no array of numbers with three axes"),
        "locked_write_flag.hdf5": (3, "open for write"),
        "userblock.hdf5": (3, "no array of numbers with three axes"),
        "lz4_datasets.hdf5": (3, "no array of numbers with three axes"),
        "external_link.hdf5": (3, "a link leads to 'test_file.hdf5', which is not there"),
        "reader.h5": (0, ""),
    } if HDF5 else {}),
    "EBT7R.am": (3, "an Amira file"),
    "VerySmallLabelField.am": (3, "an Amira file"),
    "emd_3197.png.gz": (3, "not in a known volume format"),
}


def read(path, folder, more):
    raw = os.path.join(folder, "out.raw")
    ran = cubist("convert", path, *more, "--format", "raw", "--type", "float32", "-o", raw)
    check(ran.code == 0, ran)
    info = cubist("info", "--json", path, *more).json()
    return info, numpy.fromfile(raw, "<f4").astype("f8").reshape(info["dims"][::-1])


def path_of(row):
    """The file to open, of perhaps several, or the folder."""
    if row["format"] == "zarr":
        return os.path.join(TOP, row["name"])
    return os.path.join(TOP, sorted(row["files"])[0])


def known(row, folder):
    if min(row["dims"]) < 2:
        refused(cubist("info", path_of(row)), 3, "two samples along each axis")
        return
    name = row["name"]
    info, samples = read(path_of(row), folder, MORE.get(name, []))
    check(sorted(info["dims"]) == sorted(row["dims"]), name, info["dims"], row["dims"])
    spacing = row["info"].get("spacing")
    if "affine" in row["info"]:
        spacing = numpy.linalg.norm(numpy.array(row["info"]["affine"])[:3, :3], axis=0)
    check(spacing is None or numpy.allclose(sorted(info["spacing"]), sorted(spacing), rtol=1e-4), name, info["spacing"], spacing)
    if name.endswith(".mnc"):  # these facts are of stored samples; test_reader_hdf5 has their values
        check(info["type"] == "float32", name, info["type"])
        return
    check(numpy.allclose([samples.min(), samples.max()], [row["min"], row["max"]], rtol=1e-6), name, "range")
    check(abs(samples.sum() - row["sum"]) <= 1e-6 * numpy.abs(samples).sum(), name, samples.sum(), row["sum"])
    for fact in row["facts"]:
        found = met(samples, fact["iso"])
        check(found == [fact["inside"], fact["active"], fact["vertices"]], name, fact, found)


if not os.path.exists(os.path.join(TOP, "facts.json")):
    skip("no real files at CUBIST_DATA")
with Folder() as folder:
    with open(os.path.join(TOP, "facts.json")) as file:
        rows = [row for row in json.load(file) if row["format"] in FORMATS]
    for row in rows:
        known(row, folder)
    for name, (code, words) in ODD.items():
        ran = cubist("info", os.path.join(TOP, "odd", name))
        check(ran.code == code and words in ran.err and len(ran.err.splitlines()) == (words != ""), ran)
    check({row["format"] for row in rows} == FORMATS, "a format without a real file")
finish()
