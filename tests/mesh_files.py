"""Readers of mesh files that share no code with cubist's writers. Each asserts all rules of its
format. They return (positions, normals or None, triangles) as numpy arrays. Positions have the type of
the file: float32, or float64 where the volume is so far away that floats are too coarse."""
import json
import re
import struct
import xml.etree.ElementTree as ET

import numpy as np


def whole(path):
    with open(path, "rb") as file:
        return file.read()


def read_ply(path):
    data = whole(path)
    end = data.index(b"end_header\n") + 11
    lines = data[:end].decode("ascii").splitlines()
    assert lines[0] == "ply" and lines[1] == "format binary_little_endian 1.0", lines[:2]
    rest = [line for line in lines[2:-1] if not line.startswith("comment ")]
    vertices, faces = int(rest[0].split()[2]), int(rest[7].split()[2])
    kind = rest[1].split()[1]
    assert rest == [f"element vertex {vertices}"] + [f"property {kind} {n}" for n in "xyz"] + \
        [f"property float {n}" for n in ("nx", "ny", "nz")] + \
        [f"element face {faces}", "property list uchar int vertex_indices"], rest
    vertex = np.dtype([("p", {"float": "<f4", "double": "<f8"}[kind], 3), ("n", "<f4", 3)])
    assert len(data) == end + vertex.itemsize * vertices + 13 * faces, "size"
    v = np.frombuffer(data, vertex, vertices, end)
    f = np.frombuffer(data, np.dtype([("n", "u1"), ("i", "<i4", 3)]), faces, end + vertex.itemsize * vertices)
    assert (f["n"] == 3).all()
    return v["p"].copy(), v["n"].copy(), f["i"].astype(np.int64)


def read_stl(path):
    """Every triangle has corners of its own."""
    data = whole(path)
    assert not data.lower().startswith(b"solid") and len(data) >= 84
    count = struct.unpack_from("<I", data, 80)[0]
    assert len(data) == 84 + 50 * count, (len(data), count)
    t = np.frombuffer(data, np.dtype([("n", "<f4", 3), ("p", "<f4", (3, 3)), ("a", "<u2")]), count, 84)
    assert (t["a"] == 0).all()
    return t["p"].reshape(-1, 3), t["n"], np.arange(3 * count).reshape(-1, 3)


def numbers(words):
    """An array of the type whose digits these are: all of a float32, or all of a float64."""
    values = np.array([float(word) for word in words])
    if all(f"{float(np.float32(value)):.9g}" == word for value, word in zip(values, words)):
        return values.astype(np.float32)
    assert all(f"{value:.17g}" == word for value, word in zip(values, words)), "digits of neither type"
    return values


def read_obj(path):
    number = r"-?\d+(?:\.\d+)?(?:e[+-]\d+)?"
    vector = re.compile(rf"(v|vn) ({number}) ({number}) ({number})")
    face = re.compile(r"f (\d+)//(\d+) (\d+)//(\d+) (\d+)//(\d+)")
    found = {"v": [], "vn": [], "f": []}
    for line in whole(path).decode("ascii").splitlines():
        if line.startswith("# "):
            continue
        m = vector.fullmatch(line)
        if m:
            assert not found["f"], "a vector after a face"
            found[m[1]].extend(m.groups()[1:])
            continue
        m = face.fullmatch(line)
        assert m, line
        n = [int(x) for x in m.groups()]
        assert n[0::2] == n[1::2] and min(n) >= 1, line
        found["f"].append(n[0::2])
    v, n = (numbers(found[k]).reshape(-1, 3) for k in ("v", "vn"))
    assert len(v) == len(n) and n.dtype == np.float32
    return v, n, np.array(found["f"], np.int64).reshape(-1, 3) - 1


def read_glb(path):
    """Positions as they are stored, floats; glb_matrix says where the node puts them."""
    objects = glb_objects(path)
    if not objects:
        return np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32), np.zeros((0, 3), np.int64)
    (name, mesh), = objects
    assert name is None
    return mesh


