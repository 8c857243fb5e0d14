# ctest: plain
"""Are the ports right? Barriers are derived only from what the rows of the kernels declare, so a port
that is not declared is a missing barrier, which nothing else would notice. So the test compares the rows
with the kernels' SPIR-V: every access by an address of the push struct is declared, and some variant of
the kernel does every declared access.

A kernel that waits for its own workgroup may not fetch as texels what it writes: no barrier within a
dispatch covers a fetch, and a GPU's texture cache may hold the old contents.

Rows, words and push structs are read from the C files after the preprocessor."""
import glob
import os
import re
import shutil
import struct
import subprocess
from collections import namedtuple

from cli import CUBIST, check, failures, finish, skip
from spirv import Lost, trace, waits

SOURCE = os.environ["CUBIST_SOURCE"]
WORDS = os.path.join(os.path.dirname(CUBIST), "shaders")
ACCESSES = {"ACCESS_READ": {"read"}, "ACCESS_WRITE": {"write"}, "ACCESS_READ_WRITE": {"read", "write"}}
# The bindings of the descriptor set. What is behind a constant one does not change during a run, so it
# needs no port. A run binding is a view of memory that kernels of the run write; reading through it
# needs a port of that name. A new binding that neither set has fails the test.
CONSTANT_BINDINGS = {"samples", "keys8", "keys16", "keys32", "blocks", "cases"}
RUN_BINDINGS = {"row_masks", "row_prefixes", "bricks", "slots", "cells", "edges", "ranges", "masks", "levels",
                "partials", "words"}
# A texel of the counters is the counter of one list; compaction has other names for what it reads.
COUNTERS = ["bricks_counter", "cells_counter", "vertices_counter", "triangles_counter"]
COMPACTION = {"bricks": {"ranges": "source", "bricks_counter": "counter", "out_bricks": "list"},
              "cells": {"bricks": "source", "bricks_counter": "source_counter", "cells_counter": "counter",
                        "out_cells": "list"},
              "words": {"words": "source", "bricks_counter": "counter", "out_words": "list"}}
LISTS = {"bricks", "cells", "words"}  # what methods that remove work in
SAME = {"partials": "levels"}
OUTPUT = "out_"  # a binding of this prefix is another way to the address of that name
SIZES = {"uint64_t": 8, "uint": 4, "uint32_t": 4, "int": 4, "float": 4}

# A variant of a kernel: `addresses` are the fields of its push struct, `ports` the declared
# accesses by field, and `does` what its SPIR-V does, { field: {"read", "write"} }.
Row = namedtuple("Row", "name words addresses ports does")


