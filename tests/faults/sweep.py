"""Shared by the fault tests: small runs of every command, how to run one, and what must hold.

Each test makes one thing fail in a run: an allocation, a system call, the disk, or the whole process.
After each run `judge` makes the same checks: the right exit code, one clear line, the old output or
the complete new one, and nothing left behind.
"""
import base64
import concurrent.futures
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

from cli import CUBIST, check, failures, finish, formats_without, formats_written, skip
import zarr_files
from volume_bytes import cube, dx, mgh, mrc, npy, npz, slc

DIMS = (24, 20, 16)
NAME = "s_24x20x16_uint8.raw"
OLD = b"an older file\n" * 700  # longer than some outputs and shorter than others
PATIENCE = 60  # seconds after which a run hangs
# "share": what the default run tries. "whole": everything.
WHOLE = os.environ.get("FAULTS", "share") == "whole"
AT_ONCE = int(os.environ.get("FAULTS_AT_ONCE", "2"))


class Case:
    """A run of cubist. `args` may contain names of inputs. `output`: the file that it writes. `device`: it
    opens one. `share`: the default run tries one failing allocation in so many; 0: none. `steady`: standard
    output has the same bytes each time. `timed`: the output contains times, which differ."""

    def __init__(self, name, args, output=None, device=False, share=0, stdin=None, display=False,
                 steady=None, env=None, timed=False):
        self.name, self.args, self.output, self.device = name, args.split(), output, device
        self.share, self.stdin, self.display, self.env = share, stdin, display, env or {}
        self.steady = not device if steady is None else steady
        self.timed = timed


READ = [("raw", NAME, ""), ("raw-gz", NAME + ".gz", ""), ("nrrd", "s.nrrd", ""),
        ("nrrd-gz", "sgz.nrrd", ""), ("nrrd-list", "list.nhdr", ""), ("mha", "s.mha", ""),
        ("mha-z", "sz.mha", ""), ("mhd", "s.mhd", ""), ("nii", "s.nii", ""),
        ("nii-gz", "s.nii.gz", ""), ("vti", "s.vti", ""), ("vti-z", "sz.vti", ""),
        ("vtk", "s.vtk", ""), ("vtk-ascii", "sa.vtk", ""), ("dat", "s.dat", ""),
        ("npy", "s.npy", ""), ("npy-gz", "s.npy.gz", ""), ("mrc", "s.mrc", ""),
        ("mgh", "s.mgh", ""), ("slc", "s.slc", ""), ("cube", "s.cube", ""), ("dx", "s.dx", ""), ("zarr", "s.zarr", ""),
        ("npz", "s.npz", ""), ("bov", "s.bov", ""),
        ("tiff", "s.tif", ""), ("tiff-z", "sz.tif", ""), ("tiff-folder", "tiffs", ""),
        ("png-folder", "pngs", ""), ("atlas", "atlas.png", " --atlas 4x4")]

check(not formats_without([file for _, file, _ in READ]), "formats without a file in READ:",
      *formats_without([file for _, file, _ in READ]))

SHARES = {"nrrd": 3, "nrrd-list": 37, "vti": 9, "vti-z": 9, "tiff": 61, "tiff-z": 67, "tiff-folder": 97,
          "png-folder": 13}

MESHES = formats_written("meshes")

# Without it the camera fits what is shown, and the whole volume where there is no memory to find that.
PLACED = "--camera 12,10,8,50,0.8,0.4,-0.3,-0.3"

