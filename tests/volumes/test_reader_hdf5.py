#!/usr/bin/python3
# ctest: plain
"""The reader of HDF5 and NetCDF, compared with h5py and netCDF4: types, chunks and filters, which array and which
axes are read, positions, files that are parts of others, and what is refused in one line."""
import os
import struct
import warnings

from cli import *

try:
    import h5py
    import netCDF4
    import numpy
    from reader_process import Reader, path_of
except ImportError as missing:
    skip(f"{missing.name} is not installed")
try:
    import nibabel
except ImportError:
    nibabel = None
if not os.path.exists(path_of("hdf5")):
    skip("the reader of HDF5 was not built")

NUMBERS = numpy.random.default_rng(1)
SHAPE = 7, 6, 5


def numbers(kind, shape=SHAPE):
    return (NUMBERS.random(shape) * 100).astype(kind)


def reads(path, expected, *keys, **told):
    """The samples are these, and the answer has these members."""
    with Reader("hdf5", path, *keys) as reader:
        if not check("error" not in reader.told, path, keys, reader.told):
            return reader.told
        found = reader.samples()
        check(found.dtype == expected.dtype.newbyteorder("=") and numpy.array_equal(found, expected, equal_nan=True),
              path, keys, "differs", found.dtype, expected.dtype, found.shape, expected.shape)
        box = [(1, 3), (2, 4), (1, 4)]
        part = reader.samples(box)
        check(numpy.array_equal(part, expected[1:4, 2:4, 1:3], equal_nan=True), path, "a block differs")
        for key, value in told.items():
            check(reader.told.get(key) == value, path, keys, key, reader.told.get(key), value)
        return reader.told


def fails(path, words, *keys, kind="input"):
    with Reader("hdf5", path, *keys) as reader:
        check(words in reader.told.get("error", "") and reader.told["kind"] == kind, path, keys, reader.told, words)


def types():
    for kind in "<i1 <u1 <i2 >i2 <u2 >u2 <i4 >u4 <i8 >i8 <u8 <f2 >f2 <f4 >f4 <f8 >f8 ?".split():
        data = numbers(kind)
        with h5py.File("types.h5", "w") as file:
            file["a"] = data
        reads("types.h5", data.astype("i1") if kind == "?" else data.astype(data.dtype.newbyteorder("=")))


def chunks():
    data = numbers("<i2", (30, 40, 50))
    for more in {}, {"chunks": (7, 13, 50)}, {"chunks": (30, 3, 3), "compression": "gzip", "shuffle": True}, \
            {"chunks": (1, 40, 50), "fletcher32": True}, {"chunks": (31, 41, 51), "maxshape": (None, None, None)}:
        with h5py.File("chunks.h5", "w") as file:
            file.create_dataset("g/a", data=data, **more)
        told = reads("chunks.h5", data)
        check(told["granule"] == list(more.get("chunks", (1, 1, 1)))[::-1], told["granule"], more)
        with Reader("hdf5", "chunks.h5") as reader:  # in any order
            for z in (29, 0, 14, 15, 3):
                check(numpy.array_equal(reader.samples([(0, 50), (0, 40), (z, z + 1)])[0], data[z]), "slice", z)
    with h5py.File("filter.h5", "w") as file:
        space = h5py.h5s.create_simple((4, 4, 4))
        properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        properties.set_chunk((4, 4, 4))
        properties.set_filter(32004, h5py.h5z.FLAG_OPTIONAL, (0,))
        h5py.h5d.create(file.id, b"a", h5py.h5t.STD_U8LE, space, properties)
    fails("filter.h5", "the filter 32004", kind="unsupported")


