#!/usr/bin/python3
# ctest: plain share
"""Readers that are programs of their own. The example reader of tests/volumes/readers is installed as a user
would do it: its volume has the bytes of the file. Then a reader that fails in each possible way: cubist ends with
one line and the exit code for its cause, keeps no process, and ends within a second where the reader is killed."""
import atexit
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import time

from cli import *

READERS = os.path.join(os.environ["CUBIST_SOURCE"], "tests/volumes/readers")
SAMPLES = 6 * 5 * 4


def running(word):
    """The readers of this test with the word in their command line; not while they are only asked for their formats."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read()
            if word.encode() in words and b"--formats" not in words and os.readlink(f"/proc/{pid}/cwd") == os.getcwd():
                found.append(int(pid))
        except OSError:
            pass
    return found


def gone(word, seconds=2.0):
    end = time.monotonic() + seconds
    while running(word) and time.monotonic() < end:
        time.sleep(0.02)
    return not running(word)


def environment(folder, **more):
    return {**os.environ, "XDG_CONFIG_HOME": folder, **more}


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


def plan(name="a.broken", **does):
    return write(name, json.dumps({"broken": 1, **does}).encode())


def samples_of(nrrd):
    with open(nrrd, "rb") as file:
        return file.read().split(b"\n\n", 1)[1]


def example(config):
    numbers = random.Random(1)
    data = numbers.randbytes(2 * 70 * 60 * 50)
    write("named.example", b"example 70 60 50\n" + data)
    write("by magic", b"example 70 60 50\n" + data)
    for name in "named.example", "by magic":
        ran = cubist("convert", name, "-o", "out.nrrd", "--quiet", env=config)
        check(ran.code == 0 and samples_of("out.nrrd") == data, "the example's volume differs:", ran)
        facts = cubist("info", name, "--json", env=config).json()
        check(facts["type"] == "uint16" and facts["spacing"] == [1, 1, 2.5], facts)
    with open("named.example", "rb") as file:
        ran = subprocess.run([CUBIST, "convert", "-", "-o", "piped.nrrd", "--quiet"], stdin=file, env=config)
    check(ran.returncode == 0 and samples_of("piped.nrrd") == data, "standard input differs")
    # A part, resampled: the reader is asked for blocks in order.
    ran = cubist("convert", "named.example", "--crop", "3:40,5:30,7:20", "-o", "part.nrrd", "--quiet", env=config)
    if check(ran.code == 0, ran):
        nx, ny, nz = cubist("info", "part.nrrd", "--json").json()["dims"]
        whole = struct.unpack(f"<{70 * 60 * 50}H", data)
        part = struct.unpack(f"<{nx * ny * nz}H", samples_of("part.nrrd"))
        expected = tuple(whole[3 + x + 70 * (5 + y + 60 * (7 + z))]
                         for z in range(nz) for y in range(ny) for x in range(nx))
        check(part == expected, "a part differs", nx, ny, nz)
    write("short.example", b"example 70 60 50\n")
    refused(cubist("info", "short.example", env=config), 3, "'short.example': it ends too early")
    refused(cubist("convert", "named.example", "-o", "named.example", env=config), 2, "named.example")
    check(gone("cubist-read-example"), "the example still runs")


def failures_of(config):
    """What the reader answers or does; the exit code and the line."""
    who = r"'a\.broken': the broken reader"
    later = who + r" \(broken 1\.0\)"
    wrong = who + " answered wrongly: expected "
    yield {"first": "signal"}, 3, who + r" crashed \(signal 11\)$"
    yield {"first": "abort"}, 3, who + r" crashed \(signal 6\): terminate called$"
    yield {"first": "exit"}, 3, who + " ended early, with exit code 7$"
    yield {"first": "hang"}, 3, who + " gave no answer for 1 s, and was ended$"
    yield {"first": "close"}, 3, who + " closed its output$"
    yield {"first": "children"}, 3, who + r" was killed \(signal 9\)$"
    yield {"first": "memory"}, 3, who + " ended early, with exit code 1: MemoryError$"
    yield {"first": "endless"}, 3, who + r" wrote more than \d+ bytes where one line was expected$"
    yield {"first": "write no JSON\n"}, 3, wrong + 'one line of JSON with "cubist": 1$'
    yield {"first": "write {\"cubist\": 2}\n"}, 3, wrong + 'one line of JSON with "cubist": 1$'
    yield {"first": "write \0\xff\n"}, 3, wrong + 'one line of JSON with "cubist": 1$'
    yield {"then": "signal"}, 3, later + r" crashed \(signal 11\)$"
    yield {"then": "exit"}, 3, later + " ended early, with exit code 7$"
    yield {"then": "hang"}, 3, later + " gave no answer for 1 s, and was ended$"
    yield {"then": "write garbage\n"}, 3, later + " answered 'garbage' where 'ok 120' was expected$"
    yield {"then": "write ok 119\n"}, 3, later + " answered 'ok 119' where 'ok 120' was expected$"
    yield {"then": "write ok 18446744073709551735\n"}, 3, later + " answered"
    yield {"then": "write " + "y" * 9000}, 3, later + " wrote more than 4096 bytes"
    yield {"then": "write error it is \u001b torn\n"}, 3, r"'a\.broken': it is \\x1b torn$"
    yield {"then": "write ok 120\n"}, 3, later + " gave no answer"  # too little, and it goes on
    yield {"answer": {"error": "no volume", "kind": "input"}}, 3, r"'a\.broken': no volume$"
    yield {"answer": {"error": "no array q", "kind": "usage"}}, 2, r"'a\.broken': no array q$"
    yield {"answer": {"error": "HTJ2K", "kind": "unsupported"}}, 3, r"'a\.broken': HTJ2K$"
    yield {"answer": {"type": "bool"}}, 3, wrong + '"type"'
    yield {"answer": {"type": 8}}, 3, wrong + '"type"'
    for size in 4, [6, 5], [6, 5, "4"], [6, 5, -4], [6, 5, 4.0], [6, 5, 4, 1], None:
        yield {"answer": {"size": size}}, 3, wrong + '"size"'
    yield {"answer": {"size": [6, 5, 1]}}, 3, "at least 2|two samples|samples"
    yield {"answer": {"size": [1 << 31, 1 << 31, 1 << 31]}}, 4, "a.broken"
    yield {"answer": {"size": [60000, 60000, 60000]}}, 4, "a.broken"
    for granule in 1, [1, 1], [1, 1, 0], [1, 1, "1"]:
        yield {"answer": {"granule": granule}}, 3, wrong + '"granule"'
    for steps in 1, [1, 1, 1], [[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, "1"]]:
        yield {"answer": {"steps": steps}}, 3, wrong + '"steps"'
    yield {"answer": {"steps": [[1, 0, 0], [1, 0, 0], [0, 0, 1]]}}, 3, "plane"
    yield {"answer": {"origin": [0, 0]}}, 3, wrong + '"steps"'
    yield {"answer": {"space": "LAS"}}, 3, wrong + '"space"'
    yield {"answer": {"arrays": [{"path": "a", "axes": [{"size": "x"}]}]}}, 3, wrong + '"size" of each'
    yield {"answer": {"arrays": [{"path": "a"}], "chosen": 1}}, 3, wrong + '"chosen"'
    yield {"answer": {"choices": {"time": {"count": 3, "at": 3}}}}, 3, wrong + '"choices"'
    yield {"answer": {"choices": {"level": 1}}}, 3, wrong + '"choices"'
    for files in [], 1, [1], [{"path": "a.broken"}], [{"path": "a.broken", "size": 1, "time": [1]}]:
        yield {"answer": {"files": files}}, 3, wrong + '"files"'
    stale = {"path": "a.broken", "size": 1, "time": [1, 1]}
    yield {"answer": {"files": [stale]}}, 3, "'a.broken' changed while it was read"
    yield {"answer": {"files": ["/etc/hostname"]}}, 3, "'/etc/hostname'"
    yield {"answer": {"files": ["../outside"]}}, 3, r"out of the header's folder"
    yield {"answer": {"files": ["link"]}}, 3, "link"
    yield {"answer": {"files": [{"path": "none", "size": 1, "time": [1, 1]}]}}, 3, "none"


def broken(config):
    write("../outside", b"x")
    os.symlink("../outside", "link")
    for does, code, line in failures_of(config):
        path = plan(**does)
        start = time.monotonic()
        ran = cubist("convert", path, "-o", "broken.nrrd", env=config)
        refused(ran, code, line)
        check(time.monotonic() - start < 8, "it took long:", does)
        check(not os.path.exists("broken.nrrd"), "there is an output:", does)
    check(gone("cubist-read-broken"), "readers still run:", running("cubist-read-broken"))
    # What is no failure.
    expected = bytes(range(SAMPLES))
    for does in {}, {"first": "busy"}, {"then": "busy"}, {"then": "stop"}, {"first": "chatter", "then": "chatter"}, \
            {"answer": {"granule": [6, 5, 3], "remarks": ["one", 2]}}:
        ran = cubist("convert", plan(**does), "-o", "fine.nrrd", env=config)
        check(ran.code == 0 and samples_of("fine.nrrd") == expected, "a volume differs:", does, ran)
    check("note: 'a.broken': one" in ran.err, "the remark is missing:", ran)
    # Too much: the next answer is wrong, or nobody asks again.
    ran = cubist("info", plan(then="write ok 120\n" + "z" * 500), env=config)
    check(ran.code in (0, 3), ran)


def told(config):
    """What a reader gets: three descriptors, a group and a limit of its own, and the keys."""
    write("a.raw", bytes(8))
    path = plan(first="descriptors")
    ran = cubist("info", path + "::/b c", "--time", "3", "--gaps", "resample", "--axis-index", "depth", env=config)
    refused(ran, 3, r"'a\.broken': 0 1 2 True \d+ array=/b c time=3 gaps=resample axis-index=depth$")
    ran = cubist("info", path, "--array", "b", "--channel", "1", "--level", "2", "--gaps", "blank", env=config)
    refused(ran, 3, r"array=b channel=1 level=2 gaps=blank$")
    ran = cubist("info", "a.raw::b", env=config)
    refused(ran, 3, "a.raw'")
    refused(cubist("info", "none::b", env=config), 3, "cannot open 'none::b'")
    ran = cubist("info", "--dims", "2x2x2", "--type", "u8", "a.raw", "--gaps", "blank", "--axis-index", "z")
    check(ran.code == 0 and "--gaps blank is ignored" in ran.err and "--axis-index z is ignored" in ran.err, ran)
    # A folder, by its ending.
    os.mkdir("f.broken")
    plan("f.broken/plan")
    ran = cubist("convert", "f.broken", "-o", "folder.nrrd", env=config)
    check(ran.code == 0 and samples_of("folder.nrrd") == bytes(range(SAMPLES)), ran)
    refused(cubist("convert", "f.broken", "-o", "f.broken/plan", env=config), 2, "f.broken/plan")
    # Contents are printed, and a step of RAS is one of LPS.
    answer = {"arrays": [{"path": "/a", "type": "uint8", "axes": [{"name": "x", "size": 6, "unit": "um"}]},
                         {"path": "/b", "type": "float32", "axes": [{"name": "q", "size": 9, "spacing": 2}]}],
              "choices": {"time": {"count": 3, "at": 1}, "level": {"count": 2, "at": 0}}, "space": "RAS",
              "origin": [1, 2, 3], "steps": [[2, 0, 0], [0, 3, 0], [0, 0, 4]]}
    facts = cubist("info", plan(answer=answer), "--json", "--time", "1", env=config).json()
    check(facts["origin"] == [-1, -2, 3] and facts["spacing"] == [2, 3, 4], facts)
    check([a["path"] for a in facts["contents"]["arrays"]] == ["/a", "/b"] if "contents" in facts else
          "/b" in json.dumps(facts), "arrays are missing:", facts)
    for kind, value, code in ("int64", -5, "q"), ("uint64", 5, "Q"), ("float64", 0.5, "d"), ("float16", 0.5, "e"):
        data = struct.pack(f"={SAMPLES}{code}", *[value] * SAMPLES)
        path = plan(answer={"type": kind}, then="write ok %d\n" % len(data) + data.decode("latin1"))
        if max(data) < 128:  # as text
            facts = cubist("info", path, "--json", env=config).json()
            check(facts["min"] == value if "min" in facts else str(value) in json.dumps(facts), kind, facts)


def killed(config):
    """kill -9 of a reader that cubist waits for, Ctrl-C, and the end of cubist itself."""
    ways = ({"then": "hang"}, "reader"), ({"first": "spin"}, "interrupt"), ({"then": "spin"}, "cubist"), \
        ({"first": "hang"}, "reader"), ({"then": "hang"}, "interrupt"), ({"first": "flood"}, "interrupt")
    for first, sends in ways if WHOLE else ways[:3]:
        path = plan(**first)
        ran = subprocess.Popen([CUBIST, "convert", path, "-o", "killed.nrrd"], stderr=subprocess.PIPE, text=True,
                               env={**config, "CUBIST_READER_SECONDS": "60"})
        atexit.register(ran.kill)  # a reader that uses CPU time has no limit
        end = time.monotonic() + 10
        while not running("cubist-read-broken") and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.5)
        readers = running("cubist-read-broken")
        check(len(readers) == 1, "one reader runs:", readers)
        start = time.monotonic()
        os.kill(readers[0] if sends == "reader" else ran.pid,
                signal.SIGINT if sends == "interrupt" else signal.SIGKILL)
        err = ran.communicate(timeout=20)[1]
        took = time.monotonic() - start
        code = {"reader": 3, "interrupt": 130, "cubist": -9}[sends]
        check(ran.returncode == code and took < 1, "killed:", sends, ran.returncode, took, err)
        check(len(err.splitlines()) == (0 if sends == "cubist" else 1), "one line:", err)
        check(sends != "reader" or "was killed (signal 9)" in err, err)
        check(gone("cubist-read-broken"), "a reader still runs after", sends)


def missing():
    alone = {**os.environ, "XDG_CONFIG_HOME": os.path.abspath("nothing"), "HOME": "/nonexistent"}
    shutil.copy(CUBIST, "alone")  # beside no reader
    for name, data, kind in ("a.dcm", bytes(128) + b"DICM" + bytes(8), "a DICOM"), \
            ("a.h5", b"\x89HDF\r\n\x1a\n" + bytes(90), "an HDF5"), ("b", bytes(512) + b"\x89HDF\r\n\x1a\n", "an HDF5"), \
            ("a.nc", b"CDF\1" + bytes(90), "a NetCDF"):
        write(name, data)
        ran = subprocess.run([os.path.abspath("alone"), "info", name], capture_output=True, text=True, env=alone)
        check(ran.returncode == 3 and ran.stderr == f"cubist: '{name}' is {kind} file; apt install cubist-formats\n",
              ran)
    os.mkdir("series")
    write("series/1", bytes(128) + b"DICM" + bytes(8))
    ran = subprocess.run([os.path.abspath("alone"), "info", "series"], capture_output=True, text=True, env=alone)
    check(ran.stderr == "cubist: 'series' is a DICOM series; apt install cubist-formats\n", ran)


with Folder() as top:
    config = os.path.join(top, "config")
    for name in "example", "broken":
        os.makedirs(f"{config}/{name}/cubist/readers")
        shutil.copy(f"{READERS}/cubist-read-{name}", f"{config}/{name}/cubist/readers")
    os.mkdir(os.path.join(top, "work"))
    os.chdir(os.path.join(top, "work"))
    impatient = environment(f"{config}/broken", CUBIST_READER_SECONDS="1", CUBIST_READER_MIB="4096")
    example(environment(f"{config}/example"))
    told(impatient)
    broken(impatient)
    killed(environment(f"{config}/broken"))
    missing()
finish()
