#!/usr/bin/python3
# ctest: heavy
"""The command line: help and version without a device, and every kind of usage error."""
import os
import re
import struct
import subprocess
import time
import zlib

import helptext
from cli import *

COMMANDS = helptext.commands()


def fine_without_device():
    for args in [["--help"], ["-h"], ["--version"], ["info", "--help"], ["--help", "--iso", "nonsense"]] + \
            [[c, "--help"] for c in COMMANDS] + [["--help", c] for c in COMMANDS]:
        ran = cubist(*args, env=NO_DRIVER)
        check(ran.code == 0 and ran.out and not ran.err, "help and version need nothing:", ran)
    check(re.fullmatch(r"cubist \d+\.\d+\.\d+\n", cubist("--version", env=NO_DRIVER).out), "version")
    check({"view", "extract", "bench"} <= set(COMMANDS), "--help does not list the commands:", *COMMANDS)
    for command in COMMANDS:
        own = cubist(command, "--help", env=NO_DRIVER).out
        check(own.startswith(f"usage: cubist {command}"), f"{command} --help:", own)
        check(all(len(line) <= 100 for line in own.splitlines()), f"{command} --help has long lines")
    check("--break" in cubist("verify", "--help").out, "test switches are not documented")
    check("--repeat" not in cubist("info", "--help").out, "info --help shows what info does not take")
    check("gyroid" in cubist("generate", "--help").out, "generate --help does not list the volumes")
    done = os.system(f"{CUBIST} --help >/dev/full 2>/dev/null")
    check(os.waitstatus_to_exitcode(done) == 5, f"--help to a full disk: {done}")


def printed_without_device():
    """Options such as --help and --version take precedence over everything else, and need no command."""
    for args, first in [
        (["--list-bindings"], "Isovalue:"), (["--list-formats"], "volumes read:"),
        (["--print", "man"], '.\\" Made by'), (["--print=bash"], "# bash"), (["--print", "zsh"], "#compdef cubist"),
        (["--print", "fish"], "# fish"), (["info", "--list-formats", "a", "b", "c"], "volumes read:"),
        (["--iso", "nonsense", "--list-bindings"], "Isovalue:"),
        (["version"], "cubist "),
        (["help"], "usage: cubist [view]"),
        (["help", "help"], "usage: cubist [view]"),
        (["help", "version"], "usage: cubist [view]"),
        (["help", "extract"], "usage: cubist extract FILE"),
        (["help", "bench", "cast"], "usage: cubist bench extract|view|cast"),
        (["help", "generate", "sphere"], "usage: cubist generate NAME"),
    ]:
        ran = cubist(*args, env=NO_DRIVER)
        check(ran.code == 0 and ran.out.startswith(first) and not ran.err, "printed:", ran)
        done = subprocess.run([CUBIST, *args], stdout=open("/dev/full", "w"), stderr=subprocess.DEVNULL)
        check(done.returncode == 5, f"{args} to a full disk: {done.returncode}")


def loudness(folder):
    """-q leaves errors only; --verbose says more; the later one wins; progress needs a terminal."""
    path = os.path.join(folder, "inferred_24x20x16.raw")
    with open(path, "wb") as file:
        file.write(bytes(24 * 20 * 16))
    quiet = {"-q": 0, "--quiet": 0, "--verbose=error": 0}
    usual = {"": 1, "--verbose=warning": 1, "-q --verbose=warning": 1}
    more = {"--verbose": 2, "--verbose=info": 2, "-q --verbose": 2}
    for args, lines in {**quiet, **usual, **more, "--verbose -q": 0}.items():
        ran = cubist("info", path, *args.split(), env=NO_DRIVER)
        check(ran.code == 0 and ran.out, "info:", ran)
        check(len(ran.err.splitlines()) == lines, f"expected {lines} lines on stderr:", ran)
    # A failure is said all the same, in one line.
    refused(cubist("info", path + "x", "-q", env=NO_DRIVER), 3, "inferred")
    refused(cubist("info", "-q", env=NO_DRIVER), 2, "info needs FILE")
    os.remove(path)


