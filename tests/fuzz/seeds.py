"""Small files for the fuzz targets to begin with: FOLDER/TARGET/NAME for every format, sample type,
encoding, byte order and compression. What is called read_... is a sound file, refuse_... is not;
replay.c asks for that. A target's words are in dictionaries/TARGET.

seeds.py FOLDER
seeds.py --formats     prints the targets that are volume formats
"""
import base64
import gzip
import io
import json
import os
import shutil
import struct
import sys
import zipfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import zarr_files

DIM = (4, 3, 2)
COUNT = 24
# numpy's way to name them: what struct calls them
TYPES = {"uint8": "B", "int8": "b", "uint16": "H", "int16": "h", "uint32": "I", "int32": "i",
         "uint64": "Q", "int64": "q", "float32": "f", "float64": "d"}
READ = [name for name in TYPES if "64" not in name or name == "float64"]  # as raw files
ORDERS = {"little": "<", "big": ">"}


def values(kind):
    signed = not kind.startswith("u")
    return [(i * 5) % 97 - (40 if signed else 0) for i in range(COUNT)]


def samples(kind, order="little"):
    return struct.pack(ORDERS[order] + str(COUNT) + TYPES[kind], *values(kind))


def text(kind):
    return " ".join(str(v) for v in values(kind)).encode()


def files(*parts):
    """Several files as one input, see target.h: (line, bytes) each."""
    return b"\n".join(b"@@ " + line.encode() + b"\n" + data for line, data in parts)


class Folder:
    def __init__(self, root, target):
        self.path = os.path.join(root, target)
        os.makedirs(self.path, exist_ok=True)

    def __call__(self, name, data):
        with open(os.path.join(self.path, name), "wb") as out:
            out.write(data)


def nrrd(put):
    names = {"uint8": "uchar", "float32": "float", "float64": "double", "int16": "short"}

    def header(kind, order="little", encoding="raw", more="", dimension=3, sizes="4 3 2"):
        return (f"NRRD0005\n# text\ntype: {names.get(kind, kind)}\ndimension: {dimension}\n"
                f"sizes: {sizes}\nendian: {order}\nencoding: {encoding}\n{more}").encode()
    for kind in TYPES:
        for order in ORDERS:
            put(f"read_{kind}_{order}", header(kind, order) + b"\n" + samples(kind, order))
        put(f"read_{kind}_ascii", header(kind, encoding="ascii") + b"\n" + text(kind))
        put(f"read_{kind}_hex",
            header(kind, encoding="hex") + b"\n" + samples(kind).hex("\n", 8).encode())
        put(f"read_{kind}_gzip",
            header(kind, encoding="gzip") + b"\n" + gzip.compress(samples(kind), mtime=0))
    put("refuse_bzip2", header("uint8", encoding="bzip2") + b"\n" + samples("uint8"))
    for name, more in {
            "spacings": "spacings: 1 2.5 nan\n", "space": "space: left-posterior-superior\n"
            "space directions: (1,0,0) (0,2,0) (0,0,-3)\nspace origin: (1,-2,3.5)\n",
            "ras": "space: RAS\nspace directions: (1,0.5,0) (-0.5,1,0) (0,0,1)\n"
            "space origin: (0,0,0)\nmeasurement frame: (1,0,0) (0,1,0) (0,0,1)\n",
            "kinds": "kinds: domain domain domain\nlabels: \"x\" \"y\" \"z\"\nunits: \"mm\" \"mm\" \"\"\n"
            "centerings: cell cell cell\naxis mins: 0 0 0\naxis maxs: 3 2 1\nkey:=value\n",
            "space_dimension": "space dimension: 3\nspace directions: (1,0,0) (0,1,0) (0,0,1)\n",
            "thicknesses": "thicknesses: 1 1 1\nmin: 0\nmax: 255\ncontent: a b\nnumber: 24\n"}.items():
        put("spaced_" + name, header("uint8", more=more) + b"\n" + samples("uint8"))
    put("read_four", header("uint8", dimension=4, sizes="4 3 2 1") + b"\n" + samples("uint8"))
    put("time", header("uint8", dimension=4, sizes="4 3 2 2", more="kinds: space space space time\n")
        + b"\n" + 2 * samples("uint8"))
    put("list_axis", header("uint8", dimension=4, sizes="4 3 2 2",
        more="kinds: space space list space\n") + b"\n" + 2 * samples("uint8"))
    put("colour", header("uint8", dimension=4, sizes="3 4 3 2", more="kinds: vector space space space\n")
        + b"\n" + 3 * samples("uint8"))
    put("read_skips", header("uint8", more="line skip: 2\nbyte skip: 3\n") + b"\n1\n2\nabc" + samples("uint8"))
    put("at_end", header("uint8", more="byte skip: -1\n") + b"\nabc" + samples("uint8"))
    put("refuse_short", header("uint8") + b"\n" + samples("uint8")[:-1])
    put("refuse_magic", b"NRRD0004\n")
    put("read_crlf", header("uint8").replace(b"\n", b"\r\n") + b"\r\n" + samples("uint8"))
    detached = header("uint16", more="data file: data.raw\n")
    put("read_detached", files(("x.nhdr", detached), ("data.raw", samples("uint16"))))
    put("read_folder", files(("x.nhdr", header("uint16", more="data file: a/data.raw\n")),
                             ("a/data.raw", samples("uint16"))))
    put("refuse_outside", files(("a/x.nhdr", header("uint16", more="data file: ../data.raw\n")),
                                ("data.raw", samples("uint16"))))
    put("refuse_absolute", files(("x.nhdr", header("uint16", more="data file: /fuzz/data.raw\n")),
                                 ("data.raw", samples("uint16"))))
    half = samples("uint16")[:24], samples("uint16")[24:]
    put("read_pattern", files(("x.nhdr", header("uint16", more="data file: s%02d.raw 1 2 1 3\n")),
                              ("s01.raw", half[0]), ("s02.raw", half[1])))
    put("read_list", files(("x.nhdr", header("uint16", more="data file: LIST\na.raw\nb.raw")),
                           ("a.raw", half[0]), ("b.raw", half[1])))
    put("gzip_detached", files(("x.nhdr", header("uint16", encoding="gzip",
        more="byte skip: -1\ndata file: data.gz\n")), ("data.gz", gzip.compress(samples("uint16"), mtime=0))))
    put("read_line_skip", files(("x.nhdr", header("uint8", more="line skip: 1\ndata file: d\n")),
                                ("d", b"first\n" + samples("uint8"))))


def metaimage(put):
    names = {"uint8": "MET_UCHAR", "int8": "MET_CHAR", "uint16": "MET_USHORT", "int16": "MET_SHORT",
             "uint32": "MET_UINT", "int32": "MET_INT", "uint64": "MET_ULONG_LONG",
             "int64": "MET_LONG_LONG", "float32": "MET_FLOAT", "float64": "MET_DOUBLE"}

    def header(kind, order="little", more="", data="LOCAL", dims="4 3 2", n=3, binary="True"):
        return (f"ObjectType = Image\nNDims = {n}\nBinaryData = {binary}\n"
                f"BinaryDataByteOrderMSB = {order == 'big'}\n{more}DimSize = {dims}\n"
                f"ElementType = {names[kind]}\nElementDataFile = {data}\n").encode()
    for kind in TYPES:
        for order in ORDERS:
            put(f"read_{kind}_{order}", header(kind, order) + samples(kind, order))
        packed = zlib.compress(samples(kind))
        put(f"read_{kind}_zlib", header(kind, more="CompressedData = True\nCompressedDataSize = "
                                        f"{len(packed)}\n") + packed)
        put(f"read_{kind}_ascii", header(kind, binary="False") + text(kind))
    packed = zlib.compress(samples("int16"))
    put("read_no_size", header("int16", more="CompressedData = True\n") + packed)
    put("size_too_small", header("int16", more="CompressedData = True\nCompressedDataSize = 9\n") + packed)
    put("read_placed", header("int16", more="ElementSpacing = 1 2 0.5\nOffset = 1 2 -3\n"
        "TransformMatrix = 1 0 0 0 1 0 0 0 -1\nAnatomicalOrientation = RAI\nCenterOfRotation = 0 0 0\n"
        "Comment = any\n") + samples("int16"))
    put("read_scaled", header("int16", more="ElementToIntensityFunctionSlope = 2\n"
        "ElementToIntensityFunctionOffset = -1.5\n") + samples("int16"))
    put("version1", header("int16", more="ElementSize = 1 1 2\nElementOrigin = 0 1 2\n"
        "ElementDirection = 0 1 0 1 0 0 0 0 1\nElementByteOrderMSB = False\n") + samples("int16"))
    put("read_channels", header("int16", more="ElementNumberOfChannels = 1\n") + samples("int16"))
    put("refuse_channels", header("int16", more="ElementNumberOfChannels = 3\n") + 3 * samples("int16"))
    put("four", header("int16", dims="4 3 2 1", n=4) + samples("int16"))
    put("time", header("int16", dims="4 3 2 2", n=4) + 2 * samples("int16"))
    put("read_header_size", header("int16", more="HeaderSize = -1\n") + b"abc" + samples("int16"))
    put("header_size", header("int16", more="HeaderSize = 200\n") + samples("int16"))
    put("refuse_short", header("int16") + samples("int16")[:-1])
    put("read_detached", files(("x.mhd", header("uint16", data="data.raw")), ("data.raw", samples("uint16"))))
    put("read_zraw", files(("x.mhd", header("uint16", data="data.zraw", more="CompressedData = True\n")),
                           ("data.zraw", zlib.compress(samples("uint16")))))
    half = samples("uint16")[:24], samples("uint16")[24:]
    put("read_pattern", files(("x.mhd", header("uint16", data="s%d.raw 1 2 1")),
                              ("s1.raw", half[0]), ("s2.raw", half[1])))
    put("read_list", files(("x.mhd", header("uint16", data="LIST") + b"a.raw\nb.raw\n"),
                           ("a.raw", half[0]), ("b.raw", half[1])))
    put("list_2d", files(("x.mhd", header("uint16", data="LIST 2D") + b"a.raw\nb.raw\n"),
                         ("a.raw", half[0]), ("b.raw", half[1])))


