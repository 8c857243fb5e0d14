"""Writes small DICOM files for tests: data elements, sequences, and samples in plain or RLE form."""
import struct
import zlib

IMPLICIT, EXPLICIT, DEFLATED = "1.2.840.10008.1.2", "1.2.840.10008.1.2.1", "1.2.840.10008.1.2.1.99"
BIG, RLE = "1.2.840.10008.1.2.2", "1.2.840.10008.1.2.5"
LONG = {"OB", "OW", "OF", "SQ", "UN", "UT"}
BINARY = {"US": "H", "SS": "h", "UL": "I", "FD": "d", "FL": "f"}

TAGS = {
    "ImageType": (0x0008, 0x0008, "CS"), "SOPInstanceUID": (0x0008, 0x0018, "UI"), "Modality": (0x0008, 0x0060, "CS"),
    "SeriesDescription": (0x0008, 0x103E, "LO"), "PatientName": (0x0010, 0x0010, "PN"),
    "SliceThickness": (0x0018, 0x0050, "DS"), "EchoTime": (0x0018, 0x0081, "DS"),
    "SpacingBetweenSlices": (0x0018, 0x0088, "DS"), "SeriesInstanceUID": (0x0020, 0x000E, "UI"),
    "SeriesNumber": (0x0020, 0x0011, "IS"), "InstanceNumber": (0x0020, 0x0013, "IS"),
    "ImagePositionPatient": (0x0020, 0x0032, "DS"), "ImageOrientationPatient": (0x0020, 0x0037, "DS"),
    "TemporalPositionIdentifier": (0x0020, 0x0100, "IS"), "SamplesPerPixel": (0x0028, 0x0002, "US"),
    "PhotometricInterpretation": (0x0028, 0x0004, "CS"), "NumberOfFrames": (0x0028, 0x0008, "IS"),
    "Rows": (0x0028, 0x0010, "US"), "Columns": (0x0028, 0x0011, "US"), "PixelSpacing": (0x0028, 0x0030, "DS"),
    "BitsAllocated": (0x0028, 0x0100, "US"), "BitsStored": (0x0028, 0x0101, "US"), "HighBit": (0x0028, 0x0102, "US"),
    "PixelRepresentation": (0x0028, 0x0103, "US"), "PixelPaddingValue": (0x0028, 0x0120, "SS"),
    "PixelPaddingRangeLimit": (0x0028, 0x0121, "SS"), "RescaleIntercept": (0x0028, 0x1052, "DS"),
    "RescaleSlope": (0x0028, 0x1053, "DS"), "GridFrameOffsetVector": (0x3004, 0x000C, "DS"),
    "DoseGridScaling": (0x3004, 0x000E, "DS"), "SharedFunctionalGroupsSequence": (0x5200, 0x9229, "SQ"),
    "PerFrameFunctionalGroupsSequence": (0x5200, 0x9230, "SQ"), "PlanePositionSequence": (0x0020, 0x9113, "SQ"),
    "PlaneOrientationSequence": (0x0020, 0x9116, "SQ"), "PixelMeasuresSequence": (0x0028, 0x9110, "SQ"),
    "PixelValueTransformationSequence": (0x0028, 0x9145, "SQ"), "FloatPixelData": (0x7FE0, 0x0008, "OF"),
    "DirectoryRecordSequence": (0x0004, 0x1220, "SQ"), "FrameContentSequence": (0x0020, 0x9111, "SQ"),
    "TemporalPositionIndex": (0x0020, 0x9128, "UL"),
}


def element(group, number, vr, value, syntax):
    order = ">" if syntax == BIG else "<"
    if vr == "SQ":  # a list of dicts
        items = [data_set(item, syntax) for item in value]
        value = b"".join(struct.pack(order + "HHI", 0xFFFE, 0xE000, len(item)) + item for item in items)
    elif vr in BINARY:
        value = b"".join(struct.pack(order + BINARY[vr], each) for each in (value if isinstance(value, list) else [value]))
    elif not isinstance(value, bytes):
        text = "\\".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        value = text.encode("latin-1")
        value += (b"\0" if vr == "UI" else b" ") * (len(value) % 2)
    head = struct.pack(order + "HH", group, number)
    if syntax == IMPLICIT:
        return head + struct.pack("<I", len(value)) + value
    if vr in LONG:
        return head + vr.encode() + b"\0\0" + struct.pack(order + "I", len(value)) + value
    return head + vr.encode() + struct.pack(order + "H", len(value)) + value


