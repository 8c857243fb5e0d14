#!/usr/bin/python3
# ctest: heavy
"""OME-TIFF over several files, written by tifffile: planes in every order over files of every kind, opened by
any file; and sets with a file that is missing, is another one, or lies elsewhere."""
import itertools
import uuid
from xml.sax.saxutils import quoteattr

import numpy

from cli import *

try:
    import tifffile
except ImportError:
    skip("python3-tifffile is not installed")

SIZES = {"C": 2, "Z": 3, "T": 2}
PLANES = numpy.random.default_rng(3).integers(0, 60000, (2, 2, 3, 7, 9)).astype("uint16")  # t c z y x


def name_of(number):
    return f"urn:uuid:{uuid.UUID(int=number + 1)}"


def runs_of(order, files, style):
    """TiffData elements of planes in files: {name: [(t, c, z), ...]}."""
    text = ""
    for number, (name, planes) in enumerate(files.items()):
        id = f"<UUID FileName={quoteattr(name)}>{name_of(number)}</UUID>"
        for page, (t, c, z) in enumerate(planes):
            count = "" if style == "bare" else ' PlaneCount="1"'
            if style == "runs" and page > 0:
                continue
            if style == "runs":
                count = f' PlaneCount="{len(planes)}"'
            text += f'<TiffData FirstT="{t}" IFD="{page}" FirstC="{c}" FirstZ="{z}"{count}>\n{id}</TiffData>'
    return text


def pixels_of(order, runs, sizes=SIZES):
    size = "".join(f' Size{axis}="{count}"' for axis, count in sizes.items())
    return f'<Image><Pixels DimensionOrder="XY{order}"{size} SizeX="9" SizeY="7" Type="uint16" ' \
           f'PhysicalSizeX="0.5" PhysicalSizeY="0.5" PhysicalSizeZ="2">{runs}</Pixels></Image>'


def root(number, inside):
    return f'<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org" UUID="{name_of(number)}">{inside}</OME>'


def write(folder, files, text, only=False):
    """`only`: the files but the first name the first."""
    for number, (name, planes) in enumerate(files.items()):
        first = next(iter(files))
        inside = text if not only or number == 0 else \
            f'<BinaryOnly MetadataFile={quoteattr(first)} UUID="{name_of(0)}"/>'
        tifffile.imwrite(os.path.join(folder, name), numpy.array([PLANES[at] for at in planes]),
                         description=root(number, inside), metadata=None, photometric="minisblack")


def stack(folder, name, *options):
    raw = os.path.join(folder, "out.raw")
    ran = cubist("convert", os.path.join(folder, name), "--format", "raw", "-o", raw, *options)
    if not check(ran.code == 0, ran):
        return None
    return numpy.fromfile(raw, "<u2").reshape(-1, 7, 9)


def fresh():
    return tempfile.TemporaryDirectory()


def planes_in(order):
    """(t, c, z) of all planes; the first letter of `order` changes from one to the next."""
    for at in itertools.product(*[range(SIZES[axis]) for axis in reversed(order)]):
        place = dict(zip(reversed(order), at))
        yield place["T"], place["C"], place["Z"]


def every_order():
    for order in map("".join, itertools.permutations("CZT")):
        planes = list(planes_in(order))
        cuts = {"each": [[p] for p in planes], "cut": [planes[:5], planes[5:6], planes[6:]]}
        for axis in range(3):
            cuts["tcz"[axis]] = [[p for p in planes if p[axis] == i] for i in range(SIZES["TCZ"[axis]])]
        for kind, parts in cuts.items():
            # Names in another order than the planes.
            files = {f"{len(parts) - i} & {kind}'s.ome.tif": part for i, part in enumerate(parts)}
            run = kind in ("each", "cut")
            for style in ["bare", "runs"] if run else ["single"]:
                with fresh() as folder:
                    write(folder, files, pixels_of(order, runs_of(order, files, style)), style != "single")
                    for number, (t, c) in enumerate(itertools.product(range(2), range(2))):
                        name = list(files)[number % len(files)]
                        found = stack(folder, name, "--channel", str(c), "--time", str(t))
                        check(found is not None and (found == PLANES[t, c]).all(), order, kind, style, name, t, c)


