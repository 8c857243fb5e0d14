#!/usr/bin/env python3
"""How often the suggested isovalue shows the thing that a volume was made to show.

usage: suggestion.py CUBIST TABLE.json [CONVERTED]

TABLE.json is a list with one object a volume: "file" (a name), "source" (a path beside the table, or
the arguments of `cubist generate`) and "intervals" (isovalues that a person accepts). A volume of a
format that cubist does not read is taken from CONVERTED/NAME.nrrd, or counts as not tried. Prints
the rows that fail, then the score.
"""
import json, os, subprocess, sys, tempfile


def source_of(row, table, converted, scratch, cubist):
    words = row["source"].split()
    beside = os.path.dirname(os.path.abspath(table))
    own = os.path.join(converted, row["file"] + ".nrrd") if converted else ""
    if os.path.exists(own):
        return own
    if words[0] == "generate":
        path = os.path.join(scratch, row["file"] + ".nrrd")
        dims = "x".join(3 * [words[words.index("--dims") + 1]])
        subprocess.run([cubist, *words[:words.index("--dims")], "--dims", dims, "-o", path, "-q"],
                       check=True)
        return path
    return os.path.join(beside, row["source"].replace("shared/data/", "", 1))


def main():
    cubist, table = sys.argv[1:3]
    converted = sys.argv[3] if len(sys.argv) > 3 else None
    right, failed, not_tried = 0, [], []
    with open(table) as file, tempfile.TemporaryDirectory() as scratch:
        for row in json.load(file):
            path = source_of(row, table, converted, scratch, cubist)
            run = subprocess.run([cubist, "info", path, "--json"], capture_output=True, text=True)
            if run.returncode != 0:
                not_tried.append(row["file"])
                continue
            info = json.loads(run.stdout)
            if any(low < info["iso"] <= high for low, high in row["intervals"]):
                right += 1
            else:
                failed.append((row["file"], info["iso"], info["iso_rule"], row["intervals"]))
    print("| volume | suggested | reason | accepted |\n| --- | --- | --- | --- |")
    for name, iso, rule, intervals in failed:
        spans = " or ".join(f"{low:g} to {high:g}" for low, high in intervals)
        print(f"| {name} | {iso:g} | {rule} | {spans} |")
    print(f"{right} of {right + len(failed)} inside an accepted interval; "
          f"{len(not_tried)} not tried: {', '.join(not_tried) or 'none'}")


main()
