#!/usr/bin/python3
# ctest: plain
"""No output replaces a file of its input: a slice of a folder, a data file of a header, or the header,
under its own name or by a link. Each is refused with exit code 2 before anything is written, even
without a device. RUNS has every option of every command that names files to write; a new one that it
lacks is found by the help texts."""
import os
import struct
import subprocess
import zlib

import helptext
from cli import *
import zarr_files
from volume_bytes import cube, dx, mgh, mrc, npy, npz, slc

WIDTH, HEIGHT, DEPTH = 6, 5, 4
SAMPLES = bytes((7 * i) % 251 for i in range(WIDTH * HEIGHT * DEPTH))
SLICES = [SAMPLES[z * WIDTH * HEIGHT:(z + 1) * WIDTH * HEIGHT] for z in range(DEPTH)]


def png_of(pixels, width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + pixels[y * width:(y + 1) * width] for y in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def png(pixels):
    return png_of(pixels, WIDTH, HEIGHT)


def tiff(pixels):
    tags = [(256, WIDTH), (257, HEIGHT), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, HEIGHT),
            (279, len(pixels))]
    pixels += b"\0" * (len(pixels) % 2)
    return b"II*\0" + struct.pack("<I", 8 + len(pixels)) + pixels + struct.pack("<H", len(tags)) + \
        b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags) + struct.pack("<I", 0)


def nifti(magic, offset):
    header = bytearray(348)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, 3, WIDTH, HEIGHT, DEPTH, 1, 1, 1, 1)
    struct.pack_into("<hh", header, 70, 2, 8)
    struct.pack_into("<8f", header, 76, 1, 1, 1, 1, 0, 0, 0, 0)
    struct.pack_into("<f", header, 108, offset)
    header[344:348] = magic
    return bytes(header)


NRRD = f"NRRD0004\ntype: uchar\ndimension: 3\nsizes: {WIDTH} {HEIGHT} {DEPTH}\nencoding: raw\n"
META = f"NDims = 3\nDimSize = {WIDTH} {HEIGHT} {DEPTH}\nElementType = MET_UCHAR\n"


def volumes():
    """Name of the input, and the files that it consists of."""
    numbered = {f"{z}.raw": SLICES[z] for z in range(DEPTH)}
    names = "\n".join(numbered)
    raw = f"a_{WIDTH}x{HEIGHT}x{DEPTH}_uint8.raw"
    yield raw, {raw: SAMPLES}
    yield "slices", {f"slices/slices-{z:04}.png": png(SLICES[z]) for z in range(DEPTH)}
    yield "pages", {f"pages/{z}.tif": tiff(SLICES[z]) for z in range(DEPTH)}
    yield "a.nrrd", {"a.nrrd": NRRD.encode() + b"\n" + SAMPLES}
    yield "a.nhdr", {"a.nhdr": f"{NRRD}data file: a.bin\n".encode(), "a.bin": SAMPLES}
    yield "list.nhdr", {"list.nhdr": f"{NRRD}data file: LIST\n{names}\n".encode(), **numbered}
    yield "pattern.nhdr", {"pattern.nhdr": f"{NRRD}data file: %d.raw 0 {DEPTH - 1} 1\n".encode(), **numbered}
    yield "a.mhd", {"a.mhd": f"{META}ElementDataFile = a.bin\n".encode(), "a.bin": SAMPLES}
    yield "list.mhd", {"list.mhd": f"{META}ElementDataFile = LIST\n{names}\n".encode(), **numbered}
    yield "pattern.mhd", {"pattern.mhd": f"{META}ElementDataFile = %d.raw 0 {DEPTH - 1} 1\n".encode(), **numbered}
    yield "a.hdr", {"a.hdr": nifti(b"ni1\0", 0), "a.img": SAMPLES}
    yield "a.img", {"a.hdr": nifti(b"ni1\0", 0), "a.img": SAMPLES}
    yield "a.nii", {"a.nii": nifti(b"n+1\0", 352) + bytes(4) + SAMPLES}
    yield "a.vtk", {"a.vtk": f"# vtk DataFile Version 3.0\nx\nBINARY\nDATASET STRUCTURED_POINTS\n"
                             f"DIMENSIONS {WIDTH} {HEIGHT} {DEPTH}\nSPACING 1 1 1\nORIGIN 0 0 0\n"
                             f"POINT_DATA {len(SAMPLES)}\nSCALARS s unsigned_char 1\nLOOKUP_TABLE default\n".encode() + SAMPLES}
    extent = f"0 {WIDTH - 1} 0 {HEIGHT - 1} 0 {DEPTH - 1}"
    yield "a.vti", {"a.vti": f'<VTKFile type="ImageData" byte_order="LittleEndian"><ImageData WholeExtent="{extent}" '
                             f'Origin="0 0 0" Spacing="1 1 1"><Piece Extent="{extent}"><PointData Scalars="s"><DataArray '
                             f'type="UInt8" Name="s" format="ascii">{" ".join(map(str, SAMPLES))}</DataArray></PointData>'
                             f'</Piece></ImageData></VTKFile>'.encode()}
    yield "a.mrc", {"a.mrc": mrc((WIDTH, HEIGHT, DEPTH), SAMPLES)}
    yield "a.mgh", {"a.mgh": mgh((WIDTH, HEIGHT, DEPTH), SAMPLES)}
    yield "a.slc", {"a.slc": slc((WIDTH, HEIGHT, DEPTH), SAMPLES)}
    yield "a.cube", {"a.cube": cube((WIDTH, HEIGHT, DEPTH), SAMPLES)}
    yield "a.dx", {"a.dx": dx((WIDTH, HEIGHT, DEPTH), SAMPLES)}
    yield "a.npy", {"a.npy": npy((WIDTH, HEIGHT, DEPTH), SAMPLES)}
    yield "a.npz", {"a.npz": npz((WIDTH, HEIGHT, DEPTH), SAMPLES)}
    yield "a.bov", {"a.bov": f"DATA_FILE: a.bin\nDATA_SIZE: {WIDTH} {HEIGHT} {DEPTH}\nDATA_FORMAT: BYTE\n".encode(), "a.bin": SAMPLES}
    # The whole folder is the input: test_volumes_zarr_stores.py has files in it that are not there yet.
    yield "a.zarr", {"a.zarr/" + name: data for name, data in zarr_files.zarr2(SAMPLES, (DEPTH, HEIGHT, WIDTH), (DEPTH, HEIGHT, WIDTH)).items()}
    yield "a.dat", {"a.dat": f"RawFile: a.bin\nResolution: {WIDTH} {HEIGHT} {DEPTH}\nFormat: UINT8\n".encode(),
                    "a.bin": SAMPLES}


