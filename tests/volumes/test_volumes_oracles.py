#!/usr/bin/python3
# ctest: heavy
"""Volumes that NumPy, nibabel, mrcfile, GridDataFormats and VTK write are read correctly: the samples, their positions, and the bounds of
a mesh made from them. The tests of a library that is not installed are skipped."""
import itertools

import numpy

from cli import *

try:
    import nibabel
except ImportError:
    nibabel = None
try:
    import vtk
    from vtk.util import numpy_support
except ImportError:
    vtk = None

try:
    import mrcfile
except ImportError:
    mrcfile = None
try:
    import gridData
except ImportError:
    gridData = None
try:
    import gemmi
except ImportError:
    gemmi = None

random = numpy.random.default_rng(5)
LPS = numpy.diag([-1.0, -1, 1, 1])


def info(path, *more):
    ran = cubist("info", "--json", path, *more)
    if ran.code != 0:
        sys.exit(f"not read: {ran}")
    return ran.json()


def affine_of(found):
    matrix = numpy.eye(4)
    matrix[:3, :3] = numpy.reshape(found["direction"], (3, 3)) * found["spacing"]
    matrix[:3, 3] = found["origin"]
    return matrix


def check_volume(path, folder, values, affine, *more, digits=6):
    """`values` are indexed x, y, z; `affine` leads to the frame that cubist uses."""
    found = info(path, *more)
    check(found["dims"] == list(values.shape), "dims:", path, found["dims"])
    scale = numpy.abs(affine).max()
    check(numpy.allclose(affine_of(found), affine, atol=1e-5 * scale), "affine:", path,
          affine_of(found), affine)
    raw = os.path.join(folder, "out.raw")
    ran = cubist("convert", path, "--format", "raw", "--type", "float32", "-o", raw, *more)
    check(ran.code == 0, ran)
    samples = numpy.fromfile(raw, "<f4").reshape(values.shape[::-1]).T
    check(numpy.allclose(samples, values.astype("float32"), rtol=10.0 ** -digits, atol=0),
          "samples:", path, values.dtype, samples.ravel()[:4], values.T.ravel()[:4])


def ball(shape):
    """Distances from the middle, scaled: inside is where they are small, so turned round."""
    grid = numpy.stack(numpy.meshgrid(*[numpy.linspace(-1, 1, n) for n in shape], indexing="ij"))
    return 100 - 100 * numpy.sqrt((grid ** 2).sum(0))


def check_bounds(path, folder, shape, affine):
    """The mesh of a ball has the bounds of the ellipsoid that the affine makes of it."""
    mesh = os.path.join(folder, "ball.ply")
    ran = cubist("extract", path, "--iso", "40.25", "-o", mesh, "--json")
    check(ran.code == 0, ran)
    facts = ran.json()
    check(facts["watertight"], "not watertight:", path)
    half = (numpy.array(shape) - 1) / 2
    centre = affine[:3, :3] @ half + affine[:3, 3]
    reach = numpy.sqrt(((affine[:3, :3] * (half * 0.5975)) ** 2).sum(1))
    with open(mesh, "rb") as file:
        head, body = file.read().split(b"end_header\n", 1)
    count = int(re.search(rb"element vertex (\d+)", head)[1])
    points = numpy.frombuffer(body[:24 * count], "<f4").reshape(-1, 6)
    step = numpy.abs(affine[:3, :3]).sum(1).max()
    for got, meant in ((points[:, :3].min(0), centre - reach), (points[:, :3].max(0), centre + reach)):
        check(numpy.abs(got - meant).max() < 0.5 * step, "bounds:", path, got, meant)
    # Outward: the volume is positive whichever way the affine turns, and that of the ellipsoid.
    out = ((points[:, :3] - centre) * points[:, 3:]).sum(1)
    check((out > 0).all(), "normals point inwards:", path)
    meant = 4 / 3 * numpy.pi * numpy.prod(half * 0.5975) * abs(numpy.linalg.det(affine[:3, :3]))
    check(abs(facts["volume"] / meant - 1) < 0.05, "enclosed volume:", path, facts["volume"], meant)


