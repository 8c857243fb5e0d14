#!/usr/bin/python3
# ctest: plain
"""Completions: every option that --help shows, with every word of its value, in bash, fish and zsh."""
import re
import shutil
import subprocess

import helptext
from cli import *

TYPES = "uint8 int8 uint16 int16 uint32 int32 float32 float64".split()
FILES = ["a.raw", "b b.nrrd", "c.PNG", "d.ply", "e.txt", "f.raw.gz", "g.stl", "h.json"]

BASH = """
source "$1"
while IFS= read -r line; do
    mapfile -t -d $'\\x1f' COMP_WORDS <<<"${line}"
    COMP_WORDS[-1]=${COMP_WORDS[-1]%$'\\n'}
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _cubist
    (IFS=$'\\x1f'; printf '%s\\n' "${COMPREPLY[*]}")
done
"""
# A word in front of what fish lists, so that each line of input has an end.
FISH = """
source $argv[1]
while read -l line
    complete -C"$line" | string replace -r '\\t.*' ''
    echo ==
end
"""

# Stands in for zsh's completion system: lists what the script hands to it.
ZSH = """
setopt extendedglob
compdef() {}
compset() {}
_message() {}
_describe() {
    local each
    for each in "${(@P)4}"; do print -rn -- "${each%%:*}"$'\\x1f'; done
}
_files() {
    local each
    for each in *; do
        [[ $# == 0 || -d $each || $each == ${~${2%\\(-.\\)}} ]] && print -rn -- "$each"$'\\x1f'
    done
}
source $1
while IFS= read -r line; do
    words=("${(@ps:\\x1f:)line}")
    CURRENT=$#words PREFIX=$words[-1]
    _cubist
    print
done
"""
# `cubist` on a command line is the program of this test.
HERE = {**os.environ, "PATH": os.path.dirname(CUBIST) + ":" + os.environ["PATH"]}


def script(shell):
    ran = cubist("--print", shell, env=NO_DRIVER)
    check(ran.code == 0 and ran.out and not ran.err, f"--print {shell} needs no device:", ran)
    path = os.path.join(top, f"cubist.{shell}")
    with open(path, "w") as file:
        file.write(ran.out)
    return path


def parses(shell):
    done = subprocess.run([shell, "-n", script(shell)], stderr=subprocess.PIPE, text=True)
    check(done.returncode == 0 and not done.stderr, f"{shell} -n:", done.stderr)


def in_bash(lines):
    """What bash offers for each list of words, the last of which is being typed."""
    typed = "".join("\x1f".join(words) + "\n" for words in lines)
    done = subprocess.run(["bash", "--norc", "-c", BASH, "bash", script("bash")], input=typed,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=files, env=HERE)
    check(done.returncode == 0 and not done.stderr, "bash:", done.stderr)
    return [set(row.split("\x1f")) - {""} for row in done.stdout.split("\n")[:-1]]


def in_fish(lines):
    done = subprocess.run(["fish", "--no-config", "-c", FISH, script("fish")], text=True,
                          input="".join(" ".join(words) + "\n" for words in lines),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=files,
                          env={**HERE, "HOME": top})
    check(done.returncode == 0 and not done.stderr, "fish:", done.stderr)
    return [set(row.split("\n")) - {""} for row in done.stdout.split("==\n")[:-1]]