def by_one_number(folder):
    """--dims of a cube, --size of a square."""
    cube = os.path.join(folder, "cube.raw")
    ran = cubist("generate", "sphere", "--dims", "12", "-o", cube, env=NO_DRIVER)
    check(ran.code == 0 and os.path.getsize(cube) == 12 ** 3, "a cube:", ran)
    ran = cubist("info", cube, "--dims", "12", "--type", "uint8", "--json", env=NO_DRIVER)
    check(ran.code == 0 and ran.json()["dims"] == [12, 12, 12], "a cube:", ran)
    os.remove(cube)


def quiet_reports(folder, raw):
    """With -q a command that writes a file prints nothing; --json is printed all the same."""
    for command, name in ("extract", "quiet.ply"), ("render", "quiet.png"), ("convert", "quiet.raw"):
        target = os.path.join(folder, name)
        size = ["--size", "16"] if command == "render" else []
        ran = cubist(command, raw, "-q", *size, "-o", target)
        check(ran.code == 0 and not ran.out and not ran.err, "nothing is said:", ran)
        check(cubist(command, raw, *size, "-o", target).out or command == "convert", "a report without -q")
        if size:
            with open(target, "rb") as file:
                check(file.read(24)[16:] == bytes([0, 0, 0, 16] * 2), "a square picture")
    ran = cubist("extract", raw, "-q", "--json", "-o", os.path.join(folder, "quiet.ply"))
    check(ran.code == 0 and ran.json()["triangles"] > 0 and not ran.err, "--json -q:", ran)
    ran = cubist("extract", raw, "-q")
    check(ran.code == 0 and "triangles" in ran.out and not ran.err, "the report is all there is:", ran)


def progress(folder):
    """The progress line, on a terminal that can erase it and without -q."""
    try:
        for end in os.openpty():
            os.close(end)
    except OSError as error:
        print(f"not checked: progress on a terminal, for none can be made here ({error})")
        return
    # A slice that is slow to inflate, packed once.
    slices, noise = 500, bytes(byte % 29 for byte in os.urandom(512 * 512))
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    packed = packer.compress(noise) + packer.flush(zlib.Z_FULL_FLUSH)
    total = 0
    for _ in range(slices):
        total = zlib.crc32(noise, total)
    large = os.path.join(folder, f"large_512x512x{slices}_uint8.raw.gz")
    with open(large, "wb") as file:
        file.write(b"\x1f\x8b\x08\0\0\0\0\0\0\3" + packed * slices + packer.flush() +
                   struct.pack("<II", total, slices * len(noise)))

    def seen(term, *args):
        terminal, other = os.openpty()
        start = time.monotonic()
        done = subprocess.Popen([CUBIST, "info", large, *args], stdout=subprocess.DEVNULL, stderr=other,
                                env={**NO_DRIVER, "TERM": term})
        os.close(other)
        text = b""
        try:
            while more := os.read(terminal, 4096):
                text += more
        except OSError:  # nobody holds the other end any more
            pass
        os.close(terminal)
        check(done.wait(timeout=100) == 0, "info:", text)
        return text, time.monotonic() - start

    text, took = seen("xterm")
    if b"%" not in text and took < 2:
        print(f"not checked: progress, for reading took only {took:.1f} s")
    else:
        check(re.search(rb"\rreading +\d+%", text) and text.rstrip().endswith(b"\r\x1b[K"), "progress:", text)
    for args in ["dumb"], [""], ["xterm", "-q"]:
        text, _ = seen(*args)
        check(text == b"", "no progress is expected:", args, text)
    ran = cubist("info", large, env=NO_DRIVER)
    check(ran.code == 0 and ran.err == "", "no progress is expected in a pipe:", ran)
    os.remove(large)