def write(top, files):
    for name, data in files.items():
        path = os.path.join(top, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)


def picture(*args):
    """Where only pictures are written."""
    return lambda name, target: [*args, name, "--iso", "90", "-o", target] if target.endswith(".png") else None


def frames(name, target):
    """The frames 0 to 3; the target must be one of them."""
    number = next((f"{z:04}.png" for z in range(DEPTH) if target.endswith(f"{z:04}.png")), None)
    return number and ["animate", name, "--iso", "90", "--frames", "4", "-o", target[:-len(number)] + "{n}.png"]


def pictures(name, target):
    """The pictures FOLDER/NAME-ISOVALUE-VIEW.png of any isovalue."""
    folder, file = os.path.split(target)
    return ["bench", "cast", name, "--images", folder or "."] if file.startswith(name + "-") else None


# For each option that names what is written: the command line that writes `target`, from the volume `name`; None
# where no such file is written. Those without a function are tried on their own.
RUNS = {
    ("convert", "output"): lambda name, target: ["convert", name, "-o", target, "--format", "nrrd"],
    ("extract", "output"): lambda name, target: ["extract", name, "--iso", "90", "-o", target, "--format", "ply"],
    ("render", "output"): picture("render"),
    ("animate", "output"): frames,
    ("view", "trace"): lambda name, target: ["view", name, "--trace", target],  # without a display
    # A temporary file beside the target comes and goes, so the time of its folder changes.
    ("bench", "csv"): lambda name, target: None if "/" in target else ["bench", "cast", name, "--csv", target],
    ("bench", "images"): pictures,
    ("extract", "resume"): None,  # shares
    ("merge", "output"): None,  # reads shares
    ("generate", "output"): None,  # reads nothing
}
READS = {"session", "to", "image"}  # options with names of files that are read


def every_option():
    found = {(command, option.name) for command, options in helptext.commands().items() for option in options
             if re.search("FILE|FOLDER", option.value) and option.name not in READS}
    check(found == set(RUNS), "options that write, without a run here, and runs without an option:", found ^ set(RUNS))


def refuses(top, args, **more):
    before = snapshot(top)
    refused(cubist(*args, env=NO_DRIVER, **{"cwd": top, **more}), 2, "is part of the input", top, before)


def every_part(top):
    missing = formats_without([name for volume, files in volumes() for name in (volume, *files)])
    check(not missing, "formats without a volume in this test:", *missing)
    tried = set()
    for name, files in volumes():
        folder = os.path.join(top, "of-" + name)
        write(folder, files)
        ran = cubist("info", name, env=NO_DRIVER, cwd=folder)
        check(ran.code == 0 and ("6 x 5 x 4" in ran.out or "4 x 5 x 6" in ran.out), name, "is a volume:", ran)
        parts = sorted(files)
        for part in parts if len(parts) < 3 else [parts[0], parts[-1]]:
            hard, soft = os.path.join(folder, "hard"), os.path.join(folder, "soft")
            os.link(os.path.join(folder, part), hard)
            os.symlink(part, soft)
            for target in hard, "soft", os.path.join(folder, part):
                refuses(folder, RUNS["convert", "output"](name, target))
            for option, run in RUNS.items():
                args = run and run(name, part)
                if args:
                    tried.add(option)
                    refuses(folder, args)
            os.remove(hard)
            os.remove(soft)
        # A file beside them is none of them.
        ran = cubist("convert", name, "-o", "beside.nrrd", env=NO_DRIVER, cwd=folder)
        check(ran.code == 0, "a file beside the input:", ran)
    check(tried == {option for option, run in RUNS.items() if run}, "options that were not tried:", tried)


