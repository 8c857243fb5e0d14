"""Small TIFF files that need much work."""
import struct
import zlib


def shared_strips(pages, strips, width, description=0):
    """Pages of 8-bit samples, deflated, a row in each strip. All pages share one list of strips,
    all strips share their data, and all pages share a description of so many bytes, if any."""
    data = zlib.compress(bytes(width))
    out = bytearray(struct.pack("<2sHI", b"II", 42, 0) + data + bytes(len(data) % 2))
    lists = []
    for value in 8, len(data):
        lists.append(value if strips == 1 else len(out))
        out += struct.pack("<I", value) * (strips > 1) * strips
    text = len(out)
    out += bytes(description)
    entries = [(256, 4, 1, width), (257, 4, 1, strips), (258, 3, 1, 8), (259, 3, 1, 8),
               (262, 3, 1, 1), *[(270, 2, description, text)] * (description > 0),
               (273, 4, strips, lists[0]), (277, 3, 1, 1), (278, 4, 1, 1),
               (279, 4, strips, lists[1])]
    last = 4  # where the place of the next page stands
    for _ in range(pages):
        out += bytes(len(out) % 2)
        struct.pack_into("<I", out, last, len(out))
        out += struct.pack("<H", len(entries))
        out += b"".join(struct.pack("<HHII", *entry) for entry in entries)
        last = len(out)
        out += bytes(4)
    return bytes(out)
