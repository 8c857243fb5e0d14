// Between two lengths a method's time is interpolated as a power of the length. Between two
// densities it is interpolated linearly: reads cost the same for each lane, writes for each kept
// element.
//
// The guess for a method that was not measured is bytes over bandwidth, and a constant for each
// dispatch. The bytes come from the method's row. They are lower bounds of the algorithms as
// implemented here, with masks that are written once and then read instead of the stream.
#include "compute/compaction/times.h"

#include <math.h>
#include <string.h>

const double times_densities[TIMES_DENSITIES] = { 0.001, 0.01, 0.1, 0.5, 0.9 };

// Interpolates over the lengths, for one density and pattern.
static double times_along_sizes(
    const float sizes[TIMES_SIZES][TIMES_DENSITIES][TIMES_PATTERNS], uint32_t density,
    uint32_t pattern, double lanes)
{
    const double at = (log2(lanes > 1 ? lanes : 1) - TIMES_LEAST_LOG2) / 2;
    int below = -1, above = -1;
    for (int i = 0; i < TIMES_SIZES; i++) {
        if (sizes[i][density][pattern] > 0) {
            if (i <= at) {
                below = i;
            } else if (above < 0) {
                above = i;
            }
        }
    }
    if (below < 0) {
        return above < 0 ? 0 : sizes[above][density][pattern];
    }
    const double ms = sizes[below][density][pattern];
    if (above < 0) {
        return ms * exp2(2 * (at - below));
    }
    const double share = (at - below) / (above - below);
    return ms * pow(sizes[above][density][pattern] / ms, share);
}

static double times_along_densities(
    const float sizes[TIMES_SIZES][TIMES_DENSITIES][TIMES_PATTERNS], uint32_t pattern, double lanes,
    double density)
{
    uint32_t above = 1;
    while (above < TIMES_DENSITIES - 1 && times_densities[above] < density) {
        above++;
    }
    const double from = times_densities[above - 1], to = times_densities[above];
    double share = (density - from) / (to - from);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    const double low = times_along_sizes(sizes, above - 1, pattern, lanes);
    const double high = times_along_sizes(sizes, above, pattern, lanes);
    return low > 0 && high > 0 ? low + share * (high - low) : low + high;
}

// The pattern of the kept elements, from 0 (at random) to 1 (in runs of TIMES_RUN or longer). At
// random, a run of kept elements has a mean length of 1 / (1 - density).
static double times_clumped(const struct times_stream *stream)
{
    if (stream->run <= 0) {
        return 0.5;
    }
    const double clump = log(stream->run * (1 - stream->density)) / log(TIMES_RUN);
    return stream->density >= 1 || clump > 1 ? 1 : clump > 0 ? clump : 0;
}

double times_predict(
    const struct times *times, const struct method *method, const struct times_stream *stream)
{
    const float(*sizes)[TIMES_DENSITIES][TIMES_PATTERNS] =
        times->ms[method_row(method)][times_lanes_of(stream->stream)];
    const double random = times_along_densities(sizes, 0, stream->lanes, stream->density);
    const double runs = times_along_densities(sizes, 1, stream->lanes, stream->density);
    return random > 0 && runs > 0 ? random + times_clumped(stream) * (runs - random)
                                  : random + runs;
}

double
times_guess(const struct gpu *gpu, const struct method *method, const struct times_stream *stream)
{
    static const double element_bytes[STREAMS] = {
        [STREAM_BRICKS] = 8,
        [STREAM_CELLS] = 36,
        [STREAM_WORDS] = 4,
    };
    // Rough values are enough: only the ranking of the methods matters.
    const double bytes_per_ms = gpu->software ? 4e6 : 2e8, dispatch_ms = 0.005;
    const struct method_cost *cost = &method->cost;
    const double kept = stream->density * stream->lanes * (stream->stream == STREAM_CELLS ? 32 : 1);
    const double lane = cost->reads * element_bytes[stream->stream] + cost->lane;
    return (lane * stream->lanes + cost->kept * kept) / bytes_per_ms +
           cost->dispatches * dispatch_ms;
}

// FNV-1a.
static uint64_t times_hash(uint64_t hash, const void *bytes, size_t size)
{
    for (const unsigned char *at = bytes, *end = at + size; at < end; at++) {
        hash = (hash ^ *at) * 0x100000001b3;
    }
    return hash;
}

uint64_t times_kernels(void)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (const struct method *method = method_next(NULL); method; method = method_next(method)) {
        hash = times_hash(hash, method->name, strlen(method->name) + 1);
        for (int pass = 0; pass < METHOD_PASSES && method->passes[pass].name; pass++) {
            for (int stream = 0; stream < STREAMS; stream++) {
                const struct shader *shader = method->passes[pass].shaders[stream];
                hash = shader ? times_hash(hash, shader->code, shader->code_size) : hash;
            }
        }
    }
    return hash;
}
