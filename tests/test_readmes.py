#!/usr/bin/python3
# ctest: plain
"""Every room has a README, and the files that the READMEs link to or name exist."""
import glob
import re

from cli import *

SOURCE = os.environ["CUBIST_SOURCE"]
ROOMS = [os.path.relpath(folder, SOURCE) for top in ("app", "compute", "shaders", "tests", "volumes")
         for folder, _, names in os.walk(os.path.join(SOURCE, top)) if "README.md" in names]
# `formats/off.c`, `hello.py`: a file, not a pattern such as `command_NAME.c`.
NAMED = re.compile(r"`([a-z0-9_][a-z0-9_./-]+\.(?:c|h|cpp|py|sh|glsl|gp|cmake|in|png|desktop|xml|svg))`")
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
complete()
keys()
# The check itself is checked.
check(not is_there("no_such_file.c"), "a file that is not there is found")
check(NAMED.findall("see `command_info.c`, `NAME.c`") == ["command_info.c"], "names")
finish()
