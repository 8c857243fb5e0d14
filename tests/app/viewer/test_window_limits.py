#!/usr/bin/python3
# ctest: plain
"""The window on a device with a small limit, without --memory-budget: a surface that is over the limit is
made part by part, and is the same. With CUBIST_LARGE=1 the limit is the device's own: a surface of 25 million
triangles, on llvmpipe."""
import os
import subprocess
import tempfile

from window import *

LARGE = os.environ.get("CUBIST_LARGE") == "1"
PICTURE = "456x440+344+0"  # beside the panel, above what is said


def shown(folder, volume, lies):
    """The last line of the trace, and the picture."""
    os.environ["CUBIST_POSE"] = lies
    viewer = Viewer(volume, "--iso", "50%", "--size", "800x500", cwd=folder)
    viewer.window()
    line = viewer.until("a surface", lambda l: l["whole"] and l["triangles"] > 0)
    xdo("mousemove", 600, 250)
    viewer.settle()
    picture = on_screen(PICTURE)
    if complains():
        fail(f"it complains: {viewer.said()}")
    xdo("key", "ctrl+q")
    if viewer.end() != 0:
        fail(f"it ended badly: {viewer.said()}")
    return line, picture


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    os.environ["VK_LAYER_PATH"] = os.environ["CUBIST_POSE_LAYER"] + ":/usr/share/vulkan/explicit_layer.d"
    os.environ["VK_INSTANCE_LAYERS"] = "VK_LAYER_CUBIST_pose"
    with tempfile.TemporaryDirectory() as folder, Display():
        size = 200 if LARGE else 40
        volume = os.path.join(folder, f"noise_{size}x{size}x{size}_uint8.raw")
        subprocess.run([CUBIST, "generate", "noise", "--dims", f"{size}x{size}x{size}", "-o", volume], check=True,
                       stdout=subprocess.DEVNULL)
        if LARGE:
            line, _picture = shown(folder, volume, "type=4")
            if line["triangles"] < 20_000_000 or "slabs" not in line:
                fail(f"a surface that is not large, or not in parts: {line}")
            return
        whole, expected = shown(folder, volume, "type=4")
        parts, picture = shown(folder, volume, f"type=4,maxStorageBufferRange={3 << 18}")
        if "slabs" in whole or parts.get("slabs", {"count": 1})["count"] < 2:
            fail(f"only the second is in parts: {whole} {parts}")
        if whole["triangles"] != parts["triangles"] or whole["vertices"] != parts["vertices"]:
            fail(f"another surface: {whole} {parts}")
        # In noise two triangles may lie equally deep at a pixel, and the order of drawing is another one.
        if (apart := differing(picture, expected)) > 4:
            fail(f"{apart} pixels of the surface in parts differ")


main()