def facts():
    files = {f"{c}{t}.tif": [(t, c, z) for z in range(3)] for c in range(2) for t in range(2)}
    with fresh() as folder:
        write(folder, files, pixels_of("ZCT", runs_of("ZCT", files, "runs")), True)
        one = os.path.join(folder, "one.tif")
        tifffile.imwrite(one, PLANES, description=root(9, pixels_of("ZCT", "")), metadata=None,
                         photometric="minisblack")
        both = [cubist("info", "--json", path).json() for path in (one, os.path.join(folder, "11.tif"))]
        for found in both:
            del found["file"]
        check(both[0] == both[1], "info of one file and of a set:", both)
        check(both[0]["spacing"] == [0.5, 0.5, 2], both[0]["spacing"])
        ran = cubist("info", os.path.join(folder, "01.tif"))
        check("2 channels and 2 time steps; the first of each is read" in ran.err, ran)
        refused(cubist("info", os.path.join(folder, "01.tif"), "--channel", "2"), 2, "2 channels: --channel 2")
        # No file of the set is replaced, whether the volume has slices in it or not.
        before = snapshot(folder)
        for name in files:
            refused(cubist("convert", os.path.join(folder, "10.tif"), "--format", "raw", "-o",
                           os.path.join(folder, name)), 2, name, folder, before)
        # A volume does not need the files of the others.
        os.remove(os.path.join(folder, "11.tif"))
        found = stack(folder, "10.tif", "--time", "1", "--channel", "0")
        check(found is not None and (found == PLANES[1, 0]).all(), "without the others' files")
        refused(cubist("info", os.path.join(folder, "10.tif"), "--time", "1", "--channel", "1"), 3, "11.tif.*No such file")


def companion():
    """The text is in a file of its own; the files with pages may say nothing."""
    files = {"a.tif": [(0, 0, 0), (0, 0, 1)], "b.tif": [(0, 0, 2)]}
    text = pixels_of("ZCT", runs_of("ZCT", files, "runs"), {"C": 1, "Z": 3, "T": 1})
    with fresh() as folder:
        with open(os.path.join(folder, "x.companion.ome"), "w") as file:
            file.write(root(7, text))
        write(folder, files, f'<BinaryOnly MetadataFile="x.companion.ome" UUID="{name_of(7)}"/>')
        for name in files:
            found = stack(folder, name)
            check(found is not None and (found == PLANES[0, 0]).all(), "companion", name)
        with open(os.path.join(folder, "x.companion.ome"), "w") as file:
            file.write(root(8, text))
        refused(cubist("info", os.path.join(folder, "a.tif")), 3, "x.companion.ome' is not the file that '.*a.tif' names")
        with open(os.path.join(folder, "x.companion.ome"), "w") as file:
            file.write("nothing")
        refused(cubist("info", os.path.join(folder, "a.tif")), 3, "x.companion.ome' does not say in which file slice 0 is")


def images():
    """The text has two images; each file opens its own."""
    sizes = {"C": 1, "Z": 2, "T": 1}
    files = {"a0.tif": [(0, 0, 0)], "a1.tif": [(0, 0, 1)], "b0.tif": [(1, 1, 0)], "b1.tif": [(1, 1, 1)]}
    run = '<TiffData FirstZ="{}" IFD="0"><UUID FileName="{}">{}</UUID></TiffData>'
    both = [pixels_of("ZCT", "".join(run.format(i % 2, name, name_of(i)) for i, name in enumerate(files)
                                     if name[0] == image), sizes) for image in "ab"]
    for only in False, True:
        with fresh() as folder:
            write(folder, files, "".join(both), only)
            for name, planes in files.items():
                t, c, _ = planes[0]
                found = stack(folder, name)
                check(found is not None and (found == PLANES[t, c][:2]).all(), "image of", name)


