#!/usr/bin/python3
"""convert: its files are read back by independent code and compared with numpy's result, sample by sample.
Then cubist itself reads them back."""
import gzip
import os
import re
import resource
import shutil
import subprocess

from cli import *

try:
    import numpy as np
except ImportError:
    skip("python3-numpy is not installed")

TYPES = "uint8 int8 uint16 int16 uint32 int32 float32 float64".split()
rng = np.random.default_rng(11)


def read_nrrd(path):
    """Strict: (samples as z, y, x; fields)."""
    with open(path, "rb") as file:
        data = file.read()
    return parse_nrrd(data)


def parse_nrrd(data):
    end = data.index(b"\n\n") + 2
    lines = data[:end].decode("ascii").splitlines()
    assert lines[0] == "NRRD0004", lines[0]
    fields = {}
    for line in lines[1:-1]:
        if not line.startswith("#"):
            key, value = line.split(": ", 1)
            assert key not in fields, key
            fields[key] = value
    assert fields["dimension"] == "3" and fields["kinds"] == "domain domain domain"
    kind = np.dtype({"float": "float32", "double": "float64"}.get(fields["type"], fields["type"]))
    assert ("endian" in fields) == (kind.itemsize > 1) and fields.get("endian", "little") == "little"
    body = data[end:]
    assert fields["encoding"] in ("raw", "gzip")
    if fields["encoding"] == "gzip":
        assert body[4:8] == bytes(4), "the time is in it"
        body = gzip.decompress(body)
    sizes = [int(n) for n in fields["sizes"].split()]
    assert len(body) == np.prod(sizes) * kind.itemsize, "size"
    vectors = [[float(x) for x in v.split(",")] for v in re.findall(r"\(([^()]*)\)", fields["space directions"])]
    origin = [float(x) for x in fields["space origin"].strip("()").split(",")]
    assert len(vectors) == 3 and all(len(v) == 3 for v in vectors) and len(origin) == 3
    samples = np.frombuffer(body, kind.newbyteorder("<")).reshape(sizes[::-1])
    return samples.astype(kind), {"vectors": vectors, "origin": origin, **fields}


def generated(folder):
    """generate writes what convert writes, with the same bytes."""
    for kind, extra in ("uint8", []), ("int16", ["--gzip"]), ("float64", ["--format", "nrrd"]):
        raw = sample(folder, "torus", "13x12x11", kind)
        made = [os.path.join(folder, name + ("" if "--format" in extra else ".nrrd")) for name in "ab"]
        ran = cubist("generate", "torus", "--dims", "13x12x11", "--type", kind, "-o", made[0], *extra, env=NO_DRIVER)
        check(ran.code == 0 and not ran.err, "generate:", ran)
        cubist("convert", raw, "--type", kind, "-o", made[1], *extra, env=NO_DRIVER)
        bodies = [open(path, "rb").read() for path in made]
        check(bodies[0][:8] == b"NRRD0004" and bodies[0] == bodies[1], kind, extra, "differs")
    packed = os.path.join(folder, "g_13x12x11_uint8.raw.gz")
    cubist("generate", "torus", "--dims", "13x12x11", "-o", packed, env=NO_DRIVER)
    with open(sample(folder, "torus", "13x12x11"), "rb") as file:
        check(gzip.open(packed).read() == file.read(), ".raw.gz differs")
    # Without an extension it is raw, as it has always been.
    ran = cubist("generate", "torus", "--dims", "13x12x11", "-o", "-", text=False, env=NO_DRIVER)
    check(ran.code == 0 and ran.out == gzip.open(packed).read(), "standard output:", ran.code)


def write_raw(folder, name, values):
    values = np.asarray(values)
    depth, height, width = values.shape
    path = os.path.join(folder, f"{name}_{width}x{height}x{depth}_{values.dtype}.raw")
    values.astype(values.dtype.newbyteorder("<")).tofile(path)
    return path


def noise(kind, shape=(7, 9, 11)):
    kind = np.dtype(kind)
    if kind.kind == "f":
        return rng.normal(0, 1000, shape).astype(kind)
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    return rng.integers(low, high, shape, kind, endpoint=True)


