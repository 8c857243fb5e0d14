#!/usr/bin/python3
# ctest: long
"""A file of more than 4 GiB, whose only surface is beyond the first 4 GiB."""
from cli import *

need_device()
WIDTH, HEIGHT, DEPTH = 2048, 2048, 1100
with Folder() as folder:
    raw = os.path.join(folder, f"cube_{WIDTH}x{HEIGHT}x{DEPTH}_uint8.raw")
    with open(raw, "wb") as file:
        file.truncate(WIDTH * HEIGHT * DEPTH)  # takes no room: it has holes
        for z in range(1080, 1090):
            for y in range(1000, 1010):
                file.seek((z * HEIGHT + y) * WIDTH + 1500)
                file.write(b"\xff" * 10)
    mesh = os.path.join(folder, "cube.ply")
    ran = cubist("extract", raw, "--iso", "127.5", "--memory-budget", "1100", "--json", "-o", mesh, timeout=900)
    if check(ran.code == 0, ran):
        report = ran.json()
        check(report["vertices"] == 600 and report["triangles"] == 1196, "a cube of 10 samples an edge:", report)
        check(report["bounds"] == [[1499.5, 999.5, 1079.5], [1509.5, 1009.5, 1089.5]], "where it lies:", report["bounds"])
    with open(mesh, "rb") as file:
        whole = file.read()
    # A layer is more than this; it is divided into rows.
    ran = cubist("extract", raw, "--iso", "127.5", "--memory-budget", "16", "-o", mesh, timeout=900)
    if check(ran.code == 0, ran):
        with open(mesh, "rb") as file:
            check(file.read() == whole, "another mesh in rows")
    refused(cubist("extract", raw, "--iso", "127.5", "--memory-budget", "1", "-o", mesh), 4, "not even one row of cells")
finish()
