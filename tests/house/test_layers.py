#!/usr/bin/env python3
# ctest: plain
"""Which layer may include which: app -> compute -> volumes, shaders; and the few libraries that a single file
each may use. Then proves on changed texts that each rule detects what it forbids."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ["CUBIST_SOURCE"])
FOLDERS = "app", "compute", "volumes", "shaders", "tests"
SUFFIXES = ".c", ".h", ".cpp", ".hpp", ".glsl", ".comp", ".vert", ".frag"
PRODUCT = r"(app|compute|volumes|shaders)/"

# What holds; whose includes it is about, by a pattern of paths; whose not; what these may not include.
RULES = [
    ("volumes/ knows nobody above it", r"volumes/", None, r"(compute|app|shaders|tests)/"),
    ("volumes/base knows nobody", r"volumes/base/", None, r"(compute|app|shaders|tests)/|volumes/(?!base/)"),
    ("compute/ does not know app/", r"compute/", None, r"(app|tests)/"),
    ("compute/gpu knows no cubes", r"compute/gpu/", None,
     r"compute/(extraction|compaction|reference|atlas|mesh)|volumes/(?!base/)"),
    ("compute/compaction knows no volumes", r"compute/compaction/", None,
     r"compute/(extraction|reference|atlas|mesh)|volumes/(?!base/)"),
    ("a method is known in its own folder only", PRODUCT, r"compute/compaction/methods/",
     r"compute/compaction/methods/"),
    ("compute/reference needs no device", r"compute/reference/", None,
     r"compute/(gpu|extraction|compaction|atlas)|volk|vulkan"),
    ("compute/reference does not know what is compared with it", r"compute/reference/", None, r"compute/casting/"),
    ("shaders/ knows nobody", r"shaders/", None, r"(volumes|compute|app|tests)/"),
    ("GLFW stands behind app/viewer/window/window.c (and the interface's GLFW part)", PRODUCT,
     r"app/viewer/(window/window\.c|panel/ui_imgui\.cpp)$", r"GLFW/|.*imgui_impl_glfw"),
    ("nothing needs the headers of Xlib", PRODUCT, None, r"X11/"),
    ("Dear ImGui stands behind app/viewer/panel/ui_*.cpp", PRODUCT, r"app/viewer/panel/ui_\w+\.cpp$", r"(.*/)?imgui"),
    ("jansson stands behind app/base/json.h; in readers behind protocol.h; cubist reads answers in one file, and stores",
     PRODUCT, r"(app/base/json|volumes/readers/protocol)\.h$|volumes/formats/(reader_answer\.c|metadata\.h)$", r"jansson"),
    ("GDCM stands behind the reader of DICOM", PRODUCT, r"volumes/readers/dicom", r"gdcm"),
    ("compression stands behind volumes/formats/codecs.c", PRODUCT, r"volumes/formats/codecs\.c$", r"(zstd|zstd_errors|lz4|blosc)\.h"),
    ("stb_image_write stands behind app/picture/canvas.c", PRODUCT, r"app/picture/canvas\.c$", r"(.*/)?stb_image_write"),
    ("stb_image stands behind volumes/formats/slice_image.c", PRODUCT, r"volumes/formats/slice_image\.c$",
     r"(.*/)?stb_image\.h"),
    ("MPI stands behind app/ranks/ranks_mpi.c", PRODUCT, r"app/ranks/ranks_mpi\.c$", r"(.*/)?mpi\.h"),
    ("cglm is app's", PRODUCT, r"app/", r"cglm/"),
    ("Vulkan is compute's and app's", PRODUCT, r"(app|compute)/", r"volk|vulkan/"),
    ("includes are written from the root", r"(app|compute|volumes)/", None, r"\.\.?/"),
    ("a source file is compiled, not included", r"", None, r"[^\">]*\.c(pp)?[\">]"),  # tests link libraries
]

# Each of these lines must be noticed.
FORBIDDEN = """
volumes/volume.c #include "compute/mesh/mesh.h"
volumes/volume.c #include "app/viewer/viewer.h"
volumes/volume.c #include <volk.h>
volumes/base/problem.c #include "volumes/volume.h"
compute/mesh/mesh.c #include "app/base/json.h"
compute/gpu/gpu.c #include "volumes/volume.h"
compute/gpu/gpu.c #include "compute/atlas.h"
compute/compaction/new.c #include "volumes/volume.h"
compute/compaction/new.c #include "compute/extraction/extraction.h"
compute/compaction/compaction.c #include "compute/compaction/methods/redzone.h"
compute/extraction/step.c #include "compute/compaction/methods/redzone.h"
compute/reference/reference.c #include "compute/gpu/gpu.h"
compute/reference/cast.c #include "compute/casting/rays.h"
shaders/new.comp #include "compute/mesh/mesh.h"
app/cli/session.c #include <GLFW/glfw3.h>
app/viewer/window/window.c #include <X11/Xlib.h>
app/viewer/window/window.c void *library = dlopen("libX11.so.6", RTLD_LAZY);
app/cli/session.c #include <imgui/imgui.h>
app/cli/session.c #include <stb/stb_image.h>
app/picture/scene_save.c #include <stb/stb_image_write.h>
volumes/formats/slice_image.c #include <stb/stb_image_write.h>
app/cli/commands/command_info.c #include <jansson.h>
volumes/formats/zarr.c #include <zstd.h>
volumes/readers/dicom.cpp #include <jansson.h>
volumes/formats/tiff.c #include <gdcmReader.h>
app/ranks/ranks_one.c #include <mpi.h>
compute/mesh/mesh.c #include <cglm/cglm.h>
app/cli/session.c #include "../volumes/volume.h"
tests/app/viewer/test_undo.c #include "app/viewer/files/undo.c"
"""

INCLUDE = re.compile(r'^\s*#\s*include\s*["<](.*[">])', re.M)
XLIB = re.compile(r'"(libX11|XSet|glfwGetX11)')  # by these names it is looked up


def check(path, text):
    """What is wrong with a file, a line each."""
    wrong = []
    includes = INCLUDE.findall(text)
    for what, whose, but, never in RULES:
        if re.match(whose, path) and not (but and re.match(but, path)):
            wrong += [f"{what}: {path} includes {name}" for name in includes if re.match(never, name)]
    if re.match(r"app/(?!viewer/window/x11\.c)", path) and XLIB.search(text):
        wrong.append(f"Xlib stands behind app/viewer/window/x11.c: {path}")
    return wrong


texts = {str(path.relative_to(ROOT)): path.read_text() for folder in FOLDERS
         for path in sorted((ROOT / folder).rglob("*")) if path.suffix in SUFFIXES}
found = [line for path, text in texts.items() for line in check(path, text)]
if found or len(texts) < 500:
    print(len(texts), "files", *found, sep="\n")
    sys.exit(1)
noticed = ""
for case in FORBIDDEN.strip().split("\n"):
    path, line = case.split(" ", 1)
    found = check(path, texts.get(path, "") + line + "\n")
    noticed += "\n".join(found)
    if not found:
        print("not noticed:", case)
        sys.exit(1)
for what, *_ in RULES:
    if what not in noticed:
        print("no forbidden line is for:", what)
        sys.exit(1)
print("layers hold")
