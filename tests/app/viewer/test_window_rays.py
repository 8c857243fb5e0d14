# Rays in the window: G and Shift+G, a drag of the isovalue, undo, a session, another size, another volume; the
# copied command makes the window's picture, byte for byte; what refuses rays leaves the triangles.
# ctest: device twin heavy optimized
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from window import *

SIZE = 700, 800
SCENE = "340x600+352+40"
LEFT, WIDE = 22, 300  # the slider's first pixel and its width
TRIANGLES, RAYS = (220, 505), (295, 505)  # the panel's buttons


def generate(folder, kind, dims):
    path = os.path.join(folder, f"{kind}_{dims}_uint8.raw")
    subprocess.run([CUBIST, "generate", kind, "--dims", dims, "--type", "uint8", "-o", path], check=True,
                   stdout=subprocess.DEVNULL)
    return path


def opened(folder, *arguments, **variables):
    viewer = Viewer(*arguments, cwd=folder, **variables)
    viewer.window()
    viewer.until("a picture", lambda l: l["triangles"] > 0 or l["draw"] == "rays")
    xdo("mousemove", 690, 790)
    viewer.settle()
    return viewer


def drawn(viewer, how):
    line = viewer.until(f"a picture of {how}", lambda l: l["draw"] == how and not l["draft"])
    viewer.settle()
    return line


def quits(viewer):
    xdo("key", "ctrl+q")
    code = viewer.end()
    if code != 0:
        fail(f"Ctrl+Q ended with {code}: {viewer.said()}")


def apart(a, b):
    """The share of the pixels of two pictures whose colours differ much."""
    a, b = (numpy.frombuffer(x, numpy.uint8).reshape(-1, 3).astype(int) for x in (a, b))
    return (abs(a - b).max(1) > 48).mean()


def light(viewer):
    """Another light, colour or box is drawn of the rays that are known: at once, and no draft comes between."""
    pictures = [on_screen(SCENE)]
    for key in "b", "shift+b", "y", "l":
        before = len(viewer.lines())
        viewer.key(key)
        viewer.settle()
        if any(line["casts"] or line["scale"] > 1 for line in viewer.lines()[before:]):
            fail(f"{key} casts rays: {[(l['casts'], l['scale']) for l in viewer.lines()[before:]]}")
        pictures.append(on_screen(SCENE))
    if len(set(pictures)) != 5:
        fail("one of the keys of the light changes nothing")
    before = len(viewer.lines())
    viewer.key("shift+g")  # rays are cast, and show the same
    drawn(viewer, "rays")
    if not any(line["casts"] for line in viewer.lines()[before:]):
        fail("another caster casts nothing")
    viewer.shows(SCENE, pictures[4], "rays that are cast for this light")
    for _ in range(5):
        xdo("key", "ctrl+z")
    viewer.shows(SCENE, pictures[0], "the light as before")


