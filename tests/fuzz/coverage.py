"""Line coverage of volumes/ in a build that was made with --coverage and has been run.

coverage.py BUILD [-v] [FILE...]: a line for each file, `-v`: with the numbers of the lines that no
run has reached.
"""
import glob
import json
import os
import subprocess
import sys


def main(build, verbose, only):
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    notes = sorted(glob.glob(f"{build}/volumes/**/*.gcno", recursive=True))
    counts = {}  # file: {line: times}
    for note in notes:
        out = subprocess.run(["gcov", "--json-format", "--stdout", os.path.realpath(note)],
                             capture_output=True, check=True, cwd=build)
        for line in out.stdout.splitlines():
            report = json.loads(line)
            for entry in report["files"]:
                path = os.path.realpath(os.path.join(report["current_working_directory"], entry["file"]))
                name = os.path.relpath(path, source)
                if name.startswith("volumes/") and name.endswith(".c"):
                    lines = counts.setdefault(name, {})
                    for at in entry["lines"]:
                        lines[at["line_number"]] = lines.get(at["line_number"], 0) + at["count"]
    all_lines = all_hit = 0
    print(f"{'file':28} {'lines':>6} {'reached':>8}")
    for name, lines in sorted(counts.items()):
        if only and os.path.basename(name) not in only:
            continue
        hit = sum(1 for count in lines.values() if count)
        all_lines += len(lines)
        all_hit += hit
        print(f"{name:28} {len(lines):6} {100 * hit / len(lines):7.1f}%")
        if verbose:
            text = open(os.path.join(source, name)).read().splitlines()
            for number, count in sorted(lines.items()):
                if not count:
                    print(f"    {number:4}: {text[number - 1].strip()[:90]}")
    print(f"{'all':28} {all_lines:6} {100 * all_hit / max(all_lines, 1):7.1f}%")


arguments = [a for a in sys.argv[1:] if a != "-v"]
main(os.path.realpath(arguments[0]), "-v" in sys.argv, arguments[1:])