def convert(*args, words=None):
    """Runs it without a device; what stands on stderr must match `words`, nothing without."""
    ran = cubist("convert", *args, env=NO_DRIVER, text=False)
    check(ran.code == 0, ran)
    check(bool(re.search(words, ran.err)) if words else ran.err == "", f"stderr, expected {words}:", ran)
    return ran


def same(found, wanted, *what):
    check(found.dtype == wanted.dtype and found.shape == wanted.shape and
          found.tobytes() == wanted.tobytes(), "other samples:", *what, found.dtype, wanted.dtype, found.shape, wanted.shape)


def as_it_is(folder):
    """Every type, raw and gzip, NRRD and raw, and back."""
    for kind in TYPES:
        values = noise(kind)
        raw = write_raw(folder, "noise", values)
        note = "float64 samples were rounded to float32" if kind == "float64" else None
        kept = values.astype("float32") if kind == "float64" else values
        for more in [], ["--gzip"]:
            nrrd = os.path.join(folder, "noise.nrrd")
            convert(raw, "-o", nrrd, "--spacing", "0.5,2,3e-5", *more, words=note)
            found, fields = read_nrrd(nrrd)
            same(found, kept, kind, more)
            check(fields["vectors"] == [[0.5, 0, 0], [0, 2, 0], [0, 0, 3e-5]] and fields["origin"] == [0, 0, 0], fields)
            check(fields["space dimension"] == "3" and "space" not in fields, "a space that nobody named:", fields)
            check(fields["encoding"] == ("gzip" if more else "raw"), fields)
            for ending in ".raw", ".raw.gz":
                back = os.path.join(folder, f"back_11x9x7_{kept.dtype}{ending}")
                convert(nrrd, "-o", back, words="keeps no spacing")
                with (gzip.open if ending == ".raw.gz" else open)(back, "rb") as file:
                    check(file.read() == kept.astype(kept.dtype.newbyteorder("<")).tobytes(), "raw:", kind, ending)
                check(cubist("info", back, "--json").json()["type"] == str(kept.dtype), "the name opens:", back)
    # More than one buffer of what cannot be compressed.
    values = noise("float32", (40, 50, 60))
    nrrd = os.path.join(folder, "large.nrrd")
    convert(write_raw(folder, "large", values), "-o", nrrd, "--gzip")
    same(read_nrrd(nrrd)[0], values, "large")
    # 64 bits on demand.
    values = noise("float32")
    raw = write_raw(folder, "wide", values)
    nrrd = os.path.join(folder, "wide.nrrd")
    convert(raw, "-o", nrrd, "--type", "float64")
    same(read_nrrd(nrrd)[0], values.astype("float64"), "widened")


def cropped(folder):
    values = noise("int16", (12, 10, 21))
    raw = write_raw(folder, "part", values)
    out = os.path.join(folder, "part.nrrd")
    table = [
        # crop, stride, slices z y x, first sample
        ("0:21,0:10,0:12", None, np.s_[:, :, :], (0, 0, 0)),
        (":,:,:", "1", np.s_[:, :, :], (0, 0, 0)),
        ("3:9,:,2:", None, np.s_[2:, :, 3:9], (3, 0, 2)),
        ("4:,:,:", None, np.s_[:, :, 4:], (4, 0, 0)),
        (":,:,:5", None, np.s_[:5, :, :], (0, 0, 0)),
        ("19:21,8:,:2", None, np.s_[:2, 8:, 19:], (19, 8, 0)),
        (None, "2", np.s_[::2, ::2, ::2], (0, 0, 0)),
        (None, "9", np.s_[::9, ::9, ::9], (0, 0, 0)),
        ("1:20,1:8,5:12", "3", np.s_[5:12:3, 1:8:3, 1:20:3], (1, 1, 5)),
        ("1:6,1:6,5:10", "4", np.s_[5:10:4, 1:6:4, 1:6:4], (1, 1, 5)),
    ]
    spacing = np.array([0.5, 2, 0.1])
    for crop, stride, part, first in table:
        args = (["--crop", crop] if crop else []) + (["--stride", stride] if stride else [])
        convert(raw, "-o", out, "--spacing", "0.5,2,0.1", *args)
        found, fields = read_nrrd(out)
        same(found, values[part], args)
        step = spacing * int(stride or 1)
        check(np.allclose(fields["vectors"], np.diag(step), rtol=1e-15, atol=0), "step:", args, fields["vectors"])
        check(np.allclose(fields["origin"], spacing * first, rtol=1e-15, atol=0), "origin:", args, fields["origin"])


