"""Talks to a reader process as cubist does; and what tests of readers share."""
import fcntl
import json
import os
import random
import subprocess

import numpy


def path_of(name):
    """The reader's program, beside cubist."""
    return os.path.join(os.path.dirname(os.environ["CUBIST"]), "cubist-read-" + name)


class Reader:
    """`told` is the answer to the arguments: facts, or an error. None: the reader ended without one."""

    def __init__(self, name, *arguments):
        self.process = subprocess.Popen([path_of(name), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        fcntl.fcntl(self.process.stdout, fcntl.F_SETPIPE_SZ, 1 << 20)  # as cubist does
        line = self.process.stdout.readline()
        self.told = json.loads(line) if line else None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.code = self.process.wait()

    def ask(self, line):
        """The bytes that answer a request, or the text of its error; None: the reader ended."""
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        head = self.process.stdout.readline()
        if head.startswith(b"ok "):
            return self.process.stdout.read(int(head[3:]))
        return head[6:-1].decode("utf-8", "replace") if head.startswith(b"error ") else None

    def samples(self, box=None):
        """z, y, x"""
        box = box or [(0, n) for n in self.told["size"]]
        found = self.ask("block " + " ".join(f"{a} {b}" for a, b in box))
        if not isinstance(found, bytes):
            raise ValueError(found)
        return numpy.frombuffer(found, self.told["type"]).reshape([b - a for a, b in box][::-1])


def met(samples, iso):
    """What a surface meets: samples inside, active cells, vertices."""
    inside = samples >= iso
    cells = [inside[z:inside.shape[0] - 1 + z, y:inside.shape[1] - 1 + y, x:inside.shape[2] - 1 + x].astype("u1")
             for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    full = sum(cells)
    return [int(inside.sum()), int(((full > 0) & (full < 8)).sum()),
            sum(int((numpy.diff(inside.astype("i1"), axis=axis) != 0).sum()) for axis in range(3))]


def mutated(data, begin=0, early=1):
    """The bytes with some changed, cut off, moved or repeated, from `begin` on. `early`: a power; with more than 1 most
    changes are near the begin."""
    data = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        at = begin + int((len(data) - begin) * random.random() ** early)
        kind = random.randrange(7)
        if kind == 0:
            data[at] ^= 1 << random.randrange(8)
        elif kind == 1:
            data[at] = random.choice((0, 1, 0x7F, 0x80, 0xFF, 0x30, 0x5C, 0x2D))
        elif kind == 2:
            data[at:at + 4] = random.choice((0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0xFFFE, 65535, 1 << 20)).to_bytes(4, "little")
        elif kind == 3:
            del data[at:at + random.randrange(1, 40)]
        elif kind == 4:
            data[at:at] = data[at:at + random.randrange(1, 60)]
        elif kind == 5 and random.random() < 0.3:
            del data[at:]
        elif kind == 6:
            there = random.randrange(begin, len(data))
            data[at:at + 12] = data[there:there + 12]
        if len(data) < begin + 16:
            break
    return bytes(data)
