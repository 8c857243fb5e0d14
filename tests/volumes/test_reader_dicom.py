#!/usr/bin/python3
# ctest: plain
"""The reader of DICOM: which slices belong together, their order, steps and gaps, what stored samples mean, and one
line for what is not read. The files are written here; real ones are compared with known facts and with pydicom."""
import json
import struct

from cli import *

try:
    import numpy
except ImportError:
    skip("python3-numpy is not installed")
try:
    import pydicom
except ImportError:
    pydicom = None
import dicom_files as dicom
from reader_process import Reader, met, path_of

if not os.path.exists(path_of("dicom")):
    skip("the reader of DICOM was not built: libgdcm-dev is not installed")
random = numpy.random.default_rng(7)
TOP = os.path.join(DATA, "formats")


def read(path, *keys):
    """What is told, and the samples as z, y, x; None where a block is refused."""
    with Reader("dicom", path, *keys) as reader:
        told = reader.told
        if not check(told is not None, "no answer:", path):
            return {}, None
        if "error" in told:
            return told, None
        layers = [reader.samples([(0, told["size"][0]), (0, told["size"][1]), (z, z + 1)])
                  for z in range(told["size"][2])]
    check(reader.code == 0, "exit", reader.code, path)
    return told, numpy.concatenate(layers)


def refuses(path, kind, pattern, *keys):
    told, _ = read(path, *keys)
    check(told.get("kind") == kind and re.search(pattern, told.get("error", "")) and "\n" not in told["error"],
          f"expected {kind} /{pattern}/:", path, told)


def same(path, values, *keys, kind=None, remark=None):
    told, samples = read(path, *keys)
    if not check(samples is not None, path, keys, told):
        return told
    check(samples.shape == values.shape and numpy.array_equal(samples, values), "samples:", path, keys, told["type"],
          samples.ravel()[:6], values.ravel()[:6])
    check(kind in (None, told["type"]), "type:", told["type"], "not", kind)
    check(remark is None or any(re.search(remark, line) for line in told["remarks"]), "no remark", remark, told["remarks"])
    check(remark is not None or told["remarks"] == [], "remarks:", told["remarks"])
    return told


def made(folder, name):
    path = os.path.join(folder, name)
    os.mkdir(path)
    return path


def planes(count, kind="i2", top=1000):
    return random.integers(0, top, (count, 6, 8)).astype(kind)


def order(folder):
    """Oblique slices in no order of names or numbers; and a sheared stack."""
    path = made(folder, "order")
    turn = numpy.linalg.qr(random.normal(size=(3, 3)))[0]
    row, column = turn[0], turn[1]
    normal = numpy.cross(row, column)
    values = planes(7)
    shuffled = random.permutation(7)
    origin = numpy.array([10.0, -20, 30])
    step = 2.5 * normal + 0.7 * column  # as of a tilted gantry
    orientation = [f"{x:.12g}" for x in (*row, *column)]
    for i in range(7):
        name, number = f"{shuffled[i]}.dcm", int(shuffled[(i + 3) % 7])
        dicom.write(f"{path}/{name}", values[i], ImagePositionPatient=[f"{x:.12g}" for x in origin + i * step],
                    ImageOrientationPatient=orientation, InstanceNumber=number, SeriesDescription="Bone",
                    PatientName="Roe^Jane")
    told = same(path, values, kind="int16")
    check(numpy.allclose(told["steps"], [0.25 * row, 0.5 * column, step], atol=1e-9), "steps:", told["steps"])
    check(numpy.allclose(told["origin"], origin) and told["space"] == "LPS", told)
    check(len(told["files"]) == 7 and told["seekable"] is True, told)
    check(all(file["size"] == os.stat(file["path"]).st_size and
              file["time"] == list(divmod(os.stat(file["path"]).st_mtime_ns, 10 ** 9)) for file in told["files"]), told["files"])
    check([told["arrays"][0][key] for key in ("path", "type")] == ["Bone", "int16"], told["arrays"])
    check("Roe" not in json.dumps(told), "a name of a patient:", told)
    one = same(f"{path}/{shuffled[2]}.dcm", values, remark="one of 7 slices of a series")
    check([file["path"] for file in one["files"]] == [file["path"] for file in told["files"]], one["files"])
    ran = cubist("info", f"{path}//{shuffled[2]}.dcm")
    check(ran.code == 0 and "8 x 6 x 7" in ran.out, ran)
    with Reader("dicom", path) as reader:
        check(numpy.array_equal(reader.samples([(2, 5), (1, 4), (3, 6)]), values[3:6, 1:4, 2:5]), "a box")
        for line in ("block 0 1 0 1 0 8", "block 1 1 0 1 0 1", "slices 0 1", "block 0 1 0 1 0 1 2", ""):
            check(reader.ask(line) == "the reader does not know this request", line)
        check(numpy.array_equal(reader.samples(), values), "after errors")