def glb_objects(path):
    """The nodes of a file in order: (name or None, mesh as of read_glb)."""
    tree, binary = glb_chunks(path)
    if "meshes" not in tree:
        assert binary is None and tree["scenes"] == [{}]
        return []
    assert tree["asset"]["version"] == "2.0"
    assert tree["scenes"][tree["scene"]]["nodes"] == list(range(len(tree["nodes"])))
    assert [node["mesh"] for node in tree["nodes"]] == list(range(len(tree["meshes"])))
    buffer, = tree["buffers"]
    assert "uri" not in buffer and buffer["byteLength"] <= len(binary) <= buffer["byteLength"] + 3
    used, objects = [], []

    def accessor(index, kind, component, target):
        a = tree["accessors"][index]
        assert a["type"] == kind and a["componentType"] == component and a["count"] >= 1, a
        view = tree["bufferViews"][a["bufferView"]]
        width = {"VEC3": 3, "SCALAR": 1}[kind]
        assert view["target"] == target and view["byteLength"] == a["count"] * width * 4
        assert view["byteOffset"] % 4 == 0 and view["byteOffset"] + view["byteLength"] <= buffer["byteLength"]
        used.append((view["byteOffset"], view["byteLength"]))
        values = np.frombuffer(binary, {5126: "<f4", 5125: "<u4"}[component], a["count"] * width, view["byteOffset"])
        return values.reshape(-1, width), a

    for node, mesh in zip(tree["nodes"], tree["meshes"]):
        primitive, = mesh["primitives"]
        assert primitive.get("mode", 4) == 4 and node.get("name") == mesh.get("name")
        p, about = accessor(primitive["attributes"]["POSITION"], "VEC3", 5126, 34962)
        n, _ = accessor(primitive["attributes"]["NORMAL"], "VEC3", 5126, 34962)
        t, _ = accessor(primitive["indices"], "SCALAR", 5125, 34963)
        for key, wanted in ("min", p.min(0)), ("max", p.max(0)):
            assert (np.array(about[key]).astype(np.float32) == wanted).all(), (about[key], wanted)
            assert all(json.loads(repr(float(w))) == w for w in wanted)
        assert len(p) == len(n) and len(t) % 3 == 0 and t.max() < len(p)
        objects.append((node.get("name"), (p, n, t.reshape(-1, 3).astype(np.int64))))
    assert len(used) == len(tree["accessors"]) == len(tree["bufferViews"])
    at = 0
    for offset, length in sorted(used):  # nothing overlaps, nothing is left over
        assert offset == at
        at += length
    assert at == buffer["byteLength"]
    return objects


def glb_chunks(path):
    data = whole(path)
    magic, version, length = struct.unpack_from("<4sII", data)
    assert magic == b"glTF" and version == 2 and length == len(data), (magic, version, length, len(data))
    at, chunks = 12, []
    while at < length:
        size, kind = struct.unpack_from("<I4s", data, at)
        assert size % 4 == 0 and at + 8 + size <= length
        chunks.append((kind, data[at + 8:at + 8 + size]))
        at += 8 + size
    assert [kind for kind, _ in chunks] == [b"JSON", b"BIN\0"][:len(chunks)]
    text = chunks[0][1]
    assert text.rstrip(b" ") + b" " * (len(text) - len(text.rstrip(b" "))) == text and text[0:1] == b"{"
    return json.loads(text), chunks[1][1] if len(chunks) > 1 else None


def glb_matrix(path):
    tree, _ = glb_chunks(path)
    node = {key: value for key, value in tree["nodes"][0].items() if key != "name"}
    assert set(node) in ({"mesh"}, {"mesh", "matrix"}, {"mesh", "translation"}), node
    assert all({**other, "mesh": 0, "name": 0} == {**node, "mesh": 0, "name": 0} for other in tree["nodes"])
    matrix = np.array(node.get("matrix", np.eye(4).ravel()), float).reshape(4, 4).T
    matrix[:3, 3] += node.get("translation", [0, 0, 0])
    return matrix


def glb_placed(path):
    """The positions of a .glb file in the volume's axes, as doubles: moved by the node, but not turned to y up."""
    matrix = glb_matrix(path)
    return (read_glb(path)[0].astype(float) @ matrix[:3, :3].T + matrix[:3, 3]) @ matrix[:3, :3]


