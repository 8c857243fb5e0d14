#!/usr/bin/python3
# ctest: device twin heavy share
"""render: the options of the view, by the pixels of its pictures."""
import shutil

from cli import *

if not shutil.which("convert"):
    skip("convert is not installed")

SIZE = 120
CLEAR = ["--background", "transparent"]
FRONT = ["--view", "front"]


def volume(folder, name, blobs, dims=(40, 40, 40)):
    """A raw volume with balls: (x, y, z, radius)."""
    path = os.path.join(folder, f"{name}_{dims[0]}x{dims[1]}x{dims[2]}_uint8.raw")
    data = bytearray()
    for z in range(dims[2]):
        for y in range(dims[1]):
            for x in range(dims[0]):
                far = max(r - ((x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2) ** 0.5 for a, b, c, r in blobs)
                data.append(max(0, min(255, int(128 + 20 * far))))
    with open(path, "wb") as file:
        file.write(data)
    return path


def pixels(path):
    """The bytes of its pixels: R, G, B, A."""
    return subprocess.run(["convert", path, "-depth", "8", "rgba:-"], check=True, capture_output=True).stdout


def draws(raw, *more, size=SIZE):
    """The pixels of a picture with these options."""
    path = os.path.join(os.path.dirname(raw), "picture.png")
    ran = cubist("render", raw, "--iso", "128", "--size", str(size), "-o", path, *more)
    if not check(ran.code == 0, ran):
        finish()
    return pixels(path)


def mask(data, size=SIZE):
    """The covered pixels of a transparent picture: (x, y) with y up."""
    return [(i % size, size - 1 - i // size) for i, alpha in enumerate(data[3::4]) if alpha > 127]


def bounds(data):
    xs, ys = zip(*mask(data))
    return min(xs), max(xs), min(ys), max(ys)


def heavy_side(raw, *more):
    """Where the larger of two balls is: -1, 0 or 1 along x and y of the picture. The pixels' centroid lies on
    that side of the middle of their bounds, however they are framed."""
    covered = mask(draws(raw, *CLEAR, "--ortho", *more))
    left, right, low, high = (f(p[k] for p in covered) for k in (0, 1) for f in (min, max))
    across = sum(x for x, y in covered) / len(covered) - (left + right) / 2
    along = sum(y for x, y in covered) / len(covered) - (low + high) / 2
    return tuple(0 if abs(d) < 0.7 else 1 if d > 0 else -1 for d in (across, along))


def directions(folder):
    """Every view and every up axis: where the positive end of each of the file's axes is in the picture."""
    ends = {}
    for axis in range(3):
        far, near = [20, 20, 20], [20, 20, 20]
        far[axis], near[axis] = 30, 10
        ends["xyz"[axis]] = volume(folder, "end_" + "xyz"[axis], [(*far, 8), (*near, 4)])
    right, left, up, down, none = (1, 0), (-1, 0), (0, 1), (0, -1), (0, 0)
    # With y up the front looks along -z; with z up along y. x is to the right.
    expected = {
        ("y", "front"): (right, up, none), ("y", "right"): (none, up, left), ("y", "top"): (right, none, down),
        ("z", "front"): (right, none, up), ("z", "back"): (left, none, up), ("z", "left"): (none, left, up),
        ("z", "bottom"): (right, down, none), ("z", "450,0"): (none, right, up), ("-y", "front"): (right, down, none),
        ("-z", "front"): (right, none, down), ("z", "iso"): ((1, -1), (1, 1), up),
    }
    share = ("z", "bottom"), ("-y", "front"), ("z", "iso")
    for (axis, view), places in expected.items():
        if not WHOLE and (axis, view) not in share:
            continue
        for name, place in zip("xyz", places):
            found = heavy_side(ends[name], "--up", axis, "--view", view)
            check(found == place, f"--up {axis} --view {view}: {name} is at {found}, not {place}")
    for axis, name, place in ("x", "x", up), ("-x", "x", down):
        found = heavy_side(ends[name], "--up", axis, *FRONT)
        check(found == place, f"--up {axis}: {name} is at {found}")
    raw = ends["y"]
    check(draws(raw) == draws(raw, "--up", "y"), "y is up where the file says nothing")
    patient = os.path.join(folder, "patient.nhdr")
    with open(patient, "w") as file:
        file.write("NRRD0004\ntype: uchar\ndimension: 3\nsizes: 40 40 40\nencoding: raw\nspace: left-posterior-superior\n"
                   f"space directions: (1,0,0) (0,1,0) (0,0,1)\ndata file: {os.path.basename(raw)}\n")
    check(draws(patient) == draws(patient, "--up", "z"), "z is up where the file has a patient's frame")


def framing(folder):
    """Zoom and projection."""
    ball = volume(folder, "ball", [(20, 20, 20, 15)])
    flat = [*CLEAR, "--ortho", *FRONT]
    wide = {}
    for zoom in "0.5", "1", "0.25":
        left, right, low, high = bounds(draws(ball, "--zoom", zoom, *flat))
        wide[zoom] = right - left + 1
        check(abs(wide[zoom] - (high - low + 1)) <= 2, "a ball is round", zoom)
    check(draws(ball, *flat) == draws(ball, "--zoom", "1", *flat), "--zoom 1 is the fit")
    check(abs(wide["1"] - 2 * wide["0.5"]) <= 2 and abs(wide["1"] - 4 * wide["0.25"]) <= 4, "--zoom", wide)

    # With parallel rays two equal balls are equally large; in perspective the nearer one is larger.
    pair = volume(folder, "pair", [(8, 20, 20, 6), (31, 20, 20, 6)])
    sizes = []
    for more in [], ["--ortho"]:
        covered = mask(draws(pair, *CLEAR, "--up", "z", "--view", "50,0", *more))
        middle = (min(x for x, y in covered) + max(x for x, y in covered)) / 2
        sizes.append((sum(x < middle for x, y in covered), sum(x > middle for x, y in covered)))
    check(sizes[0][1] > 1.2 * sizes[0][0] and abs(sizes[1][1] - sizes[1][0]) < 0.05 * sizes[1][0], "--ortho", sizes)

    # --camera: the ball's centre, then 10 samples to the side. The picture is 30 degrees high.
    size = 2 * 100 * 0.26794919 # units across, at the distance of 100
    for target, shift in ("19.5,19.5,19.5", 0), ("9.5,19.5,19.5", 10):
        left, right, low, high = bounds(draws(ball, *CLEAR, "--ortho", "--camera", target + ",100,1,0,0,0"))
        centre = 59.5 + (shift + 0.5) / size * SIZE, 59.5 + 0.5 / size * SIZE
        check(abs((left + right) / 2 - centre[0]) < 1 and abs((low + high) / 2 - centre[1]) < 1, target, left, right, low, high)
        check(abs(right - left + 1 - 30 / size * SIZE) < 2, "the ball is 30 samples wide", left, right)
    # The same camera, whichever axis is up.
    camera = ["--camera", "22,19,18,100,0.8,0.1,-0.3,0.5", *CLEAR]
    first = mask(draws(pair, *camera))
    check(len(first) > 150, "the camera looks at the balls")
    for axis in "x", "-y", "z":
        other = mask(draws(pair, *camera, "--up", axis))
        check(len(set(first) ^ set(other)) < 5, axis, "changes what --camera shows")


def lines(folder):
    """Edges and box."""
    ball = volume(folder, "ball", [(20, 20, 20, 15)])
    plain = draws(ball, *CLEAR)
    edges, box = draws(ball, *CLEAR, "--edges"), draws(ball, *CLEAR, "--box")
    check(len(mask(box)) > len(mask(plain)) + 50, "the box is drawn around the ball")
    check(abs(len(mask(edges)) - len(mask(plain))) < 150 and edges != plain, "edges are drawn on the ball")


def colours(folder):
    """Every background in the corners, and the colour of the surface."""
    ball = volume(folder, "ball", [(20, 20, 20, 15)])
    corners = [4 * i for i in (0, SIZE - 1, SIZE * (SIZE - 1), SIZE * SIZE - 1)]
    solid = ("white", "ffffff"), ("#FF8001", "ff8001"), ("#e8eef4", "e8eef4"), ("#123456", "123456")
    for name, colour in solid if WHOLE else solid[:2]:
        data = draws(ball, "--background", name)
        found = {data[at:at + 4].hex() for at in corners}
        check(found == {colour + "ff"}, "--background", name, found)
    dark, clear = draws(ball), draws(ball, *CLEAR)
    check(draws(ball, "--background", "dark") == dark, "dark is the default")
    light = draws(ball, "--background", "light")
    check(all(max(dark[at:at + 3]) < 90 and min(light[at:at + 3]) > 190 for at in corners), "dark and light")
    check(all(clear[at + 3] == 0 for at in corners) and clear[4 * (SIZE // 2 * (SIZE + 1)) + 3] == 255, "transparent")
    # Only the background and the edges that it shines through differ.
    inside = [4 * i for i in range(SIZE * SIZE) if clear[4 * i + 3] == 255]
    apart = [i for i in inside if max(abs(dark[i + k] - light[i + k]) for k in range(3)) > 1]
    check(len(inside) > 1000 and not apart, "a background changes the surface in", len(apart), "pixels")

    middle = 4 * (SIZE // 2 * (SIZE + 1))
    kinds = ("#ff0000", 0), ("green", 1), ("red", 0), ("blue", 2), ("#0000ff", 2)
    for name, most in kinds if WHOLE else kinds[:2]:
        red_green_blue = draws(ball, "--color", name)[middle:middle + 3]
        check(red_green_blue.index(max(red_green_blue)) == most, "--color", name, tuple(red_green_blue))
    check(draws(ball, "--color", "red") != draws(ball, "--color", "#ff0000"), "red is muted")
    check(draws(ball, "--color", "teal") == draws(ball, "--color", "#3f9c9c"), "teal is #3f9c9c")

    # Coverage has as many steps as there are samples.
    offered = 0
    for samples in 1, 2, 4, 8:
        more = ["--samples", str(samples)]
        ran = cubist("render", ball, "--iso", "128", "-o", os.path.join(folder, "s.png"), *more)
        if ran.code == 4:
            refused(ran, 4, rf"does not draw {samples} samples per pixel, only: 1\b")
            continue
        offered += 1
        steps = len(set(draws(ball, *CLEAR, *more)[3::4]))
        check(steps == samples + 1, samples, "samples make", steps, "steps of coverage")
    check(offered >= 2, "a device draws 1 and 4 samples")
    check(draws(ball) == draws(ball, "--samples", "4"), "4 samples are the default")


def bands(folder):
    """Pictures of several bands, also larger than an image of 4096 pixels: a ball is round and smooth over all
    of them, and the memory for the bands changes nothing."""
    ball = volume(folder, "ball", [(20, 20, 20, 15)])
    large = ["--ortho", *FRONT]
    for width, height, zoom in ((4200, 400, "1"), (500, 4200, "0.9")) if WHOLE else ((500, 4200, "0.9"),):
        size = ["--size", f"{width}x{height}", *large, "--zoom", zoom, "--verbose"]
        pictures = []
        for more in [], ["--memory-budget", "120"]:
            path = os.path.join(folder, "bands.png")
            ran = cubist("render", ball, "--iso", "128", "-o", path, *CLEAR, *size, *more)
            if not check(ran.code == 0, ran):
                return
            pictures.append(pixels(path))
        check(pictures[0] == pictures[1], width, height, "is another picture with less memory")
        alpha = pictures[0][3::4]
        rows = [sum(a > 127 for a in alpha[y * width:(y + 1) * width]) for y in range(height)]
        middle = [y for y in range(height) if rows[y]]
        top, bottom = middle[0], middle[-1] + 1
        radius = (bottom - top) / 2
        check(radius > min(width, height) / 6, "the ball's radius is", radius)
        for y in range(top + 3, bottom - 3):
            expected = 2 * (radius ** 2 - (y + 0.5 - top - radius) ** 2) ** 0.5
            check(abs(rows[y] - expected) < 4, f"row {y} of {height} has {rows[y]} pixels, not {expected}")
        # The shading goes on over the borders of bands.
        red = pictures[0][0::4]
        steps = [abs(red[y * width + width // 2] - red[(y - 1) * width + width // 2]) for y in range(top + 9, bottom - 9)]
        check(max(steps) <= 6, "the shading jumps by", max(steps))
        # So does the gradient of the background.
        dark = draws(ball, *size[2:], size=f"{width}x{height}")
        green = [sum(dark[4 * (y * width + x) + 1] for x in range(9)) / 9 for y in range(height)]
        check(all(a > b - 1.01 for a, b in zip(green, green[1:])) and 40 < green[0] - green[-1] < 60, "the background's gradient")


def refusals(folder):
    raw = sample(folder)
    before = snapshot(folder)
    picture = os.path.join(folder, "no.png")
    bad = {
        "view": ("fron", "frontal", "", "1", "1,2,3", "1,91", "0,-90.5", "a,b", "nan,0", "1e999,0", "FRONT"),
        "up": ("w", "X", "+x", "", "-", "--x"),
        "zoom": ("0", "-1", "", "inf", "1e9", "2x", "1,5"),
        "camera": ("", "1,2,3", "1,2,3,0,1,0,0,0", "1,2,3,-1,1,0,0,0", "1,2,3,1,0,0,0,0", "1,2,3,1,1,0,0,0,0", "1,2,3,1,1,0,0,x"),
        "background": ("", "grey", "#12345", "#1234567", "#12345g", "123456", "Dark"),
        "color": ("", "#12345", "colour", "reds", "#gggggg", "d08050"),
        "samples": ("", "0", "3", "16", "-1", "4x", "44"),
    }
    for name, values in bad.items():
        for value in values:
            for command in ["render", raw, "-o", picture], ["view", raw]:
                refused(cubist(*command, f"--{name}={value}"), 2, f"^cubist: --{name} {re.escape(value)}: expected ",
                        folder, before)
    good = "1,2,3,4,1,0,0,0"
    for name, value in ("view", "front"), ("zoom", "2"):
        refused(cubist("render", raw, "-o", picture, "--camera", good, f"--{name}", value), 2,
                f"--camera already states what --{name} would change", folder, before)
    for name in "--ortho", "--box", "--edges", "--view=front", "--up=x", "--zoom=2", "--camera=" + good, "--background=white", \
            "--samples=4":
        refused(cubist("extract", raw, name, "-o", picture), 2, f"extract takes no {name.split('=')[0]};", folder, before)


need_device()
with Folder() as top:
    refusals(top)
    directions(top)
    framing(top)
    lines(top)
    colours(top)
    bands(top)
finish()
