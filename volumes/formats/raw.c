// Raw samples. Dims, type and byte order come from the params or from the file's name. The file
// must have exactly the bytes that the dims need.
#include "volumes/base/log.h"
#include "volumes/formats/payload.h"
#include "volumes/formats/raw_guess.h"
#include "volumes/formats/raw_name.h"
#include "volumes/formats/readers.h"

#include <inttypes.h>
#include <string.h>

struct raw_plan {
    uint64_t dim[3];
    bool has_type;
    enum volume_type type;
    enum byte_order order;
    bool gzip;
};

// Finds dims, type and order from params and name.
static bool raw_plan_geometry(
    struct source *source, const struct volume_params *params, struct raw_plan *plan,
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
                ", but dims %ux%ux%u were given and are used",
                source->path, name.dim[0], name.dim[1], name.dim[2], params->dim[0], params->dim[1],
                params->dim[2]);
        }
    } else if (name.has_dim) {
        memcpy(plan->dim, name.dim, sizeof plan->dim);
    } else {
        char text[200];
        struct raw_guess guesses[3];
        const uint32_t count = raw_guess(raw_guess_bytes(source), guesses, 3);
        raw_guess_list(guesses, count, text, sizeof text);
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
            "the name of '%s' says %s, but type %s was given and is used", source->path,
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
            "the name of '%s' says %s-endian, but %s-endian was given and is used", source->path,
            name.order == BYTE_ORDER_BIG ? "big" : "little",
            params->order == BYTE_ORDER_BIG ? "big" : "little");
    }
    return true;
}

// The first bytes decide whether the file is gzip, not the name. Samples of a plain file may happen
// to start like gzip; its size then shows that it is plain.
static void raw_plan_gzip(struct source *source, uint64_t offset, struct raw_plan *plan)
{
    const bool gzip = source_is_gzip(source);
    struct raw_name name;
    raw_name_parse(source->path, &name);
    bool fits = false;
    for (size_t size = 1; size <= 8; size *= 2) {
        fits |= (!plan->has_type || size == volume_type_size(plan->type)) &&
                source->size == raw_fit_bytes(plan->dim, size, offset);
    }
    plan->gzip = gzip && (name.gzip || !fits);
    if (plan->gzip && !name.gzip) {
        log_warn("'%s' is gzip-compressed although its name does not say so", source->path);
    } else if (!gzip && name.gzip) {
        log_warn("'%s' is not gzip-compressed although its name says so", source->path);
    }
}

static bool raw_infer_type(
    const struct source *source, uint64_t offset, uint32_t gzip_size, struct raw_plan *plan,
    struct problem *problem)
{
    for (int i = 0; i < 4; i++) {
        const uint64_t needed = raw_fit_bytes(plan->dim, volume_type_size(raw_types[i]), offset);
        if (plan->gzip ? (uint32_t)needed == gzip_size : needed == source->size) {
            plan->type = raw_types[i];
            return true;
        }
    }
    char text[200];
    const uint64_t bytes = plan->gzip ? gzip_size : source->size;
    raw_fit(bytes > offset ? bytes - offset : 0, plan->dim, VOLUME_UINT8, text, sizeof text);
    return problem_set(
        problem, PROBLEM_INPUT,
        "'%s' has %s%" PRIu64 " bytes%s, which fit no type at dims %" PRIu64 "x%" PRIu64 "x%" PRIu64
        " (%" PRIu64 " as uint8, %" PRIu64 " as uint16, %" PRIu64
        " as float32); check --dims, --type and --offset%s%s",
        source->path, plan->gzip ? "inflated " : "", bytes, offset ? " with its offset" : "",
        plan->dim[0], plan->dim[1], plan->dim[2], raw_fit_bytes(plan->dim, 1, offset),
        raw_fit_bytes(plan->dim, 2, offset), raw_fit_bytes(plan->dim, 4, offset),
        *text ? "; it would fit " : "", text);
}

bool raw_open(
    struct source *source, const struct volume_params *params, struct volume_file *out,
    struct problem *problem)
{
    struct raw_plan plan = { 0 };
    const uint64_t offset = params->offset;
    if (!raw_plan_geometry(source, params, &plan, problem)) {
        return false;
    }
    // While the type is unknown, check the dims with samples of one byte.
    struct sample_format format = { .type = plan.has_type ? plan.type : VOLUME_UINT8 };
    if (!samples_describe(
            source->path, plan.dim, &format, params->max_bytes, &out->volume, problem)) {
        return false;
    }
    raw_plan_gzip(source, offset, &plan);
    if (!plan.gzip && offset > source->size && !params->describe) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s': offset %" PRIu64 " lies beyond its end (it has %" PRIu64 " bytes)", source->path,
            offset, source->size);
    }
    uint32_t gzip_size = 0;
    if (plan.gzip && !source_gzip_size(source, &gzip_size)) {
        return problem_set(
            problem, PROBLEM_INPUT,
            "'%s' is not a valid gzip file: its %" PRIu64 " bytes are too few", source->path,
            source->size);
    }
    if (!plan.has_type) {
        if (!raw_infer_type(source, offset, gzip_size, &plan, problem)) {
            return false;
        }
        format.type = plan.type;
        if (!samples_describe(
                source->path, plan.dim, &format, params->max_bytes, &out->volume, problem)) {
            return false;
        }
    }
    const uint64_t needed = raw_fit_bytes(plan.dim, volume_type_size(plan.type), offset);
    // Deflate compresses at most 1032:1. So a small file that claims to be huge is refused before
    // memory is allocated.
    if (plan.gzip && needed / 1032 > source->size) {
        return raw_fit_refuse(
            source->path, gzip_size ? "(as its end says) inflated " : "inflated at most ",
            gzip_size ? gzip_size : source->size * 1032, offset, plan.dim, plan.type, problem);
    }
    const bool unfinished = params->describe && source->size < needed;
    if (!plan.gzip && needed != source->size && !unfinished) {
        return raw_fit_refuse(source->path, "", source->size, offset, plan.dim, plan.type, problem);
    }
    const struct payload payload = {
        .dim = { plan.dim[0], plan.dim[1], plan.dim[2] },
        .format = { .type = plan.type, .order = plan.order },
        .encoding = plan.gzip ? PAYLOAD_DEFLATE : PAYLOAD_RAW,
        .byte_skip = offset,
        .headless = true,
    };
    if (!payload_open(source, &payload, params, out, problem)) {
        return false;
    }
    out->volume.type_inferred = !plan.has_type;
    return true;
}