def one_of_many(top):
    """Each name of a numbered series is compared, with links, also where the first ones are free."""
    folder = os.path.join(top, "s")
    write(folder, {f"{z + 1:04}.png": png(SLICES[z]) for z in range(DEPTH)})
    whole = b"".join(SLICES)
    write(top, {"a_0002.png": png_of(whole, WIDTH, HEIGHT * DEPTH)})
    os.link(os.path.join(folder, "0003.png"), os.path.join(top, "hard_0001.png"))
    os.symlink("s/0004.png", os.path.join(top, "soft_0002.png"))
    os.symlink("s", os.path.join(top, "t"))
    for output, *more in (["s/{n}.png"], ["s/{n}.png", "--from", "2"], ["./t/{n}.png"], ["hard_{n}.png"],
                          ["soft_{n}.png"], ["../s/{n}.png"]):
        at = folder if output.startswith("..") else top
        refuses(top, ["animate", folder, "--iso", "90", "--frames", "3", "-o", output, *more], cwd=at)
    refuses(top, ["animate", "a_0002.png", "--atlas", f"1x{DEPTH}", "--frames", "3", "-o", "a_{n}.png"])
    os.link(os.path.join(folder, "0001.png"), os.path.join(top, "film.y4m"))
    refuses(top, ["animate", "s", "--frames", "2", "-o", "film.y4m"])


def other_ways(top):
    write(top, dict(files for _name, files in [next(volumes())] for files in files.items()))
    raw = next(volumes())[0]
    with open(os.path.join(top, raw), "rb") as file:
        before = snapshot(top)
        done = subprocess.run([CUBIST, "convert", "-", "-o", raw, "--dims", "6x5x4", "--type", "uint8"], stdin=file,
                              cwd=top, env=NO_DRIVER, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        refused(Ran(["<", raw], done.returncode, done.stdout.decode(), done.stderr.decode()), 2,
                "part of the input, as 'standard input'", top, before)
    with open(os.path.join(top, raw), "r+b") as file:
        before = snapshot(top)
        done = subprocess.run([CUBIST, "convert", raw, "-o", "-"], stdout=file, stderr=subprocess.PIPE, cwd=top,
                              env=NO_DRIVER, timeout=60)
        refused(Ran([">", raw], done.returncode, "", done.stderr.decode()), 2, "'standard output' is part of the input",
                top, before)
    picture = os.path.join(top, "mask.png")
    write(top, {"mask.png": png(SLICES[0])})
    devices = cubist("devices").code == 0
    if not devices:
        print("not tried: bench, which opens a device first")
        return
    before = snapshot(top)
    refused(cubist("bench", "compaction", "--image", picture, "--size", "4K", "--csv", picture), 2, "is part of the input", top, before)
    refused(cubist("bench", "compaction", "--rerun", "ink-extraction", raw, "--csv", raw, cwd=top), 2, "is part of the input", top, before)
    with Folder() as work:
        shares(raw, top, work)


def shares(raw, top, work):
    made = [os.path.join(work, f"{k}.share") for k in (1, 2)]
    for k, path in enumerate(made):
        check(cubist("extract", raw, "--iso", "90", "--share", f"{k + 1}/2", "-o", path, "-q", cwd=top).code == 0, path)
    link = os.path.join(work, "link.ply")
    os.link(made[1], link)
    for target in made[0], link:
        refuses(work, ["merge", *made, "-o", target, "--format", "ply"])
    # A name of a share is taken by the input.
    folder = os.path.join(work, "folder")
    os.mkdir(folder)
    os.link(os.path.join(top, raw), os.path.join(folder, f"layers_{0:010}-{DEPTH - 2:010}.share"))
    before = snapshot(top)
    refused(cubist("extract", raw, "--iso", "90", "--resume", folder, cwd=top), 3, "is not a share", top, before)


# Nothing is drawn here: without a display the trace of `view` is looked at all the same.
for name in "DISPLAY", "WAYLAND_DISPLAY":
    os.environ.pop(name, None)
    NO_DRIVER.pop(name, None)
every_option()
with Folder() as folder:
    every_part(folder)
with Folder() as folder:
    one_of_many(folder)
with Folder() as folder:
    other_ways(folder)
finish()