def keys(viewer):
    """Rays look as triangles do, whoever casts them; undo, redo and the panel's buttons go to and fro."""
    triangles = on_screen(SCENE)
    before = len(viewer.lines())
    xdo("key", "g")
    drawn(viewer, "rays")
    rays = on_screen(SCENE)
    first = viewer.lines()[before:][0]
    if not (first["draft"] and first["scale"] == 4 and first["casts"]):
        fail(f"the first picture on a CPU is not a coarse draft: {first}")
    if rays == triangles or apart(rays, triangles) > 0.02:
        fail(f"{100 * apart(rays, triangles):.1f} % of the picture of rays differ from that of triangles")
    # The draft stays while bands are cast. Then they are drawn in one frame, and their times are counted once.
    lines = viewer.lines()[before:]
    last = next(i for i, line in enumerate(lines) if not line["draft"])
    bands, full = [line for line in lines[:last] if line["draw"] == "rays" and line["scale"] == 1], lines[last]
    march = sum(line["cast_ms"]["march"] for line in bands)
    if len(bands) < 2 or full["casts"] or full["hits"] != sum(line["hits"] for line in bands):
        fail(f"{len(bands)} bands are not drawn in one frame: {full}")
    if abs(full["cast_ms"]["march"] - march) > 0.01:  # each is rounded
        fail(f"the rays of all bands took {march} ms, and those of the picture {full['cast_ms']['march']}")
    light(viewer)
    for key in "w", "e", "t", "v":  # they are of triangles, and of their lists
        viewer.key(key)
        viewer.settle()
        if on_screen(SCENE) != rays:
            fail(f"{key} changes the picture of rays")
    xdo("key", "ctrl+z")
    drawn(viewer, "triangles")
    viewer.shows(SCENE, triangles, "undo")
    viewer.key("shift+l")
    viewer.shows(SCENE, triangles, "a shadow of triangles")
    xdo("key", "ctrl+y")
    drawn(viewer, "rays")
    viewer.shows(SCENE, rays, "redo")
    casters, last = [viewer.last()["caster"]], None
    while last != casters[0]:
        viewer.key("shift+g")
        last = drawn(viewer, "rays")["caster"]
        viewer.shows(SCENE, rays, last)
        if last in casters[1:]:
            fail(f"Shift+G goes round without {casters[0]}: {casters}")
        casters.append(last)
    listed = subprocess.run([CUBIST, "render", "--caster", "none"], capture_output=True, text=True).stderr
    if not all(name in listed for name in casters) or listed.count("dda") != sum("dda" in name for name in casters[1:]):
        fail(f"Shift+G goes through {casters}: {listed}")
    for place, how, expected in (TRIANGLES, "triangles", triangles), (RAYS, "rays", rays):
        xdo("mousemove", *place, "click", 1)
        drawn(viewer, how)
        xdo("mousemove", 690, 790)  # not before: the panel takes a click where the mouse is in its next frame
        viewer.shows(SCENE, expected, f"the button for {how}")


def drag(viewer):
    """While the isovalue is dragged rays follow it, and no surface is made. It follows afterwards."""
    viewer.until("the mesh of the isovalue", lambda l: l["mesh_iso"] == l["iso"])
    before, shown = len(viewer.lines()), on_screen(SCENE)
    xdo("mousemove", LEFT + WIDE * 3 // 10, 165, "mousedown", 1)
    for share in 0.32, 0.34, 0.36, 0.38, 0.4:
        xdo("mousemove", int(LEFT + WIDE * share), 165)
        time.sleep(0.05)
    held = viewer.until("the picture where it is held", lambda l: not l["draft"] and l["iso"] == l["iso_asked"] != l["mesh_iso"])
    time.sleep(0.6)  # longer than the mesh waits
    lines = viewer.lines()[before:]
    if any(line["extracted"] for line in lines):
        fail("a surface is made during the drag")
    if len({line["iso"] for line in lines if line["casts"]}) < 3 or any(line["scale"] not in (1, 2, 4) for line in lines):
        fail(f"rays do not follow the drag: {[(l['iso'], l['scale']) for l in lines]}")
    if on_screen(SCENE) == shown:
        fail("the drag does not change the picture")
    xdo("mouseup", 1, "mousemove", 690, 790)
    mesh = viewer.until("the mesh after the drag", lambda l: l["mesh_iso"] == l["iso"] == held["iso"])
    if mesh["triangles"] == lines[0]["triangles"]:
        fail(f"the mesh has the numbers of another isovalue: {mesh}")


def session(folder, viewer, path):
    """Rays, their shadow and all are in the session; opened and saved again it has the same bytes."""
    viewer.settle()
    bright = on_screen(SCENE)
    viewer.key("shift+l")
    drawn(viewer, "rays")
    if on_screen(SCENE) == bright:
        fail("Shift+L changes nothing")
    for _ in range(2):
        viewer.key("shift+b")
    viewer.settle()
    shown = on_screen(SCENE)
    viewer.key("ctrl+s")
    with open(file_appears(path)) as file:
        text = file.read()
    options = json.loads(text)["options"]
    if options.get("draw") != "rays" or options.get("shadow") is not True:
        fail(f"the session does not say that rays are drawn, with a shadow: {text}")
    quits(viewer)
    viewer = opened(folder, "--session", path, "--verbose")
    drawn(viewer, "rays")
    drafts = [line for line in viewer.lines() if line["draw"] == "rays" and line["scale"] > 1]
    if not drafts or not all(line["shadow"] for line in drafts):
        fail(f"drafts have no shadow: {drafts}")
    viewer.shows(SCENE, shown, "the session's picture")
    os.unlink(path)
    viewer.key("ctrl+s")
    with open(file_appears(path)) as file:
        again = file.read()
    if again != text:
        fail(f"the session has become {again} from {text}")
    return viewer


def written(folder, viewer, stem, options):
    """F12 writes what the copied command draws: the path of this picture."""
    viewer.key("F12")
    with open(file_appears(os.path.join(folder, stem + ".png")), "rb") as file:
        own = file.read()
    xdo("key", "ctrl+shift+c")
    end = time.monotonic() + PATIENCE
    while not (lines := re.findall(r"^cubist: copied: (.*)\n", viewer.said(), re.M)):
        if time.monotonic() > end:
            fail(f"nothing was copied: {viewer.said()}")
        time.sleep(0.05)
    elsewhere = os.path.join(folder, "elsewhere")
    os.makedirs(elsewhere, exist_ok=True)
    subprocess.run(["sh", "-c", lines[-1]], cwd=elsewhere, check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "PATH": os.path.dirname(CUBIST) + ":" + os.environ["PATH"]})
    picture = os.path.join(elsewhere, stem + ".png")
    with open(picture, "rb") as file:
        if file.read() != own or options not in lines[-1]:
            fail(f"{lines[-1]}: another file than F12's")
    return picture