def retyped(folder):
    """Against numpy: rint, clip, astype; counts in the warnings."""
    out = os.path.join(folder, "typed.nrrd")
    edge = [-2**31, -32769, -32768, -129, -128, -1, 0, 1, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2**31 - 1]
    halves = [-1.5, -0.5, -0.4, 0.5, 1.5, 2.5, 254.5, 255.4, 255.5, 255.6, -128.5, -128.6, 0.0]
    sources = {
        "int32": np.resize(np.array(edge, "int32"), (3, 4, 5)),
        "uint32": np.resize(np.array([0, 1, 255, 256, 65536, 2**24 + 1, 2**31, 2**32 - 1], "uint32"), (3, 4, 5)),
        "float32": np.resize(np.array(edge + halves + [1e30, -1e30, 2**32 - 256, 2**32], "float32"), (4, 4, 5)),
        "uint8": np.resize(np.arange(256, dtype="uint8"), (8, 8, 4)),
        "int8": np.resize(np.arange(-128, 128, dtype="int8"), (8, 8, 4)),
    }
    for source, values in sources.items():
        raw = write_raw(folder, "typed", values)
        for kind in TYPES:
            exact = values.astype("float64")
            if kind.startswith("float"):
                wanted = values.astype("float32").astype(kind)  # kept as float32 in between
                clamped, rounded = 0, int((wanted.astype("float64") != exact).sum())
            else:
                info = np.iinfo(kind)
                whole = np.rint(exact)
                wanted = np.clip(whole, info.min, info.max).astype(kind)
                outside = (whole < info.min) | (whole > info.max)
                clamped, rounded = int(outside.sum()), int(((whole != exact) & ~outside).sum())
            ran = convert(raw, "-o", out, "--type", kind, words="." if clamped or rounded else None)
            same(read_nrrd(out)[0], wanted, source, "to", kind)
            said = re.search(rf"warning: ([\d,]+) samples are outside the range of {kind} and were clamped\n", ran.err)
            check((int(said[1].replace(",", "")) if said else 0) == clamped, f"expected {clamped} clamped:", ran)
            said = re.search(rf"warning: ([\d,]+) samples were rounded to values of {kind}\n", ran.err)
            check((int(said[1].replace(",", "")) if said else 0) == rounded, f"expected {rounded} rounded:", ran)
    values = np.zeros((2, 2, 3), np.float32)
    values.ravel()[:5] = np.nan, np.inf, -np.inf, 7, 300
    raw = write_raw(folder, "odd", values)
    ran = convert(raw, "-o", out, "--type", "u8", words="warning: 3 samples are not finite")
    check(read_nrrd(out)[0].ravel()[:5].tolist() == [0, 255, 0, 7, 255], "not finite:", read_nrrd(out)[0])
    check("1 samples are outside" in ran.err, "clamped:", ran)
    convert(raw, "-o", out, "--type", "float64")
    check(np.array_equal(read_nrrd(out)[0], values.astype(float), equal_nan=True), "NaN and infinity stay")
    # What a raw file's own type is, is said with another option.
    bare = os.path.join(folder, "bare.bin")
    noise("int16").astype("<i2").tofile(bare)
    convert(bare, "-o", out, "--dims", "11x9x7", "--input-type", "int16", "--type", "float32")
    with open(bare, "rb") as file:
        want = np.frombuffer(file.read(), "<i2").reshape(7, 9, 11).astype("float32")
    same(read_nrrd(out)[0], want, "--input-type")


