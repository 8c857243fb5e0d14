#!/usr/bin/python3
# ctest: plain
"""Counts what makes the window's code easy or hard to change, and holds each count below a limit. A count that falls
may lower its limit; one that must rise needs a reason in the commit. Called with a folder it counts that tree."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ["CUBIST_SOURCE"])
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.S)


def sources(*folders, ends=(".c", ".cpp", ".h")):
    """Each file's path from the root, and its text without comments and literals."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in ends:
                yield str(path.relative_to(ROOT)), COMMENT.sub('""', path.read_text())


def isovalues():
    """Members of structs, and constants of none: each place where one isovalue stands."""
    for path, text in sources("app", "compute"):
        for body in re.finditer(r"\bstruct \w+\s*\{(.*?)\n\}", text, re.S):
            for line in body[1].split(";"):
                if re.match(r"\s*(const )?double\b", line) and re.search(r"\b(iso|low)\b(?!\s*\()", line):
                    yield f"{path}: {' '.join(line.split())}"


def settings_takers():
    """Functions with a parameter by which they can change settings: a pointer that is not to const."""
    taker = re.compile(r"^[a-z][\w \*\n]*?(\w+)\(([^;{}]*)\)\s*[;{]", re.M)
    for _path, text in sources("app", ends=(".c", ".cpp", ".h")):
        for match in taker.finditer(text):
            if re.search(r"(?<!const )\bstruct (settings|view|camera) \*", match[2]):
                yield match[1]


def settings_writers():
    """Files of the viewer that assign to a member of the settings, or pass a place in them to a function that can."""
    assign = re.compile(r"\bsettings(\.|->)[\w.>-]+(\[[^\]]*\])?\s*([-+*/|&^]?=(?!=)|\+\+|--)|"
                        r"(\+\+|--)\s*\w+(\.|->)settings")
    takers = "|".join(set(settings_takers()))
    passes = re.compile(rf"\b(?:{takers})\([^;]*?&[\w>-]*\bsettings\b")
    for path, text in sources("app/viewer", ends=(".c", ".cpp")):
        if assign.search(text) or passes.search(text):
            yield path


def takes_viewer():
    """Functions that are defined with a struct viewer among their parameters."""
    define = re.compile(r"^[a-z][\w \*\n]*?(\w+)\(([^;{}]*)\)\s*\{", re.M)
    for path, text in sources("app/viewer", ends=(".c", ".cpp")):
        for match in define.finditer(text):
            if "struct viewer *" in match[2]:
                yield f"{path}: {match[1]}"


def includes():
    """What each unit of the viewer, a .c file with its .h, includes of the viewer."""
    units = {}
    for path, _text in sources("app/viewer"):
        text = (ROOT / path).read_text()
        unit = units.setdefault(path.rsplit(".", 1)[0], set())
        unit |= {name for name in re.findall(r'^#include "(app/viewer/.*)\.h"', text, re.M)
                 if name != path.rsplit(".", 1)[0]}
    return units


def floors():
    """The units of the longest way down."""
    units, ways = includes(), {}

    def way(unit):
        if unit not in ways:
            ways[unit] = []  # a circle, which test_circles finds
            ways[unit] = [unit] + max((way(each) for each in units.get(unit, ())), key=len, default=[])
        return ways[unit]

    return max((way(unit) for unit in units), key=len)


def widest():
    """What the header with the most includes of the viewer includes."""
    return max((re.findall(r'^#include "(app/viewer/.*)"', (ROOT / path).read_text(), re.M)
                for path, _text in sources("app/viewer", ends=(".h",))), key=len)


LIMITS = [
    ("places of an isovalue", isovalues, 12),
    ("files of the viewer that write settings", settings_writers, 3),
    ("functions that take a struct viewer", takes_viewer, 60),
    ("floors of the viewer", floors, 10),
    ("includes of the viewer in one of its headers", widest, 9),
]

wrong = 0
for what, count, limit in LIMITS:
    found = list(count())
    print(f"{len(found):4} {what}, at most {limit}")
    if len(found) > limit:
        wrong += 1
        print(*(f"     {each}" for each in found), sep="\n")
    if not found:
        sys.exit(f"{what}: none found, so the count is broken")
sys.exit(f"{wrong} over their limit" if wrong else 0)