CASES = [
    *[Case("info-" + name, f"info {file}{more}", share=SHARES.get(name, 5)) for name, file, more in READ],
    *[Case("parts-" + name, f"extract {file}{more} --memory-budget 1 -o out.stl", "out.stl", True)
      for name, file, more in READ if name not in ("raw", "nrrd")],
    Case("info-json", f"info {NAME} --json", share=41),
    Case("info-stdin", "info - --dims 24x20x16 --type uint8", stdin=NAME, share=1),
    Case("generate", "generate sphere --dims 24x20x16 -o out.raw", "out.raw", share=3),
    Case("generate-stdout", "generate sphere --dims 24x20x16 -o -", share=3),
    Case("convert-raw", f"convert {NAME} --crop 1:23,:,2:15 -o out.raw", "out.raw", share=2),
    Case("convert-raw-gz", f"convert {NAME} -o out.raw.gz", "out.raw.gz", share=5),
    Case("convert-nrrd", f"convert {NAME} --type float32 -o out.nrrd", "out.nrrd", share=5),
    Case("convert-nrrd-gz", f"convert {NAME} --stride 2 --gzip -o out.nrrd", "out.nrrd", share=5),
    Case("help", "extract --help", share=1),
    Case("manual", "--print man", share=1),
    Case("formats", "--list-formats", share=1),
    Case("devices", "devices", device=True, share=1),
    Case("devices-json", "devices --json", device=True),
    Case("methods", "methods", device=True),
    Case("methods-json", "methods --json", device=True),
    Case("info-surface", f"info {NAME} --iso 100", device=True),
    *[Case("extract-" + format, f"extract {NAME} -o out.{format}", f"out.{format}", True)
      for format in MESHES],
    Case("extract-stdout", f"extract {NAME} -o -", device=True),
    Case("extract-json", f"extract {NAME} --json --verbose -o out.ply", "out.ply", True, share=47),
    Case("extract-auto", f"extract {NAME} --method auto", device=True),
    Case("extract-contours", f"extract {NAME} --iso 100,180 -o out.glb", "out.glb", True),
    *[Case("parts-" + format, f"extract {NAME} --memory-budget 1 -o out.{format}", f"out.{format}",
           True, share=61 if format == "ply" else 0)
      for format in MESHES],
    Case("parts-auto", f"extract {NAME} --memory-budget 1 --iso auto -o out.ply", "out.ply", True),
    Case("share", f"extract {NAME} --iso 100 --share 2/3 -o out.share", "out.share", True, share=61),
    Case("merge", "merge in.2.share in.1.share -o out.ply", "out.ply", share=1, steady=False),
    Case("merge-stl", "merge in.1.share in.2.share --json -o out.stl", "out.stl", steady=False),
    Case("render", f"render {NAME} --size 64x48 -o out.png", "out.png", True),
    Case("render-parts", f"render {NAME} --size 64x48 --memory-budget 1 -o out.png", "out.png", True),
    Case("render-layers", f"render {NAME} --iso 60,100,180 --opacity 0.4,1,0.7 --clip x=50%@2,3;-k=12@2,3 --clip-all --cap values"
         f" --section y=40% --grey p5:90% --size 64x48 {PLACED} -o out.png", "out.png", True, share=97),
    Case("render-planes", f"render {NAME} --iso 40%,70% --color red,teal --hide 2 --clip view=50% --section i=4;1,1,0,50% --size 64x48"
         f" {PLACED} -o out.png", "out.png", True),
    Case("render-session", "render in.cubist.json -o out.png", "out.png", True, share=97),
    Case("animate-planes", f"animate {NAME} --iso 40:90,150:160 --opacity 1,0.5 --clip x=0%:100% --section k=3 --size 64x48 --frames 2"
         f" {PLACED} -o out.y4m", "out.y4m", True),
    Case("animate", f"animate {NAME} --size 64x48 --frames 2 -o out.y4m", "out.y4m", True),
    Case("animate-stdout", f"animate {NAME} --size 64x48 --frames 2 -o -", device=True),
    Case("verify", f"verify {NAME} --method ink-collate", device=True),
    Case("verify-contours", f"verify {NAME} --iso 100,180 --method cpu-stencil --json", device=True),
    Case("verify-cpu", f"verify {NAME} --method cpu-stencil --json", device=True),
    Case("verify-parts", f"verify {NAME} --method ink-collate --memory-budget 1", device=True),
    Case("verify-rays", f"verify {NAME} --draw rays --size 64x48", device=True),
    Case("bench-extract", f"bench extract {NAME} --repeat 1 --method ink-collate", device=True),
    Case("bench-compaction", "bench compaction --size 64 --repeat 1 --method ink-collate --density 50"
         " --csv out.csv", "out.csv", True, timed=True),
    Case("bench-cast", f"bench cast {NAME} --repeat 1 --views 1 --size 24x16 --caster dda --csv out.csv", "out.csv",
         True, timed=True),
    Case("view", f"view {NAME} --exit-after 2", device=True, display=True),
    Case("view-session", "view in.cubist.json --exit-after 2", device=True, display=True),
    Case("view-no-display", f"view {NAME}", device=True, env={"DISPLAY": ""}),
]


# ---- inputs, made by hand where cubist does not write the format

