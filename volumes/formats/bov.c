// BOV (.bov), VisIt's "brick of values": lines of "KEY: value" beside a raw file.
//
// The brick is a box. Its samples lie on a grid whose outermost points are the corners (nodal), or
// at the centres of its cells (zonal).
#include "volumes/affine.h"
#include "volumes/formats/payload.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct bov {
    struct text text;
    struct problem *problem;
    char file[4097];
    struct payload payload;
    bool has_dims, has_type, has_size, zonal;
    uint64_t components;
    double origin[3], size[3];
};

static bool bov_read_type(struct bov *bov, const char *value)
{
    static const struct {
        const char *words;
        enum volume_type type;
        bool wide;
    } types[] = {
        { "BYTE|BYTES", VOLUME_UINT8, false },     { "SHORT|SHORTS", VOLUME_INT16, false },
        { "INT|INTS", VOLUME_INT32, false },       { "LONG|LONGS", VOLUME_INT32, true },
        { "FLOAT|FLOATS", VOLUME_FLOAT32, false }, { "DOUBLE|DOUBLES", VOLUME_FLOAT64, false },
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (text_is_one(value, types[i].words)) {
            bov->payload.format.type = types[i].type;
            bov->payload.format.wide = types[i].wide;
            bov->has_type = true;
            return true;
        }
    }
    return text_refuse(
        &bov->text, bov->problem,
        "DATA_FORMAT %.60s; expected BYTE, SHORT, INT, LONG, FLOAT or DOUBLE", value);
}

static bool bov_read_reals(struct bov *bov, const char *key, char *value, double out[3])
{
    return text_reals(value, out, 3) ||
           text_refuse(&bov->text, bov->problem, "%s: expected three numbers", key);
}

static bool bov_read_key(struct bov *bov, const char *key, char *value)
{
    const bool big = strcasecmp(value, "BIG") == 0;
    if (strcasecmp(key, "DATA_FILE") == 0) {
        if (strchr(value, '%')) {
            return text_refuse(
                &bov->text, bov->problem, "DATA_FILE is a pattern; cubist reads one file of it");
        }
        snprintf(bov->file, sizeof bov->file, "%s", value);
        return true;
    }
    if (strcasecmp(key, "DATA_SIZE") == 0) {
        bov->has_dims = true;
        return text_counts(value, bov->payload.dim, 3) ||
               text_refuse(&bov->text, bov->problem, "%s: expected three numbers", key);
    }
    if (strcasecmp(key, "DATA_FORMAT") == 0) {
        return bov_read_type(bov, value);
    }
    if (strcasecmp(key, "BRICK_ORIGIN") == 0) {
        return bov_read_reals(bov, key, value, bov->origin);
    }
    if (strcasecmp(key, "BRICK_SIZE") == 0) {
        bov->has_size = true;
        return bov_read_reals(bov, key, value, bov->size);
    }
    if (strcasecmp(key, "CENTERING") == 0) {
        bov->zonal = strcasecmp(value, "zonal") == 0;
        return bov->zonal || strcasecmp(value, "nodal") == 0 ||
               text_refuse(
                   &bov->text, bov->problem, "CENTERING %.60s; expected zonal or nodal", value);
    }
    if (strcasecmp(key, "DATA_ENDIAN") == 0) {
        bov->payload.format.order = big ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE;
        return big || strcasecmp(value, "LITTLE") == 0 ||
               text_refuse(
                   &bov->text, bov->problem, "DATA_ENDIAN %.60s; expected LITTLE or BIG", value);
    }
    uint64_t *count = strcasecmp(key, "BYTE_OFFSET") == 0       ? &bov->payload.byte_skip
                      : strcasecmp(key, "DATA_COMPONENTS") == 0 ? &bov->components
                                                                : NULL;
    return !count || (text_count(value, count) && *count <= INT64_MAX) || // other keys are ignored
           text_refuse(&bov->text, bov->problem, "%s: expected a whole number", key);
}

static bool bov_read_keys(struct bov *bov)
{
    for (char *key = "", *value; key;) {
        if (!text_next_key(&bov->text, "#", "KEY: value", &key, &value, bov->problem) ||
            (key && !bov_read_key(bov, key, value))) {
            return false;
        }
    }
    const char *missing = !*bov->file      ? "DATA_FILE"
                          : !bov->has_dims ? "DATA_SIZE"
                          : !bov->has_type ? "DATA_FORMAT"
                                           : NULL;
    return !missing || problem_set(
                           bov->problem, PROBLEM_INPUT, "'%s' has no %s; it is not a BOV header",
                           bov->text.source->path, missing);
}

static bool bov_place(const struct bov *bov, struct volume *volume)
{
    double steps[3][3] = { { 0 } }, origin[3];
    for (int i = 0; i < 3; i++) {
        const double cells = volume->dim[i] - !bov->zonal;
        steps[i][i] = bov->has_size ? bov->size[i] / cells : 1;
        origin[i] = bov->origin[i] + (bov->zonal ? steps[i][i] / 2 : 0);
    }
    return affine_set(
        volume, (const double(*)[3])steps, origin, bov->text.source->path, bov->problem);
}

bool bov_matches(const struct file_head *head)
{
    return file_head_has_key(head, "DATA_FILE");
}

// Selects a component.
static bool bov_choose(
    const struct bov *bov, const struct volume_params *params, struct volume_file *out,
    uint64_t *component)
{
    return contents_choose(
        &out->contents, CONTENTS_CHANNEL, bov->components, &params->pick, out->path, component,
        bov->problem);
}

bool bov_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct bov bov = { .text.source = source, .problem = problem, .components = 1 };
    uint64_t component;
    if (!bov_read_keys(&bov)) {
        return false;
    }
    if (bov.components > SAMPLE_VALUES_MOST) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s': DATA_COMPONENTS is more than %d", source->path,
            SAMPLE_VALUES_MOST);
    }
    if (!bov_choose(&bov, params, out, &component)) {
        return false;
    }
    struct sidecar_list files = { 0 };
    bov.payload.files = &files;
    bov.payload.encoding = path_has_extension(bov.file, ".gz") ? PAYLOAD_DEFLATE : PAYLOAD_RAW;
    bov.payload.format.values = (uint32_t)bov.components;
    bov.payload.format.value = (uint32_t)component;
    const bool fine = sidecar_list_add(&files, bov.file, strlen(bov.file), problem) &&
                      payload_open(source, &bov.payload, params, out, problem);
    sidecar_list_destroy(&files);
    return fine && bov_choose(&bov, params, out, &component) && // payload_open knows of one
           bov_place(&bov, &out->volume);
}
