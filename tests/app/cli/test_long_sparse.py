#!/usr/bin/python3
# ctest: long
"""A file of 1 TiB, 8192^3 samples, of which a few are written: its shares hold the balls that lie at their places,
vertex by vertex. The numbers of edges and the places in the file pass 2^40. Two shares of 8 layers take some 10
seconds of processor time each."""
import errno
import math
import struct

from cli import *
from share_files import read

need_device()
SIDE, SHARES, SMALL, RADIUS = 8192, 1024, 16, 2.3
HEAD, PIECE, END = 256, 40, 64


def ball(path, side, center):
    """Writes the samples about a ball; all others stay 0."""
    with open(path, "r+b") as file:
        for z in range(center[2] - 5, center[2] + 6):
            for y in range(center[1] - 5, center[1] + 6):
                row = [max(0, min(65535, round(30000 + 5000 * (RADIUS - math.dist(center, (x, y, z))))))
                       for x in range(center[0] - 5, center[0] + 6)]
                file.seek(((z * side + y) * side + center[0] - 5) * 2)
                file.write(struct.pack("<11H", *row))


def surface(path, side, offset):
    """Edges, positions and triangles of a share, relative to `offset`, and its layers."""
    data = read(path)
    at, base, edges, positions, triangles = HEAD, 0, [], [], []
    while at < len(data) - END:
        _mark, first, _layers, _zero, own, _foreign, faces = struct.unpack_from("<4I3Q", data, at)
        at += PIECE
        for i in range(own):
            positions.append([p - o for p, o in zip(struct.unpack_from("<3f", data, at + 24 * i), offset)])
        at += 24 * own
        for i in range(own):
            edge = int.from_bytes(data[at + 5 * i:at + 5 * i + 5], "little") + 3 * first * side * side
            place = edge // 3
            edges.append((place % side - offset[0], place // side % side - offset[1],
                          place // side // side - offset[2], edge % 3))
        at += 5 * own
        for i in range(faces):
            triangles.append([base + int.from_bytes(data[at + 15 * i + 5 * k:at + 15 * i + 5 * k + 5], "little")
                              for k in range(3)])
        at += 15 * faces
        base += own
    return edges, positions, triangles


def share(top, raw, k, n):
    path = os.path.join(top, "s.share")
    ran = cubist("extract", raw, "--iso", "30000", "--share", f"{k}/{n}", "-o", path, "--json", timeout=1500)
    check(ran.code == 0, ran)
    return path, ran.json()


with Folder() as folder:
    small = os.path.join(folder, f"small_{SMALL}x{SMALL}x{SMALL}_uint16.raw")
    large = os.path.join(folder, f"large_{SIDE}x{SIDE}x{SIDE}_uint16.raw")
    with open(small, "wb") as file:
        file.truncate(2 * SMALL**3)
    ball(small, SMALL, (8, 8, 8))
    try:
        with open(large, "wb") as file:
            file.truncate(2 * SIDE**3)
    except OSError as error:
        if error.errno not in (errno.EFBIG, errno.EINVAL, errno.ENOSPC):
            raise
        skip(f"the file system of {folder} holds no file of 1 TiB")
    expected = surface(share(folder, small, 1, 1)[0], SMALL, (8, 8, 8))
    check(len(expected[0]) > 50 and len(expected[2]) == 2 * len(expected[0]) - 4, "a ball:", len(expected[0]))
    for k, x, y in (SHARES - 1, 8100, 8180), (SHARES // 2 + 1, 17, 4000):
        center = x, y, (SIDE - 1) * (k - 1) // SHARES + 4
        ball(large, SIDE, center)
        path, report = share(folder, large, k, SHARES)
        found = surface(path, SIDE, center)
        check(report["share"]["layers"] in (7, 8) and report["slabs"]["missed"] == 0, report)
        check(found[0] == expected[0], "other edges:", found[0][:3], expected[0][:3])
        check(found[2] == expected[2], "other triangles:", len(found[2]), len(expected[2]))
        check(all(math.dist(a, b) < 2e-3 for a, b in zip(found[1], expected[1])), "other positions")
finish()