def nifti(put):
    codes = {"uint8": 2, "int16": 4, "int32": 8, "float32": 16, "float64": 64, "int8": 256,
             "uint16": 512, "uint32": 768, "int64": 1024, "uint64": 1280}

    def header(kind, order="little", version=1, pair=False, dim=(3, 4, 3, 2, 1, 1, 1, 1), offset=None,
               slope=0.0, intercept=0.0, qform=0, sform=0, code=None, pixdim=(1, 2, 3, 4, 0, 0, 0, 0),
               units=2):
        o = ORDERS[order]
        code = codes[kind] if code is None else code
        bits = 8 * struct.calcsize(TYPES[kind])
        rows = (1, 0, 0, -1, 0, 2, 0, -2, 0, 0, 3, -3)
        quatern = (0.0, 0.0, 0.0, 5.0, 6.0, 7.0)
        if version == 1:
            offset = (0 if pair else 352) if offset is None else offset
            magic = b"ni1\0" if pair else b"n+1\0"
            return (struct.pack(o + "i36x8h", 348, *dim) + struct.pack(o + "14x3h", code, bits, 0) +
                    struct.pack(o + "8f3f", *pixdim, offset, slope, intercept) +
                    struct.pack(o + "hbb", 0, 0, units) + struct.pack("128x") +
                    struct.pack(o + "2h6f12f16x", qform, sform, *quatern, *rows) + magic +
                    (b"" if pair else bytes(4)))
        offset = (0 if pair else 544) if offset is None else offset
        magic = b"ni2\0\r\n\x1a\n" if pair else b"n+2\0\r\n\x1a\n"
        data = (struct.pack(o + "i", 540) + magic + struct.pack(o + "2h8q", code, bits, *dim) +
                bytes(24) + struct.pack(o + "8dq2d", *pixdim, offset, slope, intercept))
        data += bytes(344 - len(data)) + struct.pack(o + "2i6d12d", qform, sform, *quatern, *rows)
        return data + bytes(540 - len(data)) + (b"" if pair else bytes(4))
    for kind in TYPES:
        for order in ORDERS:
            for version in 1, 2:
                put(f"read_{kind}_{order}_{version}",
                    header(kind, order, version) + samples(kind, order))
    plain = header("int16") + samples("int16")
    put("read_gzip", files(("x.nii.gz", gzip.compress(plain, mtime=0))))
    for kind in TYPES:
        put(f"read_{kind}_scaled", header(kind, slope=2.0, intercept=-3.0) + samples(kind))
    put("scaled_nan", header("int16", slope=float("nan")) + samples("int16"))
    put("read_qform", header("int16", qform=1) + samples("int16"))
    put("read_sform", header("int16", sform=2) + samples("int16"))
    put("both_forms", header("int16", sform=1, qform=2, version=2) + samples("int16"))
    put("offset_0", header("int16", offset=0) + samples("int16"))
    put("units", header("int16", units=1) + samples("int16"))
    put("time", header("int16", dim=(4, 4, 3, 2, 2, 1, 1, 1)) + 2 * samples("int16"))
    put("read_time", files(("x.nii time=2 channel=3", header("int16", dim=(5, 4, 3, 2, 2, 3, 1, 1)) +
                            6 * samples("int16"))))
    put("refuse_time", files(("x.nii time=3", header("int16", dim=(4, 4, 3, 2, 2, 1, 1, 1)) +
                              2 * samples("int16"))))
    put("pixdim_0", header("int16", pixdim=(0,) * 8) + samples("int16"))
    put("pixdim_nan", header("int16", qform=1, pixdim=(-1, float("nan"), 1, 1, 0, 0, 0, 0)) + samples("int16"))
    for code in 1, 32, 128, 1536, 1792, 2048, 2304, 99:
        put(f"refuse_type_{code}", header("int16", code=code) + samples("int16"))
    put("extension", header("int16", offset=384)[:-4] + b"\1\0\0\0" + struct.pack("<2i24x", 32, 6) +
        samples("int16"))
    put("refuse_short", plain[:-1])
    for version in 1, 2:
        head = header("int16", pair=True, version=version)
        put(f"read_pair_{version}", files(("x.hdr", head), ("x.img", samples("int16"))))
        put(f"read_by_image_{version}", files(("x.img", samples("int16")), ("x.hdr", head)))
        put(f"pair_gzip_{version}", files(("x.hdr.gz", gzip.compress(head, mtime=0)),
                                          ("x.img.gz", gzip.compress(samples("int16"), mtime=0))))
    put("refuse_no_image", files(("x.hdr", header("int16", pair=True)), ("y.img", samples("int16"))))
    put("read_analyze", files(("x.hdr", header("int16", pair=True)[:344] + bytes(4)), ("x.img", samples("int16"))))


