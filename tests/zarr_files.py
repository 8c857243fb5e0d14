"""Stores of Zarr 2, Zarr 3 and N5 by formula: {name: bytes} of their files. `values` are numbers of an array of this
shape, the last axis fastest; `chunk` has as many numbers as `shape`; `kind` is that of struct."""
import gzip
import itertools
import json
import math
import struct
import zlib

NAMES = {"B": "uint8", "b": "int8", "H": "uint16", "h": "int16", "I": "uint32", "i": "int32", "Q": "uint64",
         "q": "int64", "e": "float16", "f": "float32", "d": "float64"}


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return struct.pack("<I", crc ^ 0xffffffff)


def lz4(data):
    """One block of literals, with its size as numcodecs writes it."""
    more = len(data) - 15
    head = bytes([min(len(data), 15) << 4]) + (b"\xff" * (more // 255) + bytes([more % 255]) if more >= 0 else b"")
    return struct.pack("<I", len(data)) + head + data


def lz4_blocks(data):
    """As lz4-java writes it, without its sums: a plain block, a packed one, and the end."""
    half = len(data) // 2
    head = lambda form, packed, size: b"LZ4Block" + bytes([form]) + struct.pack("<3I", packed, size, 0)
    packed = lz4(data[half:])[4:]
    return head(0x15, half, half) + data[:half] + head(0x25, len(packed), len(data) - half) + packed + head(0x15, 0, 0)


CODECS = {"gzip": lambda data: gzip.compress(data, mtime=0), "zlib": zlib.compress, "lz4": lz4, "lz4 blocks": lz4_blocks,
          "crc32c": lambda data: data + crc32c(data), "raw": lambda data: data}


def pack(data, codecs):
    for codec in codecs:
        data = CODECS[codec](data)
    return data


def grid(shape, chunk):
    return itertools.product(*(range(-(-size // step)) for size, step in zip(shape, chunk)))


def samples_of(values, shape, chunk, index, form, order=None, fill=0, cut=False):
    """The bytes of a chunk; its axes in `order`, slowest first. `cut`: without what is beyond the array."""
    def value(at):
        if any(i >= size for i, size in zip(at, shape)):
            return fill
        number = 0
        for i, size in zip(at, shape):
            number = number * size + i
        return values[number]
    begin = [i * step for i, step in zip(index, chunk)]
    size = [min(step, whole - first) if cut else step for step, whole, first in zip(chunk, shape, begin)]
    order = order or range(len(shape))
    found = []
    for at in itertools.product(*(range(size[axis]) for axis in order)):
        place = list(begin)
        for axis, i in zip(order, at):
            place[axis] += i
        found.append(value(place))
    return struct.pack(form[0] + str(len(found)) + form[1], *found)


def text(of):
    return json.dumps(of).encode()


def zarr2(values, shape, chunk, kind="B", endian="<", codec=None, separator=".", fortran=False, fill=0, missing=(),
          attributes=None):
    size = struct.calcsize(kind)
    name = f"{'|' if size == 1 else endian}{'f' if kind in 'efd' else 'u' if kind.isupper() else 'i'}{size}"
    files = {".zarray": text({"zarr_format": 2, "shape": list(shape), "chunks": list(chunk), "dtype": name,
                              "compressor": codec and {"id": codec}, "fill_value": fill, "order": "F" if fortran else "C",
                              "filters": None, **({} if separator == "." else {"dimension_separator": separator})})}
    if attributes:
        files[".zattrs"] = text(attributes)
    order = range(len(shape))[::-1] if fortran else None
    for index in grid(shape, chunk):
        if index not in missing:
            data = samples_of(values, shape, chunk, index, endian + kind, order)
            files[separator.join(map(str, index))] = pack(data, [codec] if codec else [])
    return files


def zarr3(values, shape, chunk, kind="B", endian="<", codecs=(), shard=None, transpose=None, fill=0, missing=(), start=False,
          key=("default", "/"), names=None, attributes=None):
    """`codecs` come after bytes. `missing`: indices of chunks, also of those within a shard."""
    inner = [{"name": "transpose", "configuration": {"order": list(transpose)}}] if transpose else []
    inner += [{"name": "bytes", "configuration": {"endian": "big" if endian == ">" else "little"}}]
    inner += [{"name": codec} for codec in codecs]
    outer = [{"name": "sharding_indexed", "configuration": {
        "chunk_shape": list(chunk), "codecs": inner, "index_location": "start" if start else "end", "index_codecs": [
            {"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]}}] if shard else inner
    files = {"zarr.json": text({
        "zarr_format": 3, "node_type": "array", "shape": list(shape), "data_type": NAMES[kind], "codecs": outer,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(shard or chunk)}},
        "chunk_key_encoding": {"name": key[0], "configuration": {"separator": key[1]}}, "fill_value": fill,
        "attributes": attributes or {}, **({"dimension_names": names} if names else {})})}

    def made(index):
        return pack(samples_of(values, shape, chunk, index, endian + kind, transpose), codecs)
    for index in grid(shape, shard or chunk):
        name = ("c" + key[1] if key[0] == "default" else "") + key[1].join(map(str, index))
        if not shard:
            if index not in missing:
                files[name] = made(index)
            continue
        many = [a // b for a, b in zip(shard, chunk)]
        room = 16 * math.prod(many) + 4 if start else 0
        entries, body = b"", b""
        for within in itertools.product(*map(range, many)):
            at = tuple(i * n + k for i, n, k in zip(index, many, within))
            if at in missing or any(i * step >= size for i, step, size in zip(at, chunk, shape)):
                entries += b"\xff" * 16
            else:
                data = made(at)
                entries += struct.pack("<2Q", room + len(body), len(data))
                body += data
        files[name] = entries + crc32c(entries) + body if start else body + entries + crc32c(entries)
    return files


def n5(values, shape, chunk, kind="B", codec="gzip", missing=(), **more):
    """Its files list the fastest axis first."""
    files = {"attributes.json": text({"dimensions": list(shape[::-1]), "blockSize": list(chunk[::-1]), "dataType": NAMES[kind],
                                      "compression": {"type": codec.split()[0]}, **more})}
    for index in grid(shape, chunk):
        if index not in missing:
            size = [min(step, whole - i * step) for i, step, whole in zip(index, chunk, shape)]
            head = struct.pack(f">2H{len(shape)}I", 0, len(shape), *size[::-1])
            data = samples_of(values, shape, chunk, index, ">" + kind, cut=True)
            files["/".join(map(str, index[::-1]))] = head + pack(data, [codec])
    return files


def group(attributes=None, version=2, **nodes):
    """A group with other nodes in it, by name."""
    files = {"zarr.json": text({"zarr_format": 3, "node_type": "group", "attributes": attributes or {}})} if version == 3 else \
        {".zgroup": text({"zarr_format": 2}), **({".zattrs": text(attributes)} if attributes else {})}
    for name, node in nodes.items():
        files.update({f"{name}/{file}": data for file, data in node.items()})
    return files


def image(levels, axes, scales, starts=None, version="0.4", whole=None):
    """The attributes of an OME-Zarr image. `axes`: (name, type, unit)."""
    of = [{"axes": [{"name": name, "type": type, **({"unit": unit} if unit else {})} for name, type, unit in axes],
           "datasets": [{"path": str(level), "coordinateTransformations": [
               {"type": "scale", "scale": scales[level]},
               *([{"type": "translation", "translation": starts[level]}] if starts else [])]} for level in range(levels)],
           **({"coordinateTransformations": [{"type": "scale", "scale": whole}]} if whole else {})}]
    return {"ome": {"version": version, "multiscales": of}} if version == "0.5" else {"multiscales": of}
