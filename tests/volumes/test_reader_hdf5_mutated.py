#!/usr/bin/python3
# ctest: sweep
"""10,000 HDF5 and NetCDF files with bytes changed, cut off, moved or repeated. The reader may end in any way; cubist
says one line and exits with 0, 3 or 4."""
import collections
import random

from cli import *

try:
    import h5py
    import netCDF4
    import numpy
    from reader_process import mutated, path_of
except ImportError as missing:
    skip(f"{missing.name} is not installed")
if not os.path.exists(path_of("hdf5")):
    skip("the reader of HDF5 was not built")
COUNT = int(os.environ.get("CUBIST_COUNT", 10000))
random.seed(int(os.environ.get("CUBIST_SEED", 1)))


def seeds(folder):
    """Each form that the reader knows, small."""
    data = numpy.arange(4 * 6 * 8).reshape(4, 6, 8).astype("i2")
    path = os.path.join(folder, "seed.h5")
    for version in ("earliest", "latest"):
        for more in {}, {"chunks": (2, 3, 8), "compression": "gzip", "shuffle": True}:
            with h5py.File(path, "w", libver=version) as file:
                group = file.create_group("entry/data")
                group.create_dataset("a", data=data, **more)
                group["z"] = numpy.arange(4.0)
                group.attrs["signal"], group.attrs["axes"] = "a", ["z", "y", "x"]
                file["other"] = h5py.ExternalLink("none.h5", "/a")
            yield path
    layout = h5py.VirtualLayout((4, 6, 8), "<i2")
    layout[:] = h5py.VirtualSource(".", "a", (4, 6, 8))
    with h5py.File(path, "w", libver="latest") as file:
        file["a"] = data
        file.create_virtual_dataset("v", layout)
    yield path
    for form in "NETCDF4", "NETCDF3_CLASSIC", "NETCDF3_64BIT_DATA":
        with netCDF4.Dataset(path, "w", format=form) as file:
            for name, size in ("time", None), ("z", 4), ("y", 6), ("x", 8):
                file.createDimension(name, size)
            file.createVariable("z", "f8", ("z",))[:] = [1, 2, 3, 4]
            file.createVariable("a", "i2", ("time", "z", "y", "x"))[:] = data[None]
        yield path


ends = collections.Counter()
with Folder() as folder:
    known = []
    for seed in seeds(folder):
        with open(seed, "rb") as file:
            known.append(file.read())
    path = os.path.join(folder, "a.h5")
    with h5py.File(path, "w") as file:
        file["a"] = numpy.zeros((3, 3, 3), "u1")
        file.attrs["signal"], file.attrs["axes"] = "a", ["z", "y", "x"]
    with open(path, "r+b") as file:  # a text of no bytes in the heap: the library reads it for ever
        file.seek(file.read().index(b"GCOL") + 16 + 24 + 8)
        file.write(b"\0")
    ran = cubist("info", path)
    check(ran.code == 3 and "does not come to an end" in ran.err, "an endless heap:", ran)
    for i in range(COUNT):
        with open(path, "wb") as file:
            file.write(mutated(random.choice(known)))
        ran = cubist("info", path)
        said = re.search(r"ended by signal \d+|ended early|gave no answer|answered wrongly", ran.err)
        ends[f"exit {ran.code}" + (f", {said[0]}" if said else "")] += 1
        check(ran.code in (0, 3, 4) and (ran.code == 0 or len(ran.err.splitlines()) == 1), i, ran) or \
            shutil.copy(path, f"/tmp/cubist-mutated-{i}.h5")
print(*(f"{count} x {end}" for end, count in ends.most_common()), sep="\n")
check(sum(ends.values()) == COUNT and len(ends) > 1, "one end only")
finish()