def arrays():
    small, large = numbers("<u1"), numbers("<f4", (9, 8, 7))
    with h5py.File("many.h5", "w") as file:
        file["a/x"] = small
        file["b/x"] = large
        file["b/text"] = ["a", "b"]
        file["flat"] = numbers("<f4", (500, 500))
        file["loop/again"] = h5py.SoftLink("/loop")
        file["soft"] = h5py.SoftLink("/nothing")
        file["b/up"] = file["/"]
    told = reads("many.h5", large, chosen=1)
    check([a["path"] for a in told["arrays"]] == ["/a/x", "/b/x"], told["arrays"])
    check("largest of 2" in told["remarks"][0], told)
    reads("many.h5", small, "array=/a/x", chosen=0)
    reads("many.h5", small, "array=a/x")
    reads("many.h5", small, "array=x")
    fails("many.h5", "no array '/c'", "array=/c", kind="usage")
    fails("many.h5", "no array 'flat'", "array=flat", kind="usage")
    # What NeXus shows, by default and signal, or by the first group with a signal.
    for root in True, False:
        with h5py.File("nexus.h5", "w") as file:
            group = file.create_group("entry/data")
            group["small"], group["z"], group["y"], group["x"] = small, numpy.arange(7) * 2.0, numpy.arange(6), numpy.arange(5)
            group["z"].attrs["units"] = "mm"
            group.attrs["signal"], group.attrs["axes"] = "small", ["z", "y", "x"]
            file["entry/other"] = large
            if root:
                file.attrs["default"], file["entry"].attrs["default"] = "entry", "data"
        told = reads("nexus.h5", small, steps=[[1, 0, 0], [0, 1, 0], [0, 0, 2]])
        axis = [a for a in told["arrays"] if a["path"] == "/entry/data/small"][0]["axes"][2]
        check(axis == {"name": "z", "size": 7, "spacing": 2, "unit": "mm"}, axis)
    with h5py.File("letters.h5", "w") as file:  # names of one letter each, of a fixed length
        file["small"], file["z"] = small, numpy.arange(7) * 2.0
        file.attrs["signal"], file.attrs["axes"] = "small", numpy.array(["z", "y", "x"], "S1")
    reads("letters.h5", small, steps=[[1, 0, 0], [0, 1, 0], [0, 0, 2]])
    with h5py.File("none.h5", "w") as file:
        file["flat"] = numbers("<f4", (5, 5))
    fails("none.h5", "no array of numbers with three axes")
    with open("cut.h5", "wb") as cut, open("many.h5", "rb") as file:
        cut.write(file.read()[:700])
    fails("cut.h5", "trunc")


def axes():
    data = numbers("<i2", (3, 2, 7, 6, 5))
    with h5py.File("five.h5", "w") as file:
        file["a"] = data
    told = reads("five.h5", data[0, 0], choices={"time": {"count": 3, "at": 0}, "channel": {"count": 2, "at": 0}})
    check(len(told["remarks"]) == 2, told["remarks"])
    reads("five.h5", data[2, 1], "time=2", "channel=1")
    fails("five.h5", "--time 3 is not one of 0 to 2", "time=3", kind="usage")
    last = numbers("<i2", (7, 6, 5, 3))
    with h5py.File("last.h5", "w") as file:
        file["a"] = last
    reads("last.h5", last[..., 0])
    reads("last.h5", last[..., 2], "channel=2", choices={"channel": {"count": 3, "at": 2}})
    named = numbers("<i2", (7, 4, 6, 5))
    with h5py.File("named.h5", "w") as file:
        file["a"] = named
        for i, name in enumerate("ztyx"):
            file["a"].dims[i].label = name
    reads("named.h5", named[:, 1], "time=1")
    with h5py.File("six.h5", "w") as file:
        file["a"] = numbers("u1", (5, 5, 5, 5, 5, 5))
    fails("six.h5", "has 6 axes", kind="unsupported")
    with h5py.File("um.h5", "w") as file:
        file["a"] = numbers("u1")
        file["a"].attrs["element_size_um"] = [3, 2, 0.5]
    with Reader("hdf5", "um.h5") as reader:
        check(reader.told["steps"] == [[0.5, 0, 0], [0, 2, 0], [0, 0, 3]], reader.told["steps"])