def same_bytes(folder, viewer, stem):
    """What the window shows, what F12 writes and what the copied command draws are the same."""
    viewer.key("x", "shift+x", "Tab", "Escape")
    viewer.settle()
    drawn(viewer, "rays")
    shown = on_screen(f"{SIZE[0]}x{SIZE[1]}+0+0")
    picture = written(folder, viewer, stem, "--draw rays --shadow")
    if pixels(picture) != (*SIZE, shown):
        fail(f"{picture}: {differing(shown, pixels(picture)[2])} pixels differ from the window's")
    viewer.key("Tab", "Escape")


def resize_and_swap(viewer):
    xdo("windowsize", viewer.window(), 620, 700)
    viewer.until("the smaller window", lambda l: (l["width"], l["height"]) == (620, 700) and l["draw"] == "rays" and not l["draft"])
    viewer.settle()
    colours = numpy.frombuffer(on_screen("260x600+350+50"), numpy.uint8).reshape(-1, 3)
    if not 0.05 < (colours.min(1) < 220).mean() < 0.95:
        fail("no surface on a white background in the smaller window")
    before = viewer.last()["hits"]
    viewer.key("Right")
    viewer.until("rays of the next volume", lambda l: l["draw"] == "rays" and not l["draft"] and l["hits"] != before)
    viewer.until("its mesh", lambda l: l["mesh_iso"] == l["iso"] and l["triangles"] > 0)


def refused(viewer, what):
    viewer.key("Escape")
    viewer.settle()
    shown = on_screen(SCENE)
    viewer.key("g")
    viewer.settle()
    if not complains():
        fail(f"nothing is said of {what}")
    viewer.key("Escape")
    viewer.settle()
    if viewer.last()["draw"] != "triangles":
        fail(f"{what} do not leave the triangles: {viewer.last()}")
    viewer.shows(SCENE, shown, f"the triangles with {what}")
    quits(viewer)


