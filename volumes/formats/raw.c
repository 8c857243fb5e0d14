// Raw samples: what the file does not say stands in its name or in the params, and the params win.
// Every size is checked before memory is asked for, and the file must have exactly the bytes that
// the dims ask for.
#include "volumes/base/log.h"
#include "volumes/base/size.h"
#include "volumes/formats/payload.h"
#include "volumes/formats/raw_fit.h"
#include "volumes/formats/raw_name.h"
#include "volumes/formats/readers.h"
#include "volumes/formats/samples.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)1 << 22) // bytes between two reports of progress; whole samples of any type

struct plan {
    uint64_t dim[3];
    bool has_type;
    enum volume_type type;
    enum byte_order order;
    bool gzip;
};

// Dims, type and order from params and name.
static bool plan_geometry(
    const struct source *source, const struct volume_params *params, struct plan *plan,
    struct problem *problem)
{
    struct raw_name name;
    raw_name_parse(source->path, &name);
    const bool told = params->dim[0] || params->dim[1] || params->dim[2];
    if (told) {
        for (int i = 0; i < 3; i++) {
            plan->dim[i] = params->dim[i];
        }
        if (name.has_dim && memcmp(name.dim, plan->dim, sizeof name.dim) != 0) {
            log_warn(
                "the name of '%s' says %" PRIu64 "x%" PRIu64 "x%" PRIu64
                ", but dims %ux%ux%u were given and win",
                source->path, name.dim[0], name.dim[1], name.dim[2], params->dim[0], params->dim[1],
                params->dim[2]);
        }
    } else if (name.has_dim) {
        memcpy(plan->dim, name.dim, sizeof plan->dim);
    } else {
        char text[200];
        raw_fit(source->size, NULL, VOLUME_UINT8, text, sizeof text);
        return problem_set(
            problem, PROBLEM_INPUT,
            "the name of '%s' states no dims (expected NAME_WxHxD_TYPE.raw); give --dims WxHxD and "
            "--type%s%s%s",
            source->path, *text ? " (its size would fit " : "", text, *text ? ")" : "");
    }
    plan->has_type = params->has_type || name.has_type;
    plan->type = params->has_type ? params->type : name.type;
    if (params->has_type && name.has_type && params->type != name.type) {
        log_warn(
            "the name of '%s' says %s, but type %s was given and wins", source->path,
            volume_type_name(name.type), volume_type_name(params->type));
    }
    if (!params->has_type && name.foreign_type[0]) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': type %s is not supported; expected uint8 int8 uint16 int16 uint32 int32 float32 "
            "float64",
            source->path, name.foreign_type);
    }
    plan->order = params->order != BYTE_ORDER_UNSAID ? params->order : name.order;
    if (params->order != BYTE_ORDER_UNSAID && name.order != BYTE_ORDER_UNSAID &&
        params->order != name.order) {
        log_warn(
            "the name of '%s' says %s-endian, but %s-endian was given and wins", source->path,
            name.order == BYTE_ORDER_BIG ? "big" : "little",
            params->order == BYTE_ORDER_BIG ? "big" : "little");
    }
    return true;
}

// Bytes that the dims ask for with samples of `size` bytes, behind the offset; UINT64_MAX where
// 64 bits are too few.
static uint64_t bytes_needed(const struct plan *plan, size_t size, uint64_t offset)
{
    uint64_t total;
    if (!size_product(plan->dim[0], plan->dim[1], &total) ||
        !size_product(total, plan->dim[2], &total) || !size_product(total, size, &total) ||
        __builtin_add_overflow(total, offset, &total)) {
        return UINT64_MAX;
    }
    return total;
}

// Whether the bytes are gzip is told by their start, not by the name; a plain file whose samples
// happen to start like gzip is told by its size.
static void plan_gzip(struct source *source, uint64_t offset, struct plan *plan)
{
    unsigned char magic[3] = { 0 };
    const bool gzip =
        source_peek(source, magic, 3) == 3 && magic[0] == 0x1f && magic[1] == 0x8b && magic[2] == 8;
    struct raw_name name;
    raw_name_parse(source->path, &name);
    bool fits = false;
    for (size_t size = 1; size <= 8; size *= 2) {
        fits |= (!plan->has_type || size == volume_type_size(plan->type)) &&
                source->size == bytes_needed(plan, size, offset);
    }
    plan->gzip = gzip && (name.gzip || !fits);
    if (plan->gzip && !name.gzip) {
        log_warn("'%s' is gzip-compressed although its name does not say so", source->path);
    } else if (!gzip && name.gzip) {
        log_warn("'%s' is not gzip-compressed although its name says so", source->path);
    }
}