def stretched():
    """A note where an axis is far longer than another only because of its unit."""
    for unit, step, tells in ("hPa", 60, True), ("hPa", 50, False), ("degrees_north", 60, False), ("m", 0.01, True):
        with netCDF4.Dataset("long.nc", "w") as file:
            for name, size, by in ("z", 5, step), ("y", 5, 1), ("x", 5, 1):
                file.createDimension(name, size)
                file.createVariable(name, "f8", (name,))[:] = numpy.arange(size) * by
                file[name].units = unit if name == "z" else "degrees_east"
            file.createVariable("a", "f4", ("z", "y", "x"))[:] = numbers("f4", (5, 5, 5))
        ran = cubist("info", "long.nc")
        check(ran.code == 0 and ("--spacing 1,1,1" in ran.err) == tells and len(ran.err.splitlines()) == tells, unit, step, ran)
        ran = cubist("info", "long.nc", "--spacing", "1,1,1")
        check(ran.code == 0 and not ran.err, unit, step, ran)
    # Time is the fastest axis, and has as many samples as x. Its unit is none of a length.
    with netCDF4.Dataset("hours.nc", "w") as file:
        for name, size, by in ("z", 5, 60), ("y", 5, 1), ("x", 5, 1), ("time", 5, 1):
            file.createDimension(name, size)
            file.createVariable(name, "f8", (name,))[:] = numpy.arange(size) * by
            file[name].units = "hours since 2000-01-01" if name == "time" else "degrees_east"
        file.createVariable("a", "f4", ("z", "y", "x", "time"))[:] = numpy.ones((5, 5, 5, 5), "f4")
    ran = cubist("info", "hours.nc")
    check(ran.code == 0 and "--spacing" not in ran.err, "time beside degrees:", ran)


def netcdf():
    for form in "NETCDF4", "NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA":
        for record in False, True:
            for depth in [10 * 1.5 ** i for i in range(7)], [2 + 3 * i for i in range(7)], [9 - i for i in range(7)]:
                even = depth[1] - depth[0] == depth[-1] - depth[-2]
                data, other = numbers("f4", (4, *SHAPE)), numbers("i2", (4, *SHAPE))
                with netCDF4.Dataset("a.nc", "w", format=form) as file:
                    for name, size in zip(("time", "depth", "lat", "lon"), (None if record else 4, *SHAPE)):
                        file.createDimension(name, size)
                    file.createVariable("time", "f8", ("time",))[:] = [0, 1, 2, 3]
                    variable = file.createVariable("depth", "f8", ("depth",))
                    variable.units = "m"
                    variable[:] = depth
                    file.createVariable("lat", "f4", ("lat",))[:] = numpy.linspace(50, 51, 6)
                    file.createVariable("lon", "f4", ("lon",))[:] = numpy.linspace(359.7, 359.71, 5)
                    file.createVariable("temp", "f4", ("time", "depth", "lat", "lon"))[:] = data
                    file.createVariable("salt", "i2", ("time", "depth", "lat", "lon"))[:] = other
                    file.createVariable("odd", "i1", ("time",))[:] = [1, 2, 3, 4]
                if not even:
                    fails("a.nc", "axis 'depth' is not equally spaced (10 to 113.906 m): --axis-index depth takes it as "
                          "0, 1, 2", "array=temp", kind="axis-index")
                    fails("a.nc", "takes it as 0, 1, 2; --array NAME reads another: '" + ("/temp'" if form == "NETCDF4" else "salt'"),
                          kind="axis-index")
                    fails("a.nc", "has no axis 'q': its axes are 'lon', 'lat' and 'depth'", "array=temp", "axis-index=q", kind="usage")
                    told = reads("a.nc", data[1], "array=temp", "time=1", "axis-index=depth")
                    same = reads("a.nc", data[1], "array=temp", "time=1", "axis-index=all")
                    check(same == told, f"axis-index=all reads {same}, not {told}")
                    check(told["steps"][2] == [0, 0, 1], told["steps"])
                else:
                    told = reads("a.nc", other[3], "array=salt", "time=3")
                    check(told["steps"][2] == [0, 0, depth[1] - depth[0]] and told["origin"][2] == depth[0], told)
                    check(abs(told["steps"][1][1] - 0.2) < 1e-5 and told["choices"] == {"time": {"count": 4, "at": 3}}, told)
    # A film is a volume where it is asked for.
    data = numbers("f4", (4, 6, 5))
    with netCDF4.Dataset("film.nc", "w") as file:
        for name, size in ("time", 4), ("y", 6), ("x", 5):
            file.createDimension(name, size)
        file.createVariable("a", "f4", ("time", "y", "x"))[:] = data
    fails("film.nc", "has no three axes besides time and channels; --axis-index time takes that axis as one of the three",
          kind="axis-index")
    told = reads("film.nc", data, "axis-index=time")
    check(reads("film.nc", data, "axis-index=all") == told, "axis-index=all is another film")
    stretched()
    # One record variable alone is not padded.
    data = numbers("i1", (6, 5, 5))
    with netCDF4.Dataset("alone.nc", "w", format="NETCDF3_CLASSIC") as file:
        for name, size in ("z", None), ("y", 5), ("x", 5):
            file.createDimension(name, size)
        file.createVariable("a", "i1", ("z", "y", "x"))[:] = data
    reads("alone.nc", data)
    for form in "NETCDF4", "NETCDF3_CLASSIC":
        with netCDF4.Dataset("packed.nc", "w", format=form) as file:
            for name in "zyx":
                file.createDimension(name, 5)
            variable = file.createVariable("a", "i2", ("z", "y", "x"), fill_value=-99)
            variable.scale_factor, variable.add_offset = 0.5, numpy.float32(3)
        with Reader("hdf5", "packed.nc") as reader:
            check(reader.told["remarks"] == ["samples of -99 stand for missing values", "values are as stored: "
                                             "scale_factor 0.5 and add_offset 3 are not applied"], form, reader.told)
    with open("alone.nc", "rb") as file:
        whole = file.read()
    for size in range(len(whole)):  # the last bytes are padding
        with open("cut.nc", "wb") as file:
            file.write(whole[:size])
        ran = cubist("info", "cut.nc")
        check(ran.code in (0, 3) and len(ran.err.splitlines()) <= 1, size, ran)
    for at in range(4, 120, 4):
        with open("wrong.nc", "wb") as file:
            file.write(whole[:at] + struct.pack(">i", -2) + whole[at + 4:])
        ran = cubist("info", "wrong.nc")
        check(ran.code in (0, 3) and len(ran.err.splitlines()) <= 1, at, ran)


