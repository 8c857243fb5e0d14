# ctest: plain
"""Is what shaders/reflect.c finds in the kernels right? Barriers are derived only from that, so an access
that it misses is a missing barrier, which nothing else would notice. This test reads every module a second
time, from the text of spirv-dis, and compares.

It also reads what neither a validator nor llvmpipe would refuse:
- A kernel that waits for its own workgroup may not fetch as texels what it writes: no barrier within a
  dispatch covers a fetch, and a GPU's texture cache may hold the old contents.
- Between a branch and an operation of the subgroup there is a barrier: Vulkan does not promise that lanes
  that took different branches come together again.
- No kernel asks for LocalInvocationId or LocalInvocationIndex: the lanes of a subgroup may have any.
- No word of a counter is both read plainly and changed by atomics in one kernel.
- A search of histopyramid loads three counts a level, one of histopyramid-vec4 a texel of four sums."""
import os
import re
import shutil
import subprocess
import tempfile

from cli import check, failures, finish, skip
from spirv import modules

SHADERS = os.environ["CUBIST_SHADERS"]
TEXELS = 128  # added to the number of a buffer that is read as texels
LEVELS, PARTIALS = 34, 35  # two views of one buffer: texels of one word, and of four
SAME = {PARTIALS: LEVELS}
READS = re.compile(r"OpLoad|OpImage(Fetch|Read|Sample.*|Gather)|OpAtomic(?!Store)\w+")
WRITES = re.compile(r"OpStore|OpImageWrite|OpAtomic(?!Load)\w+")


def reflected(code):
    """{ module: ({ number: "rw" }, push size, { number: kind }) } from the generated C."""
    tables, kinds = {}, {}
    for name, rows in re.findall(r"bindings_(\w+)\[\] = \{(.*?)\};", code, re.DOTALL):
        tables[name] = {int(number): ("r" if reads == "1" else "") + ("w" if writes == "1" else "")
                        for number, _kind, reads, writes in re.findall(r"\{ (\d+), (\w+), (\d), (\d) \}", rows)}
        kinds[name] = {int(number): kind for number, kind in re.findall(r"\{ (\d+), SHADER_(\w+),", rows)}
    return {name: (tables.get(name, {}), int(size), kinds.get(name, {}))
            for name, size in re.findall(r"const struct shader shader_(\w+) = \{ \w+, sizeof \w+, (\d+),", code)}


def disassembled(path, module=None):
    return subprocess.run(["spirv-dis", "--raw-id", "--no-header", "--no-indent", path], input=module,
                          stdout=subprocess.PIPE, check=True).stdout.decode()


def read_again(text):
    """({ number: "rw" }, size of the push constants as spirv-dis tells it, whether it waits)"""
    numbers = {name: int(number) for name, number in re.findall(r"OpDecorate (%\w+) Binding (\d+)", text)}
    of = dict(numbers)  # whatever comes from a variable: its binding's number
    images = set(re.findall(r"(%\w+) = OpType(?:Sampled)?Image ", text))
    done = {}
    for result, op, operands, line in instructions(text):
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


# Operations that compute with a ballot, whoever else takes part.
BALLOT_BITS = re.compile(r"OpGroupNonUniformBallot(BitCount|BitExtract|FindLSB|FindMSB)")


def instructions(text):
    """(result or "", operation, operands, line) of each instruction."""
    for line in text.splitlines():
        result, _, rest = line.rpartition(" = ") if line.startswith("%") else ("", "", line)
        op, *operands = rest.split()
        yield result, op, operands, line