static bool infer_type(
    const struct source *source, uint64_t offset, uint32_t gzip_size, struct plan *plan,
    struct problem *problem)
{
    static const enum volume_type by_size[] = { VOLUME_UINT8, VOLUME_UINT16, VOLUME_FLOAT32,
                                                VOLUME_FLOAT64 };
    for (int i = 0; i < 4; i++) {
        const uint64_t needed = bytes_needed(plan, volume_type_size(by_size[i]), offset);
        if (plan->gzip ? (uint32_t)needed == gzip_size : needed == source->size) {
            plan->type = by_size[i];
            return true;
        }
    }
    char text[200];
    const uint64_t bytes = plan->gzip ? gzip_size : source->size;
    raw_fit(bytes > offset ? bytes - offset : 0, plan->dim, VOLUME_UINT8, text, sizeof text);
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' has %s%" PRIu64 " bytes%s, which no type makes of dims %" PRIu64 "x%" PRIu64
        "x%" PRIu64 " (%" PRIu64 " as uint8, %" PRIu64 " as uint16, %" PRIu64
        " as float32); check --dims, --type and --offset%s%s",
        source->path, plan->gzip ? "inflated " : "", bytes, offset ? " with its offset" : "",
        plan->dim[0], plan->dim[1], plan->dim[2], bytes_needed(plan, 1, offset),
        bytes_needed(plan, 2, offset), bytes_needed(plan, 4, offset),
        *text ? "; it would fit " : "", text);
}

static bool refuse_size(
    const struct source *source, const char *has, uint64_t bytes, uint64_t offset,
    const struct plan *plan, struct problem *problem)
{
    char text[200] = "";
    char skip[60] = "";
    uint64_t need = bytes_needed(plan, volume_type_size(plan->type), 0);
    if (bytes >= offset) {
        raw_fit(bytes - offset, plan->dim, plan->type, text, sizeof text);
        if (offset == 0 && bytes > need && bytes - need <= 65536) {
            snprintf(
                skip, sizeof skip, "%s a header skipped by --offset %" PRIu64,
                *text ? ", or" : "; it would fit with", bytes - need);
        }
    }
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' has %s%" PRIu64 " bytes, but %" PRIu64 "x%" PRIu64 "x%" PRIu64 " %s%s needs %" PRIu64
        "%s%s%s; check --dims and --type",
        source->path, has, bytes, plan->dim[0], plan->dim[1], plan->dim[2],
        volume_type_name(plan->type), offset ? " with its offset" : "",
        bytes_needed(plan, volume_type_size(plan->type), offset), *text ? "; it would fit " : "",
        text, skip);
}

static bool skip_bytes(struct source *source, uint64_t offset, struct problem *problem)
{
    uint64_t missing;
    return (!source->packed || input_skips(source->path, offset, problem)) &&
           source_skip(source, offset, &missing, problem) &&
           (missing == 0 ||
            problem_set(
                problem, PROBLEM_INPUT, "'%s': the offset lies %" PRIu64 " bytes beyond its end",
                source->path, missing));
}

// Reads the samples chunk by chunk, brought to host order; float64 is narrowed on the way, so that
// never more than one chunk of it is in memory.
static bool read_samples(
    struct source *source, const struct plan *plan, const struct volume_params *params,
    struct volume *volume, struct problem *problem)
{
    const size_t size = volume_type_size(plan->type);
    const bool narrow = plan->type == VOLUME_FLOAT64;
    const uint64_t count = volume_count(volume);
    const size_t most = CHUNK / size;
    double *wide = narrow ? malloc(CHUNK) : NULL;
    uint64_t overflows = 0;
    if (narrow && !wide) {
        return problem_set(
            problem, PROBLEM_HOST_MEMORY, "out of memory reading '%s'", source->path);
    }
    const struct progress *progress = params->progress;
    bool ok = progress_report(progress, source->path, 0, count, problem);
    for (uint64_t done = 0; ok && done < count;) {
        const size_t n = count - done < most ? (size_t)(count - done) : most;
        void *at = narrow ? (void *)wide : (char *)volume->samples + done * size;
        size_t got;
        ok = source_read(source, at, n * size, &got, problem);
        if (ok && got < n * size) {
            ok = refuse_size(
                source, "inflated ", params->offset + done * size + got, params->offset, plan,
                problem);
        }
        if (!ok) {
            break;
        }
        samples_to_host(plan->order, at, n, size);
        if (narrow) {
            float *to = (float *)volume->samples + done;
            for (size_t i = 0; i < n; i++) {
                to[i] = (float)wide[i];
                overflows += isinf(to[i]) && !isinf(wide[i]);
            }
        }
        done += n;
        ok = progress_report(progress, source->path, done, count, problem);
    }
    free(wide);
    if (ok && overflows > 0) {
        log_warn(
            "'%s': %" PRIu64 " float64 samples are too large for float32 and became infinite",
            source->path, overflows);
    }
    return ok;
}