LIMITS = {"image-min": [3, -1e4, 0.5, 7, 0, 1, 2], "image-max": [4, 2e4, 0.75, 5, 0, 9, 3]}
VALID = {"u1": (10, 200), "i1": (-100, 100), "u2": (0, 4095), "i2": (-32768, 32767), "i4": (-9, 70000), "u4": (1, 2 ** 31)}


def write_minc(path, data, limits, ranged, scaled, recorded=False):
    """A MINC file, of version 1 or 2 as its path says, whose limits follow the axes `scaled`. The first axis of
    version 1 may be one of records."""
    names = ["time", "zspace", "yspace", "xspace"][-data.ndim:]
    kind = data.dtype.str[1:]
    limits = {name: numpy.asarray(values, "f8") for name, values in limits.items()}
    if path == "2.mnc":
        with h5py.File(path, "w") as file:
            for name in names:
                file.create_dataset(f"minc-2.0/dimensions/{name}", data=0).attrs["spacing"] = numpy.bytes_("regular__")
            for name, values, axes in ("image", data, names), *((*item, scaled) for item in limits.items()):
                made = file.create_dataset(f"minc-2.0/image/0/{name}", data=values)
                made.attrs["dimorder"] = numpy.bytes_(",".join(axes))
            if ranged:
                file["minc-2.0/image/0/image"].attrs["valid_range"] = numpy.array(VALID[kind], "f8")
        return
    with netCDF4.Dataset(path, "w", format="NETCDF3_CLASSIC") as file:
        for name, size in zip(names, data.shape):
            file.createDimension(name, None if recorded and name == names[0] else size)
            file.createVariable(name, "i4").spacing = "regular__"
        stored = data.view(kind.replace("u", "i"))
        image = file.createVariable("image", stored.dtype, names)
        image[:] = stored
        image.signtype = "unsigned" if kind[0] == "u" else "signed__"
        if ranged:
            with warnings.catch_warnings():  # that the range of unsigned numbers does not fit the stored type
                warnings.simplefilter("ignore")
                image.valid_range = numpy.array(VALID[kind], "f8")
        for name, values in limits.items():
            file.createVariable(name, "f8", scaled)[...] = values


