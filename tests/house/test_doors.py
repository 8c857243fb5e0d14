#!/usr/bin/python3
# ctest: plain
"""Doors that all must take, found in the sources.

Text: what is printed is a literal, a text that the program has itself, or comes from a function that escapes what a
terminal must not see (printable_put, problem_set, log_warn, log_note, shell_put). A new expression fails here: print
it with one of these, or add it below if it never holds text from outside.
Files: only output.c and its neighbours open, rename or remove files; see OPENS. Files in the folders of the user are
opened as secret ones.
Reads: a read may be short or interrupted. Only the files of READS call read or pread; the others use source_read_at
and source_read."""
import os
import re
import sys
import tempfile

ROOT = os.environ["CUBIST_SOURCE"]
STRING = r'"(?:\\.|[^"\\])*"'

# Texts of the program: numbers, names of tables, notes.
OWN = [
    r"(number|plan_number|device_memory|plan_size|choices)_text\(", r"number_thousands\(|measurement_verdict\(", r"render_line_isos\(", r"volume_type_name\(", r"wavefront_method\(",
    r"verify_skipped\(", r"\w+_names\[", r"(\w|->|\.)*\bstages\[\w\]\.name$", r"(\w|->)*->(method|experiment)->\w+$",
    r"method->(name|summary|paper|notes\[n\])$", r"format->name$", r"legend->\w+$", r"promises_columns$",
    r"(\w|->)*(problem|line|with_file|shown)(->|\.)text$",  # made by problem_set
    r"(\w|->|\.)*\.deviceName$|gpu->driver$|rows\[i\]\.\w+$|table->(device|driver)$|rank->host$",  # escaped where read
]
# By file: all of it ("*"), or these expressions; and why.
OWN_IN = {
    "app/cli/manual.c": "*", "app/cli/completions.c": "*", "app/cli/help.c": "*",  # tables
    "volumes/readers/protocol.c": "*",  # to cubist, which escapes what it prints
    "app/viewer/methods/measurement.c": "*", "app/base/session_file.c": "*",  # into memory
    "app/cli/words.c": ["word.text", "word.summary"],  # of tables
    "app/base/json.c": ["text", "bytes"],  # ASCII
    "app/picture/render_line.c": ["name"],  # of an option
    "app/viewer/files/saver.c": ["text"],  # of render_line
    "app/cli/commands/checks.c": ["of", "check->label", "found", "expected", "check->detail", "what", "isos", "details"],
    "app/cli/commands/command_devices.c": ["drawing"],
    "app/extract/report.c": [r"result->method->selects \? choices_text\(result, choices\) : \"\""],
    "app/cli/commands/command_generate.c": ["name"],  # of a generator
    "app/cli/commands/command_info.c": [r"bars\[.*\]", r"text\[\d\]", r"frames\[volume->frame\]", "facts->iso_rule"],
    "app/cli/commands/command_methods.c": ["row", "first", r"reasons\[i\]"],
    "app/cli/commands/command_render.c": [r"rays \? drawing->casting.caster->name : drawing->view.method->name"],
    "app/extract/plan.c": ["before"],
    "app/extract/surface.c": [r"!facts->watertight .*", r"\(const char \*\[\]\).*"],
    "app/cli/program.c": [r"scripts\[print\]"],  # a script of app/package
    "app/cli/session.c": ["size"],
    "app/base/progress.c": ["meter->label", "text"],
    "app/base/report.c": ["result->(bricks|cells)_choice.why", "size"],
    "app/base/shell.c": ["word"],  # of plain characters
    "app/base/user_folder.c": [r"recent->paths\[i\]"],  # into memory
    "app/bench/bench_calibrate.c": ["run", r"best \? best->name : .*", "draw->(picked|best)->name", "draw->why"],
    "app/bench/bench_extract.c": ["move"],
    "app/bench/bench_text.c": ["method", "block", r"\*image \? image : row->pattern", "who", "iso", "row->(method|stage)"],
    "app/bench/bench_pivot.c": [r".*parts\[.*\].name.*", r"across->labels.*", r"lines->labels.*", r"axis->labels.*", "cell", "more", r".*measure\].unit"],
    "compute/gpu/gpu.c": ["data->pMessage"],  # lines of the validation layers
    "compute/gpu/run.c": ["run->tracker->first", "kernel->name"],
    "volumes/base/input.c": ["input->text", "line"],  # held back by log.c
    "volumes/base/log.c": ["whole"], "volumes/base/printable.c": ["shown"],
}
PRINTS = {"printf": 0, "fprintf": 1, "vprintf": 0, "vfprintf": 1, "dprintf": 1, "fputs": 0, "puts": 0, "fwrite": 0,
          "fputs_unlocked": 0, "perror": 0}

# Who may open, rename or remove files, and why.
OPENS = {
    "volumes/base/output.c", "volumes/base/output_names.c", "volumes/base/output_folder.c",
    "compute/mesh/formats/pvtp.c",  # its own pieces
    "app/viewer/trace.c",  # said before: target_check in command_view.c
    "app/extract/share_folder.c",  # what it has made: see folder_made
    "app/extract/extract.c",  # its own hidden shares, and the folder of --resume
    "app/base/user_folder.c",  # makes the user's folders, and keeps few files there
    "app/base/cache.c",  # a cache that has grown too large
    "app/viewer/files/store.c",  # the view that it keeps of a file
}
OPENING = (r"\bO_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)\b|\bfopen\([^;]*,\s*\"[^\"]*[wa+][^\"]*\"|\bcreat\(|"
           r"\b(rename|renameat|renameat2|unlink|unlinkat|remove|rmdir|truncate|mkdir|mkdirat|link|linkat|symlink|mkstemp|mkdtemp)\(")
