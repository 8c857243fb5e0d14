"""The modules of SPIR-V that the program is built with."""
import os
import re


def modules(folder):
    """{ name: bytes } of all modules that shaders.h declares, in the shaders' folder of a build."""
    with open(os.path.join(folder, "shaders.h")) as header:
        names = re.findall(r"struct shader shader_(\w+);", header.read())
    found = {}
    for name in names:
        with open(os.path.join(folder, name + ".spv"), "rb") as file:
            found[name] = file.read()
    return found
