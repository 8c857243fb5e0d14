#!/usr/bin/python3
# ctest: device once heavy
"""Back faces that nobody can see are not drawn, and the others are. A sample that is no number, far from
the surface, makes cubist draw all of them: the picture has to be the same but for a few pixels of edges."""
import array
import math
import subprocess

from cli import *

SIDE = 28
CENTRE = (SIDE - 1) / 2


def write(folder, name, value, gap):
    samples = array.array("f", (value(x, y, z) for z in range(SIDE) for y in range(SIDE) for x in range(SIDE)))
    if gap:
        samples[0] = math.nan
    path = os.path.join(folder, f"{name}_{'gap' if gap else 'whole'}.nrrd")
    with open(path, "wb") as file:
        step = -1 if name == "mirrored" else 1
        file.write(f"NRRD0004\ntype: float\ndimension: 3\nsizes: {SIDE} {SIDE} {SIDE}\nendian: little\n"
                   f"space dimension: 3\nspace directions: ({step},0,0) (0,1,0) (0,0,1)\n"
                   "space origin: (0,0,0)\nencoding: raw\n\n".encode() + samples.tobytes())
    return path


def ball(x, y, z, at=(CENTRE, CENTRE, CENTRE), radius=9):
    return radius - math.dist((x, y, z), at)


def hollow(x, y, z):  # its inner surface is never seen
    return 3 - abs(ball(x, y, z, radius=8))


def cut(x, y, z):  # half a ball, open at x = 0
    return ball(x, y, z, at=(0, CENTRE, CENTRE))


def bump(x, y, z):  # a ball, and a small bowl that is open at x = 0
    return max(ball(x, y, z, at=(CENTRE + 3, CENTRE, CENTRE), radius=8),
               ball(x, y, z, at=(0, 6, 8), radius=3.5))


def picture(folder, volume, *args):
    """Pixels as numbers, and how many of them show a back face: these are bluish."""
    png, raw = os.path.join(folder, "picture.png"), os.path.join(folder, "picture.rgb")
    ran = cubist("render", volume, "--iso", "0", "--size", "240x200", "--background", "white", "-o", png, *args)
    check(ran.code == 0, ran)
    subprocess.run(["convert", png, "-depth", "8", f"rgb:{raw}"], check=True)
    with open(raw, "rb") as file:
        data = file.read()
    pixels = [data[i:i + 3] for i in range(0, len(data), 3)]
    return pixels, sum(p[2] > p[0] + 12 for p in pixels)


def main():
    left, oblique, parallel = ("--view", "left"), ("--view", "-60,20"), ("--view", "120,-30", "--ortho")
    cases = ((ball, "ball", False, (oblique, parallel)), (ball, "mirrored", False, (oblique,)),
             (hollow, "hollow", False, (oblique,)), (cut, "cut", True, (left, parallel)),
             (bump, "bump", True, (left, oblique)))
    with tempfile.TemporaryDirectory(prefix="cubist-test-") as folder:
        for value, name, open_to_left, views in cases:
            whole, gap = write(folder, name, value, False), write(folder, name, value, True)
            for view in views:
                for light in ("off", "occlusion") if name == "bump" and view == oblique else ("off",):
                    args = (*view, "--light", light)
                    one, backs = picture(folder, whole, *args)
                    two, all_backs = picture(folder, gap, *args)
                    off = sum(a != b for a, b in zip(one, two))
                    check(off <= 20, f"{name} {args}: {off} pixels differ")
                    seen = open_to_left and view[1] in ("left", "-60,20")
                    check(backs > 100 if seen else backs == 0, f"{name} {args}: {backs} pixels show back faces")
                    check(abs(all_backs - backs) <= 20, f"{name} {args}: {backs} and {all_backs}")
    finish()


main()
