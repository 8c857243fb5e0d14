#!/usr/bin/env python3
"""How long after its start the window shows the first picture of a volume.

    xvfb-run -a tests/bench/first_picture.py PROGRAM FILE [OPTION...]

Starts the viewer eleven times and prints the seconds of each start, sorted, and the processor seconds
until then. --exit-after draws whole pictures only, so it cannot measure this. A second PROGRAM after
--against is started in turns with the first. No window is left, and no view is remembered.
"""
import os
import subprocess
import sys
import tempfile
import time

ROUNDS = 11


def first_picture(program, arguments, folder):
    """Seconds and processor seconds until the first line of the trace."""
    trace = os.path.join(folder, "trace")
    open(trace, "w").close()
    began = time.monotonic()
    process = subprocess.Popen([program, *arguments, "--no-config", "--trace", trace],
                               env={**os.environ, "XDG_STATE_HOME": folder})
    while os.path.getsize(trace) == 0 and process.poll() is None:
        time.sleep(0.002)
    seconds = time.monotonic() - began
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    process.kill()
    process.wait()
    return seconds, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    words = sys.argv[1:]
    programs = []
    if "--against" in words:
        at = words.index("--against")
        programs.append(words[at + 1])
        del words[at:at + 2]
    if len(words) < 2:
        sys.exit(__doc__)
    programs.insert(0, words[0])
    times = {program: [] for program in programs}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            for program in programs:
                times[program].append(first_picture(program, words[1:], folder))
    for program, found in times.items():
        print(program, "seconds", *(f"{seconds:.2f}" for seconds, _ in sorted(found)))
        print(program, "processor seconds", *(f"{cpu:.2f}" for cpu in sorted(c for _, c in found)))


if __name__ == "__main__":
    main()