def gaps(folder):
    values = planes(6)
    where = [-150, -140, -130, -100, -90, -80]  # two are missing
    path = made(folder, "gaps")
    dicom.write_series(path, values, [(0, 0, z) for z in where], PixelPaddingValue=None)
    refuses(path, "gaps", r"^slices are missing after z = -130 mm \(2 of 8\): add --gaps blank or --gaps resample$")
    blank = numpy.full((1, 6, 8), values.min())
    told = same(path, numpy.concatenate([values[:3], blank, blank, values[3:]]), "gaps=blank", remark="^2 of 8 slices are blank")
    check(numpy.allclose(told["steps"][2], [0, 0, 10]), told["steps"])
    mixed = numpy.floor(values[2] + numpy.outer([1 / 3, 2 / 3], (values[3].astype("f8") - values[2])).reshape(2, 6, 8) + 0.5)
    same(path, numpy.concatenate([values[:3], mixed.astype("i2"), values[3:]]), "gaps=resample", remark="2 of 8 slices are mixed")
    refuses(path, "usage", "gaps=no is not", "gaps=no")
    path = made(folder, "sagittal")
    dicom.write_series(path, values, [(x, 0, 0) for x in where], ImageOrientationPatient=[0, 1, 0, 0, 0, 1])
    refuses(path, "gaps", "after x = -130 ")
    path = made(folder, "varying")
    dicom.write_series(path, values.astype("f4").astype("u2"), [(0, 0, z) for z in (0, 2, 4, 7, 10, 12)], RescaleSlope=0.5)
    refuses(path, "gaps", r"^the distances of its slices differ \(2 to 3 mm\): add --gaps blank or --gaps resample$")
    halves = values * 0.5
    told, samples = read(path, "gaps=resample")
    expected = numpy.stack([halves[0], halves[1], halves[2], (halves[2] + 2 * halves[3]) / 3,
                            (2 * halves[3] + halves[4]) / 3, halves[4], halves[5]])
    check(numpy.allclose(samples, expected, rtol=1e-6) and told["steps"][2] == [0, 0, 2], told, samples[3:5], expected[3:5])
    told, samples = read(path, "gaps=blank")
    blank = numpy.full_like(halves[:1], halves.min())
    check(numpy.array_equal(samples, numpy.concatenate([halves[:3], blank, halves[3:]])), "blank:", told)
    path = made(folder, "aside")  # the step in the plane is not that of the others
    dicom.write_series(path, values, [(4 * (z == 3), 0, z) for z in range(6)])
    same(path, values, remark="^slices lie beside a straight line")
    path = made(folder, "nearly")
    dicom.write_series(path, values, [(0, 0, z) for z in (0, 1, 2.004, 2.996, 4, 5)])
    same(path, values)


