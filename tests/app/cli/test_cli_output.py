#!/usr/bin/python3
# ctest: plain share
"""Targets that cannot be written, and runs that are stopped: the old file or the complete new one, no
temporary file left, the right exit code."""
import os
import random
import re
import shutil
import signal
import subprocess
import threading
import time

import helptext
from cli import *

# Without the driver's own cache, whose calls would be counted and broken, too.
UNCACHED = {**os.environ, "MESA_SHADER_CACHE_DISABLE": "true"}
ENV = dict(os.environ)  # with a cache that is this test's own
OLD = b"an older file\n" * 100


def is_whole_ply(content):
    end = content.find(b"end_header\n")
    if end < 0:
        return False
    counts = {w[1]: int(w[2]) for w in (line.split() for line in content[:end].decode().splitlines()) if w[0] == "element"}
    return len(content) == end + 11 + 24 * counts["vertex"] + 13 * counts["face"]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def leftovers(folder):
    return [name for name in os.listdir(folder) if name.startswith(".cubist-")]


def to_things_that_are_no_file(folder, raw):
    refused(cubist("extract", raw, "-o", "/dev/full", env=ENV), 5, "/dev/full.*No space left")
    check(os.path.exists("/dev/full"), "/dev/full was replaced")
    plain = os.path.join(folder, "plain.ply")
    check(cubist("extract", raw, "-o", plain, env=ENV).code == 0, "extract")
    mesh = read(plain)
    check(is_whole_ply(mesh), "the exported mesh is not whole")

    ran = cubist("extract", raw, "-o", "-", env=ENV, text=False)
    check(ran.code == 0 and ran.out == mesh and "triangles" in ran.err, "-o - is the mesh alone:", ran.code, ran.err)
    ran = cubist("extract", raw, "-o", "-", "--json", env=ENV, text=False)
    check(ran.out == mesh and json.loads(ran.err)["triangles"] > 0, "-o - --json:", ran.err)
    ran = cubist("extract", raw, "-o", "/dev/stdout", env=ENV, text=False)
    check(ran.code == 0 and ran.out.startswith(mesh), "/dev/stdout:", ran.code, ran.err)

    fifo = os.path.join(folder, "fifo")
    os.mkfifo(fifo)
    got = []
    reader = threading.Thread(target=lambda: got.append(read(fifo)))
    reader.start()
    check(cubist("extract", raw, "-o", fifo, env=ENV).code == 0, "extract to a pipe")
    reader.join(10)
    check(got == [mesh], "what came through the pipe is not the mesh")
    os.remove(fifo)

    # Without an extension it is PLY; a link is followed, the file behind it replaced.
    bare = os.path.join(folder, "bare")
    link = os.path.join(folder, "link.ply")
    os.symlink("bare", link)
    check(cubist("extract", raw, "-o", link, env=ENV).code == 0, "extract through a link")
    check(os.path.islink(link) and read(bare) == mesh, "a link is followed")

    # A reader of standard output that goes away, as head does: nothing is said. It is no signal. What is printed by
    # itself and by commands, as text, JSON and data, by every name of standard output:
    alone = [[f"--{option.name}", *option.words()[:1]] for option in helptext.alone()]
    mesh = [["extract", raw, "--iso", "100", "-o", name] for name in ("-", "/dev/stdout", "/dev/fd/1")]
    for args in [*alone, *[[command, "--help"] for command in helptext.commands()], *mesh, ["info", raw],
                 ["info", raw, "--json"], ["devices"], ["methods"], ["extract", raw, "--iso", "100"],
                 ["convert", raw, "-o", "-"], ["animate", raw, "--iso", "100", "--frames", "2", "-o", "-"],
                 ["render", raw, "--iso", "100", "-o", "-"], ["bench", "compaction", "--size", "1K", "--csv", "-",
                 "--method", "ink-collate", "--repeat", "1"]]:
        read_end, write_end = os.pipe()
        os.close(read_end)
        done = subprocess.run([CUBIST, *args], stdout=write_end, stderr=subprocess.PIPE, env=ENV, timeout=60)
        os.close(write_end)
        check(done.returncode == 141 and not re.search(b"pipe|output", done.stderr), "nobody reads:", args, done)