def usage(folder, raw):
    meshes = [*formats_written("meshes"), "pvtp"]
    mesh = os.path.join(folder, "out.ply")
    nrrd = os.path.join(folder, "out.nrrd")
    long = "x" * 100_000
    table = [
        # (arguments, exit code, pattern)
        (["--bogus"], 2, "unknown option --bogus; see cubist --help"),
        (["info", raw, "--jsno"], 2, "unknown option --jsno; did you mean --json. See cubist --help"),
        (["extract", raw, "--isovalue", "3"], 2, "unknown option --isovalue; did you mean --iso. "),
        (["exract"], 2, "exract is not a command or a file; did you mean extract. See cubist --help"),
        (["exract", raw, "-o", mesh], 2, "exract is not a command or a file; did you mean extract. See"),
        (["helpp"], 2, "helpp is not a command or a file; did you mean help. "),
        (["-q", "exract.nrrd"], 3, "exract.nrrd.: No such file"),
        (["help", "exract"], 2, "exract is not a command; did you mean extract. See cubist --help"),
        (["help", "me"], 2, "me is not a command; "),
        (["help", "info", "view"], 2, "help takes one command, not also view"),
        (["help", "help", "view"], 2, "help takes one command, not also view"),
        (["help", "bench", "cats"], 2, "did you mean cast.$"),
        (["help", "bench", "cast", raw], 2, "help takes one command, not also .*raw"),
        (["version", "2"], 2, "version takes no operand, not also 2"),
        (["-x", raw], 2, "unknown option -x"),
        (["info", raw, "--d=3"], 2, "ambiguous option --d;"),
        (["--" + long], 2, "unknown option"),
        (["info"], 2, "info needs FILE"),
        (["info", raw, raw], 2, "info takes FILE, not also"),
        ([raw, raw], 2, "view takes .*not also"),
        (["foo", raw], 2, "foo is not a command or a file; see cubist --help"),
        (["devices", raw], 2, "devices takes no operand"),
        (["bench"], 2, "bench needs extract"),
        (["bench", "render", raw], 2, "bench render: expected extract, view, cast, compaction or calibrate$"),
        (["bench", "extrat", raw], 2, "did you mean extract.$"),
        (["bench", "extract"], 2, "bench extract needs FILE"),
        (["bench", "extract", raw, "more"], 2, "takes one FILE, not also more"),
        (["bench", "compaction"] + [raw] * 17, 2, "bench takes .*not also"),
        (["info", raw, "--method", "ink-compact"], 2, "info takes no --method"),
        (["extract", raw, "--repeat", "3"], 2, "extract takes no --repeat"),
        (["extract", raw, "--json=yes"], 2, "--json takes no value"),
        (["extract", raw, "--iso"], 2, "--iso needs a value"),
        (["extract", raw, "-o"], 2, "--output needs a value"),
        (["render", raw, "--cap", "--view", "front"], 2, "--cap needs a value, not --view: solid"),
        (["extract", raw, "-o", "-q"], 2, "--output needs a value, not -q: FILE"),
        (["extract", raw, "--iso", "--json"], 2, "--iso needs a value, not --json"),
        (["extract", raw, "--iso=--json"], 2, "--iso --json"),
        (["extract", raw, "--iso", "3", "--iso", "4"], 2, "--iso was given twice"),
        (["extract", raw, "--json", "--json"], 2, "--json was given twice"),
        # bench compaction: what belongs to it, and to the other one
        (["bench", "extract", raw, "--density", "3"], 2, "bench extract takes no --density"),
        (["bench", "extract", raw, "--against", "0"], 2, "--against 0"),
        (["bench", "extract", raw, "--against", "3,"], 2, "--against 3,"),
        (["bench", "extract", raw, "--against", "3,4"], 2, "--against has 2 values for 1 isovalues"),
        (["bench", "compaction", "--against", "3"], 2, "--against is for bench extract"),
        (["bench", "extract", raw, "--csv", mesh], 2, "bench extract takes no --csv"),
        (["bench", "compaction", "--iso", "3"], 2, "--iso is for a FILE"),
        (["bench", "compaction", "--dims", "2x2x2"], 2, "--dims is for a FILE"),
        (["bench", "compaction", raw], 2, "takes FILEs only for --rerun ink-extraction"),
        (["bench", "compaction", raw, "--rerun", "redzone"], 2, "takes FILEs only for --rerun ink-extraction"),
        (["bench", "compaction", "--rerun", "ink"], 2, "name one FILE or several"),
        (["bench", "compaction", "--csv", "-", "--json"], 2, "only one of them"),
        (["bench", "compaction", "--method", "ink-compact,nonsense"], 2, "--method nonsense: expected a name from cubist methods, or all by itself$"),
        (["bench", "compaction", "--method", ""], 2, "--method : expected"),
        (["bench", "compaction", "--method", "ink-compact,all"], 2, "--method all: expected .* or all by itself$"),
        (["bench", "compaction", "--method", "ink-compact,redzon-2"], 2, "did you mean redzone-2.$"),
        (["bench", "compaction", "--size", "0"], 2, "--size 0: expected comma-separated numbers of elements"),
        (["bench", "compaction", "--size", "257M"], 2, "--size 257M"),
        (["bench", "compaction", "--size", "4k"], 2, "--size 4k"),
        (["bench", "compaction", "--size", "M"], 2, "--size M"),
        (["bench", "compaction", "--size", "4M,"], 2, "--size 4M,"),
        (["bench", "compaction", "--size", "100x100"], 2, "--size of pixels, WxH, is for bench view"),
        (["bench", "compaction", "--size", ",".join(["1K"] * 17)], 2, "at most 16 sizes"),
        (["bench", "compaction", "--density", "100.5"], 2, "--density 100.5: expected comma-separated percentages"),
        (["bench", "compaction", "--density", "-1"], 2, "--density -1"),
        (["bench", "compaction", "--density", "nan"], 2, "--density nan"),
        (["bench", "compaction", "--density", "50%"], 2, "--density 50%"),
        (["bench", "compaction", "--pattern", "runs"], 2, "--pattern runs: expected random, runs:N"),
        (["bench", "compaction", "--pattern", "runs:0"], 2, "--pattern runs:0"),
        (["bench", "compaction", "--pattern", "tail:101"], 2, "--pattern tail:101"),
        (["bench", "compaction", "--pattern", "firsts"], 2, "--pattern firsts"),
        (["bench", "compaction", "--pattern", "random,"], 2, "--pattern random,"),
        (["bench", "compaction", "--image", "hand,,bunny"], 2, "--image hand,,bunny: expected"),
        (["bench", "compaction", "--image", long], 2, "--image x+"),
        (["bench", "compaction", "--threshold", "101"], 2, "--threshold 101"),
        (["bench", "compaction", "--block", "33"], 2, "--block 33: expected comma-separated powers of two"),
        (["bench", "compaction", "--block", "8"], 2, "--block 8"),
        (["bench", "compaction", "--block", "4096"], 2, "--block 4096"),
        (["bench", "compaction", "--subgroup-size", "12"], 2, "--subgroup-size 12: expected a power of two"),
        (["bench", "compaction", "--rerun", "redzone-3"], 2, "--rerun redzone-3: expected names from cubist bench --help.*did you mean redzone-4.$"),
        (["bench", "compaction", "--rerun", "jumping"], 2, "--rerun jumping: expected"),
        (["bench", "compaction", "--rerun", ""], 2, "--rerun : expected"),
        (["bench", "compaction", "--csv", ""], 2, "--csv needs"),
        (["bench", "compaction", "--csv", folder], 5, "it is a folder"),
        (["bench", "compaction", "--csv", os.path.join(folder, "none", "b.csv")], 5, "its folder"),
        # isovalues
        (["extract", raw, "--iso", "nan"], 2, "--iso nan: expected .*a finite number"),
        (["extract", raw, "--iso", "inf"], 2, "--iso inf"),
        (["extract", raw, "--iso", "-inf"], 2, "--iso -inf"),
        (["extract", raw, "--iso", "1e999"], 2, "--iso 1e999"),
        (["extract", raw, "--iso", "0,,5"], 2, "--iso 0,,5: expected .*a finite number such as 36.5"),
        (["extract", raw, "--iso", "0x10"], 2, "--iso 0x10"),
        (["extract", raw, "--iso", " 7"], 2, "--iso  7"),
        (["extract", raw, "--iso", "7 "], 2, "--iso"),
        (["extract", raw, "--iso", "7a"], 2, "--iso 7a"),
        (["extract", raw, "--iso", ""], 2, "--iso : expected"),
        (["extract", raw, "--iso", "%"], 2, "--iso %"),
        (["extract", raw, "--iso", "40%%"], 2, "--iso 40%%"),
        (["extract", raw, "--iso", "p"], 2, "--iso p: expected .*a finite number such as 36.5, a percentage of the range such as 40%, "
         "a percentile such as p99, standard deviations above the mean such as 3s, or auto"),
        (["extract", raw, "--iso", "p100.5"], 2, "--iso p100.5: expected"),
        (["extract", raw, "--iso", "p-1"], 2, "--iso p-1: expected"),
        (["extract", raw, "--iso", "p9%"], 2, "--iso p9%: expected"),
        (["extract", raw, "--iso", "pnan"], 2, "--iso pnan: expected"),
        (["bench", "extract", raw, "--iso", "p50,p101"], 2, "a percentile such as p99"),
        (["extract", raw, "--iso", "nan%"], 2, "--iso nan%"),
        (["extract", raw, "--iso", "automatic"], 2, "--iso automatic"),
        (["extract", raw, "--iso", long], 2, "--iso x+"),
        (["extract", raw, "--iso", "\033[31m7"], 2, r"--iso \\x1b\[31m7"),
        (["extract", raw, "--iso", "%s%n"], 2, "--iso %s%n"),
        (["bench", "extract", raw, "--iso", "1,,2"], 2, "--iso 1,,2"),
        (["bench", "extract", raw, "--iso", "1,2,"], 2, "--iso"),
        (["bench", "extract", raw, "--iso", ",".join(["1"] * 65)], 2, "at most 64"),
        (["bench", "extract", raw, "--iso", "1," + "9" * 70], 2, "--iso"),
        # methods, counts, sizes
        (["extract", raw, "--method", "nonsense"], 2, "--method nonsense: expected a name from cubist methods$"),
        (["extract", raw, "--method", "ink-colate"], 2, "expected a name from cubist methods; did you mean ink-collate.$"),
        (["extract", raw, "--method", "Ink_Compact"], 2, "did you mean ink-compact"),
        (["extract", raw, "--method", "pyramid"], 2, "did you mean histopyramid"),
        (["extract", raw, "--method", ""], 2, "--method : expected a name"),
        (["extract", raw, "--method", "i" * 5000], 2, "expected a name from cubist methods$"),
        (["extract", raw, "--method", "cpu-remove"], 2, "runs on the CPU: in bench compaction and verify"),
        (["bench", "extract", raw, "--method", "cpu-remove"], 2, "runs on the CPU: in bench compaction and verify"),
        (["extract", raw, "--method", "all"], 2, "--method all: expected a name from cubist methods; "),
        (["verify", raw, "--method", "x"], 2, "or all by itself$"),
        (["verify", raw, "--method", "lokback"], 2, "did you mean lookback.$"),
        (["bench", "extract", raw, "--repeat", "0"], 2, "--repeat 0: expected a whole number, 1 to 10000$"),
        (["bench", "extract", raw, "--repeat", "10001"], 2, "--repeat 10001"),
        (["bench", "extract", raw, "--repeat", "-1"], 2, "--repeat -1"),
        (["bench", "extract", raw, "--repeat", "3.5"], 2, "--repeat 3.5"),
        (["bench", "extract", raw, "--repeat", "99999999999999999999"], 2, "--repeat 9"),
        (["render", raw, "--size", "100x", "-o", mesh], 2, "--size 100x: expected WIDTHxHEIGHT"),
        (["render", raw, "--size", "0", "-o", mesh], 2, "--size 0: expected WIDTHxHEIGHT"),
        (["render", raw, "--size", "0x100", "-o", mesh], 2, "--size 0x100"),
        (["render", raw, "--size", "100x-1", "-o", mesh], 2, "--size 100x-1"),
        (["render", raw, "--size", "16385x2", "-o", mesh], 2, "--size 16385x2"),
        (["view", raw, "--exit-after", "soon"], 2, "--exit-after soon"),
        (["info", raw, "--verbose=loud"], 2, "--verbose loud: expected error, warning or info$"),
        (["info", raw, "--verbose=wraning"], 2, "error, warning or info; did you mean warning.$"),
        (["info", raw, "--verbose="], 2, "--verbose : expected"),
        (["info", raw, "--verbose", "error"], 2, "not also error"),
        (["info", raw, "--quiet=yes"], 2, "--quiet takes no value"),
        (["info", raw, "-q", "-q"], 2, "--quiet was given twice"),
        (["--print"], 2, "--print needs a value: man"),
        (["--print", "tcsh"], 2, "--print tcsh: expected man, bash, zsh or fish"),
        (["--print", "bsah"], 2, "did you mean bash.$"),
        (["--list-formats=all"], 2, "--list-formats takes no value"),
        (["-q", "--", "--help"], 3, "--help"),
        (["info", "--", "--json"], 3, "--json"),
        (["info", "--", "-q"], 3, "'-q'"),
        (["view", raw, "--trace", ""], 2, "--trace needs a value: FILE"),
        (["extract", raw, "--device", ""], 2, "--device needs a value: NAME.INDEX"),
        (["extract", raw, "--storage", "disk"], 2, "--storage disk"),
        (["extract", raw, "--max-extent", "0"], 2, "--max-extent 0"),
        (["verify", raw, "--break", "everything"], 2, "--break everything: expected drop-cell, flip-index, .*, contours or bytes$"),
        (["verify", raw, "--storage", "imgae"], 2, "--storage imgae: expected auto, image or buffer; did you mean image.$"),
        # what a raw file is
        (["info", raw, "--dims", "24x20"], 2, "--dims 24x20: expected WIDTHxHEIGHTxDEPTH"),
        (["info", raw, "--dims", "24x20x16x1"], 2, "--dims"),
        (["info", raw, "--dims", "1"], 3, "two samples along each axis"),
        (["info", raw, "--dims", ""], 2, "--dims"),
        (["info", raw, "--dims", "0x20x16"], 3, "two samples along each axis"),
        (["info", raw, "--dims", "1x20x16"], 3, "two samples along each axis"),
        (["info", raw, "--dims", "-4x20x16"], 3, "--dims -4x20x16"),
        (["info", raw, "--dims", "1e9x2x2"], 3, "--dims 1e9x2x2"),
        (["info", raw, "--dims", "10abcx2x2"], 3, "--dims 10abcx2x2"),
        (["info", raw, "--dims", " 7x8x8"], 3, "--dims"),
        (["info", raw, "--dims", "x2x2x2"], 2, "--dims"),
        (["info", raw, "--dims", "4294967296x2x2"], 4, "over the limit"),
        (["info", raw, "--dims", "9" * 30 + "x2x2"], 4, "over the limit"),
        (["info", raw, "--type", "uint24"], 2, "--type uint24: expected uint8, .* or float64; did you mean uint8.$"),
        (["info", raw, "--type", ""], 2, "--type"),
        (["info", raw, "--endian", "middle"], 2, "--endian middle: expected little or big;"),
        (["info", raw, "--offset", "-1"], 3, "--offset -1"),
        (["info", raw, "--offset", "9" * 30], 3, "--offset 9"),
        (["info", raw, "--offset", "1k"], 2, "--offset 1k"),
        (["info", raw, "--spacing", "1,1"], 2, "--spacing 1,1: expected X,Y,Z"),
        (["info", raw, "--spacing", "0,1,1"], 2, "--spacing 0,1,1"),
        (["info", raw, "--spacing", "nan,1,1"], 2, "--spacing nan,1,1"),
        (["info", raw, "--spacing", "1,-1,1"], 2, "--spacing"),
        (["info", raw, "--spacing", "1,inf,1"], 2, "--spacing"),
        (["info", raw, "--atlas", "16"], 2, "--atlas 16: expected COLSxROWS"),
        (["info", raw, "--atlas", "0x4"], 2, "--atlas 0x4"),
        (["info", raw, "--slices", "0"], 2, "--slices 0"),
        # outputs
        (["extract", raw, "-o", ""], 2, "--output needs a value: FILE"),
        (["extract", raw, "-o", mesh + ".xyz"], 2,
         rf"unknown kind of file '.xyz', expected one of .{' .'.join(meshes)}, or --format"),
        (["extract", raw, "--format", "stl"], 2, "--format needs a file to write; name one"),
        (["extract", raw, "-o", mesh, "--format", "dae"], 2,
         f"--format dae: expected {', '.join(meshes[:-1])} or {meshes[-1]}$"),
        (["extract", raw, "-o", mesh, "--format", "plyy"], 2, "did you mean ply.$"),
        (["extract", raw, "-o", mesh, "--format", ""], 2, "--format : expected"),
        (["convert", raw], 2, "convert needs a file to write, such as -o sphere.nrrd"),
        (["convert", raw, "-o", mesh], 2, r"unknown kind of file '.ply', expected one of .nrrd .raw .raw.gz, or --format"),
        (["convert", raw, "-o", mesh, "--format", "nii"], 2, "--format nii: expected nrrd or raw$"),
        (["convert", raw, "-o", nrrd, "--crop", "0:9"], 2, "--crop 0:9: expected X0:X1,Y0:Y1,Z0:Z1"),
        (["convert", raw, "-o", nrrd, "--crop", "0:9,0:9,0:9,"], 2, "--crop"),
        (["convert", raw, "-o", nrrd, "--crop", "0:9,0:9,9"], 2, "--crop"),
        (["convert", raw, "-o", nrrd, "--crop", "0:9,0:9,9:3"], 2, "--crop"),
        (["convert", raw, "-o", nrrd, "--crop", "0:9,0:9,3:3"], 2, "--crop"),
        (["convert", raw, "-o", nrrd, "--crop", "-1:9,:,:"], 2, "--crop"),
        (["convert", raw, "-o", nrrd, "--crop", "1:9:2,:,:"], 2, "--crop"),
        (["convert", raw, "-o", nrrd, "--crop", "0:4294967296,:,:"], 2, "--crop"),
        (["convert", raw, "-o", nrrd, "--crop", "0:25,:,:"], 2, "0:25 along x is not within the volume's 0:24"),
        (["convert", raw, "-o", nrrd, "--crop", ":,20:,:"], 2, "20:20 along y is not within the volume's 0:20"),
        (["convert", raw, "-o", nrrd, "--crop", ":,:,3:4"], 2, "3:4 along z.*two along each axis"),
        (["convert", raw, "-o", nrrd, "--stride", "16"], 2, "0:16 along z.*two along each axis"),
        (["convert", raw, "-o", nrrd, "--stride", "4294967295"], 2, "two along each axis"),
        (["convert", raw, "-o", nrrd, "--stride", "0"], 2, "--stride 0: expected a whole number"),
        (["convert", raw, "-o", nrrd, "--stride", "4294967296"], 2, "--stride"),
        (["convert", raw, "-o", nrrd, "--type", "uint24"], 2, "--type uint24: expected uint8"),
        (["convert", raw, "-o", nrrd, "--input-type", "x"], 2, "--input-type x: expected uint8"),
        (["convert", raw, "-o", nrrd, "--iso", "3"], 2, "convert takes no --iso"),
        (["convert", raw, "-o", folder], 5, "it is a folder"),
        (["convert", raw, "-o", os.path.join(folder, "none", "out.nrrd")], 5, "its folder"),
        (["convert", raw, "-o", raw], 2, "is part of the input"),
        (["extract", raw, "-o", raw], 2, "unknown kind|is part of the input"),
        (["render", raw], 2, "render needs a file to write"),
        (["render", raw, "-o", mesh], 2, r"expected .png"),
        (["generate", "sphere"], 2, "generate needs a file to write, such as -o sphere_128x128x128_uint8.raw"),
        (["generate", "sphere", "-o", mesh], 2, "unknown kind of file '.ply', expected one of .nrrd .raw .raw.gz, or --format"),
        (["generate", "banana", "-o", os.path.join(folder, "b.raw")], 2, "generate banana: expected default, sphere, .* or noise$"),
        (["generate", "spher"], 2, "generate spher: expected .* or noise; did you mean sphere.$"),
        (["generate", "sphere", nrrd], 2, "generate takes NAME, not also .*; the file to write is named by -o$"),
        (["generate"], 2, "generate needs NAME"),
        (["extract", raw, "-o", folder], 5, "it is a folder"),
        (["extract", raw, "-o", os.path.join(folder, "none", "out.ply")], 5, "its folder"),
        (["extract", raw, "-o", os.path.join(raw, "out.ply")], 5, "its folder"),
        (["render", raw, "-o", folder], 5, "it is a folder"),
        (["generate", "sphere", "-o", os.path.join(folder, "none", "s.raw")], 5, "its folder"),
    ]
    before = snapshot(folder)
    for args, code, pattern in table:
        # None of these comes as far as a device.
        refused(cubist(*args, env=NO_DRIVER, cwd=folder), code, pattern, folder, before)