def times(folder):
    """Frames at equal positions; echoes, kinds, copies, other sizes in one series."""
    values = planes(8)
    places = [(0, 0, z) for z in (0, 1, 2, 3)]
    path = made(folder, "time")
    dicom.write_series(path, values, places + places, names=[f"{7 - i}.dcm" for i in range(8)])
    told = same(path, values[:4])
    check(told["choices"] == {"time": {"count": 2, "at": 0}}, told)
    check(told["arrays"][0]["axes"][3] == {"name": "time", "size": 2, "spacing": 0, "unit": ""}, told["arrays"])
    same(path, values[4:], "time=1")
    same(path + "/0.dcm", values[4:], remark="one of 4 slices")  # it is of the second step
    for key in "time=2", "time=x", "time=-1", "channel=1", "level=1":
        refuses(path, "usage", key.split("=")[1], key)
    path = made(folder, "stated")  # against the order of numbers, and one is missing
    dicom.write_series(path, values[:7], (places + places)[:7], TemporalPositionIdentifier=lambda i: 2 - i // 4)
    same(path, values[4:7], remark="some positions have fewer images")
    same(path, values[:4], "time=1", remark="some positions have fewer images")
    path = made(folder, "echo")
    dicom.write_series(path, values, places + places, EchoTime=lambda i: 5 if i < 4 else 9, SeriesDescription="A")
    told = same(path, values[:4], remark="the largest of 2 series is read: 'A'")
    check([array["path"] for array in told["arrays"]] == ["A", "A (2)"] and told["chosen"] == 0, told["arrays"])
    same(path, values[4:], "array=A (2)")
    refuses(path, "usage", r"no array 'B', but 'A', 'A \(2\)'", "array=B")
    path = made(folder, "kind")
    kinds = "ORIGINAL\\PRIMARY\\M\\FFE", "ORIGINAL\\PRIMARY\\P\\FFE"
    dicom.write_series(path, values, places + places, ImageType=lambda i: kinds[i // 4].split("\\"))
    told = same(path, values[4:], "array=series, P FFE")
    check([array["path"] for array in told["arrays"]] == ["series, M FFE", "series, P FFE"], told["arrays"])
    path = made(folder, "series")
    dicom.write_series(path, values[:3], places[:3], SeriesNumber=4)
    dicom.write_series(path, values[3:7], places, names=list("abcd"), SeriesInstanceUID="1.2.4", SeriesNumber=5)
    dicom.write(path + "/copy.dcm", values[3], SeriesInstanceUID="1.2.4", SOPInstanceUID="9.9", ImagePositionPatient=[0, 0, 4],
                ImageOrientationPatient=[1, 0, 0, 0, 1, 0])
    dicom.write(path + "/copy2.dcm", values[4], SeriesInstanceUID="1.2.4", SOPInstanceUID="9.9", ImagePositionPatient=[0, 0, 4],
                ImageOrientationPatient=[1, 0, 0, 0, 1, 0])
    dicom.write(path + "/report.dcm", values[0], pixels=False)
    with open(path + "/notes.txt", "w") as file:
        file.write("no DICOM at all")
    told = same(path, values[[3, 4, 5, 6, 3]], remark="the largest of 2 series is read: 'series 5'")
    check("1 DICOM files hold no picture that can be read" in told["remarks"], told["remarks"])
    same(path + "/0001.dcm", values[:3], remark="one of 3 slices")
    same(path, values[:3], "array=series 4", remark="1 DICOM files hold no picture")
    empty = made(folder, "empty")
    refuses(empty, "input", "^no DICOM picture is in the folder or below$")


def causes(folder):
    """Why slices are missing: their files are damaged or deviate, or only the distances differ."""
    values = planes(8)
    choice = ": add --gaps blank or --gaps resample$"
    places = [(0, 0, 2 * z) for z in range(8)]

    def cut(name, to):
        path = made(folder, name)
        dicom.write_series(path, values, places)
        with open(path + "/0003.dcm", "r+b") as file:
            file.truncate(os.path.getsize(path + "/0003.dcm") + to)
        return path

    path = cut("early", -50)
    early = r"'0003\.dcm': it ends early: its samples have 46 of 96 bytes"
    refuses(path, "gaps", "^" + early + r"; slices are missing after z = 4 mm \(1 of 8\)" + choice)
    refuses(path + "/0001.dcm", "gaps", "^" + early + "; slices are missing")
    blank = numpy.concatenate([values[:3], values[:1] * 0 + numpy.delete(values, 3, 0).min(), values[4:]])
    same(path, blank, "gaps=blank", remark="^left out: " + early + "$")
    check("1 DICOM files hold no picture that can be read" not in read(path, "gaps=blank")[0]["remarks"], "counted twice")
    with open(path + "/0005.dcm", "r+b") as file:
        file.truncate(os.path.getsize(path + "/0005.dcm") - 2)
    refuses(path, "gaps", "^" + early + r" \(and 1 more\); slices are missing at 2 places, first after z = 4 mm \(2 of 8\)" + choice)
    path = cut("header", -300)  # its series is not known
    whole = r"'0003\.dcm': GDCM finds no whole DICOM header in it"
    refuses(path, "gaps", "^" + whole + r"; slices are missing after z = 4 mm \(1 of 8\)" + choice)
    same(path, blank, "gaps=blank", remark="^left out: " + whole + "$")
    path = made(folder, "last")  # no gap, so it opens
    dicom.write_series(path, values, places)
    with open(path + "/0007.dcm", "r+b") as file:
        file.truncate(os.path.getsize(path + "/0007.dcm") - 50)
    same(path, values[:7], remark=r"^left out: '0007\.dcm': it ends early")
    with open(path + "/0007.dcm", "wb") as file:  # of another series
        file.write(b"")
    dicom.write(path + "/0007.dcm", values[7], SeriesInstanceUID="9", ImagePositionPatient=[0, 0, 14])
    with open(path + "/0007.dcm", "r+b") as file:
        file.truncate(os.path.getsize(path + "/0007.dcm") - 50)
    same(path, values[:7], remark="^1 DICOM files hold no picture that can be read$")
    path = made(folder, "rows")
    dicom.write_series(path, values, places)
    for plane, what in ((values[3][:4], "4 rows, not 6"), (values[3][:, :5].copy(), "5 columns, not 8"),
                        (values[3].astype("i1"), "8 bits a sample, not 16")):
        dicom.write_series(path, [plane], [places[3]], names=["0003.dcm"])
        refuses(path, "gaps", r"^'0003\.dcm' has " + what + r"; slices are missing after z = 4 mm \(1 of 8\)" + choice)
    dicom.write_series(path, [values[3][:4]], [places[3]], names=["0003.dcm"], ImageOrientationPatient=[0, 1, 0, 0, 0, 1])
    refuses(path, "gaps", "^slices are missing after")  # a localizer is no cause
    path = made(folder, "two")  # each position in two sizes
    dicom.write_series(path, values, places)
    dicom.write_series(path, values[:, :4], places, names=list("abcdefgh"))
    same(path, values, remark="^the largest of 2 series")
    for name in "0003.dcm", "d":  # both have a gap
        os.remove(f"{path}/{name}")
    refuses(path, "gaps", "add --gaps blank or --gaps resample; --array NAME reads another: 'series \\(2\\)'$")
    path = made(folder, "twice")
    dicom.write_series(path, values, [(0, 0, z) for z in (0, 2.5, 5, 7.5, 10, 15, 20, 25)])
    refuses(path, "gaps", r"^the distances of its slices differ \(2\.5 to 5 mm\)" + choice)
    told, samples = read(path, "gaps=resample")
    check(told["size"] == [8, 6, 11] and numpy.array_equal(samples[[0, 1, 2, 3, 4, 6, 8, 10]], values), told)


def folders(folder):
    """Series in sub-folders, of a folder above them or of an index."""
    values = planes(9)
    top = made(folder, "cd")
    os.makedirs(top + "/DICOM/PA000001/ST000001/SE000001")
    os.makedirs(top + "/DICOM/PA000001/ST000001/SE000002")
    os.makedirs(top + "/.hidden/SE")
    study = top + "/DICOM/PA000001/ST000001"
    for name, some, uid in (("SE000001", values[:3], "7.1"), ("SE000002", values[3:7], "7.2")):
        dicom.write_series(f"{study}/{name}", some, [(0, 0, z) for z in range(len(some))], SeriesInstanceUID=uid, SeriesDescription=name,
                           names=[f"IM{i:04}" for i in range(len(some))])
    dicom.write_series(top + "/.hidden/SE", values, [(0, 0, z) for z in range(9)], SeriesInstanceUID="7.3")
    os.symlink("../../../../.hidden/SE", study + "/link")
    os.symlink(study + "/SE000001/IM0000", study + "/SE000002/also")
    both = r"^the largest of 2 series is read: 'SE000002'$"
    for path in top, top + "/", study:
        told = same(path, values[3:7], remark=both)
        check([array["path"] for array in told["arrays"]] == ["SE000001", "SE000002"], told["arrays"])
        check(told["files"][0]["path"] == path.rstrip("/") + study[len(path.rstrip("/")):] + "/SE000002/IM0000", told["files"])
        ran = cubist("info", "--json", path)
        check(ran.code == 0 and ran.json()["dims"] == [8, 6, 4], ran)
        same(path, values[:3], "array=SE000001")
    check(cubist("info", top, "--array", "SE000001").code == 0, "an array in a sub-folder")
    dicom.write(top + "/DICOMDIR", values[0], pixels=False, SeriesInstanceUID=None, DirectoryRecordSequence=[{}])
    for path in top, top + "/DICOMDIR":
        same(path, values[3:7], remark=both)
        check(cubist("info", "--json", path).json()["dims"] == [8, 6, 4], path)
    ran = subprocess.run([os.environ["CUBIST"], "info", "--json", "DICOMDIR"], cwd=top, stdout=subprocess.PIPE)
    check(json.loads(ran.stdout)["dims"] == [8, 6, 4], ran)
    dicom.write_series(top, values[:2], [(0, 0, 0), (0, 0, 1)], SeriesInstanceUID="7.4")  # then these, as if nothing were below
    same(top, values[:2])
    alone = made(folder, "alone")
    os.rename(top + "/DICOMDIR", alone + "/DICOMDIR")
    refuses(alone + "/DICOMDIR", "input", "^no DICOM picture is in the folder or below$")
    for depth in 6, 7:
        deep = made(folder, f"deep{depth}")
        down = deep + "/d" * depth
        os.makedirs(down)
        dicom.write_series(down, values[:2], [(0, 0, 0), (0, 0, 1)])
        check((cubist("info", deep).code == 0) == (depth == 6), "levels", depth)
    os.mkdir(deep[:-1] + "6/d/e")
    os.makedirs(deep[:-1] + "6" + "/d" * 6 + "/d")
    bound = "^not all sub-folders are searched: at most 6 levels and 20000 names$"
    same(deep[:-1] + "6", values[:2], remark=bound)
    many = made(folder, "many")
    os.makedirs(many + "/0/1")
    dicom.write_series(many + "/0/1", values[:2], [(0, 0, 0), (0, 0, 1)])
    os.mkdir(many + "/0/2")
    for i in range(20000):
        open(f"{many}/0/2/{i}", "w").close()
    told, _ = read(many)
    check(any(re.search(bound, line) for line in told.get("remarks", [])) or "no DICOM picture" in told.get("error", ""), told)
    for name in "a.nrrd", "a.png", "a.tif":  # a folder with volumes or slices of its own
        path = made(folder, name + ".d")
        os.mkdir(path + "/below")
        dicom.write_series(path + "/below", values[:2], [(0, 0, 0), (0, 0, 1)])
        with open(f"{path}/{name}", "wb") as file:
            file.write(b"NRRD0001\n")
        ran = cubist("info", path)
        check(ran.code != 0 and "DICOM" not in ran.err, ran)


def flat(folder):
    """What is no volume says why."""
    values = planes(5)
    path = made(folder, "flat")
    dicom.write_series(path, values[:1], [(0, 0, 0)], SeriesDescription="A")
    dicom.write_series(path, values[1:4], [(0, 0, z) for z in range(3)], names=["b", "c", "d"], SeriesInstanceUID="5")

    def says(path, text, *more):
        ran = cubist("info", path, *more)
        check(ran.code == 3 and ran.err.splitlines()[-1] == f"cubist: '{path}': {text}", ran)

    says(path + "/0000.dcm", "it is one slice; no other slice of its series is beside it")
    says(path, "it is one slice; no other slice of its series is beside it", "--array", "A")
    path = made(folder, "fan")
    turns = [random.normal() * 0.1 + i * 0.2 for i in range(5)]
    dicom.write_series(path, values, [(0, 0, 0)] * 5,
                       ImageOrientationPatient=lambda i: [f"{x:.8f}" for x in (numpy.cos(turns[i]), numpy.sin(turns[i]), 0, 0, 0, 1)])
    says(path, "its slices are not parallel")
    path = made(folder, "half")
    dicom.write_series(path, values[:2], [(0, 0, 0), (0, 0, 1)])
    with open(path + "/0001.dcm", "r+b") as file:
        file.truncate(os.path.getsize(path + "/0001.dcm") - 50)
    says(path, "'0001.dcm': it ends early: its samples have 46 of 96 bytes; one slice is left")


def names(folder):
    """Series of equal names."""
    path = made(folder, "names")
    values = planes(6)
    kinds = ["M"], ["FIELD_MAP", "NONE"], ["FIELD_MAP", "NONE"], []
    for i, kind in enumerate(kinds):
        dicom.write_series(path, values[:2], [(0, 0, 0), (0, 0, 1)], names=[f"{i}a", f"{i}b"], SeriesInstanceUID=f"6.{i}",
                           SeriesDescription="B0 NS", ImageType=["ORIGINAL", "PRIMARY"] + kind)
    told, _ = read(path)
    check([array["path"] for array in told["arrays"]] == ["B0 NS, M", "B0 NS, FIELD_MAP", "B0 NS, FIELD_MAP (2)", "B0 NS"], told["arrays"])
    same(path, values[:2], "array=B0 NS, FIELD_MAP")


def stored(folder):
    """What stored bits mean: masks, signs, slopes, padding, byte orders, syntaxes."""
    path = os.path.join(folder, "a.dcm")

    def one(values, expected, kind, remark=None, **more):
        dicom.write(path, values, ImagePositionPatient=[0, 0, 0], ImageOrientationPatient=[1, 0, 0, 0, 1, 0],
                    SeriesInstanceUID=None, **more)
        same(path, numpy.asarray(expected).reshape(-1, *values.shape[-2:]), kind=kind, remark=remark)

    base = planes(1, "u2", 1 << 16)[0]
    one(base, base & 0xFFF, "uint16", BitsStored=12, HighBit=11)
    one(base, base >> 4, "uint16", BitsStored=12, HighBit=15)
    signed = base.astype("i2") << 4 >> 4
    one(base, signed, "int16", BitsStored=12, HighBit=11, PixelRepresentation=1)
    one(base, (base & 0xFFF).astype("i4") - 1024, "int16", BitsStored=12, HighBit=11, RescaleIntercept=-1024)
    one(base.astype("i2"), base.astype("i2") - 40000, "int32", RescaleIntercept=-40000)
    narrow = planes(1)[0]
    one(narrow, narrow - 1024, "int16", RescaleIntercept=-1024)  # would be int32 by its bits
    one(base, (base * 0.25 - 3).astype("f4"), "float32", RescaleSlope=0.25, RescaleIntercept=-3)
    byte = planes(1, "u1", 256)[0]
    one(byte, byte, "uint8")
    one(byte.astype("i1"), byte.astype("i1"), "int8")
    wide = random.integers(0, 1 << 32, (6, 8)).astype("u4")
    one(wide, wide, "uint32")
    for padding, limit, hidden in ((-2000, None, 1), (-2000, -1990, 2), (-1990, -2000, 2)):
        padded = narrow.copy()
        padded[0, :3], padded[1, :2] = -2000, -1995
        expected = padded.copy()
        expected[padded == -2000] = padded[padded > -2000].min()
        if hidden == 2:
            expected[padded < -1990] = padded[padded > -1990].min()
        one(padded, expected, "int16", remark=f"^{3 if hidden == 1 else 5} padded samples have the least other value, ",
            PixelPaddingValue=padding, PixelPaddingRangeLimit=limit)
    slices = made(folder, "padded")  # decoded once where they are compressed
    values = planes(6)
    values[:, 2, 2:4] = -9
    expected = values.copy()
    expected[values == -9] = expected[values != -9].min()
    for order in (1, 1, 1, 1, 1, 1), (1, 1, 0, 1, 0, 1), (0, 1, 1, 1, 1, 1):
        dicom.write_series(slices, values, [(0, 0, z) for z in range(6)], PixelPaddingValue=-9,
                           syntax=lambda i: (dicom.EXPLICIT, dicom.RLE)[order[i]])
        same(slices, expected, remark="^12 padded samples")
    one(narrow * 0 - 5, narrow * 0, "int16", remark="48 padded samples", PixelPaddingValue=-5)
    for syntax in dicom.IMPLICIT, dicom.EXPLICIT, dicom.BIG, dicom.DEFLATED, dicom.RLE:
        one(base, base, "uint16", syntax=syntax)
        one(byte, byte, "uint8", syntax=syntax)
    one(base, base, "uint16", syntax=dicom.IMPLICIT, preamble=False)
    one(wide, wide, "uint32", syntax=dicom.BIG)
    slices = made(folder, "slopes")
    values = planes(4)
    dicom.write_series(slices, values, [(0, 0, z) for z in range(4)], RescaleSlope=lambda i: 1 + i, RescaleIntercept=lambda i: i)
    same(slices, (values * (1.0 + numpy.arange(4)).reshape(4, 1, 1) + numpy.arange(4).reshape(4, 1, 1)).astype("f4"), kind="float32")
    slices = made(folder, "bare")
    dicom.write_series(slices, values, [(0, 0, z) for z in range(4)], syntax=dicom.IMPLICIT, preamble=False)
    same(slices, values)
    slices = made(folder, "loose")  # no positions
    for i in range(4):
        dicom.write(f"{slices}/{i}.dcm", values[i], InstanceNumber=4 - i, SliceThickness=3)
    told = same(slices, values[::-1], remark="in order of InstanceNumber")
    check(told["steps"][2] == [0, 0, 3] and "space" not in told, told)


def frames(folder):
    """Files with several frames: enhanced, dose, plain, in fragments."""
    path = os.path.join(folder, "frames.dcm")
    values = planes(6)
    shuffled = random.permutation(6)
    slopes = [2.0, 1, 1, 3, 1, 0.5]
    each = [{"PlanePositionSequence": [{"ImagePositionPatient": [1, 2, 4 * int(k)]}],
             "PixelValueTransformationSequence": [{"RescaleSlope": slopes[i], "RescaleIntercept": -i}]}
            for i, k in enumerate(shuffled)]
    shared = [{"PlaneOrientationSequence": [{"ImageOrientationPatient": [1, 0, 0, 0, 1, 0]}],
               "PixelMeasuresSequence": [{"PixelSpacing": [0.5, 0.25], "SliceThickness": 9}]}]
    real = (values * numpy.reshape(slopes, (6, 1, 1)) - numpy.arange(6).reshape(6, 1, 1)).astype("f4")
    for syntax in dicom.EXPLICIT, dicom.IMPLICIT, dicom.BIG, dicom.RLE:
        dicom.write(path, values, syntax=syntax, PixelSpacing=None, SharedFunctionalGroupsSequence=shared,
                    PerFrameFunctionalGroupsSequence=each)
        told = same(path, real[numpy.argsort(shuffled)], kind="float32")
        check(told["steps"] == [[0.25, 0, 0], [0, 0.5, 0], [0, 0, 4]] and told["origin"] == [1, 2, 0], told)
    moments = [{"PlanePositionSequence": [{"ImagePositionPatient": [0, 0, i % 3]}],
                "FrameContentSequence": [{"TemporalPositionIndex": 2 - i // 3}]} for i in range(6)]
    dicom.write(path, values, SharedFunctionalGroupsSequence=shared, PerFrameFunctionalGroupsSequence=moments)
    check(same(path, values[3:])["choices"]["time"]["count"] == 2, "time steps of frames")
    same(path, values[:3], "time=1")
    bare = [{"PixelValueTransformationSequence": [{"RescaleSlope": 1, "RescaleIntercept": i}]} for i in range(6)]
    dicom.write(path, values, SpacingBetweenSlices=3, PerFrameFunctionalGroupsSequence=bare)  # and no positions
    told = same(path, values + numpy.arange(6, dtype="i2").reshape(6, 1, 1), kind="int16")
    check(told["steps"][2] == [0, 0, 3] and "space" not in told, told)
    for pieces, table in ((1, True), (1, False), (3, True)):
        dicom.write(path, values, syntax=dicom.RLE, pieces=pieces, table=table, SpacingBetweenSlices=-2)
        told = same(path, values)
        check(told["steps"][2] == [0, 0, 2], told)
    for pieces in 1, 3:  # an offset in the table is wrong: no frame is taken for another
        dicom.write(path, values, syntax=dicom.RLE, pieces=pieces, SpacingBetweenSlices=2)
        with open(path, "r+b") as file:
            file.seek(file.read().index(b"\xfe\xff\0\xe0") + 12)
            file.write(struct.pack("<I", 3))
        if pieces == 1:
            same(path, values)
        else:
            with Reader("dicom", path) as reader:
                check("GDCM cannot decode frame" in reader.ask("block 0 8 0 6 0 6"), "a wrong table")
    dicom.write(path, values, syntax=dicom.RLE, pieces=3, table=False)
    with Reader("dicom", path) as reader:  # nothing says where a frame begins
        check("GDCM cannot decode frame" in reader.ask("block 0 8 0 6 0 6"), "fragments without a table")
    dicom.write(path, values, syntax=dicom.RLE)
    with open(path, "r+b") as file:
        file.truncate(os.path.getsize(path) - 60)
    with Reader("dicom", path) as reader:
        check(reader.ask("block 0 8 0 6 0 5") == values[:5].tobytes(), "frames before a cut")
        check(reader.ask("block 0 8 0 6 5 6") == "GDCM cannot decode frame 5", "a frame that is cut")
    path = made(folder, "cut")
    dicom.write_series(path, values, [(0, 0, z) for z in range(6)], syntax=dicom.RLE)
    with open(path + "/0004.dcm", "r+b") as file:
        file.truncate(os.path.getsize(path + "/0004.dcm") - 30)
    with Reader("dicom", path) as reader:
        check(reader.ask("block 0 8 0 6 4 5") == f"'{path}/0004.dcm': GDCM cannot decode frame 0", "a file that is cut")
    path = os.path.join(folder, "frames.dcm")
    dose = planes(4, "u4", 1 << 20)
    for offsets, first, row in (([0, 3, 6, 9], 7, 1), ([7, 10, 13, 16], 7, 1), ([7, 10, 13, 16], 7, -1), ([0, -3, -6, -9], 7, 1)):
        dicom.write(path, dose, Modality="RTDOSE", DoseGridScaling="1e-6", GridFrameOffsetVector=offsets,
                    ImagePositionPatient=[0, 0, first], ImageOrientationPatient=[row, 0, 0, 0, 1, 0])
        down = (offsets[1] < 0) != (row < 0)
        told = same(path, (dose[::-1 if down else 1] * 1e-6).astype("f4"), kind="float32")
        check(numpy.allclose(told["steps"][2], [0, 0, -3 if row < 0 else 3]), offsets, told["steps"])
        check(told["origin"][2] == (min if row > 0 else max)(first + offsets[-1] - offsets[0], first), told["origin"])
    dicom.write(path, values, PixelSpacing=None)
    told = same(path, values, remark="no distances within slices are stated")
    check(told["steps"] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]], told)


def refusals(folder):
    path = os.path.join(folder, "no.dcm")
    plane = planes(1)[0]

    def one(kind, pattern, **more):
        dicom.write(path, plane, **more)
        refuses(path, kind, pattern)

    one("unsupported", "HTJ2K", syntax="1.2.840.10008.1.2.4.201")
    one("unsupported", "video", syntax="1.2.840.10008.1.2.4.102")
    one("unsupported", "transfer syntax 1.2.3.4", syntax="1.2.3.4")
    one("unsupported", "colours", SamplesPerPixel=3, PhotometricInterpretation="RGB")
    one("unsupported", "colours", PhotometricInterpretation="PALETTE COLOR")
    one("unsupported", "^its samples have 1 bit: a segmentation; export it as NRRD$", BitsAllocated=1)
    one("unsupported", "64 bits", BitsAllocated=64)
    one("unsupported", "mosaic: .*; convert it with dcm2niix$", ImageType=["ORIGINAL", "PRIMARY", "M", "MOSAIC"])
    one("unsupported", "FloatPixelData, .*: convert it with paramap2itkimage of dcmqi$", pixels=False, FloatPixelData=b"\0" * 192)
    one("input", "no PixelData", pixels=False)
    one("input", "96 of 192 bytes", Rows=12)
    one("input", "NumberOfFrames", NumberOfFrames="1A")
    one("input", "NumberOfFrames", NumberOfFrames=-3)
    one("input", "HighBit are wrong", HighBit=40)
    one("input", "HighBit are wrong", BitsStored=13, HighBit=11)
    one("input", "Rows, Columns", Rows=0)
    dicom.write(path, plane)
    with open(path, "rb") as file:
        whole = file.read()
    with open(path, "wb") as file:
        file.write(whole[:-50])
    refuses(path, "input", "ends early: its samples have 46 of 96 bytes")
    with open(path, "wb") as file:
        file.write(whole[:200])
    refuses(path, "input", "no whole DICOM header|no PixelData")
    with open(path, "wb") as file:
        file.write(whole[8 + 132 + 12 + 28:])
    refuses(path, "input", r"^it has no DICOM header \(no meta information\)$")
    series = made(folder, "damaged")
    for i, slice in enumerate(planes(2)):
        dicom.write(f"{series}/{i}.dcm", slice, ImagePositionPatient=[0, 0, i], ImageOrientationPatient=[1, 0, 0, 0, 1, 0])
    for size in range(132, len(whole), 3):  # GDCM asserts what some of them contradict
        with open(f"{series}/cut.dcm", "wb") as file:
            file.write(whole[:size])
        with Reader("dicom", series) as reader:
            check(reader.told and reader.told.get("size") == [8, 6, 2], "a damaged file in a folder:", size, reader.told)
    refuses(os.path.join(folder, "missing.dcm"), "input", "cannot open")
    refuses(path, "usage", "does not know 'colour=red'", "colour=red")
    refuses(path, "usage", "axes", "axis-index=z")
    name = os.fsencode(folder) + b"/\xff.dcm"
    with open(name, "wb") as file:
        file.write(whole)
    refuses(name, "input", "not UTF-8")
    ran = subprocess.run([path_of("dicom"), "--formats"], stdout=subprocess.PIPE)
    formats = json.loads(ran.stdout)
    check(ran.returncode == 0 and formats["name"] == "DICOM" and formats["folders"] and
          formats["magic"] == [{"at": 128, "bytes": b"DICM".hex()}], formats)


def through(folder):
    """The same by cubist: options reach the reader, and what it says reaches a person."""
    path, raw = os.path.join(folder, "gaps"), os.path.join(folder, "out.raw")
    ran = cubist("info", path)
    check(ran.code == 3 and ran.err == f"cubist: '{path}': slices are missing after z = -130 mm (2 of 8): add --gaps "
          "blank or --gaps resample\n", ran)
    ran = cubist("convert", path, "--gaps", "blank", "-o", raw)
    _, samples = read(path, "gaps=blank")
    check(ran.code == 0 and "2 of 8 slices are blank" in ran.err, ran)
    check(numpy.array_equal(numpy.fromfile(raw, "<i2").reshape(samples.shape), samples), "samples of cubist differ")
    ran = cubist("info", "--json", os.path.join(folder, "time"), "--time", "1")
    check(ran.code == 0 and ran.json()["dims"] == [8, 6, 4], ran)
    check(cubist("info", os.path.join(folder, "time"), "--time", "2").code == 2, "a time that is not there")
    found = cubist("info", "--json", os.path.join(folder, "order")).json()
    told, _ = read(os.path.join(folder, "order"))
    steps = numpy.reshape(found["direction"], (3, 3)) * found["spacing"]
    check(numpy.allclose(steps.T, told["steps"], atol=1e-9) and numpy.allclose(found["origin"], told["origin"]), found)


# What is said of odd real files; a number: how many slices are read.
ODD = {
    "MR_truncated.dcm": "8130 of 8192 bytes", "no_meta.dcm": "it has no DICOM header (no meta information)", "badVR.dcm": "NumberOfFrames",
    "meta_missing_tsyntax.dcm": "no whole DICOM header", "MR_small_padded.dcm": 1, "image_dfl.dcm": 1,
    "J2K_pixelrep_mismatch.dcm": 1, "liver_1frame.dcm": "1 bit:", "parametric_map_float.dcm": "FloatPixelData",
    "emri_small_jpeg_2k_lossless_too_short.dcm": 10, "SC_rgb_rle_2frame.dcm": "colours", "RLE_FRAGS.dcm": 1,
    "slicethickness_empty_string.dcm": 1, "sliceorientation_mixed": 2, "siemens_mosaic.dcm": "mosaic",
}


def compared(path):
    """One slice against pydicom, if it can decode it."""
    found = pydicom.dcmread(path)
    try:
        stored = found.pixel_array
    except Exception:  # each of its decoders has its own
        return False
    if found.get("NumberOfFrames", 1) != 1 or "PixelPaddingValue" in found:
        return False
    real = stored * float(found.get("RescaleSlope", 1)) + float(found.get("RescaleIntercept", 0))
    with Reader("dicom", path) as reader:
        check(numpy.allclose(reader.samples()[0], real, rtol=1e-6), "pydicom differs:", path)
    return True


def known():
    """The real files: facts that do not depend on the order of axes."""
    with open(os.path.join(TOP, "facts.json")) as file:
        rows = [row for row in json.load(file) if row["format"] == "dicom"]
    for row in rows:
        told, samples = read(os.path.join(TOP, row["name"]))
        if not check(samples is not None, row["name"], told):
            continue
        real = samples.astype("f8")
        padded = any("padded" in line for line in told["remarks"])
        check(told["size"] == row["dims"], row["name"], told["size"])
        check(padded or (numpy.isclose(real.min(), row["min"]) and abs(real.sum() - row["sum"]) <= 1e-6 * numpy.abs(real).sum()),
              row["name"], real.min(), real.sum())
        check(numpy.isclose(real.max(), row["max"], rtol=1e-6), row["name"], real.max())
        steps = numpy.array(told["steps"])
        if "slice_step" in row["info"]:
            check(numpy.allclose(steps[2], row["info"]["slice_step"], atol=2e-3), row["name"], steps)
        elif None not in (row["info"].get("spacing") or [None]):
            check(numpy.allclose(numpy.linalg.norm(steps, axis=1), row["info"]["spacing"], rtol=1e-4), row["name"], steps)
        if "origin" in row["info"]:
            check(numpy.allclose(told["origin"], row["info"]["origin"], atol=1e-3), row["name"], told["origin"])
        for fact in row["facts"]:
            found = met(real, fact["iso"])
            check(found == [fact["inside"], fact["active"], fact["vertices"]], row["name"], fact, found)
    check(len(rows) >= 17 - 1, "real files are missing")
    for name, expected in ODD.items():
        told, samples = read(os.path.join(TOP, "odd", name))
        check(expected == len(samples) if samples is not None else str(expected) in told["error"], name, told)
    with Reader("dicom", os.path.join(TOP, "odd", "JPEG2000-embedded-sequence-delimiter.dcm")) as reader:
        check("cannot decode frame 0" in reader.ask("block 0 256 0 1024 0 1"), "a broken stream")
    if pydicom is None:
        print("skipped: python3-pydicom is not installed, so slices are not compared with it")
    else:
        paths = [os.path.join(TOP, name) for row in rows if len(row["dims"]) < 3 or row["dims"][2] == 1 for name in row["files"]]
        paths += [os.path.join(TOP, "odd", name) for name in ODD if name.endswith(".dcm") and ODD[name] == 1]
        done = sum(compared(path) for path in paths)
        print(f"{done} of {len(paths)} slices compared with pydicom {pydicom.__version__}")
        check(done > 0, "pydicom read none of", paths)


with Folder() as folder:
    for part in order, gaps, causes, folders, flat, names, times, stored, frames, refusals, through:
        part(folder)
    if os.path.exists(os.path.join(TOP, "facts.json")):
        known()
    else:
        print("skipped: no real files at CUBIST_DATA")
finish()