def png(width, rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", width, len(rows), 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + \
        chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) + chunk(b"IEND", b"")


def tiff(pages, packed=False):
    """One strip a page, 8 bits, grey; zlib where packed."""
    out = b"II*\0" + struct.pack("<I", 8)
    for number, page in enumerate(pages):
        data = zlib.compress(page) if packed else page
        tags = [(256, 4, 1, DIMS[0]), (257, 4, 1, DIMS[1]), (258, 3, 1, 8),
                (259, 3, 1, 8 if packed else 1), (262, 3, 1, 1), (273, 4, 1, 0), (277, 3, 1, 1),
                (278, 4, 1, DIMS[1]), (279, 4, 1, len(data))]
        at = len(out)
        room = 2 + 12 * len(tags) + 4
        tags[5] = (273, 4, 1, at + room)
        end = at + room + len(data)
        following = end + end % 2 if number + 1 < len(pages) else 0
        out += struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", *tag) for tag in tags) + \
            struct.pack("<I", following) + data
        out += b"\0" * (len(out) % 2)
    return out


def nifti(data):
    head = bytearray(352)
    struct.pack_into("<i", head, 0, 348)
    struct.pack_into("<8h", head, 40, 3, *DIMS, 1, 1, 1, 1)
    struct.pack_into("<2h", head, 70, 2, 8)
    struct.pack_into("<8f", head, 76, 1, 1, 1, 1, 1, 1, 1, 1)
    struct.pack_into("<f", head, 108, 352)
    head[344:348] = b"n+1\0"
    return bytes(head) + data


def vti(data, packed):
    extent = " ".join(f"0 {n - 1}" for n in DIMS)
    if packed:
        block = zlib.compress(data)
        body = base64.b64encode(struct.pack("<4I", 1, len(data), len(data), len(block))) + \
            base64.b64encode(block)
    else:
        body = base64.b64encode(struct.pack("<I", len(data)) + data)
    how = ' compressor="vtkZLibDataCompressor"' if packed else ""
    return (f'<VTKFile type="ImageData" version="0.1" byte_order="LittleEndian"{how}>\n'
            f'<ImageData WholeExtent="{extent}" Origin="0 0 0" Spacing="1 1 1"><Piece Extent="{extent}">'
            '<PointData Scalars="s"><DataArray type="UInt8" Name="s" format="binary">').encode() + body + \
        b"</DataArray></PointData></Piece></ImageData></VTKFile>\n"


def make_inputs(folder):
    def put(name, content):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())

    subprocess.run([CUBIST, "generate", "sphere", "--dims", "24x20x16", "--type", "uint8", "-o", NAME],
                   cwd=folder, check=True)
    with open(os.path.join(folder, NAME), "rb") as file:
        data = file.read()
    slices = [data[i:i + DIMS[0] * DIMS[1]] for i in range(0, len(data), DIMS[0] * DIMS[1])]
    sizes = "24 20 16"
    pack = zlib.compressobj(6, zlib.DEFLATED, 31)
    gz = pack.compress(data) + pack.flush()
    put(NAME + ".gz", gz)
    head = f"NRRD0004\ntype: uint8\ndimension: 3\nsizes: {sizes}\n"
    put("s.nrrd", (head + "encoding: raw\n\n").encode() + data)
    put("sgz.nrrd", (head + "encoding: gzip\n\n").encode() + gz)
    os.mkdir(os.path.join(folder, "parts"))
    for i, part in enumerate(slices):
        put(f"parts/{i}.raw", part)
    put("list.nhdr", head + "encoding: raw\ndata file: parts/%d.raw 0 15 1 2\n")
    mha = f"ObjectType = Image\nNDims = 3\nDimSize = {sizes}\nElementType = MET_UCHAR\n"
    put("s.mha", (mha + "ElementDataFile = LOCAL\n").encode() + data)
    packed = zlib.compress(data)
    put("sz.mha", (mha + f"CompressedData = True\nCompressedDataSize = {len(packed)}\n"
                   "ElementDataFile = LOCAL\n").encode() + packed)
    put("s.mhd", mha + f"ElementDataFile = {NAME}\n")
    put("s.nii", nifti(data))
    pack = zlib.compressobj(6, zlib.DEFLATED, 31)
    put("s.nii.gz", pack.compress(nifti(data)) + pack.flush())
    put("s.vti", vti(data, False))
    put("sz.vti", vti(data, True))
    vtk = f"# vtk DataFile Version 3.0\nvolume\n%s\nDATASET STRUCTURED_POINTS\nDIMENSIONS {sizes}\n" \
        f"ORIGIN 0 0 0\nSPACING 1 1 1\nPOINT_DATA {len(data)}\nSCALARS s unsigned_char 1\nLOOKUP_TABLE default\n"
    put("s.vtk", (vtk % "BINARY").encode() + data)
    put("sa.vtk", vtk % "ASCII" + " ".join(map(str, data)) + "\n")
    put("s.dat", f"ObjectFileName: {NAME}\nResolution: {sizes}\nFormat: UINT8\n")
    put("s.mrc", mrc(DIMS, data))
    put("s.mgh", mgh(DIMS, data))
    put("s.slc", slc(DIMS, data))
    put("s.cube", cube(DIMS, data))
    put("s.dx", dx(DIMS, data))
    put("s.npy", npy(DIMS, data))
    put("s.npz", npz(DIMS, data))
    put("s.bov", f"DATA_FILE: {NAME}\nDATA_SIZE: {sizes}\nDATA_FORMAT: BYTE\n")
    pack = zlib.compressobj(6, zlib.DEFLATED, 31)
    put("s.npy.gz", pack.compress(npy(DIMS, data)) + pack.flush())
    for name, part in zarr_files.zarr3(data, DIMS[::-1], (4, 10, 12), shard=(8, 20, 24), codecs=["gzip"], fill=1).items():
        os.makedirs(os.path.join(folder, "s.zarr", os.path.dirname(name)), exist_ok=True)
        put("s.zarr/" + name, part)
    put("s.tif", tiff(slices))
    put("sz.tif", tiff(slices, packed=True))
    os.mkdir(os.path.join(folder, "tiffs"))
    os.mkdir(os.path.join(folder, "pngs"))
    for i, part in enumerate(slices):
        rows = [part[y * DIMS[0]:(y + 1) * DIMS[0]] for y in range(DIMS[1])]
        put(f"tiffs/{i:02}.tif", tiff([part]))
        put(f"pngs/{i:02}.png", png(DIMS[0], rows))
    tiles = [b"".join(slices[4 * row + column][y * DIMS[0]:(y + 1) * DIMS[0]] for column in range(4))
             for row in range(4) for y in range(DIMS[1])]
    put("atlas.png", png(4 * DIMS[0], tiles))
    put("in.cubist.json", json.dumps({"cubist_session": 1, "volume": {"path": NAME}, "options": {
        "iso": "60,100,p90", "opacity": "0.4,1,0.7", "color": "red,teal,auto", "hide": "3", "clip": "x=50%@1,2", "cap": "values",
        "section": "z=40%", "grey": "p5:90%", "interpolate": "nearest", "size": "64x48",
        "camera": PLACED.split()[1]}}))
    for k in 1, 2:  # without a device there are none, as there are no tests then
        subprocess.run([CUBIST, "extract", NAME, "--iso", "100", "--share", f"{k}/2", "-o", f"in.{k}.share", "-q"],
                       cwd=folder, stderr=subprocess.DEVNULL)