def affines():
    turn = numpy.linalg.qr(random.normal(size=(3, 3)))[0]
    turn *= numpy.sign(numpy.linalg.det(turn))
    for name, matrix in (("plain", numpy.diag([1.0, 2, 3])),
                         ("mirrored", numpy.diag([-0.5, 2, 1])),
                         ("turned", turn @ numpy.diag([1, 1.5, 0.75])),
                         ("sheared", turn @ numpy.array([[1, 0.4, 0], [0, 1, 0.2], [0, 0, 2.0]])),
                         ("small", numpy.diag([1.8e-5, 2e-5, 1.8e-5]))):
        affine = numpy.eye(4)
        affine[:3, :3] = matrix
        affine[:3, 3] = random.normal(size=3) * 20 * numpy.abs(matrix).max()
        yield name, affine


def from_nibabel(folder):
    kinds = {"nii": (nibabel.Nifti1Image, "a.nii"), "gz": (nibabel.Nifti1Image, "a.nii.gz"),
             "pair": (nibabel.Nifti1Pair, "a.img"), "two": (nibabel.Nifti2Image, "b.nii"),
             "twogz": (nibabel.Nifti2Image, "b.nii.gz"), "twopair": (nibabel.Nifti2Pair, "b.img")}
    shape = (9, 7, 5)
    for (kind, (make, name)), order in itertools.product(kinds.items(), "<>"):
        for type in ("u1", "i2", "f4", "i4", "f8", "i1", "u2"):
            values = (random.random(shape) * 100).astype(order + type)
            where = list(affines())[len(name + type) % 4][1]
            header = make.header_class(endianness=order)
            header.set_data_dtype(order + type)
            path = os.path.join(folder, name)
            nibabel.save(make(values, where, header), path)
            check_volume(path, folder, values, LPS @ where)
    for name, where in affines():
        path = os.path.join(folder, name + ".nii")
        image = nibabel.Nifti1Image(ball((33, 29, 25)).astype("f4"), where)
        nibabel.save(image, path)
        check_bounds(path, folder, (33, 29, 25), LPS @ where)
        check_volume(path, folder, image.get_fdata(), LPS @ where)
        if name != "sheared":  # which a qform cannot be
            image.set_sform(None, 0)
            image.set_qform(where, 1)
            nibabel.save(image, path)
            check_volume(path, folder, image.get_fdata(), LPS @ image.get_qform())
            check_bounds(path, folder, (33, 29, 25), LPS @ image.get_qform())
    # FreeSurfer's, and Analyze, which says no more than spacing.
    for (name, where), type in itertools.product(affines(), ("u1", "i2", "i4", "f4")):
        if name != "sheared":
            values = (random.random(shape) * 100).astype(type)
            for path in (os.path.join(folder, "a.mgh"), os.path.join(folder, "a.mgz")):
                nibabel.save(nibabel.MGHImage(values, where), path)
                check_volume(path, folder, values, LPS @ where)
    for make, order in itertools.product((nibabel.AnalyzeImage, nibabel.Spm2AnalyzeImage), "<>"):
        values = (random.random(shape) * 100).astype("i2")
        header = make.header_class(endianness=order)
        header.set_data_dtype("i2")
        path = os.path.join(folder, "analyze.img")
        nibabel.save(make(values, numpy.diag([-2.0, 3, 4, 1]), header), path)
        check_volume(path, folder, values, numpy.diag([2.0, 3, 4, 1]))
    # Scaled samples, and the first of several frames.
    values = random.random(shape) * 1000 - 500
    image = nibabel.Nifti1Image(values, numpy.eye(4))
    image.set_data_dtype("i2")
    path = os.path.join(folder, "scaled.nii")
    nibabel.save(image, path)
    read = numpy.asanyarray(nibabel.load(path).dataobj)
    check_volume(path, folder, read, LPS)
    values = (random.random(shape + (3,)) * 100).astype("i2")
    path = os.path.join(folder, "frames.nii.gz")
    nibabel.save(nibabel.Nifti1Image(values, numpy.eye(4)), path)
    check_volume(path, folder, values[..., 0], LPS)
    for name in ("MNI152_2009_template.nii.gz", "anatomical_be.nii"):
        path = os.path.join(DATA, name)
        if os.path.exists(path):
            image = nibabel.load(path)
            check_volume(path, folder, numpy.asanyarray(image.dataobj), LPS @ image.affine)