def unjoined(text):
    """The operations of a subgroup that can be reached from the end of a branch or a loop without a barrier.
    Branches on constants, those of specialization too, do not separate lanes."""
    constants, blocks, merges = set(), {}, set()
    for result, op, operands, line in instructions(text):
        if op.startswith(("OpConstant", "OpSpecConstant")):
            constants.add(result)
        elif op == "OpLabel":
            block = blocks[result] = []
        elif op in ("OpSelectionMerge", "OpLoopMerge"):
            merge = operands[0]
        elif blocks:
            block.append((op, operands, line))
            if merge and not (op == "OpBranchConditional" and operands[0] in constants):
                merges.add(merge)
        if op not in ("OpSelectionMerge", "OpLoopMerge"):
            merge = None

    def joins(op, operands):
        """A barrier that only devices have whose lanes may run apart (LANES_APART)."""
        return op == "OpBranchConditional" and operands[0] in constants and any(
            blocks[to][0][0] == "OpControlBarrier" for to in operands[1:3])

    found, waiting = {}, sorted(merges)  # blocks that are entered by lanes that may not be together
    while waiting:
        here = waiting.pop()
        found[here] = []
        for op, operands, line in blocks[here]:
            if op == "OpControlBarrier" or joins(op, operands):
                break
            if op.startswith("OpGroupNonUniform") and not BALLOT_BITS.fullmatch(op):
                found[here].append(line)
            if op in ("OpBranch", "OpBranchConditional", "OpSwitch"):
                waiting.extend({to for to in operands if to in blocks} - set(found) - set(waiting))
    return [line for lines in found.values() for line in lines]


def mixed(text):
    """The members of counters that are both read plainly and changed by atomics: (binding's variable, member)."""
    of = {}  # chains to a member of a block
    loaded, added = set(), set()
    for result, op, operands, _line in instructions(text):
        if op.endswith("AccessChain") and len(operands) == 3:
            of[result] = tuple(operands[1:])
        elif op == "OpLoad" and operands[1] in of:
            loaded.add(of[operands[1]])
        elif op.startswith("OpAtomic"):
            added.update(of[operand] for operand in operands if operand in of)
    return loaded & added


DIVERGING = """#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint HOW = 0;
layout(set = 0, binding = 0) buffer A { uint words[]; };
layout(set = 0, binding = 1) buffer B { uint count; } counter;
#ifdef JOINED
#define JOIN if (HOW != 0) subgroupBarrier();
#else
#define JOIN
#endif
void main()
{
    uint n = words[gl_SubgroupInvocationID];
    if (HOW == 1) { n += subgroupAdd(n); }
    for (uint turn = 0; turn < 9; turn++) {
        JOIN
        n = subgroupAdd(n);
        if ((n & 1) == 0) { n += atomicAdd(words[n], 1); }
    }
    JOIN
    n += subgroupMax(n);
    atomicAdd(counter.count, n);
#ifdef MIXED
    words[n] = counter.count;
#endif
}
"""


def try_diverging():
    """Are the two guards above able to fail?"""
    for define, lines, members in (("", 2, 0), ("-DJOINED", 0, 0), ("-DMIXED", 2, 1)):
        done = subprocess.run(["glslc", "--target-env=vulkan1.3", "-O", "-fshader-stage=compute", *define.split(), "-o", "-",
                               "-"], input=DIVERGING.encode(), stdout=subprocess.PIPE, check=True)
        text = disassembled("-", done.stdout)
        check(len(unjoined(text)) == lines, f"{define}: {unjoined(text)} are not {lines} operations")
        check(len(mixed(text)) == members, f"{define}: {mixed(text)} are not {members} members")