def in_zsh(lines):
    typed = "".join("\x1f".join(words) + "\n" for words in lines)
    done = subprocess.run(["zsh", "-f", "-c", ZSH, "zsh", script("zsh")], input=typed, text=True, cwd=files, env=HERE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(done.returncode == 0 and not done.stderr, "zsh:", done.stderr)
    return [set(row.split("\x1f")) - {""} for row in done.stdout.split("\n")[:-1]]


def methods_of(command, start=""):
    """The methods that begin so and may be given to the command."""
    return {m["name"] for m in cubist("methods", "--json").json()["methods"]
            if m["name"].startswith(start) and
            (m["runs_on"] == "device" or command in ("bench", "verify"))}


def words_of(command, option):
    """What the value may be, beside a file."""
    words = set(option.words())
    if option.name == "method":
        words |= methods_of(command)
    elif option.name == "caster":
        expected = cubist("render", "x.raw", "--caster", "?").err.split("expected ")[1]
        words |= set(re.findall(r"[a-z-]+", expected)) - {"or"}
    elif option.value == "TYPE":
        words |= set(TYPES)
    elif option.name == "format":
        words |= {*formats_written("meshes"), "pvtp"} if command in ("extract", "merge") else set(formats_written("volumes"))
    elif option.name == "image":
        words |= {"finger", "hand", "bunny"}
    elif option.name == "color":
        words |= set(re.findall(r"[a-z]+", cubist("render", "x.raw", "--color", "?").err.split("#d08050, or ")[1])) - {"or"}
    elif option.name == "rerun":
        words |= set(re.findall(r"^  ((?:jumping|new|redzone|ink|leaf|efficiency|cell|element|predicate|atomics)\S*) ", cubist("bench", "--help").out, re.M))
    return words


def questions():
    """(words being typed, what must be offered, exactly?)"""
    asked = []
    own = helptext.commands()
    for command, options in own.items():
        names = {"--" + o.name for o in options + helptext.alone()}
        asked.append((["cubist", command, "--"], names, True))
        for option in options:
            name = "--" + option.name
            if command == "view":
                asked.append((["cubist", command, name[:-1]], {name}, False))
            if not option.value:
                continue
            words = words_of(command, option)
            typed = [["cubist", command, f"{name}="] if option.optional else ["cubist", command, name, ""]]
            if option.letter and not option.optional:
                typed.append(["cubist", command, "-" + option.letter, ""])
            for line in typed:
                if option.name == "image":
                    asked.append((line, words | {"folder/", "c.PNG"}, True))
                elif option.name == "session":
                    asked.append((line, {"folder/", "h.json"}, True))
                elif option.value != "FILE":
                    asked.append((line, words, True))
                elif command in ("extract", "merge"):
                    asked.append((line, {"folder/", "d.ply", "g.stl"}, True))
                elif command == "render":
                    asked.append((line, {"folder/", "c.PNG"}, True))
                elif command == "animate":
                    asked.append((line, {"folder/", "c.PNG"}, True))
                elif command == "view":
                    asked.append((line, {"folder/", *FILES}, True))
    volumes = {"folder/", "a.raw", "b b.nrrd", "c.PNG", "f.raw.gz"}
    asked += [
        (["cubist", ""], set(own) | volumes, True),
        (["cubist", "ex"], {"extract"}, True),
        (["cubist", "--json", "inf"], {"info"}, True),
        (["cubist", "info", ""], volumes, True),
        (["cubist", "info", "a.raw", ""], set(), True),
        (["cubist", "bench", ""], {"extract", "view", "cast", "compaction", "calibrate"}, True),
        (["cubist", "bench", "extract", ""], volumes, True),
        (["cubist", "generate", ""], set("default sphere torus gyroid marschner-lobb noise".split()), True),
        (["cubist", "generate", "-o", "extract", "s"], {"sphere"}, True),
        (["cubist", "devices", ""], set(), True),
        (["cubist", "a.raw", "--method", "o"], methods_of("view", "o"), True),
        (["cubist", "render", "--size", "info", "--wire"], {"--wireframe"}, True),
        (["cubist", "info", "--repeat", ""], volumes, False),
        (["cubist", "bench", "cast", "a.raw", ""], volumes, True),
        (["cubist", "info", "-", ""], set(), True),
        (["cubist", "view", "--wireframe", "--wirefr"], set(), True),
    ]
    return asked


def judge(shell, asked, offered, clean=lambda word: word):
    check(len(asked) == len(offered), f"{shell}: {len(asked)} questions, {len(offered)} answers")
    for (line, expected, exactly), got in zip(asked, offered):
        got = {clean(word) for word in got} - {""}
        fine = got == expected if exactly else expected <= got
        check(fine, f"{shell}: {' '.join(line)}| should offer {sorted(expected)}, offers {sorted(got)}")


def bash(asked):
    parses("bash")
    # bash splits at "=", and names a folder without its slash until readline adds it.
    split = []
    for line, expected, exactly in asked:
        if line[-1].endswith("="):
            line = line[:-1] + [line[-1][:-1], "="]
        if line[-1] == "--":
            # The letters come with it when only "-" is typed.
            check("-h" in in_bash([line[:-1] + ["-"]])[0], "bash: - offers no letters")
        split.append((line, {word.rstrip("/") for word in expected}, exactly))
    judge("bash", split, in_bash([line for line, _, _ in split]))
    # After -- nothing is an option or a command.
    names = in_bash([["cubist", "--", ""], ["cubist", "--", "-"], ["cubist", "info", "--", "a"]])
    check("info" not in names[0] and "a.raw" in names[0], "bash: after --:", names[0])
    check(not any(word.startswith("--") for word in names[1]), "bash: after --:", names[1])
    check(names[2] == {"a.raw"}, "bash: after --:", names[2])
    middle = in_bash([["cubist", "extract", "--method", "=", "of"], ["cubist", "info", "--type", "=", "u"]])
    check(middle == [methods_of("extract", "of"), {"uint8", "uint16", "uint32"}], "bash: after =:", middle)


def fish(asked):
    if not shutil.which("fish"):
        print("not checked: fish is not here")
        return
    parses("fish")
    asked = [a for a in asked if "--wirefr" not in a[0] and ("--repeat" not in a[0] or a[0][1] == "bench")]
    # fish shows what a word after "=" is joined to, escapes spaces, and searches the help, too.
    judge("fish", asked, in_fish([line for line, _, _ in asked]),
          lambda word: re.sub(r"^--[a-z-]+=", "", word).replace("\\ ", " "))


def zsh(asked):
    if not shutil.which("zsh"):
        print("not checked: zsh is not here")
        return
    parses("zsh")
    # The system that it hands the words to leaves out those that do not begin as what was typed.
    for (line, expected, exactly), got in zip(asked, in_zsh([line for line, _, _ in asked])):
        start = re.sub(r"^--[a-z-]+=", "", line[-1])
        got = {word for word in got if word.startswith(start)}
        expected = {word.rstrip("/") for word in expected}
        check(got == expected if exactly else expected <= got,
              f"zsh: {' '.join(line)}| should offer {sorted(expected)}, offers {sorted(got)}")


with Folder() as top:
    files = os.path.join(top, "files")
    os.makedirs(os.path.join(files, "folder"))
    for name in FILES:
        open(os.path.join(files, name), "w").close()
    table = questions()
    check(len(table) > 150, f"only {len(table)} questions")
    bash(table)
    fish(table)
    zsh(table)
finish()