def addresses_of(push, text):
    """{ offset: field } of the addresses in a push struct, its size and its alignment. Fields of a
    struct in it go by their own names."""
    body = re.search(r"struct %s \{([^{}]*); \};" % push, text).group(1)
    at, fields, largest = 0, {}, 4
    for declaration in body.split(";"):
        struct_of, kind, names = re.fullmatch(r" ?(struct )?(\w+) ([\w, ]+)", declaration).groups()
        for field in names.split(", "):
            inner, size, align = addresses_of(kind, text) if struct_of else ({}, *[SIZES[kind]] * 2)
            at = -(-at // align) * align
            inner = inner if kind != "uint64_t" else {0: field}
            check(not set(inner.values()) & set(fields.values()), f"struct {push}: two of {inner}")
            fields.update({at + offset: name for offset, name in inner.items()})
            at, largest = at + size, max(largest, align)
    return fields, -(-at // largest) * largest, largest


def what_it_does(label, words, binary, fields, bindings):
    try:
        done = trace(binary, bindings)
    except Lost as lost:
        check(False, f"{label}: cannot be traced: {lost}")
        return {}
    does, fetched = {}, set()
    for at, how in done.items():
        field = at if at in RUN_BINDINGS else fields.get(at)
        if str(at).startswith("counters"):
            field = COUNTERS[int(at[len("counters"):])]
        if str(at).startswith(OUTPUT):
            field = at[len(OUTPUT):]
        field = SAME.get(field, field)
        if at in LISTS and "removals" in fields.values():
            field = "list"
        if "source" in fields.values() and field not in fields.values():
            named = COMPACTION[words.rpartition("_")[2]]
            field = named.get(at) or named.get(field)
        if at not in CONSTANT_BINDINGS and check(
                field in fields.values(), f"{label}: the push struct has no address for {at}"):
            does.setdefault(field, set()).update(how)
            if at in RUN_BINDINGS:
                fetched.add(field)
    stale = {field for field in fetched if "write" in does[field]}
    check(not (stale and waits(binary)), f"{label}: writes {stale}, waits, and fetches it as texels")
    return does


def read_rows(path, bindings):
    """All kernel rows of a C file."""
    text = subprocess.run(
        ["cc", "-E", "-P", "-std=gnu17", "-D_GNU_SOURCE", "-DVK_NO_PROTOTYPES", "-I", SOURCE,
         "-I", WORDS, path], stdout=subprocess.PIPE, check=True).stdout.decode()
    text = " ".join(text.split())
    binaries = {}
    for name, words in re.findall(r"static const uint32_t (\w+)\[\] = \{([0-9a-fx, ]*)\} ?;", text):
        words = [int(word, 16) for word in words.split(",")]
        binaries[name] = struct.pack(f"<{len(words)}I", *words)
    rows = []
    for name, words, push, body in re.findall(
            r'\.name = "([^"]*)", \.code = (\w+), \.code_size = sizeof \w+, \.push_size = sizeof ?'
            r"\(struct (\w+)\), \.ports = \{ ?((?:\{[^{}]*\}[, ]*)*)\}", text):
        label = f"{name} ({words})"
        found = re.findall(r'\{ "[\w.]+", \w+ ?\(struct (\w+), (?:own\.)?(\w+)\), (\w+) \}', body)
        ports = {field: access for _push, field, access in found}
        check(len(ports) == body.count("{"), f"{label}: a field twice, or one not by PORT: {body}")
        first = re.search(r"struct %s \{ ?struct (\w+) stream;" % push, text)
        known = {push, first.group(1)} if first else {push}
        check(all(of in known for of, *_ in found), f"{label}: a port of another struct than {known}")
        fields, *_ = addresses_of(push, text)
        does = what_it_does(label, words, binaries[words], fields, bindings)
        rows.append(Row(name, words, set(fields.values()), ports, does))
    unread = set(binaries) - {row.words for row in rows}
    check(not unread, f"{path}: words without a row, or in a row that this test cannot read: {unread}")
    return rows


def disagreements(rows):
    """A line each."""
    lines, done = [], {}
    for row in rows:
        for field, how in row.does.items():
            done.setdefault((row.name, field), set()).update(how)
            more = how - ACCESSES.get(row.ports.get(field), set())
            if more:
                lines.append(f"{row.name} ({row.words}): does {' and '.join(sorted(more))} {field}, "
                             f"declared {row.ports.get(field, 'not at all')}")
    for row in rows:
        for field, access in row.ports.items():
            idle = ACCESSES[access] - done.get((row.name, field), set())
            if idle:
                lines.append(f"{row.name} ({row.words}): declares {access} of {field}, but no variant "
                             f"does {' and '.join(sorted(idle))} it")
    return lines


def redeclared(ports, field, access):
    """The ports with another access for one field, or without it (None)."""
    others = {other: how for other, how in ports.items() if other != field}
    return {**others, field: access} if access else others


# Every kind of access that the tracer follows, and what it has to find.
TRICKY = """#version 460
#extension GL_EXT_buffer_reference_uvec2 : require
#include "buffers.glsl"
#include "shaders/shared/extraction.h"
layout(local_size_x = 1) in;
layout(set = 0, binding = BINDING_ROW_MASKS) uniform usamplerBuffer rows;
layout(set = 0, binding = BINDING_ROW_PREFIXES) uniform usamplerBuffer unread;
layout(set = 0, binding = BINDING_COUNTERS) uniform usamplerBuffer heads;
layout(set = 0, binding = BINDING_OUT_ROW_MASKS) buffer Bound { uint bound[]; };
layout(set = 0, binding = BINDING_CASES, r32ui) uniform uimageBuffer texels;
struct Inner { uint n; Uints reads, writes, both, atomic, words, one, other, walked, compared, asked; };
layout(push_constant, scalar) uniform Push { uvec2 before; Inner push; };
void main()
{
    Inner copy = push;
    uint n = copy.reads.at[0] + texelFetch(rows, 1).x + ReadUints(uvec2(push.words)).at[push.n];
    push.writes.at[n] = 1;
    bound[n] = texelFetch(heads, 2).y;
    push.both.at[n] += 1;
    atomicMax(push.atomic.at[n], 7);
    Uints either = push.one;
    if (n > 3) either = push.other;
    either.at[1] = n;
    Uints walk = push.walked;
    for (uint i = 0; i < n; i++) { walk.at[i] = n; walk = Uints(uvec2(walk) + uvec2(64, 0)); }
    if (uvec2(push.compared) != uvec2(0)) push.writes.at[0] = 2;
}
"""
TRICKY_DOES = {16: {"read"}, 24: {"write"}, 32: {"read", "write"}, 40: {"read", "write"},
               48: {"read"}, 56: {"write"}, 64: {"write"}, 72: {"write"}, "row_masks": {"read"},
               "out_row_masks": {"write"}, "counters2": {"read"}}
# Accesses that cannot be traced, or do not use an address: the tracer must refuse them. Each is
# inserted for n > 3.
REFUSED = [
    "Uints(before).at[n] = 1;",
    "Uints some[2] = Uints[](push.one, push.other); some[n & 1].at[0] = 1;",
    "imageStore(texels, 1, uvec4(n));",
    "push.writes.at[0] = texelFetch(heads, int(n)).x;",
]


def compiled(source):
    return subprocess.run(
        ["glslc", "--target-env=vulkan1.3", "-O", "-fshader-stage=compute", "-o", "-", "-I",
         os.path.join(SOURCE, "shaders/lib"), "-I", SOURCE, "-"],
        input=source.encode(), stdout=subprocess.PIPE, check=True).stdout


def try_tracer(bindings):
    found = trace(compiled(TRICKY), bindings)
    check(found == TRICKY_DOES, f"the tracer saw {found}, expected {TRICKY_DOES}")
    for access in REFUSED:
        source = TRICKY.replace("if (n > 3)", f"if (n > 3) {{ {access} }}\n    if (n > 3)")
        try:
            found = trace(compiled(source), bindings)
            check(False, f"the tracer saw {found} and missed {access}")
        except Lost:
            pass
    check(not waits(compiled(TRICKY)), "a kernel without a barrier is said to wait")
    check(waits(compiled(TRICKY.replace("if (n > 3)", "barrier(); if (n > 3)"))), "a barrier goes unnoticed")


def try_checker(rows):
    """The comparison detects errors: each port, changed in each way, is reported."""
    tried = set()
    for name, field in sorted({(row.name, field) for row in rows for field in row.addresses}):
        for access in (None, *ACCESSES):
            wrong = [row if row.name != name else
                     row._replace(ports=redeclared(row.ports, field, access)) for row in rows]
            if wrong != rows:
                tried.add((name, field, access))
                check(disagreements(wrong), f"{name}: {field} declared {access} goes unnoticed")
    for known in (("ink-collate", "counter", "ACCESS_READ"), ("triangles", "row_prefixes", None)):
        check(known in tried, f"{known} was not tried")
    return len(tried)


def main():
    for tool in ("spirv-dis", "glslc", "cc"):
        if not shutil.which(tool):
            skip(f"{tool} is missing")
    with open(os.path.join(SOURCE, "shaders/shared/extraction.h")) as header:
        bindings = {int(number): name.lower() for name, number in
                    re.findall(r"#define BINDING_(\w+)\s+(\d+)", header.read())}
    unknown = {name for name in bindings.values() if not name.startswith(OUTPUT)}
    unknown -= CONSTANT_BINDINGS | RUN_BINDINGS | {"counters"}
    check(not unknown, f"bindings that this test knows nothing of: {unknown}")
    try_tracer(bindings)

    rows, included = [], set()
    for path in sorted(glob.glob(os.path.join(SOURCE, "compute/**/*.c"), recursive=True)):
        with open(path) as file:
            words = re.findall(r'#include "(\w+)(?:\.inc|_streams\.h)"', file.read())
        if words:
            included.update(words)
            rows += read_rows(path, bindings)
    for path in glob.glob(os.path.join(SOURCE, "shaders/**/*.comp"), recursive=True):
        stem = os.path.basename(path)[:-len(".comp")]
        check(any(words.startswith(stem) for words in included), f"{path}: nothing in compute/ has it")

    for line in disagreements(rows):
        check(False, line)
    if not failures:
        noticed = try_checker(rows)
        print(f"{len(rows)} variants, {sum(len(row.ports) for row in rows)} ports; "
              f"{noticed} wrong declarations noticed")
    finish()


main()
