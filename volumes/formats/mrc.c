// MRC and CCP4 maps (.mrc, .map, .ccp4): a header of 1024 bytes, then perhaps symmetry operators,
// then the samples, fastest first: columns, rows, sections.
//
// Writers differ. The rules are those of ChimeraX and Mol*: the byte order follows from a plausible
// number of columns, because machine stamps are often wrong. Columns, rows and sections may be any
// of the axes X, Y, Z of the unit cell, whose angles need not be 90 degrees. ORIGIN places the map
// where it is set, else the indices of the first sample do.
#include "volumes/affine.h"
#include "volumes/base/log.h"
#include "volumes/formats/payload.h"
#include "volumes/formats/readers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MRC_HEADER = 1024,
    MRC_MAGIC = 208,
    MRC_IMOD = 1146047817, // IMOD wrote the file, and flags say whether its bytes are signed
    MRC_MOST = 65535,      // columns, rows or sections
    MRC_STACKS = 401,      // added to the space group where volumes follow one another
};

// Indices of 4-byte words of the header.
enum {
    MRC_DIM = 0,
    MRC_MODE = 3,
    MRC_START = 4,
    MRC_GRID = 7,
    MRC_CELL = 10,
    MRC_ANGLES = 13,
    MRC_AXES = 16,
    MRC_GROUP = 22,
    MRC_NSYMBT = 23,
    MRC_SKEWED = 24,
    MRC_STAMP = 38,
    MRC_FLAGS = 39,
    MRC_ORIGIN = 49,
};

struct mrc {
    const char *path;
    unsigned char bytes[MRC_HEADER];
    bool big, magic;
};

static int32_t mrc_whole(const struct mrc *mrc, int word)
{
    return (int32_t)sample_bits(mrc->bytes + 4 * word, 4, mrc->big);
}

static double mrc_real(const struct mrc *mrc, int word)
{
    return sample_real(mrc->bytes + 4 * word, 4, mrc->big);
}

bool mrc_matches(const struct file_head *head)
{
    return file_head_has(head, MRC_MAGIC, "MAP ", 4);
}

// Sets the byte order: the one in which the number of columns is plausible.
static bool mrc_find_order(struct mrc *mrc)
{
    for (int big = 0; big < 2; big++) {
        mrc->big = big;
        if (mrc_whole(mrc, MRC_DIM) >= 1 && mrc_whole(mrc, MRC_DIM) <= MRC_MOST) {
            return true;
        }
    }
    return false;
}

static bool mrc_read_mode(const struct mrc *mrc, struct payload *payload, struct problem *problem)
{
    static const struct {
        int mode;
        enum volume_type type;
    } modes[] = { { 0, VOLUME_INT8 },
                  { 1, VOLUME_INT16 },
                  { 2, VOLUME_FLOAT32 },
                  { 6, VOLUME_UINT16 },
                  { 12, VOLUME_FLOAT16 } };
    const int mode = mrc_whole(mrc, MRC_MODE);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (modes[i].mode == mode) {
            const bool imod = mrc_whole(mrc, MRC_STAMP) == MRC_IMOD;
            const bool bytes_unsigned = !mrc->magic || (imod && !(mrc_whole(mrc, MRC_FLAGS) & 1));
            payload->format.type = mode == 0 && bytes_unsigned ? VOLUME_UINT8 : modes[i].type;
            payload->format.order = mrc->big ? BYTE_ORDER_BIG : BYTE_ORDER_LITTLE;
            return true;
        }
    }
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' holds samples of mode %d%s; expected mode 0 (int8), 1 (int16), 2 (float32), 6 "
        "(uint16) or 12 (float16)",
        mrc->path, mode,
        mode == 3 || mode == 4 ? ", complex numbers"
        : mode == 101          ? ", 4 bits each"
        : mode == 16           ? ", colours"
                               : "");
}