def minc_reads(path, expected, *keys):
    """The samples are these, but for rounding, and so are those of a block in the middle."""
    with Reader("hdf5", path, *keys) as reader:
        if check("error" not in reader.told, path, reader.told):
            found, part = reader.samples(), reader.samples([(1, 3), (2, 4), (1, 4)])
            near = numpy.ptp(expected) * 1e-6
            check(found.dtype == "f4" and numpy.allclose(found, expected, 1e-6, near), path, keys, found, expected)
            check(numpy.array_equal(part, found[1:4, 2:4, 1:3]), path, "a block differs")
            check(not any("stored" in line for line in reader.told.get("remarks", [])), path, reader.told)
            check(reader.told["arrays"][reader.told["chosen"]]["type"] == "float32", path, reader.told)


def minc_agrees(path):
    """Our values are those of nibabel."""
    if nibabel:
        values = numpy.asarray(nibabel.load(path).dataobj)
        for t, volume in enumerate(values if values.ndim == 4 else [values]):
            minc_reads(path, volume, f"time={t}")


def minc():
    for path in "1.mnc", "2.mnc":
        for kind, (least, most) in VALID.items():
            for ranged in True, False:
                data = NUMBERS.integers(least, most, SHAPE, endpoint=True).astype(kind)
                data[0, 0, :2] = least, most
                write_minc(path, data, LIMITS, ranged, ["zspace"])
                first, last = (least, most) if ranged else (numpy.iinfo(kind).min, numpy.iinfo(kind).max)
                low, high = (numpy.array(LIMITS[name])[:, None, None] for name in LIMITS)
                minc_reads(path, low + (data.astype("f8") - first) * (high - low) / (last - first))
                minc_agrees(path)
        low = NUMBERS.random((2, 7))
        data = numbers("u1", (2, *SHAPE))
        write_minc(path, data, {"image-min": low, "image-max": 51 + 2 * low}, False, ["time", "zspace"])
        minc_reads(path, low[1, :, None, None] + data[1] * (51 + low[1, :, None, None]) / 255, "time=1")
        minc_agrees(path)
        data = numbers("i2")
        write_minc(path, data, {"image-min": -1, "image-max": 65534}, False, [])
        minc_reads(path, data + 32767.)
        minc_agrees(path)
        # The values are those that are stored.
        write_minc(path, data, {"image-min": -32768, "image-max": 32767}, False, [])
        check("remarks" not in reads(path, data), path)
        data = numbers("f4")
        write_minc(path, data, {"image-min": 0, "image-max": 1}, False, [])
        check("remarks" not in reads(path, data), "numbers that are no integers are values")
        # Limits that follow another axis, or are of another size, do not fit.
        data = numbers("i2", (5, 5, 5))
        few = {name: values[:5] for name, values in LIMITS.items()}
        for limits, axes in (few, ["yspace"]), ({**few, "image-max": 9}, ["zspace"]), (LIMITS, ["zspace"]):
            if path == "2.mnc" or axes == ["yspace"]:
                write_minc(path, data, limits, False, axes)
                check(reads(path, data)["remarks"] == ["values are as stored, without image-min and image-max"], path)
    for shape, scaled in (SHAPE, ["zspace"]), ((2, *SHAPE), ["time"]), ((2, *SHAPE), ["time", "zspace"]):
        data = numbers("u1", shape)
        low = NUMBERS.random(shape[:len(scaled)])
        write_minc("1.mnc", data, {"image-min": low, "image-max": 51 + 2 * low}, False, scaled, True)
        low = low.reshape(low.shape + (1,) * (data.ndim - low.ndim))
        values = low + data * (51 + low) / 255
        minc_reads("1.mnc", values[-1] if len(shape) == 4 else values, f"time={len(shape) - 3}")
        minc_agrees("1.mnc")
    data = numbers("i2")
    write_minc("1.mnc", data, {"image-min": 0, "image-max": [1.] * 7}, False, ["zspace"])
    os.truncate("1.mnc", os.path.getsize("1.mnc") - 9)  # the last limits are missing, not the samples
    check("as stored" in reads("1.mnc", data)["remarks"][0], "limits are missing")
    data = numbers("i8")
    write_minc("2.mnc", data, {"image-min": 0, "image-max": 1}, False, [])
    check("as stored" in reads("2.mnc", data)["remarks"][0], "float32 does not hold 64 bits")
    folder = os.path.join(os.path.dirname(nibabel.__file__), "tests", "data") if nibabel else ""
    for name in "tiny", "minc1_1_scale", "minc1-no-att", "minc2_1_scale", "minc2-no-att", "small", "minc1_4d", "minc2_4d":
        if os.path.exists(os.path.join(folder, name + ".mnc")):
            minc_agrees(os.path.join(folder, name + ".mnc"))