# ---- runs

class Run:
    def __init__(self, case, code, out, err, seconds):
        self.case, self.code, self.out, self.err, self.seconds = case, code, out, err, seconds

    def __str__(self):
        return f"{self.case.name} (cubist {' '.join(self.case.args)}): exit {self.code} after " \
               f"{self.seconds:.1f} s\n  stdout {self.out[:200]!r}\n  stderr {self.err[:600]!r}"


class Bench:
    """The inputs, and folders to run in. with Bench() as bench."""

    def __enter__(self):
        self.top = tempfile.mkdtemp(prefix="cubist-faults-", dir=os.environ.get("FAULTS_FOLDER"))
        self.inputs = os.path.join(self.top, "inputs")
        os.mkdir(self.inputs)
        make_inputs(self.inputs)
        self.lock = threading.Lock()
        self.free, self.made = [], 0
        self.env = {**os.environ, "XDG_CACHE_HOME": os.path.join(self.top, "xdg"), "WAYLAND_DISPLAY": "",
                    "MESA_SHADER_CACHE_DIR": os.environ.get("MESA_SHADER_CACHE_DIR") or
                    os.path.join(self.top, "shaders")}
        self.warm = {}
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top)

    def take(self):
        """A new folder with the inputs."""
        with self.lock:
            if self.free:
                return self.free.pop()
            self.made += 1
            number = self.made
        folder = os.path.join(self.top, f"run{number}")
        shutil.copytree(self.inputs, folder)
        os.mkdir(os.path.join(folder, "tmp"))
        return folder

    def give(self, folder):
        with self.lock:
            self.free.append(folder)

    def run(self, case, folder, before=(), env=None, stdout=subprocess.PIPE):
        """Runs the case in the folder. `before`: words before the program's name (strace)."""
        environment = {**self.env, "TMPDIR": os.path.join(folder, "tmp"), **case.env, **(env or {})}
        source = open(os.path.join(folder, case.stdin), "rb") if case.stdin else subprocess.DEVNULL
        start = time.monotonic()
        process = subprocess.Popen([*before, CUBIST, *case.args], cwd=folder, env=environment,
                                   stdin=source, stdout=stdout, stderr=subprocess.PIPE,
                                   start_new_session=True)
        try:
            out, err = process.communicate(timeout=PATIENCE)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            code = "none, it hung"
        if case.stdin:
            source.close()
        return Run(case, code, out or b"", err.decode("utf-8", "replace"), time.monotonic() - start)

    def known(self, case):
        """The result of a run without a fault: (standard output, the output's bytes)."""
        with self.lock:
            if case.name in self.warm:
                return self.warm[case.name]
        folder = self.take()
        for _ in range(2):  # the first may fill the driver's cache, by which the others would differ
            run = self.run(case, folder)
        output = self.output(case, folder)
        self.clean(case, folder)
        self.give(folder)
        if run.code != 0:
            sys.exit(f"without a fault: {run}")
        with self.lock:
            self.warm[case.name] = (run.out, output)
        return self.warm[case.name]

    def output(self, case, folder):
        path = os.path.join(folder, case.output or "none")
        if not os.path.exists(path):
            return None
        with open(path, "rb") as file:
            return file.read()

    def put_old(self, case, folder):
        if case.output:
            with open(os.path.join(folder, case.output), "wb") as file:
                file.write(OLD)

    def left(self, case, folder):
        """Files that a run has wrongly left behind."""
        inputs = set(os.listdir(self.inputs)) | {"tmp", case.output, "cubist.png"}
        return [name for name in os.listdir(folder) if name not in inputs] + \
            [name for name in os.listdir(os.path.join(folder, "tmp"))]

    def clean(self, case, folder):
        for name in self.left(case, folder) + [case.output or "none", "cubist.png"]:
            for place in folder, os.path.join(folder, "tmp"):
                if os.path.lexists(os.path.join(place, name)):
                    os.unlink(os.path.join(place, name))