def wrong():
    sizes = {"C": 1, "Z": 3, "T": 1}
    files = {f"{z}.tif": [(0, 0, z)] for z in range(3)}

    def with_set(change, pattern, code=3, names=files, opened="0.tif", text=None):
        with fresh() as folder:
            write(folder, files, text or pixels_of("ZCT", runs_of("ZCT", names, "bare"), sizes))
            change(folder)
            refused(cubist("info", os.path.join(folder, opened)), code, pattern)

    def other(folder, number=1, shape=(7, 9), type="uint16"):
        tifffile.imwrite(os.path.join(folder, "1.tif"), numpy.zeros(shape, type), description=root(number, ""),
                         metadata=None, photometric="minisblack")

    def cut(folder):
        os.truncate(os.path.join(folder, "2.tif"), 300)

    nothing = lambda folder: None
    with_set(lambda folder: os.remove(os.path.join(folder, "1.tif")), "'1.tif': cannot open it: No such file")
    with_set(lambda folder: other(folder, shape=(7, 8)), r"1.tif': page 1 is 8x7 uint16, the pages before it are 9x7 uint16")
    with_set(lambda folder: other(folder, type="uint8"), "1.tif': page 1 is 9x7 uint8")
    with_set(lambda folder: other(folder, number=5), f"1.tif' is not the file that '.*0.tif' names: its UUID is '{name_of(5)}'")
    with_set(cut, "2.tif'")
    with_set(lambda folder: open(os.path.join(folder, "1.tif"), "w").close(), "1.tif' is not a valid TIFF file")
    secret = tempfile.NamedTemporaryFile(suffix=".tif")
    tifffile.imwrite(secret.name, PLANES[0, 0, 1], metadata=None, photometric="minisblack")
    for name in (secret.name, "../1.tif", "sub/../../1.tif"):
        with_set(nothing, "leads out of its folder", names={"0.tif": [(0, 0, 0)], name: [(0, 0, 1)], "2.tif": [(0, 0, 2)]})
        with_set(nothing, "leads out of its folder", text=f'<BinaryOnly MetadataFile="{name}"/>')
    with_set(lambda folder: (os.remove(os.path.join(folder, "1.tif")), os.symlink(secret.name, os.path.join(folder, "1.tif"))),
             "a symbolic link leads out")
    with_set(lambda folder: (os.remove(os.path.join(folder, "1.tif")), os.mkfifo(os.path.join(folder, "1.tif"))), "expected a regular file")
    with_set(nothing, "cannot open it|too long", names={"0.tif": [(0, 0, 0)], "x" * 5000: [(0, 0, 1)]})
    with_set(nothing, "0.tif' does not say in which file slice 2 is", names={"0.tif": [(0, 0, 0)], "1.tif": [(0, 0, 1)]})
    run = '<TiffData FirstZ="{}" IFD="{}" PlaneCount="{}"><UUID FileName="{}"/></TiffData>'
    with_set(nothing, "1.tif' has 1 pages, but by '.*0.tif' its page 5 is a slice",
             text=pixels_of("ZCT", run.format(0, 0, 1, "0.tif") + run.format(1, 4, 2, "1.tif"), sizes))
    with_set(nothing, "1.tif' has 1 pages, but by '.*0.tif' its page 2 is a slice",
             text=pixels_of("ZCT", run.format(0, 0, 1, "0.tif") + run.format(1, 0, 2, "1.tif"), sizes))
    with_set(nothing, "does not say in which file slice 0 is", text='<BinaryOnly MetadataFile="1.tif"/>')
    with_set(nothing, "does not say in which file slice 0 is", text=pixels_of("ZCT", run.format(7, 0, 1, "0.tif") + run.format(9, 0, 2, "1.tif"), sizes))
    # What is beyond the channels is not the next time step.
    beyond = run.format(1, 0, 1, "0.tif") + run.format(0, 0, 1, "1.tif").replace("FirstZ", 'FirstC="1" FirstZ')
    with_set(nothing, "slice 0 is", text=pixels_of("ZCT", beyond, sizes))
    huge = {"C": 10**6, "Z": 10**6, "T": 10**6}
    with_set(nothing, "does not say in which file slice", text=pixels_of("ZCT", run.format(0, 0, 1, "0.tif") + run.format(1, 0, 1, "1.tif"), huge))


def places():
    """The folder is reached through a link; the opened file was renamed."""
    files = {f"{z}.tif": [(0, 0, z)] for z in range(3)}
    with fresh() as folder:
        write(folder, files, pixels_of("ZCT", runs_of("ZCT", files, "bare"), {"C": 1, "Z": 3, "T": 1}))
        os.symlink(folder, os.path.join(folder, "link"))
        found = stack(folder, "link/2.tif")
        check(found is not None and (found == PLANES[0, 0]).all(), "through a link")
        os.rename(os.path.join(folder, "0.tif"), os.path.join(folder, "renamed.tif"))
        found = stack(folder, "renamed.tif")
        check(found is not None and (found == PLANES[0, 0]).all(), "the opened file has another name now")


def main():
    with fresh() as folder:
        one = os.path.join(folder, "a.tif")
        tifffile.imwrite(one, PLANES[0, 0], photometric="minisblack")
        if "without libtiff" in cubist("info", one).err:
            skip("cubist was built without libtiff")
    every_order()
    facts()
    companion()
    images()
    wrong()
    places()
    finish()


main()