def parts_of_files():
    data = numbers("<i2", (4, 6, 5))
    os.makedirs("below/deep", exist_ok=True)
    for name in "below/one.h5", "below/deep/two.h5", "../outside.h5":
        with h5py.File(name, "w") as file:
            file["d/x"] = data
    # Virtual data sets.
    for name, source in (("v.h5", "below/one.h5"), ("missing.h5", "below/none.h5"), ("out.h5", "../outside.h5"),
                         ("absolute.h5", os.path.abspath("below/one.h5"))):
        layout = h5py.VirtualLayout((8, 6, 5), "<i2")
        layout[:4] = h5py.VirtualSource(source, "d/x", (4, 6, 5))
        layout[4:] = h5py.VirtualSource("below/deep/two.h5", "d/x", (4, 6, 5))
        with h5py.File(name, "w") as file:
            file.create_virtual_dataset("v", layout)
    told = reads("v.h5", numpy.concatenate([data, data]))
    check([f["path"] for f in told["files"]] == ["v.h5", "below/one.h5", "below/deep/two.h5"], told["files"])
    fails("missing.h5", "its samples are in 'below/none.h5', which is not there")
    fails("out.h5", "'../outside.h5', which is not beside the file or below")
    fails("absolute.h5", "which is not beside the file or below")
    layout = h5py.VirtualLayout((4, 6, 5), "<i2")
    layout[:] = h5py.VirtualSource("below/one.h5", "d/none", (4, 6, 5))
    with h5py.File("nothing.h5", "w") as file:
        file.create_virtual_dataset("v", layout)
    fails("nothing.h5", "its samples are in 'd/none' of 'below/one.h5'")
    for depth, taken in (7, slice(0, 7)), (3, slice(4, 7)):  # the source has 4 slices
        layout = h5py.VirtualLayout((depth, 6, 5), "<i2")
        layout[:] = h5py.VirtualSource("below/one.h5", "d/x", (7, 6, 5))[taken]
        with h5py.File("beyond.h5", "w") as file:
            file.create_virtual_dataset("v", layout)
        fails("beyond.h5", "its samples are in 'd/x' of 'below/one.h5', which has fewer than are taken from it")
    for source, missing in (("/b", False), ("b", False), ("/none", True), ("/no/ne", True)):
        layout = h5py.VirtualLayout((4, 6, 5), "<i2")
        layout[:] = h5py.VirtualSource(".", source, (4, 6, 5))
        with h5py.File("own.h5", "w") as file:
            file["b"] = data
            file.create_virtual_dataset("v", layout)
        if missing:
            fails("own.h5", f"its samples are in '{source}' of '.'", "array=/v")
        else:
            reads("own.h5", data, "array=/v")
    ran = cubist("convert", "v.h5", "-o", "below/deep/two.h5")
    refused(ran, 2, "two.h5")
    # External links and external samples.
    with h5py.File("links.h5", "w") as file:
        file["a/one"] = h5py.ExternalLink("below/one.h5", "/d/x")
        file["a/out"] = h5py.ExternalLink("../outside.h5", "/d/x")
        file["a/none"] = h5py.ExternalLink("absent.h5", "/d/x")
        file["group"] = h5py.ExternalLink("below/deep/two.h5", "/d")
    told = reads("links.h5", data, "array=/a/one")
    check([a["path"] for a in told["arrays"]] == ["/a/one", "/group/x"], told["arrays"])
    check([f["path"] for f in told["files"]] == ["links.h5", "below/one.h5", "below/deep/two.h5"], told["files"])
    fails("links.h5", "no array '/a/out'", "array=/a/out", kind="usage")
    with h5py.File("below/deep/v.h5", "w") as file:
        layout = h5py.VirtualLayout((4, 6, 5), "<i2")
        layout[:] = h5py.VirtualSource("two.h5", "d/x", (4, 6, 5))
        file.create_virtual_dataset("v", layout)
    with h5py.File("below/chain.h5", "w") as file:
        file["next"] = h5py.ExternalLink("deep/v.h5", "/v")
    with h5py.File("chain.h5", "w") as file:
        file["first"] = h5py.ExternalLink("below/chain.h5", "/next")
    for path in "chain.h5", "./chain.h5", os.path.abspath("chain.h5"):
        told = reads(path, data)
        check([os.path.relpath(f["path"]) for f in told["files"]] ==
              ["chain.h5", "below/chain.h5", "below/deep/v.h5", "below/deep/two.h5"], told["files"])
        check(cubist("info", path).code == 0, path)
    for name, wrong in ("raw.bin", None), ("../raw.bin", "not beside the file or below"), ("no.bin", "not there"):
        if name != "no.bin":
            data.tofile(name)
        with h5py.File("raw.h5", "w") as file:
            file.create_dataset("a", data.shape, data.dtype, external=[(name, 0, data.nbytes)])
        if wrong:
            if name == "no.bin" and os.path.exists(name):
                os.remove(name)
            fails("raw.h5", wrong)
        else:
            reads("raw.h5", data)
            reads(os.path.abspath("raw.h5"), data)
            os.chdir("below")
            reads("../raw.h5", data)
            os.chdir("..")
            os.truncate(name, data.nbytes - 1)
            fails("raw.h5", "its samples are in 'raw.bin', which ends too early")