def plain(out):
    """Standard output without times, memory and selected methods, which differ from run to run."""
    lines = out.decode("utf-8", "replace").splitlines()
    return [line for line in lines if not re.search(r"_ms\b|millisec| ms\b|MiB|device_bytes|\"heaps|frames", line)]


def same(case, output, new):
    """Whether the output is the whole new one."""
    return output == new or case.timed and output and output.count(b"\n") == new.count(b"\n") > 1


# What a process may not end by: a signal, an abort, a hang.
def judge(bench, run, folder, codes, what, words=None):
    """`codes` are allowed besides 0; `words`: what the line must contain then. Returns whether all checks pass."""
    case = run.case
    out, new = bench.known(case)
    lines = [line for line in run.err.splitlines()
             if not line.startswith(("cubist: warning: ", "cubist: note: ")) and "--verbose" not in case.args]
    output = bench.output(case, folder)
    left = bench.left(case, folder)
    bad = []
    if run.code == 0 and case.name.startswith("bench-") and "left out: " in run.err:
        pass  # a benchmark may leave out what there is no memory for, and says so
    elif run.code == 0:
        if case.output and not same(case, output, new):
            bad.append("exit 0, but the output is " + ("missing" if output is None else
                       "the old one" if output == OLD else "a wrong one"))
        if case.steady and run.out != out:
            bad.append("exit 0, but standard output differs")
        if not case.steady and not run.err and len(plain(run.out)) < len(plain(out)):
            bad.append("exit 0, but standard output is shorter")
    elif run.code not in codes:
        bad.append(f"exit {run.code}, not one of {codes}")
    else:
        if case.output and not (same(case, output, new) if "was written" in run.err else output == OLD):
            bad.append("the old output is not as it was" if output is not None else "the output is gone")
        if "--verbose" not in case.args and (len(lines) != 1 or not lines[0].startswith("cubist: ")):
            bad.append(f"{len(lines)} lines in place of one")
        if words and not re.search(words, run.err):
            bad.append(f"the line does not say /{words}/")
    if run.seconds > PATIENCE / 2 and run.code == 0:
        bad.append("it took long")
    if left:
        bad.append(f"left behind: {left}")
    return check(not bad, what, *bad, str(run))


def chosen(cases):
    """The cases with these names, to repeat one failure: FAULTS_ONLY=render,parts-ply."""
    only = os.environ.get("FAULTS_ONLY")
    return [case for case in cases if not only or re.fullmatch(only.replace(",", "|"), case.name)]


def all_at_once(tasks):
    """Calls the functions, a few in parallel. Returns their results in order."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda task: task(), tasks))