def vti(put):
    names = {kind: "U" + kind[1:].capitalize() if kind[0] == "u" else kind.capitalize() for kind in TYPES}

    def file(arrays, order="little", word="UInt32", more="", image="", piece="0 3 0 2 0 1", appended="",
             scalars="", data="PointData", after=""):
        return (f'<?xml version="1.0"?>\n<VTKFile type="ImageData" version="1.0" '
                f'byte_order="{order.capitalize()}Endian" header_type="{word}"{more}>\n'
                f'<ImageData WholeExtent="0 3 0 2 0 1" Origin="0 0 0" Spacing="1 1 1"{image}>\n'
                f'<Piece Extent="{piece}">\n<{data}{scalars}>\n').encode() + arrays + \
            f'\n</{data}>\n{after}</Piece>\n</ImageData>\n{appended}'.encode()

    def array(kind, contents=b"", form="ascii", name="a", more=""):
        return (f'<DataArray type="{names[kind]}" Name="{name}" format="{form}"{more}>'.encode() +
                contents + b"</DataArray>")

    def word(n, order, size=4):
        return struct.pack(ORDERS[order] + ("I" if size == 4 else "Q"), n)

    def binary(kind, order="little", size=4):
        data = samples(kind, order)
        return word(len(data), order, size) + data

    def packed(kind, order="little", size=4, block=16):
        data = samples(kind, order)
        blocks = [zlib.compress(data[i:i + block]) for i in range(0, len(data), block)]
        head = b"".join(word(n, order, size) for n in
                        [len(blocks), block, len(data) % block] + [len(b) for b in blocks])
        return head, b"".join(blocks)
    end = b"\n</VTKFile>\n"
    base = base64.b64encode
    zipped = ' compressor="vtkZLibDataCompressor"'
    for kind in TYPES:
        put(f"read_{kind}_ascii", file(array(kind, text(kind))) + end)
        for order in ORDERS:
            size = 4 if order == "little" else 8
            bits = f"UInt{8 * size}"
            put(f"read_{kind}_{order}", file(array(kind, base(binary(kind, order, size)), "binary"),
                                             order, bits) + end)
            head, data = packed(kind, order, size)
            put(f"read_{kind}_{order}_zlib", file(array(kind, base(head) + base(data), "binary"), order, bits,
                                                  zipped) + end)
            appended = array(kind, b"", "appended", more=' offset="0"')
            put(f"read_{kind}_{order}_appended", file(appended, order, bits,
                appended='<AppendedData encoding="raw">\n_') + binary(kind, order, size) + b"</AppendedData>" + end)
    appended = array("int16", b"", "appended", more=' offset="3"')
    put("read_appended_base64", file(array("int16", b"", "appended", more=' offset="0"'),
        appended='<AppendedData encoding="base64">_') + base(binary("int16")) + b"</AppendedData>" + end)
    head, data = packed("int16")
    put("read_appended_zlib", file(appended, more=zipped, appended='<AppendedData encoding="raw">_abc') +
        head + data + b"</AppendedData>" + end)
    put("read_appended_base64_zlib", file(array("int16", b"", "appended", more=' offset="0"'), more=zipped,
        appended='<AppendedData encoding="base64">_') + base(head) + base(data) + end)
    two = array("uint8", text("uint8")) + array("int16", text("int16"), name="b") + \
        array("float32", 3 * (text("float32") + b" "), name="v", more=' NumberOfComponents="3"')
    put("read_two", file(two) + end)
    put("read_active", file(two, scalars=' Scalars="b"') + end)
    put("read_named", files(("x.vti array=b", file(two) + end)))
    put("refuse_named", files(("x.vti array=c", file(two) + end)))
    for word_of in "0", "2", "length":
        put(f"read_component_{word_of}", files((f"x.vti array=v:{word_of}", file(two) + end)))
    put("read_component_zlib", files(("x.vti array=a:1", file(
        array("int16", base(b"".join(word(n, "little") for n in [1, 96, 96, len(zlib.compress(bytes(96)))])) +
              base(zlib.compress(bytes(96))), "binary", more=' NumberOfComponents="2"'), more=zipped) + end)))
    put("read_lines", file(array("int16", base(binary("int16"))[:9] + b"\n" + base(binary("int16"))[9:], "binary")) +
        end)
    put("refuse_vector_named", files(("x.vti array=v", file(two) + end)))
    put("refuse_cells", file(two, data="CellData") + end)
    put("refuse_cells_named", files(("x.vti array=a", file(two, data="CellData") + end)))
    put("read_both", file(array("uint8", text("uint8")), after="<CellData>" + array(
        "uint8", b"1 2 3 4 5 6", name="c").decode() + "</CellData>") + end)
    put("read_placed", file(array("uint8", text("uint8")), image=' Direction="0 1 0 1 0 0 0 0 1"') + end)
    put("refuse_lz4", file(array("int16", base(head), "binary"), more=' compressor="vtkLZ4DataCompressor"') + end)
    put("refuse_piece", file(array("uint8", text("uint8")), piece="0 1 0 2 0 1") + end)
    put("refuse_few", file(array("uint8", text("uint8")[:-3])) + end)
    put("refuse_images", file(array("uint8", text("uint8"))).replace(b"<Piece", b"<ImageData/><Piece") + end)
    put("refuse_nul", file(array("uint8", b"1" * 80)) + end)
    many = b"".join(array("float32", b"1 2 3", name="n" * 90 + str(i), more=' NumberOfComponents="3"')
                    for i in range(6))
    put("refuse_many", file(many) + end)
    short = zlib.compress(bytes(16))
    for name, sizes, blocks in (("block", [3, 16, 0, len(short), 9, 9], short + zlib.compress(bytes(8)) + short),
                                ("packed", [3, 16, 0] + [2 ** 32 - 1] * 3, short), ("blocks", [0, 16, 0], short)):
        head = b"".join(word(n, "little") for n in sizes)
        put(f"refuse_zlib_{name}", file(array("int16", base(head) + base(blocks), "binary"), more=zipped) + end)
    sizes = b"".join(word(n, "little", 8) for n in [3, 16, 0] + [2 ** 64 - 1] * 3)
    put("refuse_zlib_huge", file(array("int16", base(sizes) + base(short), "binary"), word="UInt64", more=zipped) + end)
    put("refuse_doctype", b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><VTKFile type="ImageData">' + end)
    put("refuse_type", b'<VTKFile type="PolyData">' + end)
    put("refuse_order", file(array("uint8", text("uint8")), order="middle") + end)
    put("read_entity", file(array("uint8", b"&#49; " + text("uint8")[2:])) + end)
    put("read_comment", file(array("uint8", b"<!-- c -->" + text("uint8") + b"<InformationKey> 1 2</InformationKey>")) + end)


def vtk_legacy(put):
    names = {"uint8": "unsigned_char", "int8": "char", "uint16": "unsigned_short", "int16": "short",
             "uint32": "unsigned_int", "int32": "int", "uint64": "vtktypeuint64", "int64": "vtktypeint64",
             "float32": "float", "float64": "double"}

    def head(binary, more="", dataset="STRUCTURED_POINTS"):
        return (f"# vtk DataFile Version 3.0\ntitle\n{'BINARY' if binary else 'ASCII'}\nDATASET {dataset}\n"
                f"DIMENSIONS 4 3 2\nORIGIN 0 1 2\nSPACING 1 2 3\n{more}").encode()

    def scalars(kind, name="a", components=""):
        return f"SCALARS {name} {names[kind]}{components}\nLOOKUP_TABLE default\n".encode()
    points = b"POINT_DATA 24\n"
    for kind in TYPES:
        put(f"read_{kind}_ascii", head(False) + points + scalars(kind) + text(kind) + b"\n")
        put(f"read_{kind}_binary", head(True) + points + scalars(kind) + samples(kind, "big") + b"\n")
    for binary in False, True:
        def data(kind, times=1):
            return (times * samples(kind, "big") if binary else
                    b" ".join([text(kind)] * times)) + b"\n"

        def few(count):
            return bytes(count) if binary else b"7 " * count
        how = "binary" if binary else "ascii"
        before = (b"VECTORS v float\n" + data("float32", 3) + b"NORMALS n double\n" + data("float64", 3) +
                  b"TENSORS t int\n" + data("int32", 9) + b"TENSORS6 u char\n" + data("int8", 6) +
                  b"TEXTURE_COORDINATES w 2 short\n" + data("int16", 2) +
                  b"LOOKUP_TABLE l 3\n" + few(12) + b"\n" + scalars("int16", "c", " 3") + data("int16", 3))
        put(f"read_stepped_{how}", head(binary) + points + before + scalars("uint8") + data("uint8"))
        put(f"read_named_{how}", files(("x.vtk array=b", head(binary) + points + scalars("uint8") + data("uint8") +
                                        scalars("int16", "b") + data("int16"))))
        put(f"refuse_named_{how}", files(("x.vtk array=z", head(binary) + points + scalars("uint8") + data("uint8"))))
        put(f"refuse_vector_named_{how}", files(("x.vtk array=v", head(binary) + points + before)))
        put(f"refuse_vectors_{how}", head(binary) + points + before)
        cells = b"CELL_DATA 6\n" + scalars("uint8", "k") + few(6) + b"\n"
        put(f"read_cells_first_{how}", head(binary) + cells + points + scalars("uint8") + data("uint8"))
        put(f"refuse_cells_named_{how}", files(("x.vtk array=k", head(binary) + cells)))
        field = (b"FIELD FieldData 2\nf 1 24 short\n" + data("int16") + b"g 2 24 float\n" + data("float32", 2))
        put(f"read_field_{how}", head(binary) + points + field)
        put(f"read_field_named_{how}", files(("x.vtk array=f", head(binary) + points +
            scalars("uint8") + data("uint8") + b"METADATA\nINFORMATION 1\nx\n\n" + field)))
        put(f"read_field_before_{how}", head(binary, "FIELD FieldData 1\ntime 1 1 double\n") +
            (bytes(8) if binary else b"0.5") + b"\n" + points + scalars("uint8") + data("uint8"))
        put(f"bits_{how}", head(binary) + points + b"SCALARS b bit\nLOOKUP_TABLE default\n" +
            (b"abc" if binary else b"1 " * 24) + b"\n" + scalars("uint8") + data("uint8"))
        put(f"read_field_metadata_{how}", head(binary) + points + b"FIELD FieldData 2\ng 2 24 float\n" +
            data("float32", 2) + b"METADATA\nINFORMATION 0\n\nf 1 24 short\n" + data("int16"))
        put(f"refuse_long_{how}", head(binary) + points + b"VECTORS v float\n")
    for name, line in {"field": "FIELD f x", "texture": "TEXTURE_COORDINATES t x float", "colour": "COLOR_SCALARS c",
                       "table": "LOOKUP_TABLE l x", "normals": "NORMALS n", "scalars": "SCALARS a", "type": "SCALARS a b",
                       "strings": "FIELD f 1\ns 1 3 string\none", "array": "FIELD f 1\na 1", "any": "ANY a",
                       "nul": "VECTORS v float\n1 2 \0 3\n" + "1 " * 72}.items():
        put(f"refuse_line_{name}", head(False) + points + line.encode() + b"\n")
    put("refuse_points_first", b"# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_POINTS\nPOINT_DATA 24\n")
    put("read_colours_binary", head(True) + points + b"COLOR_SCALARS a 1\n" + samples("uint8"))
    put("read_colours_ascii", head(False) + points + b"COLOR_SCALARS a 1\n" + b"0.5 " * 20 + b"1.5 -1 0 1")
    put("refuse_colours", head(True) + points + b"COLOR_SCALARS a 3\n" + 3 * samples("uint8"))
    put("strings", head(False) + points + b"FIELD f 2\ns 1 2 string\none\ntwo\nd 1 24 short\n" + text("int16"))
    put("refuse_strings", head(True) + points + b"FIELD f 1\ns 1 2 string\none\ntwo\n")
    put("read_aspect", head(True).replace(b"SPACING", b"ASPECT_RATIO") + points + scalars("uint8") + samples("uint8"))
    put("read_no_table", head(True) + points + b"SCALARS a unsigned_char 1\n" + samples("uint8"))
    put("refuse_dataset", head(True, dataset="POLYDATA") + points)
    put("refuse_count", head(True) + b"POINT_DATA 25\n")
    put("refuse_keyword", head(True, "TRIANGLES 3\n") + points)
    put("refuse_short", head(True) + points + scalars("uint8") + samples("uint8")[:-1])


def inviwo(put):
    for kind in TYPES:
        for order in ORDERS:
            put(f"read_{kind}_{order}", files(
                ("x.dat", f"RawFile: data.raw\nResolution: 4 3 2\nFormat: {kind.upper()}\n"
                 f"ByteOrder: {order.capitalize()}Endian\n".encode()), ("data.raw", samples(kind, order))))
    head = "RawFile: data.raw\nResolution: 4 3 2\nFormat: USHORT\n"
    for name, more in {
            "read_basis": "BasisVector1: 2 0 0\nBasisVector2: 0 2 0\nBasisVector3: 0 0 2\nOffset: -1 -1 -1\n",
            "refuse_basis": "BasisVector1: 2 0 0\n", "read_spacing": "SliceThickness: 1 2 3\n# c\n// c\n\n",
            "read_world": "WorldVector1: 1 0 0 0\nDataRange: 0 255\nWorldMatrix: 1\n",
            "refuse_sequence": "Sequences: 2\n", "refuse_no_colon": "any\n", "refuse_twice": "RawFile: b.raw\n",
            "refuse_plane": "BasisVector1: 2 0 0\nBasisVector2: 2 0 0\nBasisVector3: 0 0 2\n",
            "refuse_order": "ByteOrder: Middle\n", "refuse_format": "Format: Vec3FLOAT32\n"}.items():
        put(name, files(("x.dat", (head + more).encode()), ("data.raw", samples("uint16"))))
    put("read_offset", files(("x.dat", (head + "ByteOffset: 3\n").encode()), ("data.raw", b"abc" + samples("uint16"))))
    put("read_sequence", files(("x.dat", (head + "Sequences: 2\n").encode()), ("data.raw", 2 * samples("uint16"))))
    put("read_voreen", files(("x.dat", b"ObjectFileName: data.raw\nTaggedFileName: none\nResolution: 4 3 2\n"
        b"SliceThickness: 1 1 1\nFormat: USHORT_12\nObjectModel: I\nGridType: EQUIDISTANT\n"),
        ("data.raw", samples("uint16"))))
    put("refuse_other", files(("x.dat", b"RawFile: b.dat\nResolution: 4 3 2\nFormat: UINT8\n")))
    put("refuse_no_format", files(("x.dat", b"RawFile: data.raw\nResolution: 4 3 2\n")))


def npy(put):
    names = {"uint8": "u1", "int8": "i1", "uint16": "u2", "int16": "i2", "uint32": "u4", "int32": "i4",
             "uint64": "u8", "int64": "i8", "float32": "f4", "float64": "f8"}

    def array(data, descr="'|u1'", order="False", shape="(2, 3, 4)", version=1):
        text = f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}".ljust(115) + "\n"
        return b"\x93NUMPY" + struct.pack("<BBH" if version == 1 else "<BBI", version, 0, len(text)) + text.encode() + data
    for kind in TYPES:
        for order in ORDERS:
            put(f"read_{kind}_{order}", array(samples(kind, order), f"'{ORDERS[order]}{names[kind]}'"))
    half = struct.pack("<24e", *values("int8"))
    put("read_half", array(half, "'<f2'"))
    put("read_half_big", array(struct.pack(">24e", *values("int8")), "'>f2'"))
    put("read_bool", array(bytes(i % 2 for i in range(24)), "'|b1'"))
    put("read_fortran", array(samples("uint8"), order="True"))
    put("read_two", array(half, "'<f2'", version=2))
    put("read_ones", array(samples("uint8"), shape="(1, 2, 3, 1, 4L)"))
    put("read_gzip", gzip.compress(array(samples("uint8")), mtime=0))
    put("refuse_gzip_cut", gzip.compress(array(samples("uint8")), mtime=0)[:-9])
    put("refuse_flat", array(samples("uint8"), shape="(24,)"))
    put("refuse_four", array(samples("uint8"), shape="(2, 3, 2, 2)"))
    put("refuse_complex", array(samples("uint64"), "'<c8'"))
    put("refuse_fields", array(samples("uint8"), "[('x', '|u1')]"))
    put("refuse_short", array(samples("uint8")[:-1]))
    put("refuse_version", array(samples("uint8"), version=4))