def data_set(values, syntax):
    rows = sorted((*TAGS[name], value) for name, value in values.items() if value is not None)
    return b"".join(element(*row, syntax) for row in rows)


def rle(plane):
    """One frame, samples of one or two bytes: a segment for each byte, the most significant first; all of literals."""
    segments = []
    raw = plane.astype(plane.dtype.newbyteorder(">")).tobytes()
    for byte in range(plane.dtype.itemsize):
        part = raw[byte::plane.dtype.itemsize]
        packed = b"".join(bytes([len(part[i:i + 128]) - 1]) + part[i:i + 128] for i in range(0, len(part), 128))
        segments.append(packed + b"\0" * (len(packed) % 2))
    offsets = [64 + sum(map(len, segments[:i])) for i in range(len(segments))]
    return struct.pack("<16I", len(segments), *offsets, *[0] * (15 - len(segments))) + b"".join(segments)


def fragments(frames, pieces=1, table=True):
    """PixelData in fragments: each frame in so many pieces."""
    items, offsets, at = b"", [], 0
    for frame in frames:
        offsets.append(at)
        step = -(-len(frame) // pieces // 2) * 2
        for i in range(0, len(frame), step):
            item = struct.pack("<HHI", 0xFFFE, 0xE000, len(frame[i:i + step])) + frame[i:i + step]
            items += item
            at += len(item)
    offsets = struct.pack(f"<{len(offsets)}I", *offsets) if table else b""
    return (struct.pack("<HHHHIHHI", 0x7FE0, 0x10, 0x424F, 0, 0xFFFFFFFF, 0xFFFE, 0xE000, len(offsets)) + offsets + items +
            struct.pack("<HHI", 0xFFFE, 0xE0DD, 0))


def write(path, samples, syntax=EXPLICIT, preamble=True, pieces=1, table=True, pixels=True, **values):
    """`samples`: rows x columns, or frames x rows x columns. A value None leaves out what is written else."""
    bits = 8 * samples.dtype.itemsize
    plain = {"SOPInstanceUID": f"1.2.3.{abs(hash(path)) % 10 ** 12}", "SeriesInstanceUID": "1.2.3", "Modality": "CT",
             "SamplesPerPixel": 1, "PhotometricInterpretation": "MONOCHROME2", "Rows": samples.shape[-2],
             "Columns": samples.shape[-1], "BitsAllocated": bits, "BitsStored": bits, "HighBit": bits - 1,
             "PixelRepresentation": int(samples.dtype.kind == "i"), "PixelSpacing": [0.5, 0.25],
             "NumberOfFrames": samples.shape[0] if samples.ndim == 3 else None}
    plain.update(values)
    body = data_set(plain, syntax)
    planes = samples if samples.ndim == 3 else samples[None]
    if not pixels:
        pass
    elif syntax == RLE:
        body += fragments([rle(plane) for plane in planes], pieces, table)
    else:
        order = ">" if syntax == BIG else "<"
        body += element(0x7FE0, 0x10, "OW" if bits > 8 else "OB", samples.astype(samples.dtype.newbyteorder(order)).tobytes(), syntax)
    if syntax == DEFLATED:
        packer = zlib.compressobj(wbits=-15)
        body = packer.compress(body) + packer.flush()
    meta = element(2, 0x10, "UI", syntax, EXPLICIT)
    meta = element(2, 0, "UL", len(meta), EXPLICIT) + meta
    with open(path, "wb") as file:
        file.write(b"\0" * 128 + b"DICM" + meta + body if preamble else body)


def write_series(folder, planes, positions, names=None, **values):
    """A file for each plane. `values` may be functions of the number of the plane."""
    for i, (plane, position) in enumerate(zip(planes, positions)):
        own = {name: value(i) if callable(value) else value for name, value in values.items()}
        own = {"ImageOrientationPatient": [1, 0, 0, 0, 1, 0], "InstanceNumber": i + 1, **own}
        name = names[i] if names else f"{i:04}.dcm"
        write(f"{folder}/{name}", plane, ImagePositionPatient=list(position), **own)
