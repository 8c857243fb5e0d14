// A region of a volume in another type: each sample is the nearest one of the type, reported losses
// are right, and the region made in two parts equals the region made at once.
#include "volumes/resample.h"
#include "tests/fuzz/target.h"

#include <math.h>
#include <string.h>

static const struct {
    double low, high;
} ranges[] = {
    [VOLUME_UINT8] = { 0, UINT8_MAX },   [VOLUME_INT8] = { INT8_MIN, INT8_MAX },
    [VOLUME_UINT16] = { 0, UINT16_MAX }, [VOLUME_INT16] = { INT16_MIN, INT16_MAX },
    [VOLUME_UINT32] = { 0, UINT32_MAX }, [VOLUME_INT32] = { INT32_MIN, INT32_MAX },
};

static void check_samples(
    const struct volume *in, const struct resample_params *params, const struct volume *out,
    const struct resample_losses *losses)
{
    uint64_t clamped = 0, not_finite = 0, rounded = 0;
    const uint32_t stride = params->stride ? params->stride : 1;
    for (uint32_t z = 0; z < out->dim[2]; z++) {
        for (uint32_t y = 0; y < out->dim[1]; y++) {
            for (uint32_t x = 0; x < out->dim[0]; x++) {
                const double from = volume_sample(
                    in, params->from[0] + x * stride, params->from[1] + y * stride,
                    params->from[2] + z * stride);
                const double to = volume_sample(out, x, y, z);
                if (out->type == VOLUME_FLOAT32) {
                    HOLDS(
                        isnan(from) ? isnan(to) : to == (double)(float)from, "%g became %g", from,
                        to);
                    rounded += !isnan(from) && to != from;
                    continue;
                }
                const double low = ranges[out->type].low, high = ranges[out->type].high;
                const bool outside = from < low - 0.5 || from > high + 0.5;
                HOLDS(
                    isnan(from)   ? to == 0
                    : from > high ? to == high
                    : from < low  ? to == low
                                  : fabs(to - from) <= 0.5,
                    "%g became %g", from, to);
                not_finite += !isfinite(from);
                // One half beyond the range may be said to be either.
                clamped += isfinite(from) && outside;
                rounded += isfinite(from) && !outside && to != from;
            }
        }
    }
    HOLDS(losses->not_finite == not_finite, "not finite");
    HOLDS(losses->clamped + losses->rounded == clamped + rounded, "clamped or rounded");
}

// The first `layers` layers of `out`, and the others, made each by itself.
static void check_pieces(
    const struct volume *in, const struct resample_params *params, const struct volume *out,
    const struct resample_losses *losses, uint32_t layers)
{
    const uint32_t stride = params->stride ? params->stride : 1;
    struct volume piece;
    struct resample_losses lost, sum = { 0 };
    struct problem problem;
    uint64_t at = 0;
    for (int i = 0; i < 2; i++) {
        struct resample_params half = *params;
        half.to[2] = i == 0 ? params->from[2] + (layers - 1) * stride + 1 : params->to[2];
        half.from[2] = i == 0 ? params->from[2] : params->from[2] + layers * stride;
        HOLDS(volume_resample(in, &half, &piece, &lost, &problem), "%s", problem.text);
        HOLDS(
            at + volume_bytes(&piece) <= volume_bytes(out) &&
                memcmp((char *)out->samples + at, piece.samples, volume_bytes(&piece)) == 0,
            "the same samples in piece %d", i);
        for (int k = 0; k < 3; k++) {
            // Where sample (0, 0, 0) of the piece stands in the whole.
            const double expected =
                out->origin[k] + (i ? out->direction[3 * k + 2] * out->spacing[2] * layers : 0);
            HOLDS(
                fabs(piece.origin[k] - expected) <= 1e-9 * (1 + fabs(expected)), "%g, not %g",
                piece.origin[k], expected);
        }
        at += volume_bytes(&piece);
        sum.clamped += lost.clamped;
        sum.not_finite += lost.not_finite;
        sum.rounded += lost.rounded;
        volume_destroy(&piece);
    }
    HOLDS(at == volume_bytes(out), "all samples");
    HOLDS(memcmp(&sum, losses, sizeof sum) == 0, "the same losses");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct volume in, out = { 0 };
    struct resample_losses losses;
    struct problem problem;
    uint8_t head[8] = { 0 };
    const size_t used = size < sizeof head ? size : sizeof head;
    memcpy(head, data, used);
    volume_of_bytes(data + used, size - used, &in);
    const struct resample_params params = {
        .from = { head[0] % 16, head[1] % 16, head[2] % 16 },
        .to = { head[3] % 16, head[4] % 16, head[5] % 16 },
        .stride = head[6] % 5,
        .has_type = head[7] & 8,
        .type = (enum volume_type)(head[7] % VOLUME_TYPES),
    };
    poison(0xaa);
    fuzz_accepted = volume_resample(&in, &params, &out, &losses, &problem);
    if (fuzz_accepted) {
        HOLDS(
            out.file_type == (params.has_type ? params.type : in.file_type), "type %d",
            out.file_type);
        check_samples(&in, &params, &out, &losses);
        for (uint32_t layers = 2; layers + 2 <= out.dim[2]; layers++) {
            check_pieces(&in, &params, &out, &losses, layers);
        }
    } else {
        check_refusal(&problem, true);
        HOLDS(problem.kind == PROBLEM_USAGE && !out.samples, "%d", problem.kind);
    }
    volume_destroy(&out);
    volume_destroy(&in);
    return 0;
}
