#!/usr/bin/python3
# ctest: plain
"""Input that never ends, and small files that need endless work: a signal ends each run at once,
--max-input limits each, and nothing is left behind. No device is needed."""
import gzip
import os
import signal
import subprocess
import threading
import time

from cli import *
from tiff_files import shared_strips

MOMENT = 5  # seconds; it takes some milliseconds, but machines may be busy


def header(slices, encoding, rest, across=4):
    return f"NRRD0004\ntype: uchar\ndimension: 3\nsizes: {across} {across} {slices}\nencoding: {encoding}\n{rest}"


def put(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
    return path


class Endless:
    """What a command reads: a pipe that is silent, or that `yes` fills."""

    def __init__(self, silent):
        self.yes = None if silent else subprocess.Popen(["yes"], stdout=subprocess.PIPE)
        self.read, self.write = os.pipe() if silent else (self.yes.stdout.fileno(), None)

    def end(self):
        if self.yes:
            self.yes.kill()
            self.yes.communicate()
        else:
            os.close(self.read)
            os.close(self.write)


def stopped(folder, *args, number=signal.SIGINT, stdin=subprocess.DEVNULL):
    """Runs cubist until it is at work, sends the signal, and looks at what it leaves."""
    kept = os.path.join(folder, "kept")
    os.makedirs(kept, exist_ok=True)
    before = snapshot(folder)
    running = subprocess.Popen([CUBIST, *args], stdin=stdin, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env={**NO_DRIVER, "TMPDIR": kept})
    for _ in range(300):
        if running.poll() is not None or catches(running.pid, number):
            break
        time.sleep(0.1)
    time.sleep(0.2)
    if not check(running.poll() is None, "it should still be at work:", args):
        running.communicate()
        return
    start = time.monotonic()
    running.send_signal(number)
    try:
        out, err = running.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        running.kill()
        out, err = running.communicate()
    spent = time.monotonic() - start
    ran = Ran(args, running.returncode, out.decode(), err.decode())
    check(spent < MOMENT, f"ended only {spent:.1f} s after signal {number}:", ran)
    refused(ran, 130, "cancelled|interrupted")
    check(snapshot(folder) == before, "something stays behind:", snapshot(folder))


def over(path, most, pattern, stdin=None):
    """Is refused with the option's name, soon."""
    start = time.monotonic()
    ran = subprocess.run([CUBIST, "info", path, "--max-input", str(most)], capture_output=True,
                         stdin=stdin or subprocess.DEVNULL, env=NO_DRIVER, timeout=120)
    ran = Ran(["info", path], ran.returncode, ran.stdout.decode(), ran.stderr.decode())
    refused(ran, 4, pattern)
    check("--max-input" in ran.err and ran.err.count("\n") == 1, "one line with the option:", ran)
    check(time.monotonic() - start < 2 * MOMENT, "it takes too long to refuse:", ran)


def pipes(folder):
    mesh = os.path.join(folder, "x.ply")
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        silent = Endless(True)
        stopped(folder, "info", "-", number=number, stdin=silent.read)
        silent.end()
    for silent in True, False:
        source = Endless(silent)
        stopped(folder, "extract", "-", "--memory-budget", "64", "-o", mesh, stdin=source.read)
        source.end()
    source = Endless(False)
    stopped(folder, "info", "-", stdin=source.read)
    over("-", 0.02, "standard input has more than 0.02 GiB", source.yes.stdout)
    source.end()


def line_skip(folder):
    """Over 100 GB that take no room on the disk."""
    with open(os.path.join(folder, "holes.raw"), "wb") as file:
        file.truncate(100 << 30)
    path = put(folder, "holes.nhdr", header(4, "raw", "line skip: 1\ndata file: holes.raw\n"))
    stopped(folder, "info", path)
    stopped(folder, "extract", path, "--memory-budget", "64", "-o", path + ".ply")
    over(path, 0.5, "'.*holes.raw' needs more than 0.5 GiB to be skipped")
    # More samples than any memory holds: once that is known, the file is opened part by part.
    path = put(folder, "large.nhdr", header(65536, "raw", "line skip: 1\ndata file: holes.raw\n", 65536))
    stopped(folder, "extract", path, "-o", path + ".ply")


def lists(folder):
    """Many times the same file, of which each time most is passed over."""
    count = 100000
    put(folder, "line.raw", bytes(60000) + b"\n" + bytes(16))
    path = put(folder, "lines.nhdr",
               header(count, "raw", "line skip: 1\ndata file: LIST\n" + "line.raw\n" * count))
    stopped(folder, "info", path)
    over(path, 0.5, "needs more than 0.5 GiB")
    count, skip = 1000, 64 << 20
    put(folder, "much.gz", gzip.compress(bytes(skip) + bytes(16)))
    path = put(folder, "much.nhdr",
               header(count, "gzip", f"byte skip: {skip}\ndata file: LIST\n" + "much.gz\n" * count))
    stopped(folder, "info", path, "--max-input", "100")
    over(path, 8, "needs more than 8 GiB")


def blanks(folder):
    """A text of blanks between its numbers, in a list that names it often."""
    put(folder, "blank.txt", b" " * (4 << 20) + b"1 " * 16)
    path = put(folder, "blank.nhdr", header(1000, "ascii", "data file: LIST\n" + "blank.txt\n" * 1000))
    over(path, 0.05, "needs more than 0.05 GiB")


def inflated(folder):
    """One stream that is much larger than its samples."""
    put(folder, "tail.gz", gzip.compress(bytes(1 << 26)) * 16)
    path = put(folder, "tail.nhdr", header(4, "gzip", "byte skip: -1\ndata file: tail.gz\n"))
    stopped(folder, "info", path)
    over(path, 0.25, "needs more than 0.25 GiB")
    path = os.path.join(folder, "offset_4x4x4_uint8.raw.gz")
    os.rename(os.path.join(folder, "tail.gz"), path)
    stopped(folder, "info", path, "--offset", str((1 << 30) - 64))


def tiffs(folder):
    """Directories that share a long description; strips that share their data; many files."""
    length = 16 << 20
    path = put(folder, "described.tif", shared_strips(4000, 1, 1, length))
    stopped(folder, "info", path)
    stopped(folder, "extract", path, "-o", path + ".ply")
    path = put(folder, "strips.tif", shared_strips(2, 6 << 20, 2))
    stopped(folder, "info", path)
    inside = os.path.join(folder, "slices")
    os.mkdir(inside)
    path = put(folder, "slice.tif", shared_strips(1, 1, 1, length))
    for i in range(2000):
        os.symlink("../slice.tif", os.path.join(inside, f"{i}.tif"))
    stopped(folder, "info", inside)


def run(part):
    with Folder() as top:
        part(top)


# They wait more than they work.
parts = [threading.Thread(target=run, args=(part,))
         for part in (pipes, line_skip, lists, blanks, inflated, tiffs)]
for part in parts:
    part.start()
for part in parts:
    part.join()
for wrong in "0", "-1", "x", "inf", "":
    ran = cubist("info", "-", "--max-input", wrong)
    refused(ran, 2, "--max-input.*GiB")
finish()