// Sets where the samples begin. Some files count operators that are not there.
static bool mrc_find_samples(
    const struct mrc *mrc, const struct source *source, struct payload *payload,
    struct problem *problem)
{
    const int32_t operators = mrc_whole(mrc, MRC_NSYMBT);
    const uint64_t *dim = payload->dim;
    const uint64_t frames = payload->frames + !payload->frames;
    const uint64_t whole =
        MRC_HEADER + frames * dim[0] * dim[1] * dim[2] * sample_size(&payload->format);
    payload->offset = MRC_HEADER;
    if (operators < 0) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': NSYMBT is %d; expected the number of bytes before the samples", mrc->path,
            operators);
    }
    if (operators > 0 && !source->head && source->size == whole) {
        log_warn(
            "'%s': NSYMBT is %d, but the file has room for its samples only", mrc->path, operators);
        return true;
    }
    payload->offset += (uint64_t)operators;
    return true;
}

// The steps from one grid point of the unit cell to the next along its axes X, Y, Z. Returns
// whether the file states them all.
static bool mrc_read_cell(const struct mrc *mrc, double steps[3][3])
{
    double size[3], cosine[3];
    bool told = false, right = false;
    for (int i = 0; i < 3; i++) {
        const int32_t grid = mrc_whole(mrc, MRC_GRID + i);
        const double cell = mrc_real(mrc, MRC_CELL + i), angle = mrc_real(mrc, MRC_ANGLES + i);
        size[i] = cell / grid;
        if (!(grid > 0 && cell > 0 && isfinite(cell))) {
            size[i] = 1;
            if (!told) {
                log_warn("'%s' has no unit cell of a size; its samples are 1 apart", mrc->path);
            }
            told = true;
        }
        right |= !(angle > 0 && angle < 180);
        cosine[i] = angle == 90 ? 0 : cos(angle * acos(-1) / 180);
    }
    // Where the third edge ends above the plane of the others: `up` is its height, squared.
    double across = sqrt(1 - cosine[2] * cosine[2]);
    double along = (cosine[0] - cosine[1] * cosine[2]) / across;
    double up = 1 - cosine[1] * cosine[1] - along * along;
    if (right || !(up > 1e-6)) {
        log_warn(
            "'%s': a unit cell with angles of %g, %g and %g degrees is impossible; 90 is used",
            mrc->path, mrc_real(mrc, MRC_ANGLES), mrc_real(mrc, MRC_ANGLES + 1),
            mrc_real(mrc, MRC_ANGLES + 2));
        cosine[1] = cosine[2] = along = 0;
        across = up = 1;
    }
    const double cell[3][3] = { { 1, 0, 0 },
                                { cosine[2], across, 0 },
                                { cosine[1], along, sqrt(up) } };
    for (int i = 0; i < 9; i++) {
        steps[i / 3][i % 3] = size[i / 3] * cell[i / 3][i % 3];
    }
    return !told;
}

// Which axes of the cell columns, rows and sections are: 0, 1, 2 in some order.
static void mrc_read_axes(const struct mrc *mrc, int axes[3])
{
    unsigned seen = 0;
    for (int k = 0; k < 3; k++) {
        axes[k] = mrc_whole(mrc, MRC_AXES + k) - 1;
        seen |= axes[k] >= 0 && axes[k] < 3 ? 1U << axes[k] : 0;
    }
    if (seen != 7) {
        log_warn(
            "'%s': MAPC, MAPR, MAPS are %d, %d, %d; 1, 2, 3 is used", mrc->path, axes[0] + 1,
            axes[1] + 1, axes[2] + 1);
        for (int k = 0; k < 3; k++) {
            axes[k] = k;
        }
    }
}