def mrc(put):
    modes = {"int8": 0, "int16": 1, "float32": 2, "uint16": 6}

    def map(data, mode=2, order="<", dims=DIM, axes=(1, 2, 3), angles=(90, 90, 90), cell=(8, 6, 4), words=()):
        head = bytearray(1024)
        struct.pack_into(order + "10i6f3i", head, 0, *dims, mode, 0, 0, 0, 4, 3, 2, *cell, *angles, *axes)
        head[208:212] = b"MAP "
        for word, value in words:
            struct.pack_into(order + ("f" if isinstance(value, float) else "i"), head, 4 * word, value)
        return bytes(head) + data
    for kind, mode in modes.items():
        for order in ORDERS:
            put(f"read_{kind}_{order}", map(samples(kind, order), mode, ORDERS[order]))
    put("read_half", map(struct.pack("<24e", *values("int8")), 12))
    put("read_axes", map(samples("float32"), axes=(3, 1, 2), words=[(4, 5), (5, -2), (6, 7)]))
    put("read_origin", map(samples("float32"), words=[(49, 1.5), (50, -2.0), (51, 1e30)]))
    put("read_far", map(samples("float32"), words=[(4, 4000000)]))
    put("read_skewed", map(samples("float32"), angles=(80, 100, 120), words=[(24, 1), (22, 4)]))
    put("read_impossible", map(samples("float32"), angles=(0, 100, 120), axes=(1, 1, 1), cell=(0, -1, 4)))
    put("read_operators", map(bytes(80) + samples("float32"), words=[(23, 80)]))
    put("read_no_operators", map(samples("float32"), words=[(23, 80)]))
    put("read_imod", map(samples("uint8"), 0, words=[(38, 1146047817)]))
    put("read_no_magic", map(samples("uint8"), 0, words=[(52, 0)]))
    put("read_gzip", gzip.compress(map(samples("float32")), mtime=0))
    put("read_stack", map(2 * samples("float32"), dims=(4, 3, 4), words=[(9, 2), (22, 401)]))
    put("read_crystal", map(samples("float32"), words=[(22, 19)]))
    put("refuse_complex", map(samples("float64"), 4))
    put("refuse_dims", map(samples("float32"), dims=(4, -3, 2)))
    put("refuse_short", map(samples("float32")[:-1]))
    put("refuse_header", map(b"")[:1000])


def mgh(put):
    kinds = {"uint8": 0, "int32": 1, "float32": 3, "int16": 4, "uint16": 10}

    def volume(data, kind="uint8", dims=DIM, frames=1, placed=1, steps=(1, 0, 0, 0, 1, 0, 0, 0, 1)):
        head = struct.pack(">7ih15f", 1, *dims, frames, kinds[kind], 0, placed, 1, 2, 3, *steps, 5, 6, 7)
        return head.ljust(284, b"\0") + data
    for kind in kinds:
        put(f"read_{kind}", volume(samples(kind, "big"), kind))
    put("read_not_placed", volume(samples("uint8"), placed=0))
    put("read_tags", volume(samples("uint8") + b"\0\0\0\x03tags"))
    put("read_frames", volume(2 * samples("uint8"), frames=2))
    put("read_gzip", gzip.compress(volume(samples("uint8")), mtime=0))
    put("refuse_flat", volume(samples("uint8"), steps=(1, 0, 0, 1, 0, 0, 0, 0, 1)))
    put("refuse_dims", volume(samples("uint8"), dims=(24, 1, 1)))
    put("refuse_short", volume(samples("uint8")[:-1]))


def slc(put):
    def volume(data, runs=1, dims="4 3 2", bits=8, icon="2 1"):
        return f"11111\n{dims} {bits}\n1.0 2.5 1.0\n1 6 0 {runs}\n{icon} X".encode() + b"iconic" + data
    runs = b"9 X\x07\xc8\x85abcde\0"
    put("read_runs", volume(2 * runs))
    put("read_plain", volume(samples("uint8"), runs=0))
    put("read_gzip", gzip.compress(volume(2 * runs), mtime=0))
    put("read_more", volume(b"12 X" + runs[3:] + b"abc" + runs))
    put("refuse_short", volume(runs))
    put("refuse_runs", volume(b"4 X" + runs[3:] + runs))
    put("refuse_count", volume(2 * runs[2:]))
    put("refuse_bits", volume(2 * runs, bits=16))
    put("refuse_dims", volume(2 * runs, dims="4 3 -2"))
    put("refuse_icon", volume(2 * runs, icon="99999 99999"))


def cube(put):
    grid = "2 0.5 0 0\n3 0 1.25 0\n4 0 0 2.75\n"
    atom = "6 6.0 0.1 0.2 0.3\n"

    def volume(head, body=text("int8")):
        return ("a comment\nanother\n" + head).encode() + body
    put("read_atom", volume("1 0 0 0\n" + grid + atom))
    put("read_orbital", volume("-1 0 0 0 1\n" + grid + atom + "1 7\n"))
    put("read_angstrom", volume("0 1 -2 3\n-2 1 0 0\n-3 0 1 0\n-4 0 0 1\n"))
    put("read_no_atoms", volume("3 0 0 0\n" + grid))
    put("read_gzip", gzip.compress(volume("1 0 0 0\n" + grid + atom), mtime=0))
    put("refuse_values", volume("1 0 0 0 2\n" + grid + atom))
    put("refuse_orbitals", volume("-1 0 0 0\n" + grid + atom + "2 7 8\n"))
    put("refuse_flat", volume("0 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 0 1\n"))
    put("refuse_colours", b"TITLE x\nLUT_3D_SIZE 2\n0 0 0\n1 0 0\n")
    put("refuse_short", volume("1 0 0 0\n" + grid + atom, b"1 2 3"))


def dx(put):
    names = {"float64": "double", "float32": "float", "int32": "int", "uint32": "unsigned int", "int16": "short",
             "uint16": "unsigned short", "int8": "byte", "uint8": "unsigned byte"}
    place = "origin 0 1 2\ndelta 1 0 0\ndelta 0.5 2 0\ndelta 0 0 3\n"

    def volume(body, kind="float32", more="", counts="2 3 4", place=place, end="data follows"):
        return (f"# c\nobject 1 class gridpositions counts {counts}\n{place}object 2 class gridconnections counts "
                f"{counts}\nobject 3 class array type {names[kind]} rank 0 items 24 {more}{end}\n").encode() + body
    for kind in names:
        put(f"read_{kind}_text", volume(text(kind) + b"\nattribute x\n", kind))
        put(f"read_{kind}_little", volume(samples(kind), kind, "lsb ieee "))
        put(f"read_{kind}_big", volume(samples(kind, "big"), kind, "msb binary "))
    put("read_bare", volume(text("int8"), place=place.replace("origin ", "").replace("delta ", "")))
    put("read_gzip", gzip.compress(volume(text("int8")), mtime=0))
    put("read_gzip_big", gzip.compress(volume(samples("float32", "big"), more="msb ieee "), mtime=0))
    put("refuse_items", volume(text("int8"), counts="2 3 5"))
    put("refuse_place", volume(text("int8"), place="origin 0 0 0\n"))
    put("refuse_file", volume(text("int8"), end="data file x,0"))
    put("refuse_short", volume(text("int8")[:9]))