def same_file(folder, raw):
    """The input under another name is still the input."""
    link = os.path.join(folder, "link.ply")
    hard = os.path.join(folder, "hard.ply")
    os.symlink(raw, link)
    os.link(raw, hard)
    before = snapshot(folder)
    refused(cubist(raw, "--trace", raw, env=NO_DRIVER), 2, "is part of the input", folder, before)
    refused(cubist(raw, "--trace", folder, env=NO_DRIVER), 5, "it is a folder", folder, before)
    for target in link, hard, os.path.join(folder, ".", "link.ply"):
        refused(cubist("extract", raw, "-o", target, env=NO_DRIVER), 2, "is part of the input", folder, before)
        for command in "extract", "convert":
            for name in ("stl", "glb") if command == "extract" else ("nrrd", "raw"):
                refused(cubist(command, raw, "-o", target, "--format", name, env=NO_DRIVER), 2, "is part of the input",
                        folder, before)


def files_named_like_commands(folder, raw):
    """`info` is a command, ./info and what follows -- are files."""
    with open(os.path.join(folder, "info"), "wb") as file, open(raw, "rb") as source:
        file.write(source.read())
    how = ["--dims", "24x20x16", "--type", "uint8"]
    for args in ["info", "./info"], ["info", "--", "info"], ["--json", "info", "info"]:
        ran = cubist(*args, *(how if "--" not in args else []), env=NO_DRIVER, cwd=folder)
        if "--" in args:
            ran = cubist(args[0], *how, *args[1:], env=NO_DRIVER, cwd=folder)
        check(ran.code == 0 and "24" in ran.out, "a file named info:", ran)
    refused(cubist("--", "info", "more", env=NO_DRIVER, cwd=folder), 2, "view takes", None)


with Folder() as top:
    fine_without_device()
    printed_without_device()
    loudness(top)
    progress(top)
    sphere = sample(top)
    usage(top, sphere)
    by_one_number(top)
    quiet_reports(top, sphere)
    same_file(top, sphere)
    files_named_like_commands(top, sphere)
finish()
