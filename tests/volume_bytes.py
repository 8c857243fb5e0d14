"""Volumes of uint8 samples, x fastest, in formats that cubist does not write: the bytes of a file."""
import io
import struct
import zipfile


def mrc(dims, samples):
    head = bytearray(1024)
    struct.pack_into("<10i6f3i", head, 0, *dims, 0, 0, 0, 0, *dims, *dims, 90, 90, 90, 1, 2, 3)
    struct.pack_into("<2I", head, 152, 1146047817, 0)  # IMOD's mark, for unsigned bytes
    head[208:212] = b"MAP "
    return bytes(head) + samples


def mgh(dims, samples):
    return struct.pack(">7ih", 1, *dims, 1, 0, 0, 0).ljust(284, b"\0") + samples


def slc(dims, samples):
    head = f"11111\n{dims[0]} {dims[1]} {dims[2]} 8\n0.5 1.25 2.75\n1 6 0 1\n0 0 X".encode()
    size = dims[0] * dims[1]
    for z in range(dims[2]):
        row = samples[z * size:(z + 1) * size]
        runs = b"".join(bytes([0x80 + len(row[i:i + 99])]) + row[i:i + 99] for i in range(0, size, 99)) + b"\0"
        head += f"{len(runs)} X".encode() + runs
    return head


def _zyx(dims, samples):
    """z fastest, with 0.5, 1.25 and 2.75 between the samples along x, y and z."""
    grid = [samples[(z * dims[1] + y) * dims[0] + x] for x in range(dims[0]) for y in range(dims[1]) for z in range(dims[2])]
    return " ".join(map(str, grid)).encode() + b"\n"


def cube(dims, samples):
    return f"a comment\nanother\n1 0.1 -2.5 0.001\n{dims[0]} 0.5 0 0\n{dims[1]} 0 1.25 0\n{dims[2]} 0 0 2.75\n" \
        "6 6.0 0.5 0.25 0.125\n".encode() + _zyx(dims, samples)


def dx(dims, samples):
    counts = f"{dims[0]} {dims[1]} {dims[2]}"
    return f"object 1 class gridpositions counts {counts}\norigin 0.1 -2.5 0.001\ndelta 0.5 0 0\ndelta 0 1.25 0\n" \
        f"delta 0 0 2.75\nobject 2 class gridconnections counts {counts}\n" \
        f"object 3 class array type float rank 0 items {len(samples)} data follows\n".encode() + _zyx(dims, samples)


def npy(dims, samples):
    shape = f"({dims[2]}, {dims[1]}, {dims[0]})"
    text = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(text)) + text.encode() + samples


def npz(dims, samples):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a.npy", npy(dims, samples))
    return out.getvalue()
