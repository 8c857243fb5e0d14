"""Volumes of uint8 samples, x fastest, in formats that cubist does not write: the bytes of a file."""
import struct


def npy(dims, samples):
    shape = f"({dims[2]}, {dims[1]}, {dims[0]})"
    text = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(text)) + text.encode() + samples