def full_and_broken(folder, raw):
    target = os.path.join(folder, "kept.ply")
    with open(target, "wb") as file:
        file.write(OLD)
    before = snapshot(folder)
    strace = shutil.which("strace")
    if not strace or subprocess.run([strace, "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        print("not tried: strace cannot trace here, so write, fsync and rename cannot be made to fail")
        return
    # The first write is the mesh's. A limit on the size of files is in tests/faults/test_full.py.
    for call, error in (("write", "EFBIG:when=1"), ("fsync", "EIO"), ("fsync", "ENOSPC"), ("/^rename", "EIO"),
                        ("/^rename", "EACCES")):
        ran = subprocess.run([strace, "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                              f"inject={call}:error={error}", CUBIST, "extract", raw, "-o", target],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                             env={**UNCACHED, "ASAN_OPTIONS": "detect_leaks=0"})
        refused(Ran([call, error], ran.returncode, ran.stdout.decode(), ran.stderr.decode()), 5, ".", folder, before)


def interrupted(folder, raw):
    # A pipe that nobody reads: the run waits until it is told to stop.
    fifo = os.path.join(folder, "never")
    os.mkfifo(fifo)
    for number in signal.SIGINT, signal.SIGTERM:
        process = subprocess.Popen([CUBIST, "extract", raw, "-o", fifo], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV)
        deadline = time.monotonic() + 60
        while "wait_for_partner" not in wait_channel(process.pid) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
            if time.monotonic() > deadline - 55:
                break  # where the kernel does not say, five seconds are enough
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        check(process.returncode == 130 and not out and len(err.splitlines()) == 1, "interrupted:", process.returncode, err)
    os.remove(fifo)

    # In the middle of a long read.
    big = os.path.join(folder, "big_1024x1024x512_uint8.raw")
    with open(big, "wb") as file:
        file.truncate(1 << 29)
    process = subprocess.Popen([CUBIST, "info", big], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV)
    while process.poll() is None and not catches(process.pid, signal.SIGINT):
        time.sleep(0.01)  # on a loaded machine the program may take a while to begin
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    check(process.returncode == 130 and not out and len(err.splitlines()) == 1, "interrupted while reading:",
          process.returncode, out, err)
    os.remove(big)

    # Once the file is being written: old and whole, or new and whole, and no temporary file.
    target = os.path.join(folder, "stopped.ply")
    for _ in range(4):
        with open(target, "wb") as file:
            file.write(OLD)
        process = started(raw, target, folder)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        content = read(target)
        check(process.returncode in (0, 130), "interrupted while writing:", process.returncode)
        check(content == OLD if process.returncode == 130 else is_whole_ply(content), "a part of a file")
        check(not leftovers(folder), "left behind:", leftovers(folder))


def early(folder, _raw):
    """The handlers stand before the libraries' own first functions run, so that nearly every signal is an interrupt."""
    log = os.path.join(folder, "calls")
    strace = shutil.which("strace")
    if not strace or subprocess.run([strace, "-o", log, CUBIST, "--version"], stdout=subprocess.DEVNULL).returncode != 0:
        print("not tried: the order of the first system calls")
        return
    with open(log) as file:
        calls = file.read().split("rt_sigaction(SIGTERM, {")[0].splitlines()
    loaded = max(i for i, call in enumerate(calls) if call.startswith(("mprotect", "munmap")))
    check(all(call.startswith("rt_sigaction") for call in calls[loaded + 1:]), "before the handlers:", calls[loaded:])
    os.remove(log)


def wait_channel(pid):
    try:
        with open(f"/proc/{pid}/wchan") as file:
            return file.read()
    except OSError:
        return ""


def started(raw, target, folder):
    """A run that has come as far as writing (or is already done)."""
    process = subprocess.Popen([CUBIST, "extract", raw, "-o", target], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV)
    deadline = time.monotonic() + 60
    while not leftovers(folder) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.0005)
    return process


def killed(folder, raw):
    target = os.path.join(folder, "swept.ply")
    random.seed(1)
    parts = 0
    kills = 20 if WHOLE else 8
    for _ in range(kills):
        with open(target, "wb") as file:
            file.write(OLD)
        process = started(raw, target, folder)
        time.sleep(random.random() * 0.02)
        process.kill()
        process.communicate(timeout=60)
        content = read(target)
        check(content == OLD or is_whole_ply(content), "a kill left a part of a file")
        parts += bool(leftovers(folder))
    print(f"of {kills} kills {parts} left a temporary file")
    check(cubist("extract", raw, "-o", target, env=ENV).code == 0, "extract after the kills")
    check(is_whole_ply(read(target)) and not leftovers(folder), "the next run sweeps:", leftovers(folder))


need_device()
with Folder() as inputs:
    ENV["MESA_SHADER_CACHE_DIR"] = os.path.join(inputs, "mesa")
    small = sample(inputs)
    large = sample(inputs, "gyroid", "96x96x96")
    for part, volume in (to_things_that_are_no_file, small), (full_and_broken, small), (early, small), (interrupted, large), (killed, large):
        with Folder() as top:
            part(top, volume)
finish()