def placed(folder):
    """Directions, origin and frame go through; of a crop, the surface stays where it was."""
    values = noise("uint8", (8, 9, 10))
    source = os.path.join(folder, "placed.nrrd")
    vectors = np.array([[0, 0.5, 0], [-0.6, 0, 0.8], [2.4, 0, 1.8]])  # columns with lengths 0.5, 1, 3
    origin = np.array([10.25, -100 / 3, 1e-3])
    for space, sign in (("left-posterior-superior", (1, 1, 1)), ("RAS", (-1, -1, 1)), (None, (1, 1, 1))):
        text = "NRRD0004\ntype: uchar\ndimension: 3\n" + (f"space: {space}\n" if space else "space dimension: 3\n") + \
            "sizes: 10 9 8\nspace directions: " + " ".join(f"({','.join(map(repr, v))})" for v in vectors.tolist()) + \
            f"\nspace origin: ({','.join(map(repr, origin.tolist()))})\nencoding: raw\n\n"
        with open(source, "wb") as file:
            file.write(text.encode() + values.tobytes())
        out = os.path.join(folder, "placed_out.nrrd")
        convert(source, "-o", out, "--crop", "2:,3:9,1:7", "--stride", "2")
        found, fields = read_nrrd(out)
        same(found, values[1:7:2, 3:9:2, 2::2], space)
        check(np.allclose(fields["vectors"], 2 * vectors * sign, rtol=1e-14, atol=1e-12), space, fields["vectors"])
        check(np.allclose(fields["origin"], (origin + [2, 3, 1] @ vectors) * sign, rtol=1e-14, atol=1e-12), space, fields["origin"])
        check(fields.get("space") == ("left-posterior-superior" if space else None), space, fields)


def outputs(folder):
    raw = write_raw(folder, "some", noise("uint16"))
    plain = os.path.join(folder, "plain.nrrd")
    convert(raw, "-o", plain)
    with open(plain, "rb") as file:
        wanted = file.read()
    with open(raw, "rb") as file:
        samples = file.read()
    check(convert(raw, "-o", "-").out == wanted, "standard output is NRRD")
    check(convert(raw, "-o", "-", "--format", "raw").out == samples, "standard output with --format raw")
    found, _ = parse_nrrd(convert(raw, "-o", "-", "--format", "NRRD", "--gzip").out)
    check(found.tobytes() == samples, "compressed to standard output")
    # The format's name wins over the file's.
    other = os.path.join(folder, "other.raw")
    convert(raw, "-o", other, "--format", "nrrd")
    with open(other, "rb") as file:
        check(file.read() == wanted, "--format wins")
    bare = os.path.join(folder, "bare")
    convert(raw, "-o", bare)
    with open(bare, "rb") as file:
        check(file.read() == wanted, "no extension is NRRD")
    # A name that does not open by itself, and one that would open wrong.
    suggestion = "named {}_11x9x7_uint16.raw it opens by itself"
    convert(raw, "-o", os.path.join(folder, "thing.raw"), words="does not say what is in.*" + suggestion.format("thing"))
    convert(raw, "-o", os.path.join(folder, "thing_5x9x7_uint16.raw"), words="something else.*" + suggestion.format("thing"))
    convert(raw, "-o", os.path.join(folder, "a.b-2x3-thing_11x9x7_int16.raw"),
            words="something else.*" + suggestion.format("a.b-2x3-thing"))
    convert(raw, "-o", os.path.join(folder, "thing_11x9x7_u16_be.raw"), words="something else.*" + suggestion.format("thing"))
    ran = convert(raw, "-o", os.path.join(folder, "\033[31mred.raw"), words=r"named \\x1b\[31mred_11x9x7")
    check(all(c.isprintable() or c == "\n" for c in ran.err), "expected printable text:", ran)
    convert(raw, "-o", os.path.join(folder, "thing.11x9x7.uint16.raw"))
    # Refused, and nothing changed.
    before = snapshot(folder)
    for more in [], ["--gzip"], ["--format", "raw"]:
        refused(cubist("convert", raw, "-o", "/dev/full", *more, env=NO_DRIVER), 5, "/dev/full.*No space left", folder, before)
    refused(cubist("convert", raw, env=NO_DRIVER), 2, "such as -o some.nrrd", folder, before)
    refused(cubist("convert", raw + ".none", "-o", plain, env=NO_DRIVER), 3, "No such file", folder, before)
    refused(cubist("convert", raw, "-o", plain, "--dims", "11x9x8", env=NO_DRIVER), 3, ".", folder, before)
    # A header's samples may not be written over either, under whatever name.
    header = os.path.join(folder, "apart.nhdr")
    with open(header, "w") as file:
        file.write(f"NRRD0004\ntype: ushort\ndimension: 3\nsizes: 11 9 7\nendian: little\nencoding: raw\n"
                   f"data file: {os.path.basename(raw)}\n")
    link = os.path.join(folder, "link_11x9x7_uint16.raw")
    os.symlink(raw, link)
    before = snapshot(folder)
    for target in raw, link:
        for more in [], ["--crop", "2:,:,:"], ["--format", "nrrd"]:
            refused(cubist("convert", header, "-o", target, *more, env=NO_DRIVER), 2,
                    "is part of the input.*: the output needs a name of its own", folder, before)
        refused(cubist("extract", header, "-o", target, "--format", "ply", env=NO_DRIVER), 2, "is part of the input", folder,
                before)
    convert(header, "-o", os.path.join(folder, "copy_11x9x7_uint16.raw"))
    limit = 4096
    big = write_raw(folder, "big", noise("float32", (20, 20, 20)))
    before = snapshot(folder)
    for name in "plain.nrrd", "new.nrrd", "new_20x20x20_float32.raw.gz":
        refused(cubist("convert", big, "-o", os.path.join(folder, name), env=NO_DRIVER,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))),
                5, "too large|written", folder, before)


