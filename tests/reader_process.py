"""Talks to a reader process as cubist does."""
import json
import os
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
