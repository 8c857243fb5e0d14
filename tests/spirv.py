"""The shaders' SPIR-V: all modules, and what a kernel reads and writes. Every address in the push
constants is traced to its loads, stores and atomics. An access that cannot be traced is an error."""
import glob
import os
import re
import struct
import subprocess

# What may be done with a pointer, besides atomics.
FOLLOWED = {"OpLoad", "OpStore", "OpAccessChain", "OpInBoundsAccessChain", "OpBitcast", "OpPhi",
            "OpSelect", "OpConvertPtrToU", "OpCopyObject", "OpPtrEqual", "OpPtrNotEqual"}


BUFFERS = {"PhysicalStorageBuffer", "StorageBuffer"}


def modules(source, shaders):
    """{ name: SPIR-V } of every shader that a C file of the source tree includes from the folder of
    words. What an older build has left there does not count."""
    included = set()
    for folder in "compute", "app":
        for path in glob.glob(os.path.join(source, folder, "**/*.c"), recursive=True):
            with open(path) as file:
                included.update(re.findall(r'^ *#include "(\w+(?:\.inc|_streams\.h))"', file.read(), re.M))
    for header in [name for name in included if name.endswith(".h")]:
        with open(os.path.join(shaders, header)) as file:
            included.update(re.findall(r'#include "(\w+\.inc)"', file.read()))
    found = {}
    for name in sorted(name for name in included if name.endswith(".inc")):
        with open(os.path.join(shaders, name)) as file:
            words = [int(word, 16) for word in re.findall(r"0x[0-9a-f]+", file.read())]
        found[name[:-len(".inc")]] = struct.pack(f"<{len(words)}I", *words)
    return found


class Lost(Exception):
    """The tracer met something that it does not understand."""


class Module:
    """A kernel's SPIR-V: types, constants, variables and the instructions of its one function."""

    def __init__(self, binary):
        text = subprocess.run(["spirv-dis", "--raw-id", "--no-header", "--no-indent"], input=binary,
                              stdout=subprocess.PIPE, check=True).stdout.decode()
        self.types, self.type_of, self.numbers = {}, {}, {}
        self.offsets, self.bindings, self.variables, self.code = {}, {}, {}, []
        for line in text.splitlines():
            result, _, rest = line.rpartition(" = ") if line.startswith("%") else ("", "", line)
            op, *operands = rest.split()
            if op.startswith("OpType"):
                self.types[result] = op, operands
            elif op == "OpMemberDecorate" and operands[2] == "Offset":
                self.offsets[operands[0], int(operands[1])] = int(operands[3])
            elif op == "OpDecorate" and operands[1] == "Binding":
                self.bindings[operands[0]] = int(operands[2])
            elif op == "OpConstant":
                self.numbers[result] = int(float(operands[1]))
            elif op == "OpVariable":
                self.variables[result] = operands[1]
            elif op == "OpFunction" and self.code:
                raise Lost("more than one function: not all calls are inlined")
            elif op == "OpFunction" or self.code:
                self.code.append((result, op, operands[1:] if result else operands))
            if result and operands and operands[0] in self.types:
                self.type_of[result] = operands[0]

    def storage(self, value):
        """Of what a pointer points to; None for other values."""
        op, operands = self.types.get(self.type_of.get(value), ("", []))
        return operands[0] if op == "OpTypePointer" else None

    def member(self, place, indices):
        """The place, (type, offset), of a part of another."""
        kind, offset = place
        for index in indices:
            if self.types[kind][0] == "OpTypeStruct":
                kind, offset = self.types[kind][1][index], offset + self.offsets[kind, index]
        return kind, offset

    def addresses(self, place):
        """The offsets of all addresses in a place."""
        op, operands = self.types[place[0]]
        if op.endswith("Array"):
            raise Lost("an array in the push constants")
        if op == "OpTypeStruct":
            parts = (self.member(place, [i]) for i in range(len(operands)))
            return set().union(*map(self.addresses, parts))
        return {place[1]} if op == "OpTypePointer" else set()


def waits(binary):
    """Whether the kernel's invocations wait for each other somewhere."""
    return any(op == "OpControlBarrier" for _result, op, _values in Module(binary).code)


def trace(binary, binding_names):
    """What a kernel does where: { offset in the push struct, or binding's name: {"read", "write"} }.
    Raises Lost rather than leave out an access."""
    module = Module(binary)
    done = {}
    places = {}   # parts of the push constants and pointers to them: (type, offset)
    origins = {}  # pointers and other values made from addresses: the offsets where these stood
    for variable, storage in module.variables.items():
        if storage == "PushConstant":
            places[variable] = module.types[module.type_of[variable]][1][1], 0
        elif storage == "StorageBuffer":
            origins[variable] = {binding_names[module.bindings[variable]]}
        elif storage not in ("Function", "Private", "Workgroup", "Input", "UniformConstant"):
            raise Lost(f"a variable in {storage}")

    counters = set()  # the texel buffer of list counters, loaded: which texel is read matters

    def touch(pointer, *how):
        if module.storage(pointer) == "UniformConstant":
            done.setdefault(binding_names[module.bindings[pointer]], set()).update(how)
        for offset in origins.get(pointer, ()):
            done.setdefault(offset, set()).update(how)

    def step(result, op, values):
        """Follows one instruction: the offsets of the addresses that its result is made from."""
        if op == "OpLoad" and binding_names.get(module.bindings.get(values[0])) == "counters" or \
                op == "OpImage" and values[0] in counters:
            counters.add(result)
            return set()
        if op == "OpImageFetch" and values[0] in counters:
            if values[1] not in module.numbers:
                raise Lost("a list counter that is not told by a constant")
            done.setdefault(f"counters{module.numbers[values[1]]}", set()).add("read")
            return set()
        if op == "OpLoad" and values[0] not in places:
            touch(values[0], "read")
            return set()
        if op == "OpStore":
            touch(values[0], "write")
            if origins.get(values[1]):
                raise Lost("an address is stored")
            return set()
        if op.startswith("OpAtomic"):
            touch(values[0], "read", "write")
            return set()
        if values and values[0] in places:
            indices = {
                "OpLoad": [], "OpCopyLogical": [],
                "OpAccessChain": [module.numbers.get(v) for v in values[1:]],
                "OpCompositeExtract": [int(v) for v in values[1:] if v.isdigit()],
            }
            if op not in indices:
                raise Lost(f"{op} of push constants")
            place = module.member(places[values[0]], indices[op])
            if op == "OpAccessChain" or module.types[place[0]][0] == "OpTypeStruct":
                places[result] = place
            return set() if op == "OpAccessChain" else module.addresses(place)
        if op.endswith("AccessChain"):
            return origins.get(values[0], set())
        if re.search("Equal|Less|Greater", op):
            return set()  # whether, no longer where
        return set().union(*(origins.get(v, set()) for v in values))

    news = True
    while news:  # the operands of a loop's OpPhi come later
        news = False
        for result, op, values in module.code:
            offsets = step(result, op, values) | origins.get(result, set())
            if result and offsets != origins.get(result, set()):
                origins[result] = offsets
                news = True
    for _result, op, values in module.code:
        for value in values:
            storage = module.storage(value)
            if storage in BUFFERS and not origins.get(value):
                raise Lost(f"{op} through a pointer that comes from no address of the push struct")
            followed = op in FOLLOWED or op.startswith("OpAtomic")
            if storage in BUFFERS and not followed or \
                    storage == "UniformConstant" and op != "OpLoad" or op == "OpImageWrite":
                raise Lost(f"{op}, which the tracer does not follow")
    return done