def through_vtk(folder):
    if subprocess.run([PYTHON, "-c", "import vtkmodules"], stderr=subprocess.DEVNULL).returncode != 0:
        print("not tried: python3-vtk9 is not installed, so VTK has read nothing")
        return
    # Of VTK its reader alone: all of it puts a parallel one in its place, which wants MPI.
    script = "import sys, numpy as np\nfrom vtkmodules.vtkIOImage import vtkNrrdReader\n" \
             "from vtkmodules.util.numpy_support import vtk_to_numpy\nfor path in sys.argv[1:]:\n" \
             "    r = vtkNrrdReader(); r.SetFileName(path); r.Update(); o = r.GetOutput()\n" \
             "    np.savez(path + '.npz', d=o.GetDimensions(), s=o.GetSpacing(),\n" \
             "             v=vtk_to_numpy(o.GetPointData().GetScalars()))"
    wanted = {}
    for kind in TYPES:
        values = noise(kind, (5, 6, 12))  # fewer than ten along x are components to VTK
        raw = write_raw(folder, "vtk", values)
        path = os.path.join(folder, kind + ".nrrd")
        wanted[path] = values.astype("float32") if kind == "float64" else values
        cubist("convert", raw, "-o", path, "--spacing", "0.5,2,3", env=NO_DRIVER)
    done = subprocess.run([PYTHON, "-c", script, *wanted], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=60)
    if check(done.returncode == 0, "VTK:", done.stdout[-500:]):
        for path, values in wanted.items():
            with np.load(path + ".npz") as found:
                check(found["d"].tolist() == [12, 6, 5] and found["s"].tolist() == [0.5, 2, 3], "VTK:", path, dict(found))
                same(found["v"].reshape(5, 6, 12), values, "VTK on", os.path.basename(path))


def through_teem(folder):
    unu = shutil.which("unu") or shutil.which("teem-unu")
    if not unu:
        print("not tried: teem-apps is not installed, so unu has read nothing")
        return
    for kind in TYPES:
        values = noise(kind, (5, 6, 7))
        raw = write_raw(folder, "unu", values)
        path = os.path.join(folder, "unu.nrrd")
        for more in [], ["--gzip"]:
            cubist("convert", raw, "-o", path, *more, env=NO_DRIVER)
            done = subprocess.run([unu, "save", "-f", "nrrd", "-e", "raw", "-i", path], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=60)
            want = values.astype("float32") if kind == "float64" else values
            check(done.returncode == 0 and not done.stderr and done.stdout.endswith(b"\n\n" + want.tobytes()) and
                  b"\nsizes: 7 6 5\n" in done.stdout, "unu reads something else:", kind, more, done.stderr)


for part in as_it_is, cropped, retyped, placed, generated, outputs, through_vtk, through_teem:
    with Folder() as top:
        part(top)
finish()
