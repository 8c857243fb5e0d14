# What the display decides: which device shows pictures on it, and in which format.
# ctest: device once plain
import os
import subprocess
import sys
import tempfile

from window import *

sys.path.insert(0, os.path.join(os.environ["CUBIST_SOURCE"], "tests/bench"))
import pipelines
sys.path.insert(0, os.path.join(os.environ["CUBIST_SOURCE"], "tests/storm"))
from xinput import X, Person

SCENE = "300x350+350+50"  # a part of the window without the panel and the axes
FASTER = r"cubist: note: Null hardware \(RADV NAVI21\) may be faster than llvmpipe[^;\n]*, but "
BLIND = r"it cannot show pictures on this display; extract and render can use it \(--device 0\)\n"
NO_GRAPHICS = r"it lacks a queue that both draws and computes for drawing; extract can use it \(--device 0\)\n"


def posing(lies, name=""):
    """What makes the devices with that in their names lie, see pose/layer.c."""
    return {"VK_LAYER_PATH": "/usr/share/vulkan/explicit_layer.d:" + os.environ["CUBIST_POSE_LAYER"],
            "VK_INSTANCE_LAYERS": "VK_LAYER_CUBIST_pose", "CUBIST_POSE": lies, "CUBIST_POSE_NAME": name}


def picture(folder, volume, mode="MAILBOX", **variables):
    """What the window shows: the scene, and the panel's first lines."""
    viewer = Viewer(volume, "--size", "700x500", "--verbose", cwd=folder, **variables)
    viewer.window()
    viewer.until("the surface", lambda l: l["whole"] and l["triangles"] > 0)
    viewer.settle()
    shown = grab(os.path.join(folder, "shown.png"))
    looks_like_a_surface(shown, SCENE)
    data = pixels(shown, SCENE)[2], pixels(shown, "330x60+0+0")[2]
    xdo("key", "ctrl+q")
    if viewer.end() != 0:
        fail(f"the viewer ended with {viewer.said()}")
    if f"shown as {mode}\n" not in viewer.said():  # llvmpipe offers MAILBOX
        fail(f"not shown as {mode}: {viewer.said()}")
    return data


def compare(when, expected, found, shares=(0, 0)):
    """The colours are equal but for these shares of the scene and of the panel."""
    for what, a, b, most in zip(("the scene", "the panel"), expected, found, shares):
        apart = sum(abs(x - y) > 2 for x, y in zip(a, b)) / len(a)
        if len(a) != len(b) or apart > most:
            fail(f"{what}: {100 * apart:.1f} % of the colours are others {when}")


def ten_bits(folder, volume, eight):
    """A screen of 10 bits a colour shows the same colours as one of 8."""
    with Display(30):
        ten = picture(folder, volume, LD_PRELOAD=os.environ["CUBIST_DEPTH_30"])
    compare("on a screen of 10 bits", eight, ten)


def another_format(folder, volume, expected):
    """A surface that is lost and comes back with another format shows the same. It does not offer MAILBOX."""
    log = os.path.join(folder, "calls")
    layers = os.environ["CUBIST_FAULT_LAYER"], os.environ["CUBIST_POSE_LAYER"], "/usr/share/vulkan/explicit_layer.d"
    with Display():
        found = picture(folder, volume, "FIFO", FAULT="vkAcquireNextImageKHR:2:-1000000000", FAULT_LOG=log,
                        CUBIST_POSE="presentMode=2,surfaceFormat=50",  # VK_FORMAT_B8G8R8A8_SRGB; without the lie it is 44
                        VK_LAYER_PATH=":".join(layers),
                        VK_INSTANCE_LAYERS="VK_LAYER_CUBIST_fault:VK_LAYER_CUBIST_pose")
    with open(log) as file:
        if "vkAcquireNextImageKHR 2 failed" not in file.read():
            fail("the surface was not lost")
    # The edges of letters are blended in linear light now.
    compare("after the surface was lost", expected, found, (0, 0.2))


def faster_without_display(folder, volume):
    """RADV's null device says that it is a discrete GPU, and shows no pictures on Xvfb."""
    drivers = [pipelines.driver(), pipelines.driver().replace("radeon", "lvp")]
    both = {"VK_ICD_FILENAMES": ":".join(drivers), "VK_DRIVER_FILES": ":".join(drivers),
            "RADV_FORCE_FAMILY": "navi21"}
    with Display():
        # As it is; a compute card beside a card for the display; a card without a graphics queue.
        for lies, why in ({}, BLIND), (posing("type=2"), BLIND), (posing("queueFlags=6", "RADV"), NO_GRAPHICS):
            viewer = Viewer(volume, "--exit-after", "1", cwd=folder, **both, **lies)
            if viewer.end() != 0 or len(re.findall(FASTER + why, viewer.said())) != 1:
                fail(f"{lies}: a device that may be faster was not named: {viewer.said()}")
        viewer = Viewer("--device", "RADV", cwd=folder, **both)
        if viewer.end() != 4 or not re.search("cannot be used: it cannot show pictures on this display\n",
                                              viewer.said()):
            fail(f"a device that cannot show pictures was not refused: {viewer.said()}")
        # Nothing is said where the person has chosen.
        viewer = Viewer(volume, "--device", "llvmpipe", "--exit-after", "1", cwd=folder, **both)
        if viewer.end() != 0 or "faster" in viewer.said():
            fail(f"a device that was not asked for was named: {viewer.said()}")


def scaled(folder, volume):
    """Where a person has texts twice as large, a window is larger, too, up to nine tenths of the screen."""
    for setting, size in ("", [1280, 800]), ("Xft.dpi:\t192\n", [1152, 720]):
        with Display():
            person = Person()
            person.set_resources(setting)
            viewer = Viewer(volume, "--exit-after", "1", cwd=folder)
            if viewer.end() != 0 or [viewer.last()["width"], viewer.last()["height"]] != size:
                fail(f"with {setting!r} the window is not of {size}: {viewer.last()}, {viewer.said()}")
            person.close()


def main():
    need("Xvfb", "xdotool", "import", "identify", "convert")
    with tempfile.TemporaryDirectory() as folder:
        volume = os.path.join(folder, "ring_24x24x24_uint8.raw")
        subprocess.run([CUBIST, "generate", "torus", "--dims", "24x24x24", "--type", "uint8", "-o", volume],
                       check=True, stdout=subprocess.DEVNULL)
        with Display():
            eight = picture(folder, volume)
        if X:
            scaled(folder, volume)
        ten_bits(folder, volume, eight)
        another_format(folder, volume, eight)
        if pipelines.driver():
            faster_without_display(folder, volume)
        else:
            print("no RADV: the choice of a device that shows pictures is not tested")


main()