// A gzip stream must end where the samples end: the size that its end states is only modulo 2^32,
// and of the last of several members. Reading on also checks the sum at the end of the stream.
static bool check_end(
    struct source *source, const struct plan *plan, uint64_t offset, uint32_t gzip_size,
    struct problem *problem)
{
    const uint64_t needed = bytes_needed(plan, volume_type_size(plan->type), offset);
    char more;
    size_t got;
    if (!source_read(source, &more, 1, &got, problem)) {
        return false;
    }
    if (got == 0) {
        return true;
    }
    if (gzip_size > needed) {
        return refuse_size(source, "inflated ", gzip_size, offset, plan, problem);
    }
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' has, inflated, more than the %" PRIu64 " bytes that %" PRIu64 "x%" PRIu64 "x%" PRIu64
        " %s needs; check --dims and --type",
        source->path, needed, plan->dim[0], plan->dim[1], plan->dim[2],
        volume_type_name(plan->type));
}

// The same as a payload, for reading by ranges.
static bool describe(
    struct source *source, const struct plan *plan, const struct volume_params *params,
    struct volume *out, struct problem *problem)
{
    struct payload payload = {
        .format = { .type = plan->type, .order = plan->order },
        .encoding = plan->gzip ? PAYLOAD_DEFLATE : PAYLOAD_RAW,
        .byte_skip = params->offset,
        .exact = true,
    };
    memcpy(payload.dim, plan->dim, sizeof payload.dim);
    if (!payload_read(source, &payload, params, out, problem) ||
        !spacing_apply(params, out, problem)) {
        return false;
    }
    out->type_inferred = !plan->has_type;
    return true;
}

bool raw_read(
    struct source *source, const struct volume_params *params, struct volume *out,
    struct problem *problem)
{
    *out = (struct volume){ 0 };
    struct plan plan = { 0 };
    const uint64_t offset = params->offset;
    if (!plan_geometry(source, params, &plan, problem)) {
        return false;
    }
    char what[300];
    snprintf(what, sizeof what, "'%s'", source->path);
    uint64_t bytes;
    // With samples of one byte where the type is open still: dims first, then the type.
    const size_t least = plan.has_type ? volume_type_size(plan.type) : 1;
    const size_t kept = least == 8 ? 4 : least;
    if (!size_check(what, plan.dim, kept, params->max_bytes, &bytes, problem)) {
        return false;
    }
    plan_gzip(source, offset, &plan);
    if (!plan.gzip && offset > source->size) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': offset %" PRIu64 " lies beyond its end (it has %" PRIu64 " bytes)", source->path,
            offset, source->size);
    }
    uint32_t gzip_size = 0;
    if (plan.gzip && !source_gzip_size(source, &gzip_size)) {
        return problem_set(
            problem, PROBLEM_INPUT, "'%s' is no sound gzip file: its %" PRIu64 " bytes are too few",
            source->path, source->size);
    }
    if (!plan.has_type) {
        if (!infer_type(source, offset, gzip_size, &plan, problem)) {
            return false;
        }
        const size_t inferred = plan.type == VOLUME_FLOAT64 ? 4 : volume_type_size(plan.type);
        if (!size_check(what, plan.dim, inferred, params->max_bytes, &bytes, problem)) {
            return false;
        }
    }
    const uint64_t needed = bytes_needed(&plan, volume_type_size(plan.type), offset);
    // Deflate cannot do better than 1032:1, so a small file that claims to be huge is found out
    // before memory is asked for.
    if (plan.gzip && needed / 1032 > source->size) {
        return refuse_size(
            source, gzip_size ? "(as its end says) inflated " : "inflated at most ",
            gzip_size ? gzip_size : source->size * 1032, offset, &plan, problem);
    }
    if (!plan.gzip && needed != source->size) {
        return refuse_size(source, "", source->size, offset, &plan, problem);
    }
    if (params->file) {
        return describe(source, &plan, params, out, problem);
    }
    const uint32_t dim[3] = { (uint32_t)plan.dim[0], (uint32_t)plan.dim[1], (uint32_t)plan.dim[2] };
    if (!volume_create(dim, plan.type, out, problem)) {
        return false;
    }
    if ((plan.gzip && !source_inflate(source, problem)) || !skip_bytes(source, offset, problem) ||
        !read_samples(source, &plan, params, out, problem) ||
        (plan.gzip && !check_end(source, &plan, offset, gzip_size, problem)) ||
        !spacing_apply(params, out, problem)) {
        volume_destroy(out);
        return false;
    }
    out->type_inferred = !plan.has_type;
    return true;
}
