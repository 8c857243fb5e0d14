#!/usr/bin/python3
"""How the time of an isovalue step grows with the volume, and with the surface.

usage: growth.py PATH/TO/cubist GROWTH.csv [--method NAME] [--largest N] [--repeat N]

Four rows of cubes of uint16, from 64 to N samples an edge (default 512):
  ball       a ball with a radius of 30 samples: the volume grows, the surface does not
  specks     noise, with an isovalue so high that about 300,000 cells are active, in bricks all over
  default    the volume that cubist shows when it is given none: the surface grows with the edge's square
  noise      noise, where a hundredth of the cells is active: the surface grows as the volume does
gnuplot -c tests/bench/growth.gp GROWTH.csv GROWTH.png draws them.
"""
import argparse
import csv
import json
import os
import subprocess
import tempfile

EDGES = 64, 96, 128, 192, 256, 384, 512
COLUMNS = ("device driver method row edge voxels iso bricks active_bricks active_cells triangles median_ms min_ms p95_ms "
           "upload_ms bricks_ms").split()


def isovalues(row, edge):
    """The generator, and the isovalue."""
    if row == "ball":
        return "sphere", round(65535 * (1 - 30 / ((edge - 1) / 2)), 2) + 0.25
    if row == "default":
        return "default", 27000.5
    cells = 300000 if row == "specks" else 0.01 * edge ** 3
    return "noise", round(65535 * (1 - cells / (8 * edge ** 3))) + 0.5  # a sample above it makes 8 cells active


def measure(options, row, edge, folder):
    generator, iso = isovalues(row, edge)
    path = os.path.join(folder, f"{generator}_{edge}x{edge}x{edge}_uint16.raw")
    if not os.path.exists(path):
        subprocess.run([options.cubist, "generate", generator, "--dims", f"{edge}x{edge}x{edge}", "--type", "uint16", "-o", path, "-q"],
                       check=True)
    ran = subprocess.run([options.cubist, "bench", "extract", path, "--iso", str(iso), "--repeat", str(options.repeat), "--json",
                          "--method", options.method], check=True, stdout=subprocess.PIPE)
    report = json.loads(ran.stdout)
    run = report["runs"][0]
    return {"row": row, "edge": edge, "voxels": edge ** 3, **{key: report[key] for key in ("device", "driver", "upload_ms", "bricks_ms")},
            **{key: run[key] for key in COLUMNS if key in run}}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("cubist"), parser.add_argument("table")
    parser.add_argument("--method", default="ink-collate")
    parser.add_argument("--largest", type=int, default=512)
    parser.add_argument("--repeat", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, open(options.table, "w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        for edge in EDGES:
            for row in "ball", "default", "specks", "noise":
                if edge <= options.largest:
                    one = measure(options, row, edge, folder)
                    table.writerow(one)
                    print(f"{row:8s} {edge:4d}^3 {one['active_cells']:9d} cells {one['median_ms']:9.2f} ms", flush=True)
            for name in os.listdir(folder):
                os.remove(os.path.join(folder, name))


main()
