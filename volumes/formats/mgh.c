// FreeSurfer's volumes (.mgh, and .mgz inside gzip): a header of 284 bytes, then the samples, big
// endian. The header places the centre of the volume, in RAS. Without that FreeSurfer takes the
// slices to be coronal, 1 mm apart, around the origin.
#include "volumes/affine.h"
#include "volumes/base/log.h"
#include "volumes/formats/payload.h"
#include "volumes/formats/readers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MGH_HEADER = 284,
    MGH_DIM = 4, // offsets of the fields
    MGH_FRAMES = 16,
    MGH_TYPE = 20,
    MGH_PLACED = 28,
    MGH_SPACING = 30,
    MGH_DIRECTION = 42,
    MGH_CENTRE = 78,
    MGH_END = 90,
};

static const struct {
    uint64_t code;
    enum volume_type type;
} mgh_types[] = { { 0, VOLUME_UINT8 },
                  { 1, VOLUME_INT32 },
                  { 3, VOLUME_FLOAT32 },
                  { 4, VOLUME_INT16 },
                  { 10, VOLUME_UINT16 } };

// The row of this type; -1: there is none.
static int mgh_type_of(const unsigned char *bytes)
{
    for (size_t i = 0; i < sizeof mgh_types / sizeof *mgh_types; i++) {
        if (mgh_types[i].code == sample_bits(bytes + MGH_TYPE, 4, true)) {
            return (int)i;
        }
    }
    return -1;
}

bool mgh_matches(const struct file_head *head)
{
    return file_head_has(head, 0, "\0\0\0\1\0", 5) && head->size >= MGH_END &&
           mgh_type_of(head->bytes) >= 0 && sample_bits(head->bytes + MGH_PLACED, 2, true) <= 1;
}

static bool mgh_place(
    const char *path, const unsigned char *bytes, struct volume *volume, struct problem *problem)
{
    static const double coronal[3][3] = { { -1, 0, 0 }, { 0, 0, -1 }, { 0, 1, 0 } };
    const bool placed = sample_bits(bytes + MGH_PLACED, 2, true) == 1;
    double steps[3][3], origin[3];
    for (int i = 0; i < 3; i++) {
        origin[i] = placed ? sample_real(bytes + MGH_CENTRE + 4 * i, 4, true) : 0;
        for (int a = 0; a < 3; a++) {
            steps[a][i] = placed ? sample_real(bytes + MGH_DIRECTION + 4 * (3 * a + i), 4, true) *
                                       sample_real(bytes + MGH_SPACING + 4 * a, 4, true)
                                 : coronal[a][i];
            origin[i] -= steps[a][i] * volume->dim[a] / 2;
        }
    }
    affine_flip(steps, origin, (const double[2]){ -1, -1 });
    volume->frame = VOLUME_FRAME_LPS;
    return affine_set(volume, (const double(*)[3])steps, origin, path, problem);
}

bool mgh_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    unsigned char bytes[MGH_END];
    const size_t got = source_peek(source, bytes, sizeof bytes);
    if (got < sizeof bytes || memcmp(bytes, "\0\0\0\1", 4) != 0) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s' is not an MGH volume: it does not begin with version 1",
            source->path);
    }
    const int type = mgh_type_of(bytes);
    if (type < 0) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' holds samples of type %" PRIu64
            "; expected 0 (uint8), 1 (int32), 3 (float32), 4 (int16) or 10 (uint16)",
            source->path, sample_bits(bytes + MGH_TYPE, 4, true));
    }
    struct payload payload = {
        .format = { .type = mgh_types[type].type, .order = BYTE_ORDER_BIG },
        .offset = MGH_HEADER,
        .tail = true, // tags such as the echo time
        .frames = sample_bits(bytes + MGH_FRAMES, 4, true),
    };
    for (int i = 0; i < 3; i++) {
        payload.dim[i] = sample_bits(bytes + MGH_DIM + 4 * i, 4, true);
    }
    if (!payload_open(source, &payload, params, out, problem)) {
        return false;
    }
    if (payload.frames > 1 && !contents_asked(&params->pick, CONTENTS_TIME)) {
        log_warn(
            "'%s' holds %" PRIu64 " volumes; the first is read, --time N reads another",
            source->path, payload.frames);
    }
    return mgh_place(source->path, bytes, &out->volume, problem);
}
