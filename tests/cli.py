"""Shared by the tests of the command line: runs cubist, and counts failures."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

CUBIST = os.environ["CUBIST"]
DATA = os.environ.get("CUBIST_DATA", "")
TOOLS = os.environ.get("CUBIST_TOOLS", "")
PYTHON = "/usr/bin/python3"
WHOLE = os.environ.get("CUBIST_WHOLE") == "1"  # not only a share: see the label share in CMakeLists.txt
NO_DRIVER = {**os.environ, "VK_DRIVER_FILES": "/nonexistent", "VK_ICD_FILENAMES": "/nonexistent"}


class Ran:
    def __init__(self, args, code, out, err):
        self.args, self.code, self.out, self.err = args, code, out, err

    def json(self):
        return json.loads(self.out)

    def __str__(self):
        words = " ".join(a if len(a) < 60 else a[:57] + "..." for a in map(os.fsdecode, self.args))
        return f"cubist {words}: exit {self.code}\n  stdout {self.out[:300]!r}\n  stderr {self.err[:600]!r}"


def cubist(*args, timeout=120, text=True, **more):
    """Runs cubist; never hangs: a run over the timeout fails the test."""
    done = subprocess.run([CUBIST, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, timeout=timeout, **more)
    decode = (lambda b: b.decode("utf-8", "replace")) if text else (lambda b: b)
    return Ran(args, done.returncode, decode(done.stdout), done.stderr.decode("utf-8", "replace"))


failures = []


def check(fine, *what):
    if not fine:
        failures.append(what)
        print("FAIL", *what, flush=True)
    return fine


def refused(ran, code, pattern, where=None, before=None):
    """Checks a refusal: one clear line on stderr (after warnings, if any), nothing on stdout, the right exit
    code, nothing left behind."""
    lines = [line for line in ran.err.splitlines() if not line.startswith("cubist: warning: ")]
    check(ran.code == code, f"expected exit {code}:", ran)
    check(len(lines) == 1 and lines[0].startswith("cubist: "), "expected one line on stderr:", ran)
    check(re.search(pattern, ran.err), f"expected /{pattern}/:", ran)
    check(ran.out == "", "expected nothing on stdout:", ran)
    check(all(c.isprintable() or c == "\n" for c in ran.err), "expected printable text:", ran)
    if where is not None:
        check(snapshot(where) == before, f"{where} changed: {before} -> {snapshot(where)}:", ran)


def snapshot(folder):
    """Names, sizes and times of all entries of a folder."""
    found = {}
    for top, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(top, name)
            stat = os.lstat(path)
            found[path] = (stat.st_size, stat.st_mtime_ns, stat.st_ino)
    return found


def catches(pid, number):
    """Whether the process has taken charge of the signal."""
    with open(f"/proc/{pid}/status") as file:
        caught = re.search(r"SigCgt:\s*([0-9a-f]+)", file.read())
    return caught and int(caught.group(1), 16) >> (number - 1) & 1


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def need_device():
    ran = cubist("devices")
    if ran.code == 4:
        skip("there is no usable Vulkan device: " + ran.err.strip())


def sample(folder, name="sphere", dims="24x20x16", type="uint8"):
    """A small generated volume; returns its path."""
    path = os.path.join(folder, f"{name}_{dims}_{type}.raw")
    ran = cubist("generate", name, "--dims", dims, "--type", type, "-o", path)
    if ran.code != 0:
        sys.exit(f"cannot make a volume to test with: {ran}")
    return path


def placed(raw, name, steps, origin, space="space dimension: 3"):
    """A NRRD header beside a raw volume that puts it elsewhere: steps[axis] from sample to sample. Returns its path."""
    dims, kind = re.fullmatch(r".*_(\d+x\d+x\d+)_(\w+)\.raw", raw).groups()
    vectors = " ".join(f"({','.join(repr(float(x)) for x in step)})" for step in steps)
    path = os.path.join(os.path.dirname(raw), name + ".nhdr")
    with open(path, "w") as file:
        file.write(f"NRRD0005\ntype: {kind.replace('float32', 'float')}\ndimension: 3\nsizes: {dims.replace('x', ' ')}\n"
                   f"{space}\nspace directions: {vectors}\nspace origin: ({','.join(repr(float(x)) for x in origin)})\n"
                   f"endian: little\nencoding: raw\ndata file: {os.path.basename(raw)}\n")
    return path


def methods():
    return [m["name"] for m in cubist("methods", "--json").json()["methods"] if m["available"]]


def formats_written(what):
    """The extensions, without their dots, of the "meshes" or "volumes" that the program writes in one file."""
    text = cubist("--list-formats", env=NO_DRIVER).out
    return [name for name in re.findall(r"^  \.(\S+)", text.split(f"{what} written:\n")[1].split("\n\n")[0], re.M)
            if name != "pvtp"]  # is a folder, too; see test_cli_pvtp.py


def formats_without(names):
    """The volume formats that the program reads itself, without those whose extension one of the names has.
    test_volumes_reader_process.py is about the others."""
    text = cubist("--list-formats", env=NO_DRIVER).out
    rows = re.findall(r"^  (\S.*?)  .*\((\..*)\)$", text.split("\n\n")[0], re.M)
    processes = "DICOM", "HDF5", "NetCDF"
    return [name for name, endings in rows if name not in processes and
            not any(n.endswith(tuple(endings.split())) for n in names)]


def have_checker():
    """Whether the independent mesh checker is installed."""
    return os.path.exists(os.path.join(TOOLS, "check_mesh.py")) and \
        subprocess.run([PYTHON, "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode == 0


def check_mesh(mesh, raw, iso, *more):
    done = subprocess.run([PYTHON, os.path.join(TOOLS, "check_mesh.py"), mesh, raw, str(iso), *more],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=280)
    check(done.returncode == 0, "check_mesh:", os.path.basename(raw), iso, done.stdout)


class Folder:
    """A temporary folder: with Folder() as path."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="cubist-test-")
        return self.path

    def __exit__(self, *_):
        for top, folders, _files in os.walk(self.path):
            for name in folders:
                os.chmod(os.path.join(top, name), 0o700)
        shutil.rmtree(self.path)


def finish():
    if failures:
        sys.exit(f"{len(failures)} checks failed")
    print("all checks passed")