READS = {"volumes/formats/source.c", "volumes/formats/spool.c", "volumes/formats/process.c",
         "volumes/base/output_names.c"}


def without_comments(text):
    return re.sub(rf"{STRING}|'(?:\\.|[^'\\])+'|//[^\n]*|/\*.*?\*/",
                  lambda m: m[0] if m[0][0] in "\"'" else re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)


def arguments(text, at):
    """Those of the call whose parenthesis ends before `at`."""
    found, depth, start = [], 0, at
    for token in re.compile(rf"{STRING}|'(?:\\.|[^'\\])+'|[(\[{{,)\]}}]", re.S).finditer(text, at):
        if token[0] in "([{":
            depth += 1
        elif token[0] in ")]}" and depth > 0:
            depth -= 1
        elif token[0] in (",", ")") and depth == 0:
            found.append(" ".join(text[start:token.start()].split()))
            start = token.end()
            if token[0] == ")":
                return found
    raise ValueError(text[at:at + 100])


def literal(expression):
    """A literal, or a choice between some: no text of a variable."""
    word = rf"(?:{STRING}|PRI\w+|CUBIST_VERSION|NULL)"
    texts = rf"\(?{word}(?:\s*{word})*\)?"
    return re.fullmatch(rf"\(?(?:[^?\"]*\?\s*{texts}\s*:\s*)*{texts}\)?", expression)


def printed(name, args):
    """The expressions whose text a call prints."""
    place = PRINTS[name]
    if name in ("fputs", "puts", "fwrite", "fputs_unlocked", "perror"):
        return [args[0]]
    if not literal(args[place]):
        return [args[place]]
    found, at = [], place + 1
    form = re.sub(r'"\s*PRI(\w)\w*\s*("|$)', r"\1", re.sub(r"^[^\"]*\?", "", args[place]))
    for _flags, width, precision, kind in re.findall(r"%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?(?:hh|ll|[hljzt])?([a-zA-Z%])", form):
        if kind == "%":
            continue
        at += (width == "*") + (precision == "*")
        if kind == "s" and at < len(args):
            found.append(args[at])
        at += 1
    return found


def raw_texts(file, text):
    allowed = OWN_IN.get(file, [])
    for call in re.finditer(rf"(?<![\w.>])({'|'.join(PRINTS)})\(", text):
        for expression in printed(call[1], arguments(text, call.end())):
            if not (literal(expression) or allowed == "*" or any(re.match(own, expression) for own in OWN) or
                    any(re.fullmatch(own, expression) for own in allowed)):
                yield f"{file}, line {text.count(chr(10), 0, call.start()) + 1}: {call[1]} of {expression}"
    if re.search(r"\bwrite\(\s*(STD(OUT|ERR)_FILENO|[12])\b", text):
        yield f"{file}: write to a terminal"


def raw_files(file, text):
    if file not in OPENS:
        for match in re.finditer(OPENING, text):
            yield f"{file}, line {text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
    if file not in READS:
        for match in re.finditer(r"(?<![\w.>])p?readv?(64)?\((?!struct |const |void)", text):
            yield f"{file}, line {text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
    if "user_folder_path(" in text and re.search(r"\boutput_open(_new)?\(", text):
        yield f"{file}: a file of the user's folders is not opened as a secret one"


def look(root):
    found = []
    for top in "app", "compute", "volumes":
        for at, _folders, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".cpp")):
                    path = os.path.join(at, name)
                    with open(path) as source:
                        text = without_comments(source.read())
                    file = os.path.relpath(path, root)
                    found += [*raw_texts(file, text), *raw_files(file, text)]
    return found


found = look(ROOT)
for row in found:
    print("FAIL", row)

# Each of these lines must be noticed.
for line in ('printf("%s\\n", options->operands[0]);', 'fprintf(stderr, "%-*s %" PRIu64 " %.40s", 3, "a", count, path);',
             'fputs(path, stdout);', 'puts(name);', 'fprintf(file, format, name);', 'printf(path ? path : "none");',
             'fprintf(stderr, "cubist: copied: %s\\n", text);', 'write(STDERR_FILENO, text, 3);',
             'FILE *file = fopen(path, "wb");', 'open(path, O_WRONLY | O_CLOEXEC);', 'unlink(path);', 'rename(a, b);',
             'ssize_t got = pread(fd, bytes, 4, 128);', 'ssize_t got = read(fd, bytes, 4);',
             'char *p = user_folder_path("X", ".x", "y"); output_open(p, &output, problem);'):
    with tempfile.TemporaryDirectory() as top:
        os.makedirs(os.path.join(top, "app", "cli"))
        with open(os.path.join(top, "app", "cli", "new.c"), "w") as file:
            file.write(f"void f(void)\n{{\n    {line}\n}}\n")
        if not look(top):
            found.append(line)
            print("FAIL not noticed:", line)
sys.exit(f"{len(found)} found" if found else 0)
