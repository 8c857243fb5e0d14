#include "volumes/formats/raw_name.h"

#include "volumes/base/size.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define REACH 16 // how far W and H are varied; D follows from the size
#define MOST  3

struct raw_fit_choice {
    uint64_t dim[3];
    enum volume_type type;
    uint64_t distance;
};

static void raw_fit_add(struct raw_fit_choice fits[MOST], int *count, struct raw_fit_choice fit)
{
    int at = *count;
    for (int i = 0; i < *count; i++) {
        if (memcmp(fits[i].dim, fit.dim, sizeof fit.dim) == 0 && fits[i].type == fit.type) {
            return;
        }
    }
    while (at > 0 && fits[at - 1].distance > fit.distance) {
        at--;
    }
    if (at == MOST) {
        return;
    }
    const int kept = *count < MOST ? *count : MOST - 1;
    for (int i = kept; i > at; i--) {
        fits[i] = fits[i - 1];
    }
    fits[at] = fit;
    *count = kept + 1;
}

static uint64_t raw_fit_apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

// Finds dims near `dim` with exactly `count` samples.
static void raw_fit_near_dims(
    uint64_t count, const uint64_t dim[3], enum volume_type type, struct raw_fit_choice fits[MOST],
    int *found)
{
    for (int dy = -REACH; dy <= REACH; dy++) {
        for (int dx = -REACH; dx <= REACH; dx++) {
            const uint64_t w = dim[0] + (uint64_t)dx;
            const uint64_t h = dim[1] + (uint64_t)dy;
            if (w < 2 || h < 2 || w > UINT32_MAX || h > UINT32_MAX || count % (w * h) != 0) {
                continue;
            }
            const uint64_t d = count / (w * h);
            if (d < 2 || d > UINT32_MAX) {
                continue;
            }
            raw_fit_add(
                fits, found,
                (struct raw_fit_choice){
                    .dim = { w, h, d },
                    .type = type,
                    .distance = raw_fit_apart(w, dim[0]) + raw_fit_apart(h, dim[1]) +
                                raw_fit_apart(d, dim[2]),
                });
        }
    }
}

void raw_fit(uint64_t bytes, const uint64_t dim[3], enum volume_type type, char *text, size_t size)
{
    static const enum volume_type by_size[] = { VOLUME_UINT8, VOLUME_UINT16, VOLUME_FLOAT32,
                                                VOLUME_FLOAT64 };
    struct raw_fit_choice fits[MOST];
    int found = 0;
    for (int i = 0; i < 4; i++) {
        const size_t each = volume_type_size(by_size[i]);
        const uint64_t count = bytes / each;
        uint64_t product;
        if (bytes % each != 0) {
            continue;
        }
        // The likeliest case: the dims are right and the type is wrong.
        if (!__builtin_mul_overflow(dim[0], dim[1], &product) &&
            !__builtin_mul_overflow(product, dim[2], &product) && product == count) {
            struct raw_fit_choice same = { .type = by_size[i] };
            memcpy(same.dim, dim, sizeof same.dim);
            raw_fit_add(fits, &found, same);
        }
    }
    const size_t each = volume_type_size(type);
    if (bytes % each == 0 && dim[0] < UINT32_MAX && dim[1] < UINT32_MAX) {
        raw_fit_near_dims(bytes / each, dim, type, fits, &found);
    }
    size_t at = 0;
    text[0] = 0;
    for (int i = 0; i < found && at < size; i++) {
        at += (size_t)snprintf(
            text + at, size - at, "%s%" PRIu64 "x%" PRIu64 "x%" PRIu64 " %s", i > 0 ? ", " : "",
            fits[i].dim[0], fits[i].dim[1], fits[i].dim[2], volume_type_name(fits[i].type));
    }
}

uint64_t raw_fit_bytes(const uint64_t dim[3], size_t size, uint64_t offset)
{
    uint64_t total;
    if (!size_product(dim[0], dim[1], &total) || !size_product(total, dim[2], &total) ||
        !size_product(total, size, &total) || __builtin_add_overflow(total, offset, &total)) {
        return UINT64_MAX;
    }
    return total;
}

bool raw_fit_refuse(
    const char *path, const char *has, uint64_t bytes, uint64_t offset, const uint64_t dim[3],
    enum volume_type type, struct problem *problem)
{
    char text[200] = "";
    char skip[60] = "";
    const uint64_t need = raw_fit_bytes(dim, volume_type_size(type), 0);
    if (bytes >= offset) {
        raw_fit(bytes - offset, dim, type, text, sizeof text);
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
        path, has, bytes, dim[0], dim[1], dim[2], volume_type_name(type),
        offset ? " with its offset" : "", raw_fit_bytes(dim, volume_type_size(type), offset),
        *text ? "; it would fit " : "", text, skip);
}
