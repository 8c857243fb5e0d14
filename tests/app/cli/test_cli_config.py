#!/usr/bin/python3
# ctest: plain
"""The configuration: keys in --list-bindings, warnings that name line and member, and who reads it."""
from cli import *


def run(home, *args, **more):
    return cubist(*args, env={**NO_DRIVER, "XDG_CONFIG_HOME": home, **more})


def write(home, text):
    os.makedirs(os.path.join(home, "cubist"), exist_ok=True)
    with open(os.path.join(home, "cubist", "config.json"), "w") as file:
        file.write(text)
    return file.name


def keys_of(listing):
    """{name of an action: its keys}"""
    return dict(re.findall(r"^  ([a-z-]+) +(\S.*)?$", listing.split("\nactions, ")[1], re.M))


def keys(home):
    plain = run(home, "--list-bindings")
    check(plain.code == 0 and not plain.err, plain)
    names = keys_of(plain.out)
    check(len(names) > 50 and names["wireframe"] == "W" and names["help"] == "H  ?  F1", names)
    write(home, '{ "keys": { "wireframe": "Ctrl+W", "help": ["H", "F1"], "quit": [] } }')
    ran = run(home, "--list-bindings")
    check(ran.code == 0 and not ran.err, ran)
    changed = {"wireframe": "Ctrl+W", "help": "H  F1", "quit": ""}
    check(keys_of(ran.out) == {**names, **changed}, keys_of(ran.out))
    for line in "  Ctrl+W            wireframe", "  H  F1             this help", "  none              quit":
        check(line in ran.out.splitlines(), line, "is missing in", ran.out)
    for args in ["--no-config", "--list-bindings"], ["--list-bindings", "--no-config"]:
        check(run(home, *args).out == plain.out, args)
    check(run(home, "--print", "man").out == run(home, "--no-config", "--print", "man").out, "the man page")
    # Without XDG_CONFIG_HOME it is in ~/.config.
    with Folder() as person:
        shutil.copytree(home, os.path.join(person, ".config"))
        check(run("", "--list-bindings", HOME=person).out == ran.out, "~/.config")
        check(run("relative", "--list-bindings", HOME=person).out == ran.out, "~/.config")


def warnings(home):
    def says(text, *patterns, args=("--list-bindings",)):
        path = write(home, text)
        ran = run(home, *args)
        lines = ran.err.splitlines()
        check(len(lines) == len(patterns), f"{len(patterns)} warnings:", ran)
        for line, pattern in zip(lines, patterns):
            check(re.match(rf"cubist: warning: configuration '{re.escape(path)}'{pattern}", line), pattern, "is not", line)
        check(args != ("--list-bindings",) or ran.code == 0 and "actions, by the names" in ran.out, ran)
        return ran

    ran = says('{ "keys": {\n "wirefame": "W",\n "flat": "Strg+W",\n "box": 7,\n "edges": "F9" } }',
               ", line 2, keys.wirefame: there is no action of this name; cubist --list-bindings names them",
               r", line 3, keys.flat: 'Strg\+W': expected a letter",
               r", line 4, keys.box: expected a key such as \"Ctrl\+K\", or a list of keys")
    check(keys_of(ran.out)["edges"] == "F9" and keys_of(ran.out)["flat"] == "T", "the rest is used:", ran.out)
    says('{ "keys": {\n "flat": "W" } }', ", line 2, keys.flat: W is also a key of wireframe, which loses it$")
    says('{ "keys": {\n "flat": "W", "wireframe": [] } }')
    says('{\n"keys": [],\n"colors": {} }', r", line 2, keys: expected an object", ", line 3, colors: there is no such member")
    says('{\n"last-view": 0 }', ", line 2, last-view: expected true or false$")
    says('{ "last-view": false }')
    says('{\n"keys": {\n', ", line 3, column 0: it is not valid JSON")
    says("[]", " is not a single JSON object")
    # Options matter where a window, or its picture, is opened.
    says('{ "options": { "look": "glass" } }')
    options = '{ "options": {\n "look": "glass",\n "trace": "a",\n "camera": "1,2,3,4,1,0,0,0",\n "samples": 3,\n "box": 1,\n "edges": true,\n "memory-budget": 64 } }'
    away = {name: "" for name in ("DISPLAY", "WAYLAND_DISPLAY")}
    write(home, options)
    ran = run(home, "view", **away)
    expected = [", line 2, options.look: --look glass: expected bone, clay or scan", ", line 3, options.trace: the configuration cannot set this option",
                ", line 4, options.camera: the configuration cannot set this option", ", line 5, options.samples: --samples 3: expected 1, 2, 4 or 8",
                ", line 6, options.box: expected true or false"]
    lines = [line for line in ran.err.splitlines() if "configuration" in line]
    check(ran.code == 4 and len(lines) == len(expected) and all(e in line for e, line in zip(expected, lines)), ran)
    for args in ["view", "--no-config"], ["view", "--quiet"], ["render", "-o", os.path.join(home, "a.png")], ["devices"], ["info", home]:
        check("configuration" not in run(home, *args, **away).err, args, "reads the configuration")
    refused(run(home, "render", "--no-config"), 2, "render takes no --no-config")


with Folder() as where:
    keys(where)
with Folder() as where:
    warnings(where)
finish()