def vtp_piece(path):
    """The arrays of read_vtp, and the global ids of the vertices, or None."""
    data = whole(path)
    m = re.search(rb'<AppendedData encoding="raw">\s*_', data)
    xml = ET.fromstring(data[:m.end() - 1] + b"</AppendedData></VTKFile>")
    assert xml.attrib == {"type": "PolyData", "version": "1.0", "byte_order": "LittleEndian", "header_type": "UInt64"}
    piece = xml.find("PolyData/Piece")
    points, polys = int(piece.get("NumberOfPoints")), int(piece.get("NumberOfPolys"))
    kinds = {"Float32": "<f4", "Float64": "<f8", "Int32": "<i4", "Int64": "<i8"}
    ends = []

    def array(where, name, count, components):
        element = piece.find(f"{where}/DataArray[@Name='{name}']")
        assert element.get("format") == "appended" and int(element.get("NumberOfComponents", 1)) == components
        at = m.end() + int(element.get("offset"))
        kind = np.dtype(kinds[element.get("type")])
        size = struct.unpack_from("<Q", data, at)[0]
        assert size == count * components * kind.itemsize, (name, size)
        ends.append((at, at + 8 + size))
        return np.frombuffer(data, kind, count * components, at + 8)

    p = array("Points", "Points", points, 3).reshape(-1, 3)
    n = array("PointData", "Normals", points, 3).reshape(-1, 3)
    assert p.dtype.kind == "f" and n.dtype == np.float32
    assert piece.find("PointData").get("Normals") == "Normals"
    t = array("Polys", "connectivity", 3 * polys, 1).reshape(-1, 3).astype(np.int64)
    assert (array("Polys", "offsets", polys, 1) == 3 * np.arange(1, polys + 1)).all()
    ids = None
    if piece.find("PointData").get("GlobalIds"):
        assert piece.find("PointData").get("GlobalIds") == "GlobalPointIds"
        ids = array("PointData", "GlobalPointIds", points, 1)
        assert ids.dtype == np.int64
    at = m.end()
    for start, end in sorted(ends):
        assert start == at
        at = end
    assert re.fullmatch(rb"\s*</AppendedData>\s*</VTKFile>\s*", data[at:])
    return p, n, t, ids


def read_vtp(path):
    *arrays, ids = vtp_piece(path)
    assert ids is None
    return tuple(arrays)


def read_off(path):
    """It has no normals."""
    lines = [line for line in whole(path).decode("ascii").splitlines() if not line.startswith("#")]
    assert lines[0] == "OFF"
    vertices, faces, edges = (int(word) for word in lines[1].split())
    assert edges == 0 and len(lines) == 2 + vertices + faces, lines[1]
    v = numbers([x for line in lines[2:2 + vertices] for x in line.split()])
    f = np.array([[int(x) for x in line.split()] for line in lines[2 + vertices:]], np.int64).reshape(-1, 4)
    assert (f[:, 0] == 3).all() and (faces == 0 or 0 <= f[:, 1:].min() <= f[:, 1:].max() < vertices)
    return v.reshape(-1, 3), None, f[:, 1:]


# Formats that cannot say SPACE=LPS in a comment. tests/compute/test_mesh_formats.c has the same list.
NO_COMMENTS = {"glb", "vtp"}

# One for each format that the program writes: read_NAME above.
READERS = {name[5:]: reader for name, reader in list(globals().items())
           if name.startswith("read_") and callable(reader)}


def area_and_volume(positions, triangles):
    p = positions.astype(np.float64)[triangles]
    n = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    return np.linalg.norm(n, axis=1).sum() / 2, (p[:, 0] * n).sum() / 6


def read_vtk(path, kind):
    """What VTK makes of it: (points, triangles)."""
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
    maker = {"ply": vtk.vtkPLYReader, "stl": vtk.vtkSTLReader, "obj": vtk.vtkOBJReader, "glb": vtk.vtkGLTFReader,
             "vtp": vtk.vtkXMLPolyDataReader, "off": getattr(vtk, "vtkOFFReader", None)}.get(kind)
    if not maker:
        return None  # VTK does not read it
    reader = maker()
    reader.SetFileName(path)
    if kind == "stl":
        reader.MergingOff()
    reader.Update()
    out = reader.GetOutput()
    if kind == "glb":
        leaves = out.NewIterator()
        parts = []
        leaves.InitTraversal()
        while not leaves.IsDoneWithTraversal():
            parts.append(leaves.GetCurrentDataObject())
            leaves.GoToNextItem()
        assert len(parts) == 1, f"{len(parts)} parts"
        out = parts[0]
    cells = vtk_to_numpy(out.GetPolys().GetConnectivityArray())
    assert out.GetPolys().GetNumberOfCells() * 3 == len(cells) and out.GetNumberOfCells() * 3 == len(cells)
    return vtk_to_numpy(out.GetPoints().GetData()), cells.reshape(-1, 3)
