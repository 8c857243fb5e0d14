"""Volumes of uint8 samples, x fastest, in formats that cubist does not write: the bytes of a file."""
import struct


def mrc(dims, samples):
    head = bytearray(1024)
    struct.pack_into("<10i6f3i", head, 0, *dims, 0, 0, 0, 0, *dims, *dims, 90, 90, 90, 1, 2, 3)
    struct.pack_into("<2I", head, 152, 1146047817, 0)  # IMOD's mark, for unsigned bytes
    head[208:212] = b"MAP "
    return bytes(head) + samples


def npy(dims, samples):
    shape = f"({dims[2]}, {dims[1]}, {dims[0]})"
    text = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(text)) + text.encode() + samples