def tiff_file(pages, order="little", big=False):
    """Pages: (tags {number: (type, values)}, [strips or tiles])."""
    o = ORDERS[order]
    sizes = {1: "B", 2: "B", 3: "H", 4: "I", 5: "II", 12: "d", 16: "Q"}
    off, entry = ("Q", "Q") if big else ("I", "I")
    out = bytearray((b"II" if order == "little" else b"MM") + struct.pack(
        o + ("HHHQ" if big else "HI"), *((43, 8, 0, 16) if big else (42, 8))))
    for number, (tags, pieces) in enumerate(pages):
        tags = dict(tags)
        tiled = 322 in tags
        at = len(out)
        # The directory's own size is known: values that do not fit follow it, then the pieces.
        tags[324 if tiled else 273] = (16 if big else 4, [0] * len(pieces))
        tags[325 if tiled else 279] = (16 if big else 4, [len(p) for p in pieces])
        count = len(tags)
        end = at + (8 + 20 * count + 8 if big else 2 + 12 * count + 4)
        long = b""
        entries = []
        for tag in sorted(tags):
            kind, numbers = tags[tag]
            if tag in (273, 324):
                where = len(entries)
            data = struct.pack(o + sizes[kind] * (len(numbers) if kind != 5 else len(numbers) // 2), *numbers)
            entries.append([tag, kind, len(numbers) // (2 if kind == 5 else 1), data])
            if len(data) > (8 if big else 4):
                long += data + bytes(len(data) % 2)
        first = end + len(long)
        offsets, here = [], first
        for piece in pieces:
            offsets.append(here)
            here += len(piece) + len(piece) % 2
        entries[where][3] = struct.pack(o + off * len(pieces), *offsets)
        directory, extra, at_long = b"", b"", end
        for tag, kind, n, data in entries:
            if len(data) > (8 if big else 4):
                field = struct.pack(o + entry, at_long)
                extra += data + bytes(len(data) % 2)
                at_long += len(data) + len(data) % 2
            else:
                field = data + bytes((8 if big else 4) - len(data))
            directory += struct.pack(o + "HH" + entry, tag, kind, n) + field
        following = here if number + 1 < len(pages) else 0
        out += struct.pack(o + ("Q" if big else "H"), count) + directory + struct.pack(o + off, following) + extra
        for piece in pieces:
            out += piece + bytes(len(piece) % 2)
    return bytes(out)


def packbits(data):
    return b"".join(bytes([len(data[i:i + 5]) - 1]) + data[i:i + 5] for i in range(0, len(data), 5))


def lzw(data):
    """Clear codes often enough that all have nine bits."""
    codes = []
    for i in range(0, len(data), 200):
        codes += [256] + list(data[i:i + 200])
    codes.append(257)
    bits = "".join(f"{code:09b}" for code in codes)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


PACKERS = {1: lambda data: data, 5: lzw, 8: zlib.compress, 32946: zlib.compress, 32773: packbits}


def tiff_page(kind, order="little", z=0, compression=1, rows=2, tiled=False, more=None, describe=""):
    size = struct.calcsize(TYPES[kind])
    plane = samples(kind, order)[z * 12 * size:(z + 1) * 12 * size]
    form = 3 if kind[0] == "f" else 1 if kind[0] == "u" else 2
    tags = {256: (3, [4]), 257: (3, [3]), 258: (3, [8 * size]), 259: (3, [compression]), 262: (3, [1]),
            277: (3, [1]), 339: (3, [form])}
    if describe:
        tags[270] = (2, list(describe.encode() + b"\0"))
    if tiled:
        tags.update({322: (3, [16]), 323: (3, [16])})
        tile = b"".join(plane[y * 4 * size:(y + 1) * 4 * size] + bytes(12 * size) if y < 3 else bytes(16 * size)
                        for y in range(16))
        pieces = [PACKERS[compression](tile)]
    else:
        tags[278] = (3, [rows])
        pieces = [PACKERS[compression](plane[y * 4 * size:min(y + rows, 3) * 4 * size]) for y in range(0, 3, rows)]
    tags.update(more or {})
    return tags, pieces


def tiff(put):
    def stack(kind, order="little", big=False, **how):
        return tiff_file([tiff_page(kind, order, z, **how) for z in range(2)], order, big)
    for kind in READ:
        for order in ORDERS:
            for big in False, True:
                put(f"read_{kind}_{order}_{'big' if big else 'classic'}", stack(kind, order, big))
        for compression in PACKERS:
            put(f"read_{kind}_{compression}", stack(kind, compression=compression))
        put(f"read_{kind}_tiles", stack(kind, tiled=True, compression=8))
    put("read_one_strip", stack("uint16", rows=3))
    put("predictor", stack("uint16", compression=8, more={317: (3, [2])}))
    put("predictor_float", stack("float32", compression=8, more={317: (3, [3])}))
    put("white", stack("uint8", more={262: (3, [0])}))
    put("palette", stack("uint8", more={262: (3, [3]), 320: (3, [257 * (i % 256) for i in range(768)])}))
    put("refuse_colour", stack("uint8", more={262: (3, [2]), 277: (3, [3]), 258: (3, [8, 8, 8])}))
    put("bits_12", stack("uint16", more={258: (3, [12])}))
    put("bits_1", stack("uint8", more={258: (3, [1])}))
    put("resolution", stack("uint8", more={282: (5, [3, 1]), 283: (5, [2, 1]), 296: (3, [2])},
                            describe="ImageJ=1.5\nimages=2\nslices=2\nunit=mm\nspacing=2.5\n"))
    put("channels", tiff_file([tiff_page("uint8", z=z % 2, describe="" if z else
        "ImageJ=1.5\nimages=4\nchannels=2\nslices=2\nhyperstack=true\n") for z in range(4)]))
    put("frames", tiff_file([tiff_page("uint8", z=z % 2, describe="" if z else
        "ImageJ=1.5\nimages=4\nslices=2\nframes=2\nloop=false\n") for z in range(4)]))
    put("ome", stack("uint8", describe='<OME xmlns="x"><Pixels SizeC="1" SizeT="1" SizeZ="2" '
                     'PhysicalSizeX="0.5" PhysicalSizeY="0.5" PhysicalSizeZ="2"/></OME>'))
    for order in "zct", "ctz", "tzc":
        pages = [tiff_page("uint8", z=z % 2) for z in range(1, 8)]
        put(f"read_order_{order}", tiff_file([tiff_page("uint8", describe="ImageJ=1.5\nimages=8\nchannels=2\n"
            f"slices=2\nframes=2\norder={order}\n")] + pages))
        put(f"read_ome_{order}", tiff_file([tiff_page("uint8", describe='<OME><Pixels DimensionOrder="XY'
            f'{order.upper()}" SizeC="2" SizeT="2" SizeZ="2"><TiffData IFD="0" PlaneCount="8"/></Pixels></OME>')] + pages))
    put("refuse_order", tiff_file([tiff_page("uint8", z=z % 2, describe="" if z else
        "ImageJ=1.5\nimages=4\nchannels=2\nslices=2\norder=zzz\n") for z in range(4)]))
    put("refuse_scattered", stack("uint8", describe='<OME><Pixels DimensionOrder="XYZCT" SizeC="1" SizeT="1" '
        'SizeZ="2"><TiffData IFD="1" FirstZ="0"/></Pixels></OME>'))
    run = '<TiffData FirstZ="{0}" IFD="{0}"><UUID FileName="{1}">{0}</UUID></TiffData>'
    for name, other in ("read_ome_set", "./x.tif"), ("refuse_ome_missing", "y.tif"), ("refuse_ome_away", "../x.tif"):
        put(name, stack("uint8", describe='<OME><Pixels SizeZ="2">' + run.format(0, "x.tif") + run.format(1, other) +
                        "</Pixels></OME>"))
    put("refuse_ome_circle", stack("uint8", describe='<OME UUID="a"><BinaryOnly MetadataFile="x.tif" UUID="a"/></OME>'))
    put("read_units", stack("uint8", describe="ImageJ=1.5\nimages=2\nslices=2\nunit=nm\nyunit=\\u00B5m\nzunit=um\n"
                            "spacing=0.025\n", more={282: (5, [3, 1]), 283: (5, [2, 1]), 296: (3, [1])}))
    put("read_ome_units", stack("uint8", describe='<OME><Pixels PhysicalSizeX="0.1" PhysicalSizeXUnit="&#181;m" '
                                'PhysicalSizeZ="500" PhysicalSizeZUnit="nm"/></OME>'))
    put("read_table", stack("uint8", more={262: (3, [3]), 320: (3, [7 * i for i in range(768)])},
                            describe="ImageJ=1.5\nimages=2\nslices=2\n"))
    put("preview", tiff_file([tiff_page("uint8", more={254: (4, [1])}), tiff_page("uint8"), tiff_page("uint8", z=1)]))
    put("bare", tiff_file([tiff_page("uint8", rows=3, describe="ImageJ=1.5\nimages=2\nslices=2\n")]) + samples("uint8")[12:])
    put("refuse_one_page", tiff_file([tiff_page("uint8")]))
    put("refuse_unlike", tiff_file([tiff_page("uint8"), tiff_page("uint16", z=1)]))
    whole = stack("uint8", compression=8)
    put("refuse_short", whole[:-9])
    put("refuse_dicom", b"II*\0\x08".ljust(128, b"\0") + b"DICM" + bytes(20))
    put("refuse_hdf5", b"MM\0*".ljust(512, b"\0") + b"\x89HDF\r\n\x1a\n")
    # A row too many, or too few, in a strip.
    for rows in 2, 4:
        tags, _ = tiff_page("uint8", compression=8, rows=3)
        put(f"refuse_rows_{rows}", tiff_file([(tags, [zlib.compress(samples("uint8")[:4 * rows])]),
                                              tiff_page("uint8", z=1)]))


def png(pixels, width, height, depth=8, colour=0, interlaced=False, chunks=()):
    """Pixels: rows of bytes as they are packed."""
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    if interlaced:  # depth 8 or 16
        size = channels * depth // 8
        raw = b""
        for x0, y0, dx, dy in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4),
                               (1, 0, 2, 2), (0, 1, 1, 2)):
            for y in range(y0, height, dy):
                row = b"".join(pixels[y][x * size:(x + 1) * size] for x in range(x0, width, dx))
                raw += b"\0" + row if row else b""
    else:
        raw = b"".join(bytes([y % 5 if depth >= 8 and y == 0 else 0]) + row for y, row in enumerate(pixels))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0,
            int(interlaced))) + b"".join(chunk(k, d) for k, d in chunks) +
            chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


