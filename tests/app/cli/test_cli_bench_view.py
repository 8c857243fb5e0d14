#!/usr/bin/python3
# ctest: device once heavy
"""bench view: the runs it prints, what they are of, and what it refuses."""
import subprocess

from cli import *

KEYS = {"draw", "mode", "draft", "iso", "cpu_ms", "ms", "covered"}


def main():
    with tempfile.TemporaryDirectory(prefix="cubist-test-") as folder:
        volume = os.path.join(folder, "ball.nrrd")
        made = cubist("generate", "sphere", "--dims", "20x24x28", "-o", volume)
        check(made.code == 0, made)
        quick = ("--frames", "2", "--size", "200x150", "--iso", "50%")
        ran = cubist("bench", "view", volume, *quick, "--samples", "1", "--draw", "triangles,rays", "--json")
        if check(ran.code == 0 and not ran.err, ran):
            report = ran.json()
            check((report["width"], report["height"], report["samples"], report["frames"]) == (200, 150, 1, 2), report)
            runs = report["runs"]
            modes = [("orbit", False), ("orbit", True), ("drag", False), ("drag", True)]
            check([(r["draw"], r["mode"], r["draft"]) for r in runs] ==
                  [("triangles", *m) for m in modes] + [("rays", *m) for m in modes], runs)
            for run in runs:
                check(set(run) == KEYS and run["cpu_ms"] > 0 and run["ms"] > 0, run)
            # The first frame is the opening view at this isovalue, so it covers what render covers.
            picture = os.path.join(folder, "picture.png")
            made = cubist("render", volume, "--iso", "50%", "--size", "200x150", "--samples", "1", "--light", "off",
                          "--background", "transparent", "-o", picture)
            check(made.code == 0, made)
            share = subprocess.run(["convert", picture, "-alpha", "extract", "-threshold", "0", "-format",
                                    "%[fx:mean*w*h]", "info:"], capture_output=True, text=True, check=True).stdout
            for run in runs:
                # Rays hit the curved surface, which at its outline is not the triangles'.
                most = 1 if run["draw"] == "triangles" else 40
                check(abs(float(share) - run["covered"]) < most and run["covered"] > 3000, share, run)
        for word, draw in ("rays", "rays"), ("mesh", "triangles"):  # "mesh" is the word of before
            ran = cubist("bench", "view", volume, *quick, "--draw", word, "--json")
            check(ran.code == 0 and [r["draw"] for r in ran.json()["runs"]] == [draw] * 4, ran)
        ran = cubist("bench", "view", volume, *quick, "--method", "scan-scatter-hs")
        lines = ran.out.splitlines()
        check(ran.code == 0 and len(lines) == 6, ran)
        check(len(lines) == 6 and lines[2].split()[:3] == ["triangles", "orbit", "full"] and
              lines[5].split()[:3] == ["triangles", "drag", "draft"], ran)
        for args, pattern in (((), "bench view needs FILE"),
                              ((volume, volume), "takes one FILE"),
                              ((volume, "--size", "1M"), "expected WIDTHxHEIGHT"),
                              ((volume, "--density", "50"), "takes no --density"),
                              ((volume, "--against", "5"), "--against|bench extract"),
                              ((volume, "--draw", "lines"), "triangles, rays"),
                              ((volume, "--samples", "3"), "samples"),
                              ((volume, "--frames", "0"), "frames"),
                              ((volume, "--repeat", "3"), "takes no --repeat"),
                              ((volume, "--iso", "10,20"), "takes one --iso"),
                              ((volume, "--method", "all"), "takes one --method")):
            refused(cubist("bench", "view", *args), 2, pattern)
        refused(cubist("bench", "extract", volume, "--frames", "3"), 2, "--frames is for bench view")
        refused(cubist("bench", "compaction", "--size", "64x64"), 2, "bench view")
        refused(cubist("bench", "view", os.path.join(folder, "none.raw")), 3, "none.raw")
    finish()


main()