static void mrc_read_origin(
    const struct mrc *mrc, const double cell[3][3], const double steps[3][3], double origin[3])
{
    bool fine = true, zero = true;
    for (int i = 0; i < 3; i++) {
        origin[i] = mrc_real(mrc, MRC_ORIGIN + i);
        zero &= origin[i] == 0;
        fine &= isfinite(origin[i]) && origin[i] + cell[i][i] != origin[i];
    }
    if (fine && !zero) {
        return;
    }
    if (!zero) {
        log_warn("'%s': its ORIGIN is not a position; it is ignored", mrc->path);
    }
    origin[0] = origin[1] = origin[2] = 0;
    for (int k = 0; k < 3; k++) {
        const int64_t start = mrc_whole(mrc, MRC_START + k);
        if (llabs(start) > 10 * (int64_t)mrc_whole(mrc, MRC_DIM + k)) {
            log_warn(
                "'%s': its first sample has the index %" PRId64 ", far from the others; NSTART is "
                "ignored",
                mrc->path, start);
            return;
        }
    }
    for (int i = 0; i < 9; i++) {
        origin[i % 3] += mrc_whole(mrc, MRC_START + i / 3) * steps[i / 3][i % 3];
    }
}

static bool mrc_place(const struct mrc *mrc, struct volume_file *out, struct problem *problem)
{
    double cell[3][3], steps[3][3], origin[3];
    int axes[3];
    strcpy(out->contents.unit, mrc_read_cell(mrc, cell) ? "Angstrom" : "");
    mrc_read_axes(mrc, axes);
    for (int i = 0; i < 9; i++) {
        steps[i / 3][i % 3] = cell[axes[i / 3]][i % 3];
    }
    mrc_read_origin(mrc, (const double(*)[3])cell, (const double(*)[3])steps, origin);
    if (mrc_whole(mrc, MRC_SKEWED) == 1) {
        log_warn("'%s' has a skew matrix (LSKFLG), which is not applied", mrc->path);
    }
    return affine_set(&out->volume, (const double(*)[3])steps, origin, mrc->path, problem);
}

bool mrc_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct mrc mrc = { .path = source->path };
    struct payload payload = { .dim = { 0 } };
    const size_t got = source_peek(source, mrc.bytes, MRC_HEADER);
    if (got < MRC_HEADER) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s' ends in its MRC header: %zu of its %d bytes are there",
            source->path, got, MRC_HEADER);
    }
    const struct file_head head = { .bytes = mrc.bytes, .size = MRC_HEADER };
    mrc.magic = mrc_matches(&head);
    bool fine = mrc_find_order(&mrc);
    for (int i = 0; i < 3; i++) {
        const int32_t dim = mrc_whole(&mrc, MRC_DIM + i);
        payload.dim[i] = (uint64_t)dim;
        fine &= dim >= 1 && dim <= MRC_MOST;
    }
    if (!fine) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is not an MRC map: its header begins with %d, %d, %d; expected 1 to %d columns, "
            "rows and sections",
            source->path, mrc_whole(&mrc, 0), mrc_whole(&mrc, 1), mrc_whole(&mrc, 2), MRC_MOST);
    }
    const int32_t group = mrc_whole(&mrc, MRC_GROUP), sections = mrc_whole(&mrc, MRC_GRID + 2);
    if (group >= MRC_STACKS && sections > 0 && payload.dim[2] % (uint64_t)sections == 0) {
        payload.frames = payload.dim[2] / (uint64_t)sections;
        payload.dim[2] = (uint64_t)sections;
    }
    if (!mrc_read_mode(&mrc, &payload, problem) ||
        !mrc_find_samples(&mrc, source, &payload, problem) ||
        !payload_open(source, &payload, params, out, problem)) {
        return false;
    }
    // Maps of crystals have a space group. With 1 % inside they would fall into dots.
    out->volume.density = group <= 1 || group >= MRC_STACKS;
    if (payload.frames > 1 && !contents_asked(&params->pick, CONTENTS_TIME)) {
        log_warn(
            "'%s' is a stack of %" PRIu64 " volumes; the first is read, --time N reads another",
            source->path, payload.frames);
    }
    return mrc_place(&mrc, out, problem);
}
