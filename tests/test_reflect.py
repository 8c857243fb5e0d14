# ctest: plain
"""Is what shaders/reflect.c finds in the kernels right? Barriers are derived only from that, so an access
that it misses is a missing barrier, which nothing else would notice. This test reads every module a second
time, from the text of spirv-dis, and compares.

A kernel that waits for its own workgroup may not fetch as texels what it writes: no barrier within a
dispatch covers a fetch, and a GPU's texture cache may hold the old contents."""
import os
import re
import shutil
import subprocess
import tempfile

from cli import check, failures, finish, skip
from spirv import modules

SHADERS = os.environ["CUBIST_SHADERS"]
TEXELS = 64  # added to the number of a buffer that is read as texels
SAME = {35: 36}  # LEVELS and PARTIALS are one buffer
READS = re.compile(r"OpLoad|OpImage(Fetch|Read|Sample.*|Gather)|OpAtomic(?!Store)\w+")
WRITES = re.compile(r"OpStore|OpImageWrite|OpAtomic(?!Load)\w+")


def reflected(code):
    """{ module: ({ number: "rw" }, push size) } from the generated C."""
    tables = {}
    for name, rows in re.findall(r"bindings_(\w+)\[\] = \{(.*?)\};", code, re.DOTALL):
        tables[name] = {int(number): ("r" if reads == "1" else "") + ("w" if writes == "1" else "")
                        for number, _kind, reads, writes in re.findall(r"\{ (\d+), (\w+), (\d), (\d) \}", rows)}
    return {name: (tables.get(name, {}), int(size))
            for name, size in re.findall(r"const struct shader shader_(\w+) = \{ \w+, sizeof \w+, (\d+),", code)}


def disassembled(path):
    return subprocess.run(["spirv-dis", "--raw-id", "--no-header", "--no-indent", path], stdout=subprocess.PIPE,
                          check=True).stdout.decode()


def read_again(text):
    """({ number: "rw" }, size of the push constants as spirv-dis tells it, whether it waits)"""
    numbers = {name: int(number) for name, number in re.findall(r"OpDecorate (%\w+) Binding (\d+)", text)}
    of = dict(numbers)  # whatever comes from a variable: its binding's number
    images = set(re.findall(r"(%\w+) = OpType(?:Sampled)?Image ", text))
    done = {}
    for line in text.splitlines():
        result, _, rest = line.rpartition(" = ") if line.startswith("%") else ("", "", line)
        op, *operands = rest.split()
        used = [of[operand] for operand in operands if operand in of]
        if not used or op in ("OpEntryPoint", "OpName", "OpDecorate", "OpVariable"):
            continue
        if op.endswith("AccessChain") or op == "OpImage" or op == "OpLoad" and operands[0] in images:
            of[result] = used[0]
            continue
        known = bool(READS.fullmatch(op) or WRITES.fullmatch(op))
        check(known, f"an instruction that this test does not know: {line}")
        how = done.setdefault(used[0], set())
        how.update(["r"] if READS.fullmatch(op) else [], ["w"] if WRITES.fullmatch(op) else [])
    return ({number: "".join(sorted(how)) for number, how in done.items()}, "OpControlBarrier" in text)


TRICKY = """#version 460
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(push_constant) uniform Push { uint a; uvec2 b; uint last; } push;
layout(set = 0, binding = 3) readonly buffer A { uint reads[]; };
layout(set = 0, binding = 4) buffer B { uint writes[]; };
layout(set = 0, binding = 5) buffer C { uint both[]; };
layout(set = 0, binding = 6) buffer D { uint adds[]; };
layout(set = 0, binding = 7) buffer E { uint loads[]; };
layout(set = 0, binding = 8) buffer F { uint stores[]; };
layout(set = 0, binding = 9) buffer G { uvec4 member; uint tail[]; } parts;
layout(set = 0, binding = 10) buffer H { uint unused[]; };
layout(set = 0, binding = 11, r32ui) uniform uimageBuffer image;
layout(set = 0, binding = 12, r32ui) uniform uimageBuffer written;
layout(set = 0, binding = 70) uniform usamplerBuffer texels;
void write(uint at, uint what) { writes[at] = what; }
void main()
{
    const uint n = reads[push.last] + texelFetch(texels, 2).x + imageLoad(image, 1).x;
    for (uint i = 0; i < n; i++) { write(i, push.a); both[i] += push.b.y; }
    atomicMax(adds[n], 7);
    const uint m = atomicLoad(loads[n], gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    atomicStore(stores[m], 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    parts.member.y = m;
    imageStore(written, 0, uvec4(n));
    if (m > n) { parts.tail[m] = parts.member.x; }
}
"""
TRICKY_DOES = {3: "r", 4: "w", 5: "rw", 6: "rw", 7: "r", 8: "w", 9: "rw", 11: "r", 12: "w", 70: "r"}


