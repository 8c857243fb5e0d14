// Inviwo and Voreen volume headers (.dat): lines of "Key: value" beside a raw file.
//
// Inviwo's volume is a box whose edges are the basis vectors. They divide it into dim[0] x dim[1] x
// dim[2] cells, and each sample lies at the centre of a cell. Without an Offset the box is centred.
#include "volumes/affine.h"
#include "volumes/base/log.h"
#include "volumes/formats/payload.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct inviwo {
    struct text text;
    struct problem *problem;
    char raw[4097];
    struct payload payload;
    bool has_dims, has_type;
    double spacing[3], basis[3][3], offset[3];
    bool has_basis[3], has_offset;
};

static bool inviwo_read_format(struct inviwo *inviwo, const char *value)
{
    inviwo->has_type = sample_format_named(WORDS_INVIWO, value, &inviwo->payload.format);
    return inviwo->has_type ||
           text_refuse(
               &inviwo->text, inviwo->problem,
               "Format %.60s is not supported; expected UINT8 ... INT64, FLOAT32, FLOAT64, UCHAR, "
               "USHORT, USHORT_12 or FLOAT, one value per sample",
               value);
}

static bool inviwo_read_reals(struct inviwo *inviwo, const char *key, char *value, double out[3])
{
    return text_reals(value, out, 3) ||
           text_refuse(&inviwo->text, inviwo->problem, "%s: expected three numbers", key);
}

static bool
inviwo_read_count(struct inviwo *inviwo, const char *key, const char *value, uint64_t *out)
{
    return text_count(value, out) ||
           text_refuse(&inviwo->text, inviwo->problem, "%s: expected a whole number", key);
}

static bool inviwo_read_key(struct inviwo *inviwo, const char *key, char *value)
{
    if (text_is_one(key, "RawFile|ObjectFileName")) {
        if (inviwo->raw[0]) {
            return text_refuse(
                &inviwo->text, inviwo->problem, "a second %s; cubist reads one volume of one file",
                key);
        }
        snprintf(inviwo->raw, sizeof inviwo->raw, "%s", value);
        return true;
    }
    if (text_is_one(key, "Resolution|Dimensions")) {
        inviwo->has_dims = text_counts(value, inviwo->payload.dim, 3);
        return inviwo->has_dims ||
               text_refuse(
                   &inviwo->text, inviwo->problem, "Resolution: expected three whole numbers");
    }
    if (strcasecmp(key, "Format") == 0) {
        return inviwo_read_format(inviwo, value);
    }
    if (text_is_one(key, "SliceThickness|Spacing")) {
        return inviwo_read_reals(inviwo, key, value, inviwo->spacing);
    }
    if (strncasecmp(key, "BasisVector", 11) == 0 && key[11] >= '1' && key[11] <= '3' && !key[12]) {
        const int axis = key[11] - '1';
        inviwo->has_basis[axis] = true;
        return inviwo_read_reals(inviwo, key, value, inviwo->basis[axis]);
    }
    if (strcasecmp(key, "Offset") == 0) {
        inviwo->has_offset = true;
        return inviwo_read_reals(inviwo, key, value, inviwo->offset);
    }
    if (strcasecmp(key, "ByteOrder") == 0) {
        const bool big = strcasecmp(value, "BigEndian") == 0;
        if (!big && strcasecmp(value, "LittleEndian") != 0) {
            return text_refuse(
                &inviwo->text, inviwo->problem,
                "ByteOrder %.60s; expected LittleEndian or BigEndian", value);
        }
        inviwo->payload.format.order = big ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE;
        return true;
    }
    if (strcasecmp(key, "ByteOffset") == 0) {
        return inviwo_read_count(inviwo, key, value, &inviwo->payload.offset);
    }
    if (strcasecmp(key, "Sequences") == 0) {
        return inviwo_read_count(inviwo, key, value, &inviwo->payload.frames);
    }
    if (strncasecmp(key, "WorldVector", 11) == 0 || strcasecmp(key, "WorldMatrix") == 0) {
        log_warn(
            "'%s': %s is ignored; the volume is placed by its basis vectors and offset",
            inviwo->text.source->path, key);
    }
    return true; // other keys are ignored: many describe the picture only
}

static bool inviwo_read_keys(struct inviwo *inviwo)
{
    for (char *key = "", *value; key;) {
        if (!text_next_key(&inviwo->text, "#/", "Key: value", &key, &value, inviwo->problem) ||
            (key && !inviwo_read_key(inviwo, key, value))) {
            return false;
        }
    }
    return true;
}

static bool inviwo_check_keys(struct inviwo *inviwo)
{
    const char *missing = !inviwo->raw[0]     ? "RawFile (or ObjectFileName)"
                          : !inviwo->has_dims ? "Resolution (or Dimensions)"
                          : !inviwo->has_type ? "Format"
                                              : NULL;
    const char *path = inviwo->text.source->path;
    if (missing) {
        return problem_set(
            inviwo->problem, PROBLEM_INPUT, "'%s' has no %s; it is not an Inviwo volume header",
            path, missing);
    }
    if (path_has_extension(inviwo->raw, ".dat .ivf")) {
        return problem_set(
            inviwo->problem, PROBLEM_INPUT, "'%s' names another header, '%s'; open that one", path,
            inviwo->raw);
    }
    const int basis = inviwo->has_basis[0] + inviwo->has_basis[1] + inviwo->has_basis[2];
    if (basis != 0 && basis != 3) {
        return problem_set(
            inviwo->problem, PROBLEM_INPUT,
            "'%s' has %d of BasisVector1, BasisVector2 and BasisVector3; expected all or none",
            path, basis);
    }
    return true;
}

static bool inviwo_place(const struct inviwo *inviwo, struct volume *volume)
{
    double steps[3][3] = { 0 }, origin[3];
    for (int a = 0; a < 3; a++) {
        steps[a][a] = inviwo->spacing[a];
        for (int i = 0; inviwo->has_basis[0] && i < 3; i++) {
            steps[a][i] = inviwo->basis[a][i] / volume->dim[a];
        }
    }
    for (int i = 0; i < 3; i++) {
        origin[i] = inviwo->has_offset ? inviwo->offset[i] : 0;
        for (int a = 0; a < 3; a++) {
            const double corner = inviwo->has_offset ? 0 : -0.5 * volume->dim[a];
            origin[i] += (corner + 0.5) * steps[a][i];
        }
    }
    return affine_set(
        volume, (const double(*)[3])steps, origin, inviwo->text.source->path, inviwo->problem);
}

bool inviwo_matches(const struct file_head *head)
{
    return file_head_has_key(head, "RawFile|ObjectFileName");
}

bool inviwo_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct inviwo inviwo = {
        .text.source = source,
        .problem = problem,
        .payload.format.order = BYTE_ORDER_LITTLE,
        .spacing = { 1, 1, 1 },
    };
    if (!inviwo_read_keys(&inviwo) || !inviwo_check_keys(&inviwo)) {
        return false;
    }
    struct sidecar_list files = { 0 };
    inviwo.payload.files = &files;
    inviwo.payload.frames_how = " in sequence";
    const bool fine = sidecar_list_add(&files, inviwo.raw, strlen(inviwo.raw), problem) &&
                      payload_open(source, &inviwo.payload, params, out, problem);
    sidecar_list_destroy(&files);
    return fine && inviwo_place(&inviwo, &out->volume);
}