def in_parts(folder, volume):
    """Over the parts of a volume: drafts while it turns, then the picture of the whole volume; another light casts
    nothing; the mesh follows, or a message says why not."""
    viewer = opened(folder, volume, "--size", f"{SIZE[0]}x{SIZE[1]}", "--memory-budget", "50", "--draw", "rays", "--verbose")
    drawn(viewer, "rays")
    if "slabs" not in viewer.last():
        fail(f"the volume is not in parts: {viewer.last()}")
    before, shown = len(viewer.lines()), on_screen(SCENE)
    xdo("mousemove", 500, 300, "mousedown", 1)
    for x in range(505, 560, 5):
        xdo("mousemove", x, 310)
        time.sleep(0.05)
    xdo("mouseup", 1, "mousemove", 690, 790)
    viewer.until("the turned picture in full", lambda l: l["casts"] is not None and not l["draft"] and l["frame"] > before)
    viewer.settle()
    lines = viewer.lines()[before:]
    if not any(line["draft"] and line["casts"] and line["scale"] == 4 for line in lines) or on_screen(SCENE) == shown:
        fail(f"no draft of the turned volume: {[(l['scale'], l['draft']) for l in lines]}")
    turned, before = on_screen(SCENE), len(viewer.lines())
    for key in "y", "ctrl+z":
        viewer.key(key)
        viewer.settle()
        if (on_screen(SCENE) == turned) != (key == "ctrl+z") or any(line["casts"] for line in viewer.lines()[before:]):
            fail(f"{key} casts rays, or does not change the colour: {viewer.lines()[before:]}")
    viewer.key("shift+g")
    drawn(viewer, "rays")
    viewer.shows(SCENE, turned, "another caster over parts")
    written(folder, viewer, os.path.basename(volume)[:-4], "--draw rays")
    viewer.key("g")
    drawn(viewer, "triangles")
    quits(viewer)


def too_little(folder, volume):
    size = f"{SIZE[0]}x{SIZE[1]}"
    ran = subprocess.run([CUBIST, "view", volume, "--size", size, "--memory-budget", "1", "--exit-after", "1"],
                         capture_output=True, text=True)
    need = re.search(r"needs ([\d.]+) MiB .* the budget is 1.0 MiB", ran.stderr)
    viewer = opened(folder, volume, "--size", size, "--memory-budget", str(int(float(need[1]) + finer(SIZE) + 8)))
    viewer.until("a surface in parts", lambda l: "slabs" in l and l["slabs"]["count"] > 1)
    viewer.settle()
    refused(viewer, "too small a budget")


def without_memory(folder, volume):
    """The device has no memory from the moment on when rays are made."""
    def calls():
        with open(log) as file:
            return file.read().count("vkAllocateMemory ")
    log = os.path.join(folder, "calls")
    layers = os.environ["CUBIST_FAULT_LAYER"], "/usr/share/vulkan/explicit_layer.d"
    variables = {"VK_LAYER_PATH": ":".join(layers), "VK_INSTANCE_LAYERS": "VK_LAYER_CUBIST_fault", "FAULT_LOG": log}
    arguments = volume, "--size", f"{SIZE[0]}x{SIZE[1]}", "--light", "off"
    viewer = opened(folder, *arguments, **variables)
    made = calls()
    quits(viewer)
    os.unlink(log)
    viewer = opened(folder, *arguments, **variables, FAULT=f"vkAllocateMemory:{made + 1}+:-2")
    refused(viewer, "too little memory")
    with open(log) as file:
        if "vkAllocateMemory" not in file.read().split(" failed")[0]:
            fail("no allocation failed")


def main():
    need("Xvfb", "xdotool", "import", "convert", "identify")
    with tempfile.TemporaryDirectory() as folder, Display():
        volume = generate(folder, "torus", "40x30x50")
        generate(folder, "sphere", "30x30x30")
        stem = "torus_40x30x50_uint8"
        viewer = opened(folder, volume, "--size", f"{SIZE[0]}x{SIZE[1]}", "--verbose")
        keys(viewer)
        drag(viewer)
        viewer = session(folder, viewer, os.path.join(folder, stem + ".cubist.json"))
        same_bytes(folder, viewer, stem)
        resize_and_swap(viewer)
        quits(viewer)
        if not WHOLE:
            return 0
        if "CUBIST_FAULT_LAYER" in os.environ:
            without_memory(folder, volume)
        in_parts(folder, generate(folder, "gyroid", "160x160x240"))
        too_little(folder, generate(folder, "gyroid", "64x64x100"))
    return 0


sys.exit(main())