def grey(z, width=4, height=3, depth=8, colour=0, **how):
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    rows = []
    for y in range(height):
        line = [(z * 12 + y * 4 + x) % (1 << min(depth, 8)) for x in range(width)]
        if depth < 8:
            bits = "".join(f"{v:0{depth}b}" for v in line)
            bits += "0" * (-len(bits) % 8)
            rows.append(bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)))
        else:
            rows.append(b"".join(v.to_bytes(depth // 8, "big") * channels for v in line))
    if colour == 3:
        how.setdefault("chunks", [(b"PLTE", b"".join(bytes([i] * 3) for i in range(1 << depth)))])
    return png(rows, width, height, depth, colour, **how)


def slices(put):
    kinds = [(d, c) for d in (1, 2, 4, 8, 16) for c in (0, 2, 3, 4, 6)
             if d == 8 or (d == 16 and c != 3) or (d < 8 and c in (0, 3))]
    for depth, colour in kinds:
        put(f"read_{depth}_{colour}", files((".", b""), *[(f"{z}.png", grey(z, depth=depth, colour=colour))
                                                        for z in range(2)]))
        put(f"read_atlas_{depth}_{colour}", files(("x.png atlas=1x2", grey(0, 4, 6, depth, colour))))
        if depth >= 8 and colour != 3:
            put(f"read_interlaced_{depth}_{colour}", files(
                ("x.png atlas=2x2 slices=3", grey(0, 8, 6, depth, colour, interlaced=True))))
    put("refuse_one_image", grey(0))
    put("refuse_tiles", files(("x.png atlas=3x2", grey(0, 4, 6))))
    put("refuse_too_many", files(("x.png atlas=1x2 slices=3", grey(0, 4, 6))))
    put("read_spaced", files(("x.png atlas=1x2 spacing=1,2,0.5", grey(0, 4, 6))))
    put("dims", files((". dims=4x3x3 type=uint16 order=big", b""), ("1.png", grey(0)), ("2.png", grey(1))))
    put("read_transparent", files(("x.png atlas=1x2", grey(0, 4, 6, chunks=[(b"tRNS", b"\0\1"), (b"gAMA", bytes(4))]))))
    put("refuse_colours", files(("x.png atlas=1x2", png([bytes(range(12))] * 6, 4, 6, 8, 2))))
    put("refuse_unlike", files((".", b""), ("1.png", grey(0)), ("2.png", grey(1)), ("3.png", grey(0, depth=16))))
    put("missing_number", files((".", b""), ("s1.png", grey(0)), ("s2.png", grey(1)), ("s4.png", grey(1))))
    put("two_series", files((".", b""), *[(f"{s}{z}.png", grey(z)) for s in "ab" for z in (1, 2)]))
    put("mixed", files((".", b""), ("a.jpg", b"\xff\xd8\xff"), ("1.png", grey(0)), ("2.PNG", grey(1)), (".h.png", b"")))
    drawn = [(b"tEXt", b"Software\0cubist 1")]
    put("read_drawn", files((".", b""), ("1.png", grey(0)), ("2.png", grey(1)), ("c.png", grey(0, 5, 7, chunks=drawn))))
    put("refuse_drawn", files((".", b""), ("1.png", grey(0, chunks=drawn)), ("2.png", grey(1, chunks=drawn))))
    put("refuse_jpeg", files((".", b""), ("a.jpg", b"\xff\xd8\xff")))
    put("refuse_dicom", files((".", b""), ("a", bytes(128) + b"DICM")))
    put("refuse_zarr", files((".", b""), (".zarray", b"{}"), ("0.0", b"a")))
    put("refuse_empty", files((".", b"")))
    for kind in READ:
        for order in ORDERS:
            put(f"read_tiff_{kind}_{order}", files((".", b""), *[
                (f"{z}.tif", tiff_file([tiff_page(kind, order, z, compression=8)], order)) for z in range(2)]))
    put("refuse_tiff_pages", files((".", b""), ("1.tif", tiff_file([tiff_page("uint8"), tiff_page("uint8")]))))
    put("read_tiff_tiles", files((".", b""), *[(f"{z}.tiff", tiff_file([tiff_page("uint8", z=z, tiled=True)]))
                                               for z in range(2)]))
    put("refuse_cut", files((".", b""), ("1.png", grey(0)[:-7]), ("2.png", grey(1))))


def npz(put):
    def archive(method, *names, wide=False):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as made:
            for name in names:
                text = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3, 4), }".ljust(117) + "\n"
                data = b"\x93NUMPY\x01\0" + struct.pack("<H", len(text)) + text.encode() + samples("uint8")
                info = zipfile.ZipInfo(name)
                info.compress_type = method
                with made.open(info, "w", force_zip64=wide) as member:
                    member.write(data)
        return out.getvalue()
    for name, method in ("stored", zipfile.ZIP_STORED), ("deflated", zipfile.ZIP_DEFLATED):
        put(f"read_{name}", archive(method, "a.npy"))
        put(f"read_{name}_wide", archive(method, "a.npy", wide=True))
        put(f"read_{name}_two", archive(method, "a.npy", "c.txt", "b/d.npy"))
        put(f"read_{name}_picked", files(("x.npz array=b/d", archive(method, "a.npy", "b/d.npy"))))
        put(f"refuse_{name}_picked", files(("x.npz array=c", archive(method, "a.npy", "b/d.npy"))))
        put(f"refuse_{name}_cut", archive(method, "a.npy")[:-1])
    put("refuse_no_array", archive(zipfile.ZIP_STORED, "a.txt"))
    put("refuse_method", archive(zipfile.ZIP_BZIP2, "a.npy"))


def bov(put):
    names = {"uint8": "BYTE", "int16": "SHORT", "int32": "INT", "int64": "LONG", "float32": "FLOAT", "float64": "DOUBLE"}
    for kind, name in names.items():
        for order in ORDERS:
            put(f"read_{kind}_{order}", files(("x.bov", f"DATA_FILE: a.raw\nDATA_SIZE: 4 3 2\nDATA_FORMAT: {name}\nDATA_ENDIAN: {order.upper()}\n".encode()),
                                              ("a.raw", samples(kind, order))))
    head = "DATA_FILE: a.raw\nDATA_SIZE: 4 3 2\nDATA_FORMAT: BYTE\n"
    for name, more in {"read_place": "BRICK_ORIGIN: 1 2 3\nBRICK_SIZE: 3 3 3\n", "read_zonal": "CENTERING: zonal\nBRICK_SIZE: 4 3 2\n",
                       "read_other": "# c\nTIME: 3\nVARIABLE: v\n", "refuse_pattern": "DATA_FILE: a%d.raw\n", "refuse_type": "DATA_FORMAT: x\n",
                       "refuse_size": "BRICK_SIZE: 0 0 0\n", "refuse_endian": "DATA_ENDIAN: x\n", "refuse_line": "x\n"}.items():
        put(name, files(("x.bov", (head + more).encode()), ("a.raw", samples("uint8"))))
    put("read_components", files(("x.bov", (head + "DATA_COMPONENTS: 2\nBYTE_OFFSET: 3\n").encode()), ("a.raw", b"abc" + 2 * samples("uint8"))))
    put("read_gzip", files(("x.bov", head.replace("a.raw", "a.raw.gz").encode()), ("a.raw.gz", gzip.compress(samples("uint8"), mtime=0))))
    put("refuse_short", files(("x.bov", head.encode()), ("a.raw", samples("uint8")[:-1])))


def zarr(put):
    """Stores: folders of small files."""
    shape, chunk = (2, 3, 4), (2, 2, 2)

    def store(name, of, more=""):
        put(name, files(("." + more, b""), *of.items()))
    for kind, char in {**TYPES, "float16": "e"}.items():
        data = values(kind)
        for order, sign in ORDERS.items():
            store(f"read_{kind}_{order}", zarr_files.zarr2(data, shape, chunk, char, sign, codec="zlib"))
            store(f"read_three_{kind}_{order}", zarr_files.zarr3(data, shape, chunk, char, sign))
        store(f"read_n5_{kind}", zarr_files.n5(data, shape, chunk, char))
    data = values("uint8")
    for codec in "gzip", "zlib", "lz4":
        store(f"read_{codec}", zarr_files.zarr2(data, shape, chunk, codec=codec, fortran=True, missing=[(0, 1, 1)], fill=7))
    for codec in "raw", "lz4 blocks":
        store(f"read_n5_{codec.split()[0]}", zarr_files.n5(data, shape, chunk, codec=codec, resolution=[1, 2, 3], offset=[0, 1, 2]))
    for start in False, True:
        store(f"read_shards_{start}", zarr_files.zarr3(data, shape, (1, 2, 2), codecs=["gzip", "crc32c"], shard=(2, 2, 4), start=start, missing=[(0, 0, 1)]))
    store("read_transpose", zarr_files.zarr3(data, shape, chunk, "B", transpose=(2, 0, 1), codecs=["crc32c", "zlib"], fill="0x05"))
    for fill in "NaN", "-Infinity", 1.5:
        store(f"read_fill_{fill}", zarr_files.zarr2(values("float32"), shape, chunk, "f", fill=fill, missing=[(0, 1, 1)]))
    axes = [("t", "time", "second"), ("c", "channel", None), ("z", "space", "um"), ("y", "space", "um"), ("x", "space", None)]
    levels = zarr_files.image(2, axes, [[1, 1, 2, 3, 4], [1, 1, 2, 6, 8]], [[0, 0, 1, 2, 3]] * 2, "0.5", [1, 1, 1, 1, 2])
    many = 2 * data
    three = {str(i): zarr_files.zarr3(many, (1, 2, *shape), (1, 2, 2, 3, 4)) for i in (0, 1)}
    store("read_ome", zarr_files.group(levels, 3, **three))
    store("read_groups", zarr_files.group(None, a=zarr_files.zarr2(data, shape, shape), b=zarr_files.group(c=zarr_files.zarr2(data, shape, shape))), " array=b/c")
    store("refuse_array", zarr_files.group(None, a=zarr_files.zarr2(data, shape, shape), b=zarr_files.zarr2(data, shape, shape)), " array=c")
    store("refuse_axes", zarr_files.zarr2(data, (4, 6), (4, 6)))
    store("refuse_fill", zarr_files.zarr2(data, shape, shape, fill=256))
    store("refuse_empty", zarr_files.group())
    short = zarr_files.zarr3(data, shape, shape, shard=shape)
    short["c/0/0/0"] = short["c/0/0/0"][:-1]
    store("refuse_sum", short)


def raw(put):
    for kind in READ:
        for order in "little", "big":
            name = f"x_4x3x2_{kind}_{order[0]}e.raw"
            put(f"read_{kind}_{order}", files((name, samples(kind, order))))
            put(f"read_{kind}_{order}_gzip", files((name + ".gz", gzip.compress(samples(kind, order), mtime=0))))
        put(f"read_{kind}_params", files((f"any dims=4x3x2 type={kind} offset=3 order=big spacing=1,2,3",
                                          b"abc" + samples(kind, "big"))))
        put(f"read_{kind}_offset_gzip", files((f"any dims=4x3x2 type={kind} offset=3",
                                               gzip.compress(b"abc" + samples(kind), mtime=0))))
    for kind in "uint8", "uint16", "float32", "float64":
        put(f"read_inferred_{kind}", files(("x_4x3x2.raw", samples(kind))))
        put(f"read_inferred_{kind}_gzip", files(("x_4x3x2.raw.gz", gzip.compress(samples(kind), mtime=0))))
    data = samples("uint8")
    put("plain", data)
    put("refuse_no_dims", files(("x.raw", data)))
    put("cube", files(("x.raw", bytes(27))))
    put("refuse_int64", files(("x_4x3x2_int64.raw", samples("int64"))))
    put("refuse_size", files(("x_4x3x3_uint8.raw", data)))
    put("refuse_long", files(("x_4x3x2_uint8.raw", data + b"1")))
    put("refuse_no_type", files(("x_4x3x2.raw", data[:-1])))
    put("refuse_far", files(("x dims=4x3x2 type=uint8 offset=99", data)))
    put("refuse_far_gzip", files(("x dims=4x3x2 type=uint8 offset=99", gzip.compress(data, mtime=0))))
    put("win", files(("x_3x4x2_int8_be.raw dims=4x3x2 type=uint8 order=little", data)))
    put("not_gzip", files(("x_4x3x2_uint8.raw.gz", data)))
    put("gzip_unsaid", files(("x_4x3x2_uint8.raw", gzip.compress(data, mtime=0))))
    put("members", files(("x_4x3x2_uint8.raw.gz", gzip.compress(data[:9], mtime=0) + gzip.compress(data[9:], mtime=0))))
    put("padded", files(("x_4x3x2_uint8.raw.gz", gzip.compress(data, mtime=0) + bytes(4))))
    put("refuse_gzip_long", files(("x_4x3x2_uint8.raw.gz", gzip.compress(data + b"1", mtime=0))))
    put("refuse_gzip_short", files(("x_4x3x2_uint8.raw.gz", gzip.compress(data[1:], mtime=0))))
    put("refuse_gzip_cut", files(("x_4x3x2_uint8.raw.gz", gzip.compress(data, mtime=0)[:-9])))
    put("refuse_bomb", files(("x_4000x4000x4000_uint8.raw.gz", gzip.compress(data, mtime=0))))
    put("overflow", files(("x_4x3x2_float64.raw", struct.pack("<24d", *[1e300] * 24))))
    for name, magic in {"hdf5": b"\x89HDF\r\n\x1a\n", "numpy": b"\x93NUMPY", "zip": b"PK\3\4", "jpeg": b"\xff\xd8\xff",
                        "mrc": bytes(208) + b"MAP ", "tar": bytes(257) + b"ustar"}.items():
        put("refuse_" + name, files(("any", magic + bytes(8))))
    put("refuse_empty", files(("any", b"")))


# Every volume format: a function above each.
FORMATS = [nrrd, metaimage, nifti, vti, vtk_legacy, inviwo, bov, npy, npz, mrc, mgh, slc, cube, dx, tiff, slices, zarr, raw]


def ranges(put):
    """One of each kind of way to the samples."""
    for target in FORMATS:
        def named(name, data):
            if not name.startswith("read_") or "int16" in name or "placed" in name or not any(
                    kind in name for kind in TYPES):
                put(f"{target.__name__}_{name}", data)
        target(named)


def standard_input(put):
    ranges(lambda name, data: data.startswith(b"@@") or put(name.replace("read_", "").replace("refuse_", ""), data))
    put("read_nrrd", b"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4 3 2\nencoding: raw\n\n" + samples("uint8"))


def volumes(put):
    """Bytes of a volume: dims, type, steps, origin, frame (see volume_of_bytes), samples."""
    for number, kind in enumerate(["uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64"]):
        stored = "float32" if kind == "float64" else kind
        for n, head in enumerate((b"\0\0\0", b"\2\1\0", b"\6\5\7")):
            count = (2 + head[0]) * (2 + head[1]) * (2 + head[2])
            made = struct.pack(f"<{count}{TYPES[stored]}", *[(i * i * 7) % 120 for i in range(count)])
            put(f"read_{kind}_{n}", head + bytes([number]) + bytes(range(11)) + bytes([n]) + made)
    special = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1e-45, 3.4e38, -3.4e38, 1.5, 2.5, -0.5, 255.5]
    put("read_special", b"\1\0\0\6" + bytes(12) + struct.pack("<12f", *special))