def reflect(folder, *modules):
    return subprocess.run([os.path.join(SHADERS, "cubist_reflect"), folder, *modules], stderr=subprocess.PIPE,
                          check=False)


def try_tricky():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tricky.spv")
        subprocess.run(["glslc", "--target-env=vulkan1.3", "-O", "-fshader-stage=compute", "-o", path, "-"],
                       input=TRICKY.encode(), check=True)
        check(reflect(folder, path).returncode == 0, "the tricky module is refused")
        with open(os.path.join(folder, "shaders.c")) as file:
            does, push = reflected(file.read())["tricky"]
        check(does == TRICKY_DOES, f"reflect saw {does}, expected {TRICKY_DOES}")
        check(push == 20, f"push constants of {push} bytes, expected 20")
        check(read_again(disassembled(path))[0] == TRICKY_DOES, "this test reads the tricky module wrongly")
        with open(path, "rb") as file:
            module = file.read()
        text = disassembled(path)
        variable = re.search(r"OpDecorate (%\w+) Binding 4", text).group(1)
        chain = re.search(rf"(%\w+) = OpAccessChain %\w+ {variable} .*", text)
        copied = text.replace(chain.group(0), chain.group(0) + f"\nOpCopyMemory {chain.group(1)} {chain.group(1)}", 1)
        assembled = subprocess.run(["spirv-as", "-o", "-", "-"], input=copied.encode(), stdout=subprocess.PIPE, check=True)
        for bad, why in ((module[:24], b"cut short"), (module[:16], b"not a SPIR-V"), (b"no module" * 9, b"not a SPIR-V"),
                         (assembled.stdout, b"cannot be followed")):
            with open(path, "wb") as file:
                file.write(bad)
            result = reflect(folder, path)
            check(result.returncode == 1 and why in result.stderr, f"{why}: {result}")


def check_most(rows):
    """The device must have what the largest kernels need."""
    with open(os.path.join(SHADERS, "shaders.h")) as file:
        most = dict(re.findall(r"#define SHADERS_(\w+) +(\d+)", file.read()))
    with open(os.path.join(SHADERS, "shaders.c")) as file:
        tables = re.findall(r" bindings_\w+\[\] = \{(.*?)\};", file.read(), re.DOTALL)
    kinds = {"STORAGE": ["SHADER_STORAGE,"], "SAMPLED": ["SHADER_TEXELS,", "SHADER_IMAGE,"],
             "STORAGE_TEXELS": ["SHADER_STORAGE_TEXELS,"], "BINDINGS": ["SHADER_"]}
    counted = {name: max(sum(table.count(kind) for kind in kinds[name]) for table in tables) for name in kinds}
    counted["PUSH"] = max(push for _does, push in rows.values())
    check(counted == {name: int(number) for name, number in most.items()}, f"shaders.h has {most}, not {counted}")


def main():
    for tool in ("spirv-dis", "spirv-as", "glslc"):
        if not shutil.which(tool):
            skip(f"{tool} is missing")
    with open(os.path.join(SHADERS, "shaders.c")) as file:
        rows = reflected(file.read())
    check_most(rows)
    try_tricky()
    binaries = modules(SHADERS)
    check(len(binaries) > 100 and len(binaries) == len(rows), f"{len(binaries)} modules, {len(rows)} rows")
    for name in sorted(binaries):
        does, _push = rows[name]
        again, waits = read_again(disassembled(os.path.join(SHADERS, name + ".spv")))
        check(does == again, f"{name}: reflect saw {does}, but the module does {again}")
        written = {SAME.get(number, number) for number, how in does.items() if "w" in how}
        fetched = {SAME.get(number - TEXELS, number - TEXELS) for number in does if number >= TEXELS}
        check(not (waits and written & fetched), f"{name}: writes {written & fetched}, waits, and fetches it as texels")
    if not failures:
        print(f"{len(binaries)} modules, {sum(len(does) for does, _push in rows.values())} bindings")
    finish()


main()