TRICKY = """#version 460
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_samplerless_texture_functions : require
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
layout(set = 0, binding = 13) uniform I { mat4 first; uvec4 second[2]; } block;
layout(set = 0, binding = 14) uniform texture2D picture;
layout(set = 0, binding = 15) uniform sampler2D sampled;
layout(set = 0, binding = 70) uniform usamplerBuffer texels;
void write(uint at, uint what) { writes[at] = what; }
void main()
{
    const uint n = reads[push.last] + texelFetch(texels, 2).x + imageLoad(image, 1).x + block.second[push.a].y +
                   uint(texelFetch(picture, ivec2(0), 0).x + textureLod(sampled, vec2(0.5), 0.0).x);
    for (uint i = 0; i < n; i++) { write(i, push.a); both[i] += push.b.y; }
    atomicMax(adds[n], 7);
    const uint m = atomicLoad(loads[n], gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    atomicStore(stores[m], 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    parts.member.y = m;
    imageStore(written, 0, uvec4(n));
    if (m > n) { parts.tail[m] = parts.member.x; }
}
"""
TRICKY_DOES = {3: "r", 4: "w", 5: "rw", 6: "rw", 7: "r", 8: "w", 9: "rw", 11: "r", 12: "w", 13: "r", 14: "r", 15: "r", 70: "r"}
TRICKY_KINDS = {3: "STORAGE", 11: "STORAGE_TEXELS", 13: "UNIFORM", 14: "IMAGE", 15: "SAMPLED", 70: "TEXELS"}


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
            does, push, kinds = reflected(file.read())["tricky"]
        check(does == TRICKY_DOES, f"reflect saw {does}, expected {TRICKY_DOES}")
        check({number: kinds[number] for number in TRICKY_KINDS} == TRICKY_KINDS, f"kinds are {kinds}")
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
    kinds = {"STORAGE": ["SHADER_STORAGE,"], "SAMPLED": ["SHADER_TEXELS,", "SHADER_IMAGE,", "SHADER_SAMPLED,"],
             "STORAGE_TEXELS": ["SHADER_STORAGE_TEXELS,"], "BINDINGS": ["SHADER_"]}
    counted = {name: max(sum(table.count(kind) for kind in kinds[name]) for table in tables) for name in kinds}
    counted["PUSH"] = max(push for _does, push, _kinds in rows.values())
    check(counted == {name: int(number) for name, number in most.items()}, f"shaders.h has {most}, not {counted}")


def fetches(text, number):
    """How many instructions fetch texels of the buffer."""
    variable = re.search(rf"OpDecorate (%\w+) Binding {TEXELS + number}\n", text)
    of = {variable.group(1)} if variable else set()
    count = 0
    for result, op, operands, _line in instructions(text):
        if op in ("OpLoad", "OpImage") and of & set(operands):
            of.add(result)
        count += op == "OpImageFetch" and bool(of & set(operands))
    return count


def check_pyramids(name):
    """A search has one loop over the levels, so its loads stand in the module once."""
    for form, loads in ("", (3, 0)), ("_vec4", (0, 1)):
        text = disassembled(os.path.join(SHADERS, name.replace("traverse", "traverse" + form) + ".spv"))
        found = fetches(text, LEVELS), fetches(text, PARTIALS)
        check(found == loads, f"{name}{form}: {found} loads of counts and of sums a level, not {loads}")


def main():
    for tool in ("spirv-dis", "spirv-as", "glslc"):
        if not shutil.which(tool):
            skip(f"{tool} is missing")
    with open(os.path.join(SHADERS, "shaders.c")) as file:
        rows = reflected(file.read())
    check_most(rows)
    for stream in "bricks", "cells", "words":
        check_pyramids(f"pyramid_traverse_{stream}")
    try_tricky()
    try_diverging()
    binaries = modules(SHADERS)
    check(len(binaries) > 100 and len(binaries) == len(rows), f"{len(binaries)} modules, {len(rows)} rows")
    for name in sorted(binaries):
        does, _push, _kinds = rows[name]
        text = disassembled(os.path.join(SHADERS, name + ".spv"))
        again, waits = read_again(text)
        check(does == again, f"{name}: reflect saw {does}, but the module does {again}")
        written = {SAME.get(number, number) for number, how in does.items() if "w" in how}
        fetched = {SAME.get(number - TEXELS, number - TEXELS) for number in does if number >= TEXELS}
        check(not (waits and written & fetched), f"{name}: writes {written & fetched}, waits, and fetches it as texels")
        check(text.count("OpFunctionEnd") == 1, f"{name}: this test does not follow calls")
        check(not unjoined(text), f"{name}: no barrier between a branch and {unjoined(text)[:1]}")
        check("BuiltIn LocalInvocationI" not in text, f"{name} asks for LocalInvocationId or LocalInvocationIndex")
        check(not mixed(text), f"{name}: plainly read, and changed by atomics: {mixed(text)}")
    if not failures:
        print(f"{len(binaries)} modules, {sum(len(does) for does, _push, _kinds in rows.values())} bindings")
    finish()


main()
