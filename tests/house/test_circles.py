#!/usr/bin/env python3
# ctest: plain
"""No circle between files: the includes of app/, compute/ and volumes/ form no circle. A .c file and its .h
count as one file. No two rooms include each other. In folders where each
function is in the file of the header that declares it, as in the viewer, the calls form no circle either. The
test then proves on a copy that it detects all three."""
import os
import pathlib
import re
import shutil
import sys
import tempfile

ROOT = pathlib.Path(os.environ["CUBIST_SOURCE"])
FOLDERS = "app", "compute", "volumes"

INCLUDE = re.compile(r'^\s*#\s*include\s*"((?:%s)/[^"]+)"' % "|".join(FOLDERS), re.M)
# The folders in which a header declares what its own .c defines, and a header's .c with another name.
FAITHFUL = "app/viewer", "app/picture", "app/settings"
ALIASES = {"app/viewer/panel/ui_imgui": "app/viewer/panel/ui"}
COMMENT = re.compile(r"//[^\n]*")
# A function with external linkage: its name stands on a line that is not indented, and ends in ";"
# where it is declared, in "{" where it is defined.
FUNCTION = re.compile(r"^(?!static\b|typedef\b|extern\b|#|\s|\})(?:[\w *]*?[ *\n])?(\w+)\(([^;{}]*)\)[^;{}=]*([;{])",
                      re.M)


def read(root):
    """{ file without its suffix: { suffix: text } }"""
    units = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".c", ".h", ".cpp"):
                name = str(path.relative_to(root).with_suffix(""))
                texts = units.setdefault(ALIASES.get(name, name), {})
                texts[path.suffix] = texts.get(path.suffix, "") + path.read_text() + "\n"
    return joined(units)


def joined(units):
    """The same with all that includes a private header, and the header, as one file: the first of them."""
    private = [name for name in units if name.endswith("internal") and ".c" not in units[name]]
    for header in private:
        sharing = [name for name in units if header + ".h" in INCLUDE.findall(units[name].get(".c", ""))]
        for name in [header, *sharing[1:]]:
            ALIASES[name] = sharing[0]
            for suffix, text in units.pop(name).items():
                units[sharing[0]][suffix] = units[sharing[0]].get(suffix, "") + text
    return units


def graph(units):
    """{ file: files that it includes }"""
    edges = {}
    for name, texts in units.items():
        targets = {target.rsplit(".", 1)[0] for text in texts.values() for target in INCLUDE.findall(text)}
        edges[name] = ({ALIASES.get(target, target) for target in targets} & units.keys()) - {name}
    return edges


def strays(units):
    """Functions that one file declares and another defines: (function, header, file)."""
    declared, found = {}, []
    for name, texts in units.items():
        for function, _, end in FUNCTION.findall(COMMENT.sub("", texts.get(".h", ""))):
            if end == ";":
                declared[function] = name
    for name, texts in units.items():
        if not name.startswith(FAITHFUL):
            continue
        code = COMMENT.sub("", texts.get(".c", "") + texts.get(".cpp", ""))
        for function, _, end in FUNCTION.findall(code):
            if end == "{" and declared.get(function, name) != name:
                found.append((function, declared[function], name))
    return found


def circles(edges):
    """The sets of files that reach each other, by Tarjan's algorithm."""
    sys.setrecursionlimit(10000)
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for target in sorted(edges[node]):
            if target not in order:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], order[target])
        if low[node] == order[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(edges):
        if node not in order:
            visit(node)
    return sorted(found)


def two_way(root):
    """The pairs of rooms, which are folders, that include each other."""
    edges = set()
    for folder in FOLDERS:
        for path in (root / folder).rglob("*"):
            if path.suffix in (".c", ".h", ".cpp"):
                room = str(path.parent.relative_to(root))
                edges |= {(room, os.path.dirname(target)) for target in INCLUDE.findall(path.read_text())}
    return {(a, b) for a, b in edges if a < b and (b, a) in edges}


def check(root):
    """What is wrong, a line each."""
    units = read(root)
    wrong = [f"a circle: {' '.join(circle)}" for circle in circles(graph(units))]
    wrong += [f"{function} is declared in {header}.h and defined in {name}.c" for function, header, name
              in strays(units)]
    found = two_way(root)
    wrong += [f"{a} and {b} include each other" for a, b in sorted(found)]
    return wrong


wrong = check(ROOT)
if wrong:
    print(*wrong, sep="\n")
    sys.exit(1)

# The check itself is checked: each of these must be noticed.
BROKEN = [
    {"app/viewer/work/document.h": '#include "app/viewer/viewer.h"'},
    {"app/viewer/frame.c": '#include "app/viewer/input.h"', "app/viewer/input.c": '#include "app/viewer/frame.h"'},
    {"volumes/base/problem.h": '#include "volumes/volume.h"'},
    {"compute/atlas.h": '#include "compute/extraction/internal.h"'},
    {"volumes/cubes.h": '#include "volumes/formats/text.h"'},
    {"app/cli/completions.c": '#include "app/bench/bench.h"'},  # a circle of rooms, but not of files
    {"app/viewer/base/schedule.h": "void schedule_stray(double now);",
     "app/viewer/window/window.c": "void schedule_stray(double now)\n{\n    (void)now;\n}"},
]
with tempfile.TemporaryDirectory() as folder:
    for lines in BROKEN:
        copy = pathlib.Path(folder, "tree")
        for name in FOLDERS:
            shutil.copytree(ROOT / name, copy / name)
        for path, text in lines.items():
            with open(copy / path, "a") as file:
                file.write(text + "\n")
        if not check(copy):
            print("not noticed:", lines)
            sys.exit(1)
        shutil.rmtree(copy)
print("no circles")
