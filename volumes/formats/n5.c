// The metadata of N5 (attributes.json). Axes are listed fastest first, unlike in Zarr.
#include "volumes/formats/zarr.h"

#include <stdio.h>
#include <string.h>

// Adds the codec of a compression. False: cubist does not read it.
static bool n5_codec(const char *type, struct codecs *codecs)
{
    return strcmp(type, "raw") == 0 || strcmp(type, "") == 0 ||
           codecs_add(codecs, strcmp(type, "lz4") == 0 ? "lz4 blocks" : type);
}

// The distances of the samples, which are only customary: "resolution", or "pixelResolution", and
// "offset".
static void n5_place(const json_t *of, struct zarr_array *out)
{
    double steps[ZARR_AXES], starts[ZARR_AXES];
    const json_t *pixel = json_object_get(of, "pixelResolution"),
                 *units = json_object_get(of, "units");
    const json_t *resolution = json_object_get(of, "resolution");
    const bool stepped =
        metadata_reals(resolution, steps, out->axes) ||
        metadata_reals(
            json_is_array(pixel) ? pixel : json_object_get(pixel, "dimensions"), steps, out->axes);
    const bool started = metadata_reals(json_object_get(of, "offset"), starts, out->axes);
    const json_t *names = json_object_get(of, "axes");
    for (size_t i = 0; i < out->axes; i++) {
        struct zarr_axis *axis = &out->axis[out->axes - 1 - i];
        const char *unit = metadata_text(json_array_get(units, i));
        zarr_axis_name(
            axis, metadata_text(json_array_get(names, i)),
            *unit ? unit : metadata_member(pixel, "unit"));
        axis->step = stepped && steps[i] != 0 ? steps[i] : 1;
        axis->start = started ? starts[i] : 0;
    }
}

bool n5_describe(
    const struct zarr_node *node, const char *what, struct zarr_array *out, struct problem *problem)
{
    const json_t *of = node->metadata, *compression = json_object_get(of, "compression");
    const json_t *old = json_object_get(of, "compressionType"); // before version 2
    const char *type = old ? metadata_text(old) : metadata_member(compression, "type");
    *out = (struct zarr_array){ .prefix = "", .separator = '/', .n5 = true };
    snprintf(out->type, sizeof out->type, "%s", metadata_member(of, "dataType"));
    if (!zarr_read_axes(
            json_object_get(of, "dimensions"), json_object_get(of, "blockSize"),
            "its dimensions and its blockSize", what, out, problem)) {
        return false;
    }
    if (!sample_format_named(WORDS_ZARR, out->type, &out->format)) {
        return zarr_refuse(what, problem, "cubist does not read samples of type ", out->type);
    }
    if (!n5_codec(type, &out->codecs)) {
        return zarr_refuse(
            what, problem, "cubist reads raw, gzip, zstd, blosc and lz4, not the compression ",
            type);
    }
    out->format.order = BYTE_ORDER_BIG;
    n5_place(of, out);
    return true;
}
