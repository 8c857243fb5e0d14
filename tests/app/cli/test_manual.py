#!/usr/bin/python3
# ctest: plain
"""The man page: it names every command and option, and renders without a warning."""
import re
import shutil
import subprocess

import helptext
from cli import *

SOURCE = os.environ["CUBIST_SOURCE"]


def rendered(page):
    """The page as people see it, or None where nothing can show it."""
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-P-cbou"], input=page, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        check(done.returncode == 0 and not done.stderr, "groff:", done.stderr)
        return done.stdout
    print("not checked: groff is not here to render the page")
    return None


def lint(page):
    if not shutil.which("mandoc"):
        print("not checked: mandoc is not here to judge the page")
        return
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=page, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    # The same bytes whenever it is built: no date.
    found = [line for line in done.stdout.splitlines() if "missing date" not in line]
    check(not found, "mandoc:", "\n".join(found))


def sections(text):
    """{title: text} of the rendered page."""
    parts = re.split(r"^([A-Z][A-Z ]+)$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def holds(text, what, *where):
    # Rendered lines are broken at spaces.
    check(re.sub(r"\s+", " ", what) in re.sub(r"\s+", " ", text), f"{what!r} is missing:", *where)


ran = cubist("--print", "man", env=NO_DRIVER)
check(ran.code == 0 and not ran.err, "--print man needs no device:", ran)
page = ran.out
check(not re.search(r"[ \t]$", page, re.M), "lines end in spaces")
lint(page)
text = rendered(page)
if text is None:
    text = re.sub(r"\\f[BIR]|\\&", "", page).replace("\\-", "-").replace("\\(aq", "'")

if shutil.which("groff"):
    part = sections(text)
    for title in ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "THE WINDOW", "METHODS",
                  "VOLUMES", "MESHES", "LARGER THAN MEMORY", "CONFIGURATION", "EXIT STATUS", "ENVIRONMENT", "EXAMPLES", "SEE ALSO"]:
        check(part.get(title, "").strip(), f"section {title} is missing or empty")
else:
    part = {title: text for title in
            ["COMMANDS", "OPTIONS", "THE WINDOW", "METHODS", "EXIT STATUS", "ENVIRONMENT", "VOLUMES"]}

commands = helptext.commands()
check("view" in commands and "bench" in commands, "too few commands:", list(commands))
for command, options in commands.items():
    holds(part["COMMANDS"], f" {command}", "COMMANDS")
    check(len(options) > 3, f"too few options of {command}")
    for option in options:
        text = f"-{option.letter}, " * bool(option.letter) + f"--{option.name}" + \
            (f"[={option.value}" if option.optional else f" {option.value}" * bool(option.value))
        holds(part["OPTIONS"], text, "OPTIONS")
for option in helptext.alone():
    holds(part["OPTIONS"], f"--{option.name}", "OPTIONS")

for line in cubist("--list-bindings").out.split("\nactions, ")[0].splitlines():
    row = re.match(r"  (\S.*?)  +(\S.*)", line)
    if row:
        keys = line[2:20].strip()
        holds(part["THE WINDOW"], f" {keys} {line[20:]}", "THE WINDOW")
    elif line:
        holds(part["THE WINDOW"], line.rstrip(":"), "THE WINDOW")

# A method's entry: name, summary, paper, and all that its row promises.
listed = cubist("methods", "--json").json()["methods"]
heads = [f" {m['name']} {m['summary']} {m['paper']} " for m in listed]
entries = re.sub(r"\s+", " ", part["METHODS"])
for method, head, following in zip(listed, heads, heads[1:] + ["\n"]):
    if not check(head in entries, f"{head!r} is missing in METHODS"):
        continue
    entry = entries.split(head)[1].split(following)[0]
    for promise, words in ("stable", "stable"), ("in_place", "in place"), ("needs_removals", "needs a removal list"), \
            ("waits", "waits for other workgroups"), ("block_is_parameter", "block size is a parameter"), \
            ("longest", f"at most {method['longest'] or 0:,} elements"):
        check((words in entry) == bool(method[promise]), method["name"], "promises", words, "in", entry)
formats = cubist("--list-formats", env=NO_DRIVER)
check(formats.code == 0 and not formats.err, "--list-formats:", formats)
readers = re.findall(r"^  (.{22})  .* \((\.[^()]+)\)$", formats.out, re.M)
check(len(readers) > 1, "readers:", readers)
for name, endings in readers:
    holds(part["VOLUMES"], f"{name.strip()} ({endings})", "VOLUMES")

# The members of a line of --trace.
with open(os.path.join(SOURCE, "app", "viewer", "trace.c")) as file:
    members = re.findall(r'json_add_\w+\((?:json|events), "(\w+)"', file.read())
check(len(members) > 20, "members of a line of --trace:", members)
for member in members:
    check(re.search(rf"\b{member}\b", part["THE WINDOW"].split("--trace writes")[-1]), "not in the man page:", member)

# The exit codes of --help, the page and app/cli/README.md are the same.
codes = re.findall(r"^  (\d+) +(\S.*)$", cubist("--help").out.split("exit codes:\n")[1], re.M)
check(len(codes) == 9, "exit codes:", codes)
with open(os.path.join(SOURCE, "app", "cli", "README.md")) as file:
    readme = file.read()
for code, meaning in codes:
    holds(part["EXIT STATUS"], f" {code} {meaning}", "EXIT STATUS")
    check(f"| {code} | {meaning} |" in readme.replace("`", ""), f"app/cli/README.md: exit code {code} is not {meaning!r}")

# What the program asks its environment for.
for folder in "app", "compute", "volumes":
    for top, _folders, files in os.walk(os.path.join(SOURCE, folder)):
        for name in files:
            if name.endswith((".c", ".cpp")):
                with open(os.path.join(top, name)) as file:
                    for variable in re.findall(r'getenv\("(\w+)"\)', file.read()):
                        holds(part["ENVIRONMENT"], variable, "ENVIRONMENT", name)
finish()