def facts(put):
    volumes(put)


def written(put):
    volumes(put)


def resample(put):
    for how, head in {"all": bytes(8), "part": b"\1\0\1\4\5\5\1\0", "stride": b"\0\0\0\0\0\0\2\x08",
                      "uint8": bytes(7) + b"\x08", "int16": bytes(7) + b"\x0b", "float32": bytes(7) + b"\x0e"}.items():
        volumes(lambda name, data: put(f"{how}_{name[5:]}", head + data))


def mesh(put):
    here = os.path.dirname(os.path.abspath(__file__))
    for number in range(len(os.listdir(os.path.join(here, "../../compute/mesh/formats")))):
        for placed in 0, 128, 192:  # 192: far away
            head = bytes([100, placed + number])
            volumes(lambda name, data: put(f"{number}_{placed}_{name[5:]}", head + data))


def share(put):
    """As in compute/mesh/share.h."""
    def file(pieces, dims=(3, 3, 3), layers=None, version=2, cells=1):
        first, last = layers or (0, dims[2] - 1)
        head = b"\x89cubist share\r\n\x1a" + struct.pack(
            "<9I16d2Q", version, first, last, *dims, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 27, 9)
        head = head.ljust(252, b"\0")
        out = head + struct.pack("<I", zlib.crc32(head))
        for first, layers, edges, foreign, triangles in pieces:
            out += b"piec" + struct.pack("<3I3Q", first, layers, 0, len(edges), foreign, len(triangles))
            out += b"".join(struct.pack("<6f", edge % 3, edge % 5, edge / 7, 0, 0, 1) for edge in edges)
            out += b"".join(edge.to_bytes(5, "little") for edge in edges)
            out += b"".join(corner.to_bytes(5, "little") for triangle in triangles for corner in triangle)
        vertices, faces = sum(len(p[2]) for p in pieces), sum(len(p[4]) for p in pieces)
        out += b"end " + struct.pack("<I4Q3I", 0, vertices, faces, len(pieces), cells, 1, 2, 3)
        return out.ljust(len(out) + 8, b"\0") + struct.pack("<I", zlib.crc32(out + bytes(8)))
    one = [(0, 2, [0, 4, 30, 61], 0, [(0, 1, 2), (0, 2, 1), (1, 3, 2)])]
    two = [(0, 1, [0, 4], 2, [(0, 1, 2), (1, 3, 2)]), (1, 1, [2, 26, 28], 0, [(0, 1, 2)])]
    put("read_one", file(one))
    put("read_two", file(two))
    put("read_empty", file([]))
    put("read_many", file([(0, 2, list(range(80)), 0, [(i, i + 1, i + 2) for i in range(78)])]))
    put("refuse_cut", file(one)[:-1])
    put("refuse_sum", file(one)[:-1] + b"x")
    put("refuse_version", file(one, version=1))
    put("refuse_layers", file(one, layers=(1, 2)))
    put("refuse_gap", file([], layers=(1, 2)))
    put("refuse_none", file([], layers=(1, 1)))
    put("refuse_corner", file([(0, 2, [0, 1], 0, [(0, 1, 2)])]))
    put("refuse_order", file([(0, 2, [1, 0], 0, [])]))
    put("refuse_foreign", file([(0, 1, [0, 4], 2, [])]))
    put("refuse_above", file([(0, 1, [0, 4], 1, []), (1, 1, [2, 26, 28], 0, [])]))
    put("refuse_text", b"solid mesh")


def gzip_(put):
    data = bytes(range(256)) * 8
    one, two = gzip.compress(data, mtime=0), gzip.compress(data[:99], 0, mtime=0)
    put("read_gzip", one)
    put("read_members", one + two)
    put("read_zlib", zlib.compress(data))
    put("read_padded", two + bytes(20))
    put("read_named", b"\x1f\x8b\x08\x18" + bytes(6) + b"name\0comment\0" + two[10:])
    put("refuse_cut", one[:-1])
    put("refuse_sum", two[:-8] + bytes(8))
    put("refuse_text", b"no gzip")


def raw_name(put):
    for number, name in enumerate((
            "read_4x3x2_uint8.raw", "a/bonsai_256x256x256_uint8.raw.gz", "x-4X3X2-float32-be.RAW", "4x3x2.raw",
            "a_4x3x2_int64.raw", "x_1x2x3x4_uint8.raw", "x4x3x2.raw", "x_99999999999999999999x2x2_u8_le.raw", "x.raw")):
        put(f"name_{number}", name.encode())