def families():
    data = numbers("<u1", (2, 2, 2, 8, 8, 8))
    with h5py.File("a.ims", "w") as file:
        for r in range(2):
            for t in range(2):
                for c in range(2):
                    group = file.create_group(f"DataSet/ResolutionLevel {r}/TimePoint {t}/Channel {c}")
                    group["Data"] = data[r, t, c]
                    for letter, size in zip("XYZ", (5, 6, 7)):
                        group.attrs["ImageSize" + letter] = numpy.array(list(str(size)), "S1")
        image = file.create_group("DataSetInfo/Image")
        for i, size in enumerate((5, 6, 7)):
            image.attrs[f"ExtMin{i}"] = numpy.array(list("1"), "S1")
            image.attrs[f"ExtMax{i}"] = numpy.array(list(str(1 + 2 * size)), "S1")
    reads("a.ims", data[0, 0, 0, :7, :6, :5], steps=[[2, 0, 0], [0, 2, 0], [0, 0, 2]], origin=[2, 2, 2])
    told = reads("a.ims", data[1, 1, 1, :7, :6, :5], "level=1", "time=1", "channel=1")
    check(told["choices"]["level"] == {"count": 2, "at": 1}, told["choices"])
    fails("a.ims", "--level 2 is not one of 0 to 1", "level=2", kind="usage")
    told = reads("a.ims", data[0, 1, 0, :7, :6, :5], "array=/DataSet/ResolutionLevel 0/TimePoint 1/Channel 0/Data")
    check(not any("first time" in line for line in told["remarks"]), told["remarks"])
    check(len({array["path"] for array in told["arrays"]}) == 8 and
          "Level 0/TimePoint 1/Channel 0" in told["arrays"][told["chosen"]]["path"], told)
    with h5py.File("types.ims", "w") as file:
        for r, kind in enumerate(("<u1", "<i2")):
            file[f"DataSet/ResolutionLevel {r}/TimePoint 0/Channel 0/Data"] = data[0, 0, 0].astype(kind)
    reads("types.ims", data[0, 0, 0].astype("<i2"), "level=1")
    with h5py.File("bdv.h5", "w") as file:
        file["t00000/s00/0/cells"] = numbers("<i2") - 200
        file["t00000/s00/1/cells"] = numbers("<i2", (4, 4, 4))
        file["t00001/s00/0/cells"] = second = numbers("<i2") - 300
        file["t00001/s00/1/cells"] = numbers("<i2", (4, 4, 4))
    reads("bdv.h5", second.view("<u2"), "time=1", choices={"time": {"count": 2, "at": 1}, "channel": {"count": 1, "at": 0},
                                                         "level": {"count": 2, "at": 0}})


with Folder() as top:
    os.mkdir(os.path.join(top, "work"))
    os.chdir(os.path.join(top, "work"))
    os.environ["HDF5_PLUGIN_PATH"] = os.getcwd()
    for part in types, chunks, arrays, axes, netcdf, minc, parts_of_files, families:
        part()
finish()
