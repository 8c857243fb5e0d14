#include "volumes/resample.h"

#include "volumes/base/size.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// The nearest value that `type` can hold. `type` is a type that samples have in memory.
static double resample_fit(double value, enum volume_type type, struct resample_losses *losses)
{
    if (type == VOLUME_FLOAT32) {
        const double narrow = (double)(float)value;
        losses->rounded += narrow != value && !isnan(value);
        return narrow;
    }
    if (isnan(value)) {
        losses->not_finite++;
        return 0;
    }
    const struct volume_limits limits = volume_limits[type];
    const double whole = rint(value);
    if (whole < limits.least || whole > limits.most) {
        *(isinf(value) ? &losses->not_finite : &losses->clamped) += 1;
        return whole < limits.least ? limits.least : limits.most;
    }
    losses->rounded += whole != value;
    return whole;
}

// The number of samples that are kept along each axis.
static bool resample_count_samples(
    const struct volume *in, const struct resample_params *params, uint32_t stride, uint32_t dim[3],
    struct problem *problem)
{
    for (int k = 0; k < 3; k++) {
        const uint32_t from = params->from[k], to = params->to[k] ? params->to[k] : in->dim[k];
        if (to > in->dim[k] || from >= to) {
            return problem_set(
                problem, PROBLEM_USAGE,
                "the part %" PRIu32 ":%" PRIu32 " along %c is not within the volume's 0:%" PRIu32,
                from, to, "xyz"[k], in -> dim[k]);
        }
        dim[k] = (to - from - 1) / stride + 1;
        if (dim[k] < 2) {
            return problem_set(
                problem, PROBLEM_USAGE,
                "the part %" PRIu32 ":%" PRIu32 " along %c, each %" PRIu32
                "th sample of it, is one sample; a volume needs two along each axis",
                from, to, "xyz"[k], stride);
        }
    }
    return true;
}

// Sets where the samples lie: the step grows, and sample (0, 0, 0) moves to where `from` was.
static void
resample_place(const struct volume *in, const uint32_t from[3], uint32_t stride, struct volume *out)
{
    memcpy(out->direction, in->direction, sizeof out->direction);
    out->frame = in->frame;
    out->labels = in->labels;
    out->density = in->density;
    out->orbital = in->orbital;
    for (int k = 0; k < 3; k++) {
        out->spacing[k] = in->spacing[k] * stride;
        out->origin[k] = in->origin[k];
        for (int axis = 0; axis < 3; axis++) {
            out->origin[k] += in->direction[3 * k + axis] * in->spacing[axis] * from[axis];
        }
    }
}

bool volume_resample(
    const struct volume *in, const struct resample_params *params, struct volume *out,
    struct resample_losses *losses, struct problem *problem)
{
    const uint32_t stride = params->stride ? params->stride : 1;
    const enum volume_type type = params->has_type ? params->type : in->file_type;
    uint32_t dim[3];
    *out = (struct volume){ 0 };
    *losses = (struct resample_losses){ 0 };
    if (!resample_count_samples(in, params, stride, dim, problem)) {
        return false;
    }
    const uint64_t wide[3] = { dim[0], dim[1], dim[2] };
    uint64_t bytes;
    if (!size_check("the new volume", wide, volume_type_size(type), 0, &bytes, problem) ||
        !volume_create(dim, type, out, problem)) {
        return false;
    }
    resample_place(in, params->from, stride, out);
    uint64_t i = 0;
    for (uint32_t z = 0; z < dim[2]; z++) {
        for (uint32_t y = 0; y < dim[1]; y++) {
            for (uint32_t x = 0; x < dim[0]; x++, i++) {
                const double value = volume_sample(
                    in, params->from[0] + x * stride, params->from[1] + y * stride,
                    params->from[2] + z * stride);
                volume_type_put(out->type, out->samples, i, resample_fit(value, out->type, losses));
            }
        }
        if (params->progress &&
            !params->progress->report(params->progress->user, (z + 1.0) / dim[2])) {
            volume_destroy(out);
            return problem_set(problem, PROBLEM_INTERRUPTED, "converting was cancelled");
        }
    }
    return true;
}