def numbers(put):
    for number, text in enumerate((
            "0", "+1", "-1", "18446744073709551615", "18446744073709551616", "9223372036854775807",
            "-9223372036854775808", "1.5", ".5", "5.", "1e5", "1e999", "-1e-400", "0x10", "nan", "inf", "-inf", "1,2,,3",
            "40%", "auto", "0.1", "2.2250738585072014e-308", " a  b c d ", "1e", "+-1", "4x3x2", "1E+5%", "NaN(1)")):
        put(f"{number:02}", text.encode())


def options(put):
    lines = ("info x.raw", "x.raw --iso 40%", "extract x.raw --iso 1,2,auto -o a.ply --format stl --json",
             "render x.raw -o a.png --size 640x480 --background transparent --wireframe", "view x.raw --view -30,20 --up -z --zoom 2 --ortho",
             "animate x.raw -o a_{n}.png --iso 10%:90% --turntable -90 --frames 3 --from 1 --camera 1,2,3,4,1,0,0,0 --to 1,2,3,4,0,1,0,0",
             "render x.raw -o a.png --camera 1,2,3,4,0.5,0.5,0.5,-0.5 --edges --box --color teal --background #e8eef4 --samples 4", "verify x.raw --method all --validate",
             "convert x.raw -o a.nrrd --crop 0:4,0:4,1:3 --stride 2 --type uint8 --gzip", "generate sphere -o a.raw --dims 4x4x4",
             "devices --json", "methods", "bench extract x.raw --iso 1 --repeat 3 --against 1.5",
             "bench compaction --size 1000,2M --density 0.1,0.5 --pattern random --csv a.csv --quick",
             "bench calibrate --check=3 --seed 7", "--help", "info --help", "--version", "--list-formats",
             "view x.raw --dims 4x3x2 --type uint8 --endian big --offset 3 --spacing 1,2,3 --array a", "x.png --atlas 4x4 --slices 3",
             "render x.raw -o a.png --iso 1,2%,p3,4s,auto --opacity .3,1,0,.5,1 --color red,teal,auto,#010203,skin --hide 1,5",
            "render x.raw -o a.png --iso 1:9:8 --clip -x=50%,y=2@1,8 --clip-all --clip-off --cap values --section k=1,view=3% --section-off --grey p1:9 --interpolate nearest",
            "animate x.raw -o a.y4m --iso 1:2,3:4 --clip x=0:1,1,1,1,2%:3% --section view=0%:9%", "extract x.raw --iso 1,2 -o a_{iso}.ply",
            "verify x.raw --iso 1,2,3 --json", "info x.raw --iso 1:3:3", "view x.raw --iso 9,p1 --opacity 0.5 --shadow",
            "merge a.1.share a.2.share -o a.vtp --json -q", "extract x.raw --iso 3 --share 2/4 -o a.2.share",
             "-- info", "info x.raw --no-such", "info x.raw --iso", "info a b c", "extract x --memory-budget 2G --device 0",
             "bench compaction --rerun all --image all --block 256 --threshold 3 --method ink-collate", "--json --json")
    for number, line in enumerate(lines):
        put(f"{number:02}", line.replace(" ", "\0").encode())


def session(put):
    def text(**members):
        return json.dumps({"cubist_session": 1, **members}, indent=2).encode()
    options = {"dims": "4x3x2", "type": "uint8", "iso": "36.5", "method": "auto", "size": "640x480", "up": "-z",
               "camera": "1,2,3,4,1,0,0,0", "ortho": True, "edges": False, "samples": 4, "background": "#e8eef4",
               "show": "order"}
    volume = {"path": "/x/a.raw", "path_bytes": "2f78", "beside": "../a.raw", "bytes": 24, "start": "0123456789abcdef"}
    put("read_least", text())
    put("read_options", text(options=options, volume=volume, window={"size": "800x600", "panel": True}))
    put("read_generated", text(volume=None, options={"iso": "40%", "look": "clay", "color": "teal"}))
    put("read_unknown", text(options={"output": "a.png", "trace": "b", "new": [1, {}]}, newer={"a": [None, 1.5]}))
    put("read_contours", text(options={"iso": "10,40%,p99,2s,auto", "color": "red,auto,#112233,teal,skin", "opacity": "0.3,1,0,0.99,1",
                                       "hide": "2,5", "draw": "rays", "caster": "kd-jump"}))
    put("read_planes", text(options={"iso": "1:9:8", "clip": "-x=50%@1,8;1,1,0,20@1,8;view=30%@1,8", "clip-all": True, "clip-off": True,
                                     "cap": "values", "section": "i=1.5,y=-3,view=50%", "section-off": True, "grey": "p2.5:90%",
                                     "interpolate": "nearest"}))
    put("read_layers", text(options={"iso": "5,7", "opacity": "0.5", "shadow": True, "wireframe": True, "clip": "j=1,-k=0,z=1e-7"}))
    put("refuse_opacities", text(options={"iso": "5,7", "opacity": "0.5,1,1"}))
    put("refuse_contour", text(options={"iso": "5,7", "clip": "x=1@3"}))
    put("refuse_hidden", text(options={"hide": "2"}))
    put("refuse_planes", text(options={"clip": "x=1,y=1,z=1,x=2"}))
    put("refuse_grey", text(options={"grey": "2:1"}))
    put("read_newer", b'{"cubist_session": 7}')
    put("refuse_value", text(options={"look": "glass"}))
    put("refuse_kind", text(options={"ortho": "yes"}))
    put("refuse_number", text(options={"samples": 3}))
    put("refuse_object", text(options=[]))
    put("refuse_path", text(volume={"path": 3}))
    put("refuse_version", b'{"cubist_session": 0}')
    put("refuse_other", b'{"a": 1}')
    put("refuse_array", b"[]")
    put("refuse_cut", text(options=options)[:-9])
    put("refuse_twice", b'{"cubist_session": 1, "cubist_session": 1}')
    put("refuse_empty", b"")


def config(put):
    def text(**members):
        return json.dumps(members, indent=2).encode()
    put("read_empty", b"{}")
    put("read_keys", text(keys={"iso-up": ["]", "Home"], "wireframe": "Ctrl+Shift+W", "quit": [], "method-by-number": "Alt+1"}))
    put("read_options", text(options={"look": "clay", "background": "white", "memory-budget": 2048, "method": "auto",
                                      "size": "900x700", "device": "0", "samples": 4, "box": True}))
    put("read_last", text(**{"last-view": False}))
    put("refuse_key", text(keys={"flat": "Strg+W"}))
    put("refuse_last", text(**{"last-view": 1}))
    put("refuse_action", text(keys={"flatten": "W", "box": ["B", 7]}))
    put("refuse_conflict", text(keys={"flat": "W", "box": "Ctrl+K", "edges": "Ctrl+K", "fit": "Ctrl+4"}))
    put("refuse_option", text(options={"camera": "1,2,3,4,1,0,0,0", "trace": "a", "look": "glass"}))
    put("refuse_member", text(colors={}, keys=[], options=3))
    put("refuse_cut", b'{"keys": {')


def reader_process(put):
    own = {"path": "/fuzz/a.x", "size": 10, "time": [0, 0]}

    def answer(**members):
        return json.dumps({"cubist": 1, "type": "int16", "size": [4, 3, 2], "files": [own], **members}).encode()
    for kind in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"):
        put("read_" + kind, answer(type=kind))
    axes = [{"name": n, "size": s, "spacing": 0.5, "unit": "mm"} for n, s in zip("xyzct", (4, 3, 2, 9, 7))]
    put("read_all", answer(
        reader="GDCM 3.0.21", format="DICOM", arrays=[{"path": "/a", "type": "int16", "axes": axes}, {"path": "/b"}], chosen=1,
        choices={"time": {"count": 5, "at": 4}, "channel": {"count": 1, "at": 0}, "level": {"count": 2, "at": 0}},
        steps=[[0.5, 0, 0], [0, 0.5, 0], [0, 0.1, -2]], origin=[1, 2, 3e5], space="RAS", seekable=True,
        granule=[4, 3, 2], files=[own, {"path": "/fuzz/below/b", "size": 4, "time": [0, 0]}], remarks=["one", "two"]))
    put("read_axes", answer(arrays=[{"path": "q", "axes": [{"size": 1 << 40}] * 9}]))
    put("read_formats", json.dumps({"cubist": 1, "name": "a", "extensions": [".x"],
                                    "magic": [{"at": 0, "bytes": "6578"}]}).encode())
    for name, members in {
            "type": {"type": "bool"}, "size": {"size": [4, 3]}, "thin": {"size": [4, 3, 1]}, "large": {"size": [1 << 40] * 3},
            "steps": {"steps": [[1, 0, 0]] * 3}, "huge": {"origin": [1e308, 1, 1e400]}, "space": {"space": "LAS"},
            "chosen": {"chosen": 2, "arrays": [{}]}, "choice": {"choices": {"time": {"count": 2, "at": 2}}},
            "granule": {"granule": [1, 1, 0]}, "no_files": {"files": []}, "outside": {"files": [dict(own, path="/etc/hostname")]},
            "up": {"files": [dict(own, path="/fuzz/../etc/hostname")]}, "stale": {"files": [dict(own, size=9)]},
            "error": {"error": "no", "kind": "usage"}, "version": {"cubist": 2}}.items():
        put("refuse_" + name, answer(**members))
    put("refuse_cut", answer()[:-3])
    put("refuse_empty", b"")


def main(root):
    shutil.rmtree(root, ignore_errors=True)
    for target in (*FORMATS, ranges, standard_input, facts, resample, written, gzip_, raw_name, numbers, options, session, config, mesh, share,
                   reader_process):
        target(Folder(root, target.__name__.rstrip("_")))


if sys.argv[1] == "--formats":
    print(*(target.__name__ for target in FORMATS))
else:
    main(sys.argv[1])