def from_numpy(folder):
    exchanged = numpy.eye(4)[[2, 1, 0, 3]]
    shape, path = (9, 7, 5), os.path.join(folder, "a.npy")
    for type, order in itertools.product(("?", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"), "<>"):
        values = (random.random(shape) * 100).astype(order + type)
        numpy.save(path, values)  # z, y, x
        check_volume(path, folder, values.T, numpy.eye(4))
        numpy.save(path, numpy.asfortranarray(values))
        check_volume(path, folder, values, exchanged)
    with open(path, "wb") as file:
        numpy.lib.format.write_array(file, values, version=(3, 0))
    check_volume(path, folder, values.T, numpy.eye(4))


def from_mrcfile(folder):
    shape = (5, 7, 9)
    for type, gz in itertools.product(("i1", "i2", "u2", "f2", "f4"), (False, True)):
        values = (random.random(shape) * 100).astype(type)
        path = os.path.join(folder, f"a{type}.mrc" + (".gz" if gz else ""))
        with mrcfile.new(path, overwrite=True, compression="gzip" if gz else None) as file:
            file.set_data(values)
            file.voxel_size = (0.5, 1.25, 2.75)
            file.header.origin.x, file.header.origin.y, file.header.origin.z = 10, -20, 30.5
        affine = numpy.diag([0.5, 1.25, 2.75, 1])
        affine[:3, 3] = 10, -20, 30.5
        check_volume(path, folder, values.T, affine)


def from_gemmi(folder):
    """Where maps of a cell of any angles, cut anywhere, lie."""
    grid = gemmi.FloatGrid(12, 16, 20)
    grid.spacegroup = gemmi.SpaceGroup("P 1")
    for cell in (12, 20, 30, 90, 90, 90), (12, 20, 30, 80, 100, 115), (12, 20, 30, 90, 90, 120):
        grid.set_unit_cell(gemmi.UnitCell(*cell))
        map = gemmi.Ccp4Map()
        map.grid = grid
        map.update_ccp4_header(2, True)
        for k, start in enumerate((-3, 4, 5)):
            map.set_header_i32(5 + k, start)
        path = os.path.join(folder, "a.ccp4")
        map.write_ccp4_map(path)
        affine = affine_of(info(path))
        for index in (0, 0, 0), (11, 0, 0), (0, 15, 0), (3, 7, 19):
            at = gemmi.Fractional((index[0] - 3) / 12, (index[1] + 4) / 16, (index[2] + 5) / 20)
            meant = grid.unit_cell.orthogonalize(at).tolist()
            check(numpy.allclose((affine @ [*index, 1])[:3], meant, atol=1e-4), "gemmi:", cell, index, meant)


def from_griddata(folder):
    values, path = 1 + random.random((9, 7, 5)), os.path.join(folder, "a.dx")  # written with six digits behind the point
    for type in "double", "float":
        gridData.Grid(values, origin=[1, -2, 3], delta=[0.5, 1.25, 2.75]).export(path, type=type)
        affine = numpy.diag([0.5, 1.25, 2.75, 1])[:, [2, 1, 0, 3]]
        affine[:3, 3] = 1, -2, 3
        check_volume(path, folder, values.T, affine, digits=5)


def vtk_image(values, affine=None, extent_min=(0, 0, 0), name="values"):
    """`values` indexed x, y, z; the affine must have no shear."""
    image = vtk.vtkImageData()
    extent = []
    for low, count in zip(extent_min, values.shape):
        extent += [low, low + count - 1]
    image.SetExtent(*extent)
    if affine is not None:
        spacing = numpy.sqrt((affine[:3, :3] ** 2).sum(0))
        image.SetSpacing(*spacing)
        image.SetOrigin(*affine[:3, 3])
        image.SetDirectionMatrix(*(affine[:3, :3] / spacing).ravel())
    array = numpy_support.numpy_to_vtk(numpy.ascontiguousarray(values.T).ravel(), deep=True)
    array.SetName(name)
    image.GetPointData().SetScalars(array)
    return image


def from_vtk(folder):
    shape, path = (9, 7, 5), os.path.join(folder, "a.vti")
    modes = itertools.product(("ascii", "binary", "appended", "raw"), (False, True), (32, 64),
                              (False, True))
    for number, (mode, zlib, word, big) in enumerate(modes):
        for type in ("u1", "i2", "f4", "f8", "i8") if number % 3 == 0 else ("f4",):
            values = (random.random(shape) * 100).astype(type)
            image = vtk_image(values)
            writer = vtk.vtkXMLImageDataWriter()
            writer.SetInputData(image)
            writer.SetFileName(path)
            writer.SetHeaderType(writer.UInt64 if word == 64 else writer.UInt32)
            writer.SetByteOrder(writer.BigEndian if big else writer.LittleEndian)
            if not zlib:
                writer.SetCompressorTypeToNone()
            writer.SetBlockSize(1024)
            {"ascii": writer.SetDataModeToAscii, "binary": writer.SetDataModeToBinary,
             "appended": writer.SetDataModeToAppended, "raw": writer.SetDataModeToAppended}[mode]()
            writer.SetEncodeAppendedData(mode != "raw")
            writer.Write()
            check_volume(path, folder, values, numpy.eye(4))
    for name, where in affines():
        if name == "sheared":
            continue
        low = (3, -4, 10)
        image = vtk_image(ball((33, 29, 25)).astype("f4"), where, low)
        writer = vtk.vtkXMLImageDataWriter()
        writer.SetInputData(image)
        writer.SetFileName(path)
        writer.Write()
        meant = where.copy()
        meant[:3, 3] += meant[:3, :3] @ low
        point = [0.0, 0, 0]
        image.TransformIndexToPhysicalPoint(low, point)
        check(numpy.allclose(point, meant[:3, 3]), "VTK means:", point, meant)
        check_volume(path, folder, ball((33, 29, 25)), meant)
        check_bounds(path, folder, (33, 29, 25), meant)
    # Two arrays, then legacy files of each type in both versions.
    values, others = (random.random(shape) * 100).astype("u2"), random.random(shape).astype("f4")
    image = vtk_image(values, name="one two")
    more = numpy_support.numpy_to_vtk(numpy.ascontiguousarray(others.T).ravel(), deep=True)
    more.SetName("other")
    image.GetPointData().AddArray(more)
    writer = vtk.vtkXMLImageDataWriter()
    writer.SetInputData(image)
    writer.SetFileName(path)
    writer.Write()
    check_volume(path, folder, values, numpy.eye(4))
    check_volume(path, folder, others, numpy.eye(4), "--array", "other")
    check_volume(path, folder, values, numpy.eye(4), "--array", "one two")
    path = os.path.join(folder, "a.vtk")
    where = numpy.diag([0.5, 2, 3, 1])
    where[:3, 3] = 1, -2, 3
    for binary, version, type in itertools.product((False, True), (42, 51),
                                                   ("u1", "i1", "i2", "u2", "i4", "f4", "f8", "i8")):
        values = (random.random(shape) * 100).astype(type)
        image = vtk_image(values, where)
        image.GetPointData().AddArray(more)
        writer = vtk.vtkStructuredPointsWriter()
        writer.SetInputData(image)
        writer.SetFileName(path)
        writer.SetFileVersion(version)
        writer.SetFileTypeToBinary() if binary else writer.SetFileTypeToASCII()
        writer.Write()
        digits = 6 if binary else 4  # VTK writes so few
        check_volume(path, folder, values, where, digits=digits)
        check_volume(path, folder, others, where, "--array", "other", digits=digits)


with Folder() as folder:
    need_device()
    for library, name, test in ((numpy, "numpy", from_numpy), (nibabel, "nibabel", from_nibabel),
                                (mrcfile, "mrcfile", from_mrcfile), (gemmi, "gemmi", from_gemmi),
                                (gridData, "griddataformats", from_griddata), (vtk, "vtk9", from_vtk)):
        if library:
            test(folder)
        else:
            print(f"python3-{name} is not installed: its part is skipped")
finish()
