#!/usr/bin/python3
# ctest: plain
"""Every room has a README with a row for each of its files, and the files that the READMEs link to or name
exist. What the first README says of keys and methods is what the program has."""
import fnmatch
import glob
import re

from cli import *

SOURCE = os.environ["CUBIST_SOURCE"]
ROOMS = [os.path.relpath(folder, SOURCE) for top in ("app", "compute", "shaders", "tests", "volumes")
         for folder, _, names in os.walk(os.path.join(SOURCE, top)) if "README.md" in names]
# `formats/off.c`, `hello.py`: a file, not a pattern such as `command_NAME.c`.
NAMED = re.compile(r"`([a-z0-9_][a-z0-9_./-]+\.(?:c|h|cpp|py|sh|glsl|gp|cmake|in|png|desktop|xml|svg))`")
SOURCES = (".c", ".h", ".cpp", ".py", ".sh", ".gp", ".md")
EXAMPLES = {"one_pass.c"}  # what somebody would add


def text_of(path):
    with open(os.path.join(SOURCE, path)) as file:
        return file.read()


FILES = ["/" + os.path.relpath(os.path.join(folder, name), SOURCE)
         for room in ("app", "compute", "shaders", "tests", "volumes")
         for folder, _, names in os.walk(os.path.join(SOURCE, room)) for name in names]


def is_there(name):
    """In any room: most names are written from their own room, some from the root."""
    return any(file.endswith("/" + name) for file in FILES)


def check_room(room):
    path = os.path.join(room, "README.md")
    if not check(os.path.exists(os.path.join(SOURCE, path)), "no", path):
        return
    text = text_of(path)
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        check(os.path.exists(os.path.join(SOURCE, room, target)), path, "links to what is not there:", target)
    for name in NAMED.findall(text):
        check(name in EXAMPLES or is_there(name), path, "names a file that is not there:", name)


def names_of(text):
    """The files that a README names in backticks or as the targets of links, as patterns, without folders and
    endings. `extract_together`, `_input` stands for extract_input, and NAME for anything."""
    found = set()
    for line in text.splitlines():
        first = ""
        for words in re.findall(r"`([^`]+)`|\]\(([^)]+)\)", line):
            name = os.path.splitext(os.path.basename("".join(words)))[0]
            if name.startswith("_"):
                name = first + name
            else:
                first = name.split("_")[0]
            found.add(name.replace("NAME", "*"))
    return found


def lacking(names, text):
    """Which files the README lacks.."""
    patterns = names_of(text)
    stems = {os.path.splitext(name)[0] for name in names if name.endswith(SOURCES)}
    return sorted(stem for stem in stems if not any(fnmatch.fnmatch(stem, each) for each in patterns))


def rows(room):
    """A README has each source file beside it."""
    text = text_of(os.path.join(room, "README.md"))
    for stem in lacking(os.listdir(os.path.join(SOURCE, room)), text):
        check(stem == "README", room, "has no row in its README.md for", stem)


def methods():
    """The numbers of methods in the first README are those of `cubist methods`."""
    rows_of = cubist("methods", "--json", env=NO_DRIVER).json()["methods"]
    on_device = [row["name"] for row in rows_of if row["runs_on"] == "device" and row["name"] != "auto"]
    text = " ".join(text_of("README.md").split())
    forms = [name for name in on_device if ":" in name]
    plain = len(on_device) - len(forms)
    check(f"Cubist has {plain} methods for it on the device" in text, "README.md: not", plain)
    for form in forms:
        check(form.split(":")[0] in on_device, "a form of no method:", form)
    on_cpu = [row["name"] for row in rows_of if row["runs_on"] == "CPU"]
    plain = sum(":" not in name for name in on_cpu)
    check(f"{plain} more methods run on the CPU" in text, "README.md: not", plain, "on the CPU")
    check(len(on_device) + len(on_cpu) + 1 == len(rows_of), "another kind of method:", rows_of)


def complete():
    """A room with files of C, C++ or GLSL has a README, or one of the rooms above it names it."""
    for folder in "app", "compute", "volumes":
        for name in os.listdir(os.path.join(SOURCE, folder)):
            inside = os.path.join(folder, name)
            if glob.glob(os.path.join(glob.escape(SOURCE), inside, "*.[ch]")):
                check(inside in ROOMS or f"`{name}/`" in text_of(os.path.join(folder, "README.md")),
                      inside, "has no README.md and is not in that of", folder)


def keys():
    """The first README's table has every letter that --list-bindings has by itself."""
    table = text_of("README.md").split("## The window")[1].split("\n## ")[0]
    letters = re.findall(r"^ +([A-Z])\b(?!\+)", cubist("--list-bindings", env=NO_DRIVER).out, re.M)
    check({"A", "R", "W"} <= set(letters), "keys:", letters)
    for letter in letters:
        check(f"`{letter}`" in table, "README.md's table lacks the key", letter)


for each in ["", *ROOMS]:
    check_room(each)
for each in ROOMS:
    rows(each)
complete()
keys()
methods()
# The check itself is checked.
check(not is_there("no_such_file.c"), "a file that is not there is found")
check(NAMED.findall("see `command_info.c`, `NAME.c`") == ["command_info.c"], "names")
check(lacking(["a.c", "b_c.h", "test_d.py", "e.c", "f.png"], "| `a`, `b_a`, `_c` | |\n| `test_*.py` | |") == ["e"],
      "a file without a row is not found")
finish()
