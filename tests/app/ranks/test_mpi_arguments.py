#!/usr/bin/python3
# ctest: plain share
"""Ranks that were started with other arguments than rank 0, or have another input: the message says who differs in
what, and nothing is written. What cannot change the result may differ."""
import shlex
import shutil

from mpi import *

need_mpi()
MPI = MPIS[0]
RENDER, MESH = "r.png", "m.ply"
SMALL = ["--size", "40", "-o", RENDER]


def run(folder, first, second, count=2):
    """Rank 0 runs cubist-mpi with `first`, the others with `second`."""
    def line(arguments):
        return shlex.join([MPI.program, *arguments])
    script = f'if [ "${{OMPI_COMM_WORLD_RANK-$PMI_RANK}}" = 0 ]; then exec {line(first)}; else exec {line(second)}; fi'
    return MPI.run(count, "sh", "-c", script, cwd=folder, timeout=60)


def other_arguments(folder):
    """How rank 1 was started, and rank 0."""
    raw = ["f.raw", *SIZE]
    render, extract = ["render", *raw, *SMALL, "--iso", "20"], ["extract", *raw, "-o", MESH, "--iso", "20"]
    tries = [
        (render, [*render[:-1], "60"], "with --iso 60, rank 0 with --iso 20"),
        (extract, [*extract, "--format", "vtp"], "with --format vtp, rank 0 without --format"),
        (["render", "a.cubist.json", "-o", RENDER], ["render", "b.cubist.json", "-o", RENDER], "with --zoom 2, rank 0 with --zoom 1"),
        (render, [*render, "--light", "off"], "with --light off, rank 0 without --light"),
        (["info", *raw], ["info", *raw, "--json"], "with --json, rank 0 without --json"),
        (["info", *raw], extract, "with extract, rank 0 with info"),
        (["render", *SMALL], ["render", "f.raw", *SMALL], "with 1 file, rank 0 with 0 files"),
        (["devices", "--json"], ["devices"], "without --json, rank 0 with --json"),
        (extract, ["n.ply" if word == MESH else word for word in extract], "with --output n.ply, rank 0 with --output m.ply"),
    ]
    for first, second, how in tries if WHOLE else tries[:3:2]:
        before = snapshot(folder)
        refused(run(folder, first, second), 2,
                rf"^cubist: rank 1 \(\S+\) was started {how}; start all processes with the same arguments$", folder, before)


def may_differ(folder):
    """What does not change the result, but how it is made, and what is said meanwhile."""
    raw = ["f.raw", *SIZE, "--iso", "20"]
    own = [["--device", "0"], ["--memory-budget", "300"], ["--storage", "buffer"], ["-q"], ["--validate"], ["--verbose"]]
    commands = (["extract", *raw, "-o", MESH], MESH), (["render", *raw, *SMALL], RENDER)
    for command, made in commands if WHOLE else commands[:1]:
        path = os.path.join(folder, made)

        def content():
            with open(path, "rb") as file:
                content = file.read()
            os.unlink(path)
            return content
        ran = MPI.cubist(2, *command, cwd=folder)
        if not check(ran.code == 0, ran):
            return
        expected = content()
        for more in own if WHOLE else [sum(own[:4], [])]:
            tries = (command, [*command, *more]), ([*command, *more], command)
            for first, second in tries if WHOLE else tries[:1]:
                ran = run(folder, first, second)
                check(ran.code == 0 and content() == expected, "another result with", more, ran)


def other_input(folder):
    """Files of one size, with the same slice in the middle. A copy has another time, and only gives a warning."""
    commands = (["info"], []), (["extract"], ["--iso", "20", "-o", MESH]), (["render"], ["--iso", "20", *SMALL])
    for command, more in commands if WHOLE else commands[1:]:
        first, second = ([*command, name, *SIZE, *more] for name in ("f.raw", "g.raw"))
        before = snapshot(folder)
        refused(run(folder, first, second), 3, r"^cubist: rank 1 \(\S+\): 'g.raw' is not the file that rank 0 reads: "
                "it has other contents; all processes need the same input$", folder, before)
    copy = os.path.join(folder, "copy.raw")
    shutil.copy2(os.path.join(folder, "f.raw"), copy)
    for touched in False, True:
        if touched:
            os.utime(copy, (1, 1))
        for command, more in commands if WHOLE else commands[:1]:
            ran = run(folder, [*command, "f.raw", *SIZE, *more], [*command, "copy.raw", *SIZE, *more], count=3)
            warned = re.findall(r"^cubist: warning: rank 1 reads 'f.raw' with another time than rank 0; .*\n", ran.err, re.M)
            check(ran.code == 0 and len(warned) == touched and ran.err.count("warning") == touched, touched, ran)
    # The same bytes mean other samples by another name.
    for name in "f_64x64x64_uint16_le.raw", "f_64x64x64_uint16_be.raw":
        with open(os.path.join(folder, name), "wb") as file:
            file.write(bytes(2 * 64 * 64 * 64))
            file.seek(2 * 64 * 64 * 32)
            file.write(b"\1\2")
    ran = run(folder, ["info", "f_64x64x64_uint16_le.raw"], ["info", "f_64x64x64_uint16_be.raw"])
    refused(ran, 3, r"rank 1 .* it has other samples in its middle slice")


SIZE = ["--dims", "64", "--type", "uint8"]
with Folder() as top:
    with open(sample(top, "sphere", "64x64x64", "uint8"), "rb") as source:
        samples = bytearray(source.read())
    for name in "f.raw", "g.raw":
        with open(os.path.join(top, name), "wb") as out:
            out.write(samples)
        samples[44 * 4096:60 * 4096] = bytes(16 * 4096)
    os.utime(os.path.join(top, "g.raw"), ns=(0, os.stat(os.path.join(top, "f.raw")).st_mtime_ns))
    for zoom in 1, 2:
        with open(os.path.join(top, f"{'ab'[zoom - 1]}.cubist.json"), "w") as out:
            json.dump({"cubist_session": 1, "volume": {"path": "f.raw"},
                       "options": {"dims": "64", "type": "uint8", "size": "40", "zoom": zoom}}, out)
    other_arguments(top)
    may_differ(top)
    other_input(top)
finish()
